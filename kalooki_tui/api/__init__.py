"""Public names of `import kalooki_tui as kalooki`, listed there: text in, text out; described in `docs/api.md`."""

from __future__ import annotations

from kalooki_tui.api.files import Position, PositionStep, read_position, read_record, ruleset_ids
from kalooki_tui.api.hands import BestLay, best_lay, distance, useful_cards
from kalooki_tui.api.match import Advice, Bot, DealScore, Match, Option, advise, count_lines, decide, play
from kalooki_tui.api.view import LaidMeld, View
from kalooki_tui.engine.refusals import Refused
