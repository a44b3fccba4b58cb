// What the page knows, and what happens when something is pressed.

import { FACES, format, inverse, parse, parseAll, sizeOf, solved, turned } from "./cube.js";
import { Machine } from "./machine.js";
import { Photos } from "./photos.js";
import { Net } from "./net.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";
import { speak } from "./words.js";

const element = (id) => document.getElementById(id);
const SMALLEST = 2, LARGEST = 17;
const QUICK = 150; // milliseconds of a turn by hand
const LIVE = 500; // milliseconds of a turn that the machine has made, at most
const HALF = 700; // milliseconds within which a 2 makes a turn a half one

let state = solved(3); // as it is when all turns are shown
let seen = state; // as it is drawn
let epoch = 0; // of turns: those of an earlier one are not shown any more
let before = []; // states that undoing goes back to
let start = state; // where the solution starts
let shown = Promise.resolve(); // ends when all turns are shown
let waiting = 0; // turns that are not shown yet
let search = null; // ends the search that goes on
let verdict = 0; // of the last check
const still = matchMedia("(prefers-reduced-motion: reduce)");

const scene = new Scene(element("scene"));
const net = new Net(element("net"), element("paints"), (index, letter) => {
  take(state.slice(0, index) + letter + state.slice(index + 1));
});
const player = new Player(
  (turn, forward, seconds) => show(forward ? turn : inverse(turn), 1000 * seconds),
  (count) => put(player.turns.slice(0, count).reduce(turned, start)),
);

// ---- what is seen ----

function draw() {
  if (scene.n !== sizeOf(seen)) {
    scene.build(sizeOf(seen));
    net.build(sizeOf(seen));
    element("size").value = sizeOf(seen);
  }
  scene.show(seen);
  net.show(seen);
}

// Shows another cube at once, whatever turns are still to be shown.
function put(next) {
  epoch += 1;
  scene.hurry();
  state = seen = next;
  draw();
}

// Turns the cube, and shows that after the turns before it. Where many wait they are shown at once.
function show(turn, time) {
  const mine = epoch;
  state = turned(state, turn);
  waiting += 1;
  shown = shown.then(async () => {
    if (mine === epoch && waiting < 6 && !still.matches && !document.hidden) await scene.turn(turn, time);
    waiting -= 1;
    if (mine !== epoch) return;
    seen = turned(seen, turn);
    draw();
  });
  return shown;
}

const say = (text) => (element("status").textContent = text);

// ---- another cube ----

// The cube on the page is the user's own from now on.
function mine() {
  element("follow").checked = false;
  stop();
}

// Takes a state that the user has made; it can be undone.
function take(next, undoing = false) {
  mine();
  player.unload();
  if (!undoing) before.push(state);
  put(next);
  check();
}

function turn(one) {
  mine();
  player.unload();
  before.push(state);
  show(one, QUICK);
  check();
}

function undo() {
  if (before.length) take(before.pop(), true);
}

// ---- questions ----

async function ask(what, question, signal) {
  let answer, told;
  try {
    answer = await fetch(`/api/${what}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), signal,
    });
    told = await answer.json();
  } catch (why) {
    if (why.name === "AbortError") throw why;
    throw new Error("The program does not answer. Start cranecuber serve again.");
  }
  if (!answer.ok) throw new Error(told.error);
  return told;
}

// What is wrong with the cube, if anything is.
async function check() {
  const mine = ++verdict;
  let known;
  try {
    known = await ask("check", { state });
  } catch (why) {
    known = { legal: false, why: why.message, squares: [] };
  }
  if (mine !== verdict) return;
  net.ring(known.squares);
  element("verdict").className = known.legal ? "" : "bad";
  element("verdict").textContent = known.legal ? (known.solved ? "This cube is solved." : "This is a cube.") : known.why;
}

function stop() {
  search?.abort();
  search = null;
  element("solve").textContent = "Solve";
}

async function solve() {
  stop();
  const mine = (search = new AbortController());
  element("solve").textContent = "Stop";
  say("Searching. The first cube of a size may take longer: its tables are built.");
  try {
    const told = await ask("solve", { state, effort: element("effort").value }, mine.signal);
    start = state;
    player.load(parseAll(told.size, told.turns), told.phases);
    const crane = told.crane_seconds === null ? "" : `; the machine takes ${told.crane_seconds.toFixed(0)} s for them`;
    const shortest = told.optimal ? "; nothing shorter exists" : "";
    say(`${told.count} ${told.count === 1 ? "turn" : "turns"}, found in ${told.seconds.toFixed(told.seconds < 1 ? 3 : 1)} s${shortest}${crane}.`);
    link();
  } catch (why) {
    say(why.name === "AbortError" ? "Stopped." : why.message);
  } finally {
    if (search === mine) stop();
  }
}

async function scramble() {
  try {
    const n = sizeOf(state);
    const { turns } = await ask("scramble", { size: n, seed: Math.floor(Math.random() * 2 ** 53) });
    take(parseAll(n, turns).reduce(turned, solved(n)));
    element("status").replaceChildren("Scrambled by ", turns); // which are the same in all languages
  } catch (why) {
    say(why.message);
  }
}

// ---- text and links ----

function read(text) {
  const plain = text.replace(/\s+/g, "");
  const n = sizeOf(plain);
  if (/^[URFDLB]+$/.test(plain) && 6 * n * n === plain.length && n >= SMALLEST && n <= LARGEST) return plain;
  const turns = parseAll(sizeOf(state), text);
  return turns && turns.reduce(turned, solved(sizeOf(state)));
}

const words = (turns) => turns.map(format).join(" ");

const address = () => `#state=${start}&turns=${encodeURIComponent(words(player.turns))}`;

const link = () => history.replaceState(null, "", address());

function follow() {
  const told = new URLSearchParams(location.hash.slice(1));
  const given = read(told.get("state") ?? "");
  if (!given || !told.get("state")) return;
  take(given);
  const turns = parseAll(sizeOf(given), told.get("turns") ?? "");
  if (turns?.length) {
    start = given;
    player.load(turns, []);
  }
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied.");
  } catch {
    say(text);
  }
}

// ---- what is pressed ----

let depth = 0, wide = false, last = null;

function key(event) {
  const busy = event.target.closest("input, select, textarea, summary");
  if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
  const onButton = event.target.closest("button");
  const letter = event.key.toUpperCase();
  if (FACES.includes(letter)) {
    const n = sizeOf(state);
    const to = Math.min(wide ? depth || 2 : depth || 1, n - 1);
    last = { turn: { face: letter, from: 1, to, quarters: event.shiftKey ? 3 : 1 }, time: event.timeStamp };
    [depth, wide] = [0, false];
    turn(last.turn);
  } else if (event.key === "2" && last && event.timeStamp - last.time < HALF) {
    turn(last.turn);
    last = null;
  } else if (/^[0-9]$/.test(event.key)) {
    depth = (depth * 10 + +event.key) % 100;
  } else if (letter === "W") {
    wide = true;
  } else if (event.key === "Backspace") {
    undo();
  } else if (event.key === "Enter" && !onButton) {
    scramble();
  } else if (event.key === " " && !onButton) {
    search ? stop() : player.turns.length ? element("play").click() : solve();
  } else return;
  event.preventDefault();
}

function wire() {
  for (let n = SMALLEST; n <= LARGEST; n++) element("size").add(new Option(`${n}x${n}x${n}`, n));
  element("size").addEventListener("change", (event) => take(solved(+event.target.value)));
  element("palette").addEventListener("change", (event) => (document.documentElement.dataset.palette = event.target.value));
  element("letters").addEventListener("change", (event) => document.body.classList.toggle("letters", event.target.checked));
  element("hints").addEventListener("change", (event) => document.body.classList.toggle("no-hints", !event.target.checked));
  element("scramble").addEventListener("click", scramble);
  element("solve").addEventListener("click", () => (search ? stop() : solve()));
  element("undo").addEventListener("click", undo);
  element("reset").addEventListener("click", () => take(solved(sizeOf(state))));
  element("copy").addEventListener("click", () => copy(words(player.turns)));
  element("link").addEventListener("click", () => copy(location.origin + location.pathname + address()));
  element("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = element("text").value, given = read(text);
    if (given) take(given);
    else say(text.trim() ? "This is neither a state of six sides nor turns of this cube." : "There is nothing to take.");
  });
  element("past").addEventListener("toggle", (event) => {
    // Anew each time: there may be more.
    if (event.target.open) element("stats").src = `/api/stats?${Date.now()}`;
  });
  document.addEventListener("keydown", key);
  addEventListener("hashchange", follow);
}

// ---- the machine ----

// Shows the machine's cube, if it is not shown already.
function shows(cube) {
  if (cube === state) return;
  stop();
  player.unload();
  put(cube);
  check();
}

// Asks for the code; with the right one the page begins anew.
function lock() {
  element("enter").hidden = false;
  element("code").focus();
  element("enter").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await ask("enter", { code: element("code").value });
      location.reload();
    } catch (why) {
      element("denied").textContent = why.message;
      element("code").select();
    }
  });
}

async function begin() {
  try {
    const site = await (await fetch("/api/site")).json();
    if (site.locked) return lock();
    check();
    if (site.photos) new Photos(ask, { cube: take, doubtful: (squares) => net.doubt(squares) });
    if (site.machine) new Machine(ask, { shown: () => state, cube: shows, turn: (text, time) => show(parse(sizeOf(state), text), Math.min(time, LIVE)), say });
  } catch {
    say("The program does not answer. Start cranecuber serve again.");
  }
}

wire();
draw();
// Without its words the page stays English.
speak(element("language")).catch(() => {});
begin().then(follow);
