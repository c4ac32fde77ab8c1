"""The complaints of pydantic in sentences a person can act on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import UnionType
from typing import Any, Final, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

from pydantic import ValidationError

from kalooki_tui.problems import nearest
from kalooki_tui.rulesets.model import Part, Ruleset
from kalooki_tui.wording import number_word

Path: TypeAlias = tuple[object, ...]

_MEANING: Final[Mapping[str, str]] = {
    "dataclass_type": "must be a mapping of keys to values",
    "dict_type": "must be a mapping of keys to values",
    "tuple_type": "must be a list",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "none_required": "must be null",
}


class Complaint(NamedTuple):
    """A complaint and the values it is about; point at the first that fits."""

    message: str
    paths: tuple[Path, ...]


def readable(error: ValidationError) -> list[Complaint]:
    """Each error as a sentence, lists counted from 1."""
    return [_complaint(dict(details)) for details in error.errors()]


def _complaint(details: dict[str, Any]) -> Complaint:
    path: Path = tuple(step for step in details["loc"] if step != "[key]")
    kind, context = details["type"], details.get("ctx", {})
    name = ".".join(str(step + 1) if isinstance(step, int) else str(step) for step in path)
    if kind == "missing":
        return Complaint(f"{name} is missing", (path,))
    if kind == "unexpected_keyword_argument":
        return Complaint(f"unknown key {name!r}{nearest(str(path[-1]), _keys(path[:-1]))}", (path,))
    if kind == "literal_error":
        return Complaint(f"{name} is {_shown(details['input'])}, it must be {context['expected']}", (path,))
    if kind == "string_pattern_mismatch":
        what = "small letters, digits and hyphens" if "a-z" in context["pattern"] else "printable characters"
        return Complaint(f"{name} may hold only {what}, not {_shown(details['input'])}", (path,))
    if kind in ("too_short", "too_long"):
        few = kind == "too_short"
        limit = context["min_length" if few else "max_length"]
        bound = f"{'at least' if few else 'at most'} {number_word(limit)} {'entry' if limit == 1 else 'entries'}"
        return Complaint(f"{name} must have {bound}, not {context['actual_length']}", (path,))
    if kind in _MEANING:
        return Complaint(f"{name} {_MEANING[kind]}, not {_shown(details['input'])}", (path,))
    message = details["msg"].replace("Input should be", "must be")
    message = message[:1].lower() + message[1:]
    joint = " " if message.startswith("must") else ": "
    return Complaint(f"{name}{joint}{message}" if name else message, (path,))


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _keys(path: Path) -> list[str]:
    """The keys known at `path` of a ruleset."""
    found: Any = Ruleset
    for step in path:
        # Where it is no part, the step is an index of a list or a key of a dictionary.
        found = _part(get_type_hints(found).get(str(step)) if _is_part(found) else _entry(found))
    if not _is_part(found):
        return []
    return [*(one.name for one in fields(found)), *(["extends"] if found is Ruleset else [])]


def _is_part(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Part)


def _part(annotation: Any) -> Any:
    """An annotation without its `None`."""
    if get_origin(annotation) is UnionType:
        return next((kind for kind in get_args(annotation) if kind is not type(None)), None)
    return annotation


def _entry(annotation: Any) -> Any:
    """The element type of a list or dictionary: `Part` of `tuple[Part, ...]` and of `dict[str, Part]`."""
    arguments = get_args(annotation)
    if not arguments:
        return None
    return arguments[1] if get_origin(annotation) is dict else arguments[0]
