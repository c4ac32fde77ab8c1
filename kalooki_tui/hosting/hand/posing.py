"""What is asked over the table on the page, what answers it, and the buttons of a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kalooki_tui.desk.commands import BY_NAME
from kalooki_tui.desk.faults import log_fault
from kalooki_tui.desk.table.desk import Desk
from kalooki_tui.desk.table.moves import Way
from kalooki_tui.desk.table.place import Ask, Question
from kalooki_tui.desk.table.prompt import MOVES, Worded, footer_names
from kalooki_tui.engine.actions import Action, Allow, BuyIn, Call, Cut, Leave, Pass, Refuse
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.messages import Message

#: Commands of the table that the page has buttons for.
PRESSED: Final = MOVES | {"undo", "sort", "group", "confirm"}
#: Buttons that are shown though they are not open.
STAY: Final[Mapping[Phase, frozenset[str]]] = {
    Phase.DRAW: frozenset(("draw-stock", "take-discard", "take-flip")),
    Phase.PLAY: frozenset(("lay", "tack", "discard")),
    Phase.ADD_ON: frozenset(("tack",)),
}
GO_ON: Final = "Go on"


@dataclass(eq=False)
class Posed:
    """A question of the place that waits for its answer."""

    question: Question
    worded: Worded
    page: Sequence[Message] = ()
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


@dataclass(frozen=True, eq=False)
class Choice:
    """Which of several ways a move is meant, or whether it is."""

    worded: Worded
    then: Callable[[Any], object]


def to_be_read(name: str, title: str) -> Worded:
    """Something to be read, until the person goes on."""
    return Worded(name, title, (), (Way(GO_ON, True),))


def buttons(at: object, desk: Desk) -> list[Message]:
    """What can be pressed at a front end, the most needed first."""
    names = footer_names(desk) if desk.is_asked else ("undo",)
    shown = [BY_NAME[name] for name in dict.fromkeys(names) if name in PRESSED and name not in ("sort", "group")]
    told = [
        {"press": one.name, "label": one.label if one.name == "end" else one.words(at), "open": one.is_open(at)}
        for one in shown
    ]
    # What is not open says why when it is tapped; only what belongs to the moment is worth the room.
    stay = STAY.get(desk.view.phase, frozenset())
    return [one for one in told if one["open"] or one["press"] in stay]


async def without_fault(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do something of which a fault must not cost the match."""
    try:
        await work()
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the match goes on without it
        log_fault(error)


#: Those questions, and the actions that answer them.
ANSWERED: Final[Mapping[Ask, tuple[type[Action], ...]]] = {
    Ask.CALLERS: (Call, Pass),
    Ask.DECISION: (Allow, Refuse),
    Ask.CUT: (Cut,),
    Ask.BUY_IN: (BuyIn, Leave),
}


def value_of(action: Action) -> object:
    """What an action is worth as the answer of a question."""
    return action.count if isinstance(action, Cut) else isinstance(action, Call | Allow | BuyIn)
