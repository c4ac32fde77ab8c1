"""Writes a match down as it is played: a record, line by line (notation reference, Records)."""

from __future__ import annotations

from collections.abc import Callable

from kalooki_tui.records.lines import CheckChain
from kalooki_tui.records.writing import RecordHead, dump, start_lines, step_lines
from kalooki_tui.table.table import Step, Table


def record(table: Table, write: Callable[[str], None]) -> None:
    """Give `write` the lines of the match so far begun, and of every step from now on, without line ends.

    The table must have been opened just now: no action taken yet.
    """
    chain = CheckChain()
    for line in start_lines(record_head(table), table.match):
        write(chain.seal(dump(line)))

    def on_step(step: Step) -> None:
        for line in step_lines(table.match, step.action, step.events, step.refusal, asked=step.asked):
            write(chain.seal(dump(line)))

    table.listen(on_step)


def record_head(table: Table) -> RecordHead:
    """The head of this table's record."""
    return RecordHead(
        rules=table.match.rules,
        names=table.match.names,
        players=tuple("human" if plan.is_human else plan.level for plan in table.plans),
        seed=table.setup.seed,
        options=table.setup.options,
        first_turn=table.setup.first_turn,
    )
