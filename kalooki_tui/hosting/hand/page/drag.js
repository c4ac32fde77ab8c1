// Cards are tapped, or dragged: to another place of the hand, to the pile, to a meld. Sideways at once, elsewhere on a
// screen that scrolls after a moment under the finger.
"use strict";

const FAR = 10;
const HOLD = 150;

export class Drag {
  // `drop` is given the card's index and what it was dropped on: {index}, {pile} or {meld}.
  constructor(hand, tap, drop) {
    this.hand = hand;
    this.tap = tap;
    this.drop = drop;
    this.held = null;
    this.target = null;
    hand.addEventListener("pointerdown", (event) => this.take(event));
    hand.addEventListener("pointermove", (event) => this.carry(event));
    hand.addEventListener("pointerup", () => this.release());
    hand.addEventListener("pointercancel", () => this.letGo());
    // A card that is held keeps the page from scrolling under it.
    hand.addEventListener("touchmove", (event) => this.held?.ready && event.preventDefault(), { passive: false });
    // Fingers and keys alike end in a click; that of a drag is none.
    hand.addEventListener("click", (event) => {
      const item = this.itemOf(event.target);
      if (item && !this.wasDragged) this.tap(Number(item.dataset.index));
      this.wasDragged = false;
    });
  }

  itemOf(element) {
    return element?.closest?.("#hand > li[data-index]");
  }

  take(event) {
    if (event.isPrimary) this.letGo();
    this.wasDragged = false;
    const item = this.itemOf(event.target);
    if (!item || !event.isPrimary || event.button) return;
    const timer = setTimeout(() => this.lift(), HOLD);
    this.held = { item, x: event.clientX, y: event.clientY, id: event.pointerId, ready: false, moved: false, timer };
  }

  lift() {
    this.held.ready = true;
    this.held.item.classList.add("-held");
  }

  carry(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.id) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.item.isConnected) return this.letGo();
    if (!held.moved) {
      if (Math.hypot(dx, dy) < FAR) return;
      held.moved = true;
      this.hand.setPointerCapture(held.id);
      this.lift();
      document.body.classList.add("-dragging");
    }
    held.item.firstChild.style.transform = `translate(${dx}px, ${dy}px) scale(1.04)`;
    held.item.style.pointerEvents = "none";
    this.mark(this.under(event));
  }

  under(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return this.itemOf(element) ?? element?.closest?.("[data-pile=discard], #melds .meld") ?? null;
  }

  mark(element) {
    this.target?.classList.remove("-target");
    this.target = element;
    element?.classList.add("-target");
  }

  release() {
    const { held, target } = this;
    if (held?.moved) {
      this.wasDragged = true;
      setTimeout(() => (this.wasDragged = false), 50);
    }
    this.letGo();
    if (!held?.moved || !target || target === held.item) return;
    const index = Number(held.item.dataset.index);
    if (target.dataset.index) this.drop(index, { index: Number(target.dataset.index) });
    else if (target.dataset.pile) this.drop(index, { pile: target.dataset.pile });
    else this.drop(index, { meld: [...target.parentElement.parentElement.children].indexOf(target.parentElement) });
  }

  letGo() {
    const item = this.held?.item;
    clearTimeout(this.held?.timer);
    document.body.classList.remove("-dragging");
    if (item) {
      item.classList.remove("-held");
      item.firstChild.style.transform = "";
      item.style.pointerEvents = "";
    }
    this.mark(null);
    this.held = null;
  }
}
