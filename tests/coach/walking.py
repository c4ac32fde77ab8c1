"""Decisions of club players in deals of every kind, for the coach to speak to; a learner and a chapter."""

import random
from collections.abc import Iterator

from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.course.courses import Course
from kalooki_tui.desk.study.learning import Learning
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.store.player.progress import ProgressFile

SEATS = {"tuluki": 2, "kalookie-40": 3}


def decisions(ruleset: str, seed: str, number: int = 1) -> Iterator[tuple[Deal, View]]:
    """Every decision of one deal that is not about the cut, with the deal as it stands."""
    seats = SEATS.get(ruleset, 4)
    found = resolve(load_ruleset(ruleset), (), seats)
    rules = make_rules(found, seats, settings=make_settings(found, {}))
    names = tuple(["Ann", "Bob", "Cat", "Dee"][:seats])
    deal = Deal.blank(rules, names, number, 0, 1, f"{seed}/{number}")
    deal.begin()
    players = [make_player("club", "0") for _ in range(seats)]
    while deal.actor is not None:
        view = deal.view(deal.actor)
        if view.phase is not Phase.CUT:
            yield deal, view
        deal.apply(players[view.seat].decide(view).action)


def dealt_anew(deal: Deal, view: View, seed: int) -> View:
    """The same view with the cards that it does not show dealt again."""
    again = deal.clone()
    hidden = [card for seat, hand in enumerate(again.hands) if seat != view.seat for card in hand] + again.stock
    random.Random(seed).shuffle(hidden)
    for seat, hand in enumerate(again.hands):
        if seat != view.seat:
            again.hands[seat] = [hidden.pop() for _ in hand]
    again.stock = hidden
    return again.view(view.seat)


def learning_of(ruleset: str = "jamaican") -> Learning:
    """The course of a ruleset at the desk."""
    return Learning.of(ruleset, ProgressFile.load(), print)


def chapter_of(course: Course, chapter_id: str) -> Chapter:
    """A chapter that there is."""
    chapter = course.chapter(chapter_id)
    assert chapter is not None
    return chapter
