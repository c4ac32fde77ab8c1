"""Questions of the place that a page may answer in notation, as programs do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kalooki_tui.desk.table.messages import Ask
from kalooki_tui.engine.actions import Action, Allow, BuyIn, Call, Cut, Leave, Pass, Refuse

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
