// Cards are tapped, or dragged to another place of the hand: sideways at once, anywhere after a moment under the finger
// (a quick stroke up or down scrolls).
"use strict";

const FAR = 10;
const HOLD = 150;

export class Drag {
  constructor(hand, tap, move) {
    this.hand = hand;
    this.tap = tap;
    this.move = move;
    this.held = null;
    this.target = null;
    hand.addEventListener("pointerdown", (event) => this.take(event));
    hand.addEventListener("pointermove", (event) => this.carry(event));
    hand.addEventListener("pointerup", () => this.drop());
    hand.addEventListener("pointercancel", () => this.letGo());
    // A card that is held keeps the page from scrolling under it.
    hand.addEventListener("touchmove", (event) => this.held?.ready && event.preventDefault(), { passive: false });
    // Fingers and keys alike end in a click; that of a drag is none.
    hand.addEventListener("click", (event) => {
      const index = this.indexOf(event.target);
      if (index >= 0 && !this.wasDragged) this.tap(index);
      this.wasDragged = false;
    });
  }

  indexOf(element) {
    const item = element?.closest?.("#hand > li");
    return item ? [...this.hand.children].indexOf(item) : -1;
  }

  take(event) {
    if (event.isPrimary) this.letGo();
    this.wasDragged = false;
    const index = this.indexOf(event.target);
    if (index < 0 || !event.isPrimary) return;
    const timer = setTimeout(() => this.lift(), HOLD);
    this.held = { index, x: event.clientX, y: event.clientY, id: event.pointerId, ready: false, moved: false, timer };
  }

  lift() {
    this.held.ready = true;
    this.cardHeld()?.classList.add("-held");
  }

  cardHeld() {
    return this.held && this.hand.children[this.held.index]?.firstChild;
  }

  carry(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.id) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    const card = this.cardHeld();
    if (!card) return this.letGo();
    if (!held.moved) {
      if (Math.hypot(dx, dy) < FAR) return;
      if (!held.ready && event.pointerType === "touch" && Math.abs(dy) > Math.abs(dx)) return this.letGo();
      held.moved = true;
      this.hand.setPointerCapture(held.id);
      this.lift();
    }
    card.style.transform = `translate(${dx}px, ${dy}px)`;
    card.style.pointerEvents = "none";
    const over = this.indexOf(document.elementFromPoint(event.clientX, event.clientY));
    this.mark(over >= 0 ? over : this.target);
  }

  mark(index) {
    if (this.target !== null) this.hand.children[this.target]?.firstChild.classList.remove("-target");
    this.target = index;
    if (index !== null) this.hand.children[index]?.firstChild.classList.add("-target");
  }

  drop() {
    const { held, target } = this;
    if (held?.moved) {
      this.wasDragged = true;
      setTimeout(() => (this.wasDragged = false), 50);
    }
    this.letGo();
    if (held?.moved && target !== null && target !== held.index) this.move(held.index, target);
  }

  letGo() {
    const card = this.cardHeld();
    clearTimeout(this.held?.timer);
    if (card) {
      card.classList.remove("-held");
      card.style.transform = "";
      card.style.pointerEvents = "";
    }
    this.mark(null);
    this.held = null;
  }
}
