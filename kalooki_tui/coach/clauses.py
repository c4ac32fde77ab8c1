"""The rules of one game in sentences, by clause: the rules page shows them, and others quote them.

The sentences are data (`texts/en/rules.toml`). A slot such as ``{rule swap}`` in a note, a word of the glossary
or a chapter is the line of that name. With the rules of one match the table's choices are told too: its seats, referee,
amounts and switches.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from msgspec import Struct

from kalooki_tui.cards import FRENCH, JOKER, RANK, Card
from kalooki_tui.coach.vocabulary import (
    TEXTS,
    contract_words,
    cost_words,
    counts_numbers,
    example_melds,
    sentences,
    vocabulary_slots,
)
from kalooki_tui.engine.rules import Rules
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.rulesets.model import Part, Ruleset, card_values
from kalooki_tui.wording import capital, counted, listed, number_word

#: Prefix of a slot that quotes a line of the rules by its name: ``{rule swap}``.
RULE: Final = "rule "
#: In a condition: any value but 0, false and None; and only these.
SOME: Final = "some"
NONE: Final = "none"
_PART_OF_CLAUSE: Final = re.compile(r"^([A-Z]\d+)[a-z]$")


class Line(NamedTuple):
    text: str
    clauses: str
    name: str = ""
    example: tuple[tuple[Card, ...], ...] = ()

    def has(self, clause: str) -> bool:
        return clause in self.clauses.split(", ")


class Section(NamedTuple):
    heading: str
    lines: tuple[Line, ...]


def rules_text(ruleset: Ruleset, match: Rules | None = None) -> list[Section]:
    """Return the rules under headings; with `match`, as one table plays them."""
    game = _Game(ruleset, match)
    sections = (Section(one["heading"], tuple(game.lines(one["lines"]))) for one in _data()["sections"])
    return [section for section in sections if section.lines]


def rule_slots(ruleset: Ruleset, match: Rules | None = None) -> dict[str, str]:
    """Return the lines by the slots that quote them: by name (``rule swap``; empty if of another game) or clause."""
    told = [line for section in rules_text(ruleset, match) for line in section.lines]
    found = dict.fromkeys((RULE + name for name in rule_names()), "") | {RULE + one.name: one.text for one in told}
    by_clause: dict[str, list[str]] = {}
    for line in told:
        for clause in line.clauses.split(", "):
            by_clause.setdefault(clause, []).append(line.text)
    return found | {RULE + clause: "\n".join(lines) for clause, lines in by_clause.items()}


def rule_names() -> frozenset[str]:
    return frozenset(line["name"] for section in _data()["sections"] for line in section["lines"] if "name" in line)


def find_clause(sections: Sequence[Section], clause: str) -> Line | None:
    """Return the first line of a clause; of a part (``D26a``) without a line of its own, that of the clause."""
    wanted = [clause, *(found[1] for found in [_PART_OF_CLAUSE.match(clause)] if found)]
    lines = [line for section in sections for line in section.lines]
    return next((line for one in wanted for line in lines if line.has(one)), None)


def policy(ruleset: Ruleset, path: str) -> object:
    """Return the value of a policy by its path, such as ``tack.run_growth``; raise KeyError if there is none."""
    value: object = ruleset
    for part in path.split("."):
        if value is None:
            return None
        if not isinstance(value, Part) or part not in value.__struct_fields__:
            raise KeyError(path)
        value = getattr(value, part)
    return value


def facts(ruleset: Ruleset) -> dict[str, object]:
    """Return what conditions may name beside policies: what holds of some deal, and what several policies say."""
    return {
        "in_points": any(contract.points for contract in ruleset.deals),
        "by_length": any(contract.by_length for contract in ruleset.deals),
        "whole": any(contract.whole for contract in ruleset.deals),
        "longer": any(
            contract.whole and contract.fewest_cards(ruleset.sets.minimum, ruleset.runs.minimum) <= contract.cards
            for contract in ruleset.deals
        ),
        "own_calls": _own_calls(ruleset),
        "short_run_jokers": ruleset.runs.jokers_when_shortest is not None,
        "swaps": ruleset.has_swaps,
    }


def fact_or_policy(ruleset: Ruleset, name: str) -> object:
    """Return a fact of a game by its name, else the value of a policy; raise KeyError if there is neither."""
    known = facts(ruleset)
    return known[name] if name in known else policy(ruleset, name)


@cache
def _data() -> Mapping[str, Any]:
    """Load the sentences: TOML loads ten times as fast as YAML, and a table may need them at its first move."""
    return tomllib.loads((TEXTS / "rules.toml").read_text(encoding="utf-8"))


class _Game:
    """Game, or one table of it: evaluates conditions and fills slots."""

    def __init__(self, ruleset: Ruleset, match: Rules | None) -> None:
        self._ruleset, self._match = ruleset, match
        self._settings = ruleset.usual_settings() if match is None else match.settings
        self._facts = self._known()
        self._slots = self._filling()
        self._facts["exceptions"] = self._slots["exceptions"] = ", ".join(
            one["says"] for one in _data()["exceptions"] if self.holds(one)
        )

    def lines(self, entries: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
        for entry in entries:
            if self.holds(entry):
                for more, example in self._each_deal() if "each" in entry else (({}, ()),):
                    text = self._text(entry["says"]).format_map(self._slots | more)
                    yield Line(text, entry["clauses"], entry.get("name", ""), example)

    def _text(self, says: str | Sequence[Any]) -> str:
        if isinstance(says, str):
            return says
        return "".join(one if isinstance(one, str) else one["says"] if self.holds(one) else "" for one in says)

    def holds(self, entry: Mapping[str, Any]) -> bool:
        for path, values in entry.get("when", {}).items():
            part, _, name = path.partition(".")
            if path in self._facts:
                value = self._facts[path]
            else:
                value = getattr(self._settings, name) if part == "settings" else policy(self._ruleset, path)
            if values in (SOME, NONE):
                is_so = bool(value) is (values == SOME)
            else:
                is_so = value in values if isinstance(values, list) else value == values
            if not is_so:
                return False
        return True

    def _known(self) -> dict[str, object]:
        """Return facts beside the policies; `penalties`: offences can be charged; `cut`: the dealer may cut."""
        ruleset, match = self._ruleset, self._match
        return facts(ruleset) | {
            "table": match,
            "referee": None if match is None else match.referee.value,
            "penalties": ruleset.infractions is not None and (match is None or match.penalties),
            "cut": ruleset.dealer_cut_bonus is not None and (match is None or self._settings.dealer_cut),
        }

    def _filling(self) -> dict[str, object]:
        ruleset, match, settings = self._ruleset, self._match, self._settings
        faces, infractions = ruleset.faces, ruleset.infractions
        bad_lay = None if infractions is None else infractions.bad_lay
        over_call = None if infractions is None else infractions.over_call
        suits = zip(faces.suit_names, faces.suit_symbols, strict=True)
        often, joker = settings.max_buy_ins, ruleset.vocabulary.joker
        return {
            **vocabulary_slots(ruleset.vocabulary, ruleset.calls.penalty),
            "game": ruleset,
            "settings": settings,
            "table": match,
            "table_packs": "" if match is None else counted(match.packs, "pack"),
            "table_jokers": "" if match is None else counted(match.jokers, joker),
            "colours": ", ".join(f"{name} ({sign})" for name, sign in suits),
            "own_calls": self._facts["own_calls"],
            "set_naturals": number_word(ruleset.sets.naturals),
            "run_naturals": number_word(ruleset.runs.fewest_naturals),
            "wild": " and ".join(f"each {rank}" for rank in ruleset.wild),
            "best_card": max(card_values(ruleset)[:JOKER]),
            "values": "; ".join(cost_words(ruleset, (*range(1, 14), RANK[JOKER])))
            + ("; the other cards count their number" if counts_numbers(ruleset) else ""),
            "contracts": counted(len(ruleset.deals), "contract"),
            "turns": counted(settings.max_turns or 0, "turn"),
            "redeals": counted(settings.max_redeals or 0, "time"),
            "buy_ins": "once" if often == 1 else f"{often} times",
            "bad_lay": bad_lay.points if bad_lay and settings.bad_lay is None else settings.bad_lay,
            "over_call": over_call.points if over_call and settings.over_call is None else settings.over_call,
            "packs": "; ".join(
                f"{_numbers(pack.seats)} seats: {counted(pack.packs, 'pack')}, {counted(pack.jokers, joker)}"
                for pack in ruleset.packs
            ),
        }

    def _each_deal(self) -> Iterator[tuple[dict[str, object], tuple[tuple[Card, ...], ...]]]:
        words, deals = self._ruleset.vocabulary, self._ruleset.deals
        for number, contract in enumerate(deals, 1):
            slots: dict[str, object] = {
                "which_deal": f"{capital(words.deal)} {number}" if len(deals) > 1 else f"Every {words.deal}",
                "contract": contract_words(contract, words),
                "contract_cards": contract.cards,
            }
            yield slots, tuple(map(tuple, example_melds(self._ruleset, contract)))


def _own_calls(ruleset: Ruleset) -> str:
    """Say which deals have a number of calls of their own, and how many (H13); empty: none."""
    words, by_calls = ruleset.vocabulary, dict[int, list[int]]()
    for number, contract in enumerate(ruleset.deals, 1):
        if contract.calls is not None:
            by_calls.setdefault(contract.calls, []).append(contract.number or number)
    parts = []
    for calls, deals in by_calls.items():
        which = words.deal if len(deals) == 1 else f"{words.deal}s"
        parts.append(f"{counted(calls, words.call)} in {which} {listed([*map(str, deals)])}")
    return capital("; ".join(parts)) if parts else ""


def _numbers(seats: tuple[int, ...]) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]}-{seats[-1]}"


class Picture(Struct, frozen=True):
    cards: tuple[Card, ...]
    wrong: bool = False
    lacks: tuple[Card, ...] = ()
    add: tuple[Card, ...] = ()
    back: bool = False
    dead: bool = False


class Word(Struct, frozen=True):
    term: str
    says: str
    pictures: tuple[Picture, ...]
    clause: str = ""
    """Clause of the rules that says it in other words."""


def glossary(ruleset: Ruleset) -> tuple[Word, ...]:
    """Return the words that a game has, in the order in which players meet them."""
    entries: list[Mapping[str, Any]] = sentences("glossary")["words"]  # type: ignore[assignment]
    game, names = (
        _Game(ruleset, None),
        vocabulary_slots(ruleset.vocabulary, ruleset.calls.penalty) | rule_slots(ruleset),
    )
    found = []
    for entry in filter(game.holds, entries):
        pictures = []
        for picture in entry["pictures"]:
            cards = {key: parse_cards(picture.get(key, ""), FRENCH) for key in ("cards", "lacks", "add")}
            signs = {key: bool(picture.get(key)) for key in ("wrong", "back", "dead")}
            pictures.append(Picture(**cards, **signs))  # type: ignore[arg-type]
        term, says = (entry[key].format_map(names) for key in ("term", "says"))
        found.append(Word(term, says, tuple(pictures), entry.get("clause", "")))
    return tuple(found)
