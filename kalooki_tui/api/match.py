"""A match played by text: push an action, ask what is legal, look at it as a seat, take back, make a record."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

from kalooki_tui import solver
from kalooki_tui.api import arguments
from kalooki_tui.api.view import LaidMeld, View, moment, table_text
from kalooki_tui.engine.actions import Action, Challenge, Cut, Group, Lay
from kalooki_tui.engine.additions import chains, reach_in, uses
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.forming import possible_melds
from kalooki_tui.engine.match import Match as EngineMatch
from kalooki_tui.engine.match import MatchSetup, headless
from kalooki_tui.engine.melds import contract_text
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.actions import is_verb, parse_action, parse_answer, print_action
from kalooki_tui.notation.cards import NotationError
from kalooki_tui.notation.seats import check_names, parse_seat
from kalooki_tui.players import Player, make_player
from kalooki_tui.records.writing import Line, RecordHead, dump, start_lines, step_lines
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve

DEFAULT_RULESET: Final = "jamaican"
DEFAULT_NAMES: Final = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon", "Kim")
USUAL_SEATS: Final = 4

Settings: TypeAlias = Mapping[str, object]

SEAT: Final = "a seat is named by a text"
ACTION: Final = "an action is a text such as draw stock"


class DealScore(NamedTuple):
    """The result of one deal of a match, by seat; `out`: who went out, None if the contract was passed over."""

    deal: int
    points: dict[str, int]
    totals: dict[str, int]
    out: str | None
    bent: bool
    contract: str


class Before(NamedTuple):
    """A step, and the state before it."""

    engine: EngineMatch
    lines: int
    """Lines of the record."""
    text: str
    """The action of the step."""


class Match:
    """A match from its first deal to its result.

    A match holds everything, hidden cards too; a seat's `view` holds what that seat may know. A new match is made
    with a ruleset's id or file, and names in clockwise order or their number. `referee` is ``strict`` or
    ``penalties``; `first_turn` names who begins where the ruleset has that said at set-up. With `auto_deal` the next
    deal is dealt as soon as one is over.

    Raises:
        ValueError: there is no such ruleset, option or setting, or the seats or the referee do not go with the ruleset.
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
        found = load_ruleset(arguments.text(ruleset, "a ruleset is an id or a file"))
        names = _names(seats, found.seat_counts)
        options = arguments.texts(options, "options are a list of names")
        found = resolve(found, options, len(names))
        chosen = headless(found.usual_settings())
        if settings is not None:
            settings = arguments.named(settings, "settings are a mapping of names to values")
            ends = {"max_redeals": chosen.max_redeals, "max_turns": chosen.max_turns}
            chosen = make_settings(found, {**ends, **settings})
        if referee not in list(Referee):
            raise ValueError(f"there is no referee {referee!r}; choose from: {', '.join(Referee)}")
        rules = make_rules(found, len(names), Referee(referee), chosen)
        if seed is None:
            seed = secrets.randbelow(1_000_000)
        arguments.whole(seed, "a seed is a whole number")
        first = 0 if first_turn is None else parse_seat(arguments.text(first_turn, SEAT), names)
        who_plays = "players are a mapping of seats to texts such as human"
        for name, player in arguments.named({} if players is None else players, who_plays).items():
            parse_seat(name, names)
            arguments.text(player, who_plays)
        players = players or {}
        played_by = tuple(players.get(name, "human") for name in names)
        engine = EngineMatch.start(MatchSetup(rules, names, seed, first))
        head = RecordHead(rules, names, played_by, seed, tuple(options), first)
        self._set_up(engine, head, start_lines(head, engine), [])
        self.auto_deal = auto_deal

    def _set_up(self, engine: EngineMatch, head: RecordHead | None, lines: list[Line], steps: list[Before]) -> None:
        self._engine, self._head, self._lines, self._steps = engine, head, lines, steps
        self._first_deal = engine.deal.number
        self.auto_deal = True
        """Whether the next deal is dealt as soon as one is over; may be changed at any time."""

    @classmethod
    def _made(cls, engine: EngineMatch, head: RecordHead | None, lines: list[Line], steps: list[Before]) -> Self:
        """The match that stands where the engine's does; `head` is None where it did not begin at its beginning."""
        match = object.__new__(cls)
        match._set_up(engine, head, lines, steps)
        return match

    # What is there to see

    @property
    def engine(self) -> EngineMatch:
        """The engine's match, with cards and seats as numbers: not stable from version to version."""
        return self._engine

    @property
    def ruleset(self) -> str:
        """The ruleset's id."""
        return self._engine.rules.ruleset.id

    @property
    def names(self) -> tuple[str, ...]:
        """The seats, clockwise."""
        return self._engine.names

    @property
    def seed(self) -> int | None:
        """Seed of the shuffles: the same seed deals the same cards. None if a record holds the deals."""
        return self._engine.setup.seed if self._head is None else self._head.seed

    @property
    def players(self) -> dict[str, str]:
        """Who plays each seat, as the record says it: ``human``, ``ai:club``."""
        played_by = ("human",) * len(self.names) if self._head is None else self._head.players
        return dict(zip(self.names, played_by, strict=True))

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return self._engine.deal.number

    @property
    def contract(self) -> str:
        """The contract of this deal's first lay-down: ``3 threes``."""
        return self._public().contract

    @property
    def phase(self) -> str:
        """Where the deal stands: ``draw``, ``play``, ``call-window``, ``decision``, …, ``over``."""
        return str(self._engine.phase)

    @property
    def actor(self) -> str | None:
        """Whose decision it is; None between deals and at the end."""
        seat = self._engine.actor
        return None if seat is None else self.names[seat]

    @property
    def turn(self) -> str:
        """Whose turn it is; others are asked in it whether they call."""
        return self._public().turn

    @property
    def melds(self) -> tuple[LaidMeld, ...]:
        """The melds on the table."""
        return self._public().melds

    @property
    def totals(self) -> dict[str, int]:
        """Each seat's running total."""
        return dict(zip(self.names, self._engine.totals, strict=True))

    @property
    def scores(self) -> list[DealScore]:
        """The results of the deals, void ones left out."""
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
        """Whether the match has its result."""
        return self._engine.finished

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won; nobody until the match is over, several where totals are equal."""
        return tuple(self.names[seat] for seat in self._engine.winners)

    @property
    def actions(self) -> list[str]:
        """The actions so far, such as ``Ann: draw stock``; attempts that were charged are included."""
        return [step.text for step in self._steps]

    def view(self, seat: str | None = None) -> View:
        """The view of a seat; without a name, of the seat whose decision it is.

        Raises:
            ValueError: there is no such seat, or nobody is to decide.
        """
        return View(self._engine.view(self._seat(seat)))

    def legal(self, seat: str | None = None, *, lays: bool = False, chains: bool = False) -> list[str]:
        """The actions open to a seat, as `push` takes them; without a name, to the seat whose decision it is.

        With `lays`, lay-downs too: up to fifty of the contract, melds as short as possible, and the best one of all;
        once the contract is laid, each further meld by itself. With `chains`, also several cards tacked at once and
        the uses of a freed joker. The list is empty if nobody, or another seat, is to decide.

        Raises:
            ValueError: there is no such seat.
        """
        engine = self._engine
        if seat is None and engine.actor is None:
            return []
        number = self._seat(seat)
        actions: list[Action] = [*engine.legal(number)]
        actions += [Challenge(number, target) for target in engine.view(number).may_challenge]
        if engine.phase is Phase.CUT and number == engine.actor:
            actions += cuts(engine)
        if lays:
            actions += lay_downs(engine, number)
        if chains:
            actions += chains_and_uses(engine, number)
        return [print_action(action, self.names, engine.rules.faces) for action in actions]

    # What can be done

    def push(self, action: str | Action) -> None:
        """Take an action such as ``Ann: draw stock``; without a name it is that of the seat whose decision it is.

        It also takes an action of the engine.

        Raises:
            Refused: the rules forbid it, with `code`, `clause` and `message`; nothing changed but what was charged.
            ValueError: the text is no action, or it is neither a text nor an action.
        """
        engine = self._engine
        decided = action if isinstance(action, Action) else self._parse(arguments.text(action, ACTION))
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
        """Remember a step that has just been taken."""
        text = print_action(action, self.names, self._engine.rules.faces)
        self._steps.append(Before(before, len(self._lines), text))
        self._lines += step_lines(self._engine, action, events, refusal)

    def next_deal(self, *, pass_over: bool = False) -> None:
        """Deal the next contract, or a void one again; `pass_over` a void one instead. Needed without `auto_deal` only.

        Raises:
            Refused: the deal is not over, or the match is.
        """
        events = self._engine.pass_over() if pass_over else []
        if not self._engine.finished:
            events = events + self._engine.next_deal()
        self._lines += step_lines(self._engine, None, events)

    def pop(self) -> str:
        """Take back the last action, and return it; a deal that was dealt after it is taken back with it.

        Raises:
            IndexError: there is none.
        """
        if not self._steps:
            raise IndexError("there is no action to take back")
        self._engine, count, text = self._steps.pop()
        del self._lines[count:]
        return text

    def copy(self) -> Self:
        """An independent copy."""
        match = object.__new__(type(self))
        match.__dict__.update(self.__dict__)
        match._engine, match._lines, match._steps = self._engine.clone(), self._lines[:], self._steps[:]
        return match

    def replay(self) -> Iterator[tuple[str, Self]]:
        """Each action so far, with the match as it was before it; the matches are copies."""
        for number, (engine, lines, text) in enumerate(self._steps):
            match = self.copy()
            match._engine = engine.clone()
            match._steps, match._lines = self._steps[:number], self._lines[:lines]
            yield text, match

    def record(self) -> list[str]:
        """The match as the lines of a record, without line ends. It holds every card: nothing to show while one plays.

        Raises:
            ValueError: the match began at a position, and a record begins at the beginning.
        """
        if self._head is None:
            raise ValueError("a match that began at a position has no record: a record begins at the first deal")
        return [dump(line) for line in self._lines]

    # What it looks like

    def __eq__(self, other: object) -> bool:
        """Whether both are in the same state, hidden cards included; how they got there does not matter."""
        if not isinstance(other, Match):
            return NotImplemented
        return _state(self._engine) == _state(other._engine)

    def __str__(self) -> str:
        """The public part of the table, as text; `str` of a `view` shows the seat's hand as well."""
        result = f"\n{' and '.join(self.winners)} won" if self.is_over else ""
        return table_text(self._public()) + result

    def __repr__(self) -> str:
        where = "over" if self.is_over else moment(self._public())
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"<Match {self.ruleset}{seed}: {where}>"

    def _public(self) -> View:
        """Some seat's view, of which only what is public is used."""
        return View(self._engine.view(0))

    def _seat(self, name: str | None) -> int:
        if name is not None:
            return parse_seat(arguments.text(name, SEAT), self.names)
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
    """How many ways there are to take `depth` actions of those `Match.legal` lists, whoever decides; 1 for depth 0.

    Use it to compare engines. The match is unchanged afterwards.

    Raises:
        ValueError: it is no match, or the depth is no whole number from 0.
    """
    if not isinstance(match, Match):
        raise ValueError(f"lines are counted in a Match, not in a {type(match).__name__}")
    arguments.whole(depth, "depth: it is a whole number from 0", 0)
    return _count(match, depth)


def _count(match: Match, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for action in match.legal():
        match.push(action)
        count += _count(match, depth - 1)
        match.pop()
    return count


def _names(seats: Sequence[str] | int | None, counts: Sequence[int]) -> tuple[str, ...]:
    if seats is None:
        seats = min(counts, key=lambda count: abs(count - USUAL_SEATS))
    if isinstance(seats, int) and not isinstance(seats, bool):
        if seats > len(DEFAULT_NAMES):
            raise ValueError(f"{len(DEFAULT_NAMES)} seats at most can be at a table, not {seats}")
        return DEFAULT_NAMES[: max(seats, 0)]
    names = arguments.texts(seats, "seats must be a list of names or a number")
    check_names(names)
    return names


def _state(engine: EngineMatch) -> tuple[object, ...]:
    """All that makes one moment of a match differ from another."""
    deal = engine.deal
    slots = [name for kind in type(deal).__mro__ for name in getattr(kind, "__slots__", ())]
    around = (engine.setup, engine.dealer, engine.first_turn, engine.buying, engine.finished, engine.winners)
    return (*around, *(getattr(deal, name) for name in slots))


#: Lay-downs of the contract that are listed, those that leave fewest points first.
MOST_LAYS: Final = 50
#: Single further melds that are looked at.
MOST_MELDS: Final = 5_000


def cuts(match: EngineMatch) -> Iterator[Cut]:
    """Every cut of the dealer's (B1)."""
    for count in range(1, match.rules.deck_size):
        yield Cut(match.deal.dealer, count)


def lay_downs(match: EngineMatch, seat: int) -> Iterator[Lay]:
    """Lay-downs that the rules allow the seat now: the best, some of the contract alone, or single further melds."""
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


def chains_and_uses(match: EngineMatch, seat: int) -> Iterator[Action]:
    """Tacks of several cards onto one meld, and swaps with a use of the freed joker (K10)."""
    reach = reach_in(match.deal, seat)
    if reach is not None:
        for addition in (*chains(reach), *uses(reach)):
            yield addition.action


@runtime_checkable
class Decides(Protocol):
    """An object that plays a seat."""

    def decide(self, view: View) -> str:
        """The answer, such as ``draw stock``."""
        ...


Bot: TypeAlias = Callable[[View], str] | Decides
"""A player of a seat: a function, or an object with `decide`; it is given a `View` and answers with an action."""


def play(
    seats: Mapping[str, Bot | str],
    ruleset: str = DEFAULT_RULESET,
    *,
    seed: int | None = None,
    options: Sequence[str] = (),
    referee: str = Referee.STRICT,
    settings: Settings | None = None,
) -> Match:
    """Play a match to its end, and return it. `seats` says by name, clockwise, who plays: a bot, or ``ai:LEVEL``.

    Nobody draws for seats. The same seed gives the same match, if the bots do the same.

    Raises:
        ValueError: as for `Match`; there is no such level; or a bot's answer is no action.
        Refused: the rules forbid what a bot answered.
    """
    arguments.named(seats, "seats are a mapping of names to bots or to levels, such as ai:club")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    levels: dict[str, Player] = {}
    for number, (name, player) in enumerate(seats.items()):
        if isinstance(player, Decides) or callable(player):
            continue
        what = f"{name} is played by a bot or by ai: and a level, such as ai:club"
        if not arguments.text(player, what).startswith("ai:"):
            raise ValueError(f"{what}, not {player!r}")
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
        answer = arguments.text(said, f"the bot of {actor} answers with an action, such as draw stock")
        try:
            match.push(f"{actor}: {answer.removeprefix(f'{actor}:').strip()}")
        except NotationError as error:
            raise ValueError(f"the bot of {actor}: {error}") from None
    return match
