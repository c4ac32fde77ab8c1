"""Load rulesets by id or file, apply options and settings, and convert to and from the form stored in records.

A built-in ruleset comes compiled and is neither parsed nor checked again. The modules that read people's files are
imported only when there is one to read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import convert
from msgspec.structs import replace

from kalooki_tui.problems import InputError, Place, nearest, problem
from kalooki_tui.rulesets.compiled import read_compiled
from kalooki_tui.rulesets.folders import Entry, available, entry_of, is_path, locate, user_folder, yaml_files
from kalooki_tui.rulesets.house import is_house, with_house
from kalooki_tui.rulesets.model import COMMON_SETTINGS, Ruleset, Settings, to_data

if TYPE_CHECKING:
    from kalooki_tui.rulesets.yaml_source import Node

MOST_RESOLVED: Final = 256
"""Rulesets with their options applied that are kept."""

#: What each setting is, with its clause.
SETTING_MEANINGS: Final[dict[str, str]] = {
    "bad_lay": "the price of a lay-down that is not the contract, F1",
    "over_call": "the price of a call over the limit, F2",
    "max_redeals": "void deals in a row before a contract is passed over, D15",
    "max_turns": "turns of each seat without a lay-down after which a deal is void, D33",
    "max_buy_ins": "how often a seat may buy in again, P3",
    "initial_stake": "what each seat pays at the start, P1",
    "call_up": "what the winner of a deal gets from each seat, P2",
    "kalookie": "what a kalookie pays, P2",
    "buy_in_stake": "the price of buying in again, P3",
    "dealer_cut": "the dealer's cut for a bonus, B1",
    "race": "calls by the first key pressed, D4",
    "handicap": "points with which the seats begin",
}


class Listed(NamedTuple):
    """A ruleset of the list, or why it cannot be used: one of `ruleset` and `error` is None."""

    id: str
    path: Path
    builtin: bool
    ruleset: Ruleset | None
    error: InputError | None


def catalogue() -> list[Listed]:
    """Every ruleset loaded, a broken one with its error, so that it does not hide the others."""
    listed = [_listed(entry) for entry in available()]
    builtin = {entry.id for entry in listed if entry.builtin}
    for path in yaml_files(user_folder()):
        if path.stem in builtin:
            error = problem(f"the id {path.stem!r} belongs to a built-in ruleset: rename the file", Place(str(path), 1))
            listed.append(Listed(path.stem, path, False, None, error))
    return listed


def _listed(entry: Entry) -> Listed:
    try:
        return Listed(*entry, _load_entry(entry), None)
    except InputError as error:
        return Listed(*entry, None, error)


def load_ruleset(id_or_path: str | Path) -> Ruleset:
    """Load the ruleset with that id, or in that file; options are still to be chosen.

    Raises:
        InputError: it does not exist, or has mistakes.
    """
    text = str(id_or_path)
    return load_file(Path(text)) if is_path(text) else _load_entry(entry_of(text, Place()))


def load_file(path: str | Path) -> Ruleset:
    """The ruleset in a file, with everything it extends; each of its options is tried as well.

    Raises:
        InputError: anything wrong, with the file and line it stands in.
    """
    from kalooki_tui.rulesets.checking import check_ruleset
    from kalooki_tui.rulesets.trees import file_tree, with_options

    tree = file_tree(Path(path))
    ruleset = check_ruleset(tree)
    for name in ruleset.options:
        check_ruleset(with_options(tree, [name]), f"option {name}: ")
    return ruleset


def resolve(ruleset: Ruleset | str, options: Sequence[str] = (), seats: int | None = None) -> Ruleset:
    """The ruleset with these options and house rules applied, in this order, for `seats` seats; it offers no options.

    The same ruleset, options and seats give the same object.

    Raises:
        InputError: an unknown or repeated option, options that exclude each other or do not go together, or
            a number of seats that an option or the game is not for.
    """
    base = load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    named = tuple(option for option in options if not is_house(option))
    _check_options(base, [(name, Place()) for name in named], seats)
    ruleset = _with_options(base, named)
    if len(named) < len(options):
        ruleset = _with_house(ruleset, tuple(option for option in options if is_house(option)))
    return _for_seats(ruleset, seats, Place())


@lru_cache(maxsize=MOST_RESOLVED)
def _with_house(ruleset: Ruleset, options: tuple[str, ...]) -> Ruleset:
    from kalooki_tui.rulesets.checking import check_ruleset
    from kalooki_tui.rulesets.yaml_source import node_of

    # What a record writes down must be read again.
    return check_ruleset(node_of(to_data(with_house(ruleset, options)), Place()))


@lru_cache(maxsize=MOST_RESOLVED)
def _with_options(base: Ruleset, options: tuple[str, ...]) -> Ruleset:
    if not options:
        return replace(base, options={})
    from kalooki_tui.rulesets.trees import with_options
    from kalooki_tui.rulesets.yaml_source import node_of

    tree = with_options(node_of(to_data(base), Place()), options)
    if _compiled(base.id) == base:
        # Each combination of its options is checked by a test.
        return convert(tree.plain(), Ruleset)
    from kalooki_tui.rulesets.checking import check_ruleset

    return check_ruleset(tree)


def resolve_setup(node: Node, *, seats: int | None = None) -> tuple[Ruleset, dict[str, object]]:
    """Read a position's `ruleset:` into the resolved ruleset and the chosen settings, for `make_settings`.

    It is an id, a path relative to the position's file, or a mapping with `extends: ID`, `options: [NAME, ...]`,
    `settings: {NAME: VALUE}` and any other key of a ruleset, laid over what it extends.

    Raises:
        InputError: anything wrong, with its line.
    """
    from kalooki_tui.rulesets.checking import check_ruleset
    from kalooki_tui.rulesets.trees import extended, with_options
    from kalooki_tui.rulesets.yaml_source import Node

    if isinstance(node.value, str):
        if is_path(node.value):
            return resolve(load_file(locate(node.value, node.place)), (), seats), {}
        return resolve(_load_entry(entry_of(node.value, node.place)), (), seats), {}
    if not isinstance(node.value, dict):
        raise problem("the ruleset must be an id or a mapping with `extends:`", node.place)
    own = Node(dict(node.value), node.place, dict(node.keys))
    assert isinstance(own.value, dict)
    options = _option_names(own.value.pop("options")) if _is_list(own.value.get("options")) else []
    settings = own.value.pop("settings", None)
    tree = extended(own)
    base = check_ruleset(tree)
    _check_options(base, options, seats)
    ruleset = replace(base, options={})
    if options:
        ruleset = check_ruleset(with_options(tree, [name for name, _ in options]))
    _for_seats(ruleset, seats, tree.place)
    if settings is None or settings.value is None:
        return ruleset, {}
    if not isinstance(settings.value, dict):
        raise problem("settings must be a mapping", settings.place)
    overrides: dict[str, object] = {}
    for name, setting in settings.value.items():
        overrides[name] = setting.plain()
        _settings(ruleset, {name: overrides[name]}, settings.keys.get(name, setting.place))
    return ruleset, overrides


def make_settings(ruleset: Ruleset, overrides: Mapping[str, object] | None = None) -> Settings:
    """The settings of a match: the ruleset's defaults, and what the table chose instead.

    Raises:
        InputError: an unknown setting, one that is not this ruleset's, or a value it cannot have.
    """
    settings, limit = _settings(ruleset, overrides or {}, Place()), ruleset.end.eliminate_over
    if limit and any(points > limit for points in settings.handicap):
        raise problem(f"a seat that begins with more than {limit} points would be out of the match at once", Place())
    return settings


def resolved_from_data(data: object, *, file: str = "", line: int = 0) -> Ruleset:
    """The ruleset that `to_data` wrote; `file` and `line` say where it was read, for errors.

    Raises:
        InputError: it is no ruleset.
    """
    from kalooki_tui.rulesets.yaml_source import node_of

    place = Place(file, line)
    if not isinstance(data, Mapping):
        raise problem("the rules must be a mapping", place)
    tree = node_of(data, place)
    text, builtin = json.dumps(tree.plain()), _compiled(str(data.get("id")))
    if builtin is not None:
        for known in (_with_options(builtin, ()), builtin):
            # As text, since true and 1 are equal.
            if json.dumps(to_data(known)) == text:
                return known
    from kalooki_tui.rulesets.checking import check_ruleset

    return check_ruleset(tree)


def family_of(ruleset_id: str) -> str:
    """The id of the ruleset that this one extends, and that another, up to the first; else its own.

    Raises:
        InputError: one of them cannot be read.
    """
    path = entry_of(ruleset_id, Place()).path
    compiled = read_compiled(path)
    if compiled is not None:
        return Path(compiled.files[-1]).stem
    from kalooki_tui.rulesets.trees import files_of

    return files_of(path)[-1].stem


@cache
def _load_builtin(path: Path) -> Ruleset:
    """A ruleset that comes with the program: its file does not change while the program runs, nor does the value."""
    compiled = read_compiled(path)
    return load_file(path) if compiled is None else compiled.ruleset


def _compiled(ruleset_id: str) -> Ruleset | None:
    """The built-in ruleset of that id, if it came as it was compiled."""
    for entry in available():
        if entry.builtin and entry.id == ruleset_id:
            compiled = read_compiled(entry.path)
            return None if compiled is None else compiled.ruleset
    return None


def _load_entry(entry: Entry) -> Ruleset:
    """A ruleset out of one of the folders, where its file's name is its id: a record names a ruleset by it."""
    ruleset = _load_builtin(entry.path) if entry.builtin else load_file(entry.path)
    if ruleset.id != entry.id:
        from kalooki_tui.rulesets.trees import find
        from kalooki_tui.rulesets.yaml_source import read_text, read_yaml

        place = find(read_yaml(read_text(entry.path), str(entry.path)), ("id",))
        raise problem(f"the id is {ruleset.id!r}, but the file's name says {entry.id!r}", place)
    return ruleset


def _check_options(ruleset: Ruleset, options: Iterable[tuple[str, Place]], seats: int | None) -> None:
    """See that the ruleset offers these options, together and for these seats; each with the place it was chosen at."""
    known, chosen = ruleset.options, list[str]()
    for name, place in options:
        if name not in known:
            raise problem(f"{ruleset.name} has no option {name!r}{nearest(name, known)}", place)
        if name in chosen:
            raise problem(f"the option {name} is chosen twice", place)
        rule = known[name]
        for other in chosen:
            if other in rule.excludes or name in known[other].excludes:
                raise problem(f"the options {other} and {name} exclude each other", place)
        if seats is not None and rule.seats is not None and seats not in rule.seats:
            counts = ", ".join(map(str, rule.seats))
            raise problem(f"the option {name} is for {counts} seats, not {seats}", place)
        chosen.append(name)


def _for_seats(ruleset: Ruleset, seats: int | None, place: Place) -> Ruleset:
    """Return the ruleset if it can be played with that many seats."""
    if seats is not None:
        try:
            ruleset.pack_for(seats)
        except ValueError as error:
            raise problem(str(error), place) from None
    return ruleset


def _settings(ruleset: Ruleset, overrides: Mapping[str, object], place: Place) -> Settings:
    known = set(ruleset.settings) | COMMON_SETTINGS
    for name in overrides:
        if name not in Settings.__struct_fields__:
            raise problem(f"there is no setting {name!r}{nearest(name, known)}", place)
        if name not in known:
            raise problem(f"{ruleset.name} has no setting {name} ({SETTING_MEANINGS[name]})", place)
    usual = ruleset.usual_settings()
    if all(type(value) is type(had := getattr(usual, name)) and value == had for name, value in overrides.items()):
        return usual
    from kalooki_tui.rulesets.checking import check_settings

    return check_settings({**ruleset.settings, **overrides}, place)


def _option_names(node: Node) -> list[tuple[str, Place]]:
    assert isinstance(node.value, list)
    names: list[tuple[str, Place]] = []
    for item in node.value:
        if not isinstance(item.value, str):
            raise problem("options: must be names of options", item.place)
        names.append((item.value, item.place))
    return names


def _is_list(node: Node | None) -> bool:
    return node is not None and isinstance(node.value, list)
