// What the person has chosen of looks and signals, kept in this browser; and the signals themselves.
"use strict";

const KEPT = "kalooki";
export const THEMES = [["", "As this device"], ["felt", "Felt"], ["midnight", "Midnight"], ["paper", "Paper"], ["contrast", "High contrast"]];

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

export const chosen = read();

export function choose(name, value) {
  chosen[name] = value;
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    // Where nothing may be kept it holds until the page is closed.
  }
  apply();
}

export function apply() {
  const root = document.documentElement;
  root.dataset.theme = chosen.theme ?? "";
  root.classList.toggle("-four", Boolean(chosen.four));
  root.classList.toggle("-still", Boolean(chosen.still));
}

let sounds = null;

// A browser lets no page sound or buzz that nobody has touched yet.
function wake() {
  sounds ??= new AudioContext();
  sounds.resume();
}

document.addEventListener("click", wake, { once: true });
document.addEventListener("keydown", wake, { once: true });

export function signal() {
  if (chosen.quiet) return;
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(80);
  if (sounds?.state !== "running") return;
  [659, 880].forEach((pitch, place) => {
    const [tone, loud, start] = [sounds.createOscillator(), sounds.createGain(), sounds.currentTime + place * 0.11];
    tone.type = "sine";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0, start);
    loud.gain.linearRampToValueAtTime(0.12, start + 0.015);
    loud.gain.exponentialRampToValueAtTime(0.001, start + 0.28);
    tone.connect(loud).connect(sounds.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  });
}
