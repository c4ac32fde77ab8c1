import re
from typing import Any

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


def test_every_ruleset_fits_and_what_is_wrong_does_not() -> None:
    schema = file_schema()
    for path in builtin_folder().glob("*.yaml"):
        assert fits(read_yaml(read_text(path), str(path)).plain(), schema, schema), path
    for change, good in (
        ({}, True),
        ({"deals": {"1": {"cards": 12}}}, True),
        ({"deals": {"first": {"cards": 12}}}, False),
        ({"options": {"six-jokers": None}}, True),
        ({"infractions": None}, True),
        ({"swop": "up-only"}, False),
        ({"swap": "sideways"}, False),
        ({"calls": {"limit": 99}}, False),
        ({"settings": {"over_call": 100}}, True),
        ({"settings": {"overcall": 100}}, False),
    ):
        assert fits({"extends": "jamaican", **change}, schema, schema) is good, change
    assert not fits({"name": "House"}, schema, schema)
