// What is drawn: elements by text alone, never by markup.
"use strict";

export const at = (id) => document.getElementById(id);

export function make(kind, look = "", text = "") {
  const element = document.createElement(kind);
  if (look) element.className = look;
  if (text) element.textContent = text;
  return element;
}

// A button with its key, where there is a keyboard.
export function button(words, tap, look = "", key = "") {
  const element = make("button", look, words);
  element.type = "button";
  if (key) element.dataset.shortcut = key;
  element.addEventListener("click", tap);
  return element;
}

export function show(element, isShown) {
  element.hidden = !isShown;
}

// Words are set only where they are others: what is set is read aloud.
export function say(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

// Children of an element, one for each item; those there are kept, so that the focus stays where it was.
export function fill(parent, items, create, update) {
  while (parent.children.length > items.length) parent.lastElementChild.remove();
  items.forEach((item, index) => {
    const child = parent.children[index] ?? parent.appendChild(create());
    update(child, item, index);
  });
}

export const cardsOf = (text) => (text ? text.split(" ") : []);

// An element of a picture.
export function drawn(kind, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const DASHES = ["", "7 3", "2 3", "9 3 2 3"];

// Running totals by deal: a line for each seat, named at its end; the lowest is the best.
function chart(totals, names) {
  const width = 320;
  const height = Math.max(120, 26 + 17 * names.length);
  const most = Math.max(1, ...totals.flat());
  const least = Math.min(0, ...totals.flat());
  const x = (deal) => 8 + (deal * (width - 118)) / Math.max(1, totals.length - 1);
  const y = (points) => 10 + ((most - points) * (height - 30)) / (most - least);
  const last = totals.at(-1);
  const told = names.map((name, seat) => `${name} ${last[seat]}`).join(", ");
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": told });
  const draw = (...given) => picture.append(drawn(...given));
  draw("line", { x1: 8, x2: width - 110, y1: y(0), y2: y(0), class: "axis" });
  totals.forEach((_, deal) => deal && draw("text", { x: x(deal) - 3, y: height - 4, class: "muted" }, String(deal)));
  // Names that would lie upon each other are moved apart, the best the lowest.
  let free = Infinity;
  const ends = names.map((_, seat) => seat).sort((a, b) => last[a] - last[b]);
  const places = new Map(ends.map((seat) => [seat, (free = Math.min(y(last[seat]), free - 15))]));
  const above = Math.max(0, 10 - free);
  names.forEach((name, seat) => {
    const points = totals.map((row, deal) => `${x(deal)},${y(row[seat])}`).join(" ");
    draw("polyline", { points, class: `line-${seat % 4}`, "stroke-dasharray": DASHES[Math.floor(seat / 2) % 4] });
    draw("circle", { cx: x(totals.length - 1), cy: y(last[seat]), r: 3, class: `line-${seat % 4}` });
    const short = name.length > 11 ? `${name.slice(0, 10)}…` : name;
    draw("text", { x: width - 104, y: places.get(seat) + above + 4 }, `${short} ${last[seat]}`);
  });
  return picture;
}

// Blocks of a page.
export function block(one, faces, tap) {
  const parts = document.createDocumentFragment();
  if ("say" in one) parts.append(button(one.say, () => tap({ say: one.say })));
  if ("stand_in" in one) parts.append(button(one.label, () => tap({ stand_in: one.stand_in })));
  if ("heading" in one) {
    const heading = make("h3", "", one.heading);
    if (one.note) heading.append(make("span", "", one.note));
    parts.append(heading);
  }
  if (one.text) {
    const line = make("p", one.lit ? "-lit" : "", one.text);
    if (one.note) line.append(" ", make("small", "", one.note));
    parts.append(line);
  }
  if (one.cards) parts.append(faces.row(cardsOf(one.cards)));
  if (one.chart) parts.append(chart(one.chart, one.names));
  if (one.rows) {
    const around = make("div", "scores");
    const table = make("table");
    const cells = (row, kind) => {
      const line = make("tr");
      line.append(...row.map((cell) => make(kind, "", cell)));
      return line;
    };
    table.append(cells(one.head, "th"), ...one.rows.map((row) => cells(row, "td")));
    around.append(table);
    around.tabIndex = 0;
    around.setAttribute("role", "group");
    around.setAttribute("aria-label", one.head[0]);
    parts.append(around);
  }
  return parts;
}
