"""Check parsed files against a dataclass, field by field; each complaint is a sentence with its keys.

Settings are read at every start, and a library for models would take longer to load than the rest of the first screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from kalooki_tui.problems import nearest

Path: TypeAlias = tuple[str | int, ...]
_Kind = TypeVar("_Kind")

_MUST: Final[Mapping[object, str]] = {
    bool: "must be true or false",
    int: "must be a whole number",
    str: "must be text",
    list: "must be a list",
    dict: "must be a table of keys and values",
}
LONGEST: Final = 40


class Complaint(NamedTuple):
    """A complaint and its place."""

    message: str
    path: Path


def read_into(kind: type[_Kind], data: Mapping[str, Any]) -> tuple[_Kind, list[Complaint]]:
    """Read `data` into a `kind`; a wrong field gets its default and does not spoil the others."""
    complaints = list(_fields(kind, data, ()))
    wrong = {complaint.path[0] for complaint in complaints}
    return _made(kind, {key: value for key, value in data.items() if key not in wrong}), complaints


def _fields(kind: type[Any], data: Mapping[str, Any], path: Path) -> list[Complaint]:
    hints, found = get_type_hints(kind), list[Complaint]()
    for key, value in data.items():
        where = (*path, key)
        if key in hints:
            found += _complaints(hints[key], value, where)
        else:
            found.append(Complaint(f"unknown key {_name(where)!r}{nearest(key, hints)}", where))
    return found


def _complaints(hint: Any, value: Any, path: Path) -> list[Complaint]:
    """Complaints about a value."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType:
        alternatives = [one for one in arguments if one is not NoneType]
        if any(not _complaints(one, value, path) for one in alternatives):
            return []
        if len(alternatives) == 1:
            return _complaints(alternatives[0], value, path)
        words = [_MUST[one].removeprefix("must be ").replace(" or ", ", ") for one in alternatives]
        return [Complaint(f"{_name(path)} must be {', '.join(words[:-1])} or {words[-1]}", path)]
    if origin is Literal:
        if any(value == one and type(value) is type(one) for one in arguments):
            return []
        known = [repr(one) for one in arguments]
        must = f"{', '.join(known[:-1])} or {known[-1]}"
        return [Complaint(f"{_name(path)} is {_shown(value)}, it must be {must}", path)]
    if is_dataclass(hint):
        return _fields(hint, value, path) if isinstance(value, dict) else _wrong(dict, value, path)  # type: ignore[arg-type]
    if type(value) is not (origin or hint):
        return _wrong(origin or hint, value, path)
    if origin is list:
        return [one for at, part in enumerate(value) for one in _complaints(arguments[0], part, (*path, at))]
    if origin is dict:
        return [one for key, part in value.items() for one in _complaints(arguments[1], part, (*path, key))]
    return []


def _wrong(kind: object, value: Any, path: Path) -> list[Complaint]:
    return [Complaint(f"{_name(path)} {_MUST[kind]}, not {_shown(value)}", path)]


def _made(kind: type[_Kind], data: Mapping[str, Any]) -> _Kind:
    """A `kind` of values that are as they must be."""
    hints, parts = get_type_hints(kind), dict(data)
    for key, value in data.items():
        for part in get_args(hints[key]):
            if is_dataclass(part) and isinstance(part, type) and value is not None:
                parts[key] = _made(part, value)
    return kind(**parts)


def _name(path: Path) -> str:
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in path)


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def to_plain(value: object, *, changed_only: bool = False) -> dict[str, Any]:
    """The fields of a dataclass as TOML and JSON have them; `changed_only`: those that are not as by default."""
    default = type(value)()
    plain = {}
    for one in fields(value):  # type: ignore[arg-type]
        part = getattr(value, one.name)
        if not changed_only or (part is not None and part != getattr(default, one.name)):
            plain[one.name] = to_plain(part, changed_only=changed_only) if is_dataclass(part) else part
    return plain
