"""The answers of ``kalooki solve``: what a hand can lay, how far it is from the contract, which cards help."""

from __future__ import annotations

from kalooki_tui.api.hands import Answer, Asked, meld_text
from kalooki_tui.engine.melds import contract_text


def answer_data(asked: Asked, found: Answer) -> dict[str, object]:
    faces, laydown = asked.rules.faces, found.laydown
    return {
        "hand": faces.texts(found.hand),
        "can_lay": laydown is not None,
        "left": None if laydown is None else laydown.points_left,
        "lay": None if laydown is None else [meld_text(asked.rules, group) for group in laydown.groups],
        "away": found.away,
        "helps": {faces.text(card): copies for card, copies in found.helps.items()},
    }


def answer_text(asked: Asked, found: Answer) -> str:
    faces, words = asked.rules.faces, asked.rules.ruleset.vocabulary
    lines = [
        f"contract  {contract_text(words, asked.contract)}",
        f"hand      {faces.texts(found.hand)}   ({len(found.hand)} cards, {asked.rules.points(found.hand)} points)",
    ]
    if found.laydown is not None:
        for index, group in enumerate(found.laydown.groups):
            lines.append(f"{'lay' if index == 0 else '':<8}  {meld_text(asked.rules, group)}")
        left = found.laydown.left
        lines.append(f"left      {faces.texts(left) if left else 'nothing'}   ({found.laydown.points_left} points)")
    elif found.away:
        lines.append(f"away      {found.away} {'card' if found.away == 1 else 'cards'}")
        helps = " ".join(f"{faces.text(card)}×{copies}" for card, copies in found.helps.items())
        lines.append(f"helps     {helps or 'no unseen card'}")
    else:
        lines.append("lay       not now: the last card must be a discard, so draw one first")
    return "\n".join(lines)
