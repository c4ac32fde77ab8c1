"""Who sits where."""

from __future__ import annotations

from dataclasses import dataclass

from kalooki_tui.players import LEVELS


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat's name and who plays it: `human`, or `ai:LEVEL`."""

    name: str
    player: str = "human"

    @property
    def is_human(self) -> bool:
        """Whether a person at this terminal plays the seat."""
        return self.player == "human"

    @property
    def level(self) -> str:
        """The AI level of an AI seat, such as `club`."""
        return self.player.removeprefix("ai:")


#: Names given to AI seats that have none.
AI_NAMES = ("Ada", "Bea", "Cy", "Dot", "Eli", "Flo", "Gus", "Hal", "Ida", "Jed", "Kit")


def parse_seats(texts: list[str] | tuple[str, ...]) -> tuple[SeatPlan, ...]:
    """Seats from their text forms: `Ann` (a person), `ai:club`, or a named AI, `Bob=ai:club`.

    Raises:
        ValueError: a name is empty, taken, or has a space or colon in it, or a level does not exist.
    """
    plans: list[SeatPlan] = []
    taken = {text.partition("=")[0] for text in texts}
    spare = (name for name in AI_NAMES if name not in taken)
    for text in texts:
        name, _, player = text.partition("=")
        if not player and ":" in name:
            name, player = next(spare), name
        plans.append(SeatPlan(name, player or "human"))
    check_seats(plans)
    return tuple(plans)


def check_seats(plans: list[SeatPlan] | tuple[SeatPlan, ...]) -> None:
    """See that names can be written in actions and told apart, and that players exist.

    Raises:
        ValueError: with a sentence that names the seat.
    """
    seen: set[str] = set()
    for plan in plans:
        if not plan.name or any(mark in plan.name for mark in " :\t\n") or not plan.name.isprintable():
            raise ValueError(f"a seat's name holds no spaces or colons: {plan.name!r}")
        if plan.name.isdigit():
            raise ValueError(f"a seat's name is no number: {plan.name!r}")
        if len(plan.name) > 20:
            raise ValueError(f"a seat's name has 20 characters at most: {plan.name!r}")
        if plan.name.casefold() in seen:
            raise ValueError(f"two seats are called {plan.name!r}")
        seen.add(plan.name.casefold())
        if not plan.is_human and not (plan.player.startswith("ai:") and plan.level in LEVELS):
            known = ", ".join(f"ai:{level}" for level in LEVELS)
            raise ValueError(f"seat {plan.name}: a player is human, or one of {known}; not {plan.player!r}")
