"""The model's complaints in sentences a person can act on."""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from kalooki_tui.problems import nearest
from kalooki_tui.rulesets.model import Impossible, Ruleset

Path: TypeAlias = tuple[object, ...]

_MEANING: Final[Mapping[str, str]] = {
    "model_type": "must be a mapping of keys to values",
    "dict_type": "must be a mapping of keys to values",
    "tuple_type": "must be a list",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "none_required": "must be null",
}


class Complaint(NamedTuple):
    """What is wrong, and the values it is about: the first that fits is the one to point at."""

    message: str
    paths: tuple[Path, ...]


def readable(error: ValidationError) -> list[Complaint]:
    """Each of the model's errors as a sentence, lists counted from 1."""
    return [_complaint(dict(details)) for details in error.errors()]


def _complaint(details: dict[str, Any]) -> Complaint:
    path: Path = tuple(step for step in details["loc"] if step != "[key]")
    kind, context = details["type"], details.get("ctx", {})
    cause = context.get("error")
    if isinstance(cause, Impossible):
        return Complaint(str(cause), cause.where)
    name = ".".join(str(step + 1) if isinstance(step, int) else str(step) for step in path)
    if kind == "missing":
        return Complaint(f"{name} is missing", (path,))
    if kind == "extra_forbidden":
        return Complaint(f"unknown key {name!r}{nearest(str(path[-1]), _keys(path[:-1]))}", (path,))
    if kind == "literal_error":
        return Complaint(f"{name} is {_shown(details['input'])}, it must be {context['expected']}", (path,))
    if kind == "string_pattern_mismatch":
        what = "small letters, digits and hyphens" if "a-z" in context["pattern"] else "printable characters"
        return Complaint(f"{name} may hold only {what}, not {_shown(details['input'])}", (path,))
    if kind in _MEANING:
        return Complaint(f"{name} {_MEANING[kind]}, not {_shown(details['input'])}", (path,))
    message = details["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
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
        if isinstance(found, type) and issubclass(found, BaseModel):
            field = found.model_fields.get(str(step))
            found = _part(field.annotation) if field else None
        else:
            # An index of a list or a key of a dictionary.
            found = _entry(found)
    if isinstance(found, type) and issubclass(found, BaseModel):
        return [*found.model_fields, "extends"] if found is Ruleset else list(found.model_fields)
    return []


def _part(annotation: Any) -> Any:
    """An annotation without `Annotated` and without its `None`."""
    if get_origin(annotation) is Annotated:
        return _part(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return next((_part(kind) for kind in get_args(annotation) if kind is not type(None)), None)
    return annotation


def _entry(annotation: Any) -> Any:
    """What a list or dictionary holds: `Part` of `tuple[Part, ...]` and of `dict[str, Part]`."""
    arguments = get_args(annotation)
    if not arguments:
        return None
    return _part(arguments[1] if get_origin(annotation) is dict else arguments[0])
