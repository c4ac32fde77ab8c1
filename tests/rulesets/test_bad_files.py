import errno
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kalooki_tui.problems import InputError, Problem
from kalooki_tui.rulesets import yaml_source
from kalooki_tui.rulesets.folders import builtin_folder
from kalooki_tui.rulesets.loader import load_file
from kalooki_tui.rulesets.yaml_source import MOST_BYTES

GOOD: Final = (builtin_folder() / "jamaican.yaml").read_text(encoding="utf-8")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write_house(content: str | bytes) -> Path:
        path = tmp_path / "house.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_house


def complaints(path: Path) -> list[tuple[str, int, str]]:
    """The problems found, each with the name of its file; the error's text must say the same."""
    with pytest.raises(InputError) as caught:
        load_file(path)
    problems = caught.value.problems
    assert str(caught.value) == "\n".join(map(str, problems))
    return [(Path(file).name, line, message) for file, line, message in problems]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "is empty"),
        ("# only a comment\n\n", 1, "is empty"),
        ("null\n", 1, "is empty"),
        ("- id: house\n", 1, "holds a list"),
        ("\njust words\n", 2, "holds a single value"),
        ("id: house\nname: [unclosed\n", 3, "is not YAML"),
        ("id: house\n\tname: x\n", 2, "is not YAML"),
        ("id: house\nname: 'open\n", 3, "is not YAML"),
        ("id: house\n---\nid: other\n", 2, "a second document begins here"),
        ("id: house\nname: A\nid: other\n", 3, "the key 'id' is here twice, first on line 1"),
        ("sets: {minimum: 3, minimum: 4}\n", 1, "the key 'minimum' is here twice"),
        ("id: house\n[1, 2]: x\n", 2, "a key must be a word"),
        ("a: &a [1]\nb: *a\n", 2, "aliases are not used here"),
        ("a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(20)), 2, "aliases"),
        ("id: house\nname: !!python/name:os.system x\n", 2, "tags are not used here"),
        ('id: house\nname: "\\e[2J"\n', 2, "holds the control character U+001B"),
        (b"id: house\nname: \x00\n", 2, "is not a text file: character U+0000"),
        (b"\x89PNG\xff\xfe\x00", 1, "is not"),
        (b"id: house\nname: caf\xe9\n", 2, "is not UTF-8 text: byte 0xe9"),
        ("a: " + "[" * 2_000, 1, "is nested more than 30 levels deep"),
        ("a: " + "[" * 2_000 + "]" * 2_000, 1, "is nested more than 30 levels deep"),
        ("".join(" " * i + "a:\n" for i in range(200)), 31, "is nested"),
        ("a: 1\nb: " + "!" * 900_000, 2, "the line is too long: 900,003 characters"),
        ("a: " + "!" * 9_000, 1, "tags are not used here"),
        ("a: " + "9" * 5_000, 1, "the number is too large"),
        ("a: 1e999", 1, "the number is too large"),
    ],
)
def test_unreadable(write: Callable[[str | bytes], Path], content: str | bytes, line: int, message: str) -> None:
    [(file, at, said)] = complaints(write(content))
    assert (file, at) == ("house.yaml", line)
    assert message in said


def test_too_many_values(write: Callable[[str | bytes], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_source, "MOST_VALUES", 500)
    assert complaints(write("a: [" + "1,\n " * 510 + "]")) == [("house.yaml", 498, "holds more than 500 values")]


def test_a_huge_file_is_refused_before_it_is_read(write: Callable[[str | bytes], Path]) -> None:
    path = write(b"a: b\n" * 2_000_000)
    begun = time.process_time()
    assert complaints(path) == [
        ("house.yaml", 0, f"is too big for a ruleset: 10,000,000 bytes, at most {MOST_BYTES:,}")
    ]
    assert time.process_time() - begun < 1


def test_what_is_no_file_or_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complaints(tmp_path / "none.yaml") == [("none.yaml", 0, "there is no such file")]
    assert complaints(tmp_path) == [(tmp_path.name, 0, "is a folder, not a ruleset")]
    said = "cannot be read: it is a device, a pipe or a socket, not a file"
    assert complaints(Path(os.devnull)) == [("null", 0, said)]
    for name, why in (("x" * 5_000, "cannot be read: "), ("ho\0use.yaml", "cannot be read: .*null")):
        [(file, line, message)] = complaints(Path(name))
        assert (file, line) == (name, 0)
        assert re.match(why, message)

    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "open", refuse)
    (tmp_path / "house.yaml").write_text(GOOD, encoding="utf-8")
    assert complaints(tmp_path / "house.yaml") == [("house.yaml", 0, "cannot be read: Permission denied")]


SETTINGS: Final = "settings: {bad_lay: 50, over_call: 50}"
CHANGES: Final = "changes: {packs: {1: {jokers: 6}}}"
SEVENTH: Final = "{cards: 14, sets: 2, runs: 2}"
SETS: Final = "sets: {minimum: 3, suits: any"
KISSES: Final = "longest: 14, kisses: false"


def line_of(text: str, part: str) -> int:
    [number] = [number for number, line in enumerate(text.splitlines(), start=1) if part in line]
    return number


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("swap: high-then-low", "swop: high-then-low", "unknown key 'swop'; did you mean 'swap'?"),
        ("{minimum: 3, suits", "{minimun: 3, suits", "unknown key 'sets.minimun'; did you mean 'minimum'?"),
        ("14, sets: 2", "14, sats: 2", "unknown key 'deals.7.sats'; did you mean 'sets'?"),
        ("bad_lay: {points: 50,", "bad_lay: {point: 50, points: 50,", "unknown key 'infractions.bad_lay.point'"),
        ("    excludes: [third-pack]", "    exclude: [third-pack]", "unknown key 'options.six-jokers.exclude'"),
        ("name: Jamaican Kalooki", "name: 7", "name must be text, not 7"),
        ("name: Jamaican Kalooki", f"name: {'x' * 41}", "name: string should have at most 40"),
        ("id: jamaican", "id: Our House", "id may hold only small letters, digits and hyphens"),
        ("{cards: 14", "{cards: many", "deals.7.cards must be a whole number, not 'many'"),
        ("{cards: 14", "{cards: 14.5", "deals.7.cards must be a"),
        ("{cards: 14", "{cards: true", "deals.7.cards must be a whole number, not true"),
        ("{cards: 14, sets: 2", "{sets: 2", "deals.7.cards is missing"),
        ("{cards: 14", "{cards: -1", "deals.7.cards must be greater than or equal to 1"),
        ("kisses: false", "kisses: maybe", "runs.kisses must be true or false, not 'maybe'"),
        ("swap: high-then-low", "swap: sideways", "swap is 'sideways', it must be 'high-then-low', 'up-only'"),
        (
            "vocabulary: {set: three, sets: threes, run: four, runs: fours, deal: game}",
            "vocabulary: game",
            "vocabulary must be a mapping of keys to values, not 'game'",
        ),
        (
            SEVENTH,
            "{cards: 36, sets: 2, runs: 2}",
            "deals: deal 7 gives 6 seats 36 cards each and turns one up, but the deck for 6 seats holds 108",
        ),
        (SEVENTH, "{cards: 14}", "deals: deal 7 asks for nothing"),
        (SEVENTH, "{cards: 14, sets: 2, points: 40}", "deals: deal 7 asks for points and for melds"),
        (
            SEVENTH,
            "{cards: 14, points: 500}",
            "deals: deal 7 asks for 500 points, but the 21 cards that a hand can come to are worth 230 at",
        ),
        (SEVENTH, "{cards: 14, runs: 5}", "deals: deal 7 asks for more than 4 runs or 13 sets (M8)"),
        (
            "{seats: [7, 8], packs: 4, jokers: 10}",
            "{seats: [6, 7], packs: 3, jokers: 8}",
            "packs: 6 seats are named twice",
        ),
        ("{seats: [7, 8], packs", "{seats: [], packs", "packs.2.seats must have at least one entry, not 0"),
        ("K: 10, Q: 10", "K: 10001, Q: 10", "score.values.K must be less than or equal to 10000"),
        ("K: 10, Q: 10", "K: 10, 1Q: 10", "score.values: there is no card or rank '1Q' in the deck"),
        ("AC: 15, ", "", "score.values: no value for AC"),
        (SETTINGS, "settings: {bad_ly: 50, over_call: 50}", "there is no setting 'bad_ly'"),
        (SETTINGS, "settings: {over_call: 10}", "settings.over_call must be greater than or equal to 50"),
        (SETTINGS, "settings: {dealer_cut: true}", "the setting dealer_cut and dealer_cut_bonus go together (B1)"),
        (
            "    excludes: [third-pack]",
            "    excludes: [fourth-pack]",
            "options.six-jokers.excludes: there is no option 'fourth-pack'",
        ),
        (
            CHANGES,
            "changes: {packs: {3: {jokers: 6}}}",
            "'3' is not an entry of the list: its entries are numbered from 1 to 2",
        ),
        (
            CHANGES,
            "changes: {packs: {1: {joker: 6}}}",
            "option six-jokers: unknown key 'packs.1.joker'; did you mean 'jokers'?",
        ),
        (CHANGES, "changes: {deals: {9: {cards: 20}}}", "option six-jokers: deals: deal 9 gives 6 seats 20 cards"),
        (CHANGES, "changes: {id: other}", "option six-jokers: the changes may not name id"),
        (CHANGES, "changes: [six]", "options.six-jokers.changes must be a mapping"),
        ("end: {after: last-deal}", "end: {after: elimination}", "end.eliminate_over is needed"),
        (SETS, "sets: {minimum: 3, maximum: 2, suits: any", "sets.maximum is below sets.minimum"),
        (SETS, "sets: {minimum: 3, suits: distinct", "sets of distinct suits hold at most 4 cards"),
        (KISSES, "longest: 14, kisses: false, corner: true", "runs.corner needs runs.longest: 13"),
        (
            KISSES,
            "longest: 13, kisses: false, corner: true",
            "runs.corner does not go with tack.run_growth: high-then-low",
        ),
    ],
)
def test_wrong_value(write: Callable[[str | bytes], Path], old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    [(file, line, said)] = complaints(write(GOOD.replace(old, new)))
    assert file == "house.yaml"
    assert said.startswith(message)
    if new:
        assert line == line_of(GOOD, old)


def test_a_swap_that_asks_for_the_ace_does_not_go_round_the_corner(write: Callable[[str | bytes], Path]) -> None:
    text = GOOD.replace(KISSES, "longest: 13, kisses: false, corner: true").replace(
        "growth: high-then-low", "growth: both"
    )
    said = "runs.corner does not go with swap: high-then-low, since no ace ends a run"
    assert complaints(write(text)) == [("house.yaml", line_of(text, "corner: true"), said)]
    assert load_file(write(text.replace("swap: high-then-low", "swap: up-only"))).runs.corner


def test_every_problem_is_told_at_once(write: Callable[[str | bytes], Path]) -> None:
    text = GOOD.replace("swap: high-then-low", "swap: no").replace("kisses: false", "kisses: no")
    found = complaints(write(text + "extra: 1\n"))
    assert [(line, message.split()[0]) for _, line, message in sorted(found)] == [
        (line_of(text, "kisses: no"), "runs.kisses"),
        (line_of(text, "swap: no"), "swap"),
        (len(text.splitlines()) + 1, "unknown"),
    ]


def test_a_ruleset_lacking_its_parts_names_each(write: Callable[[str | bytes], Path]) -> None:
    assert complaints(write("# a house of ours\nname: House\n")) == [
        ("house.yaml", 2, f"{part} is missing") for part in ("summary", "packs", "deals", "score")
    ]


MISCHIEF: Final = [
    *["", "null", "-1", "1.5", "[]", "{}", "'x", "true", "&", "&a", "*a", "é"],
    "- x",
    "a: b",
    "\t",
    ": ",
    "9" * 30,
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_mischief_in_a_good_file_is_accepted_or_told(write: Callable[[str | bytes], Path], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["jamaican", "classic", "baby", "kalookie-40", "kooky", "trinidad"]))
    text = (builtin_folder() / f"{name}.yaml").read_text(encoding="utf-8")
    words = re.split(r"([\s,:{}\[\]]+)", text)
    for _ in range(data.draw(st.integers(1, 3))):
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(MISCHIEF))
    path = write("".join(words))
    problems: list[Problem] = []
    try:
        load_file(path)
    except InputError as error:
        problems = error.problems
    for file, line, message in problems:
        lines = len(Path(file).read_text(encoding="utf-8").splitlines())
        assert 1 <= line <= lines + 1
        assert "\n" not in message


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=60), st.text(alphabet="ab:-[]{}&*!|>'\"%@`,? \n\t#<1\\", max_size=40)))
def test_no_content_at_all_breaks_the_reader(write: Callable[[str | bytes], Path], content: str | bytes) -> None:
    for file, line, message in complaints(write(content)):
        assert file == "house.yaml"
        assert line >= 1
        assert message
        assert "\n" not in message


def test_a_file_name_that_is_no_id_is_an_error_of_line_one(tmp_path: Path) -> None:
    path = tmp_path / "Our House.yaml"
    path.write_text("# Without an id of its own, it is called what its file is called.\nextends: jamaican\n")
    [(file, line, message)] = complaints(path)
    assert (file, line) == ("Our House.yaml", 1)
    assert message.startswith("id ")
