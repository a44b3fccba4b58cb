// A solution, turn by turn.

import { format } from "./cube.js";

const element = (id) => document.getElementById(id);

export class Player {
  // `step(turn, forward, seconds)` shows one turn and ends when it is shown; `jump(count)` shows the cube after so many turns at once.
  constructor(step, jump) {
    this.step = step;
    this.jump = jump;
    this.turns = [];
    this.at = 0;
    this.playing = false;
    this.stepping = Promise.resolve();
    element("play").addEventListener("click", () => (this.playing ? this.pause() : this.play()));
    element("next").addEventListener("click", () => this.by(1));
    element("back").addEventListener("click", () => this.by(-1));
    element("first").addEventListener("click", () => this.to(0));
    element("last").addEventListener("click", () => this.to(this.turns.length));
    element("at").addEventListener("input", (event) => this.to(+event.target.value));
  }

  load(turns, phases) {
    this.pause();
    this.turns = turns;
    this.at = 0;
    element("player").hidden = false;
    element("player-head").textContent = `Solution: ${turns.length} ${turns.length === 1 ? "turn" : "turns"}`;
    element("at").max = turns.length;
    element("turns").replaceChildren(...turns.map((turn, i) => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.textContent = format(turn);
      button.addEventListener("click", () => this.to(i + 1));
      item.append(button);
      return item;
    }));
    element("phases").replaceChildren(...(phases.length > 1 ? phases : []).map(({ name, goal, turns: count }) => {
      const part = document.createElement("li");
      part.style.flex = `${count} 1 0`;
      part.textContent = `${name}: ${count}`;
      part.title = goal;
      return part;
    }));
    this.phases = phases;
    this.tell();
  }

  unload() {
    this.pause();
    this.turns = [];
    element("player").hidden = true;
  }

  get ended() {
    return this.at >= this.turns.length;
  }

  async play() {
    if (this.ended) this.to(0);
    this.playing = true;
    this.tell();
    while (this.playing && !this.ended) await this.by(1, true);
    this.pause();
  }

  pause() {
    this.playing = false;
    this.tell();
  }

  // One turn on or back, after the one that is being shown.
  by(step, playing = false) {
    if (!playing) this.pause();
    this.stepping = this.stepping.then(async () => {
      const turn = this.turns[step > 0 ? this.at : this.at - 1];
      if (!turn || (playing && !this.playing)) return;
      const turns = this.turns;
      await this.step(turn, step > 0, 1 / +element("speed").value);
      // Another solution may have come meanwhile.
      if (turns !== this.turns) return;
      this.at += step;
      this.tell();
    });
    return this.stepping;
  }

  to(count) {
    this.pause();
    this.stepping = this.stepping.then(() => {
      this.at = Math.max(0, Math.min(count, this.turns.length));
      this.jump(this.at);
      this.tell();
    });
  }

  tell() {
    let end = 0;
    const now = (this.phases ?? []).find(({ turns: count }) => this.at < (end += count));
    element("goal").textContent = now?.goal ?? "";
    element("play").textContent = this.playing ? "Pause" : "Play";
    element("at").value = this.at;
    element("at").setAttribute("aria-valuetext", `turn ${this.at} of ${this.turns.length}`);
    [...element("turns").querySelectorAll("button")].forEach((button, i) => {
      button.classList.toggle("done", i < this.at);
      if (i === this.at - 1) {
        button.setAttribute("aria-current", "step");
        const list = element("turns");
        list.scrollTop = Math.max(0, button.offsetTop - list.offsetTop - list.clientHeight / 2);
      } else button.removeAttribute("aria-current");
    });
  }
}
