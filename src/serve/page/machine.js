// The machine: what it does, as it is told, and what it can be asked to do.

const STAGES = {
  home: "Finds its zeros", scan: "Photographs the sides", resolve: "Finds the colours", solve: "Searches for turns",
  plan: "Plans its motions", turn: "Turns the layers",
};
const TASKS = {
  solve: "Gets ready", resume: "Gets ready to go on", mix: "Gets ready to mix", cube: "Another cube is put in", calibrate: "Is calibrated",
};
const AGAIN = 2000; // milliseconds until a lost connection is tried again
const WIDTH = 178, HEIGHT = 128; // pixels of the display

const element = (id) => document.getElementById(id);

export class Machine {
  // `ask` sends an order; `shown` gives the cube on the page; `cube` is told the cube in the machine, `turn` each turn of layers and its milliseconds.
  constructor(ask, { shown, cube, turn, say }) {
    this.hear = { cube, turn };
    this.say = say;
    this.order = async (what, order) => {
      try {
        await ask(what, order);
      } catch (why) {
        say(why.message);
      }
    };
    element("machine").hidden = element("halt").hidden = false;
    element("halt").addEventListener("click", () => this.order("machine/stop", {}));
    element("run").addEventListener("click", () => this.begin({ order: "solve" }));
    element("tell").addEventListener("click", () => this.begin({ order: "solve", state: shown() }));
    element("resume").addEventListener("click", () => this.begin({ order: "resume" }));
    element("mix").addEventListener("click", () => this.begin({ order: "mix", size: +element("machine-size").value }));
    element("exchange").addEventListener("click", () => this.begin({ order: "cube", size: +element("machine-size").value }));
    this.connect();
    // A browser keeps pages that were left for a while, and with them their connections, of which it has few.
    addEventListener("pagehide", () => this.source.close());
    addEventListener("pageshow", (event) => event.persisted && this.connect());
  }

  begin(order) {
    element("follow").checked = true;
    this.order("machine", order);
  }

  connect() {
    const source = (this.source = new EventSource("/api/machine"));
    source.addEventListener("status", (event) => this.show(JSON.parse(event.data)));
    source.addEventListener("turned", (event) => {
      const { turn, milliseconds } = JSON.parse(event.data);
      if (element("follow").checked) this.hear.turn(turn, milliseconds);
    });
    source.addEventListener("display", (event) => display(event.data));
    source.addEventListener("error", () => {
      this.doing("The program does not answer. This page tries again.", "bad");
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), AGAIN);
    });
  }

  doing(text, kind = "") {
    element("doing").textContent = text;
    element("doing").className = kind;
  }

  // Shows a status. It says all, so that it does not matter which ones were missed.
  show(status) {
    const busy = status.task !== null;
    element("machine-name").textContent = status.name + (status.simulated ? ", simulated" : "");
    const sizes = element("machine-size");
    if (sizes.options.length !== status.sizes.length) {
      sizes.replaceChildren(...status.sizes.map((n) => new Option(`${n}x${n}x${n}`, n)));
      sizes.value = status.size ?? 3;
    }
    for (const id of ["run", "tell", "mix", "exchange"]) element(id).disabled = busy;
    // A machine that sees nothing is told its cube.
    element("run").hidden = !status.sees;
    element("tell").className = status.sees ? "" : "main";
    element("exchange").hidden = !status.simulated;
    element("resume").hidden = !status.resumable || busy;
    element("halt").disabled = !busy;
    this.tell(status, busy);
    element("bar").hidden = !busy;
    const [done, total] = status.building !== null ? [status.building, 1000] : status.step ?? [null, 1];
    if (done === null) element("bar").removeAttribute("value");
    else element("bar").value = done / total;
    const volts = status.battery === null ? "" : `Battery ${(status.battery / 1000).toFixed(1)} V${status.weak ? ", weak" : ""}`;
    element("battery").textContent = volts;
    element("battery").className = status.weak ? "bad" : "";
    element("found").textContent = status.solution ? `${status.solution.split(" ").length} turns: ${status.solution}` : "";
    this.pictures(status.pictures);
    if (status.state && element("follow").checked) this.hear.cube(status.state);
  }

  tell(status, busy) {
    if (!busy) {
      const { good, words } = status.ended ?? { good: true, words: "Ready" };
      this.doing(words, good ? "" : "bad");
      return;
    }
    let text = status.building !== null ? "Builds tables, once" : STAGES[status.stage] ?? TASKS[status.task];
    if (status.waits) text = `${status.phase}: touch the sensor to go on`;
    else if (status.phase) text += `, ${status.phase}`;
    if (status.step && status.planned !== false) text += `: ${status.step[0]} of ${status.step[1]}`;
    else if (status.step) text += `: ${status.step[0]}`;
    if (status.waiting) text += `, for ${status.waiting} s`;
    if (status.left !== null) text += `, ${status.left} s left`;
    this.doing(text);
  }

  pictures(taken) {
    for (const image of element("pictures").children) {
      const shot = taken[image.dataset.face];
      image.hidden = !shot;
      if (!shot || image.dataset.number === `${shot.number}`) continue;
      image.dataset.number = shot.number;
      image.src = `/api/machine/picture/${image.dataset.face}?${shot.number}`;
      image.style.transform = `rotate(${-90 * shot.quarters}deg)`;
    }
  }
}

// Draws the brick's display: a bit a pixel, each row from a byte of its own.
function display(packed) {
  const bytes = atob(packed), pen = element("lcd").getContext("2d");
  const image = pen.createImageData(WIDTH, HEIGHT), stride = Math.ceil(WIDTH / 8);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const black = (bytes.charCodeAt(y * stride + (x >> 3)) >> (x & 7)) & 1;
      image.data.set(black ? [20, 24, 16, 255] : [201, 211, 190, 255], 4 * (y * WIDTH + x));
    }
  }
  pen.putImageData(image, 0, 0);
}
