// The hand in the hand: shows what the table says, and says what is tapped. What may be done is decided at the table.
"use strict";

import { Faces, at, block, button, cardsOf, fill, make, say, show } from "./draw.js";
import { Line } from "./line.js";
import { Drag } from "./drag.js";

const LOG = 200;
const LINES = 33;

let hello = null;
let faces = null;
let state = null;
let chosen = new Set();
let unheard = 0;
let log = [];
let wasYours = false;
let clause = "";
let saidTimer = 0;
const sheet = at("sheet");
let sheetName = "";

const line = new Line(take, showLine);

// What the table says

function take(message) {
  if ("lobby" in message) showLobby(message.lobby);
  else if ("hello" in message) begin(message);
  else if ("ask" in message) showTable(message);
  else if ("log" in message) log = message.log.slice(-LOG);
  else if ("words" in message) log = [...log, ...message.words].slice(-LOG);
  else if ("refused" in message) tell(message.refused.message, message.refused.clause, true);
  else if ("late" in message) tell(message.told, "", true);
  else if ("told" in message) tell(message.told, "", false);
  else if ("said" in message) hearSaid(message);
  else if ("page" in message) openSheet(message.page.name, message.page.title, message.page.blocks);
  if ("heard" in message) {
    if (message.heard === unheard) unheard = 0;
    at("mine").classList.toggle("-busy", line.pending !== null);
  }
}

function begin(message) {
  hello = message;
  faces = new Faces(message.faces);
  chosen.clear();
  document.title = message.seat ? `${message.seat} – Kalooki` : "Kalooki";
  closeSheet();
}

function showLine(words, isEnd = false) {
  const told = at("line");
  told.replaceChildren(document.createTextNode(words));
  if (isEnd) told.append(button("Come back", () => line.comeBack()));
  show(told, words !== "");
}

function showLobby(lobby) {
  show(at("game"), false);
  show(at("lobby"), true);
  closeSheet();
  state = null;
  say(at("table-name"), lobby.table);
  say(at("lobby-words"), lobby.words);
  const isSeated = lobby.seats.some((seat) => seat.mine);
  show(at("naming"), !isSeated);
  if (document.activeElement !== at("name") && lobby.called) at("name").value = lobby.called;
  show(at("watch"), !isSeated && !lobby.watches);
  at("chairs").replaceChildren(
    ...lobby.seats.map((seat, index) => {
      const item = make("li", seat.mine ? "-mine" : "");
      const words = make("span", "", seat.name || "–");
      words.append(make("small", "", seat.state));
      item.append(words);
      if (seat.open && lobby.called && !isSeated)
        item.append(button("Sit here", () => line.tell({ sit: index + 1 })));
      return item;
    }),
  );
}

function showTable(message) {
  const before = state;
  state = message;
  show(at("lobby"), false);
  show(at("game"), true);
  say(at("title"), `${hello.name} · ${state.title}`);
  say(at("contract"), state.contract_words);
  showSeats();
  showPiles();
  showMelds();
  showSince();
  if (hello.seat) showMine(before);
  showConsent();
  showQuestion();
  showButtons();
  say(at("prompt"), state.question && !state.question.page?.length ? "" : state.prompt);
  say(at("trouble"), state.trouble);
  show(at("trouble"), state.trouble !== "");
  at("mine").classList.toggle("-yours", state.yours);
  at("game").dataset.moment = state.moment;
  measure();
  if (!before || before.moment !== state.moment) forgetNotice(before);
  // A browser lets no page buzz that nobody has touched yet, and complains.
  if (state.yours && !wasYours && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(80);
  wasYours = state.yours;
  line.atTable(state.moment);
}

// Whether the screen has room for few lines: it is small, or the text is large.
function measure() {
  const line = parseFloat(getComputedStyle(document.documentElement).fontSize);
  at("game").classList.toggle("-low", innerHeight < LINES * line);
}

window.addEventListener("resize", measure);

// The table

function showSeats() {
  const limit = hello.rules.calls.limit;
  fill(
    at("seats"),
    state.seats,
    () => {
      const item = make("li");
      item.append(make("b"), make("em"), make("span"), make("span"));
      return item;
    },
    (item, seat) => {
      const [name, total, cards, calls] = item.children;
      const isTurn = seat.name === state.turn;
      item.className = `${isTurn ? "-turn" : ""} ${seat.in_deal === false ? "-out" : ""}`;
      if (isTurn) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
      say(name, seat.name);
      say(cards, `${seat.cards} ${seat.cards === 1 ? "card" : "cards"}`);
      say(calls, seat.laid ? "laid" : "calls" in seat && limit ? `${seat.calls}/${limit} ${hello.words.call}s` : "");
      say(total, String(seat.total));
      total.setAttribute("aria-label", `${seat.total} points`);
    },
  );
  const seats = at("seats");
  if (seats.dataset.turn === state.turn) return;
  seats.dataset.turn = state.turn;
  seats.querySelector(".-turn")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function pile(words, card) {
  const element = make("div", "pile");
  element.append(card, make("span", "", words));
  return element;
}

function showPiles() {
  const piles = at("piles");
  const key = JSON.stringify([state.stock, state.discard, state.flip, state.dead, state.phase, state.pool]);
  if (piles.dataset.key === key) return;
  piles.dataset.key = key;
  piles.replaceChildren();
  if (state.phase !== "cut") {
    const back = make("span", "card -back");
    back.setAttribute("aria-hidden", "true");
    piles.append(pile(`Stock ${state.stock}`, back));
    const none = make("span", "card -none");
    const open = pile(state.dead ? "Dead" : "Open", state.discard ? faces.card(state.discard) : none);
    open.classList.toggle("-dead", Boolean(state.dead));
    piles.append(open);
  }
  if (state.flip) piles.append(pile(hello.words.flip, faces.card(state.flip)));
  if ("pool" in state) piles.append(pile(`Pool ${state.pool}`, make("span")));
}

function showMelds() {
  fill(
    at("melds"),
    state.table,
    () => {
      const item = make("li");
      const meld = button("", () => tapMeld([...at("melds").children].indexOf(item)), "meld");
      item.append(meld);
      return item;
    },
    (item, meld, index) => {
      const element = item.firstChild;
      const owner = meld.owner === hello.seat ? "yours" : meld.owner;
      const key = JSON.stringify([meld, owner]);
      const isLit = state.lit.includes(index);
      element.className = `meld ${meld.fresh ? "-fresh" : ""} ${isLit ? "-lit" : ""}`;
      if (element.dataset.key === key) return;
      element.dataset.key = key;
      const cards = cardsOf(meld.cards);
      const words = `${meld.meld} · ${owner}${meld.fresh ? " · new" : ""}`;
      element.replaceChildren(make("small", "", words), faces.row(cards, meld.stands_for));
      element.setAttribute("aria-label", `${words}: ${faces.names(cards)}`);
    },
  );
  fill(
    at("hands"),
    state.hands,
    () => make("div"),
    (element, hand) =>
      element.replaceChildren(make("small", "", hand.name), faces.row(cardsOf(hand.hand))),
  );
}

function showSince() {
  const lines = state.since.length ? state.since : log.slice(-1);
  say(at("since"), lines.join(" · "));
}

// The own part

function showMine(before) {
  const cards = cardsOf(state.hand);
  if (!before || before.hand !== state.hand || !unheard)
    chosen = new Set(state.chosen.flatMap((is, index) => (is ? [index] : [])));
  say(at("hand-title"), state.hand_title);
  fill(
    at("hand"),
    cards,
    () => {
      const item = make("li");
      const card = make("button");
      card.type = "button";
      item.append(card);
      return item;
    },
    (item, text, index) => {
      const card = item.firstChild;
      const bundle = state.bundles[index];
      const isLast = bundle >= 0 && state.bundles[index + 1] !== bundle;
      item.className = isLast ? "-gap" : "";
      const isNew = state.new[index];
      const name = isNew ? `${faces.read(text).name}, new` : "";
      faces.put(card, text, { look: isNew ? "-new" : "", name });
      card.setAttribute("aria-pressed", String(chosen.has(index)));
      while (item.children.length > 1) item.lastChild.remove();
      const lacks = isLast ? (state.lacks[bundle] ?? []) : [];
      for (const lack of lacks) {
        const ghost = make("span", "card -ghost", lack);
        ghost.setAttribute("aria-label", `missing ${lack}`);
        item.append(ghost);
      }
    },
  );
  showSlots();
}

function showSlots() {
  const words = hello.words;
  const slots = state.laid ? [] : state.slots;
  fill(
    at("slots"),
    slots,
    () => {
      const item = make("li");
      item.append(button("", () => press("lay"), "slot"));
      return item;
    },
    (item, slot) => {
      const element = item.firstChild;
      const name = slot.kind === null ? "points" : slot.kind === "set" ? words.set : words.run;
      const most = slot.kind === null ? Infinity : slot.needed;
      const have = Math.min(slot.have || slot.held, most);
      say(element, `${name} ${have}/${slot.needed}${slot.have >= slot.needed ? " ✓" : ""}`);
      element.className = `slot ${slot.have >= slot.needed ? "-full" : ""}`;
    },
  );
  at("staged").replaceChildren(
    ...state.staged.map((meld, index) => {
      const item = make("li");
      const element = button("", () => act({ unstage: index }), "meld");
      const cards = cardsOf(meld.cards);
      element.append(make("small", "", "staged ✕"), faces.row(cards));
      element.setAttribute("aria-label", `take back ${faces.names(cards)}`);
      item.append(element);
      return item;
    }),
  );
}

function showQuestion() {
  const question = state.question;
  const panel = at("question");
  const isPage = Boolean(question?.page?.length);
  if (isPage) {
    if (sheetName !== question.name) openSheet(question.name, question.title, question.page, question.ways);
  } else if (sheetName === "deal-over" || sheetName === "match-over") {
    closeSheet();
  }
  show(panel, Boolean(question) && !isPage);
  if (!question || isPage) {
    panel.dataset.key = "";
    panel.replaceChildren();
    return;
  }
  const key = JSON.stringify([question, state.moment]);
  if (panel.dataset.key === key) return;
  panel.dataset.key = key;
  panel.replaceChildren();
  const head = make("div", "head");
  const words = make("div");
  words.append(make("h2", "", question.title), make("p", "", question.text));
  if (question.cards) head.append(faces.row(cardsOf(question.cards)));
  head.append(words);
  panel.append(head);
  if (question.seconds) panel.append(clock(question.seconds));
  if (question.deck) panel.append(...cutting(question.deck));
  question.ways.forEach((words, index) =>
    panel.append(button(words, () => act({ way: index }), index === 0 ? "-first" : "")),
  );
  if (question.hint) panel.append(button("Hint", () => press("hint"), "-quiet"));
  if (question.may_close) panel.append(button("Back", () => act({ close: true }), "-quiet"));
}

// Whether somebody elsewhere may take back a step: beside the turn, which goes on.
function showConsent() {
  const asked = state.consent;
  const panel = at("consent");
  show(panel, Boolean(asked));
  const text = asked?.text ?? "";
  if (panel.dataset.key === text) return;
  panel.dataset.key = text;
  const tellConsent = (agrees) => () => line.tell({ consent: agrees, about: text });
  panel.replaceChildren(
    make("p", "", text),
    ...(asked ? asked.ways.map((words, index) => button(words, tellConsent(index === 0))) : []),
  );
}

function clock(seconds) {
  const bar = make("div");
  bar.id = "clock";
  bar.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: seconds * 1000, fill: "forwards" });
  return bar;
}

function cutting(deck) {
  const packet = make("input");
  packet.type = "range";
  packet.min = 1;
  packet.max = deck - 1;
  packet.value = Math.round(deck / 2);
  packet.setAttribute("aria-label", "How thick the packet is");
  return [packet, button("Cut here", () => act({ answer: `cut ${packet.value}` }), "-first")];
}

const QUIET = new Set(["hint", "undo", "take-back"]);

function showButtons() {
  const buttons = at("buttons");
  const shown = state.question ? [] : state.buttons;
  // Fewer cards than a meld has are chosen to be thrown.
  const lays = chosen.size > 2 || state.staged?.length > 0;
  const first = shown.findIndex((one) => one.open && !QUIET.has(one.press) && (one.press !== "lay" || lays));
  const one = chosen.size === 1 ? faces.symbol(cardsOf(state.hand)[[...chosen][0]] ?? "JK") : "";
  const isCall = shown[0]?.press === "call";
  fill(
    buttons,
    shown,
    () => button("", (event) => press(event.currentTarget.dataset.press)),
    (element, told, index) => {
      element.dataset.press = told.press;
      const card = told.press === "discard" && one ? ` ${one}` : "";
      say(element, told.label + card);
      element.className = `${index === first ? "-first" : QUIET.has(told.press) ? "-quiet" : ""} ${isCall && index < 2 ? "-wide" : ""}`;
      element.setAttribute("aria-disabled", String(!told.open));
    },
  );
}

// What the person is told

function tell(words, about, isRefused) {
  const notice = at("notice");
  const [text, more] = notice.children;
  clause = about;
  notice.classList.toggle("-refused", isRefused);
  show(notice, true);
  text.textContent = words;
  notice.dataset.moment = state?.moment ?? "";
  more.textContent = about ? `Rule ${about.split(",")[0]}` : "OK";
  if (!state) {
    say(at("lobby-words"), words);
  }
}

function forgetNotice(before) {
  if (before && at("notice").dataset.moment === before.moment) show(at("notice"), false);
}

function hearSaid(message) {
  const words = `${message.who}: ${message.said}`;
  log = [...log, words].slice(-LOG);
  const said = at("said");
  say(said, words);
  show(said, true);
  clearTimeout(saidTimer);
  saidTimer = setTimeout(() => show(said, false), 8000);
}

// Sheets

function openSheet(name, title, blocks, ways = []) {
  sheetName = name;
  say(at("sheet-title"), title);
  const body = at("sheet-body");
  body.replaceChildren(...blocks.map((one) => block(one, faces, tellAndClose)));
  at("sheet-ways").replaceChildren(
    ...(ways.length
      ? ways.map((words, index) => button(words, () => act({ way: index }), index === 0 ? "-first" : ""))
      : [button("Close", closeSheet)]),
  );
  if (!sheet.open) sheet.showModal();
  body.scrollTop = 0;
  (body.querySelector(".-lit") ?? at("sheet-title")).scrollIntoView?.({ block: "center" });
  at("sheet-title").focus();
}

function closeSheet() {
  sheetName = "";
  if (sheet.open) sheet.close();
}

function tellAndClose(message) {
  closeSheet();
  line.tell(message);
}

function openMenu() {
  openSheet("menu", "Kalooki", []);
  const ask = (name) => () => line.tell({ show: name });
  at("sheet-body").replaceChildren(
    button("Scores", ask("scores")),
    button("Rules", ask("rules")),
    button("Words of the game", ask("words")),
    button("What has happened", () => openSheet("log", "What has happened", log.map((text) => ({ text })).reverse())),
    ...(hello.seat ? [button("Say something", ask("phrases")), button("Who is here", ask("seats"))] : []),
  );
}

sheet.addEventListener("cancel", (event) => {
  if (sheetName === "deal-over" || sheetName === "match-over") event.preventDefault();
  else sheetName = "";
});

// What the person does

const cards = () => cardsOf(state.hand);
const textOf = (indexes) => [...indexes].sort((a, b) => a - b).map((index) => cards()[index]).join(" ");

function act(message) {
  if (!state) return;
  if (line.act(message, state.moment)) at("mine").classList.add("-busy");
}

function press(name) {
  act({ press: name, cards: textOf(chosen) });
}

function tapMeld(index) {
  if (hello.seat && (chosen.size || state.lit.includes(index))) act({ meld: index, cards: textOf(chosen) });
}

function tapCard(index) {
  if (!chosen.delete(index)) chosen.add(index);
  at("hand").children[index].firstChild.setAttribute("aria-pressed", String(chosen.has(index)));
  showButtons();
  unheard = line.tell({ chosen: textOf(chosen) });
}

new Drag(at("hand"), tapCard, (from, to) => {
  const order = cards();
  order.splice(to, 0, ...order.splice(from, 1));
  chosen.clear();
  line.tell({ order: order.join(" ") });
});

at("sort").addEventListener("click", () => line.tell({ sort: "sort" }));
at("group").addEventListener("click", () => line.tell({ sort: "group" }));
at("menu").addEventListener("click", openMenu);
at("notice").lastElementChild.addEventListener("click", () => {
  show(at("notice"), false);
  if (clause) line.tell({ show: "rules", clause: clause.split(",")[0] });
});
at("naming").addEventListener("submit", (event) => {
  event.preventDefault();
  at("name").blur();
  line.tell({ call: at("name").value });
});
at("watch").addEventListener("click", () => line.tell({ watch: true }));
