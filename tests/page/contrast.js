// All visible texts whose contrast is too low, with that.
const known = new Map();
const parts = (colour) => {
  if (known.has(colour)) return known.get(colour);
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  known.set(colour, [...pen.getImageData(0, 0, 1, 1).data]);
  return known.get(colour);
};
const level = (colour) => colour.slice(0, 3).map((value) => value / 255)
  .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((all, v, i) => all + v * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (one) => {
  for (let here = one; here; here = here.parentElement) {
    const colour = parts(getComputedStyle(here).backgroundColor);
    if (colour[3] === 255) return colour;
  }
  return [255, 255, 255];
};
const faint = [];
for (const one of document.querySelectorAll("body *")) {
  const text = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
  // What cannot be used just now may be faint.
  if (!text || !one.checkVisibility({ opacityProperty: true }) || one.closest(":disabled, svg")) continue;
  const style = getComputedStyle(one);
  const [light, dark] = [level(parts(style.color)), level(ground(one))].sort((a, b) => b - a);
  const ratio = (light + 0.05) / (dark + 0.05);
  const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
  if (ratio < (large ? 3 : 4.5)) faint.push(`${text.slice(0, 40)}: ${ratio.toFixed(1)}`);
}
return faint;
