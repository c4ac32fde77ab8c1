"""Refusals as text and as data."""

from __future__ import annotations

from kalooki_tui.engine.refusals import Refusal


def print_refusal(refusal: Refusal) -> str:
    """One line: what was refused, the code and the clause, and what it cost."""
    cost = f" ({refusal.charged} points charged)" if refusal.charged else ""
    return f"refused: {refusal.code} ({refusal.clause}): {refusal.message}{cost}"


def refusal_data(refusal: Refusal) -> dict[str, object]:
    """The refusal for programs: `code`, `clause`, `message`; `charged` where it cost points."""
    data: dict[str, object] = {"code": refusal.code, "clause": refusal.clause, "message": refusal.message}
    if refusal.charged:
        data["charged"] = refusal.charged
    return data
