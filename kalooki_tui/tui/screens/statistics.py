"""Statistics: everybody by families of games, ratings, then each person in each game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import set_cell_size
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.presenter.commands import Command
from kalooki_tui.presenter.sentences import at_once_word
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import family_of, load_ruleset
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.people_statistics import MIDDLE, PlayerStatistics, Rating, Statistics, statistics
from kalooki_tui.tui.preload import read_on
from kalooki_tui.tui.screens.base import bar
from kalooki_tui.tui.screens.question import TWO_PAGES, Page, closing, in_columns, rows_of
from kalooki_tui.tui.widgets.canvas import column, shorten
from kalooki_tui.tui.widgets.chart import LINES_FROM, ScoreChart
from kalooki_tui.wording import ai_words, counted

#: Columns of the screen from which on there are two columns of games.
BESIDE: Final = 116
#: Cells of a contract's words and of a bar, in a narrow column and in a wide one.
NARROW_CELLS: Final = (20, 8)
WIDE_CELLS: Final = (26, 24)

#: Cells of the bar that shows how far reading has come, of a person's name and of the columns.
READING: Final = 40
NAME: Final = 18
COLUMNS: Final = (8, 5, 7, 5, 11, 10)
RATED: Final = 22
FRAME: Final = 2
#: Heads of the last two columns where a game is played for counters: going out in one turn is a kalookie there.
COUNTED: Final = ("kalookies", "counters")
BENDING: Final = ("bends", "calls")
#: How the number of a place ends, where not with th.
ENDS: Final = {1: "st", 2: "nd", 3: "rd"}


class StatisticsScreen(Page):
    OFFERED = (
        closing(),
        Command("page-on", "right,tab,n", "Next", "The next person's page.", lambda at: at.turn(1)),
        Command("page-back", "left,shift+tab,b", "Back", "The page before.", lambda at: at.turn(-1)),
        Command("imported", "i", "Imported", "Count imported matches too, or stop counting them.",
                lambda at: at.count_imported()),
    )  # fmt: skip
    heading = "Statistics"

    name = "statistics"
    page = 0
    _imported = False
    _found: Statistics | None = None

    @property
    def hint(self) -> str:
        close, on, back, imported = self.OFFERED
        does = "leaves imported matches out" if self._imported else "counts imported matches too"
        turns = f"{back.shown} {on.shown} a page for each person" if self._people else ""
        return " · ".join(filter(None, (turns, f"{imported.shown} {does}", f"{close.shown} closes")))

    def parts(self) -> ComposeResult:
        yield Static("Reading the matches …", id="page")
        yield ScoreChart()
        with Horizontal(id="columns"):
            yield Static(id="left")
            yield Static(id="right")

    def on_mount(self) -> None:
        self.query_one(ScoreChart).display = False
        self.call_after_refresh(self._begin)

    def on_resize(self, event: events.Resize) -> None:
        if self._found is not None:
            self._show(self._found)

    @property
    def _people(self) -> list[str]:
        return _names(self._found) if self._found else []

    def turn(self, step: int) -> None:
        self.page = (self.page + step) % (len(self._people) + 1)
        if self._found is not None:
            self._show(self._found)
            self.query_one(VerticalScroll).scroll_home(animate=False)

    def _begin(self) -> None:
        if not self.is_here:
            return
        store = self.app.store
        page: Content | Statistics | None = None
        if not store.unread:
            try:
                page = statistics(store, imported=self._imported)
            except StoreError as error:
                page = Content(str(error))
        # Every match changes the ratings after it: nothing is told before all are read, which listing them may leave.
        if page is None or store.unread:
            page = reading(store.found, store.found + store.unread)
        self._show(page)
        read_on(self.app)

    def show_arrived(self) -> None:
        self._begin()

    @property
    def _cells(self) -> tuple[int, int]:
        return NARROW_CELLS if BESIDE <= self.app.size.width < TWO_PAGES else WIDE_CELLS

    def _columns(self, blocks: list[Content], name: str) -> tuple[list[Content], list[Content]]:
        """Return what stands left and right: where there is room, people's own numbers beside everybody's."""
        if self.app.size.width < BESIDE:
            return blocks, []
        rows = self.app.size.height - FRAME
        if name or self._found is None or rows_of(blocks) > rows:
            return in_columns(blocks)
        people = beside(self._found, rows, self._cells)
        return (blocks, people) if people else in_columns(blocks)

    def _show(self, page: Content | Statistics) -> None:
        if not self.is_here:
            return
        self._found = page if isinstance(page, Statistics) else None
        people = self._people
        self.page = min(self.page, len(people))
        name = people[self.page - 1] if self.page else ""
        course = self._found.courses.get(name, ()) if self._found is not None else ()
        chart = self.query_one(ScoreChart)
        chart.display = len(course) >= LINES_FROM
        if chart.display:
            chart.show((name,), [(round(rating),) for rating in course], starts=(round(MIDDLE),))
        head: Content = Content("")
        blocks: list[Content] = []
        if isinstance(page, Content):
            head = page
        elif not page.players:
            head = Content("No match with a person in it has been finished yet.\n")
        elif name:
            head, blocks = person_page(page, name, self._cells)
        else:
            blocks = everybody(page)
        left, right = self._columns(blocks, name)
        self.query_one("#page", Static).update(head)
        self.query_one("#left", Static).update(Content("\n").join(left))
        self.query_one("#right", Static).update(Content("\n").join(right))
        self.query_one("#page").display, self.query_one("#right").display = bool(head.plain), bool(right)
        frame = self.query_one(".dialog")
        frame.border_title = f"{self.heading} · {name or 'everybody'}" if people else self.heading
        frame.border_subtitle = self.hint

    def count_imported(self) -> None:
        self._imported = not self._imported
        self.query_one(".dialog").border_subtitle = self.hint
        self._begin()


def reading(done: int, of: int) -> Content:
    return Content.assemble(f"Reading {done} of {of} matches\n", bar(done, of, READING, "$felt-line"))


def everybody(found: Statistics) -> list[Content]:
    blocks = [Content("").join(lines) for lines in _families(found.players)]
    if found.ratings:
        blocks.append(Content("").join(_ratings(found.ratings)))
    blocks += [Content.styled(f"Left out: {sentence}\n", "$on-felt-muted") for sentence in found.unreadable]
    return blocks


def person_page(found: Statistics, name: str, cells: tuple[int, int] = WIDE_CELLS) -> tuple[Content, list[Content]]:
    """Return a person's rating, then a block for each game. `cells`: of a contract's words and of a bar."""
    one = found.ratings.get(name)
    told = "no rating yet" if one is None else f"rating {one.words}"
    after = len(found.courses.get(name, ()))
    matches = f" after {after} match{'es' if after > 1 else ''}" if after else ""
    head = Content.assemble(Content.styled(name, "bold $gold"), f"   {told}{matches}\n")
    return head, [Content("").join(_player(player, *cells)) for player in found.players if player.name == name]


def _names(found: Statistics) -> list[str]:
    return sorted({one.name for one in found.players}, key=str.casefold)


def beside(found: Statistics, rows: int, cells: tuple[int, int]) -> list[Content]:
    told: list[Content] = []
    for name in _names(found):
        head, blocks = person_page(found, name, cells)
        if rows_of([*told, head, *blocks]) > rows:
            break
        told += [head, *blocks]
    return told


def _families(players: Sequence[PlayerStatistics]) -> list[list[Content]]:
    """Return the lines of each family of games, the most played first."""
    families: dict[str, dict[str, list[PlayerStatistics]]] = {}
    for player in players:
        try:
            family = name_of(family_of(player.ruleset))
        except InputError:
            family = player.ruleset
        families.setdefault(family, {}).setdefault(player.ruleset, []).append(player)
    matches = {name: sum(one.matches for some in games.values() for one in some) for name, games in families.items()}
    return [_family(name, families[name]) for name in sorted(families, key=lambda name: (-matches[name], name))]


def _family(family: str, games: Mapping[str, Sequence[PlayerStatistics]]) -> list[Content]:
    lines = [Content.styled(f"{family}{' and its variants' if len(games) > 1 else ''}\n", "bold $gold")]
    totals: dict[str, tuple[int, int]] = {}
    for name, game, players in sorted((name_of(game), game, players) for game, players in games.items()):
        last_heads = _last_heads(game, players)
        heads = ["matches", "won", "points", "out", *last_heads]
        lines.append(Content.styled(_line(f"  {name}", heads), "$on-felt-muted"))
        for player in sorted(players, key=lambda one: (-one.wins / one.matches, one.name.casefold())):
            points = "–" if player.points_a_deal is None else f"{player.points_a_deal:.1f}"
            money = "–" if player.money is None else f"{player.money:+d}"
            cells = [player.matches, player.wins, points, player.outs, player.bends]
            cells.append(money if last_heads == COUNTED else player.calls)
            lines.append(Content(_line(f"  {player.name}", cells)))
            wins, matches = totals.get(player.name, (0, 0))
            totals[player.name] = wins + player.wins, matches + player.matches
    if len(games) > 1:
        lines.append(Content.styled(_line("  all of these", []), "$on-felt-muted"))
        order = sorted(totals.items(), key=lambda item: (-item[1][0], item[1][1], item[0].casefold()))
        lines += [Content(_line(f"  {name}", [matches, wins])) for name, (wins, matches) in order]
    return lines


def _line(head: str, cells: Sequence[object]) -> str:
    numbers = "".join(f"{cell!s:>{width}}" for cell, width in zip(cells, COLUMNS, strict=False))
    return f"{set_cell_size(shorten(head, NAME), NAME)}{numbers}\n"


def _player(player: PlayerStatistics, width: int, cells: int) -> list[Content]:
    places = ", ".join(f"{place}{ENDS.get(place, 'th')} {times}×" for place, times in sorted(player.places.items()))
    points = "–" if player.points_a_deal is None else f"{player.points_a_deal:.1f}"
    at_once, _ = _last_heads(player.ruleset, [player])
    lines = [
        Content.styled(f"{name_of(player.ruleset)}\n", "bold $gold"),
        Content(f"  matches {player.matches}, won {player.wins} · {places}\n"),
        Content(f"  points a deal {points} in {counted(player.deals, 'deal')}\n"),
        Content(f"  out {player.outs}, of these {at_once} {player.bends}   calls {player.calls}\n"),
    ]
    if player.call_worth is not None:
        more = "fewer" if player.call_worth >= 0 else "more"
        lines.append(Content(f"  {abs(player.call_worth):.1f} {more} points in deals with a call\n"))
    contracts = contracts_laid(player)
    if contracts:
        lines.append(Content.styled("  contracts laid\n", "$on-felt-muted"))
    for words, laid, dealt in contracts:
        told = f"  {shorten(words, width):<{width}}  "
        lines.append(Content.assemble(told, bar(laid, dealt, cells), f"  {laid} of {dealt}\n"))
    return lines


def _ratings(ratings: Mapping[str, Rating]) -> list[Content]:
    lines = [Content.styled("Ratings (Glicko-2)\n", "bold $gold")]
    for name, one in sorted(ratings.items(), key=lambda item: -item[1].rating):
        # A level of AI plays under no name of its own.
        called = ai_words(name) if name.startswith("ai:") else name
        lines.append(Content(f"  {column(called, RATED + 1)}{one.rating:5.0f} ± {2 * one.deviation:.0f}\n"))
    return lines


def _last_heads(ruleset_id: str, players: Sequence[PlayerStatistics]) -> tuple[str, str]:
    """Return the heads of the last two columns; those of a ruleset that is gone are guessed from the numbers."""
    try:
        ruleset = load_ruleset(ruleset_id)
    except InputError:
        return COUNTED if any(player.money is not None for player in players) else BENDING
    return COUNTED if ruleset.end.after == "elimination" else (at_once_word(ruleset), "calls")


def name_of(ruleset_id: str) -> str:
    try:
        return load_ruleset(ruleset_id).name
    except InputError:
        return ruleset_id


def contracts_laid(player: PlayerStatistics) -> list[tuple[str, int, int]]:
    """Return each contract of the game with how often it was laid of how many times; equal ones are one.

    A game that has gone has its deals by number.
    """
    try:
        ruleset = load_ruleset(player.ruleset)
    except InputError:
        return [(f"deal {deal}", laid, dealt) for deal, (laid, dealt) in sorted(player.laid.items())]
    found: dict[str, tuple[int, int]] = {}
    for deal, (laid, dealt) in sorted(player.laid.items()):
        wanted = ruleset.deals[min(deal, len(ruleset.deals)) - 1]
        words = f"{wanted.points} points" if wanted.points else contract_words(wanted, ruleset.vocabulary)
        before = found.get(words, (0, 0))
        found[words] = before[0] + laid, before[1] + dealt
    return [(words, laid, dealt) for words, (laid, dealt) in found.items()]
