// Cards, drawn from the prints of the page; what they are called and how their suits look the table has said.
"use strict";

import { drawn, make } from "./draw.js";

const COURTS = { J: "jack", Q: "queen", K: "king" };
const PAIRS = (...rows) => rows.flatMap((y) => [[-1, y], [1, y]]);
// Column and row of each pip of the ranks 1 to 10, as they are printed on a French card.
const PIPS = [
  [], [[0, 0]], [[0, -3], [0, 3]], [[0, -3], [0, 0], [0, 3]], PAIRS(-3, 3), [...PAIRS(-3, 3), [0, 0]],
  PAIRS(-3, 0, 3), [...PAIRS(-3, 0, 3), [0, -1.5]], [...PAIRS(-3, 0, 3), [0, -1.5], [0, 1.5]],
  [...PAIRS(-3, -1, 1, 3), [0, 0]], [...PAIRS(-3, -1, 1, 3), [0, -2], [0, 2]],
];
const NAMED = { red: "-red", gold: "-yellow", green: "-green" };

const print = (name, x, y, size, more = {}) => drawn("use", { href: `#${name}`, x, y, width: size, height: size, ...more });
const words = (text, x, y, size, more = {}) => drawn("text", { x, y, "font-size": size, ...more }, text);
// A ten is as narrow as the other ranks.
const index = (rank, x, y, size) =>
  words(rank, x, y, size, rank.length > 1 ? { textLength: size * 0.82, lengthAdjust: "spacingAndGlyphs" } : {});
const half = { transform: "rotate(180 50 70)" };

export class Faces {
  constructor(faces) {
    this.joker = faces.joker;
    this.coloured = faces.coloured;
    this.suits = Object.fromEntries(faces.suits.map((suit) => [suit.letter, suit]));
  }

  read(text) {
    if (text === "JK") return { rank: this.joker, sign: "", look: "-joker", name: "joker" };
    const suit = this.suits[text.slice(-1)];
    const rank = text.slice(0, -1);
    if (this.coloured)
      return { rank, sign: suit.name, short: suit.symbol, look: `-coloured ${NAMED[suit.name] ?? ""}`, name: `${suit.name} ${rank}` };
    return { rank, sign: suit.symbol, suit: suit.name, look: `-${suit.name}`, name: `${rank} of ${suit.name}` };
  }

  symbol(text) {
    const { rank, sign } = this.read(text);
    return this.coloured && sign ? `${rank} ${sign}` : rank + sign;
  }

  // Put a card on an element; its name is what is read aloud. A small card has its index alone, large.
  put(element, text, { look = "", name = "", small = false, meant = "" } = {}) {
    const face = this.read(text);
    const className = `card ${face.look} ${look}`;
    if (element.className !== className) element.className = className;
    const key = `${text} ${small} ${name} ${meant}`;
    if (element.dataset.key === key) return element;
    element.dataset.key = key;
    element.replaceChildren(this.print(text, face, small, meant), make("span", "aloud", name || face.name));
    return element;
  }

  print(text, face, small, meant) {
    const picture = drawn("svg", { viewBox: "0 0 100 140", "aria-hidden": "true" });
    picture.append(...(small ? this.index(text, face, meant) : this.large(text, face, meant)));
    return picture;
  }

  // The corner: rank over suit, or what is there instead of a suit.
  corner(face, size, x, y) {
    const rank = index(face.rank, x, y, size);
    if (face.suit) return [rank, print(face.suit, x + size * 0.02, y + size * 0.12, size * 0.72)];
    return face.short ? [rank, words(face.short, x, y + size * 0.8, size * 0.66)] : [rank];
  }

  index(text, face, meant) {
    const band = this.coloured && face.sign ? [drawn("rect", { class: "band", width: 100, height: 14 })] : [];
    if (text === "JK") {
      const shown = meant ? [words(this.symbol(meant).split(" ")[0], 6, 116, 38, { "letter-spacing": -3 })] : [];
      return [print(this.coloured ? "kooky" : "star", 4, 8, 54, { class: "gilt" }), ...shown];
    }
    const shown = meant ? [words(`=${this.symbol(meant).split(" ")[0]}`, 6, 132, 34, { "letter-spacing": -3 })] : [];
    return [...band, ...this.corner(face, 50, 6, band.length ? 58 : 48), ...shown];
  }

  large(text, face, meant) {
    if (text === "JK") {
      const word = this.coloured ? "KOOKY" : "JOKER";
      const down = (more) => drawn("g", more, ...[...word].map((letter, row) => words(letter, 6, 24 + row * 19, 18)));
      const shown = meant ? [words(this.symbol(meant), 50, 132, 22, { "text-anchor": "middle" })] : [];
      return [down({}), print(this.coloured ? "kooky" : "star", 26, 34, 66, { class: "gilt" }), ...shown];
    }
    const corners = [drawn("g", {}, ...this.corner(face, 29, 6, this.coloured ? 42 : 29))];
    if (this.coloured) {
      const band = (y) => drawn("rect", { class: "band", y, width: 100, height: 14 });
      const rank = words(face.rank, 56, 92, 50, { "text-anchor": "middle" });
      return [band(0), band(126), ...corners, rank, words(face.sign, 56, 112, 16, { "text-anchor": "middle" })];
    }
    corners.push(drawn("g", half, ...this.corner(face, 29, 6, 29)));
    if (face.rank in COURTS) {
      const figure = (more) =>
        drawn("g", more, drawn("use", { href: `#${COURTS[face.rank]}`, x: 29, y: 16, width: 46, height: 54 }),
          print(face.suit, 28, 18, 12));
      return [drawn("rect", { class: "frame", x: 27, y: 14, width: 46, height: 112 }), figure({}), figure(half), ...corners];
    }
    const rank = face.rank === "A" ? 1 : Number(face.rank);
    const size = rank === 1 ? 40 : 19;
    const pips = PIPS[rank].map(([x, y]) =>
      print(face.suit, 51 + x * 14 - size / 2, 70 + y * 15 - size / 2, size,
        y > 0 ? { transform: `rotate(180 ${51 + x * 14} ${70 + y * 15})` } : {}));
    return [...pips, ...corners];
  }

  card(text, more) {
    return this.put(make("span"), text, more);
  }

  // Cards side by side; `meant`: what each joker stands for.
  row(texts, { meant = [], small = true, fresh = [] } = {}) {
    const row = make("span", "cards");
    const left = [...fresh];
    texts.forEach((text, index) => {
      const at = left.indexOf(text);
      if (at >= 0) left.splice(at, 1);
      const name = meant[index] ? `${this.read(text).name} for ${this.read(meant[index]).name}` : "";
      row.append(this.card(text, { small, name, meant: meant[index] ?? "", look: at >= 0 ? "-fresh" : "" }));
    });
    return row;
  }
}

export function back(look = "") {
  const element = make("span", `card -back ${look}`);
  element.setAttribute("aria-hidden", "true");
  return element;
}
