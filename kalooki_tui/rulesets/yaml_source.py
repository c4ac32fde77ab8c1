"""YAML as values with file and line, read within limits: no aliases or tags, and keys are always text."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, Final, TypeAlias

from kalooki_tui.problems import InputError, SourceLocation, open_input, problem

MOST_BYTES: Final = 1_000_000
LONGEST_LINE: Final = 50_000
MOST_DEPTH: Final = 30
MOST_VALUES: Final = 50_000

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"

_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")
_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE: Final = frozenset({"true", "True", "TRUE"})
_FALSE: Final = frozenset({"false", "False", "FALSE"})


@dataclass(slots=True)
class Node:
    """Value with its place: a scalar, a list of nodes or a mapping of text to nodes."""

    value: bool | int | float | str | list[Node] | dict[str, Node] | None
    place: SourceLocation
    keys: dict[str, SourceLocation] = field(default_factory=dict)

    def plain(self) -> Plain:
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def read_text(path: Path, what: str = "ruleset") -> str:
    """Read a UTF-8 file of at most `MOST_BYTES`; raise InputError if that is impossible."""
    with open_input(path, what) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > MOST_BYTES:
            why = f"is too big for a {what}: {size:,} bytes, at most {MOST_BYTES:,}"
            raise problem(why, SourceLocation(str(path)))
        data = stream.read()
    return decode(data, str(path))


def decode(data: bytes, file: str) -> str:
    """Decode UTF-8; raise InputError for control characters or endless lines."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise problem(f"is not UTF-8 text: byte 0x{data[error.start]:02x}", SourceLocation(file, line)) from None
    for number, content in enumerate(text.split("\n"), start=1):
        if len(content) > LONGEST_LINE:
            # Some lines of a million characters keep a YAML scanner busy for half a minute.
            raise problem(f"the line is too long: {len(content):,} characters", SourceLocation(file, number))
    found = _UNPRINTABLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise problem(f"is not a text file: character U+{ord(found.group()):04X}", SourceLocation(file, line))
    return text


def read_yaml(text: str, file: str, what: str = "ruleset") -> Node:
    """Read the one document in `text`; raise InputError for anything but plain YAML within the limits."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    reader = _Reader(file, YAML(typ="safe", pure=True).parse(text))
    try:
        root = reader.document()
    except InputError:
        raise
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        parts = [part for part in (error.context, error.problem) if part]
        raise problem(f"is not YAML: {', '.join(parts)}", SourceLocation(file, line)) from None
    except (YAMLError, ValueError, IndexError, AttributeError, AssertionError, RecursionError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise problem(f"is not YAML: {reason}", SourceLocation(file, reader.line)) from None
    if root is None or root.value is None:
        raise problem(f"is empty: a {what} is a mapping of keys to values", SourceLocation(file, 1))
    return root


def write_yaml(data: Mapping[str, object]) -> str:
    """Write plain data as YAML, keys in order, the innermost lists and mappings on one line."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="rt", pure=True)
    yaml.default_flow_style = None
    yaml.width = 140
    yaml.representer.add_representer(
        type(None), lambda representer, _: representer.represent_scalar("tag:yaml.org,2002:null", "null")
    )
    # A text that begins with a question mark is a key to the reader, unless it is quoted.
    yaml.representer.add_representer(
        str,
        lambda representer, text: representer.represent_scalar(
            "tag:yaml.org,2002:str", text, style="'" if text.startswith("?") else None
        ),
    )
    text = StringIO()
    yaml.dump(dict(data), text)
    return text.getvalue()


class _Reader:
    """Builder of nodes from YAML events, one by one, so that too much is never built."""

    def __init__(self, file: str, events: Iterator[Any]) -> None:
        from ruamel.yaml import events as kinds

        self.file, self.line = file, 1
        self._events, self._kinds = events, kinds
        self._values = 0

    def document(self) -> Node | None:
        root, begun = None, False
        for event in self._events:
            if isinstance(event, self._kinds.DocumentStartEvent):
                if begun:
                    raise problem("a second document begins here: one file holds one", self._place(event))
                begun = True
                root = self._value(next(self._events), 0)
        return root

    def _place(self, event: Any) -> SourceLocation:
        self.line = event.start_mark.line + 1
        return SourceLocation(self.file, self.line)

    def _checked(self, event: Any) -> SourceLocation:
        place = self._place(event)
        if isinstance(event, self._kinds.AliasEvent):
            raise problem(f"aliases are not used here: *{str(event.anchor)[:40]}", place)
        if event.tag is not None and event.tag != "!":
            raise problem(f"tags are not used here: {str(event.tag)[:40]}", place)
        self._values += 1
        if self._values > MOST_VALUES:
            raise problem(f"holds more than {MOST_VALUES:,} values", place)
        if isinstance(event, self._kinds.ScalarEvent) and (found := _UNPRINTABLE.search(event.value)):
            raise problem(f"holds the control character U+{ord(found.group()):04X}", place)
        return place

    def _value(self, event: Any, depth: int, key: SourceLocation | None = None) -> Node:
        """Build the value that begins with the event; `key`: place of its key."""
        place = self._checked(event)
        if isinstance(event, self._kinds.ScalarEvent):
            # An empty value is marked where the next token stands.
            place = place if event.value or key is None else key
            return Node(_scalar(event.value, place) if event.style is None else event.value, place)
        if depth >= MOST_DEPTH:
            raise problem(f"is nested more than {MOST_DEPTH} levels deep", place)
        # The key's line is where a reader looks for a list or mapping, not its first entry's.
        place = key or place
        if isinstance(event, self._kinds.SequenceStartEvent):
            return Node([self._value(one, depth + 1) for one in self._rest()], place)
        node = Node(values := {}, place)
        for one in self._rest():
            at = self._checked(one)
            if not isinstance(one, self._kinds.ScalarEvent):
                raise problem("a key must be a word, not a list or a mapping", at)
            if one.value in values:
                raise problem(f"the key {one.value!r} is here twice, first on line {node.keys[one.value].line}", at)
            node.keys[one.value] = at
            values[one.value] = self._value(next(self._events), depth + 1, at)
        return node

    def _rest(self) -> Iterator[Any]:
        while not isinstance(event := next(self._events), self._kinds.CollectionEndEvent):
            yield event


def _scalar(text: str, place: SourceLocation) -> bool | int | float | str | None:
    """Read a plain scalar by YAML 1.2's core schema, decimal numbers only."""
    if text in _NULLS:
        return None
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        if text.lstrip("+-").isdigit():
            raise problem(f"the number is too large: {text[:20]}…", place)
        number = float(text)
        if not math.isfinite(number):
            raise problem(f"the number is too large: {text}", place)
        return number
    return text


def node_of(value: object, place: SourceLocation, depth: int = 0) -> Node:
    """Turn plain data into nodes at one place; raise InputError for other kinds than JSON's, or too deep."""
    if depth > MOST_DEPTH:
        raise problem(f"is nested more than {MOST_DEPTH} levels deep", place)
    if isinstance(value, Mapping):
        keys = {str(key): node_of(item, place, depth + 1) for key, item in value.items()}
        return Node(keys, place, dict.fromkeys(keys, place))
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return Node([node_of(item, place, depth + 1) for item in value], place)
    for kind in (str, bool, int, float):
        if isinstance(value, kind):
            return Node(kind(value), place)
    if value is None:
        return Node(None, place)
    raise problem(f"a {type(value).__name__} is not a value a ruleset can have", place)
