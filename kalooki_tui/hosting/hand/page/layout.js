// Where cards lie: the hand in fanned rows as large as fits, the melds in the largest cards that all fit with.
"use strict";

const RATIO = 1.4;
// Of a card that another covers there is at least this part in sight, and so many pixels.
const SEEN = 0.34;
const LEAST = 34;
const LARGEST = 168;
const EDGE = 8;
// Of a row that another covers, what is in sight; how far a chosen card is lifted; how far a row is turned at its ends.
const ROW = 0.6;
const LIFT = 0.1;
const TURN = 4;

// Places of `count` items whose widths are given in steps; `gaps`: after which a gap comes.
export function fan(count, gaps, all, height) {
  const width = all - 2 * EDGE;
  const plans = [1, 2, 3].map((rows) => plan(count, gaps, rows, width, height));
  const best = plans.reduce((best, one) => (one.card > best.card * 1.02 ? one : best));
  return { ...best, places: place(best, count, gaps, width) };
}

function plan(count, gaps, rows, width, height) {
  const each = Math.max(1, Math.ceil(count / rows));
  const steps = Math.max(0.001, each - 1 + gaps.size * 0.5 / rows);
  const high = height / (RATIO * (1 + ROW * (rows - 1) + LIFT));
  const wide = Math.min(width / (1 + steps * SEEN), width - steps * LEAST);
  const card = Math.max(44, Math.min(LARGEST, high, wide));
  return { rows, each, card, high: card * RATIO };
}

function place({ rows, each, card, high }, count, gaps, width) {
  const places = [];
  for (let row = 0; row < rows; row += 1) {
    const first = row * each;
    const items = Math.min(each, count - first);
    if (items < 1) break;
    const inner = [...gaps].filter((index) => index >= first && index < first + items - 1).length;
    const steps = items - 1 + inner * 0.5;
    const step = Math.min(card * 1.06, (width - card) / Math.max(1, steps));
    const left = EDGE + (width - card - step * steps) / 2;
    let passed = 0;
    for (let item = 0; item < items; item += 1) {
      const middle = items > 1 ? (2 * item) / (items - 1) - 1 : 0;
      const turn = step > card * 0.8 ? 0 : middle * Math.min(TURN, items * 0.5);
      const y = card * LIFT + row * high * ROW + (turn ? middle * middle * card * 0.05 : 0);
      places.push({ x: left + step * (item + passed), y, turn });
      if (gaps.has(first + item)) passed += 0.5;
    }
  }
  return places;
}

export function heightOf({ rows, high, card }) {
  return high * (1 + ROW * (rows - 1)) + card * (LIFT + 0.1);
}

// Width of the cards of melds with these numbers of cards, so that all have room; melds begin with a label of one line.
export function meldCard(counts, width, height, least, most) {
  for (let card = most; card > least; card -= 4) {
    let [x, rows] = [0, 1];
    for (const count of counts) {
      const own = card * (1 + (count - 1) * step(card)) + 24;
      if (x && x + own > width) [x, rows] = [0, rows + 1];
      x += own;
    }
    if (rows * (card * RATIO + 34) <= height && Math.max(...counts) * card * step(card) < width - card) return card;
  }
  return least;
}

// Cards from this width on have their whole print.
export const WHOLE = 56;
export const step = (card) => (card >= WHOLE ? 0.5 : 0.62);
