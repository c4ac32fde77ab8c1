// Cards are tapped, or dragged to another place of the hand.
"use strict";

const FAR = 10;

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
    this.wasDragged = false;
    const index = this.indexOf(event.target);
    if (index < 0 || !event.isPrimary) return;
    this.held = { index, x: event.clientX, y: event.clientY, id: event.pointerId, moved: false };
  }

  carry(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.id) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    const card = this.hand.children[held.index]?.firstChild;
    if (!card) return this.letGo();
    if (!held.moved) {
      if (Math.hypot(dx, dy) < FAR) return;
      held.moved = true;
      this.hand.setPointerCapture(held.id);
      card.classList.add("-held");
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
    const card = this.held && this.hand.children[this.held.index]?.firstChild;
    if (card) {
      card.classList.remove("-held");
      card.style.transform = "";
      card.style.pointerEvents = "";
    }
    this.mark(null);
    this.held = null;
  }
}
