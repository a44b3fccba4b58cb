// Six photos of a cube, dropped or taken with this computer's camera, and what was found in them.

import { FACES } from "./cube.js";

const LARGEST = 1280; // pixels of a photo's longer side, as it is sent
const LOOK = 640; // the same of what the camera sees
const STEADY = 3; // looks in a row that must agree before a picture is taken
const STILL = 0.25; // how far stickers may move between them, in stickers
const SAME = 30; // by how much colours must differ from the side before, of 255

// How to show the sides to a camera one after the other: any way will do, this one needs few turns.
const GUIDE = [
  ["F", "Show any side, straight and near."],
  ["R", "Turn the cube to the left: the side that was at the right comes to the front."],
  ["B", "Turn it to the left once more."],
  ["L", "And once more."],
  ["U", "To the left once more, then tip it towards the camera: the upper side comes to the front."],
  ["D", "Tip it back twice: the lower side comes to the front."],
];

const element = (id) => document.getElementById(id);
const svg = (name, attributes) => {
  const one = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  return one;
};

export class Photos {
  // `ask` asks the program; `cube` is told the state that was read, `doubtful` its doubtful squares.
  constructor(ask, { cube, doubtful }) {
    this.ask = ask;
    this.tell = { cube, doubtful };
    this.shots = [];
    element("photos").hidden = false;
    element("files").addEventListener("change", (event) => {
      const files = [...event.target.files];
      event.target.value = ""; // so that the same ones can be chosen again
      if (files.length) this.load(files);
    });
    const drop = element("drop");
    for (const [name, over] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
      drop.addEventListener(name, (event) => {
        event.preventDefault();
        drop.classList.toggle("over", over);
        if (name === "drop") this.load([...event.dataTransfer.files]);
      });
    }
    element("camera").addEventListener("click", () => this.open());
    element("close").addEventListener("click", () => this.close());
    element("shoot").addEventListener("click", () => (this.now = true));
  }

  say(text, kind = "") {
    element("read").textContent = text;
    element("read").className = kind;
  }

  // ---- files ----

  async load(files) {
    this.close();
    if (files.length !== 6) return this.say(`A cube has six sides, and these are ${files.length} photos.`, "bad");
    const name = (file) => file.name.replace(/\.[^.]*$/, "").toUpperCase();
    files.sort((a, b) => (a.name < b.name ? -1 : 1));
    const named = FACES.every((face) => files.some((file) => name(file) === face));
    if (named) files.sort((a, b) => FACES.indexOf(name(a)) - FACES.indexOf(name(b)));
    this.say("Reading the photos.");
    try {
      const shots = [];
      for (const file of files) {
        const bitmap = await createImageBitmap(file).catch(() => {
          throw new Error(`This browser cannot read this picture: ${file.name}`);
        });
        shots.push(shot(bitmap, bitmap.width, bitmap.height, LARGEST, file.name));
      }
      await this.begin(shots, named);
    } catch (why) {
      this.say(why.message, "bad");
    }
  }

  begin(shots, named) {
    [this.shots, this.named] = [shots, named];
    this.set = new Map(); // what a person has said of some squares
    this.others = new Map(); // what else these may be
    return this.read();
  }

  // Asks which cube the photos show.
  async read() {
    const pictures = this.shots.map((one) => one.jpeg);
    const names = this.named ? null : this.shots.map((one) => one.name);
    let found;
    try {
      found = await this.ask("photos", { pictures, names, set: [...this.set] });
    } catch (why) {
      this.draw(null);
      return this.say(why.message, "bad");
    }
    this.draw(found);
    this.tell.cube(found.state);
    this.tell.doubtful(found.doubtful);
    const assumed = found.assumed ? ` Assumed: ${found.assumed}.` : "";
    const help = found.doubtful.length ? " Click a ringed square to give it its other colour." : "";
    this.say(found.sure ? `A ${found.size}x${found.size}x${found.size}.${assumed}` : `${found.doubt}.${assumed}${help}`, found.sure ? "" : "bad");
  }

  // The photos, with what was found in them.
  draw(found) {
    const doubtful = new Map([...(found?.doubtful ?? []), ...(found ? this.others : [])]);
    element("shots").replaceChildren(...this.shots.map((one, i) => {
      const figure = document.createElement("figure");
      const view = svg("svg", { viewBox: `0 0 ${one.width} ${one.height}`, role: "img", "aria-label": one.name });
      view.append(svg("image", { href: one.url, width: one.width, height: one.height }));
      for (const { at: [x, y], half, found: seen, index } of found?.pictures[i].stickers ?? []) {
        const mark = svg("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, class: "mark" });
        if (!seen) mark.classList.add("placed");
        view.append(mark);
        if (doubtful.has(index)) this.doubt(view, mark, index, [found.state[index], doubtful.get(index)], [x, y], half);
      }
      const caption = document.createElement("figcaption"), again = document.createElement("button");
      caption.append(found ? `${one.name}, side: ${found.pictures[i].face}` : one.name);
      again.textContent = "Again";
      again.setAttribute("aria-label", `Take again: ${one.name}`);
      again.addEventListener("click", () => this.open(i));
      caption.append(again);
      figure.append(view, caption);
      return figure;
    }));
  }

  // Rings a square that may have another colour, which a click gives it; another click takes that back.
  doubt(view, mark, index, [now, other], [x, y], half) {
    mark.classList.add("doubtful");
    if (!other) return;
    const dot = svg("circle", { cx: x, cy: y, r: half * 0.45, class: "other" });
    dot.dataset.c = other;
    view.append(dot);
    mark.setAttribute("tabindex", 0);
    mark.setAttribute("role", "button");
    mark.setAttribute("aria-label", `Change square ${index + 1}: ${other}`);
    mark.dataset.index = index;
    const change = () => {
      this.set.set(index, other);
      this.others.set(index, now);
      this.read();
    };
    mark.addEventListener("click", change);
    mark.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        change();
      }
    });
  }

  // ---- the camera ----

  // Opens the camera for all sides, or for one photo that is taken again.
  async open(only = null) {
    this.close();
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 1280 }, facingMode: "environment" } });
    } catch (why) {
      return this.say(`The camera cannot be used: ${why.message}`, "bad");
    }
    const video = element("video"), mine = this.stream;
    video.srcObject = mine;
    await video.play();
    element("live").hidden = false;
    this.say("");
    const taken = only === null ? new Array(6).fill(null) : [...this.shots];
    const missing = only === null ? GUIDE.map(([face]) => FACES.indexOf(face)) : [only];
    const before = [];
    for (const at of missing) {
      const number = missing.indexOf(at) + 1;
      element("guide").textContent = only === null ? `Side ${number} of 6. ${GUIDE[number - 1][1]}` : `Show again: ${this.shots[at].name}`;
      const seen = await this.watch(mine, before);
      if (!seen) return;
      const [width, height] = [video.videoWidth, video.videoHeight];
      const name = only === null ? `Picture ${number}` : this.shots[at].name;
      taken[at] = shot(video, width, height, LARGEST, name);
      before.push(seen);
      this.shots = taken.filter(Boolean);
      if (only === null) this.draw(null);
    }
    this.close();
    // Who follows the guide shows the sides in its order, and may hold some otherwise.
    await this.begin(taken, only === null ? false : this.named);
  }

  // Looks until a side is steady and readable, and none of those before; null if the camera was closed meanwhile.
  async watch(stream, before) {
    const video = element("video");
    let last = null, steady = 0;
    this.now = false;
    while (this.stream === stream) {
      const { jpeg, width, height } = shot(video, video.videoWidth, video.videoHeight, LOOK, "");
      let seen;
      try {
        seen = await this.ask("look", { jpeg });
      } catch (why) {
        this.say(why.message, "bad");
        await new Promise((ends) => setTimeout(ends, 500));
        continue;
      }
      if (this.stream !== stream) return null;
      marks(seen.stickers, width, height);
      if (this.now) return seen;
      const readable = seen.size && seen.stickers.every((one) => one.found) && !before.some((one) => isLike(seen, one, true));
      steady = readable && last && isLike(seen, last, false) ? steady + 1 : 0;
      last = seen;
      if (steady >= STEADY - 1) return seen;
    }
    return null;
  }

  close() {
    this.stream?.getTracks().forEach((track) => track.stop());
    this.stream = null;
    element("live").hidden = true;
  }
}

// A picture that is small enough to send.
function shot(source, width, height, largest, name) {
  const scale = Math.min(1, largest / Math.max(width, height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
  const url = canvas.toDataURL("image/jpeg", 0.92);
  return { url, jpeg: url.slice(url.indexOf(",") + 1), width: canvas.width, height: canvas.height, name };
}

// Whether two looks show the same side: at the same place, or in whatever place and turned in whatever way.
function isLike(one, other, anywhere) {
  if (one.size !== other.size) return false;
  const far = (a, b) => Math.max(...a.rgb.map((value, i) => Math.abs(value - b.rgb[i])));
  const n = one.size;
  if (!anywhere) {
    const moved = (a, b) => Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) / (2 * a.half);
    return one.stickers.every((sticker, i) => moved(sticker, other.stickers[i]) < STILL && far(sticker, other.stickers[i]) < SAME);
  }
  const turns = [(i) => i, (i) => (i % n) * n + n - 1 - Math.floor(i / n), (i) => n * n - 1 - i, (i) => (n - 1 - (i % n)) * n + Math.floor(i / n)];
  return turns.some((turn) => one.stickers.every((sticker, i) => far(sticker, other.stickers[turn(i)]) < SAME));
}

// Draws the squares that were found over what the camera shows.
function marks(stickers, width, height) {
  const canvas = element("marks"), pen = canvas.getContext("2d");
  [canvas.width, canvas.height] = [width, height];
  pen.lineWidth = 3;
  for (const { at: [x, y], half, found } of stickers) {
    pen.strokeStyle = found ? "#13e06a" : "#ffa21f";
    pen.strokeRect(x - half, y - half, 2 * half, 2 * half);
  }
}
