"""Compiles the built-in rulesets: ``python -m kalooki_tui.rulesets.compiling`` prints `rulesets/compiled.json`."""

from __future__ import annotations

import json
import sys

from kalooki_tui.rulesets.compiled import checksum
from kalooki_tui.rulesets.folders import builtin_folder, yaml_files
from kalooki_tui.rulesets.loader import load_file
from kalooki_tui.rulesets.model import to_data
from kalooki_tui.rulesets.trees import files_of


def compiled_text() -> str:
    """The contents of the file, a line for each ruleset."""
    lines = []
    for path in yaml_files(builtin_folder()):
        entry = {"files": {file.name: checksum(file) for file in files_of(path)}, "ruleset": to_data(load_file(path))}
        lines.append(f"{json.dumps(path.stem)}: {json.dumps(entry, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(compiled_text())
