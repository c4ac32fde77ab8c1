"""Write docs/rules/: how to play each game with real cards, from its ruleset and the sentences of the rules page.

    python -m scripts.make_rules

Every picture of a meld is judged by the engine, and its caption is what the engine says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from kalooki_tui.cards import JOKER, RANK, SUIT, Card, Faces, make_card
from kalooki_tui.coach.clauses import Line, Section, glossary, rules_text
from kalooki_tui.coach.vocabulary import contract_words, example_melds
from kalooki_tui.notation.judgement import judge
from kalooki_tui.rulesets.loader import catalogue
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.wording import capital

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "rules"
PICTURES: Final = "pictures"
MELDS: Final[dict[str, tuple[Card, ...]]] = {
    "one-rank": (make_card(0, 7), make_card(1, 7), make_card(3, 7)),
    "one-rank-with-joker": (make_card(2, 13), make_card(3, 13), JOKER),
    "row": tuple(make_card(3, rank) for rank in (5, 6, 7, 8)),
    "row-with-joker": (make_card(2, 9), JOKER, make_card(2, 11), make_card(2, 12)),
    "row-to-the-ace": tuple(make_card(0, rank) for rank in (11, 12, 13, 14)),
    "around-the-ace": (make_card(1, 12), make_card(1, 13), make_card(1, 14), make_card(1, 2)),
    "two-jokers": (make_card(3, 4), JOKER, JOKER, make_card(3, 7)),
}
"""The cards of each picture."""
ORDER: Final = (
    "Seats and cards",
    "A turn",
    "Melds",
    "Contracts",
    "Drawing and calling",
    "Tacking and swapping",
    "Going out and scoring",
)
"""Sections in the order in which somebody at a table needs them; others follow."""
HEADINGS: Final = {
    "Seats and cards": "Players, packs and dealing",
    "Contracts": "What you lay first",
    "The referee": "Mistakes",
}
ABOUT_THE_PROGRAM: Final = (
    "A table chooses. Strict:",
    "Or penalties:",
    "You cannot do what the rules forbid:",
    "Nobody can call too often, so there are no challenges.",
    "You see your own hand",
)
"""How lines begin that somebody with real cards does not need."""
PERSONS: Final = {
    r"\b(seat)(s?)\b": r"player\2",
    r"\bSeats are drawn\b": "Places are drawn",
    r"\b(player|one) that (has|thinks)\b": r"\1 who \2",
    r"\bit threw itself\b": "they threw themselves",
    r"\bit allows\b": "they allow",
    r"\bends its turn\b": "ends their turn",
    r"\blaid its contract\b": "laid their contract",
    r"\bif it has not\b": "if they have not",
    r"\bits own turn\b": "their own turn",
}
"""Words about seats, and those about the people in them."""
PILES: Final = {
    "stock": "The cards that are left after dealing, face down.",
    "discard": "A card that somebody has thrown, face up; the last one lies on top.",
}
"""Words that everybody at a screen sees the meaning of."""
NEUTRAL: Final = ("#ffffff", "#9aa0a6", "#1a1a1a")
"""Card, edge, text."""
COLOURS: Final = {
    "french": ("#1a1a1a", "#c5221f", "#c5221f", "#1a1a1a"),
    "colours": ("#c5221f", "#1a1a1a", "#b06000", "#137333"),
}
"""The colours of the suits, by deck."""
WIDTH: Final = 54
HEIGHT: Final = 76
GAP: Final = 8


class Page(NamedTuple):
    name: str
    text: str


def pages() -> Iterator[Page]:
    games = [entry.ruleset for entry in catalogue() if entry.builtin and entry.ruleset is not None]
    yield Page("README.md", _index(games))
    drawn: dict[str, str] = {}
    for game in games:
        yield Page(f"{game.id}.md", page(game))
        drawn |= {f"{PICTURES}/{game.faces.name}-{name}.svg": picture(game.faces, MELDS[name]) for name in MELDS}
    yield from (Page(name, text) for name, text in drawn.items())


def _index(games: Sequence[Ruleset]) -> str:
    rows = [
        f"| [{game.name}]({game.id}.md) | {_span(game)} | {_deals(game)} | {spoken(game.summary)} |" for game in games
    ]
    return "\n".join(
        (
            "# The rules, for real cards\n",
            "How to play each game at a table, without a computer. Made from the rules that the program plays by.\n",
            "| game | players | deals | |\n|---|---|---|---|",
            *rows,
            "\nNever played any? [Baby Kalooki](baby.md) is the shortest.\n",
        )
    )


def page(game: Ruleset) -> str:
    found = {section.heading: section for section in rules_text(game)}
    order = [*(name for name in ORDER if name in found), *(name for name in found if name not in ORDER)]
    parts = [f"# {game.name}: the rules", f"{spoken(game.summary)} For {_span(game)} players."]
    parts.append("\n".join(("## Words", "", *_words(game))))
    for heading in order:
        lines = list(_lines(found[heading]))
        body = [f"- {line}" for line in lines]
        if heading == "Contracts":
            body = [*_contracts(game), "", *body]
        if heading == "Melds":
            body = [*body, "", *_melds(game)]
        if body:
            parts.append("\n".join((f"## {HEADINGS.get(heading, heading)}", "", *body)))
    parts.append(f"[All games](README.md) · In the program: `kalooki play --ruleset {game.id}`")
    return "\n\n".join(parts) + "\n"


def _lines(section: Section) -> Iterator[str]:
    """The sentences that hold at a table; contracts have a table of their own."""
    for line in section.lines:
        if not line.text.startswith(ABOUT_THE_PROGRAM) and not _is_contract(line):
            yield spoken(line.text)


def _words(game: Ruleset) -> Iterator[str]:
    """The words that the rules use and do not explain."""
    rules = {line.text for section in rules_text(game) for line in section.lines}
    for term, meaning in PILES.items():
        yield f"- **{term}**: {meaning}"
    for word in glossary(game):
        if not any(word.says.startswith(rule) for rule in rules):
            yield f"- **{word.term}**: {spoken(word.says.partition('. ')[0].rstrip('.'))}."


def _is_contract(line: Line) -> bool:
    return re.search(r", from \d+ cards\.$", line.text) is not None


def spoken(text: str) -> str:
    """A sentence about seats as one about players."""
    for pattern, words in PERSONS.items():
        text = re.sub(pattern, words, text)
    return text


def _contracts(game: Ruleset) -> Iterator[str]:
    words = game.vocabulary
    yield f"| {words.deal} | cards each | your first lay-down | such as |"
    yield "|---|---|---|---|"
    for number, contract in enumerate(game.deals, 1):
        which = str(number) if len(game.deals) > 1 else "every"
        example = " · ".join(map(game.faces.symbols, example_melds(game, contract)))
        yield f"| {which} | {contract.cards} | {contract_words(contract, words)} | {example} |"


def _melds(game: Ruleset) -> Iterator[str]:
    yield "| cards | |"
    yield "|---|---|"
    for name, cards in MELDS.items():
        file = f"{PICTURES}/{game.faces.name}-{name}.svg"
        yield f"| ![{game.faces.symbols(cards)}]({file}) | {caption(game, cards)} |"


def caption(game: Ruleset, cards: Sequence[Card]) -> str:
    """What the engine says of cards that lie in this order."""
    verdict, words = judge(game, cards), game.vocabulary
    if verdict.no_set is None:
        return f"{capital(_article(words.set))} {words.set}."
    if verdict.no_run is None:
        return f"{capital(_article(words.run))} {words.run}."
    # What was meant: cards of one rank as a set, all else as a run.
    meant = len({RANK[card] for card in cards if card != JOKER}) == 1
    why = verdict.no_set if meant else verdict.no_run
    return f"Not {_article(words.set)} {words.set}: {why.message}" if meant else f"Not a {words.run}: {why.message}"


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"


def picture(faces: Faces, cards: Sequence[Card]) -> str:
    paper, edge, ink = NEUTRAL
    width = len(cards) * (WIDTH + GAP) - GAP + 2
    size, font = f'width="{width}" height="{HEIGHT + 2}"', 'font-family="sans-serif" text-anchor="middle"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {font}>']
    for place, card in enumerate(cards):
        left = 1 + place * (WIDTH + GAP)
        middle = left + WIDTH // 2
        colour = ink if card == JOKER else COLOURS[faces.name][SUIT[card]]
        lines.append(
            f'<rect x="{left}" y="1" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{paper}" stroke="{edge}"/>'
        )
        upper = "JOKER" if card == JOKER else faces.rank_name(RANK[card])
        lower = faces.joker_symbol if card == JOKER else faces.suit_symbols[SUIT[card]]
        large = 13 if card == JOKER else 24
        lines.append(f'<text x="{middle}" y="32" font-size="{large}" font-weight="bold" fill="{colour}">{upper}</text>')
        lines.append(f'<text x="{middle}" y="64" font-size="26" fill="{colour}">{lower}</text>')
    return "\n".join((*lines, "</svg>", ""))


def _span(game: Ruleset) -> str:
    counts = game.seat_counts
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _deals(game: Ruleset) -> str:
    return "until one is left" if game.end.after == "elimination" else str(len(game.deals))


def main() -> None:
    for made in pages():
        target = FOLDER / made.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(made.text, encoding="utf-8")


if __name__ == "__main__":
    main()
