"""Notes: what a rule means, told once, when it first matters. When one is due is read off a seat's view.

The sentences are data (`notes.yaml` in the texts of the coach). Their slots, beside the ruleset's vocabulary:

- a line of the rules by its name, such as ``{rule charge}``
- `limit`: calls a seat may make; `over_call`: points for each of more
- `aces`: what each kind of ace costs; `glyph`: the joker as it is drawn
- `out`: the name of who went out
- `challenge`, `end`: keys of the table
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from kalooki_tui.cards import ACE, JOKER, RANK
from kalooki_tui.coach.vocabulary import cost_words
from kalooki_tui.desk.commands import key_of
from kalooki_tui.desk.table.moves import challenge_rule, over_call_points
from kalooki_tui.engine.events import CallAllowed, Charged
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.wording import Person

USUAL: Final = "usual"
#: The note that the dealer's cut shows in its question; the others have a strip of the table.
CUT: Final = "cut"


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it is told; `clause`: where the rules open for more."""

    name: str
    text: str
    clause: str


def note_about(name: str, view: View) -> Note:
    """A note in the words of the view's game."""
    # Most tables have no note at first, and are drawn without these modules.
    from kalooki_tui.coach.catalogue import sentences
    from kalooki_tui.coach.clauses import RULE, rule_slots

    texts = sentences("notes")[name]
    text = texts.get(_case(name, view), texts.get(USUAL, ""))
    quoted = rule_slots(view.rules.ruleset, view.rules) if RULE in text else {}
    return Note(name, text.format(**quoted, **_slots(view)), texts["clauses"].partition(",")[0])


def due_note(view: View, seen: Collection[str], *, mine: bool) -> Note | None:
    """The note that matters most now, of those not seen; `mine`: the hand of the view's seat lies open."""
    for name, is_due in _DUE.items():
        if name not in seen and is_due(view, mine):
            return note_about(name, view)
    return None


def is_due(name: str, view: View, *, mine: bool) -> bool:
    """Whether what a note is about is still there."""
    return _DUE[name](view, mine)


def _has_called(view: View) -> bool:
    """Whether anybody has called a card and got it: how often is for people to remember (D23)."""
    return any(isinstance(event, CallAllowed) for event in view.history)


def _holds_ace(view: View) -> bool:
    return any(RANK[card] == ACE for card in view.hand) and len(_aces(view)) > 1


#: When each note of the table is due, the most pressing first: given the view, and whether its hand lies open.
_DUE: Final[dict[str, Callable[[View, bool], bool]]] = {
    "add-on": lambda view, mine: mine and view.phase is Phase.ADD_ON and view.actor == view.seat,
    "flip": lambda view, mine: view.flip is not None,
    "charge": lambda view, mine: any(isinstance(event, Charged) and event.points > 0 for event in view.history),
    "void": lambda view, mine: view.attempt > 1,
    "reshuffle": lambda view, mine: view.reshuffles > 0,
    "dead": lambda view, mine: view.dead and view.discard is not None,
    "challenge": lambda view, mine: mine and bool(view.may_challenge) and _has_called(view),
    "stakes": lambda view, mine: view.rules.ruleset.end.after == "elimination" and view.phase is not Phase.BUY_IN,
    "colours": lambda view, mine: mine and view.rules.ruleset.deck == "colours",
    "aces": lambda view, mine: mine and _holds_ace(view),
}
#: Every note there is.
NOTES: Final = (*_DUE, CUT)


def _case(name: str, view: View) -> str:
    rule = challenge_rule(view.rules)
    if name == "challenge" and rule is not None:
        return rule.loser
    if name == "dead":
        return view.rules.ruleset.draw.offer
    return USUAL


def _aces(view: View) -> list[str]:
    return cost_words(view.rules.ruleset, (ACE,))


def _slots(view: View) -> dict[str, object]:
    rules = view.rules
    rule = challenge_rule(rules)
    return {
        **vars(rules.ruleset.vocabulary),
        "limit": rules.ruleset.calls.limit,
        "over_call": 0 if rule is None else over_call_points(rules, rule),
        "aces": ", ".join(_aces(view)),
        "glyph": rules.faces.symbol(JOKER),
        "out": Person("" if view.out is None else view.names[view.out]),
        "challenge": key_of("challenge"),
        "end": key_of("end"),
    }
