"""From files to rulesets: where they are, `extends:`, options, settings, and the form stored in records."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import ValidationError

from kalooki_tui.problems import InputError, Place, Problem, nearest, problem
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.lines import Node, node_of, read_text, read_yaml
from kalooki_tui.rulesets.merge import find, merge
from kalooki_tui.rulesets.model import COMMON_SETTINGS, Ruleset, Settings
from kalooki_tui.rulesets.problems import readable

LONGEST_CHAIN: Final = 10
SUFFIXES: Final = (".yaml", ".yml")
#: Keys an option's `changes` may not touch.
FIXED_KEYS: Final = ("id", "options", "extends")

#: What each setting is, with its clause.
SETTING_MEANINGS: Final[dict[str, str]] = {
    "bad_lay": "the price of a lay-down that is not the contract, F1",
    "over_call": "the price of a call over the limit, F2",
    "max_redeals": "void deals in a row before a contract is passed over, D15",
    "max_buy_ins": "how often a seat may buy in again, P3",
    "initial_stake": "what each seat pays at the start, P1",
    "call_up": "what the winner of a deal gets from each seat, P2",
    "kalookie": "what a kalookie pays, P2",
    "buy_in_stake": "the price of buying in again, P3",
    "dealer_cut": "the dealer's cut for a bonus, B1",
    "race": "calls by the first key pressed, D4",
}


class Entry(NamedTuple):
    """A ruleset that can be asked for by its id."""

    id: str
    path: Path
    builtin: bool


class Listed(NamedTuple):
    """A ruleset of the list, or why it cannot be used: one of `ruleset` and `error` is None."""

    id: str
    path: Path
    builtin: bool
    ruleset: Ruleset | None
    error: InputError | None


def builtin_folder() -> Path:
    """Where the built-in rulesets are: inside the installed package, else in the checkout."""
    package = Path(str(files("kalooki_tui")))
    installed = package / "_rulesets"
    return installed if installed.is_dir() else package.parent / "rulesets"


def user_folder() -> Path:
    """Where a user's own rulesets are: `$KALOOKI_HOME/rulesets`, else `rulesets` in the config folder."""
    home = os.environ.get("KALOOKI_HOME")
    if home:
        return Path(home) / "rulesets"
    from platformdirs import user_config_dir

    return Path(user_config_dir("kalooki")) / "rulesets"


def available() -> list[Entry]:
    """Every ruleset that has an id: the default, the other built-in ones, then the user's, each by id.

    A user's file with the id of a built-in one is left out here and listed with its error by `catalogue`.
    """
    builtin = [Entry(path.stem, path, True) for path in _yaml_files(builtin_folder())]
    builtin.sort(key=lambda entry: (entry.id != DEFAULT_RULESET, entry.id))
    taken = {entry.id for entry in builtin}
    own = [Entry(path.stem, path, False) for path in _yaml_files(user_folder()) if path.stem not in taken]
    return builtin + own


def catalogue() -> list[Listed]:
    """Every ruleset loaded, a broken one with its error, so that it does not hide the others."""
    listed = [_listed(entry) for entry in available()]
    builtin = {entry.id for entry in listed if entry.builtin}
    for path in _yaml_files(user_folder()):
        if path.stem in builtin:
            error = problem(f"the id {path.stem!r} belongs to a built-in ruleset: rename the file", Place(str(path), 1))
            listed.append(Listed(path.stem, path, False, None, error))
    return listed


def _listed(entry: Entry) -> Listed:
    try:
        return Listed(*entry, _load_entry(entry), None)
    except InputError as error:
        return Listed(*entry, None, error)


def _yaml_files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
    except OSError:
        return []


def load_ruleset(id_or_path: str | Path) -> Ruleset:
    """The ruleset with that id, or in that file; options are still to be chosen.

    Raises:
        InputError: there is none, or it is wrong.
    """
    text = str(id_or_path)
    return load_file(Path(text)) if _is_path(text) else _load_entry(_entry(text, Place()))


def load_file(path: str | Path) -> Ruleset:
    """The ruleset in a file, with everything it extends; each of its options is tried as well.

    Raises:
        InputError: anything wrong, with the file and line it stands in.
    """
    tree = _file_tree(Path(path), ())
    ruleset = _validate(tree)
    for name in ruleset.options:
        _validate(_with_options(tree, [(name, None)], None), f"option {name}: ")
    return ruleset


def resolve(ruleset: Ruleset | str, options: Sequence[str] = (), seats: int | None = None) -> Ruleset:
    """The ruleset with these options applied, in this order, for `seats` seats; the result offers no options.

    Raises:
        InputError: an unknown or repeated option, options that exclude each other or do not go together, or
            a number of seats that an option or the game is not for.
    """
    base = load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    tree = node_of(to_data(base), Place())
    return _resolved(tree, [(name, None) for name in options], seats)


def resolve_setup(
    value: object, *, file: str = "", line: int = 0, seats: int | None = None
) -> tuple[Ruleset, dict[str, object]]:
    """What a position's `ruleset:` says: the resolved ruleset and the settings chosen, for `make_settings`.

    `value` is an id, a path relative to `file`, or a mapping with `extends: ID`, `options: [NAME, ...]`,
    `settings: {NAME: VALUE}` and any other key of a ruleset, laid over what it extends. `line`: where it stands
    in `file`; a `Node`, or a mapping read by ruamel.yaml's round-trip loader, brings its own lines.

    Raises:
        InputError: anything wrong, with its line.
    """
    node = node_of(value, Place(file, line))
    if isinstance(node.value, str):
        return resolve(load_file(_locate(node.value, node.place)), (), seats), {}
    if not isinstance(node.value, dict):
        raise problem("the ruleset must be an id or a mapping with `extends:`", node.place)
    own = Node(dict(node.value), node.place, dict(node.keys))
    assert isinstance(own.value, dict)
    options = _option_names(own.value.pop("options")) if _is_list(own.value.get("options")) else []
    settings = own.value.pop("settings", None)
    ruleset = _resolved(_extended(own, ()), options, seats)
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
    return _settings(ruleset, overrides or {}, Place())


def to_data(ruleset: Ruleset) -> dict[str, object]:
    """The whole ruleset as JSON data, as a record stores it; `resolved_from_data` reads it."""
    data: dict[str, object] = ruleset.model_dump(mode="json")
    return data


def resolved_from_data(data: object, *, file: str = "", line: int = 0) -> Ruleset:
    """The ruleset that `to_data` wrote; `file` and `line` say where it was read, for errors.

    Raises:
        InputError: it is no ruleset.
    """
    place = Place(file, line)
    if not isinstance(data, Mapping):
        raise problem("the rules must be a mapping", place)
    return _validate(node_of(data, place))


def family_of(ruleset_id: str) -> str:
    """The id of the ruleset that this one extends, and that another, up to the first; else its own.

    Raises:
        InputError: one of them cannot be read.
    """
    path = _entry(ruleset_id, Place()).path
    for _ in range(LONGEST_CHAIN):
        tree = read_yaml(read_text(path), str(path)).value
        parent = tree.get("extends") if isinstance(tree, dict) else None
        if parent is None or not isinstance(parent.value, str):
            break
        path = _locate(parent.value, parent.place)
    return path.stem


def _locate(id_or_path: str, asked_at: Place) -> Path:
    """The file of an id, or a path relative to the file that asks."""
    if not _is_path(id_or_path):
        return _entry(id_or_path, asked_at).path
    path = Path(asked_at.file).parent / id_or_path
    if not _exists(path):
        raise problem(f"there is no file {path}", asked_at)
    return path


def _is_path(id_or_path: str) -> bool:
    return id_or_path.endswith(SUFFIXES) or "/" in id_or_path or os.sep in id_or_path


def _entry(ruleset_id: str, asked_at: Place) -> Entry:
    entries = {entry.id: entry for entry in available()}
    if ruleset_id not in entries:
        raise problem(f"there is no ruleset {ruleset_id!r}{nearest(ruleset_id, entries)}", asked_at)
    return entries[ruleset_id]


@cache
def _load_builtin(path: Path) -> Ruleset:
    """A ruleset that comes with the program: its file does not change while the program runs, nor does the value."""
    return load_file(path)


def _load_entry(entry: Entry) -> Ruleset:
    """A ruleset out of one of the folders, where its file's name is its id: a record names a ruleset by it."""
    ruleset = _load_builtin(entry.path) if entry.builtin else load_file(entry.path)
    if ruleset.id != entry.id:
        place = find(read_yaml(read_text(entry.path), str(entry.path)), ("id",))
        raise problem(f"the id is {ruleset.id!r}, but the file's name says {entry.id!r}", place)
    return ruleset


def _file_tree(path: Path, chain: tuple[Path, ...]) -> Node:
    """A file's content over everything it extends, not yet validated; `chain`: the files that extend it."""
    tree = read_yaml(read_text(path), str(path))
    if not isinstance(tree.value, dict):
        kind = "a list" if isinstance(tree.value, list) else "a single value"
        raise problem(f"holds {kind}: a ruleset is a mapping of keys to values", tree.place)
    tree.value.setdefault("id", Node(path.stem, Place(str(path), 1)))
    return _extended(tree, (*chain, path))


def _extended(tree: Node, chain: tuple[Path, ...]) -> Node:
    """`tree` laid over what its `extends:` names, if anything."""
    assert isinstance(tree.value, dict)
    parent = tree.value.pop("extends", None)
    if parent is None:
        return tree
    if not isinstance(parent.value, str):
        raise problem("extends: must be the id or the path of a ruleset", parent.place)
    path = _locate(parent.value, parent.place)
    if any(_same_file(path, child) for child in chain):
        names = " → ".join(child.name for child in (*chain, path))
        raise problem(f"extends: goes round in a circle: {names}", parent.place)
    if len(chain) >= LONGEST_CHAIN:
        raise problem(f"extends: a chain of more than {LONGEST_CHAIN} files", parent.place)
    return merge(_file_tree(path, chain), tree)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one == other


def _resolved(tree: Node, options: Sequence[tuple[str, Place | None]], seats: int | None) -> Ruleset:
    base = _validate(tree)
    ruleset = _validate(_with_options(tree, options, seats)) if options else base.model_copy(update={"options": {}})
    if seats is not None:
        try:
            ruleset.pack_for(seats)
        except ValueError as error:
            raise problem(str(error), tree.place) from None
    return ruleset


def _with_options(tree: Node, options: Sequence[tuple[str, Place | None]], seats: int | None) -> Node:
    """A valid tree with options applied; the place of an option is where it was chosen."""
    assert isinstance(tree.value, dict)
    offered = tree.value.get("options")
    known = offered.value if offered is not None and isinstance(offered.value, dict) else {}
    ruleset = _validate(tree)
    chosen: list[str] = []
    for name, chosen_at in options:
        place = chosen_at or Place()
        if name not in known:
            raise problem(f"{ruleset.name} has no option {name!r}{nearest(name, known)}", place)
        if name in chosen:
            raise problem(f"the option {name} is chosen twice", place)
        rule = ruleset.options[name]
        for other in chosen:
            if other in rule.excludes or name in ruleset.options[other].excludes:
                raise problem(f"the options {other} and {name} exclude each other", place)
        if seats is not None and rule.seats is not None and seats not in rule.seats:
            counts = ", ".join(map(str, rule.seats))
            raise problem(f"the option {name} is for {counts} seats, not {seats}", place)
        chosen.append(name)
    result = Node({key: node for key, node in tree.value.items() if key != "options"}, tree.place, tree.keys)
    for name in chosen:
        rule_node = known[name]
        assert isinstance(rule_node.value, dict)
        changes = rule_node.value["changes"]
        assert isinstance(changes.value, dict)
        for key in FIXED_KEYS:
            if key in changes.value:
                raise problem(f"option {name}: the changes may not name {key}", changes.keys.get(key, changes.place))
        result = merge(result, changes)
    return result


def _validate(tree: Node, prefix: str = "") -> Ruleset:
    plain = tree.plain()
    try:
        # By way of JSON, since YAML's lists are to fit the model's tuples while all else stays strict.
        return Ruleset.model_validate_json(json.dumps(plain))
    except ValidationError as error:
        raise InputError(_problems(error, tree, prefix)) from None


def _problems(error: ValidationError, tree: Node, prefix: str) -> list[Problem]:
    """The model's complaints, each with the place of the value it is about."""
    problems: list[Problem] = []
    for complaint in readable(error):
        places = [find(tree, path) for path in complaint.paths] or [tree.place]
        # Of several values that do not go together, the one in the file at hand is the one to change.
        place = next((place for place in places if place.file == tree.place.file), places[0])
        found = Problem(place.file, place.line, prefix + complaint.message)
        if found not in problems:
            problems.append(found)
    return problems


def _settings(ruleset: Ruleset, overrides: Mapping[str, object], place: Place) -> Settings:
    known = set(ruleset.settings) | COMMON_SETTINGS
    for name in overrides:
        if name not in Settings.model_fields:
            raise problem(f"there is no setting {name!r}{nearest(name, known)}", place)
        if name not in known:
            raise problem(f"{ruleset.name} has no setting {name} ({SETTING_MEANINGS[name]})", place)
    try:
        return Settings.model_validate({**ruleset.settings, **overrides})
    except ValidationError as error:
        complaints = [f"settings.{complaint.message}" for complaint in readable(error)]
        raise InputError(Problem(place.file, place.line, message) for message in complaints) from None


def _option_names(node: Node) -> list[tuple[str, Place | None]]:
    assert isinstance(node.value, list)
    names: list[tuple[str, Place | None]] = []
    for item in node.value:
        if not isinstance(item.value, str):
            raise problem("options: must be names of options", item.place)
        names.append((item.value, item.place))
    return names


def _is_list(node: Node | None) -> bool:
    return node is not None and isinstance(node.value, list)
