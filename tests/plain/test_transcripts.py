import re
from itertools import cycle, islice
from pathlib import Path

import pytest

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.action_text import print_answer
from kalooki_tui.plain import plain_match
from kalooki_tui.plain.console import AWAY
from kalooki_tui.players import make_player
from kalooki_tui.storage.journal import MatchJournal
from tests.commands import Golden
from tests.plain.typing_in import END, play

#: What is tried before a move, in turn: {a} to {e} are cards of the hand, {m} one on the table, {name} somebody else.
TRIED = (
    "?", "hint", "hint", "h", "l {a} {b} {c}", "l {a} {b} {c} | {d} {e} {a}", "x", "k {a}", "plan", "w {a}", "table",
    "why x {a}", "k {a} m1", "s", "k {b} m1 high", "k {b} m1 low", "l 2C 2D 2H", "challenge {name}", "w {b} m1", "lay",
    "end", "sort", "hand", "undo", "f", "nonsense", "why nonsense", "", "k {a} {b} {c}", "x JK", "why l {a} {b} {c}",
    "w", "k", "calls", "calls always", "x {m}", "best", "words", "why lay", "rules", "t", "l {c}", "c", "why undo",
    "a {b}",
)  # fmt: skip
PLACES = (0, 1, 2, 5, 7)
#: Answers after which the input ends.
MOST = 160
#: What is typed where several may call.
CALLING = ("table", "c {name}", "nonsense", "", "{first}", "{turn}", "c {first}", "{first}", "{last}")
#: And what is typed while a hand is looked at there.
LOOKING = ("plan", "", "nonsense", "hint", "c", "scores", "p", "why c")

#: The deck of Air Jamaica has 108 cards.
CUTS = ("0", "108", "x", "107")
SHORT = {"draw stock": "d", "draw discard": "take", "draw flip": "f",
         "lay": "l", "tack": "k", "swap": "w", "discard": "throw"}  # fmt: skip


def short_form(action: Action, view: View) -> str:
    """An action as somebody types it who leaves out what can be worked out."""
    text = print_answer(action, view.names, view.rules.faces)
    word, _, rest = text.partition(" ")
    return SHORT.get(text) or f"{SHORT.get(word, word)} {re.sub('(set|run): | m[0-9].*', '', rest)}".strip()


class Trying:
    """Somebody who tries something else before each move, and moves in short forms."""

    def __init__(self, first: int) -> None:
        tried = islice(cycle(TRIED), first, None)
        self._tried, self._calling, self._looking = tried, cycle(CALLING), cycle(LOOKING)
        self._cuts = cycle(CUTS)
        self._moves, self._left = True, MOST

    def __call__(self, live: MatchJournal | None, asked: str) -> str | None:
        assert live is not None
        self._left -= 1
        if not self._left:
            return END
        match = live.table.match
        if match.actor is None or asked.endswith(("to see your hand:", "go on:", "leave it:")):
            return None
        view = match.view(match.actor)
        turn = view.names[view.turn]
        others = [plan.name for plan in live.table.plans if plan.is_human and plan.name != turn]
        named = {"turn": turn, "first": others[0] if others else turn, "last": others[-1] if others else turn}
        if asked.endswith("1 to 2, or nothing to go back:"):
            return "2"
        if "or nothing to go back:" in asked:
            return "1"
        if asked.endswith("yes or no:"):
            return "yes" if "lay " in asked or "Buy in" in asked else "no"
        if asked.endswith("covers your hand:"):
            return next(self._looking)
        if asked.endswith(("call at once:", "c and a name:")):
            return next(self._calling).format(name=named["turn"], **named)
        self._moves = not self._moves
        if view.phase is Phase.CUT:
            return next(self._cuts)
        if self._moves:
            return short_form(make_player("club", "0").decide(view).action, view)
        text = view.rules.faces.text
        own = {letter: text(view.hand[place % len(view.hand)]) for letter, place in zip("abcde", PLACES, strict=True)}
        laid = text(view.melds[-1].cards[0]) if view.melds else "9S"
        return next(self._tried).format(name=view.names[view.seat - 1], m=laid, **own)


@pytest.mark.parametrize(("ruleset", "seats", "referee", "first"), [
    ("jamaican", ("Ann", "Bob", "Cat", "ai:club"), Referee.STRICT, 24),
    ("baby", ("Ann", "ai:club", "ai:novice"), Referee.PENALTIES, 4),
    ("kooky", ("Ann", "ai:club", "Bob"), Referee.STRICT, 12),
    ("trinidad", ("Ann", "ai:club", "ai:club", "ai:club"), Referee.PENALTIES, 16),
    ("tuluki", ("Anna", "Ann"), Referee.STRICT, 30),
    ("kalookie-40", ("Ann", "Bob", "ai:club"), Referee.STRICT, 0),
    ("air-jamaica", ("Ann", "ai:club", "ai:club"), Referee.PENALTIES, 36),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_all_that_is_written_while_everything_is_tried(
    ruleset: str, seats: tuple[str, ...], referee: Referee, first: int, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, golden: Golden,
) -> None:  # fmt: skip
    monkeypatch.setattr(plain_match, "available", lambda: False)
    monkeypatch.setattr(plain_match, "lifted", lambda count, *_: count)
    options = {"kalookie-40": {"handicap": (149, 0, 0)}, "air-jamaica": {"dealer_cut": True}}.get(ruleset, {})
    written, _, _ = play(
        tmp_path, ruleset, *seats, special=Trying(first), seed=11, referee=referee, settings=options, whole=True
    )
    golden(f"plain-{ruleset}", written.replace("\n" * AWAY, "\n[cleared]\n"))
