import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from kalooki_tui.engine.view import Phase
from kalooki_tui.hosting.hand.front import HandFront
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.session.client import Question, QuestionKind
from tests.commands import Golden
from tests.hosting.tables import page_at
from tests.moments import ASKED, CALLED, OPEN, POSITIONS, buy_in
from tests.session.fronts import at_once

#: Positions or their files, and what is tapped there: a button with the cards chosen, a meld, a way; or typed.
TAPPED = {
    "asked": (ASKED, "press hint; way 1"),
    "called": (CALLED, "press hint; way 0"),
    "open": (OPEN, """press hint; press lay 5C 5D 5H; press take-discard; press stage 5C 5D 5H; press stage KS KD KH;
        press group; press sort; unstage 0; press undo; press lay; press confirm; way 0; press discard;
        press discard 2D; answer lay 5C 5D 5H; answer fly away; press undo; press discard 2D"""),
    "buy-in": (buy_in("Ann"), "way 0"),
    "add-on": ("G5_from-the-add-on", "press swap 6G; way 0; close; press lay 8R 8B 8Y; press end; press done"),
    "tack": ("D6_which-end", "press draw-stock; press tack; meld 0; way 1; press tack"),
    "swap": ("K10_the-joker-is-used-at-once", "press draw-stock; press swap; way 0"),
    "flip": ("D13_tuluki-in-the-flip-window", "press call; press pass; press take-flip"),
    "cut": ("B1_an-exact-cut", "way 0; answer cut 200; answer cut 20"),
    "told": (OPEN, """ask CONSENT Ann asks to take back a step.; consent no Bob asks to take back a step.;
        consent yes Ann asks to take back a step.; ask CONSENT Bob takes a step back.;
        consent no Bob takes a step back.; ask GO_ON; way 1; hear Cat is away.; said Cat Well played;
        trouble The disk is full.; press draw-stock; press discard; seat 1; press draw-stock; press hint"""),
    "challenge": ("F3_trinidad-a-wrong-challenge", "press challenge; way 0"),
}  # fmt: skip


async def ask(front: HandFront, question: Question) -> None:
    front.hear(f"The answer is {await front.answer(question)}.")


def tap(front: HandFront, what: str) -> None:
    kind, _, rest = what.strip().partition(" ")
    word, _, cards = rest.partition(" ")
    cards = " ".join(cards.split())
    chosen = parse_cards(cards, front.client.session.rules.faces) if kind == "press" and cards else None
    does: dict[str, Callable[[], object]] = {
        "press": lambda: front.press(word, chosen),
        "meld": lambda: front.put_on(int(word), front.state.view.hand[:1]),
        "way": lambda: front.choose_way(int(word)),
        "close": front.close_question,
        "unstage": lambda: front.unstage(int(word)),
        "answer": lambda: front.take(rest),
        "ask": lambda: asyncio.ensure_future(ask(front, Question(QuestionKind[word], front.client.here, words=cards))),
        "consent": lambda: front.consent(agrees=word == "yes", about=cards),
        "hear": lambda: front.hear(rest),
        "said": lambda: front.said(word, cards),
        "trouble": lambda: front.show_trouble(rest),
        "seat": lambda: (setattr(front.client, "here", (int(word),)), front.reseated("Bob plays here now.")),
    }
    does[kind]()


@pytest.mark.parametrize("name", TAPPED)
async def test_all_that_a_page_is_sent_for_each_tap(name: str, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "to_thread", at_once)
    text, taps = TAPPED[name]
    table, front, sent = page_at(text if "\n" in text else (POSITIONS / f"{text}.yaml").read_text(encoding="utf-8"))
    lines, known = list[str](), dict[str, Any]()

    async def shown(what: str) -> None:
        for _ in range(12):
            await asyncio.sleep(0.003)
        state = front.table_message()
        changed = {key: value for key, value in state.items() if key != "moment" and known.get(key, ...) != value}
        known.update(state)
        told = (f"{key}: {json.dumps(one[key], ensure_ascii=False)}" for one in (*sent, changed) for key in one)
        lines.extend((f"# {what}", *told, ""))
        sent.clear()

    serving = asyncio.ensure_future(front.client.serve(front))
    front.client.session.begin()
    sent += front.hello(), front.log()
    await shown(name)
    for what in taps.split(";"):
        if table.match.phase is not Phase.OVER:
            tap(front, what)
            await shown(" ".join(what.split()))
    front.leave()
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving
    golden(f"phone-{name}", "\n".join(lines))
