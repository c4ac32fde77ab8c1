"""Match played by text: push an action, ask what is legal, look at it as a seat, take back, record, be advised."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

from msgspec import Struct

from kalooki_tui import solver
from kalooki_tui.api.view import LaidMeld, View, moment, table_text
from kalooki_tui.coach import rated_advice as coach
from kalooki_tui.engine.actions import Action, Challenge, Cut, Group, Lay
from kalooki_tui.engine.additions import chains as chains_of
from kalooki_tui.engine.additions import reach_in, uses
from kalooki_tui.engine.candidates import possible_melds
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.match import Match as EngineMatch
from kalooki_tui.engine.match import MatchSetup, headless
from kalooki_tui.engine.melds import contract_text
from kalooki_tui.engine.permissions import has_laid, owes
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.evaluation.rollouts import WORLDS
from kalooki_tui.notation.action_text import is_verb, parse_action, parse_answer, print_action, print_answer
from kalooki_tui.notation.card_text import NotationError
from kalooki_tui.notation.seat_text import check_names, parse_seat
from kalooki_tui.players import Player, make_player
from kalooki_tui.playouts import Mean
from kalooki_tui.records.writer import Line, RecordHead, dump, start_lines, step_lines
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve

DEFAULT_NAMES: Final = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon", "Kim")
USUAL_SEATS: Final = 4

Settings: TypeAlias = Mapping[str, object]


class DealScore(NamedTuple):
    """Result of a deal by seat; `out`: who went out, None if the contract was passed over."""

    deal: int
    points: dict[str, int]
    totals: dict[str, int]
    out: str | None
    bent: bool
    contract: str


class Before(NamedTuple):
    engine: EngineMatch
    lines: int
    text: str


class Match:
    """Match from its first deal to its result, hidden cards included; a seat's `view` holds what that seat may know.

    A new match is made with a ruleset's id or file, and names in clockwise order or their number. `referee` is
    ``strict`` or ``penalties``; `first_turn` names who begins where the ruleset leaves that to the set-up. With
    `auto_deal` the next deal is dealt as soon as one is over. Raise ValueError if these are wrong or do not go
    together.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        ruleset: str = DEFAULT_RULESET,
        seats: Sequence[str] | int | None = None,
        *,
        seed: int | None = None,
        options: Sequence[str] = (),
        referee: str = Referee.STRICT,
        settings: Settings | None = None,
        first_turn: str | None = None,
        players: Mapping[str, str] | None = None,
        auto_deal: bool = True,
    ) -> None:
        found = load_ruleset(ruleset)
        names = _names(seats, found.seat_counts)
        found = resolve(found, options, len(names))
        chosen = headless(found.usual_settings())
        if settings is not None:
            ends = {"max_redeals": chosen.max_redeals, "max_turns": chosen.max_turns}
            chosen = make_settings(found, {**ends, **settings})
        if referee not in list(Referee):
            raise ValueError(f"there is no referee {referee!r}; choose from: {', '.join(Referee)}")
        rules = make_rules(found, len(names), Referee(referee), chosen)
        if seed is None:
            seed = secrets.randbelow(1_000_000)
        first = 0 if first_turn is None else parse_seat(first_turn, names)
        players = players or {}
        for name in players:
            parse_seat(name, names)
        played_by = tuple(players.get(name, "human") for name in names)
        engine = EngineMatch.start(MatchSetup(rules, names, seed, first))
        head = RecordHead(rules, names, played_by, seed, tuple(options), first)
        self._set_up(engine, head, start_lines(head, engine), [])
        self.auto_deal = auto_deal

    def _set_up(self, engine: EngineMatch, head: RecordHead | None, lines: list[Line], steps: list[Before]) -> None:
        self._engine, self._head, self._lines, self._steps = engine, head, lines, steps
        self._first_deal = engine.deal.number
        self.auto_deal = True
        """True if the next deal is dealt as soon as one is over; may be changed at any time."""

    @classmethod
    def _made(cls, engine: EngineMatch, head: RecordHead | None, lines: list[Line], steps: list[Before]) -> Self:
        match = object.__new__(cls)
        match._set_up(engine, head, lines, steps)
        return match

    @property
    def engine(self) -> EngineMatch:
        """Match of the engine, with cards and seats as numbers: not stable from version to version."""
        return self._engine

    @property
    def ruleset(self) -> str:
        return self._engine.rules.ruleset.id

    @property
    def names(self) -> tuple[str, ...]:
        """Seats, clockwise."""
        return self._engine.names

    @property
    def seed(self) -> int | None:
        """Seed of the shuffles; None: a record holds the deals."""
        return self._engine.setup.seed if self._head is None else self._head.seed

    @property
    def players(self) -> dict[str, str]:
        """Player of each seat, as in the record: ``human``, ``ai:club``."""
        played_by = ("human",) * len(self.names) if self._head is None else self._head.players
        return dict(zip(self.names, played_by, strict=True))

    @property
    def deal(self) -> int:
        """Number of the deal, from 1."""
        return self._engine.deal.number

    @property
    def contract(self) -> str:
        """Contract of this deal's first lay-down: ``3 threes``."""
        return self._public().contract

    @property
    def phase(self) -> str:
        """Phase of the deal: ``draw``, ``play``, ``call-window``, ``decision``, …, ``over``."""
        return str(self._engine.phase)

    @property
    def actor(self) -> str | None:
        """Seat that decides; None between deals and at the end."""
        seat = self._engine.actor
        return None if seat is None else self.names[seat]

    @property
    def turn(self) -> str:
        """Seat whose turn it is; others are asked in it whether they call."""
        return self._public().turn

    @property
    def melds(self) -> tuple[LaidMeld, ...]:
        return self._public().melds

    @property
    def totals(self) -> dict[str, int]:
        """Running totals by seat."""
        return dict(zip(self.names, self._engine.totals, strict=True))

    @property
    def scores(self) -> list[DealScore]:
        """Results of the deals, without void ones."""
        number, scores = self._first_deal, []
        for line in self._lines:
            number = line.get("deal", number)
            if "scored" in line:
                who, bent = line.get("out"), line.get("bent", False)
                contract = contract_text(self._engine.rules.ruleset.vocabulary, self._engine.rules.contract(number))
                scores.append(DealScore(number, dict(line["scored"]), dict(line["totals"]), who, bent, contract))
        return scores

    @property
    def is_over(self) -> bool:
        """True once the match has its result."""
        return self._engine.finished

    @property
    def winners(self) -> tuple[str, ...]:
        """Winners, several with equal totals; empty until the match is over."""
        return tuple(self.names[seat] for seat in self._engine.winners)

    @property
    def actions(self) -> list[str]:
        """Actions so far, such as ``Ann: draw stock``, charged attempts included."""
        return [step.text for step in self._steps]

    def view(self, seat: str | None = None) -> View:
        """Return the view of a seat, by default of the one that decides; raise ValueError if there is none."""
        return View(self._engine.view(self._seat(seat)))

    def legal(self, seat: str | None = None, *, lays: bool = False, chains: bool = False) -> list[str]:
        """Return the actions open to a seat, as `push` takes them; by default to the one that decides.

        With `lays`, lay-downs too: up to fifty of the contract, melds as short as possible, and the best one of all;
        once the contract is laid, each further meld by itself. With `chains`, also several cards tacked at once and the
        uses of a freed joker. Empty if nobody, or another seat, is to decide. Raise ValueError for an unknown seat.
        """
        engine = self._engine
        if seat is None and engine.actor is None:
            return []
        number = self._seat(seat)
        actions: list[Action] = [*engine.legal(number)]
        actions += [Challenge(number, target) for target in engine.view(number).may_challenge]
        if engine.phase is Phase.CUT and number == engine.actor:
            actions += [Cut(engine.deal.dealer, count) for count in range(1, engine.rules.deck_size)]
        if lays:
            actions += lay_downs(engine, number)
        if chains and (reach := reach_in(engine.deal, number)) is not None:
            more = [addition.action for addition in (*chains_of(reach), *uses(reach))]
            # Not all of them need leave a place for a drawn discard (H6).
            actions += [action for action in more if engine.why_not(action) is None] if owes(engine.deal) else more
        return [print_action(action, self.names, engine.rules.faces) for action in actions]

    def push(self, action: str | Action) -> None:
        """Take an action such as ``Ann: draw stock``, or one of the engine; without a name, of the seat that decides.

        Raise Refused with `code`, `clause` and `message` if the rules forbid it (only charges then change anything),
        ValueError if it is no action.
        """
        engine = self._engine
        decided = action if isinstance(action, Action) else self._parse(action)
        before = engine.clone()
        seen = len(engine.deal.history)
        try:
            events = engine.apply(decided)
        except Refused as refused:
            if refused.refusal.changed:
                self._note(before, decided, engine.deal.history[seen:], refused.refusal)
            raise
        self._note(before, decided, events)
        if self.auto_deal and engine.actor is None and not engine.finished:
            self.next_deal()

    def _note(
        self, before: EngineMatch, action: Action, events: Sequence[Event], refusal: Refusal | None = None
    ) -> None:
        text = print_action(action, self.names, self._engine.rules.faces)
        self._steps.append(Before(before, len(self._lines), text))
        self._lines += step_lines(self._engine, action, events, refusal)

    def next_deal(self, *, pass_over: bool = False) -> None:
        """Deal the next contract, or `pass_over` a void one; raise Refused. Needed without `auto_deal` only."""
        events = self._engine.pass_over() if pass_over else []
        if not self._engine.finished:
            events = events + self._engine.next_deal()
        self._lines += step_lines(self._engine, None, events)

    def pop(self) -> str:
        """Take back the last action, with a deal dealt after it, and return it; raise IndexError if there is none."""
        if not self._steps:
            raise IndexError("there is no action to take back")
        self._engine, count, text = self._steps.pop()
        del self._lines[count:]
        return text

    def copy(self) -> Self:
        match = object.__new__(type(self))
        match.__dict__.update(self.__dict__)
        match._engine, match._lines, match._steps = self._engine.clone(), self._lines[:], self._steps[:]
        return match

    def replay(self) -> Iterator[tuple[str, Self]]:
        """Yield each action so far, with a copy of the match before it."""
        for number, (engine, lines, text) in enumerate(self._steps):
            match = self.copy()
            match._engine = engine.clone()
            match._steps, match._lines = self._steps[:number], self._lines[:lines]
            yield text, match

    def record(self) -> list[str]:
        """Return the lines of a record, which shows every card; raise ValueError if the match began at a position."""
        if self._head is None:
            raise ValueError("a match that began at a position has no record: a record begins at the first deal")
        return [dump(line) for line in self._lines]

    def __eq__(self, other: object) -> bool:
        """Compare present states, hidden cards included."""
        if not isinstance(other, Match):
            return NotImplemented
        return _state(self._engine) == _state(other._engine)

    def __str__(self) -> str:
        """Return the public part of the table as text; `str` of a `view` shows the seat's hand as well."""
        result = f"\n{' and '.join(self.winners)} won" if self.is_over else ""
        return table_text(self._public()) + result

    def __repr__(self) -> str:
        where = "over" if self.is_over else moment(self._public())
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"<Match {self.ruleset}{seed}: {where}>"

    def _public(self) -> View:
        return View(self._engine.view(0))

    def _seat(self, name: str | None) -> int:
        if name is not None:
            return parse_seat(name, self.names)
        if self._engine.actor is None:
            raise ValueError("no seat has to decide now: name a seat")
        return self._engine.actor

    def _parse(self, text: str) -> Action:
        names, faces = self.names, self._engine.rules.faces
        words = text.split(maxsplit=1)
        before, colon, _ = text.partition(":")
        if words and is_verb(words[0]) and not (colon and before.strip() in names):
            return parse_answer(text, self._seat(None), names, faces)
        return parse_action(text, names, faces)


def count_lines(match: Match, depth: int) -> int:
    """Count the ways to take `depth` actions of those in `Match.legal`; 1 for depth 0.

    Use it to compare engines. The match is unchanged afterwards.
    """
    if depth == 0:
        return 1
    count = 0
    for action in match.legal():
        match.push(action)
        count += count_lines(match, depth - 1)
        match.pop()
    return count


def _names(seats: Sequence[str] | int | None, counts: Sequence[int]) -> tuple[str, ...]:
    if seats is None:
        seats = min(counts, key=lambda count: abs(count - USUAL_SEATS))
    if isinstance(seats, int):
        if seats > len(DEFAULT_NAMES):
            raise ValueError(f"{len(DEFAULT_NAMES)} seats at most can be at a table, not {seats}")
        return DEFAULT_NAMES[: max(seats, 0)]
    names = tuple(seats)
    check_names(names)
    return names


def _state(engine: EngineMatch) -> tuple[object, ...]:
    deal = engine.deal
    slots = [name for kind in type(deal).__mro__ for name in getattr(kind, "__slots__", ())]
    around = (engine.setup, engine.dealer, engine.first_turn, engine.buying, engine.finished, engine.winners)
    return (*around, *(getattr(deal, name) for name in slots))


#: Lay-downs of the contract that are listed, those that leave fewest points first.
MOST_LAYS: Final = 50
#: Single further melds that are looked at.
MOST_MELDS: Final = 5_000


def lay_downs(match: EngineMatch, seat: int) -> Iterator[Lay]:
    """Yield lay-downs the seat may make: the best, some of the contract alone, or single further melds."""
    view = match.view(seat)
    if not view.may_lay:
        return
    best = solver.best_lay_of(view)
    found: dict[tuple[Group, ...], None] = {} if best is None else {best.groups: None}
    if has_laid(view, seat):
        melds = possible_melds(view.rules.ruleset, view.hand)
        found |= {(Group(meld.cards, meld.kind),): None for meld in islice(melds, MOST_MELDS)}
    else:
        choices = solver.lay_choices(view.rules, view.contract, view.hand, MOST_LAYS)
        found |= {choice.groups: None for choice in choices}
    for groups in found:
        action = Lay(seat, groups)
        if match.why_not(action) is None:
            yield action


@runtime_checkable
class Decides(Protocol):
    def decide(self, view: View) -> str:
        """Return the answer, such as ``draw stock``."""
        ...


Bot: TypeAlias = Callable[[View], str] | Decides
"""Player of a seat: a function, or an object with `decide`, from a `View` to an action."""


def play(
    seats: Mapping[str, Bot | str],
    ruleset: str = DEFAULT_RULESET,
    *,
    seed: int | None = None,
    options: Sequence[str] = (),
    referee: str = Referee.STRICT,
    settings: Settings | None = None,
) -> Match:
    """Play a match to its end, and return it; `seats` says by name, clockwise, who plays: a bot, or ``ai:LEVEL``.

    Nobody draws for seats. The same seed gives the same match, if the bots do the same. Raise ValueError as for
    `Match`, for an unknown level or if an answer is no action; Refused if the rules forbid it.
    """
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    levels: dict[str, Player] = {}
    for number, (name, player) in enumerate(seats.items()):
        if not isinstance(player, str):
            continue
        if not player.startswith("ai:"):
            raise ValueError(f"{name} is played by a bot or by ai: and a level, such as ai:club, not {player!r}")
        levels[name] = make_player(player.removeprefix("ai:"), f"{seed}/player {number}")
    players = {name: player if isinstance(player, str) else "bot" for name, player in seats.items()}
    match = Match(
        ruleset, tuple(seats), seed=seed, options=options, referee=referee, settings=settings, players=players
    )
    while (actor := match.actor) is not None:
        view = match.view(actor)
        if actor in levels:
            match.push(levels[actor].decide(view.engine).action)
            continue
        bot = seats[actor]
        assert not isinstance(bot, str)
        said = bot.decide(view) if isinstance(bot, Decides) else bot(view)
        if not isinstance(said, str):
            raise ValueError(f"the bot of {actor} answers with an action, such as draw stock, not {said!r}")
        try:
            match.push(f"{actor}: {said.removeprefix(f'{actor}:').strip()}")
        except NotationError as error:
            raise ValueError(f"the bot of {actor}: {error}") from None
    return match


# Advice on a decision: every option with what it is expected to come to, and why

#: Standard errors in what is given as ±.
SURE = 2.0


class Option(Struct, frozen=True):
    """Option of a seat.

    `points`: expected points at the end of the deal less the average of the others' (below zero is good), give or take
    `error`, two standard errors. `behind`: points worse than the advised option, give or take `behind_error`, which is
    smaller since both are played on in the same deals. Both weigh what such choices usually come to. All are None where
    nothing can be played on. `reason`: fact that tells the advised option from this one.
    """

    action: str
    points: float | None
    error: float | None
    behind: float | None
    behind_error: float | None
    reason: str


class Advice(Struct, frozen=True):
    """Advice: the `action`, three sentences of the hint, and all `options`, the advised one first."""

    action: str
    hint: tuple[str, str, str]
    options: tuple[Option, ...]
    worlds: int
    """Number of possible deals in which the options were played on; the worst were in fewer."""

    def __str__(self) -> str:
        return self.action


def advise(what: View | Match, level: str = coach.STRONGEST, *, worlds: int = WORLDS) -> Advice:
    """Advise a view, or the seat a match waits for, and value each option.

    The strongest level's advice is the hint at the table; another level's is what it would do itself. With 0 `worlds`,
    or without the native core, no points are given. Raise ValueError for an unknown level, or if nothing is to be
    decided, or only a cut or buying in.
    """
    view = _view(what)
    found = coach.advise(view.engine, level, worlds=worlds)
    options = tuple(
        Option(_text(view, one.action), *_numbers(one.margin), *_numbers(one.behind), one.reason)
        for one in found.options
    )
    return Advice(_text(view, found.action), found.hint.steps, options, found.worlds)


def decide(what: View | Match, level: str = coach.STRONGEST, *, seed: str = "advice") -> str:
    """Return what an AI of a level, such as ``club`` or ``expert/caller``, does there; the same seed gives the same
    answer.

    Raise ValueError for an unknown level, or if nothing is to be decided.
    """
    view = _view(what)
    return _text(view, coach.decide(view.engine, level, seed))


def _view(what: View | Match) -> View:
    if isinstance(what, Match):
        if what.actor is None:
            raise ValueError("the match waits for nobody: there is nothing to decide")
        return what.view(what.actor)
    return what


def _text(view: View, action: Action) -> str:
    return print_answer(action, view.names, view.engine.rules.faces)


def _numbers(mean: Mean | None) -> tuple[float | None, float | None]:
    return (None, None) if mean is None else (round(mean.points, 1), round(SURE * mean.error, 1))
