"""Coach's words on a decision: a hint, its reason, the cost of another choice, all options with their worth.

The sentences are data in `texts/en/`: `hints.yaml`, and `facts.yaml` for the fact that decides. Their slots:

- `card`, `cards`: what the choice is about: thrown, laid, tacked, lying open; `meld`: on the table, such as ``m3``
- `best`: the card that is better thrown; `mates`, `beside`: cards of the hand that go with the one, and with the other
- `spare`, `lost`, `left`, `taken`: cards over; that would no longer help; that stay; that a seat has taken
- `away`, `after`, `best_after`: cards from the contract now, after this choice, after the better one
- `helps`, `best_helps`, `unseen`: unseen cards that bring the hand nearer after the one and the other; all unseen
- `points`, `best_points`: what cards cost; `price`, `nor`: the penalty cards of a call, with what unseen ones cost
- `more`: cards that a call would bring where all have to be laid
- `calls`, `turn`: calls left; number of the seat's turn; `advice`: a hint and its reason
- `name`, `name_cards`, `seat`, `seat_cards`: another seat, and how many cards it holds; `who`: whose action it was
- `gain`, `error`, `worlds`: points from playouts, two standard errors of them, and the number of playouts
- `contract`, `deal`, `joker`: the ruleset's own words; `fact`: the sentence of the fact itself
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import inf, sqrt
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.cards import Card
from kalooki_tui.coach.vocabulary import sentences
from kalooki_tui.coach.vocabulary import slots as slots_of
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.permissions import DECISIONS
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.evaluation.decisions import Fate, Judged, Quality
from kalooki_tui.evaluation.differences import Fact, is_late
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.evaluation.options import Assessment, assess
from kalooki_tui.evaluation.recommendation import (
    Recommendation,
    difference,
    fact_for,
    points_lost,
    recommend,
    speaking_for,
    told_apart,
)
from kalooki_tui.evaluation.rollouts import WORLDS, Rollout, further, go_on, look, settled
from kalooki_tui.players import check_level, make_player
from kalooki_tui.players.club import lay_contract
from kalooki_tui.players.race import Race
from kalooki_tui.players.seat import open_card
from kalooki_tui.playouts import Mean
from kalooki_tui.wording import Person, counted, listed

# Reasons

#: Cards of a list that are named; of more, the first and how many there are besides.
MOST_NAMED: Final = 4
_CARDS: Final = frozenset({"card", "best", "mates", "beside", "spare", "lost", "left", "taken"})
_COUNTS: Final = {"after": "card", "calls": "call", "seat_cards": "card"}
#: Standard errors by which one choice must come out better to be called so.
SURE: Final = 2.0
#: Facts in which the distance is a plain number: ``From 4 away to 3``.
_PLAIN: Final = frozenset(("after", case) for case in ("call-nearer", "call-price", "call-spent", "take-nearer"))


def reason_of(view: View, action: do.Action) -> str:
    """Return the fact that speaks for an action, whoever chose it, in the third person; empty: there was no choice."""
    situation = Situation(view)
    try:
        fact = fact_for(situation, action)
    except ValueError:
        return ""
    return "" if fact is None else _fact_words(situation, fact, "they")


def reason(situation: Situation, fact: Fact, played: Mean | None = None, contrary: Fact | None = None) -> str:
    """Return the sentence of a fact; of one that explains nothing, also the contrary fact and what playouts found."""
    words = _fact_words(situation, fact)
    if fact.explains:
        return words
    more = sentences("facts")["more"]
    if contrary is not None:
        wanted = contrary.slots.get("best", contrary.slots.get("card") if contrary.is_for_card else None)
        case = "contrary" if wanted is None else "contrary-card"
        card = "" if wanted is None else card_words(situation, wanted)
        words = more[case].format(fact=_fact_words(situation, contrary), card=card)
    if played is None:
        return words
    is_sure, error = played.is_beyond(0.0, SURE), max(1.0, SURE * played.error)
    numbers = {"gain": f"{played.points:.0f}", "error": f"{error:.0f}", "worlds": str(played.worlds)}
    if contrary is not None and round(played.points) > 0:
        # What is said against the choice stands beside how much, and how surely, it gained.
        return more["played-contrary"].format(fact=words, **numbers)
    case = "played" if is_sure and round(played.points) > 0 else "played-alike"
    return more[case].format(fact=words, **numbers)


def card_words(situation: Situation, cards: Card | Iterable[Card], *, every: bool = False) -> str:
    """Name cards as the screen shows them: the first `MOST_NAMED`, or `every` one."""
    faces = situation.rules.faces
    if isinstance(cards, int):
        return faces.symbol(cards)
    found = tuple(cards)
    if every:
        return faces.symbols(found)
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return (faces.symbols(found[:MOST_NAMED]) or "nothing") + more


def _fact_words(situation: Situation, fact: Fact, told: str = "you") -> str:
    sentence = sentences("facts")[told][fact.case]
    return sentence.format(**{name: _fact_slot(situation, fact, name) for name in slots_of(sentence)})


def _fact_slot(situation: Situation, fact: Fact, name: str) -> object:
    if name in fact.slots:
        value = fact.slots[name]
        if name in _CARDS:
            return card_words(situation, value, every=name == "spare")
        if name == "seat":
            return Person(situation.view.names[value])
        if name == "meld":
            return f"m{value + 1}"
        if name in _COUNTS and (name, fact.case) not in _PLAIN:
            return counted(value, _COUNTS[name])
        return value
    if name == "who":
        return Person(situation.view.names[situation.view.seat])
    return _game_words(situation.view)[name]


def _game_words(view: View) -> dict[str, object]:
    points, words = view.contract.points, view.rules.ruleset.vocabulary
    return {"contract": f"{points} points" if points else "contract", "deal": words.deal, "joker": words.joker}


# Hints: a question that points the way, the one action, the fact that decides

_SAID: Final[dict[type, str]] = {
    do.Discard: "throw", do.Call: "call", do.Pass: "pass", do.Allow: "allow", do.Refuse: "refuse", do.Lay: "lay",
    do.Tack: "tack", do.Swap: "swap", do.EndTurn: "end", do.Done: "done",
}  # fmt: skip


class Hint(Struct, frozen=True):
    """Three sentences, told one after another, and the action they suggest."""

    nudge: str
    suggestion: str
    reason: str
    action: do.Action
    as_good: tuple[do.Action, ...] = ()

    @property
    def steps(self) -> tuple[str, str, str]:
        return self.nudge, self.suggestion, self.reason


def hint(view: View, about: do.Action | None = None, worlds: int = WORLDS) -> Hint:
    """Say what to do now and why, from the view alone; takes a fraction of a second with the native core.

    `about`: what the person thinks of doing, which the reason speaks of then; with no `worlds` facts decide alone.

    Raises:
        ValueError: it is not this seat's decision, or one that no facts speak to (a cut, buying in).
    """
    situation = Situation(view)
    return _told(situation, recommend(situation, about, worlds=worlds))


def hint_at(view: View, action: do.Action) -> Hint:
    """Return the hint that leads to an action known to be right, as in an exercise; errors as in `hint`."""
    situation = Situation(view)
    return _told(situation, speaking_for(situation, action))


def _told(situation: Situation, found: Recommendation) -> Hint:
    assessment = found.assessment
    best = assessment.best.action
    slots = _slots(situation, best)
    nudge = sentences("hints")["nudge"][_nudge(situation, assessment)].format_map(slots)
    suggestion = sentences("hints")["say"][kind_of(best)].format_map(slots)
    why = reason(situation, assessment.fact, found.played, found.contrary)
    return Hint(nudge, suggestion, why, found.action, found.as_good)


def _slots(situation: Situation, best: do.Action) -> dict[str, object]:
    view = situation.view
    card = best.card if isinstance(best, do.Discard | do.Swap) else open_card(view)
    also = () if not isinstance(best, do.Swap) or best.also is None else (best.also,)
    return _game_words(view) | {
        "card": "" if card is None else listed([*map(view.rules.faces.symbol, (card, *also))]),
        "cards": _cards_of(view, best),
        "meld": f"m{best.meld + 1}" if isinstance(best, do.Tack | do.Swap) else "",
        "name": Person(view.names[situation.nearest_out if view.caller is None else view.caller]),
        "name_cards": counted(view.hand_sizes[situation.nearest_out], "card"),
    }


def kind_of(action: do.Action) -> str:
    if isinstance(action, do.Draw):
        return "stock" if action.source is do.Source.STOCK else "take"
    return _SAID[type(action)]


def _nudge(situation: Situation, assessment: Assessment) -> str:
    view, has_not_laid = situation.view, not situation.has_laid
    match assessment.best.action:
        case do.Discard() if len(view.hand) == 1:
            return "throw-last"
        case do.Discard() if is_late(situation):
            return "throw-late"
        case do.Discard():
            return "throw" if has_not_laid else "throw-laid"
        case do.Lay():
            return "lay" if has_not_laid else "add"
        case do.Tack() | do.Swap():
            return "add"
        case do.EndTurn() | do.Done():
            return "end"
    if view.phase in DECISIONS:
        return "decide"
    if view.phase is Phase.DRAW:
        return "draw" if assessment.second is not None else "draw-only"
    return "call"


def _cards_of(view: View, action: do.Action) -> str:
    symbols = view.rules.faces.symbols
    match action:
        case do.Lay(groups=groups):
            return " | ".join(symbols(group.cards) for group in groups)
        case do.Tack(cards=cards):
            return symbols(cards)
        case do.Swap():
            return symbols(action.cards)
    return ""


# Costs: what an action gives up against the one recommended, in a warning before it or one sentence after the deal

#: Actions that are warned of before they are taken.
WARNED: Final = (do.Discard, do.Draw, do.Pass, do.Allow, do.EndTurn, do.Done)
#: Facts that are worth a warning.
_PLAIN_LOSSES: Final = frozenset((
    "lay", "lay-out", "lay-out-double", "add", "add-out", "out", "out-double", "call-completes", "take-completes",
    "throw-needed", "throw-needed-alone", "throw-away", "throw-helps",
))  # fmt: skip


class Loss(Struct, frozen=True):
    """Loss of an action against the recommended one: a fact speaks against it, and the hint's race confirms it."""

    lost: float
    words: str
    is_warned_of: bool


def cost_of(view: View, action: do.Action, worlds: int = WORLDS) -> Loss | None:
    """Return the loss of an action, or None: nothing speaks against it, or it costs nothing; errors as in `hint`."""
    situation = Situation(view)
    advice, is_warned_of = _against(situation, action)
    lost = points_lost(situation, action, worlds) if advice else 0.0
    turn = max(1, public_of(view).turns[view.seat] + (view.phase not in (Phase.PLAY, Phase.ADD_ON)))
    words = sentences("hints")["after"]["would-have"].format(turn=turn, advice=advice)
    return Loss(lost, words, is_warned_of) if lost > 0 else None


def warning(view: View, action: do.Action, worlds: int = WORLDS) -> str:
    situation = Situation(view)
    advice, is_warned_of = _against(situation, action)
    # Most draws give up something of which nobody is warned: those are not played on.
    return advice if is_warned_of and points_lost(situation, action, worlds) > 0 else ""


def could_have(decisions: Iterable[tuple[View, do.Action]], worlds: int = WORLDS) -> str:
    """Name the dearest loss among one seat's decisions in a deal; empty where nothing countable was lost."""
    costs = (cost for _, cost in costs_of(decisions, worlds))
    worst = max(costs, key=lambda cost: cost.lost, default=None)
    return "" if worst is None else worst.words


def costs_of(decisions: Iterable[tuple[View, do.Action]], worlds: int) -> Iterator[tuple[int, Loss]]:
    """Yield the numbers of decisions that lost something, with the cost."""
    for number, (view, action) in enumerate(decisions):
        with suppress(ValueError):
            cost = cost_of(view, action, worlds)
            if cost is not None:
                yield number, cost


def _against(situation: Situation, action: do.Action) -> tuple[str, bool]:
    """Return the advice that an action goes against, with its reason, and whether it is warned of; empty: none."""
    best = assess(situation).best.action
    fact = difference(situation, best, action)
    if action == best or not fact.explains:
        return "", False
    suggestion = sentences("hints")["say"][kind_of(best)].format_map(_slots(situation, best))
    return f"{suggestion} {reason(situation, fact)}", isinstance(action, WARNED) and fact.case in _PLAIN_LOSSES


# Explanations of reviewed decisions

#: Standard errors by which two shares or means must differ to be told apart.
APART: Final = 2.0


def explained(judged: Judged) -> Judged:
    """Add why the best option was better: a countable fact, else what the worlds tell apart; empty where none was."""
    done = judged.decision.action
    if judged.verdict in (Quality.FINE, Quality.CLOSE) or judged.best == done:
        return replace(judged, why="")
    situation = Situation(judged.decision.view)
    fact = difference(situation, judged.best, done)
    if fact.explains:
        return replace(judged, why=reason(situation, fact))
    return replace(judged, why="" if judged.fates is None else of_worlds(*judged.fates))


def played_out(judged: Judged, worlds: int = WORLDS) -> Judged:
    """Judge a decision by its whole race, with the reason."""
    return explained(settled(judged, worlds))


def played_on(judged: Judged, rollout: Rollout | None) -> tuple[Rollout, Judged]:
    """Advance a decision's rollout by one round, and return what is known; the reason comes once it is over."""
    rollout = go_on(rollout) if rollout else look(judged)
    return rollout, explained(rollout.result) if rollout.is_over else rollout.result


def played_further(judged: Judged, rollout: Rollout | None) -> tuple[Rollout, Judged]:
    """Play one more round of a decision whose rollout is over, or play it to its end."""
    rollout = further(rollout or look(judged))
    return rollout, explained(rollout.result)


def of_worlds(done: Fate, best: Fate) -> str:
    """Say what the worlds tell apart most clearly: who goes out, or what is left to pay."""
    texts = sentences("facts")["worlds"]
    errors, case, was, would_be = max(
        (_apart(best.out, best.worlds, done.out, done.worlds), "out", done.out, best.out),
        (_apart(done.beaten, done.worlds, best.beaten, best.worlds), "beaten", done.beaten, best.beaten),
    )
    left = 0.0
    if min(done.beaten, best.beaten) > 1:
        # Standard errors by which less is left to pay on average.
        parts = ((one.squares / one.beaten - (one.left / one.beaten) ** 2) / one.beaten for one in (done, best))
        error = sqrt(sum(parts))
        left = (done.left / done.beaten - best.left / best.beaten) / error if error else 0.0
    if max(errors, left) < APART:
        return texts["nothing"]
    if left > errors:
        points, best_points = done.left / done.beaten, best.left / best.beaten
        return texts["left"].format(points=f"{points:.0f}", best_points=f"{best_points:.0f}")
    share, best_share = was / done.worlds, would_be / best.worlds
    return texts[case].format(share=f"{100 * share:.0f}", best_share=f"{100 * best_share:.0f}")


def _apart(more: int, of_more: int, less: int, of_less: int) -> float:
    """Return the standard errors by which the first share exceeds the second."""
    share, other = more / of_more, less / of_less
    error = sqrt(share * (1 - share) / of_more + other * (1 - other) / of_less)
    return (share - other) / error if error else 0.0


# Advice: every option of the hint's race with what it came to in likely worlds, the same for all

#: The level whose choice is the hint's.
STRONGEST: Final = "master"


class Expected(Struct, frozen=True):
    action: do.Action
    margin: Mean | None
    """Own points less the others' average at the end of the deal; None: it could not be played on."""
    behind: Mean | None
    reason: str
    """Fact that sets the advice apart from it; of the advice itself, from the next best."""


class RatedAdvice(Struct, frozen=True):
    """Action to take, and expected results of every option."""

    hint: Hint
    options: tuple[Expected, ...]
    worlds: int
    """Worlds that each was played on in; 0: no native core, or it cannot play the moment on."""

    @property
    def action(self) -> do.Action:
        return self.hint.action


def decide(view: View, level: str = STRONGEST, seed: str = "advice") -> do.Action:
    """Return the action of an AI level, such as ``club`` or ``expert/caller``; raise ValueError if it has none."""
    player = make_player(level, seed)
    if view.actor != view.seat:
        raise ValueError("this seat has nothing to decide here")
    return player.decide(view).action


def advise(view: View, level: str = STRONGEST, *, worlds: int = WORLDS) -> RatedAdvice:
    """Return the advice of a level (the strongest one's is the hint); errors as in `hint`, and for an unknown level."""
    check_level(level)
    situation = Situation(view)
    found = recommend(situation, worlds=worlds)
    given = _told(situation, found) if level == STRONGEST else hint_at(view, decide(view, level))
    others = []
    for action in _options(situation, found.race):
        if action != given.action:
            fact, contrary = told_apart(situation, given.action, action)
            others.append(_expected(found.race, action, given.action, reason(situation, fact, contrary=contrary)))
    others.sort(key=lambda one: one.behind.points if one.behind else inf)
    best = _expected(found.race, given.action, given.action, given.reason)
    return RatedAdvice(given, (best, *others), 0 if found.race is None else len(found.race.usual))


def _options(situation: Situation, race: Race | None) -> list[do.Action]:
    view = situation.view
    played = [] if race is None else [choice.actions[0] for choice in race.choices]
    throws = [action for action in view.legal if isinstance(action, do.Discard)]
    lay = lay_contract(view) if view.may_lay and not situation.has_laid else None
    laid = [lay.action] if lay is not None and isinstance(lay.action, do.Lay) else []
    return list(dict.fromkeys([*played, *laid, *(option.action for option in assess(situation).options), *throws]))


def _expected(race: Race | None, action: do.Action, advised: do.Action, words: str) -> Expected:
    number, best = (None, None) if race is None else (race.number(action), race.number(advised))
    if race is None or number is None:
        return Expected(action, None, None, words)
    return Expected(action, race.expected(number), None if best is None else race.apart(number, best), words)
