"""The built-in rulesets as they come out of their files, so that playing one neither parses nor checks them.

``python -m kalooki_tui.rulesets.compiled`` prints `rulesets/compiled.json`. What has been edited since is not used.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

from kalooki_tui.rulesets import model
from kalooki_tui.rulesets.model import Contract, Infractions, OptionRule, Pack, Part, Ruleset

NAME: Final = "compiled.json"

_PARTS: Final[Mapping[str, type[Part]]] = {
    "vocabulary": model.Vocabulary,
    "sets": model.SetRules,
    "runs": model.RunRules,
    "lay": model.LayRules,
    "draw": model.DrawRules,
    "calls": model.CallRules,
    "tack": model.TackRules,
    "discard": model.DiscardRules,
    "score": model.ScoreRules,
    "seating": model.SeatingRules,
    "end": model.EndRules,
}


class Compiled(NamedTuple):
    """A ruleset, and the files that it was made of: its own, the one that it extends, and so on."""

    files: tuple[str, ...]
    ruleset: Ruleset


@cache
def read_compiled(path: Path) -> Compiled | None:
    """The ruleset of a built-in file; None where that file, or one that it extends, is not what was compiled."""
    entry = _entries(path.parent).get(path.stem)
    try:
        if entry is None or any(checksum(path.parent / name) != known for name, known in entry["files"].items()):
            return None
    except OSError:
        return None
    return Compiled((*entry["files"],), make_unchecked(entry["ruleset"]))


def make_unchecked(data: Mapping[str, Any]) -> Ruleset:
    """The ruleset of data that is known to be right: what `to_data` wrote, or such data with options applied."""
    made = {**data, **{name: kind(**data[name]) for name, kind in _PARTS.items() if name in data}}
    made["packs"] = tuple([Pack(**{**pack, "seats": (*pack["seats"],)}) for pack in data["packs"]])
    made["deals"] = tuple([Contract(**deal) for deal in data["deals"]])
    made["options"] = {name: _option(option) for name, option in data.get("options", {}).items()}
    charged = data.get("infractions")
    made["infractions"] = None if charged is None else _infractions(charged)
    return Ruleset(**made)


def _option(data: Mapping[str, Any]) -> OptionRule:
    seats = None if data["seats"] is None else (*data["seats"],)
    return OptionRule(**{**data, "seats": seats, "excludes": (*data["excludes"],)})


def _infractions(data: Mapping[str, Any]) -> Infractions:
    bad_lay, over_call = data.get("bad_lay"), data.get("over_call")
    return Infractions(
        bad_lay=None if bad_lay is None else model.BadLay(**bad_lay),
        over_call=None if over_call is None else model.OverCall(**over_call),
        joker_discard=data.get("joker_discard"),
    )


@cache
def _entries(folder: Path) -> dict[str, Any]:
    try:
        entries: dict[str, Any] = json.loads((folder / NAME).read_bytes())
    except (OSError, ValueError):
        # Someone who adds a folder of rulesets need not compile them.
        return {}
    return entries


def checksum(path: Path) -> int:
    """Of a ruleset's file, by which it is known whether it has been edited."""
    # Where git has put other line ends into the file it is the same all the same.
    return crc32(path.read_bytes().replace(b"\r\n", b"\n"))


def compiled_text() -> str:
    """The contents of the file, a line for each ruleset."""
    from kalooki_tui.rulesets.folders import builtin_folder, yaml_files
    from kalooki_tui.rulesets.loader import load_file
    from kalooki_tui.rulesets.trees import files_of

    lines = []
    for path in yaml_files(builtin_folder()):
        entry = {
            "files": {file.name: checksum(file) for file in files_of(path)},
            "ruleset": model.to_data(load_file(path)),
        }
        lines.append(f"{json.dumps(path.stem)}: {json.dumps(entry, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(compiled_text())
