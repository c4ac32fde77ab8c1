// The page of a table: shows what the table says, and says what is tapped. What may be done is decided at the table.
"use strict";

import { Faces, back } from "./cards.js";
import { Drag } from "./drag.js";
import { at, block, button, cardsOf, fill, make, say, show } from "./draw.js";
import { WHOLE, fan, heightOf, meldCard, step } from "./layout.js";
import { Line } from "./line.js";
import { Motion, boxOf, meldOf } from "./motion.js";
import { THEMES, apply, choose, chosen as looks, signal } from "./signals.js";

const LOG = 200;
const LINES = 33;
const FELT = 90;
const ENOUGH = 68;

let hello = null;
let faces = null;
let state = null;
let chosen = new Set();
let unheard = 0;
let log = [];
let events = [];
let wasYours = false;
let clause = "";
let saidTimer = 0;
let fits = [];
let isSmall = true;
const sheet = at("sheet");
let sheetName = "";

apply();
const motion = new Motion(() => Boolean(looks.still));
const line = new Line(take, showLine);

// What the table says

function take(message) {
  if ("lobby" in message) showLobby(message.lobby);
  else if ("hello" in message) begin(message);
  else if ("ask" in message) showTable(message);
  else if ("log" in message) log = message.log.slice(-LOG);
  else if ("words" in message) hearEvents(message);
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
  events = [];
  document.title = message.seat ? `${message.seat} – Kalooki` : "Kalooki";
  closeSheet();
}

function hearEvents(message) {
  log = [...log, ...message.words].slice(-LOG);
  events = [...events, ...(message.events ?? [])];
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
  const expected = isSeated ? [] : lobby.expected.filter((name) => name !== lobby.called);
  fill(
    at("expected"),
    expected,
    () => button("", (event) => line.tell({ call: event.currentTarget.dataset.name }), "-first"),
    (element, name) => {
      element.dataset.name = name;
      say(element, `I am ${name}`);
    },
  );
  show(at("naming"), !isSeated);
  if (document.activeElement !== at("name") && lobby.called) at("name").value = lobby.called;
  show(at("watch"), !isSeated && !lobby.watches);
  show(at("begin"), lobby.may_begin);
  at("begin").setAttribute("aria-disabled", String(lobby.waits !== ""));
  at("chairs").replaceChildren(
    ...lobby.seats.map((seat, index) => {
      const item = make("li", seat.mine ? "-mine" : "");
      const words = make("span", "", seat.name || "–");
      words.append(make("small", "", seat.state));
      item.append(words);
      if (seat.open && lobby.called && !isSeated)
        item.append(button("Sit here", () => line.tell({ sit: index + 1 })));
      else if (seat.turns) item.append(button(seat.turns, () => line.tell({ turn: index + 1 }), "-quiet"));
      return item;
    }),
  );
}

function showTable(message) {
  const before = state;
  const places = placesNow();
  state = message;
  fits = state.fits ?? [];
  show(at("lobby"), false);
  show(at("game"), true);
  say(at("game-name"), `${hello.name} · `);
  say(at("title"), state.title);
  say(at("contract"), state.contract_words);
  document.body.classList.toggle("-watching", !hello.seat);
  showSeats();
  showPiles();
  if (hello.seat) showMine(before);
  showConsent();
  showQuestion();
  showButtons();
  say(at("prompt"), isAsked() ? "" : state.prompt);
  say(at("trouble"), state.trouble);
  show(at("trouble"), state.trouble !== "");
  at("mine").classList.toggle("-yours", state.yours);
  at("game").dataset.moment = state.moment;
  showDeal();
  showSince();
  showMelds();
  compose();
  move(before, places);
  if (!before || before.moment !== state.moment) forgetNotice(before);
  if (state.yours && !wasYours) signal();
  wasYours = state.yours;
  line.atTable(state.moment);
}

// Whether a question stands over the buttons; one with a page has a sheet of its own.
const isAsked = () => Boolean(state.question && !state.question.page?.length);

// Where cards are before the table is drawn anew: the own hand's by name, the piles'.
function placesNow() {
  const hand = {};
  for (const item of at("hand").children) if (item.dataset.text) (hand[item.dataset.text] ??= []).push(boxOf(item));
  const piles = {};
  for (const pile of at("piles").children) piles[pile.dataset.pile] = boxOf(pile.firstChild);
  return { hand, piles };
}

// Everything is where it belongs now; what was elsewhere before is seen to have moved.
function move(before, places) {
  const told = events;
  events = [];
  if (!before || before.deal !== state.deal) return;
  motion.tell(told, faces, hello.seat, places.piles);
  if (!hello.seat || before.moment === state.moment) return;
  const own = (verb) => told.find((event) => event.startsWith(`${hello.seat}: ${verb}`));
  const open = document.querySelector("#piles [data-pile=discard] .card");
  if (own("discard") && open) motion.come(open, places.hand[state.discard]?.at(-1) ?? null);
  const drawn = own("draw")?.split(" ").at(-1);
  for (const item of at("hand").children)
    if (item.classList.contains("-new")) {
      const was = places.hand[item.dataset.text] ?? [];
      const now = [...at("hand").children].filter((one) => one.dataset.text === item.dataset.text).length;
      if (now > was.length) motion.come(item, places.piles[drawn in places.piles ? drawn : "stock"], item.style.transform);
    }
  for (const event of told)
    if (/^(lay|tack|swap)/.test(event.slice(hello.seat.length + 2)) && event.startsWith(`${hello.seat}: `)) {
      const meld = meldOf(event);
      const from = event.split(" ").map((part) => places.hand[part]?.[0]).find(Boolean);
      if (meld) motion.come(meld, from ?? boxOf(at("staged")));
    }
}

// Sizes: the hand and the melds are composed for the room there is.

function compose() {
  if (!state) return;
  const root = at("game");
  const size = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const isFlat = innerHeight < 500 && innerWidth > innerHeight * 1.3;
  root.classList.toggle("-flat", isFlat && size < 20);
  root.classList.toggle("-low", innerHeight < LINES * size && !(isFlat && size < 20));
  // Melds are drawn anew only where their cards have room for more or less print.
  const small = hello.seat ? composeHand(isFlat) : composeMelds();
  if (small === isSmall) return;
  isSmall = small;
  showMelds();
}

function composeHand(isFlat) {
  const hand = at("hand");
  const items = [...hand.children];
  const gaps = new Set(items.flatMap((item, index) => (item.classList.contains("-gap") ? [index] : [])));
  const width = hand.clientWidth;
  const share = isFlat ? 0.42 : innerWidth > 900 ? 0.27 : state.question ? 0.2 : innerHeight < 640 ? 0.25 : 0.27;
  if (!width || !items.length) {
    hand.style.height = "";
    return composeMelds();
  }
  // What lies on the table needs room too: the hand gives some of its own, as far as it can be read and hit.
  let found, small;
  for (let high = innerHeight * share; ; high *= 0.85) {
    found = fan(items.length, gaps, width, high);
    hand.style.setProperty("--card", `${found.card}px`);
    hand.style.height = `${heightOf(found)}px`;
    small = composeMelds();
    const table = at("table");
    const fits = at("felt").clientHeight >= FELT && table.scrollHeight <= table.clientHeight + 4;
    if (fits || found.card <= (at("felt").clientHeight < FELT ? 44 : ENOUGH)) break;
  }
  items.forEach((item, index) => {
    const { x, y, turn } = found.places[index];
    const now = `translate(${x}px, ${y}px) rotate(${turn}deg)`;
    if (item.dataset.place === now) return;
    if (item.dataset.place) motion.slide(item, item.dataset.place, now);
    item.style.transform = item.dataset.place = now;
  });
  return small;
}

function composeMelds() {
  const table = at("table");
  const counts = state.table.map((meld) => cardsOf(meld.cards).length);
  const deal = at("deal").hidden ? 0 : at("deal").offsetHeight;
  const most = innerWidth > 700 && innerHeight > 600 ? 120 : 72;
  const card = counts.length ? meldCard(counts, table.clientWidth - 8, table.clientHeight - deal - 8, 40, most) : 40;
  at("melds").style.setProperty("--card", `${card}px`);
  at("melds").style.setProperty("--step", step(card));
  return card < WHOLE;
}

new ResizeObserver(compose).observe(document.documentElement);

// The table

function showSeats() {
  const limit = state.call_limit;
  fill(
    at("seats"),
    state.seats,
    () => {
      const item = make("li");
      const [top, low] = [make("div"), make("div")];
      top.append(make("b"), make("em"));
      low.append(make("span", "count"), make("span", "calls"));
      item.append(top, make("i"), low);
      return item;
    },
    (item, seat) => {
      const [top, fan, low] = item.children;
      const [[name, total], [more, calls]] = [top.children, low.children];
      const isTurn = seat.name === state.turn;
      item.dataset.name = seat.name;
      item.className = `${isTurn ? "-turn" : ""} ${seat.in_deal === false ? "-out" : ""} ${seat.name === hello.seat ? "-own" : ""} ${state.caller === seat.name ? "-calls" : ""}`;
      if (isTurn) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
      say(name, seat.name);
      fan.setAttribute("aria-hidden", "true");
      fan.style.setProperty("--cards", seat.cards);
      const isCounted = "calls" in seat && limit && (!seat.laid || hello.rules.calls.laid_seat);
      const used = Math.min(limit, seat.calls);
      if (more.dataset.cards !== String(seat.cards)) {
        more.dataset.cards = seat.cards;
        more.replaceChildren(String(seat.cards), make("span", "word", seat.cards === 1 ? " card" : " cards"));
      }
      const dots = isCounted ? "●".repeat(limit - used) + "○".repeat(used) : "";
      say(calls, `${seat.laid ? "laid" : ""} ${dots}`.trim());
      calls.title = isCounted ? `${limit - used} of ${limit} ${hello.words.call}s left` : "";
      say(total, String(seat.total));
      total.title = `${seat.total} points`;
    },
  );
  const seats = at("seats");
  if (seats.dataset.turn === state.turn) return;
  seats.dataset.turn = state.turn;
  const turn = seats.querySelector(".-turn");
  if (turn) seats.scrollLeft = turn.offsetLeft - seats.clientWidth / 2 + turn.offsetWidth / 2;
}

const DRAWS = { stock: "draw-stock", discard: "take-discard", flip: "take-flip" };

function pile(name, words, card) {
  const element = make("div", "pile");
  element.dataset.pile = name;
  const label = make("span", "", words);
  if (name === "stock") label.append(make("b", "", ` ${state.stock}`));
  if (!hello.seat || !DRAWS[name]) {
    element.append(card, label);
    return element;
  }
  const top = button("", () => tapPile(name), card.className);
  top.replaceChildren(make("span", "aloud", name === "stock" ? "Stock" : `${words}: `), ...card.childNodes);
  element.append(top, label);
  return element;
}

function showPiles() {
  const piles = at("piles");
  const key = JSON.stringify([state.stock, state.discard, state.flip, state.dead, state.phase, state.pool, hello.seat]);
  if (piles.dataset.key !== key) {
    piles.dataset.key = key;
    piles.replaceChildren();
    if (state.phase !== "cut") {
      piles.append(pile("stock", "Stock", back(state.stock > 40 ? "-high" : state.stock > 12 ? "-middle" : "")));
      const open = pile("discard", state.dead ? "Dead" : "Discard", state.discard ? faces.card(state.discard) : make("span", "card -none"));
      open.classList.toggle("-dead", Boolean(state.dead));
      piles.append(open);
    }
    if (state.flip) piles.append(pile("flip", hello.words.flip, faces.card(state.flip)));
    if ("pool" in state) {
      const pool = make("div", "pile -pool");
      pool.append(make("b", "", String(state.pool)), make("span", "", "Pool"));
      piles.append(pool);
    }
  }
  const openNow = new Set(state.question ? [] : (state.buttons ?? []).filter((one) => one.open).map((one) => one.press));
  for (const one of piles.children)
    one.classList.toggle("-open", openNow.has(DRAWS[one.dataset.pile]) || (one.dataset.pile === "discard" && openNow.has("discard") && chosen.size === 1));
  showShout();
}

// A call is seen from across the room.
function showShout() {
  const isCall = Boolean(state.caller) || state.phase.includes("window");
  const shout = at("shout");
  show(shout, isCall && !isAsked());
  say(shout, isCall ? state.headline : "");
}

// The melds that all chosen cards fit.
function takers() {
  const lists = [...chosen].map((index) => fits[index] ?? []);
  return new Set(lists.length ? lists[0].filter((meld) => lists.every((list) => list.includes(meld))) : []);
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
    (item, meld) => {
      const element = item.firstChild;
      const owner = meld.owner === hello.seat ? "yours" : meld.owner;
      element.className = `meld ${meld.fresh ? "-fresh" : ""}`;
      element.dataset.meld = meld.meld;
      const key = JSON.stringify([meld, owner, isSmall]);
      if (element.dataset.seen === key) return;
      element.dataset.seen = key;
      const cards = cardsOf(meld.cards);
      const words = `${meld.meld} · ${owner}${meld.fresh ? " · new" : ""}`;
      const row = faces.row(cards, { meant: meld.stands_for, small: isSmall, fresh: cardsOf(meld.new) });
      element.replaceChildren(make("small", "", words), row);
    },
  );
  lightMelds();
  fill(
    at("hands"),
    state.hands,
    () => make("div"),
    (element, hand) => element.replaceChildren(make("small", "", hand.name), faces.row(cardsOf(hand.hand))),
  );
}

function lightMelds() {
  const taking = takers();
  [...at("melds").children].forEach((item, index) =>
    item.firstChild.classList.toggle("-lit", state.lit.includes(index) || taking.has(index)),
  );
}

// The deal's contract in cards lies on the felt until something else does.
function showDeal() {
  const deal = at("deal");
  const isShown = state.table.length === 0 && state.phase !== "cut" && state.hands.length === 0;
  show(deal, isShown);
  const key = JSON.stringify([state.title, state.examples, state.facts, state.doubling]);
  if (deal.dataset.key === key) return;
  deal.dataset.key = key;
  const rows = make("div", "rows");
  rows.append(...state.examples.map((cards) => faces.row(cardsOf(cards), { small: innerWidth < 960 })));
  deal.replaceChildren(
    make("b", "", state.title), make("strong", "", state.contract_words), rows,
    make("small", "", "For example"), make("p", "", state.facts), make("p", "", state.doubling),
  );
}

function showSince() {
  const lines = state.since.length ? state.since : log.slice(-1);
  say(at("since"), lines.join(" · "));
  fill(
    at("log"),
    log.slice(-60).reverse(),
    () => make("li"),
    (item, words) => say(item, words),
  );
}

// The own part

function showMine(before) {
  const cards = cardsOf(state.hand);
  if (!before || before.hand !== state.hand || !unheard)
    chosen = new Set(state.chosen.flatMap((is, index) => (is ? [index] : [])));
  // Whose hand it is, and how many are chosen, is seen: words that come and go would move the cards.
  say(at("hand-title"), state.hand_title.split(" · ").slice(1).filter((part) => !part.endsWith(" chosen")).join(" · "));
  const items = cards.flatMap((text, index) => {
    const bundle = state.bundles[index];
    const isLast = bundle >= 0 && state.bundles[index + 1] !== bundle;
    const lacks = isLast ? (state.lacks[bundle] ?? []) : [];
    return [{ text, index, isGap: isLast && !lacks.length }, ...lacks.map((lack, place) => ({ lack, isGap: place === lacks.length - 1 }))];
  });
  const hand = at("hand");
  const known = [...hand.children];
  const focused = document.activeElement?.closest?.("#hand > li");
  items.forEach((one, place) => {
    const key = one.text ?? `lack ${one.lack}`;
    let found = known.findIndex((item) => item.dataset.of === key);
    const item = found >= 0 ? known.splice(found, 1)[0] : makeItem(key);
    if (hand.children[place] !== item) hand.insertBefore(item, hand.children[place] ?? null);
    showItem(item, one);
  });
  for (const item of known) item.remove();
  if (focused?.isConnected && document.activeElement !== focused.firstChild) focused.firstChild.focus({ preventScroll: true });
  showSlots();
}

function makeItem(key) {
  const item = make("li");
  item.dataset.of = key;
  const card = make(key.startsWith("lack ") ? "span" : "button");
  if (card.localName === "button") card.type = "button";
  item.append(card);
  return item;
}

function showItem(item, one) {
  const card = item.firstChild;
  if (one.lack !== undefined) {
    item.className = one.isGap ? "-ghost -gap" : "-ghost";
    card.className = "ghost";
    say(card, one.lack);
    card.title = `missing ${one.lack}`;
    return;
  }
  const isNew = state.new[one.index];
  item.className = `${one.isGap ? "-gap" : ""} ${isNew ? "-new" : ""} ${fits[one.index]?.length ? "-fits" : ""}`;
  item.dataset.index = one.index;
  item.dataset.text = one.text;
  const fit = fits[one.index]?.length ? ", fits a meld" : "";
  const name = isNew || fit ? `${faces.read(one.text).name}${isNew ? ", new" : ""}${fit}` : "";
  faces.put(card, one.text, { name });
  card.setAttribute("aria-pressed", String(chosen.has(one.index)));
}

const cardAt = (index) => at("hand").querySelector(`li[data-index="${index}"] > .card`);

function showSlots() {
  const words = hello.words;
  const slots = state.laid ? [] : state.slots.filter((slot) => !(state.staged.length && slot.have >= slot.needed));
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
      const isFull = slot.have >= slot.needed;
      const told = `${name} ${have}/${slot.needed}${isFull ? " ✓" : ""}`;
      const key = `${told} ${slot.cards}`;
      element.className = `slot ${isFull ? "-full" : have >= slot.needed ? "-ready" : ""}`;
      if (element.dataset.seen === key) return;
      element.dataset.seen = key;
      const row = faces.row(cardsOf(slot.cards));
      if (slot.kind !== null) for (let left = have; left < slot.needed; left += 1) row.append(make("span", "card -none"));
      element.replaceChildren(make("small", "", told), row);
    },
  );
  at("staged").replaceChildren(
    ...state.staged.map((meld, index) => {
      const item = make("li");
      const element = button("", () => act({ unstage: index }), "meld -staged");
      const cards = cardsOf(meld.cards);
      element.append(make("small", "", "take back ✕"), faces.row(cards));
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
  show(panel, isAsked());
  document.body.classList.toggle("-asked", isAsked());
  if (!isAsked()) {
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
  if (question.cards) head.append(faces.row(cardsOf(question.cards), { small: false }));
  head.append(words);
  panel.append(head);
  if (question.seconds) panel.append(clock(question.seconds));
  if (question.deck) panel.append(...cutting(question.deck));
  const ways = make("div", "ways");
  question.ways.forEach((words, index) =>
    ways.append(button(words, () => act({ way: index }), index === 0 ? "-first" : "", question.keys[index])),
  );
  if (question.hint) ways.append(button("Hint", () => press("hint"), "-quiet", "h"));
  if (question.may_close) ways.append(button("Back", () => act({ close: true }), "-quiet", "escape"));
  panel.append(ways);
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
    ...(asked ? asked.ways.map((words, index) => button(words, tellConsent(index === 0), "", "YN"[index])) : []),
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
      element.dataset.shortcut = keyOf(told.press);
      const card = told.press === "discard" && one ? ` ${one}` : "";
      say(element, told.label + card);
      element.className = `${index === first ? "-first" : QUIET.has(told.press) ? "-quiet" : ""} ${isCall && index < 2 ? "-wide" : ""}`;
      element.setAttribute("aria-disabled", String(!told.open));
    },
  );
}

const keyOf = (name) => Object.keys(hello.keys).find((key) => hello.keys[key] === name) ?? "";

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
  if (!state) say(at("lobby-words"), words);
  else compose();
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
  sheet.dataset.name = name;
  say(at("sheet-title"), title);
  const body = at("sheet-body");
  body.replaceChildren(...blocks.map((one) => block(one, faces, tellAndClose)));
  if (name === "phrases") body.append(ownLine());
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

function ownLine() {
  const form = make("form", "own");
  const words = make("input");
  words.maxLength = 100;
  words.placeholder = "A line of your own";
  words.setAttribute("aria-label", "A line of your own");
  const send = make("button", "", "Say it");
  form.append(words, send);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (words.value.trim()) tellAndClose({ say: words.value });
  });
  return form;
}

const ask = (name) => () => line.tell({ show: name });
const showLog = () => openSheet("log", "What has happened", log.map((text) => ({ text })).reverse());
// Pages of the menu: their words, what opens them, their keys.
const PAGES = [
  ["Scores", ask("scores"), "s"], ["Rules", ask("rules"), "i"], ["Words of the game", ask("words"), "G"],
  ["What has happened", showLog, "H"], ["Say something", ask("phrases"), "y"], ["Who is here", ask("seats"), "ctrl+o"],
  ["Looks and sound", openLooks, ","],
];
const FOR_PLAYERS = new Set(["y", "ctrl+o"]);
const pages = () => PAGES.filter(([, , key]) => hello.seat || !FOR_PLAYERS.has(key));

function openMenu() {
  openSheet("menu", "Kalooki", []);
  at("sheet-body").replaceChildren(...pages().map(([words, open, key]) => button(words, open, "", key)));
}

function openLooks() {
  openSheet("looks", "Looks and sound", []);
  const switches = [
    ["quiet", "Sound and buzz when it is your turn", true], ["still", "Movement of cards", true],
    ["four", "Four colours for the suits", false],
  ];
  const toggles = switches.map(([name, words, isOn]) => {
    const element = button(words, () => {
      choose(name, !looks[name]);
      showBell();
      openLooks();
    }, "switch");
    element.setAttribute("role", "switch");
    element.setAttribute("aria-checked", String(Boolean(looks[name]) !== isOn));
    return element;
  });
  const themes = THEMES.map(([name, words]) => {
    const element = button(words, () => {
      choose("theme", name);
      openLooks();
    }, "theme");
    element.setAttribute("aria-pressed", String((looks.theme ?? "") === name));
    return element;
  });
  at("sheet-body").replaceChildren(...toggles, make("h3", "", "Colours"), ...themes);
}

function showBell() {
  const bell = at("bell");
  bell.setAttribute("aria-pressed", String(!looks.quiet));
  bell.title = looks.quiet ? "Sound is off" : "Sound is on";
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

function press(name, indexes = chosen) {
  act({ press: name, cards: textOf(indexes) });
}

function tapMeld(index) {
  if (!hello.seat) return;
  if (chosen.size || state.lit.includes(index)) act({ meld: index, cards: textOf(chosen) });
  else press("tack");
}

// A pile is drawn from; with a card chosen, the open one is where it is thrown.
function tapPile(name) {
  const throws = name === "discard" && chosen.size === 1 && (state.phase === "play" || !state.yours);
  press(throws ? "discard" : DRAWS[name]);
}

function tapCard(index) {
  if (!chosen.delete(index)) chosen.add(index);
  cardAt(index).setAttribute("aria-pressed", String(chosen.has(index)));
  showButtons();
  showPiles();
  lightMelds();
  unheard = line.tell({ chosen: textOf(chosen) });
}

function drop(index, onto) {
  // A card that is dragged away takes those with it that are chosen like it.
  const moved = chosen.has(index) ? chosen : new Set([index]);
  if ("pile" in onto) press("discard", new Set([index]));
  else if ("meld" in onto) act({ meld: onto.meld, cards: textOf(moved) });
  else {
    const order = cards();
    order.splice(onto.index, 0, ...order.splice(index, 1));
    chosen.clear();
    line.tell({ order: order.join(" ") });
  }
}

new Drag(at("hand"), tapCard, drop);

// Keys, as at the terminal: one that does nothing now says why.

const RANKS = /^[2-9AJQK01]$/;

function hearKey(event) {
  if (event.altKey || event.metaKey || !state || sheet.open) return;
  if (event.target.closest("input, textarea")) return;
  const key = event.key === "Enter" || event.key === "Escape" ? event.key.toLowerCase() : event.key;
  const name = event.ctrlKey ? `ctrl+${key}` : key;
  const isButton = event.target.closest("button");
  if (isButton && (key === "enter" || key === " ")) return;
  const shown = [...document.querySelectorAll("#question button, #consent button, #hand-bar button")];
  const pressed = shown.find((one) => one.dataset.shortcut === name && !one.closest("[hidden]"));
  const page = pages().find(([, , own]) => own === name);
  if (pressed) pressed.click();
  else if (page) page[1]();
  else if (name === "?") openMenu();
  else if (event.ctrlKey || !hello.seat) return;
  else if (key === "ArrowLeft" || key === "ArrowRight") stepTo(key === "ArrowLeft" ? -1 : 1);
  else if (RANKS.test(key) && !state.question) goToRank(key);
  else if (hello.keys[key] && !state.question) pressKey(hello.keys[key]);
  else return;
  event.preventDefault();
}

const focusedIndex = () => Number(document.activeElement?.closest?.("#hand > li")?.dataset.index ?? -1);

function stepTo(way) {
  const count = cards().length;
  cardAt((focusedIndex() + way + count) % count)?.focus();
}

// To the leftmost card whose rank begins with this sign, or on from such a card to the next; 0 is a ten.
function goToRank(key) {
  const sign = key === "0" ? "10" : key;
  const found = cards().flatMap((text, index) => (faces.read(text).rank.startsWith(sign) ? [index] : []));
  if (found.length) cardAt(found[(found.indexOf(focusedIndex()) + 1) % found.length]).focus();
}

// With no card chosen, what needs one means the card that a key has gone to.
function pressKey(name) {
  const index = focusedIndex();
  const isNamed = index >= 0 && !chosen.size && document.activeElement.matches(":focus-visible");
  press(name, isNamed && ["discard", "tack", "swap"].includes(name) ? new Set([index]) : chosen);
}

document.addEventListener("keydown", hearKey);
at("menu").addEventListener("click", openMenu);
at("bell").addEventListener("click", () => {
  choose("quiet", !looks.quiet);
  showBell();
  signal();
});
at("sort").addEventListener("click", () => line.tell({ sort: "sort" }));
at("group").addEventListener("click", () => line.tell({ sort: "group" }));
at("watch").addEventListener("click", () => line.tell({ watch: true }));
at("begin").addEventListener("click", () => line.tell({ begin: true }));
at("notice").lastElementChild.addEventListener("click", () => {
  show(at("notice"), false);
  compose();
  if (clause) line.tell({ show: "rules", clause: clause.split(",")[0] });
});
at("naming").addEventListener("submit", (event) => {
  event.preventDefault();
  at("name").blur();
  line.tell({ call: at("name").value });
});
showBell();
