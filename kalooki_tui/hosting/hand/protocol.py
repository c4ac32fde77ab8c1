"""Messages to a page: the table as its person may see it, and sheets to be read.

A sheet is blocks: a heading (`heading`), a line (`text`, with `note` for clauses and `lit` for what was asked about),
cards (`cards`), a table (`head` and `rows`), running totals (`chart`), or something to be said (`say`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import asdict

from kalooki_tui.cards import suit_first
from kalooki_tui.coach.clauses import find_clause, glossary, rules_text
from kalooki_tui.coach.vocabulary import contract_words, example_melds
from kalooki_tui.engine.events import Charged, Scored
from kalooki_tui.engine.melds import meant_by
from kalooki_tui.engine.view import View
from kalooki_tui.notation.messages import ASKS, Message, hello_message, options, table_message
from kalooki_tui.presenter.commands import BY_NAME
from kalooki_tui.presenter.hand_order import Hand
from kalooki_tui.presenter.prompts import MOVES, large_words
from kalooki_tui.presenter.recap import ending, fresh_melds, recap
from kalooki_tui.presenter.sentences import (
    CHARGES,
    deal_facts,
    deal_words,
    headline,
    how_scored,
    last_score,
    reminder,
    score_sheet,
    settlement_words,
    won_words,
)
from kalooki_tui.presenter.turn_state import TurnState
from kalooki_tui.session.match_session import MatchSession

Blocks = list[Message]
#: How much is told of the last round: so many rows of so many characters.
WIDTH = 80
ROWS = 3
#: Commands of the table that the page has buttons or keys for.
PRESSED: Final = sorted(MOVES | {"undo", "sort", "group", "confirm"})


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
    blocks: Blocks = [{"head": [word.capitalize(), *view.names], "rows": rows}, *chart(view, totals)]
    if view.rules.ruleset.end.after == "elimination":
        blocks.append({"text": f"The pool holds {view.pool}."})
    return "Scores", blocks


def chart(view: View, totals: Sequence[Sequence[int]]) -> Blocks:
    """Return the running totals after each deal, `totals[deal][seat]`, once there is one."""
    starts = list(view.rules.settings.handicap or (0,) * len(view.names))
    return [{"chart": [starts, *map(list, totals)], "names": list(view.names)}] if totals else []


def deal_over(view: View, totals: Sequence[Sequence[int]]) -> tuple[str, Blocks]:
    scored, faces, title = last_score(view), view.rules.faces, f"{deal_words(view)} is over"
    blocks: Blocks = [{"heading": headline(view, scored)}]
    if scored is None:
        return title, blocks
    told = ending(view, WIDTH, ROWS)
    blocks += [{"text": told}] if told else []
    blocks += [{"cards": faces.texts(meld.cards)} for meld in view.melds if meld.owner == scored.out]
    for seat in sorted(range(len(view.names)), key=lambda seat: (scored.points[seat], seat != scored.out)):
        blocks += _seat(view, scored, seat)
    return title, [*blocks, *chart(view, totals)]


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
    keys = {key: name for name in PRESSED for key in BY_NAME[name].keys.split(",")}
    return {**message, "name": ruleset.name, "words": asdict(ruleset.vocabulary), "faces": shown, "keys": keys}


def table(view: View, state: TurnState, *, asked: bool) -> Message:
    """Return the table: the message of programs, its `ask` None unless the person is asked, and more."""
    own = state.seat is not None
    message: Message = {"ask": ASKS[view.phase] if asked else None, **table_message(view)}
    message |= {
        "options": options(view) if asked else [],
        "title": deal_words(view),
        "contract_words": contract_words(view.contract, view.rules.ruleset.vocabulary),
        "examples": [view.rules.faces.texts(one) for one in example_melds(view.rules.ruleset, view.contract)],
        "facts": deal_facts(view),
        "doubling": reminder(view),
        "call_limit": view.rules.ruleset.calls.limit,
        "headline": large_words(view),
        "since": [one.whole for one in recap(view)] if own else [],
    }
    fresh = fresh_melds(view) if own else {}
    for index, (told, meld) in enumerate(zip(message["table"], view.melds, strict=True)):
        meant = [meant_by(meld, place) for place in range(len(meld.cards))]
        told |= {"stands_for": [None if card is None else view.rules.faces.text(card) for card in meant]}
        told |= {"fresh": index in fresh, "new": view.rules.faces.texts(fresh.get(index, ()))}
    return message


def hand_part(view: View, state: TurnState, hand: Hand) -> Message:
    faces, shown = view.rules.faces, hand.in_sight
    staged = [{"kind": str(meld.kind), "cards": faces.texts(meld.cards)} for meld in state.staged_melds]
    slots = [
        {"kind": None if slot.kind is None else str(slot.kind), "needed": slot.needed, "have": slot.have,
         "held": slot.held, "cards": faces.texts(slot.cards)}
        for slot in state.slots()
    ]  # fmt: skip
    return {
        "hand": faces.texts(one.card for one in shown),
        "chosen": [one.chosen for one in shown],
        "new": [one.new for one in shown],
        "bundles": [one.bundle for one in shown],
        "fits": [state.places().get(one.card, []) for one in shown],
        "lacks": [list(bundle) for bundle in hand.lacks],
        "staged": staged,
        "slots": slots,
        "away": state.distance(),
        "points": view.rules.points(view.hand),
        "laid": state.has_laid,
    }
