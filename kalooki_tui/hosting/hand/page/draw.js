// What is drawn: elements by text alone, never by markup, and cards by the faces that the table has named.
"use strict";

export const at = (id) => document.getElementById(id);

export function make(kind, look = "", text = "") {
  const element = document.createElement(kind);
  if (look) element.className = look;
  if (text) element.textContent = text;
  return element;
}

export function button(words, tap, look = "") {
  const element = make("button", look, words);
  element.type = "button";
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

const NAMED = { red: "-red", gold: "-yellow", green: "-green" };

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
    const look = this.coloured ? (NAMED[suit.name] ?? "") : suit.red ? "-red" : "";
    const sign = this.coloured ? suit.name : suit.symbol;
    return { rank, sign, look, name: this.coloured ? `${suit.name} ${rank}` : `${rank} of ${suit.name}` };
  }

  symbol(text) {
    const { rank, sign } = this.read(text);
    return this.coloured && sign ? `${rank} ${sign}` : rank + sign;
  }

  names(texts) {
    return texts.map((text) => this.read(text).name).join(", ");
  }

  // Put a card on an element; its name is what is read aloud.
  put(element, text, { look = "", name = "" } = {}) {
    const face = this.read(text);
    const key = `${text} ${look} ${name}`;
    if (element.dataset.key === key) return element;
    element.dataset.key = key;
    element.className = `card ${face.look} ${this.coloured ? "-word" : ""} ${face.rank.length > 1 ? "-two" : ""} ${look}`;
    element.replaceChildren(document.createTextNode(face.rank), make("i", "", face.sign));
    element.setAttribute("aria-label", name || face.name);
    return element;
  }

  card(text, more) {
    const element = this.put(make("span"), text, more);
    element.setAttribute("role", "img");
    return element;
  }

  // Cards side by side; `meant`: what each stands for.
  row(texts, meant = []) {
    const row = make("span", "cards");
    texts.forEach((text, index) => {
      const stands = meant[index];
      const card = this.card(text, stands ? { name: `joker for ${this.read(stands).name}` } : {});
      if (stands) card.append(make("small", "", this.symbol(stands)));
      row.append(card);
    });
    return row;
  }
}

export const cardsOf = (text) => (text ? text.split(" ") : []);

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
    parts.append(around);
  }
  return parts;
}
