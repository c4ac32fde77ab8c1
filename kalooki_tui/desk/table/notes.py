"""Notes: what a rule means, told once, when it first matters. When one is due is read off a seat's view.

The sentences are data (`texts/en/notes.yaml`). Their slots, beside the ruleset's vocabulary:

- `stake`, `call_up`: counters; `limit`: calls a seat may make; `over_call`: points for each of more
- `wrong`: what a wrong challenge costs, in words; `penalty`: points added to the loser's hand
- `aces`: what each kind of ace costs; `colours`: the suits' words and letters; `glyph`: the joker as it is drawn
- `out`: the name of who went out
- `challenge`, `end`: keys of the table
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from kalooki_tui.cards import ACE, JOKER, RANK, SUITS, make_card
from kalooki_tui.desk.commands import key_of
from kalooki_tui.desk.table.risking import challenge_rule, over_call_points
from kalooki_tui.engine.events import CallAllowed, Charged
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.values import dataclass
from kalooki_tui.wording import Person

ENGLISH: Final = "en"
USUAL: Final = "usual"
#: The note that the dealer's cut shows in its question; the others have a strip of the table.
CUT: Final = "cut"


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it is told; `clause`: where the rules open for more."""

    name: str
    text: str
    clause: str


@cache
def note_texts(language: str = ENGLISH) -> Mapping[str, Mapping[str, str]]:
    """The notes by name: their clauses, and a text for each case."""
    from ruamel.yaml import YAML

    path = Path(__file__).parent / "texts" / language / "notes.yaml"
    found: Mapping[str, Mapping[str, str]] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    return found


def note_about(name: str, view: View) -> Note:
    """A note in the words of the view's game."""
    texts = note_texts()[name]
    text = texts.get(_case(name, view), texts.get(USUAL, ""))
    return Note(name, text.format(**_slots(view)), texts["clauses"].partition(",")[0])


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
    return any(RANK[card] == ACE for card in view.hand) and len(_ace_values(view)) > 1


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
    """Which text of a note fits the game."""
    rule = challenge_rule(view.rules)
    if name == "challenge" and rule is not None:
        return rule.loser
    if name == "dead":
        return view.rules.ruleset.draw.offer
    return USUAL


def _ace_values(view: View) -> dict[int, list[int]]:
    """Suits by what their ace costs, the highest first."""
    found: dict[int, list[int]] = {}
    for suit in range(SUITS):
        found.setdefault(view.rules.values[make_card(suit, ACE)], []).append(suit)
    return dict(sorted(found.items(), reverse=True))


def _aces(view: View) -> str:
    """What each kind of ace costs: ``black 15, red 1``."""
    faces = view.rules.faces
    parts = []
    for value, suits in _ace_values(view).items():
        red = [suit in faces.red_suits for suit in suits]
        both = len(suits) == SUITS // 2 and len(set(red)) == 1
        name = ("red" if red[0] else "black") if both else ", ".join(faces.suit_names[suit] for suit in suits)
        parts.append(f"{name} {value}")
    return ", ".join(parts)


def _slots(view: View) -> dict[str, object]:
    rules, faces = view.rules, view.rules.faces
    settings, rule = rules.settings, challenge_rule(rules)
    wrong = 0 if rule is None else rule.wrong_challenge
    return {
        **vars(rules.ruleset.vocabulary),
        "stake": settings.initial_stake,
        "call_up": settings.call_up,
        "limit": rules.ruleset.calls.limit,
        "over_call": 0 if rule is None else over_call_points(rules, rule),
        "wrong": f"costs you {wrong}" if wrong else "costs nothing",
        "penalty": 0 if rule is None else rule.points,
        "aces": _aces(view),
        "colours": ", ".join(
            f"{name} ({letter})" for name, letter in zip(faces.suit_names, faces.suit_letters, strict=True)
        ),
        "glyph": faces.symbol(JOKER),
        "out": Person("" if view.out is None else view.names[view.out]),
        "challenge": key_of("challenge"),
        "end": key_of("end"),
    }
