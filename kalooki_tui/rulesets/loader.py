"""Rulesets by id or file, with options and settings, and the form stored in records.

The modules that read people's files are imported only when there is one to read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import convert
from msgspec.structs import replace

from kalooki_tui.problems import InputError, SourceLocation, nearest, problem
from kalooki_tui.rulesets.builtin import read_compiled
from kalooki_tui.rulesets.folders import Entry, available, entry_of, is_path, locate, user_folder, yaml_files
from kalooki_tui.rulesets.house import is_house, with_house
from kalooki_tui.rulesets.model import COMMON_SETTINGS, Ruleset, Settings, to_data

if TYPE_CHECKING:
    from kalooki_tui.rulesets.yaml_source import Node

MOST_RESOLVED: Final = 256

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
    """Ruleset of the list, or why it cannot be used: one of `ruleset` and `error` is None."""

    id: str
    path: Path
    builtin: bool
    ruleset: Ruleset | None
    error: InputError | None


def catalogue() -> list[Listed]:
    """List every ruleset; a broken one hides no other."""
    listed: list[Listed] = []
    for entry in available():
        try:
            listed.append(Listed(*entry, _load_entry(entry), None))
        except InputError as error:
            listed.append(Listed(*entry, None, error))
    builtin = {entry.id for entry in listed if entry.builtin}
    for path in yaml_files(user_folder()):
        if path.stem in builtin:
            taken = problem(
                f"the id {path.stem!r} belongs to a built-in ruleset: rename the file", SourceLocation(str(path), 1)
            )
            listed.append(Listed(path.stem, path, False, None, taken))
    return listed


def load_ruleset(id_or_path: str | Path) -> Ruleset:
    """Load the ruleset of an id or a file, options still to be chosen; raise InputError if it is wrong."""
    text = str(id_or_path)
    return load_file(Path(text)) if is_path(text) else _load_entry(entry_of(text, SourceLocation()))


def load_file(path: str | Path) -> Ruleset:
    """Load the ruleset of a file and try each of its options; raise InputError with file and line."""
    from kalooki_tui.rulesets.trees import file_tree, with_options
    from kalooki_tui.rulesets.validation import check_ruleset

    tree = file_tree(Path(path))
    ruleset = check_ruleset(tree)
    for name in ruleset.options:
        check_ruleset(with_options(tree, [name]), f"option {name}: ")
    return ruleset


def resolve(ruleset: Ruleset | str, options: Sequence[str] = (), seats: int | None = None) -> Ruleset:
    """Apply options and house rules, in this order, for `seats` seats; the result offers no options.

    The same arguments give the same object. Raise InputError for an unknown, repeated or excluded option, or for a
    number of seats that an option or the game is not for.
    """
    base = load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    named = tuple(option for option in options if not is_house(option))
    _check_options(base, [(name, SourceLocation()) for name in named], seats)
    ruleset = _with_options(base, named)
    if len(named) < len(options):
        ruleset = _with_house(ruleset, tuple(option for option in options if is_house(option)))
    return _for_seats(ruleset, seats, SourceLocation())


@lru_cache(maxsize=MOST_RESOLVED)
def _with_house(ruleset: Ruleset, options: tuple[str, ...]) -> Ruleset:
    from kalooki_tui.rulesets.validation import check_ruleset
    from kalooki_tui.rulesets.yaml_source import node_of

    # What a record writes down must be read again.
    return check_ruleset(node_of(to_data(with_house(ruleset, options)), SourceLocation()))


@lru_cache(maxsize=MOST_RESOLVED)
def _with_options(base: Ruleset, options: tuple[str, ...]) -> Ruleset:
    if not options:
        return replace(base, options={})
    from kalooki_tui.rulesets.trees import with_options
    from kalooki_tui.rulesets.yaml_source import node_of

    tree = with_options(node_of(to_data(base), SourceLocation()), options)
    if _compiled(base.id) == base:
        # Each combination of its options is checked by a test.
        return convert(tree.plain(), Ruleset)
    from kalooki_tui.rulesets.validation import check_ruleset

    return check_ruleset(tree)


def resolve_setup(node: Node, *, seats: int | None = None) -> tuple[Ruleset, dict[str, object]]:
    """Read a position's `ruleset:` into the resolved ruleset and the settings for `make_settings`; raise InputError.

    It is an id, a path relative to the position's file, or a mapping with `extends: ID`, `options: [NAME, ...]`,
    `settings: {NAME: VALUE}` and any other key of a ruleset, laid over what it extends.
    """
    from kalooki_tui.rulesets.trees import extended, with_options
    from kalooki_tui.rulesets.validation import check_ruleset
    from kalooki_tui.rulesets.yaml_source import Node

    if isinstance(node.value, str):
        if is_path(node.value):
            return resolve(load_file(locate(node.value, node.place)), (), seats), {}
        return resolve(_load_entry(entry_of(node.value, node.place)), (), seats), {}
    if not isinstance(node.value, dict):
        raise problem("the ruleset must be an id or a mapping with `extends:`", node.place)
    own = Node(dict(node.value), node.place, dict(node.keys))
    assert isinstance(own.value, dict)
    options: list[tuple[str, SourceLocation]] = []
    listed = own.value.get("options")
    if listed is not None and isinstance(listed.value, list):
        del own.value["options"]
        for item in listed.value:
            if not isinstance(item.value, str):
                raise problem("options: must be names of options", item.place)
            options.append((item.value, item.place))
    # A whole game has its own: they are the table's.
    settings = own.value.pop("settings", None) if "extends" in own.value else None
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
    """Make the settings of a match from the ruleset's and the table's; raise InputError for a wrong one."""
    settings, limit = _settings(ruleset, overrides or {}, SourceLocation()), ruleset.end.eliminate_over
    if limit and any(points > limit for points in settings.handicap):
        raise problem(
            f"a seat that begins with more than {limit} points would be out of the match at once", SourceLocation()
        )
    return settings


def resolved_from_data(data: object, *, file: str = "", line: int = 0) -> Ruleset:
    """Read a ruleset that `to_data` wrote; `file` and `line` stand in InputError."""
    from kalooki_tui.rulesets.yaml_source import node_of

    place = SourceLocation(file, line)
    if not isinstance(data, Mapping):
        raise problem("the rules must be a mapping", place)
    tree = node_of(data, place)
    text, builtin = json.dumps(tree.plain()), _compiled(str(data.get("id")))
    if builtin is not None:
        for known in (_with_options(builtin, ()), builtin):
            # As text, since true and 1 are equal.
            if json.dumps(to_data(known)) == text:
                return known
    from kalooki_tui.rulesets.validation import check_ruleset

    return check_ruleset(tree)


def family_of(ruleset_id: str) -> str:
    """Return the id of the first ruleset in the chain that this one extends, by default its own."""
    path = entry_of(ruleset_id, SourceLocation()).path
    compiled = read_compiled(path)
    if compiled is not None:
        return Path(compiled.files[-1]).stem
    from kalooki_tui.rulesets.trees import files_of

    return files_of(path)[-1].stem


@cache
def _load_builtin(path: Path) -> Ruleset:
    """Read a built-in file once: it does not change while the program runs."""
    compiled = read_compiled(path)
    return load_file(path) if compiled is None else compiled.ruleset


def _compiled(ruleset_id: str) -> Ruleset | None:
    for entry in available():
        if entry.builtin and entry.id == ruleset_id:
            compiled = read_compiled(entry.path)
            return None if compiled is None else compiled.ruleset
    return None


def _load_entry(entry: Entry) -> Ruleset:
    """Load a ruleset of a folder, where its file's name is its id: a record names a ruleset by it."""
    ruleset = _load_builtin(entry.path) if entry.builtin else load_file(entry.path)
    if ruleset.id != entry.id:
        from kalooki_tui.rulesets.trees import find
        from kalooki_tui.rulesets.yaml_source import read_text, read_yaml

        place = find(read_yaml(read_text(entry.path), str(entry.path)), ("id",))
        raise problem(f"the id is {ruleset.id!r}, but the file's name says {entry.id!r}", place)
    return ruleset


def _check_options(ruleset: Ruleset, options: Iterable[tuple[str, SourceLocation]], seats: int | None) -> None:
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


def _for_seats(ruleset: Ruleset, seats: int | None, place: SourceLocation) -> Ruleset:
    if seats is not None:
        try:
            ruleset.pack_for(seats)
        except ValueError as error:
            raise problem(str(error), place) from None
    return ruleset


def _settings(ruleset: Ruleset, overrides: Mapping[str, object], place: SourceLocation) -> Settings:
    known = set(ruleset.settings) | COMMON_SETTINGS
    for name in overrides:
        if name not in Settings.__struct_fields__:
            raise problem(f"there is no setting {name!r}{nearest(name, known)}", place)
        if name not in known:
            raise problem(f"{ruleset.name} has no setting {name} ({SETTING_MEANINGS[name]})", place)
    usual = ruleset.usual_settings()
    if all(type(value) is type(had := getattr(usual, name)) and value == had for name, value in overrides.items()):
        return usual
    from kalooki_tui.rulesets.validation import checked
    from kalooki_tui.rulesets.yaml_source import node_of

    return checked(Settings, node_of({**ruleset.settings, **overrides}, place), "settings.")
