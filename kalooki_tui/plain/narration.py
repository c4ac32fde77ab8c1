"""Sentences about the table, for play as text."""

from __future__ import annotations

from collections.abc import Sequence

from kalooki_tui.cards import Card, suit_first
from kalooki_tui.coach.clauses import rules_text
from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.engine.events import Charged, Scored
from kalooki_tui.engine.melds import Meld, meant_by
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.presenter.moves import lack_text
from kalooki_tui.presenter.sentences import deal_words, reminder, score_sheet
from kalooki_tui.solver import distance
from kalooki_tui.solver.witness import nearest_plan
from kalooki_tui.wording import FIRST_NAME, capital, counted, does


def help_text(rules: Rules) -> str:
    """Return what can be typed in this game, and what it does."""
    ruleset = rules.ruleset
    calls, flips = bool(ruleset.calls.limit), ruleset.draw.offer == "flip"
    lines = (
        (True, "d", "draw from the stock"),
        (not flips, "t", "take the open card"),
        (flips, "f", f"take the {ruleset.vocabulary.flip}"),
        (calls, "c, p", "call the card thrown; pass"),
        (calls, "a, r", "allow a call; refuse it"),
        (True, "lay 5C 5D 5H", "lay melds, in any order; lay alone offers the best"),
        (True, "tack 7H m2", "add cards to a meld; without a meld where there is one place"),
        (ruleset.has_swaps, "swap 8S m1", "put a card in a joker's place"),
        (True, "x 9D", "throw a card"),
        (True, "end", "end the turn without a throw" + ", or your part in the add-on" * ruleset.score.add_on),
        (rules.charges.over_call is not None, "challenge Ann", "say that a seat has called too often"),
        (True, "hint", "a hint; again for more"),
        (True, "plan", "what the nearest plan has and lacks"),
        (True, "why x JK", "why something is not allowed"),
        (True, "hand, table, scores", "hear them again"),
        (True, "sort", "sort the hand by rank, then by suit"),
        (True, "rules, words", "the rules of this game; what its words mean"),
        (calls, "calls always", "be asked about every call; calls helps, calls turn: about fewer"),
        (True, "seats", "change who plays: an AI for a person, a person for an AI, another name"),
        (True, "undo", "take back your last step, unless it showed something new"),
        (True, "quit", "leave the match"),
    )
    return "\n".join(f"{typed}: {what}" for is_there, typed, what in lines if is_there)


def deal_text(view: View) -> str:
    rules = view.rules.ruleset
    asked = contract_words(view.contract, rules.vocabulary)
    dealer = f"{does(view.names[view.dealer], 'deal')}."
    cards = counted(view.contract.cards, "card")
    return f"{deal_words(view)}: {asked}. {cards} each. {dealer} {capital(reminder(view))}."


def hand_text(view: View, cards: Sequence[Card], new: Sequence[Card] = ()) -> str:
    if not cards:
        return "You have no cards."
    came = f"; new: {view.rules.faces.symbols(new)}" if new else ""
    parts = [f"Your {counted(len(cards), 'card')}: {view.rules.faces.symbols(cards)}{came}."]
    if not has_laid(view, view.seat):
        away = distance(view.rules, view.contract, view.hand)
        goal = f"{view.contract.points} points" if view.contract.points else "the contract"
        parts.append(f"{counted(away, 'card')} from {goal}." if away else f"You hold {goal}.")
    return " ".join(parts)


def table_text(view: View) -> str:
    lines = []
    limit = view.rules.ruleset.calls.limit
    for seat, name in enumerate(view.names):
        parts = [counted(view.hand_sizes[seat], "card")]
        if not view.in_deal[seat]:
            parts = ["out of the deal"]
        elif has_laid(view, seat):
            parts.append("laid")
        elif limit and view.calls is not None:
            parts.append(f"{counted(limit - view.calls[seat], 'call')} left")
        parts.append(f"total {view.totals[seat]}")
        lines.append(f"{name}: {', '.join(parts)}.")
    lines += [meld_text(view, index, meld) for index, meld in enumerate(view.melds)]
    if not view.melds:
        lines.append("No melds on the table yet.")
    symbol = view.rules.faces.symbol
    open_card = "nothing lies open" if view.discard is None else f"{symbol(view.discard)} lies open"
    lines.append(f"Stock {counted(view.stock, 'card')}; {open_card}.")
    if view.flip is not None:
        lines.append(f"The flip is {symbol(view.flip)}.")
    return "\n".join(lines)


def meld_text(view: View, index: int, meld: Meld) -> str:
    faces = view.rules.faces
    words = []
    for place, card in enumerate(meld.cards):
        meant = meant_by(meld, place)
        words.append(faces.symbol(card) if meant is None else f"{faces.symbol(card)} for {faces.symbol(meant)}")
    owner = "yours" if view.names[meld.owner] == FIRST_NAME else view.names[meld.owner]
    return f"m{index + 1}, {owner}: {', '.join(words)}."


def scores_text(view: View, totals: Sequence[Sequence[int]]) -> str:
    """Return contract and points of each deal, totals, the lowest first, and counters."""
    word = view.rules.ruleset.vocabulary.deal.capitalize()
    sheet = []
    for number, (contract, points) in enumerate(score_sheet(view, totals), 1):
        told = ", ".join(f"{name} {one:+d}" for name, one in zip(view.names, points, strict=True))
        sheet.append(f"{word} {number}, {contract}: {told}.")
    order = sorted(range(len(view.names)), key=lambda seat: view.totals[seat])
    lines = [f"{view.names[seat]}: {view.totals[seat]}" for seat in order]
    if view.rules.ruleset.end.after == "elimination":
        lines = [f"{line}, counters {view.money[seat]:+d}" for line, seat in zip(lines, order, strict=True)]
        lines.append(f"The pool holds {view.pool}.")
    return "\n".join((*sheet, *lines))


def plan_text(view: View) -> str:
    if has_laid(view, view.seat):
        return "You have laid: now you can lay or tack what fits."
    plan = None if view.contract.points else nearest_plan(view.rules, view.contract, view.hand)
    if plan is None:
        return "There is no plan to show."
    faces, lines = view.rules.faces, []
    for meld in plan.melds:
        held = faces.symbols(meld.held) or "nothing yet"
        lacks = ", ".join(lack_text(lack, faces) for lack in meld.lacks)
        lines.append(f"{held}{f'; lacks {lacks}' if lacks else ', complete'}.")
    return "\n".join((*lines, f"{counted(plan.missing, 'card')} missing in all."))


def rules_lines(view: View) -> str:
    lines, symbols = [], view.rules.faces.symbols
    for section in rules_text(view.rules.ruleset, view.rules):
        lines += ["", section.heading]
        for line in section.lines:
            example = f" Such as {' | '.join(map(symbols, line.example))}." if line.example else ""
            lines.append(f"{line.text} ({line.clauses}){example}")
    return "\n".join(lines)


def deal_over_text(view: View) -> str:
    scored = next((event for event in reversed(view.history) if isinstance(event, Scored)), None)
    word = view.rules.ruleset.vocabulary.deal
    if scored is None:
        return f"The stock ran out twice: this {word} is void, and nobody scores."
    lines = [f"{deal_words(view)} is over."]
    for seat in sorted(range(len(view.names)), key=lambda seat: scored.points[seat]):
        held = sorted(scored.hands[seat], key=suit_first)
        left = f" with {view.rules.faces.symbols(held)}" if held else ""
        charged = sum(event.points for event in view.history if isinstance(event, Charged) and event.seat == seat)
        extra = f", {charged} of them charged" if charged else ""
        total = scored.totals[seat]
        lines.append(f"{view.names[seat]}: {scored.points[seat]:+d}{extra}, total {total}{left}.")
    if scored.doubled:
        lines.append("Cards left in the hand count double.")
    return "\n".join(lines)
