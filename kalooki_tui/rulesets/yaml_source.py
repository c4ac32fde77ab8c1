"""YAML read into values that know their file and line.

The text is read event by event with limits, so that a hostile file costs little: no aliases (and so no alias
bombs), no tags, at most `MOST_DEPTH` levels and `MOST_VALUES` values. Keys are always text, as in JSON.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Final, TypeAlias

from kalooki_tui.files import open_to_read
from kalooki_tui.problems import InputError, Place, problem

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
    """A value and where it stands; `value` is a scalar, a list of nodes or a mapping of text to nodes."""

    value: bool | int | float | str | list[Node] | dict[str, Node] | None
    place: Place
    keys: dict[str, Place] = field(default_factory=dict)
    """For a mapping: where each key stands."""

    def plain(self) -> Plain:
        """The value without its places."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def read_text(path: Path, what: str = "ruleset") -> str:
    """The text of a file, at most `MOST_BYTES` of UTF-8.

    Raises:
        InputError: the file cannot be read, is too big or is not text.
    """
    place = Place(str(path))
    try:
        with open_to_read(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > MOST_BYTES:
                raise problem(f"is too big for a {what}: {size:,} bytes, at most {MOST_BYTES:,}", place)
            data = stream.read()
    except FileNotFoundError:
        raise problem("there is no such file", place) from None
    except PermissionError:
        raise problem("may not be read: permission denied", place) from None
    except IsADirectoryError:
        raise problem(f"is a folder, not a {what}", place) from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise problem(f"cannot be read: {reason}", place) from None
    return decode(data, str(path))


def decode(data: bytes, file: str) -> str:
    """Bytes as UTF-8 text without control characters or endless lines.

    Raises:
        InputError: they are not that.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise problem(f"is not UTF-8 text: byte 0x{data[error.start]:02x}", Place(file, line)) from None
    for number, content in enumerate(text.split("\n"), start=1):
        if len(content) > LONGEST_LINE:
            # Some lines of a million characters keep a YAML scanner busy for half a minute.
            raise problem(f"the line is too long: {len(content):,} characters", Place(file, number))
    found = _UNPRINTABLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise problem(f"is not a text file: character U+{ord(found.group()):04X}", Place(file, line))
    return text


def read_yaml(text: str, file: str, what: str = "ruleset") -> Node:
    """The one document in `text`.

    Raises:
        InputError: not YAML, empty, several documents, a repeated key, an alias, a tag, or over the limits.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    reader = _Reader(file)
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            reader.take(event)
    except InputError:
        raise
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        parts = [part for part in (error.context, error.problem) if part]
        raise problem(f"is not YAML: {', '.join(parts)}", Place(file, line)) from None
    except (YAMLError, ValueError, IndexError, AttributeError, AssertionError, RecursionError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise problem(f"is not YAML: {reason}", Place(file, reader.line)) from None
    if reader.root is None or reader.root.value is None:
        raise problem(f"is empty: a {what} is a mapping of keys to values", Place(file, 1))
    return reader.root


def write_yaml(data: Mapping[str, object]) -> str:
    """Plain data as YAML, keys in their order, the innermost lists and mappings on one line each."""
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


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been read; `key`: the key whose value comes next."""

    node: Node
    key: str | None = None
    key_place: Place | None = None


class _Reader:
    """Builds nodes out of YAML events, without recursion."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Node | None = None
        self.line = 1
        self._open: list[_Open] = []
        self._values = 0
        self._documents = 0

    def take(self, event: object) -> None:
        from ruamel.yaml import events

        mark = getattr(event, "start_mark", None)
        self.line = mark.line + 1 if mark else self.line
        place = Place(self.file, self.line)
        if isinstance(event, events.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise problem("a second document begins here: one file holds one", place)
        elif isinstance(event, events.AliasEvent):
            raise problem(f"aliases are not used here: *{str(event.anchor)[:40]}", place)
        elif isinstance(event, events.NodeEvent):
            self._check(event, place)
            if isinstance(event, events.ScalarEvent):
                self._scalar(event, place)
            else:
                empty: list[Node] | dict[str, Node] = [] if isinstance(event, events.SequenceStartEvent) else {}
                self._begin(Node(empty, place))
        elif isinstance(event, events.CollectionEndEvent):
            self._open.pop()

    def _check(self, event: object, place: Place) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            raise problem(f"tags are not used here: {str(tag)[:40]}", place)
        self._values += 1
        if self._values > MOST_VALUES:
            raise problem(f"holds more than {MOST_VALUES:,} values", place)

    def _scalar(self, event: object, place: Place) -> None:
        text: str = getattr(event, "value", "")
        plain: bool = getattr(event, "style", None) is None
        unprintable = _UNPRINTABLE.search(text)
        if unprintable:
            raise problem(f"holds the control character U+{ord(unprintable.group()):04X}", place)
        top = self._open[-1] if self._open else None
        if top is not None and isinstance(top.node.value, dict) and top.key is None:
            if text in top.node.value:
                first = top.node.keys[text].line
                raise problem(f"the key {text!r} is here twice, first on line {first}", place)
            top.key, top.key_place = text, place
            top.node.keys[text] = place
            return
        if not text and top is not None and top.key_place is not None:
            # An empty value is marked where the next token stands.
            place = top.key_place
        self._place(Node(_scalar(text, place) if plain else text, place))

    def _begin(self, node: Node) -> None:
        top = self._open[-1] if self._open else None
        if top is not None and isinstance(top.node.value, dict) and top.key is None:
            raise problem("a key must be a word, not a list or a mapping", node.place)
        if len(self._open) >= MOST_DEPTH:
            raise problem(f"is nested more than {MOST_DEPTH} levels deep", node.place)
        if top is not None and top.key_place is not None:
            # The key's line is where a reader looks for a list or mapping, not its first entry's.
            node.place = top.key_place
        self._place(node)
        self._open.append(_Open(node))

    def _place(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        top = self._open[-1]
        if isinstance(top.node.value, dict):
            assert top.key is not None
            top.node.value[top.key] = node
            top.key = top.key_place = None
        elif isinstance(top.node.value, list):
            top.node.value.append(node)


def _scalar(text: str, place: Place) -> bool | int | float | str | None:
    """A plain scalar by YAML 1.2's core schema, decimal numbers only."""
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


def node_of(value: object, place: Place, depth: int = 0) -> Node:
    """Plain data as nodes, all of them at that place.

    Raises:
        InputError: the value is none of JSON's kinds, or too deep.
    """
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
