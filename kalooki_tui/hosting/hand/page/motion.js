// Movement of cards: what is drawn, thrown, called or laid is seen to go there. It never waits for, and takes no input.
"use strict";

import { at, make } from "./draw.js";
import { back } from "./cards.js";

const TIME = 180;
const MOST = 6;

export const boxOf = (element) => element?.getBoundingClientRect?.() ?? null;

// The meld that an event is about.
export function meldOf(event) {
  const meld = event.match(/ \(?(m\d+)[ ,]/)?.[1];
  return meld ? document.querySelector(`#melds [data-meld=${meld}]`) : null;
}

export class Motion {
  constructor(isStill) {
    this.isStill = () => isStill() || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
  }

  // An element that was at another place comes from there; `rest`: how it lies now.
  come(element, from, rest = "none") {
    const to = boxOf(element);
    if (this.isStill() || !from || !to || !to.width) return;
    const [dx, dy] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
    if (Math.hypot(dx, dy) < 3) return;
    const begin = `translate(${dx}px, ${dy}px) scale(${Math.min(2, Math.max(0.2, from.width / to.width))})`;
    element.animate([{ transform: rest === "none" ? begin : `${begin} ${rest}` }, { transform: rest }], { duration: TIME, easing: "ease-out" });
  }

  slide(element, from, to) {
    if (this.isStill() || from === to) return;
    element.animate([{ transform: from }, { transform: to }], { duration: TIME, easing: "ease-out" });
  }

  // A card, or its back, flies from one place to another; what it becomes there is seen when it has come.
  fly(card, from, to, hidden = null) {
    if (this.isStill() || !from || !to || !from.width || !to.width) return;
    const flying = make("div", "flying");
    flying.setAttribute("aria-hidden", "true");
    flying.append(card ?? back());
    document.body.append(flying);
    const place = (box) =>
      `translate(${box.left + box.width / 2 - 30}px, ${box.top + box.height / 2 - 42}px) scale(${Math.min(2.6, Math.max(0.35, Math.min(box.width, box.height / 1.4) / 60))})`;
    const flight = flying.animate([{ transform: place(from) }, { transform: place(to) }], { duration: TIME, easing: "ease-in-out" });
    hidden?.animate([{ opacity: 0 }, { opacity: 0 }], { duration: TIME });
    flight.onfinish = flight.oncancel = () => flying.remove();
  }

  // What others have done, seen from their seats; `before`: where the piles were.
  tell(events, faces, own, before) {
    if (this.isStill()) return;
    const names = [...at("seats").children].map((seat) => seat.dataset.name);
    for (const event of events.slice(-MOST)) {
      const who = names.filter((name) => event.startsWith(`${name}: `)).sort((a, b) => b.length - a.length)[0];
      if (who === undefined || who === own) continue;
      const seat = boxOf([...at("seats").children][names.indexOf(who)]);
      const [verb, card] = event.slice(who.length + 2).split(" ");
      const pile = (name) => boxOf(document.querySelector(`#piles [data-pile=${name}] .card`)) ?? before[name];
      const target = meldOf(event);
      if (verb === "draw") this.fly(null, pile(card), seat);
      else if (verb === "takes") this.fly(null, pile("stock"), seat);
      else if (verb === "discard") this.fly(faces.card(card), seat, pile("discard"), document.querySelector("#piles [data-pile=discard] .card"));
      else if (verb === "lay" && target) this.come(target, seat);
      else if ((verb === "tack" || verb === "swap") && target) this.fly(faces.card(card), seat, boxOf(target));
    }
  }
}
