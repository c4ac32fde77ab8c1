"""Check of what people wrote against the fields of a type; the only place that loads pydantic."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, TypeVar, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import fields
from pydantic import AfterValidator, TypeAdapter, ValidationError

from kalooki_tui.problems import InputError, Problem, about, nearest, shown
from kalooki_tui.rulesets.model import Read, Ruleset, Settings
from kalooki_tui.rulesets.possible import Impossible, check_possible
from kalooki_tui.rulesets.trees import find
from kalooki_tui.rulesets.yaml_source import Node
from kalooki_tui.wording import number_word

Path: TypeAlias = tuple[Any, ...]
Value = TypeVar("Value")

#: What pydantic makes of a type.
adapter: Final[Callable[[Any], TypeAdapter[Any]]] = cache(TypeAdapter)

_MEANING: Final[Mapping[str, str]] = {
    "dict_type": "must be a mapping of keys to values",
    "tuple_type": "must be a list",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "none_required": "must be null",
}


class _Complaint(NamedTuple):
    """Complaint and the values it is about; it points at the first that fits."""

    message: str
    paths: tuple[Path, ...]


def checked(kind: type[Value], tree: Node, prefix: str = "", context: object = None) -> Value:
    """Read a struct from a tree; raise InputError with the place of each wrong value."""
    try:
        # By way of JSON, since YAML's lists are to fit the fields' tuples while all else stays strict.
        value: Value = adapter(kind).validate_json(json.dumps(tree.plain()), context=context)
    except ValidationError as error:
        found = [_placed(complaint, tree, prefix) for complaint in _complaints(error, kind)]
        raise InputError(sorted(dict.fromkeys(found), key=lambda one: one.line)) from None
    return value


def check_ruleset(tree: Node, prefix: str = "") -> Ruleset:
    """Read a ruleset from a tree; raise InputError with messages that begin with `prefix`."""
    ruleset: Ruleset = checked(_POSSIBLE, tree, prefix)
    return ruleset


def _possible(ruleset: Ruleset) -> Ruleset:
    check_possible(ruleset)
    try:
        adapter(Settings).validate_json(json.dumps(ruleset.settings))
    except ValidationError as error:
        first = next(_complaints(error, Settings, ("settings",)))
        raise Impossible(first.message, *first.paths) from None
    return ruleset


_POSSIBLE: Final[Any] = Annotated[Ruleset, AfterValidator(_possible)]


def _placed(complaint: _Complaint, tree: Node, prefix: str) -> Problem:
    places = [find(tree, path) for path in complaint.paths]
    # Of several values that do not go together, the one in the file at hand is the one to change.
    place = next((place for place in places if place.file == tree.place.file), places[0])
    return Problem(place.file, place.line, prefix + complaint.message)


def _complaints(error: ValidationError, kind: Any, at: Path = ()) -> Iterator[_Complaint]:
    errors = error.errors()
    for details in errors:
        loc = details["loc"]
        if details["type"] == "too_short" and any(one["loc"][: len(loc)] == loc for one in errors if one != details):
            continue  # an entry that is wrong is not counted
        path: Path = (*at, *(step for step in loc if step != "[key]"))
        reason = details.get("ctx", {}).get("error")
        paths = [(*path, *one) for one in reason.where] if isinstance(reason, Impossible) else [path]
        # A reader that finds several things wrong says each in a line of its own.
        for message in _message(dict(details), paths[0] if path else path, kind).split("\n"):
            yield _Complaint(message, tuple(paths))


def _message(details: dict[str, Any], path: Path, root: Any) -> str:
    kind, context = details["type"], details.get("ctx", {})
    name = ".".join(str(step + 1) if isinstance(step, int) else str(step) for step in path)
    if kind == "missing":
        return f"{name} is missing"
    if kind == "extra_forbidden":
        return f"unknown key {name!r}{nearest(str(path[-1])[:40], _keys(root, path[:-1]))}"
    if kind in ("literal_error", "enum"):
        return f"{name} is {shown(details['input'])}, it must be {context['expected']}"
    if kind == "string_pattern_mismatch":
        what = "small letters, digits and hyphens" if "a-z" in context["pattern"] else "printable characters"
        return f"{name} may hold only {what}, not {shown(details['input'])}"
    if kind in ("too_short", "too_long"):
        few = kind == "too_short"
        limit = context["min_length" if few else "max_length"]
        bound = f"{'at least' if few else 'at most'} {number_word(limit)} {'entry' if limit == 1 else 'entries'}"
        return f"{name} must have {bound}, not {context['actual_length']}"
    if kind in _MEANING:
        return f"{name} {_MEANING[kind]}, not {shown(details['input'])}".lstrip()
    if kind == "value_error":
        return "\n".join(about(name, line) for line in str(context["error"]).split("\n"))
    message: str = details["msg"].replace("Input should be", "must be")
    return about(name, message[:1].lower() + message[1:])


def _keys(root: Any, path: Path) -> list[str]:
    """Return the keys at `path` of a type; other steps than fields lead into lists and dictionaries."""
    found = _part(root)
    for step in path:
        hints = get_type_hints(found, include_extras=True)
        named = {one.encode_name: hints[one.name] for one in fields(found)}
        found = _part(named.get(step)) or found
    known = found.__struct_encode_fields__
    return [*known, "extends"] if found is Ruleset else known


def _part(kind: Any) -> Any:
    """Return the struct in a field's type: `Part` of `tuple[Part, ...]` and of `dict[str, Part]`."""
    if isinstance(kind, Read):  # what it reads from has the keys
        kind = kind.what
    is_part = isinstance(kind, type) and issubclass(kind, Struct)
    return kind if is_part else next(filter(None, map(_part, get_args(kind)[::-1])), None)


#: Keys that hold lists of parts; in a file that extends another they may be a mapping of the changed entries.
NUMBERED: Final = ("packs", "deals")


def file_schema() -> dict[str, Any]:
    """Return the schema of the file form: with `extends:`, any part may be left out or taken away with `null`."""
    schema: dict[str, Any] = adapter(Ruleset).json_schema()
    definitions: dict[str, Any] = schema["$defs"]
    definitions["Settings"] = adapter(Settings).json_schema()
    for definition in definitions.values():
        definition.pop("required", None)
    properties: dict[str, Any] = schema["properties"]
    properties["settings"] = {
        "$ref": "#/$defs/Settings",
        "description": "Defaults of the settings that apply, besides those that every game has.",
    }
    for key in NUMBERED:
        item = properties[key]["items"]
        numbered = {
            "type": "object",
            "patternProperties": {"^[1-9][0-9]*$": item},
            "additionalProperties": False,
        }
        properties[key] = {"anyOf": [properties[key], numbered]}
    options = properties["options"]["patternProperties"]
    options.update({pattern: _or_null(option) for pattern, option in options.items()})
    definitions["Settings"]["properties"] = {
        key: _or_null(value) for key, value in definitions["Settings"]["properties"].items()
    }
    extends = {
        "type": "string",
        "description": "The id, or the path from this file, of the ruleset this one changes.",
    }
    required = [key for key in schema.pop("required") if key != "id"]
    schema["properties"] = {"extends": extends, **{key: _or_null(value) for key, value in properties.items()}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "anyOf": [{"required": ["extends"]}, {"required": required}],
        "title": "A Kalooki ruleset",
    }


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Allow null, which takes a key away from the ruleset below."""
    if "anyOf" in schema:
        options = schema["anyOf"]
        return schema if {"type": "null"} in options else {**schema, "anyOf": [*options, {"type": "null"}]}
    return {"anyOf": [schema, {"type": "null"}]}


def schema_text() -> str:
    """Return the contents of `rulesets/ruleset.schema.json`."""
    return json.dumps(file_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
