from pathlib import Path

import pytest
from msgspec.structs import fields, replace

from kalooki_tui.engine.rules import make_rules
from kalooki_tui.presenter.sentences import deal_words
from kalooki_tui.problems import InputError, SourceLocation
from kalooki_tui.rulesets.folders import available, builtin_files, builtin_folder
from kalooki_tui.rulesets.house import deal_numbers, value_of
from kalooki_tui.rulesets.loader import (
    SETTING_MEANINGS,
    catalogue,
    load_file,
    load_ruleset,
    make_settings,
    resolve,
    resolve_setup,
    resolved_from_data,
)
from kalooki_tui.rulesets.model import RunRules, Settings, to_data
from kalooki_tui.rulesets.yaml_source import node_of, read_yaml
from tests.tui import samples


@pytest.fixture(autouse=True)
def rulesets(home: Path) -> None:
    """Make the folder of a player's own rulesets."""
    (home / "rulesets").mkdir()


def test_the_built_in_ones_are_available_the_default_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALOOKI_HOME", str(home / "nowhere"))
    entries = available()
    assert {entry.id for entry in entries} == {path.stem for path in builtin_files()}
    assert entries[0].id == "jamaican"
    assert all(entry.builtin for entry in entries)


def test_a_ruleset_is_asked_for_by_id_or_path() -> None:
    path = builtin_folder() / "baby.yaml"
    assert load_ruleset("baby") == load_ruleset(str(path)) == load_ruleset(path) == load_file(path)
    assert load_ruleset("baby") is load_ruleset("baby"), "it is read once"
    with pytest.raises(InputError, match=r"^there is no ruleset 'kookie'; did you mean 'kooky'\?$"):
        load_ruleset("kookie")


def test_a_users_ruleset_is_listed_and_may_be_extended(home: Path) -> None:
    (home / "rulesets" / "house.yaml").write_text("extends: jamaican\nname: House\n", encoding="utf-8")
    (home / "rulesets" / "short.yml").write_text(
        "extends: house\ndeals: [{cards: 9, sets: 3}]\noptions: {twelve-card-start: null}\n", encoding="utf-8"
    )
    assert [entry.id for entry in available() if not entry.builtin] == ["house", "short"]
    assert load_ruleset("house").name == "House"
    assert (load_ruleset("short").name, len(load_ruleset("short").deals)) == ("House", 1)


def test_a_broken_ruleset_of_a_user_hides_no_other(home: Path) -> None:
    broken, twin = home / "rulesets" / "broken.yaml", home / "rulesets" / "kooky.yaml"
    broken.write_text("extends: jamaican\nswop: both\n", encoding="utf-8")
    twin.write_text("extends: trinidad\n", encoding="utf-8")
    (home / "rulesets" / "good.yaml").write_text("extends: baby\n", encoding="utf-8")
    (home / "rulesets" / "folder.yaml").mkdir()
    (home / "rulesets" / "notes.txt").write_text("not a ruleset", encoding="utf-8")
    listed = {entry.path.name: entry for entry in catalogue() if not entry.builtin}
    assert set(listed) == {"broken.yaml", "kooky.yaml", "good.yaml", "folder.yaml"}
    assert str(listed["broken.yaml"].error) == f"{broken}:2: unknown key 'swop'; did you mean 'swap'?"
    assert "belongs to a built-in ruleset" in str(listed["kooky.yaml"].error)
    assert "is a folder" in str(listed["folder.yaml"].error)
    assert listed["good.yaml"].error is None
    assert {entry.id for entry in catalogue() if entry.builtin and entry.ruleset} == {
        path.stem for path in builtin_files()
    }
    assert load_ruleset("kooky").deck == "colours"


def test_the_id_of_a_users_ruleset_is_its_files_name(home: Path) -> None:
    path = home / "rulesets" / "house.yaml"
    path.write_text("extends: jamaican\nid: home\n", encoding="utf-8")
    message = f"{path}:2: the id is 'home', but the file's name says 'house'"
    [error] = [str(entry.error) for entry in catalogue() if not entry.builtin]
    assert error == message
    with pytest.raises(InputError) as caught:
        load_ruleset("house")
    assert str(caught.value) == message
    assert load_file(path).id == "home"


@pytest.mark.parametrize(
    ("ruleset", "options", "seats", "message"),
    [
        ("jamaican", ["third-pak"], None, "Jamaican Kalooki has no option 'third-pak'; did you mean 'third-pack'?"),
        (
            "classic",
            ["zzz"],
            None,
            (
                "Classic Kalooki has no option 'zzz'; choose from: free-calls, "
                "nearest-call, no-throw-back, tack-later, third-pack, two-card-calls"
            ),
        ),
        (
            "kooky",
            ["six-jokers"],
            None,
            (
                "Kooky Kalooki has no option 'six-jokers'; choose from: free-calls, "
                "nearest-call, no-throw-back, tack-later, two-card-calls"
            ),
        ),
        ("jamaican", ["six-jokers", "third-pack"], None, "the options six-jokers and third-pack exclude each other"),
        ("jamaican", ["third-pack", "third-pack"], None, "the option third-pack is chosen twice"),
        ("air-jamaica", ["six-jokers"], 5, "the option six-jokers is for 3, 4 seats, not 5"),
        ("tuluki", [], 3, "Tuluki is played with 2 seats, not 3"),
        ("jamaican", [], 0, "Jamaican Kalooki is played with 3 to 8 seats, not 0"),
    ],
)
def test_options_and_seats_that_do_not_go(ruleset: str, options: list[str], seats: int | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        resolve(ruleset, options, seats)
    assert str(caught.value) == message


def test_settings_are_the_rulesets_with_the_tables_over_them() -> None:
    jamaican, kalookie = load_ruleset("jamaican"), load_ruleset("kalookie-40")
    assert make_settings(jamaican) == Settings(bad_lay=50, over_call=50)
    chosen = make_settings(jamaican, {"over_call": 500, "max_redeals": 3, "race": True})
    assert chosen == Settings(bad_lay=50, over_call=500, max_redeals=3, race=True)
    assert make_settings(kalookie, {"max_buy_ins": 0}).max_buy_ins == 0
    assert make_settings(kalookie) == Settings(initial_stake=10, call_up=1, kalookie=2, buy_in_stake=10, max_buy_ins=1)
    assert set(SETTING_MEANINGS) == {one.name for one in fields(Settings)}


@pytest.mark.parametrize(
    ("ruleset", "overrides", "message"),
    [
        ("jamaican", {"bad_ly": 5}, "there is no setting 'bad_ly'; did you mean 'bad_lay'?"),
        (
            "classic",
            {"bad_lay": 5},
            "Classic Kalooki has no setting bad_lay (the price of a lay-down that is not the contract, F1)",
        ),
        (
            "trinidad",
            {"dealer_cut": True},
            "Trinidad Kalooki has no setting dealer_cut (the dealer's cut for a bonus, B1)",
        ),
        ("jamaican", {"over_call": 49}, "settings.over_call must be greater than or equal to 50"),
        ("jamaican", {"over_call": 501}, "settings.over_call must be less than or equal to 500"),
        ("jamaican", {"race": "yes"}, "settings.race must be true or false, not 'yes'"),
        ("jamaican", {"race": 0}, "settings.race must be true or false, not 0"),
        ("jamaican", {"max_redeals": 0}, "settings.max_redeals must be greater than or equal to 1"),
        ("kalookie-40", {"kalookie": -1}, "settings.kalookie must be greater than or equal to 0"),
    ],
)
def test_settings_that_cannot_be(ruleset: str, overrides: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        make_settings(load_ruleset(ruleset), overrides)
    assert str(caught.value) == message


def test_a_positions_ruleset_as_id_path_and_mapping(tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text("extends: baby\n", encoding="utf-8")
    position = SourceLocation(str(tmp_path / "position.yaml"), 1)
    assert resolve_setup(node_of("jamaican", position)) == (resolve("jamaican"), {})
    assert resolve_setup(node_of("./house.yaml", position))[0].id == "house"
    mapping = {
        "extends": "jamaican",
        "options": ["one-joker-fours"],
        "settings": {"bad_lay": 100},
        "calls": {"limit": 2},
    }
    ruleset, settings = resolve_setup(node_of(mapping, position), seats=4)
    assert (ruleset.id, ruleset.runs.jokers_when_shortest, ruleset.calls.limit) == ("jamaican", 1, 2)
    assert make_settings(ruleset, settings) == Settings(bad_lay=100, over_call=50)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("ruleset: jamacan", 1, "there is no ruleset 'jamacan'; did you mean 'jamaican'?"),
        ("ruleset: ./none.yaml", 1, "there is no file none.yaml"),
        ("ruleset: 7", 1, "the ruleset must be an id or a mapping with `extends:`"),
        ("ruleset:\n  extends: jamaican\n  options: [six-joker]", 3, "has no option 'six-joker'; did you mean"),
        ("ruleset:\n  extends: jamaican\n  options:\n  - six-jokers\n  - 7", 5, "options: must be names of options"),
        ("ruleset:\n  extends: jamaican\n  settings: {dealer_cut: true}", 3, "has no setting dealer_cut"),
        ("ruleset:\n  extends: jamaican\n  settings:\n    race: 1\n", 4, "settings.race must be true or false"),
        ("ruleset:\n  extends: jamaican\n  settings: 5", 3, "settings must be a mapping"),
        ("ruleset:\n  extends: jamaican\n  swop: both", 3, "unknown key 'swop'; did you mean 'swap'?"),
        ("ruleset:\n  options: []", 1, "id is missing"),
    ],
)
def test_a_positions_mapping_that_is_wrong(text: str, line: int, message: str) -> None:
    tree = read_yaml(text, "position.yaml")
    with pytest.raises(InputError) as caught:
        resolve_setup(tree.value["ruleset"])  # type: ignore[index, call-overload]
    first = caught.value.problems[0]
    assert (first.file, first.line) == ("position.yaml", line)
    assert message in first.message


def test_stored_rules_that_are_none() -> None:
    for data in (None, [], "jamaican", {}, {"id": "x"}, {"id": object()}):
        with pytest.raises(InputError, match=r"^match\.jsonl:1: "):
            resolved_from_data(data, file="match.jsonl", line=1)


def test_stored_rules_that_only_look_like_built_in_ones_or_are_nested_without_end() -> None:
    data = to_data(resolve("jamaican"))
    with pytest.raises(InputError, match=r"runs\.kisses must be true or false, not 0"):
        resolved_from_data({**data, "runs": {**data["runs"], "kisses": 0}})  # type: ignore[dict-item]
    assert resolved_from_data({**data, "name": "House"}).name == "House"
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(InputError, match="is nested more than 30 levels deep"):
        resolved_from_data({"id": deep})


def test_options_exclude_each_other_whichever_of_the_two_says_so() -> None:
    jamaican, both = load_ruleset("jamaican"), ("six-jokers", "third-pack")
    for said_by in both:
        only = {name: one if name == said_by else replace(one, excludes=()) for name, one in jamaican.options.items()}
        for options in (both, both[::-1]):
            with pytest.raises(InputError, match="exclude"):
                resolve(replace(jamaican, options=only), options, 4)


def test_deals_are_chosen_by_their_numbers_in_the_game() -> None:
    whole = tuple(replace(deal, number=number, of=9) for number, deal in enumerate(load_ruleset("jamaican").deals, 1))
    assert resolve("jamaican", ("deals=1-3",)).deals == whole[:3]
    assert resolve("jamaican", ("deals=2,5,9",)).deals == (whole[1], whole[4], whole[8])
    assert resolve("jamaican", ("six-jokers", "deals=4"), 4).deals == whole[3:4]
    assert deal_numbers(("six-jokers", "deals=2-4,9")) == (2, 3, 4, 9)


@pytest.mark.parametrize(
    ("options", "deal", "words"),
    [((), 4, "Game 4 of 9"), (("deals=4",), 1, "Game 4 of 9"), (("deals=1",), 1, "Game 1 of 9"),
     (("deals=2,5,9",), 2, "Game 5 of 9, 2 of 3"),
     (("deals=1-3",), 3, "Game 3 of 3")],
)  # fmt: skip
def test_a_deal_is_called_by_its_number_in_the_game(options: tuple[str, ...], deal: int, words: str) -> None:
    rules = make_rules(resolve("jamaican", options), 4)
    assert deal_words(samples.view(rules=rules, deal=deal, contract=rules.contract(deal))) == words


def test_calls_and_doubling_are_changed() -> None:
    game = resolve("jamaican", ("calls=1", "doubling=first-bend"))
    assert (game.calls.limit, game.score.doubling) == (1, "first-bend")
    assert value_of(("calls=1",), "calls") == "1"
    assert value_of(("calls=1",), "deals") == ""


@pytest.mark.parametrize(
    ("ruleset", "options", "why"),
    [
        ("jamaican", ("deals=0-3",), "it has 1 to 9"),
        ("jamaican", ("deals=8-12",), "it has 1 to 9"),
        ("jamaican", ("deals=three",), "names no deals: write 1-3"),
        ("jamaican", ("deals=1-1000",), "names no deals: write 1-3"),
        ("jamaican", ("deals=",), "are not deals"),
        ("jamaican", ("deals=1,1",), "each once"),
        ("jamaican", ("deals=1", "deals=2"), "named twice"),
        ("jamaican", ("calls=0",), "a number from 1 to 20"),
        ("jamaican", ("doubling=often",), "one of none, bend, first-bend"),
        ("jamaican", ("deels=1",), "no house rule 'deels'; did you mean 'deals'"),
        ("kalookie-40", ("deals=1",), "goes on until one seat is left"),
        ("kalookie-40", ("calls=2",), "nobody calls in Kalookie 40"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_is_refused_in_words(ruleset: str, options: tuple[str, ...], why: str) -> None:
    with pytest.raises(InputError, match=why):
        resolve(ruleset, options)


def test_a_deal_without_calls_is_written_and_read_as_one() -> None:
    ruleset = resolve("jamaican")
    quiet = replace(ruleset, deals=(replace(ruleset.deals[0], calls=0), *ruleset.deals[1:]))
    assert [deal.calls for deal in resolved_from_data(to_data(quiet)).deals[:2]] == [0, None]


@pytest.mark.parametrize(("corner", "apart", "lows"), [(False, 12, 11), (True, 1, 13)])
def test_an_ace_is_next_to_the_king_only_round_the_corner(corner: bool, apart: int, lows: int) -> None:
    runs = RunRules(corner=corner)
    assert runs.apart(12, 0) == runs.apart(0, 12) == apart
    assert [*runs.lows(4)] == [*range(1, lows + 1)]
    assert [runs.has_place(position) for position in (0, 1, 14, 15)] == [corner, True, True, corner]
