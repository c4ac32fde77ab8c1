"""Messages to a page: the table as its person may see it, and sheets to be read.

A sheet is blocks: a heading (`heading`), a line (`text`, with `note` for clauses and `lit` for what was asked about),
cards (`cards`), a table (`head` and `rows`), or something to be said (`say`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from kalooki_tui.cards import JOKER, suit_first
from kalooki_tui.coach.clauses import find_clause, glossary, rules_text
from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.engine.events import Charged, Scored
from kalooki_tui.engine.melds import stands_for
from kalooki_tui.engine.view import View
from kalooki_tui.notation.messages import ASKS, Message, hello_message, options, table_message
from kalooki_tui.presenter.recap import ending, fresh_melds, recap
from kalooki_tui.presenter.sentences import (
    deal_words,
    doubling_words,
    score_sheet,
    settlement_words,
    why_void,
    won_words,
)
from kalooki_tui.tui.screens.scores import CHARGES, headline, how_scored

if TYPE_CHECKING:
    from kalooki_tui.presenter.hand_order import Hand
    from kalooki_tui.presenter.turn_state import TurnState
    from kalooki_tui.session.match_session import MatchSession

Blocks = list[Message]
#: How much is told of the last round: so many rows of so many characters.
WIDTH = 80
ROWS = 3


def rules(view: View, clause: str) -> tuple[str, Blocks]:
    """Return the rules of the match, its contract first; the line about a clause is lit."""
    ruleset = view.rules.ruleset
    sections = rules_text(ruleset, view.rules)
    asked = find_clause(sections, clause) if clause else None
    contract = f"{deal_words(view)}: {contract_words(view.contract, ruleset.vocabulary)}."
    blocks: Blocks = [{"text": contract}]
    for section in sections:
        blocks.append({"heading": section.heading})
        for line in section.lines:
            blocks.append({"text": line.text, "note": f"({line.clauses})", "lit": line is asked})
            if line.example:
                blocks.append({"cards": view.rules.faces.texts([card for meld in line.example for card in meld])})
    return ruleset.name, blocks


def words(view: View) -> tuple[str, Blocks]:
    faces, blocks = view.rules.faces, Blocks()
    for word in glossary(view.rules.ruleset):
        blocks += [{"heading": word.term}, {"text": word.says}]
        blocks += [
            {"cards": faces.texts((*one.cards, *one.add)), "text": "Wrong." if one.wrong else ""}
            for one in word.pictures
        ]
    return "Words", blocks


def scores(view: View, totals: Sequence[Sequence[int]]) -> tuple[str, Blocks]:
    word = view.rules.ruleset.vocabulary.deal
    rows = [
        [f"{number}  {contract}", *(f"{one:+d}" for one in points)]
        for number, (contract, points) in enumerate(score_sheet(view, totals), 1)
    ]
    rows.append(["Total", *map(str, view.totals)])
    if view.rules.ruleset.end.after == "elimination":
        rows.append(["Counters", *(f"{money:+d}" for money in view.money)])
    blocks: Blocks = [{"head": [word.capitalize(), *view.names], "rows": rows}]
    if view.rules.ruleset.end.after == "elimination":
        blocks.append({"text": f"The pool holds {view.pool}."})
    return "Scores", blocks


def deal_over(view: View) -> tuple[str, Blocks]:
    word = view.rules.ruleset.vocabulary.deal
    title = f"{deal_words(view)} is over"
    scored = next((event for event in reversed(view.history) if isinstance(event, Scored)), None)
    if scored is None:
        return title, [{"text": f"{why_void(view.history)}: this {word} is void, and nobody scores."}]
    blocks: Blocks = [{"heading": headline(view, scored)}]
    told = ending(view, WIDTH, ROWS)
    blocks += [{"text": told}] if told else []
    for seat in sorted(range(len(view.names)), key=lambda seat: (scored.points[seat], seat != scored.out)):
        blocks += _seat(view, scored, seat)
    return title, blocks


def _seat(view: View, scored: Scored, seat: int) -> Blocks:
    hand = view.rules.faces.texts(sorted(scored.hands[seat], key=suit_first))
    points = f"{scored.points[seat]:+d} = {scored.totals[seat]}"
    return [
        {"heading": view.names[seat], "note": points},
        {"text": how_scored(view, scored, seat), "cards": hand},
        *(
            {"text": f"{event.points:+d}: {CHARGES.get(event.clause, event.clause)}", "note": f"({event.clause})"}
            for event in view.history
            if isinstance(event, Charged) and event.seat == seat
        ),
    ]


def match_over(view: View, session: MatchSession) -> tuple[str, Blocks]:
    won = won_words([view.names[seat] for seat in session.winners])
    _, table = scores(view, session.totals)
    settled: Blocks = [{"text": line} for line in settlement_words(session.settlement())]
    return "The match is over", [{"heading": f"★ {won} ★"}, *settled, *table]


def hello(view: View, *, plays: bool) -> Message:
    """Return the first message of a match: that of programs, and the faces of cards."""
    ruleset, faces = view.rules.ruleset, view.rules.faces
    message = hello_message(view)
    if not plays:
        message["seat"] = None
    suits = [
        {"letter": letter, "symbol": symbol, "name": name, "red": suit in faces.red_suits}
        for suit, (letter, symbol, name) in enumerate(
            zip(faces.suit_letters, faces.suit_symbols, faces.suit_names, strict=True)
        )
    ]
    shown = {"suits": suits, "joker": faces.joker_symbol, "coloured": faces.names_suits}
    return {**message, "name": ruleset.name, "words": asdict(ruleset.vocabulary), "faces": shown}


def table(view: View, state: TurnState, *, asked: bool) -> Message:
    """Return the table: the message of programs, its `ask` None unless the person is asked, and more."""
    own = state.seat is not None
    message: Message = {"ask": ASKS[view.phase] if asked else None, **table_message(view)}
    message |= {
        "options": options(view) if asked else [],
        "title": deal_words(view),
        "contract_words": contract_words(view.contract, view.rules.ruleset.vocabulary),
        "doubling": doubling_words(view),
        "since": [one.whole for one in recap(view)] if own else [],
    }
    fresh = fresh_melds(view) if own else frozenset()
    for index, (told, meld) in enumerate(zip(message["table"], view.melds, strict=True)):
        meant = [stands_for(meld, place) if card == JOKER else None for place, card in enumerate(meld.cards)]
        told |= {"stands_for": [None if card is None else view.rules.faces.text(card) for card in meant]}
        told |= {"fresh": index in fresh}
    return message


def hand_part(view: View, state: TurnState, hand: Hand) -> Message:
    faces, shown = view.rules.faces, hand.in_sight
    staged = [{"kind": str(meld.kind), "cards": faces.texts(meld.cards)} for meld in state.staged_melds]
    slots = [
        {"kind": None if slot.kind is None else str(slot.kind), "needed": slot.needed, "have": slot.have,
         "held": slot.held}
        for slot in state.slots()
    ]  # fmt: skip
    return {
        "hand": faces.texts(one.card for one in shown),
        "chosen": [one.chosen for one in shown],
        "new": [one.new for one in shown],
        "bundles": [one.bundle for one in shown],
        "lacks": [list(bundle) for bundle in hand.lacks],
        "staged": staged,
        "slots": slots,
        "away": state.distance(),
        "points": view.rules.points(view.hand),
        "laid": state.has_laid,
    }
