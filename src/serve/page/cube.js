// The cube as letters: six sides U R F D L B, each row by row as one who looks at it reads it, each square by the letter of its colour.

export const FACES = ["U", "R", "F", "D", "L", "B"];

export const solved = (n) => FACES.map((face) => face.repeat(n * n)).join("");

export const sizeOf = (state) => Math.round(Math.sqrt(state.length / 6));

// Where a square lies: x to the right, y up, z to the one who looks at F, in half squares from the middle. Its side lies at n.
export function place(n, face, row, column) {
  const right = 2 * column - n + 1, up = n - 1 - 2 * row;
  switch (face) {
    case "U": return [right, n, -up];
    case "D": return [right, -n, up];
    case "F": return [right, up, n];
    case "B": return [-right, up, -n];
    case "R": return [n, up, -right];
    default: return [-n, up, right];
  }
}

// The square at a place, as place() has it.
export function squareAt(n, [x, y, z]) {
  const [face, right, up] = y === n ? [0, x, -z] : x === n ? [1, -z, y] : z === n ? [2, x, y]
    : y === -n ? [3, x, z] : x === -n ? [4, z, y] : [5, -x, y];
  return face * n * n + ((n - 1 - up) / 2) * n + (right + n - 1) / 2;
}

// The axis of a side, and whether it lies at its positive end.
export const axisOf = (face) => ({ R: [0, 1], L: [0, -1], U: [1, 1], D: [1, -1], F: [2, 1], B: [2, -1] })[face];

// A quarter turn about an axis: clockwise for one who looks from its positive end.
function quarter([x, y, z], axis) {
  return axis === 0 ? [x, z, -y] : axis === 1 ? [-z, y, x] : [y, -x, z];
}

// Whether a place takes part in a turn. Layer 1 is the side's own.
export function takesPart(n, turn, position) {
  const [axis, sign] = axisOf(turn.face);
  const along = sign * position[axis];
  const layer = Math.min(Math.floor((n - along) / 2), n - 1) + 1;
  return along === n ? turn.from === 1 : along === -n ? turn.to === n : layer >= turn.from && layer <= turn.to;
}

const permutations = new Map();

// For each square of the state, the square whose letter it gets.
function permutation(n, turn) {
  const name = `${n} ${format(turn)}`;
  if (!permutations.has(name)) {
    const [axis, sign] = axisOf(turn.face);
    const source = Array.from({ length: 6 * n * n }, (_, i) => i);
    source.forEach((_, i) => {
      const face = FACES[Math.floor(i / (n * n))], inside = i % (n * n);
      let position = place(n, face, Math.floor(inside / n), inside % n);
      if (!takesPart(n, turn, position)) return;
      for (let k = 0; k < (sign > 0 ? turn.quarters : 4 - turn.quarters); k++) position = quarter(position, axis);
      source[squareAt(n, position)] = i;
    });
    permutations.set(name, source);
  }
  return permutations.get(name);
}

export const turned = (state, turn) => permutation(sizeOf(state), turn).map((i) => state[i]).join("");

export const inverse = (turn) => ({ ...turn, quarters: 4 - turn.quarters });

// Turns as text: U, Uw of two layers, 3Uw of three, 2U the second alone, 2-3U the second and third; ' and 2 behind.
export function format({ face, from, to, quarters }) {
  const layers = from === to ? (from === 1 ? face : from + face)
    : from > 1 ? `${from}-${to}${face}` : (to === 2 ? "" : to) + face + "w";
  return layers + ["", "", "2", "'"][quarters];
}

// One turn from its text, or null.
export function parse(n, text) {
  const found = /^(\d+)?(?:-(\d+))?([URFDLB])(w?)(2'?|'|3)?$/.exec(text.replace("’", "'"));
  if (!found) return null;
  const [, first, second, face, wide, suffix] = found;
  const [from, to] = second ? [+first, +second] : wide ? [1, +(first ?? 2)] : [+(first ?? 1), +(first ?? 1)];
  if (from < 1 || to < from || to >= n + (wide ? 0 : 1)) return null;
  return { face, from, to, quarters: !suffix ? 1 : suffix.startsWith("2") ? 2 : 3 };
}

// Turns from a text with blanks between them, or null.
export function parseAll(n, text) {
  const turns = text.trim().split(/\s+/).filter(Boolean).map((one) => parse(n, one));
  return turns.includes(null) ? null : turns;
}
