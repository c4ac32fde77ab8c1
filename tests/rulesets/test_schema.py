import re
from typing import Any

import pytest

from kalooki_tui.rulesets.folders import builtin_folder
from kalooki_tui.rulesets.validation import file_schema, schema_text
from kalooki_tui.rulesets.yaml_source import read_text, read_yaml


def fits(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether a value fits a schema: the few words of JSON schema that ours uses."""
    if "$ref" in schema:
        return fits(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "anyOf" in schema and not any(fits(value, choice, root) for choice in schema["anyOf"]):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
    kind = schema.get("type")
    if kind and (not isinstance(value, kinds[kind]) or (kind == "integer" and isinstance(value, bool))):
        return False
    if isinstance(value, str):
        return re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, int):
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if isinstance(value, list):
        return all(fits(item, schema.get("items", {}), root) for item in value)
    if isinstance(value, dict):
        if not set(schema.get("required", ())) <= set(value):
            return False
        return all(fits_entry(key, item, schema, root) for key, item in value.items())
    return True


def fits_entry(key: str, value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    if key in schema.get("properties", {}):
        return fits(value, schema["properties"][key], root)
    for pattern, entry in schema.get("patternProperties", {}).items():
        if re.search(pattern, key):
            return fits(value, entry, root)
    rest = schema.get("additionalProperties", True)
    return fits(value, rest, root) if isinstance(rest, dict) else bool(rest)


def test_the_file_is_current() -> None:
    made = "python -m kalooki_tui.rulesets.validation > rulesets/ruleset.schema.json"
    assert (builtin_folder() / "ruleset.schema.json").read_text(encoding="utf-8") == schema_text(), made


@pytest.mark.parametrize("path", sorted(builtin_folder().glob("*.yaml")), ids=lambda path: path.stem)
def test_every_ruleset_fits(path: Any) -> None:
    schema = file_schema()
    assert fits(read_yaml(read_text(path), str(path)).plain(), schema, schema)


@pytest.mark.parametrize(
    ("data", "good"),
    [
        ({"extends": "jamaican"}, True),
        ({"extends": "jamaican", "deals": {"1": {"cards": 12}}}, True),
        ({"extends": "jamaican", "deals": {"first": {"cards": 12}}}, False),
        ({"extends": "jamaican", "options": {"six-jokers": None}}, True),
        ({"extends": "jamaican", "infractions": None}, True),
        ({"extends": "jamaican", "swop": "up-only"}, False),
        ({"extends": "jamaican", "swap": "sideways"}, False),
        ({"extends": "jamaican", "calls": {"limit": 99}}, False),
        ({"extends": "jamaican", "settings": {"over_call": 100}}, True),
        ({"extends": "jamaican", "settings": {"overcall": 100}}, False),
        ({"name": "House"}, False),
    ],
)
def test_what_the_schema_says(data: dict[str, Any], good: bool) -> None:
    schema = file_schema()
    assert fits(data, schema, schema) is good
