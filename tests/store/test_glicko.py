import math

import pytest

from kalooki_tui.store.glicko import Rating, rate


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


@pytest.mark.parametrize(("volatility", "tau"), [(0.06, 0.3), (0.06, 1.2), (1.0, 1.2), (3.0, 4.0)])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_the_volatility_is_where_the_paper_has_it(score: float, volatility: float, tau: float) -> None:
    before, other = Rating(1500, 60, volatility), Rating(1900, 40)
    found = rate(before, [(other, score)] * 3, tau=tau)

    scale = 173.7178
    phi = before.deviation / scale
    g = 1 / math.sqrt(1 + 3 * (other.deviation / scale) ** 2 / math.pi**2)
    expected = 1 / (1 + math.exp(g * (other.rating - before.rating) / scale))
    variance = 1 / (3 * g**2 * expected * (1 - expected))
    delta = variance * 3 * g * (score - expected)

    def slope(x: float) -> float:
        spread = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - math.log(volatility**2)) / tau**2

    low, high = -60.0, 20.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    assert found.volatility == pytest.approx(math.exp(low / 2), rel=1e-5)
