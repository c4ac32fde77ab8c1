"""Sheets to be read on the page, as blocks: rules, words, scores, the end of a deal, the end of a match.

A block is a heading (`heading`), a line (`text`, with `note` for clauses and `lit` for what was asked about), cards
(`cards`), a table (`head` and `rows`), or something to be said (`say`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kalooki_tui.cards import suit_first
from kalooki_tui.coach.clauses import find_clause, rules_text
from kalooki_tui.coach.glossary import glossary
from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.desk.table.recap import ending
from kalooki_tui.desk.words.deals import deal_words, score_sheet, why_void
from kalooki_tui.desk.words.settlement import settlement_words
from kalooki_tui.desk.words.telling import won_words
from kalooki_tui.engine.events import Charged, Scored
from kalooki_tui.engine.view import View
from kalooki_tui.notation.messages import Message
from kalooki_tui.ui.screens.scores import CHARGES, headline, how_scored

if TYPE_CHECKING:
    from kalooki_tui.desk.table.sitting import Sitting

Blocks = list[Message]
#: How much is told of the last round: so many rows of so many characters.
WIDTH = 80
ROWS = 3


def rules(view: View, clause: str) -> tuple[str, Blocks]:
    """The rules of the match, its contract first; the line about a clause is lit."""
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
    """What the words of the game mean."""
    faces, blocks = view.rules.faces, Blocks()
    for word in glossary(view.rules.ruleset):
        blocks += [{"heading": word.term}, {"text": word.says}]
        blocks += [
            {"cards": faces.texts((*one.cards, *one.add)), "text": "Wrong." if one.wrong else ""}
            for one in word.pictures
        ]
    return "Words", blocks


def scores(view: View, totals: Sequence[Sequence[int]]) -> tuple[str, Blocks]:
    """Points of each deal beside its contract, and the totals."""
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
    """How the deal ended, and everybody's cards, the winner first."""
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
    """What a seat was left with, and what it was charged."""
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


def match_over(view: View, sitting: Sitting) -> tuple[str, Blocks]:
    """Who has won, and the scores."""
    won = won_words([view.names[seat] for seat in sitting.winners])
    _, table = scores(view, sitting.totals)
    settled: Blocks = [{"text": line} for line in settlement_words(sitting.settlement())]
    return "The match is over", [{"heading": f"★ {won} ★"}, *settled, *table]
