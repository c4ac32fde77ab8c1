"""Puzzles: by codes, which give the same puzzle everywhere, an endless series, and decisions of somebody's own."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import shlex
from contextlib import suppress
from datetime import date
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.coach.exercises.definition import Exercise, LearnerAnswer
from kalooki_tui.coach.exercises.kinds.hand_questions import Best
from kalooki_tui.coach.exercises.kinds.table_questions import TackChain
from kalooki_tui.coach.exercises.kinds.turn_questions import Allowing, Calling, Judging, Throwing, answer_of, begun
from kalooki_tui.coach.exercises.registry import KINDS, LETTERS, kinds_for, rules_for
from kalooki_tui.engine.actions import Action, Allow, Call, Cut, Draw, Pass, Refuse, Source
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.permissions import DECISIONS, WINDOWS, has_laid
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.action_text import parse_action, parse_answer
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.solver import distance
from kalooki_tui.wording import escaped

#: A new version, of shipped moments too, gives other puzzles for the same codes.
VERSION: Final = 3
#: Codes choose among the kinds in this order, which no later kind may change.
_FIRST: Final = ("repair", "helps", "throw", "out", "best", "chain", "call", "allow")
#: What puzzles ask, and how often.
WEIGHTS: Final = {
    kind: KINDS[kind].weight
    for kind in (*_FIRST, *(kind for kind in KINDS if kind not in _FIRST))
    if KINDS[kind].weight
}
#: How often a shipped moment is kept: of what is made for a puzzle most is rejected, of these nothing is.
SHIPPED_ASKED: Final = 0.35
#: Tries to make a puzzle before giving up.
MOST_TRIES: Final = 600
#: How hard a kind is, on the scale of Glicko-2: the mean of 25 puzzles, each as hard as the best of six simple rules
#: that failed it. A player's own rating says how it is for them.
RATINGS: Final = {"repair": 1275.0, "helps": 1450.0, "throw": 1210.0, "out": 1240.0, "best": 1575.0, "chain": 1430.0,
                  "call": 1410.0, "allow": 1190.0}  # fmt: skip
#: Ratings from which on a puzzle has two and three stars.
STARS: Final = (1250.0, 1550.0)
STAR: Final = "★"
NO_STAR: Final = "☆"
_CODE: Final = re.compile(
    r"K(?P<version>\d+)-(?:(?P<kind>[a-z]+)-)?(?P<seed>[0-9A-Z]{1,12})(?:@(?P<ruleset>[a-z0-9-]+))?"
)


class Code(Struct, frozen=True):
    """Code of a puzzle: ``K3-7F3Q``, ``K3-throw-7F3Q``, ``K3-7F3Q@tuluki``."""

    seed: str
    kind: str = ""
    ruleset: str = DEFAULT_RULESET

    def __str__(self) -> str:
        kind = f"{self.kind}-" if self.kind else ""
        ruleset = "" if self.ruleset == DEFAULT_RULESET else f"@{self.ruleset}"
        return f"K{VERSION}-{kind}{self.seed}{ruleset}"

    @property
    def place(self) -> int:
        """Place in the series: the seed as a number, of a date its day."""
        if self.seed.startswith("D"):
            with suppress(ValueError):
                return date.fromisoformat(self.seed[1:]).toordinal()
        return int(self.seed, 36)

    @property
    def next(self) -> Code:
        """Code of the next seed of the same length; after the last comes the first."""
        number, seed = int(self.seed, 36) + 1, ""
        for _ in self.seed:
            number, digit = divmod(number, len(LETTERS))
            seed = LETTERS[digit] + seed
        return Code(seed, self.kind, self.ruleset)

    @classmethod
    def daily(cls, day: date, ruleset: str = DEFAULT_RULESET) -> Code:
        return cls(f"D{day:%Y%m%d}", "", ruleset)

    @classmethod
    def parse(cls, text: str) -> Code:
        """Parse a code; raise ValueError if it is none, or of another version or an unknown kind."""
        found = _CODE.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is not the code of a puzzle, such as K3-7F3Q or K3-throw-7F3Q@tuluki")
        if int(found["version"]) != VERSION:
            raise ValueError(
                f"the code {text!r} is of version {found['version']}; this program makes version {VERSION}"
            )
        if found["kind"] and found["kind"] not in WEIGHTS:
            raise ValueError(f"there is no puzzle {found['kind']!r}; choose from: {', '.join(WEIGHTS)}")
        return cls(found["seed"], found["kind"] or "", found["ruleset"] or DEFAULT_RULESET)


class Puzzle(Struct, frozen=True):
    """Puzzle with its difficulty."""

    code: str
    """Of a user's position: its title."""
    exercise: Exercise
    file: Path | None = None
    reason: str = ""
    """Of a user's position: what its file says of the right answer."""

    @property
    def rating(self) -> float:
        return RATINGS[self.exercise.kind]

    @property
    def stars(self) -> str:
        count = 1 + sum(self.rating >= least for least in STARS)
        return STAR * count + NO_STAR * (3 - count)

    def share(self, seconds: float) -> str:
        """Return a line to send to others; of a user's position, the command that opens it."""
        if self.file is not None:
            return f"kalooki puzzle {shlex.quote(escaped(str(self.file.absolute())))}"
        minutes, rest = divmod(round(seconds), 60)
        return f"kalooki puzzle {self.code} {self.stars} {minutes}:{rest:02d}"


@lru_cache(maxsize=8)
def make_puzzle(code: Code) -> Puzzle:
    """Make the puzzle of a code; raise ValueError if there is no such ruleset, or no sound puzzle of the kind."""
    rules = rules_for(code.ruleset)
    for attempt in range(MOST_TRIES):
        dice = random.Random(f"puzzle/{VERSION}/{code}/{attempt}")
        found = _try(rules, code, dice)
        if found is not None:
            return Puzzle(str(code), found)
    raise ValueError(f"no puzzle {code.kind!r} can be made in {rules.ruleset.name}")


def _try(rules: Rules, code: Code, dice: random.Random) -> Exercise | None:
    deal = dice.randrange(len(rules.ruleset.deals)) + 1
    possible = kinds_for(rules, deal)
    weights: dict[str, float] = {one: weight for one, weight in WEIGHTS.items() if one in possible}
    for one in set(JUDGED) & set(weights):
        weights[one] *= SHIPPED_ASKED if moments(rules.ruleset.id, one) else 0
    chosen = code.kind or dice.choices(list(weights), list(weights.values()))[0]
    if not weights.get(chosen):
        return None
    if chosen in JUDGED:
        pool = moments(rules.ruleset.id, chosen)
        # One after another, so that none comes again soon.
        return pool[code.place % len(pool)].exercise(rules)
    return KINDS[chosen].make(rules, deal, dice)


class Series:
    """Puzzles from the first on; endless, or only the first."""

    def __init__(self, first: Code | Puzzle, *, alone: bool = False) -> None:
        """Make the first puzzle; raise ValueError if there is none."""
        self.is_own = isinstance(first, Puzzle)
        """User's position, which counts for no rating."""
        self.count: int | None = 1 if alone or self.is_own else None
        self.puzzles = [first if isinstance(first, Puzzle) else make_puzzle(first)]

    @property
    def rules(self) -> Rules:
        return self.puzzles[0].exercise.rules

    def make(self, number: int) -> Exercise:
        while len(self.puzzles) <= number:
            self.puzzles.append(make_puzzle(Code.parse(self.puzzles[-1].code).next))
        return self.puzzles[number].exercise


def from_file(path: Path) -> Puzzle:
    """Return the puzzle of a position file's actor; raise InputError for no position, ValueError for no puzzle."""
    position = load_position(path)
    match = set_up(position)
    actor = match.actor
    if actor is None:
        raise ValueError(f"{escaped(str(path))}: nobody has anything to decide there")
    puzzle = of_view(match.view(actor), escaped(position.title or path.stem))
    return replace(puzzle, file=path, reason=escaped(position.reason))


def of_view(view: View, title: str) -> Puzzle:
    """Return the puzzle of a decision, as its seat sees it; raise ValueError if a puzzle cannot ask it."""
    exercise = exercise_of(view)
    if exercise is None:
        raise ValueError(
            f"{title}: a puzzle asks for a throw, a lay-down, a call or the answer to one; this asks for none of them"
        )
    return Puzzle(title, exercise)


def exercise_of(view: View) -> Exercise | None:
    """Return the exercise at a view; None: a puzzle cannot ask it."""
    rules, hand = view.rules, tuple(sorted(view.hand))
    if view.actor != view.seat:
        return None
    if view.phase in (Phase.CALL_WINDOW, Phase.DECISION) and len(view.legal) > 1 and not has_laid(view, view.seat):
        return (Calling if view.phase is Phase.CALL_WINDOW else Allowing).of(view)
    if view.phase is not Phase.PLAY:
        return None
    if has_laid(view, view.seat):
        # The exercises' own seat is the first.
        count = len(view.names)
        table = tuple(replace(meld, owner=(meld.owner - view.seat) % count) for meld in view.melds)
        made = TackChain(rules=rules, deal=view.deal, hand=hand, table=table)
        return made if rules.ruleset.discard.last_card == "any" else None
    if not distance(rules, view.contract, hand):
        return Best(rules=rules, deal=view.deal, hand=hand)
    return Throwing.of(view)


#: The moments that puzzles of judgement ask about: the same everywhere.
FOLDER: Final = Path(str(resources.files("kalooki_tui.coach"))) / "tables" / "moments"
#: The kinds that ask for judgement.
JUDGED: Final[dict[str, type[Judging]]] = {kind: one for kind, one in KINDS.items() if issubclass(one, Judging)}
#: When an action can be taken; any other one in play.
_PHASES: Final[dict[type[Action], tuple[Phase, ...]]] = {
    Call: WINDOWS,
    Refuse: DECISIONS,
    Draw: (Phase.DRAW,),
    Cut: (Phase.CUT,),
}


class PuzzleMoment(Struct, frozen=True):
    """Decision of the first seat, written ``5 1Z 7H/3: call/9C/draw discard/QD = pass``.

    That is the deal, its seed, the actions before the moment and the right answers. The actions are in the notation,
    but for throws, which are cards alone, and for passes, calls that are allowed and draws from the stock: those are
    left out. So a moment hangs on the rules and the shuffle, and on no player.
    """

    kind: str
    deal: int
    seed: str
    played: tuple[str, ...]
    right: tuple[str, ...]

    @classmethod
    def parse(cls, kind: str, text: str) -> Self:
        moment, right = text.split(" = ")
        deal, seed, played = moment.split(" ", 2)
        return cls(kind, int(deal), seed, tuple(filter(None, played.split("/"))), tuple(right.split()))

    def exercise(self, rules: Rules) -> Judging:
        kind, deal = JUDGED[self.kind], begun(rules, self.deal, self.seed)
        for text in self.played:
            action = _action(text, deal)
            phases = _PHASES.get(type(action), (Phase.PLAY,))
            while deal.actor != action.seat or deal.phase not in phases:
                _go_on(deal)
            deal.apply(action)
        while deal.actor != 0 or deal.phase not in kind.phases:
            _go_on(deal)
        right: list[LearnerAnswer] = [answer_of(_action(text, deal)) for text in self.right]
        return dataclasses.replace(kind.of(deal.view(0)), proven=tuple(right))


def _usual(deal: Deal) -> Action | None:
    seat = deal.actor
    if seat is None:
        return None
    if deal.phase in WINDOWS:
        return Pass(seat)
    if deal.phase in DECISIONS:
        return Allow(seat)
    return Draw(seat, Source.STOCK) if deal.phase is Phase.DRAW else None


def _go_on(deal: Deal) -> None:
    usual = _usual(deal)
    if usual is None:
        raise ValueError(f"deal {deal.number} of {deal.seed} does not come to that moment")
    deal.apply(usual)


def _action(text: str, deal: Deal) -> Action:
    names, faces = deal.names, deal.rules.faces
    if text.endswith(": call"):
        return parse_action(text, names, faces)
    seat = deal.dealer if deal.phase is Phase.CUT else deal.turn
    return parse_answer(text if text[0].islower() else f"discard {text}", seat, names, faces)


@cache
def moments(ruleset: str, kind: str) -> tuple[PuzzleMoment, ...]:
    """Return the shipped moments of a kind; most rulesets have none."""
    file = FOLDER / f"{ruleset}.json"
    found: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return tuple(PuzzleMoment.parse(kind, text) for text in found.get(kind, ()))
