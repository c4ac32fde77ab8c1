"""View of one seat, as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kalooki_tui import solver
from kalooki_tui.api.hands import BestLay, as_text
from kalooki_tui.engine.melds import contract_text
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.engine.view import View as EngineView
from kalooki_tui.notation.action_text import print_meld_number
from kalooki_tui.notation.messages import Message, ask_message, hello_message, options, own_events
from kalooki_tui.notation.seat_text import by_name
from kalooki_tui.wording import cells, padded


class LaidMeld(NamedTuple):
    """Meld on the table: `name` as in actions, such as ``m1``; `kind` is ``set`` or ``run``."""

    name: str
    owner: str
    kind: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """Table as one seat may see it, without hidden cards. Cards are texts, seats are names."""

    engine: EngineView
    """View of the engine, with cards and seats as numbers; not stable from version to version."""

    @property
    def seat(self) -> str:
        return self.engine.names[self.engine.seat]

    @property
    def names(self) -> tuple[str, ...]:
        """Seats, clockwise."""
        return self.engine.names

    @property
    def deal(self) -> int:
        """Number of the deal, from 1."""
        return self.engine.deal

    @property
    def contract(self) -> str:
        """Contract of the first lay-down, in the game's own words: ``3 threes``."""
        return contract_text(self.engine.rules.ruleset.vocabulary, self.engine.contract)

    @property
    def phase(self) -> str:
        """Phase of the deal: ``draw``, ``play``, ``call-window``, ``decision``, …, ``over``."""
        return str(self.engine.phase)

    @property
    def actor(self) -> str | None:
        """Seat that decides; None: the deal is over."""
        return None if self.engine.actor is None else self.engine.names[self.engine.actor]

    @property
    def turn(self) -> str:
        """Seat whose turn it is; others are asked in it whether they call."""
        return self.engine.names[self.engine.turn]

    @property
    def dealer(self) -> str:
        return self.engine.names[self.engine.dealer]

    @property
    def hand(self) -> tuple[str, ...]:
        return self._texts(self.engine.hand)

    @property
    def discard(self) -> str | None:
        return None if self.engine.discard is None else self.engine.rules.faces.text(self.engine.discard)

    @property
    def flip(self) -> str | None:
        """Open flip, in Tuluki."""
        return None if self.engine.flip is None else self.engine.rules.faces.text(self.engine.flip)

    @property
    def stock(self) -> int:
        return self.engine.stock

    @property
    def melds(self) -> tuple[LaidMeld, ...]:
        names = self.engine.names
        return tuple(
            LaidMeld(print_meld_number(index), names[meld.owner], str(meld.kind), self._texts(meld.cards))
            for index, meld in enumerate(self.engine.melds)
        )

    @property
    def hand_sizes(self) -> dict[str, int]:
        """Number of cards by seat."""
        return by_name(self.engine.names, self.engine.hand_sizes)

    @property
    def totals(self) -> dict[str, int]:
        """Running totals by seat."""
        return by_name(self.engine.names, self.engine.totals)

    @property
    def laid(self) -> dict[str, bool]:
        """True for each seat that has laid its contract."""
        return {name: state is not HasLaid.NO for name, state in zip(self.names, self.engine.laid, strict=True)}

    @property
    def calls(self) -> dict[str, int] | None:
        """Calls in this deal by seat; None where the referee keeps that to itself."""
        return None if self.engine.calls is None else by_name(self.engine.names, self.engine.calls)

    @property
    def log(self) -> tuple[str, ...]:
        """Events of the deal, a line each; cards that the seat drew itself are named."""
        return tuple(own_events(self.engine.seat, self.engine.history, self.engine.names, self.engine))

    @property
    def legal(self) -> tuple[str, ...]:
        """Answers open to the seat, such as ``draw stock``, without lay-downs (see `best_lay`)."""
        return tuple(options(self.engine))

    @property
    def may_lay(self) -> bool:
        """True if the seat may lay melds now, if it holds them."""
        return self.engine.may_lay

    def best_lay(self) -> BestLay | None:
        """Find the lay-down that leaves the fewest points in the hand; None: the seat cannot lay now."""
        engine = self.engine
        if not engine.may_lay:
            return None
        found = solver.best_lay_of(engine)
        return None if found is None else as_text(engine.rules, found)

    def distance(self) -> int:
        """Count the cards that the hand lacks for the contract."""
        return solver.distance(self.engine.rules, self.engine.contract, self.engine.hand)

    def useful_cards(self) -> tuple[str, ...]:
        """Return the cards that bring the hand one card nearer to the contract."""
        _, helps = solver.useful_cards(self.engine.rules, self.engine.contract, self.engine.hand)
        return self._texts(tuple(helps))

    def hello(self) -> Message:
        """Return the first message to a program at this seat, as JSON-ready data (docs/bots.md)."""
        return hello_message(self.engine)

    def message(self) -> Message:
        """Return the question to a program at this seat, with all events, as JSON-ready data (docs/bots.md)."""
        return ask_message(self.engine, self.engine.history)

    def _texts(self, cards: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(map(self.engine.rules.faces.text, cards))

    def __str__(self) -> str:
        return f"{table_text(self)}\n{self.seat} holds {' '.join(self.hand) or 'no cards'}"

    def __repr__(self) -> str:
        return f"<View of {self.seat}: {moment(self)}>"


def moment(view: View) -> str:
    """Return where the match stands: ``deal 1, Ann: draw``."""
    return f"deal {view.deal}, {f'{view.actor}: ' if view.actor else ''}{view.phase}"


def table_text(view: View) -> str:
    """Return the public part of the table in a few lines."""
    engine = view.engine
    game = engine.rules.ruleset
    of = f" of {len(game.deals)}" if game.end.after == "last-deal" else ""
    lines = [f"{game.name}, deal {view.deal}{of}: {view.contract}"]
    flip = f", flip {view.flip}" if view.flip else ""
    state = "the deal is over" if view.actor is None else f"{view.actor}: {view.phase}"
    lines.append(f"{state}; discard {view.discard or 'none'}{flip}, stock {view.stock}")
    width = max(map(cells, view.names))
    sizes, totals = view.hand_sizes, view.totals
    for name in view.names:
        turn = ">" if name == view.turn else " "
        laid = "  has laid" if view.laid[name] else ""
        lines.append(f"{turn} {padded(name, width)} {sizes[name]:>3} cards {totals[name]:>5} points{laid}".rstrip())
    lines += [f"{meld.name} {meld.owner}: {' '.join(meld.cards)}" for meld in view.melds]
    return "\n".join(lines)
