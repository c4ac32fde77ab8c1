"""Dataclasses that take no time before they are used: some two hundred are declared before a table is drawn.

`dataclass` is the standard library's, for the options that are used here; to type checkers it is that one. The standard
library compiles six methods a class at once, here each is compiled when it is first called, and most never are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        eq: bool = True,
        repr: bool = True,  # noqa: A002 - the name that the standard library has
        frozen: bool = False,
        slots: bool = False,
        kw_only: bool = False,
    ) -> Any:
        """Make the class a dataclass, or the decorator that does."""

        def make(cls: type) -> type:
            return _make(cls, eq=eq, shown=repr, frozen=frozen, slots=slots, kw_only=kw_only)

        return make if cls is None else make(cls)


_Field: TypeAlias = "dataclasses.Field[Any]"
_Known: TypeAlias = dict[str, object]


def _make(cls: type, *, eq: bool, shown: bool, frozen: bool, slots: bool, kw_only: bool) -> type:
    written = dict(vars(cls))
    # Finds the fields and makes room for them, and compiles nothing.
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    fields = dataclasses.fields(cls)
    methods: dict[str, object] = {"__init__": _later(cls, "__init__", lambda: _init_text(cls, fields, frozen))}
    if shown:
        methods["__repr__"] = _repr
    if eq:
        compared = [one.name for one in fields if one.compare]
        methods["__eq__"] = _later(cls, "__eq__", lambda: _eq_text(compared))
        if written.get("__hash__") is None:
            # What can change has no hash.
            written.pop("__hash__", None)
            methods["__hash__"] = _later(cls, "__hash__", lambda: _hash_text(compared)) if frozen else None
    if frozen:
        methods |= {"__setattr__": _refuse_set, "__delattr__": _refuse_delete}
        if slots:
            methods |= {"__getstate__": _get_state, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in written:
            setattr(cls, name, method)
    return cls


def _later(cls: type, name: str, text: Callable[[], tuple[str, _Known]]) -> Callable[..., Any]:
    """A method that is compiled when it is first called, and takes its own place then."""

    def first(self: object, *arguments: Any, **named: Any) -> Any:
        source, known = text()
        exec(source, known)
        method: Any = known[name]
        method.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, method)
        return method(self, *arguments, **named)

    return first


def _init_text(cls: type, fields: Sequence[_Field], frozen: bool) -> tuple[str, _Known]:
    known: _Known = {"_set": object.__setattr__, "_missing": dataclasses.MISSING}
    placed, named, body = ["self"], list[str](), list[str]()
    for one in fields:
        name, value, default = one.name, one.name, ""
        if one.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"], default = one.default_factory, "=_missing"
            value = f"_make_{name}()" + (f" if {name} is _missing else {name}" if one.init else "")
        elif one.default is not dataclasses.MISSING:
            known[f"_default_{name}"], default = one.default, f"=_default_{name}"
            value = name if one.init else f"_default_{name}"
        elif not one.init:
            # Whoever makes one sets it.
            continue
        if one.init:
            (named if one.kw_only else placed).append(name + default)
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join([*placed, *(["*", *named] if named else [])])
    return f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), known


def _eq_text(names: Sequence[str]) -> tuple[str, _Known]:
    return (
        "def __eq__(self, other):\n"
        " if other.__class__ is self.__class__:\n"
        f"  return {_tuple('self', names)} == {_tuple('other', names)}\n"
        " return NotImplemented"
    ), {}


def _hash_text(names: Sequence[str]) -> tuple[str, _Known]:
    return f"def __hash__(self):\n return hash({_tuple('self', names)})", {}


def _tuple(of: str, names: Sequence[str]) -> str:
    return f"({''.join([f'{of}.{name},' for name in names])})"


def _repr(self: Any) -> str:
    shown = [f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_set(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _get_state(self: Any) -> list[object]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
