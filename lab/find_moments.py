"""Find moments for puzzles of judgement: python -m lab.find_moments notes.txt [--ruleset jamaican] [--minutes 10]

Club players play deals. Of each deal at most one moment of a kind is taken: one that the coach, the club player, the
expert and the value of positions agree about. What to throw is split into right and wrong where a hundred worlds have
the widest gap. Then fresh worlds check the moment (`lab/trials.py`). Those that are clear are added to the
notes, a line each. A run goes on where the last one ended.

`python -m lab.find_moments notes.txt --write` makes the shipped tables of the notes.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.coach.exercises.kinds.moments import MOST_DECISIONS, Judging, Throwing, begun
from kalooki_tui.coach.exercises.making import kinds_for, rules_for
from kalooki_tui.coach.exercises.model import Answer
from kalooki_tui.coach.puzzles import FOLDER, JUDGED, Code, Moment, is_sound
from kalooki_tui.engine.actions import Action, Discard
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.playouts import PlayoutFault, play_deal
from kalooki_tui.solver import distance
from lab.trials import Trial, is_clear

#: How often deals are played, by the runs of their contract: those with runs take ten times as long to play out.
WEIGHTS: Final = (6.0, 1.0, 0.15)
#: Cards that a hand to throw from may be away from the contract: of a poorer one most throws are worth about the same.
MOST_AWAY: Final = 1
#: Worlds that split the throws into right and wrong, half of them at most right, and the least gap between the two.
SPLITTING: Final = ((30, 4.0), (100, 5.0))
#: Moments of a kind without which a ruleset is not asked about it: they would come again too soon.
FEWEST: Final = 20


def moments(rules: Rules, number: int, seed: str, kinds: set[str]) -> Iterator[tuple[Sequence[Action], Judging]]:
    """What may be asked of the first seat in a deal, as the coach sees it, each with the actions that came before."""
    deal, before = begun(rules, number, seed), list[Action]()
    for action, shuffled in play_deal(deal).actions[:MOST_DECISIONS]:
        if shuffled is not None:
            return
        if deal.actor == 0:
            view = deal.view(0)
            if has_laid(view, 0):
                return
            for name in sorted(kinds):
                kind = JUDGED[name]
                if view.phase in kind.phases and _is_near(kind, view) and kind.is_clear(view):
                    yield before, kind.of(view)
        deal.apply(action)
        before.append(action)


def _is_near(kind: type[Judging], view: View) -> bool:
    return kind is not Throwing or distance(view.rules, view.contract, view.hand) <= MOST_AWAY


def split(exercise: Throwing, seed: str) -> Throwing | None:
    """The same with the throws that are right in some worlds; None where no gap parts them from the others."""
    trial, cards = Trial(exercise, seed), set[Card]()
    for worlds, least in SPLITTING:
        trial.play(worlds)
        means = sorted((mean, action.card) for action, mean in trial.means().items() if isinstance(action, Discard))
        gap, right = max((means[n][0] - means[n - 1][0], n) for n in range(1, len(means) // 2 + 1))
        cards = {card for _, card in means[:right]}
        if gap < least or exercise.assessment.best.cards[0] not in cards:
            return None
    # The coach's own comes first.
    options = dict.fromkeys(one.cards[0] for one in exercise.assessment.options)
    return replace(exercise, proven=tuple(Answer((card,)) for card in options if card in cards))


def found_in(rules: Rules, number: int, seed: str, kinds: set[str]) -> Iterator[Moment]:
    """The moments of a deal that are clear, of each kind the first."""
    wanted = set(kinds)
    for before, exercise in moments(rules, number, seed, wanted):
        if exercise.kind not in wanted:
            continue
        name = f"{rules.ruleset.id}/{number}/{seed}/{len(before)}"
        asked = split(exercise, f"split/{name}") if isinstance(exercise, Throwing) else exercise
        # The core plays on in less time than the players and the value take to judge.
        if asked is None or not is_clear(asked, f"check/{name}") or not is_sound(asked):
            continue
        wanted.remove(asked.kind)
        yield Moment.after(before, asked, seed)


def search(ruleset: str, notes: Path, kinds: set[str], minutes: float, most: int) -> None:
    """Look on for so long, or until there are `most` of each kind."""
    rules, until = rules_for(ruleset), time.process_time() + 60 * minutes
    lines = [line.split() for line in notes.read_text(encoding="utf-8").splitlines()] if notes.exists() else []
    mine = [line for line in lines if line[0] == ruleset]
    code = Code(max((line[3].zfill(4) for line in mine), default="0000"))
    have = Counter(line[1] for line in mine)
    contracts = [rules.contract(number + 1) for number in range(len(rules.ruleset.deals))]
    weights = [WEIGHTS[min(contract.runs, 2)] for contract in contracts]
    with notes.open("a", encoding="utf-8") as stream:
        while time.process_time() < until and any(have[kind] < most for kind in kinds):
            code = code.next
            dice = random.Random(f"moments/{ruleset}/{code.seed}")
            number = dice.choices(range(len(contracts)), weights)[0] + 1
            open_kinds = {kind for kind in kinds if have[kind] < most}
            open_kinds &= set(kinds_for(rules, number))
            if contracts[number - 1].runs > 1:
                # A dozen ways to play out.
                open_kinds -= {"throw"}
            try:
                for moment in found_in(rules, number, code.seed, open_kinds):
                    have[moment.kind] += 1
                    stream.write(f"{ruleset} {moment.kind} {moment}\n")
                    stream.flush()
            except PlayoutFault:
                continue
    print(ruleset, dict(have))


def main() -> None:
    """Look for moments, or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--kinds", default=",".join(JUDGED))
    parser.add_argument("--minutes", type=float, default=10.0, help="of processor time")
    parser.add_argument("--most", type=int, default=1000, help="of each kind")
    parser.add_argument("--write", action="store_true", help="make the shipped tables of the notes")
    chosen = parser.parse_args()
    if not chosen.write:
        search(chosen.ruleset, chosen.notes, set(chosen.kinds.split(",")), chosen.minutes, chosen.most)
        return
    lines = [line.split(maxsplit=2) for line in chosen.notes.read_text(encoding="utf-8").splitlines()]
    for ruleset in sorted({line[0] for line in lines}):
        of_kinds = {kind: [text for *where, text in lines if where == [ruleset, kind]] for kind in JUDGED}
        table = {kind: texts for kind, texts in of_kinds.items() if len(texts) >= FEWEST}
        if table:
            (FOLDER / f"{ruleset}.json").write_text(json.dumps(table, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
