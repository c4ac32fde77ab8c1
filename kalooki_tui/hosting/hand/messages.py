"""Messages to a front end at a socket: those of outside programs, and what a person needs besides (docs/fronts.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kalooki_tui.cards import JOKER, Card, Faces
from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.desk.table.recap import fresh_melds, recap
from kalooki_tui.desk.words.deals import deal_words, doubling_words
from kalooki_tui.engine.melds import Meld, stands_for
from kalooki_tui.engine.view import View
from kalooki_tui.notation.messages import ASKS, Message, hello_message, options, table_message

if TYPE_CHECKING:
    from kalooki_tui.desk.table.desk import Desk
    from kalooki_tui.desk.table.hand import Hand


def hello(view: View, *, plays: bool) -> Message:
    """The first message of a match: that of programs, and how cards look. Not `plays`: for somebody who looks on."""
    ruleset, faces = view.rules.ruleset, view.rules.faces
    message = hello_message(view)
    if not plays:
        message["seat"] = None
    return {**message, "name": ruleset.name, "words": vars(ruleset.vocabulary), "faces": _faces(faces)}


def _faces(faces: Faces) -> Message:
    suits = [
        {"letter": letter, "symbol": symbol, "name": name, "red": suit in faces.red_suits}
        for suit, (letter, symbol, name) in enumerate(
            zip(faces.suit_letters, faces.suit_symbols, faces.suit_names, strict=True)
        )
    ]
    return {"suits": suits, "joker": faces.joker_symbol, "coloured": faces.names_suits}


def table(view: View, desk: Desk, *, asked: bool) -> Message:
    """The table as it stands: the message of programs, where `ask` is None unless the person is asked, and more."""
    own = desk.seat is not None
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
        told |= {"stands_for": [_stands_for(meld, place, view) for place in range(len(meld.cards))]}
        told |= {"fresh": index in fresh}
    return message


def _stands_for(meld: Meld, place: int, view: View) -> str | None:
    """The card that a joker of a run stands for."""
    meant = stands_for(meld, place) if meld.cards[place] == JOKER else None
    return None if meant is None else view.rules.faces.text(meant)


def hand_part(view: View, desk: Desk, hand: Hand) -> Message:
    """The person's own part: the hand in its order, what is staged, how far the contract is."""
    faces, shown = view.rules.faces, hand.in_sight
    staged = [{"kind": str(meld.kind), "cards": faces.texts(meld.cards)} for meld in desk.staged_melds]
    slots = [
        {"kind": None if slot.kind is None else str(slot.kind), "needed": slot.needed, "have": slot.have,
         "held": slot.held}
        for slot in desk.slots()
    ]  # fmt: skip
    return {
        "hand": faces.texts(one.card for one in shown),
        "chosen": [one.chosen for one in shown],
        "new": [one.new for one in shown],
        "bundles": [one.bundle for one in shown],
        "lacks": [list(bundle) for bundle in hand.lacks],
        "staged": staged,
        "slots": slots,
        "away": desk.distance(),
        "points": view.rules.points(view.hand),
        "laid": desk.has_laid,
    }


def in_words(text: Sequence[str | Card], faces: Faces) -> str:
    """A text in which cards stand, with their symbols."""
    return "".join(faces.symbol(part) if isinstance(part, int) else part for part in text)
