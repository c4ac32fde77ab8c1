"""Checking what people wrote against the fields of a ruleset: the only place that loads pydantic."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from pydantic import TypeAdapter, ValidationError

from kalooki_tui.problems import InputError, Place, Problem
from kalooki_tui.rulesets.complaints import Complaint, readable
from kalooki_tui.rulesets.merge import find
from kalooki_tui.rulesets.model import Ruleset, Settings
from kalooki_tui.rulesets.possible import Impossible, check_possible
from kalooki_tui.rulesets.yaml_source import Node

RULESET: Final = TypeAdapter(Ruleset)
SETTINGS: Final = TypeAdapter(Settings)


def check_ruleset(tree: Node, prefix: str = "") -> Ruleset:
    """The ruleset that the tree is; `prefix`: what messages begin with.

    Raises:
        InputError: it is none; each complaint with the place of the value it is about.
    """
    try:
        # By way of JSON, since YAML's lists are to fit the fields' tuples while all else stays strict.
        ruleset = RULESET.validate_json(json.dumps(tree.plain()))
        check_possible(ruleset)
        _check_amounts(ruleset)
    except ValidationError as error:
        raise InputError(_placed(readable(error), tree, prefix)) from None
    except Impossible as error:
        raise InputError(_placed([Complaint(str(error), error.where)], tree, prefix)) from None
    return ruleset


def check_settings(values: Mapping[str, object], place: Place) -> Settings:
    """The settings with these values, which stand at `place`.

    Raises:
        InputError: a value is none that its setting can have.
    """
    try:
        return _settings(values)
    except ValidationError as error:
        complaints = [f"settings.{complaint.message}" for complaint in readable(error)]
        raise InputError(Problem(place.file, place.line, message) for message in complaints) from None


def _settings(values: Mapping[str, object]) -> Settings:
    return SETTINGS.validate_json(json.dumps(dict(values), default=repr))


def _check_amounts(ruleset: Ruleset) -> None:
    for name, value in ruleset.settings.items():
        try:
            _settings({name: value})
        except ValidationError as error:
            message = error.errors()[0]["msg"].replace("Input should be", "must be")
            raise Impossible(f"settings.{name} {message}", ("settings", name)) from None


def _placed(complaints: list[Complaint], tree: Node, prefix: str) -> list[Problem]:
    problems: list[Problem] = []
    for complaint in complaints:
        places = [find(tree, path) for path in complaint.paths] or [tree.place]
        # Of several values that do not go together, the one in the file at hand is the one to change.
        place = next((place for place in places if place.file == tree.place.file), places[0])
        found = Problem(place.file, place.line, prefix + complaint.message)
        if found not in problems:
            problems.append(found)
    return problems
