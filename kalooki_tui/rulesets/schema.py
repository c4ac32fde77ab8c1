"""JSON schema of a ruleset's file, for editors, made from the fields.

``python -m kalooki_tui.rulesets.schema`` prints it.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from kalooki_tui.rulesets.model import Ruleset, Settings
from kalooki_tui.rulesets.validation import adapter

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
