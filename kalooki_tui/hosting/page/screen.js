"use strict";
// What the server says that is none of the framework's messages, as when it ends the screen.
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", (event) => {
      const [kind, sentence] = typeof event.data === "string" ? JSON.parse(event.data) : [];
      if (kind === "told") document.getElementById("told").textContent = sentence;
    });
  }
};
document.addEventListener("DOMContentLoaded", () => {
  const { dataset } = document.getElementById("terminal");
  dataset.sessionWebsocketUrl = `${window.location.protocol === "https:" ? "wss" : "ws"}://${window.location.host}/ws`;
  const size = parseInt(new URLSearchParams(window.location.search).get("fontsize"), 10);
  dataset.fontSize = size >= 6 && size <= 60 ? size : 16;
  document.getElementById("again").addEventListener("click", () => window.location.reload());
  // Keys are the game's at once, without a click before the first.
  const waiting = setInterval(() => {
    const typed = document.querySelector(".textual-terminal textarea");
    if (typed) {
      typed.focus();
      clearInterval(waiting);
    }
  }, 100);
});
