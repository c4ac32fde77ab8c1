"""The rating formulas, against the worked example of the paper."""

import pytest

from kalooki_tui.store.glicko import Rating, expected_score, rate


def test_the_worked_example_of_the_paper() -> None:
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rate(Rating(1500, 200, 0.06), games, tau=0.5)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_without_games_only_the_doubt_grows() -> None:
    after = rate(Rating(1600, 50, 0.06), [])
    assert (after.rating, after.volatility) == (1600, 0.06)
    assert 50 < after.deviation < 52


def test_winning_lifts_losing_lowers_and_doubt_shrinks() -> None:
    even = Rating()
    won, lost, drawn = (rate(even, [(even, score)]) for score in (1.0, 0.0, 0.5))
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)
    assert won.rating > drawn.rating == pytest.approx(1500)
    assert max(won.deviation, lost.deviation, drawn.deviation) < 350


def test_a_great_surprise_raises_the_volatility() -> None:
    weak, strong = Rating(1200, 40, 0.06), Rating(2200, 40)
    assert rate(weak, [(strong, 1.0)] * 4).volatility > 0.06


def test_expected_scores_add_up() -> None:
    one, other = Rating(1700, 80), Rating(1500, 120)
    assert expected_score(one, other) + expected_score(other, one) == pytest.approx(1)
    assert expected_score(one, other) > 0.7
    assert expected_score(one, one) == 0.5
