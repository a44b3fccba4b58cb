// The cube in 3D: twelve planes that transforms place, one for the stickers of each face and one for its hints. A turn moves the stickers
// of its layers into twelve more, which are turned. So few planes move that a large cube does it as smoothly as a small one.

import { FACES, axisOf, place, takesPart } from "./cube.js";

const EDGE = 300; // the cube's edge in pixels, before it is scaled to the window
const FLING = 0.94; // of a fling's speed, what is left after a frame
const FAR = 0.42; // how far a hint floats from the cube, in edges

const LAID = { U: "rotateX(90deg)", D: "rotateX(-90deg)", F: "", B: "rotateY(180deg)", R: "rotateY(90deg)", L: "rotateY(-90deg)" };
const AXES = ["X", "Y", "Z"];

export class Scene {
  constructor(host) {
    this.host = host;
    this.world = document.createElement("div");
    this.world.className = "world";
    host.append(this.world);
    this.around = 35; // degrees about the upright axis, and up
    this.above = -28;
    this.fling = [0, 0];
    this.busy = null;
    this.listen();
    new ResizeObserver(() => this.look()).observe(host);
  }

  build(n) {
    this.n = n;
    this.cell = EDGE / n;
    this.stickers = [];
    this.world.replaceChildren();
    this.still = this.planes(this.world);
    for (const face of FACES) {
      for (let i = 0; i < n * n; i++) {
        const row = Math.floor(i / n), column = i % n;
        // A hint's plane shows its back.
        const sticker = this.square("sticker", row, column), hint = this.square("hint", row, n - 1 - column);
        this.stickers.push({ face, position: place(n, face, row, column), sticker, hint });
      }
    }
    this.put(this.stickers, this.still);
    this.look();
  }

  // The planes of all faces. Hints float so far out from the cube that those behind it are seen.
  planes(into) {
    const laid = (kind, face, out) => {
      const plane = document.createElement("div");
      plane.className = `plane ${kind}`;
      plane.style.width = plane.style.height = `${EDGE}px`;
      plane.style.transform = `translate(-50%, -50%) ${LAID[face]} translateZ(${EDGE / 2 + out * EDGE}px) ${out ? "rotateY(180deg)" : ""}`;
      into.append(plane);
      return plane;
    };
    return Object.fromEntries(FACES.map((face) => [face, [laid("stickers", face, 0), laid("hints", face, FAR)]]));
  }

  put(squares, planes) {
    for (const { face, sticker, hint } of squares) {
      planes[face][0].append(sticker);
      planes[face][1].append(hint);
    }
  }

  square(kind, row, column) {
    const one = document.createElement("div");
    one.className = kind;
    one.style.left = `${column * this.cell}px`;
    one.style.top = `${row * this.cell}px`;
    one.style.width = one.style.height = `${this.cell + 0.5}px`;
    one.style.fontSize = `${this.cell * 0.5}px`;
    return one;
  }

  show(state) {
    this.stickers.forEach(({ sticker, hint }, i) => {
      if (sticker.dataset.c !== state[i]) sticker.dataset.c = hint.dataset.c = state[i];
    });
  }

  // Turns layers in so many milliseconds; the stickers get their new colours by show().
  async turn(turn, time) {
    const [axis, sign] = axisOf(turn.face);
    const layer = document.createElement("div"), stickers = this.stickers;
    layer.className = "layer";
    const moved = stickers.filter(({ position }) => takesPart(this.n, turn, position));
    this.put(moved, this.planes(layer));
    // Plastic where layers part: seen on what turns and on what stays.
    for (const depth of [turn.from - 1, turn.to]) {
      if (depth > 0 && depth < this.n) {
        this.cap(layer, turn.face, depth, depth === turn.to);
        this.cap(layer, turn.face, depth, depth !== turn.to, this.world);
      }
    }
    this.world.append(layer);
    // The page's y axis points down, so that turning about it goes the other way round.
    const quarters = turn.quarters === 3 ? -1 : turn.quarters;
    const degrees = 90 * quarters * sign * (axis === 1 ? -1 : 1) * (axis === 0 ? 1 : 1);
    const end = `rotate${AXES[axis]}(${degrees}deg)`;
    this.busy = layer.animate([{ transform: `rotate${AXES[axis]}(0deg)` }, { transform: end }], {
      duration: time, easing: "ease-in-out", fill: "forwards",
    });
    await this.busy.finished.catch(() => {});
    this.busy = null;
    // Another cube may have been built meanwhile.
    if (stickers === this.stickers) this.put(moved, this.still);
    this.world.querySelectorAll(".cap").forEach((cap) => cap.remove());
    layer.remove();
  }

  // Ends the turn that is being shown.
  hurry() {
    this.busy?.finish();
  }

  cap(layer, face, depth, inwards, into = layer) {
    const [axis, sign] = axisOf(face);
    const at = [0, 0, 0];
    at[axis] = sign * (EDGE / 2 - depth * this.cell);
    const cap = document.createElement("div");
    cap.className = "cap";
    cap.style.width = cap.style.height = `${EDGE}px`;
    cap.style.transform = `translate(-50%, -50%) translate3d(${at[0]}px, ${-at[1]}px, ${at[2]}px) ${LAID[face]} ${inwards ? "rotateY(180deg)" : ""}`;
    into.append(cap);
  }

  look() {
    const size = Math.min(this.host.clientWidth, this.host.clientHeight);
    this.world.style.transform = `scale(${size / 610}) rotateX(${this.above}deg) rotateY(${-this.around}deg)`;
  }

  rotate(around, above) {
    this.around -= around;
    this.above = Math.max(-90, Math.min(90, this.above + above));
    this.look();
  }

  listen() {
    const host = this.host;
    let last = null;
    host.addEventListener("pointerdown", (event) => {
      host.setPointerCapture(event.pointerId);
      last = [event.clientX, event.clientY];
      this.fling = [0, 0];
    });
    host.addEventListener("pointermove", (event) => {
      if (!last) return;
      this.fling = [(event.clientX - last[0]) * 0.4, (last[1] - event.clientY) * 0.4];
      last = [event.clientX, event.clientY];
      this.rotate(...this.fling);
    });
    const end = () => {
      if (last) requestAnimationFrame(() => this.roll());
      last = null;
    };
    host.addEventListener("pointerup", end);
    host.addEventListener("pointercancel", end);
    host.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, 8], ArrowDown: [0, -8] }[event.key];
      if (!way) return;
      event.preventDefault();
      this.rotate(...way);
    });
  }

  // Rolls on after a drag, ever slower.
  roll() {
    if (Math.hypot(...this.fling) < 0.05) return;
    this.rotate(...this.fling);
    this.fling = this.fling.map((speed) => speed * FLING);
    requestAnimationFrame(() => this.roll());
  }
}
