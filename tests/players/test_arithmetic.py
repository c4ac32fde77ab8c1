import math
import random
import re
from pathlib import Path

import kalooki_tui
from kalooki_tui.players.numbers import added_up, power_of_e

PACKAGE = Path(kalooki_tui.__file__).parent


def test_a_power_of_e_is_right_to_the_last_two_bits() -> None:
    dice = random.Random(1)
    for exponent in [0.0, -700.0, *(-(10 ** dice.uniform(-12, 2.8)) for _ in range(5_000))]:
        assert abs(power_of_e(exponent) - math.exp(exponent)) <= 2 * math.ulp(math.exp(exponent)), exponent
    assert power_of_e(0.0) == 1.0
    assert power_of_e(-1e9) == power_of_e(-math.inf) == 0.0


def test_its_bits_are_these() -> None:
    bits = {
        -1.0: "0x1.78b56362cef38p-2", -0.1: "0x1.cf46d99d52b3ap-1", -6 / 97: "0x1.e14a1c81e2f3ap-1",
        -12 / 61: "0x1.a491197b3bfbcp-1", -123.456: "0x1.da9fb9e4ee720p-179",
    }  # fmt: skip
    assert {exponent: power_of_e(exponent).hex() for exponent in bits} == bits


def test_numbers_are_added_one_after_another() -> None:
    # From Python 3.12 on `sum` makes up for what is lost on the way, and comes to 1.
    assert added_up([0.1] * 10) == 0.9999999999999999
    assert added_up([]) == 0.0


def test_no_power_is_left_to_the_systems_library() -> None:
    """Roots are exact everywhere; `gauss` rounds a cut of the pack to a whole number of cards."""
    uses = re.compile(r"\b(exp|exp2|expm1|log|log2|log10|pow|sin|cos|tan|tanh|erf|cbrt|hypot)\(")
    rooms = [*(PACKAGE / "players").rglob("*.py"), *(PACKAGE / "playouts").rglob("*.[pc]*")]
    sources = [path for path in rooms if path.suffix in (".py", ".c")]
    assert {path.suffix for path in sources} == {".py", ".c"}
    assert [path.name for path in sources if uses.search(path.read_text(encoding="utf-8"))] == []
