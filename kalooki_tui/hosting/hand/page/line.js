// The line to the table: it comes back by itself, and what was on its way is sent again only if it still counts.
"use strict";

const PATIENCE = 4000;
const WAITS = [300, 1000, 2000, 4000];
const ASKED = 20000;

export class Line {
  // `take` is given each message, `show` how the line is: "", a sentence, or a sentence and whether it is the end.
  constructor(take, show) {
    this.take = take;
    this.show = show;
    this.pending = null;
    this.count = 0;
    this.tries = 0;
    this.isEnded = false;
    document.addEventListener("visibilitychange", () => !document.hidden && this.look());
    window.addEventListener("online", () => this.look());
    window.addEventListener("pageshow", (event) => event.persisted && this.look());
    setInterval(() => !document.hidden && this.look(), ASKED);
    this.open();
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  open() {
    clearTimeout(this.again);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.socket = new WebSocket(`${scheme}://${location.host}/hand/ws`));
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.tries = 0;
      this.show("");
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      clearTimeout(this.silence);
      this.silence = 0;
      const message = JSON.parse(event.data);
      if ("ended" in message) {
        this.isEnded = message.ended !== "";
        if (this.isEnded) this.show(message.ended, true);
      } else if ("heard" in message) {
        if (this.pending && this.pending.id === message.heard) this.pending = null;
        this.take(message);
      } else if (!("pong" in message)) {
        this.take(message);
      }
    };
    socket.onclose = () => {
      if (socket !== this.socket || this.isEnded) return;
      this.show("No connection. Trying again…");
      if (!wasOpen) this.askWhetherKnown();
      this.again = setTimeout(() => this.open(), WAITS[Math.min(this.tries++, WAITS.length - 1)]);
    };
  }

  // A table that has begun anew knows nobody: then the code has to be typed again.
  async askWhetherKnown() {
    try {
      const answer = await fetch("/hand/ws");
      if (answer.status === 403) location.reload();
    } catch {
      // There is no connection at all.
    }
  }

  // Whether anybody is at the other end: a phone that was dark does not know.
  look() {
    if (this.isEnded) return;
    if (this.socket.readyState === WebSocket.CONNECTING) return;
    if (!this.isOpen) {
      this.open();
    } else if (!this.silence) {
      this.socket.send(JSON.stringify({ ping: 1 }));
      this.silence = setTimeout(() => {
        this.silence = 0;
        this.socket.onclose = null;
        this.socket.close();
        this.open();
      }, PATIENCE);
    }
  }

  comeBack() {
    this.isEnded = false;
    this.open();
  }

  // Something that may be lost; its number, by which it is said to be heard.
  tell(message) {
    if (!this.isOpen) return 0;
    this.socket.send(JSON.stringify({ ...message, id: ++this.count }));
    return this.count;
  }

  // Something that is done once. It names the moment that it answers, so that it can be sent again without harm.
  act(message, moment) {
    if (this.pending || !this.isOpen) return false;
    this.pending = { ...message, moment, id: ++this.count };
    this.carrier = this.socket;
    this.socket.send(JSON.stringify(this.pending));
    return true;
  }

  // The table as it is after the line came back: what was on its way still counts, or has been heard or overtaken.
  atTable(moment) {
    if (!this.pending || this.carrier === this.socket) return;
    this.carrier = this.socket;
    if (this.pending.moment === moment) this.socket.send(JSON.stringify(this.pending));
    else this.pending = null;
  }
}
