import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.match import Match
from kalooki_tui.rulesets.loader import load_ruleset
from lab import make_lab, sweep

SCRIPTS = Path(__file__).parents[1] / "scripts"


def test_a_sweep_that_finds_nothing() -> None:
    command = [sys.executable, "-m", "lab.sweep", "--ruleset", "baby", "--matches", "12", "--level", "novice"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    heads, line = result.stdout.splitlines()
    assert heads.split() == ["ruleset", "matches", "deals", "void", "actions", "failed", "seconds"]
    name, matches, deals, void, _, failed, _ = line.split()
    assert (name, matches, failed) == ("baby", "12", "0")
    assert int(deals) - int(void) == 36


def test_a_sweep_of_single_deals_goes_round_the_contracts() -> None:
    base = load_ruleset("jamaican")
    setups = [sweep.setup_for(base, number, number, ["novice"], True, (3, 4)) for number in range(18)]
    assert {len(setup.seats) for setup in setups} == {3, 4}
    contracts = {(deal.sets, deal.runs) for setup in setups for deal in setup.ruleset.deals}
    assert contracts == {(deal.sets, deal.runs) for deal in base.deals}
    assert all(len(setup.ruleset.deals) == 1 for setup in setups)


@pytest.mark.parametrize(
    ("harm", "found"), [("a card twice", "the cards are not the deck's"), ("a coin more", "counters were made or lost")]
)
def test_a_sweep_sees_what_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, harm: str, found: str) -> None:
    whole = Match.apply

    def apply(match: Match, action: Action) -> list[Event]:
        events = whole(match, action)
        deal = match.deal
        if len(deal.history) == 20:
            if harm == "a card twice":
                deal.stock[0] = deal.stock[1] if deal.stock[0] != deal.stock[1] else deal.stock[2]
            else:
                deal.standing = replace(deal.standing, pool=deal.standing.pool + 1)
        return events

    monkeypatch.setattr(Match, "apply", apply)
    setup = sweep.setup_for(load_ruleset("kalookie-40"), 2, 5, ["novice"], False, ())
    wrong = sweep.play_one(setup, tmp_path, sweep.Count())
    assert wrong is not None
    assert found in wrong


def test_the_lab_page_has_a_line_for_each_table() -> None:
    found = [
        make_lab.run(ruleset, seats, options, 2, 1, "novice")
        for ruleset, seats, options in (("jamaican", 5, ()), ("jamaican", 5, ("third-pack",)), ("kalookie-40", 3, ()))
    ]
    page = make_lab.page(found, 2, 1, "novice")
    assert "2 matches of `ai:novice` players with the seed 1; 6 matches and " in page
    assert [line for line in page.splitlines() if line.startswith("#")] == [
        "# The lab: how the games play",
        "## How many packs",
        "## Jamaican Kalooki",
        "## Kalookie 40",
    ]
    lines = [line for line in page.splitlines() if line.startswith(("| 5 |", "| 5 + third-pack |", "| 3 |"))]
    assert [line.split(" | ")[1] for line in lines[2:]] == ["108", "164", "106"]
    names = {(ruleset, seats, options) for ruleset, seats, options in make_lab.tables()}
    assert {("jamaican", 6, ("third-pack",)), ("trinidad", 11, ()), ("tuluki", 2, ())} <= names
