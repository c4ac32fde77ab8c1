"""A person who types: each line an action that the rules allow, in the notation's words."""

import io
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from kalooki_tui.engine.view import Phase
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.notation.action_text import print_answer
from kalooki_tui.plain.console import Ended, Lines
from kalooki_tui.plain.plain_match import PlainMatch, at_match
from kalooki_tui.players import make_player
from kalooki_tui.session.plan import AskCalls, MatchPlan, begin_match
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store
from tests.moments import there

Answer = Callable[[MatchJournal, str], str | None]
END: Final = "\x04"
"""The answer that ends the input."""


class Screen(io.StringIO):
    """What is written; an encoding with suits, and no terminal."""

    encoding = "utf-8"


class Typist(io.StringIO):
    """Answers what was asked last; `special` answers first, and None leaves it to the rules."""

    def __init__(self, screen: Screen, special: Answer = lambda live, asked: None) -> None:
        super().__init__()
        self.live: MatchJournal | None = None
        self._screen, self._special = screen, special
        self._dice = random.Random(1)
        self.lines: list[str] = []

    def readline(self, *_: object) -> str:  # type: ignore[override]
        asked = " ".join(self._screen.getvalue()[-400:].rsplit("\n", 3)[-3:]).strip()
        answer = self._special(self.live, asked)
        if answer is None:
            answer = self._usual(self.live, asked)
        self.lines.append(answer)
        return "" if answer == END else f"{answer}\n"

    def _usual(self, live: MatchJournal | None, asked: str) -> str:
        if asked.endswith(("Press enter to go on:", "Press enter to leave it:", "enter covers your hand:")):
            return ""
        if asked.endswith("yes or no:"):
            return "no"
        assert live is not None
        actor = there(live.table.match.actor)
        view = live.table.view(actor)
        if asked.endswith("type your name to see your hand:"):
            return view.names[actor]
        if asked.endswith(("c and a name to call at once:", ", or c and a name:")):
            return view.names[view.turn] if live.table.is_human(view.turn) else "none"
        if view.phase is Phase.CUT:
            return "20"
        action = make_player("club", "0").decide(view).action
        return print_answer(action, view.names, view.rules.faces)


def play(
    home: Path, ruleset: str, *seats: str, special: Answer = lambda live, asked: None, seed: int = 3, width: int = 80,
    whole: bool = False, **others: object,
) -> tuple[str, Typist, MatchJournal]:  # fmt: skip
    """One deal, or a whole match, unless it is left; what was written, who typed, and the match."""
    screen = Screen()
    typist = Typist(screen, special)
    with Store.open(home) as store:
        plan = MatchPlan(ruleset=ruleset, seats=parse_seats(seats), seed=seed, **others)  # type: ignore[arg-type]
        with begin_match(store, plan) as live:
            typist.live = live
            if not whole:
                live.end_after_this_deal()
            with suppress(Ended):
                PlainMatch(Lines(typist, screen, width=width), at_match(plan, live, AskCalls.ALWAYS)).play()
    return screen.getvalue(), typist, live
