// The unfolded cube, where squares are painted.

import { FACES } from "./cube.js";

const NAMES = { U: "white", R: "red", F: "green", D: "yellow", L: "orange", B: "blue" };

export class Net {
  // `paint(index, letter)` is told which square gets which colour.
  constructor(host, paints, paint) {
    this.host = host;
    this.paint = paint;
    this.colour = "U";
    this.at = 0;
    this.paints = FACES.map((letter) => {
      const one = document.createElement("button");
      one.className = "paint";
      one.dataset.c = letter;
      one.setAttribute("role", "radio");
      one.append(document.createElement("i"), `${letter} `, document.createElement("span"));
      one.addEventListener("click", () => this.choose(letter));
      paints.append(one);
      return one;
    });
    this.choose("U");
    host.addEventListener("keydown", (event) => this.key(event));
  }

  choose(letter) {
    this.colour = letter;
    for (const one of this.paints) one.setAttribute("aria-checked", one.dataset.c === letter);
  }

  build(n) {
    this.n = n;
    this.at = 0;
    this.squares = [];
    this.host.replaceChildren();
    for (const face of FACES) {
      const side = document.createElement("div");
      side.className = "face";
      side.dataset.face = face;
      side.style.gridTemplate = `repeat(${n}, 1fr) / repeat(${n}, 1fr)`;
      side.setAttribute("role", "row");
      for (let i = 0; i < n * n; i++) {
        const index = this.squares.length;
        const square = document.createElement("div");
        square.className = "square";
        square.tabIndex = index === 0 ? 0 : -1;
        square.setAttribute("role", "gridcell");
        square.addEventListener("click", () => {
          this.go(index);
          this.paint(index, this.colour);
        });
        side.append(square);
        this.squares.push(square);
      }
      this.host.append(side);
    }
  }

  // Rings the squares that may have another colour.
  doubt(squares) {
    const doubtful = new Set(squares.map(([index]) => index));
    this.squares.forEach((square, i) => square.classList.toggle("doubtful", doubtful.has(i)));
  }

  show(state) {
    const counts = Object.fromEntries(FACES.map((face) => [face, 0]));
    this.squares.forEach((square, i) => {
      counts[state[i]] += 1;
      if (square.dataset.c === state[i]) return;
      square.dataset.c = state[i];
      const side = FACES[Math.floor(i / (this.n * this.n))];
      square.setAttribute("aria-label", `${side}${(i % (this.n * this.n)) + 1}: ${NAMES[state[i]]}`);
    });
    for (const one of this.paints) {
      const count = one.querySelector("span"), number = counts[one.dataset.c];
      count.textContent = `${number}`;
      count.className = number === this.n * this.n ? "" : "off";
      one.setAttribute("aria-label", `${NAMES[one.dataset.c]}, ${number} of ${this.n * this.n}`);
    }
  }

  // Rings the squares that something is wrong with.
  ring(squares) {
    this.squares.forEach((square, i) => square.classList.toggle("concerned", squares.includes(i)));
  }

  go(index) {
    this.squares[this.at].tabIndex = -1;
    this.at = (index + this.squares.length) % this.squares.length;
    this.squares[this.at].tabIndex = 0;
    this.squares[this.at].focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.n, ArrowDown: this.n }[event.key];
    const letter = event.key.toUpperCase();
    if (step) {
      this.go(this.at + step);
    } else if (FACES.includes(letter)) {
      this.paint(this.at, letter);
      this.go(this.at + 1);
    } else if (event.key === " " || event.key === "Enter") {
      this.paint(this.at, this.colour);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
