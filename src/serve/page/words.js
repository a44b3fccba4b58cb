// The page in the language of the class. Its own words are English; the program knows what they are called in others. Whatever is written
// on the page, now or later, is written in the chosen language.

const NUMBER = /\d+/g;
const SHOWN = ["aria-label", "aria-valuetext", "alt"]; // attributes that people read or hear
const KEPT = "cranecuber language"; // the choice, kept by the browser

let texts = {};

// What a text is called: as a whole, else piece by piece, of which as many as are called something together stay together.
export function called(text) {
  const pieces = text.split(/([:;,.] )/); // every second one is what stands between
  let said = "", at = 0;
  while (at < pieces.length) {
    let end = pieces.length, other = null;
    for (; end > at && other === null; end--) other = found(pieces.slice(at, end).join(""));
    said += other ?? pieces[at];
    at = other === null ? at + 1 : end + 1;
  }
  return said;
}

function found(text) {
  const bare = text.trim();
  // A sentence may go on after its last piece.
  for (const end of ["", "."]) {
    if (end && !bare.endsWith(end)) continue;
    const core = end ? bare.slice(0, -1) : bare;
    const other = texts[core.replace(NUMBER, "{}")];
    if (other === undefined) continue;
    const numbers = core.match(NUMBER) ?? [];
    return text.replace(core, () => other.replace(/\{\}/g, () => numbers.shift()));
  }
  return null;
}

function translate(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.parentElement?.closest("script, style, kbd, #turns, #language")) return;
    const other = called(node.data);
    if (other !== node.data) node.data = other;
    return;
  }
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  for (const name of SHOWN) attribute(node, name);
  for (const child of node.childNodes) translate(child);
}

function attribute(node, name) {
  const text = node.getAttribute(name);
  const other = text && called(text);
  if (text && other !== text) node.setAttribute(name, other);
}

function changed(changes) {
  for (const { type, target, addedNodes, attributeName } of changes) {
    if (type === "attributes") attribute(target, attributeName);
    else if (type === "characterData") translate(target);
    else addedNodes.forEach(translate);
  }
}

// Asks the program for the words: of the language that was chosen here before, else of the browser's.
export async function speak(select) {
  const kept = localStorage.getItem(KEPT) ?? "";
  const told = await (await fetch(`/api/words?${kept}`)).json();
  select.replaceChildren(...told.languages.map(([code, name]) => new Option(name, code)));
  select.value = document.documentElement.lang = told.language;
  select.addEventListener("change", () => {
    localStorage.setItem(KEPT, select.value);
    location.reload();
  });
  texts = told.texts;
  if (told.language === "en") return;
  translate(document.body);
  new MutationObserver(changed).observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: SHOWN,
  });
}
