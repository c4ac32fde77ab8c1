import errno
import os
from datetime import date
from io import StringIO
from pathlib import Path

import pytest

from kalooki_tui.plain import start
from kalooki_tui.plain.console import Lines
from kalooki_tui.plain.start import play_daily, play_duplicate, play_plain
from kalooki_tui.session.plan import plan_of
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.player import settings_file as settings
from kalooki_tui.storage.summary import day_of
from kalooki_tui.training.same_cards import daily_number
from tests.commands import Golden
from tests.plain.typing_in import END, Screen, Typist


def leave_at_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is told to somebody who begins a match and leaves it, as nothing more is typed."""
    monkeypatch.setenv("KALOOKI_HOME", str(home))
    screen = StringIO()
    play_plain(Lines(StringIO(""), screen, width=200), plan_of("baby", (), 3, ()))
    told = " ".join(screen.getvalue().split())
    assert "Baby Kalooki. You" in told
    assert "Ada calls 3S." in told
    return told


def test_a_home_that_cannot_be_used_is_said_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    told = leave_at_once(tmp_path / "file" / "home", monkeypatch)
    assert told.startswith("Nothing you play now will be saved: ")
    assert told.index("will be saved") < told.index("Baby Kalooki. You")
    assert told.endswith("Goodbye.")


def test_whoever_has_read_enough_in_the_middle_of_a_match_ends_it() -> None:
    class Closing(StringIO):
        def write(self, text: str) -> int:
            if "deals." in self.getvalue():
                raise BrokenPipeError
            return super().write(text)

    with pytest.raises(BrokenPipeError):
        play_plain(Lines(StringIO(""), Closing(), width=200), plan_of("baby", (), 3, ()))


def test_settings_that_cannot_be_written_are_no_reason_not_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(settings, "write_whole", write)
    told = leave_at_once(tmp_path, monkeypatch)
    # A path may be longer than a line.
    said = f"The settings cannot be saved: {tmp_path / 'settings.toml'}: Read-only file system."
    assert said.replace(" ", "") in told.replace(" ", "")
    assert told.endswith("The match is saved. To continue it, run kalooki.")


def test_the_last_match_is_gone_on_with_once_it_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    leave_at_once(tmp_path, monkeypatch)
    told = []
    for typed in ("y\n", "nothing\n", ""):
        play_plain(Lines(StringIO(typed), screen := StringIO()))
        told.append(screen.getvalue())
    golden("plain-continued", "\n──\n".join(told))


DAY = date(2026, 1, 2)


class Person(Lines):
    """Does what the club player does; leaves for good after so many answers."""

    def __init__(self) -> None:
        self.screen, self.left = Screen(), 10_000
        self.first: list[str] = []
        """What is typed before any move."""
        self.typist = Typist(self.screen, self._answer)
        super().__init__(self.typist, self.screen, width=400)

    def _answer(self, live: MatchJournal | None, asked: str) -> str | None:
        self.left -= 1
        if self.left < 0:
            return END
        if asked.endswith("looking:"):
            return ""
        return self.first.pop(0) if self.first and not asked.endswith(("go on:", "yes or no:")) else None


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Person:
    found = Person()
    played = start.play_match

    def play(lines: Lines, live: MatchJournal, plan: object) -> None:
        found.typist.live = live
        played(lines, live, plan)  # type: ignore[arg-type]

    monkeypatch.setattr(start, "play_match", play)
    return found


def test_a_daily_deal_is_left_gone_on_with_and_played_once(person: Person) -> None:
    person.left = 3
    assert not play_daily(person, DAY, "Ann")
    assert "The match is saved." in person.screen.getvalue()
    person.left = 10_000
    assert play_daily(person, DAY, "Ann")
    with Store.look() as store:
        (summary,) = store.summaries()
    assert summary.finished
    assert summary.seats[0].name == "Ann"
    before = person.screen.getvalue()
    assert play_daily(person, DAY, "Ann")
    assert person.screen.getvalue()[len(before) :] == "Ann has played this deal: only the first time counts.\n"


def test_whoever_is_new_is_asked_to_begin_with_an_easier_daily_deal(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(person, "confirm", lambda question: asked.append(question) or True)
    person.left = 0
    for day in (date(2026, 11, 21), date(2026, 11, 22)):
        play_daily(person, day, "Ann")
    assert len([one for one in asked if "Begin with an easier one, three threes" in one]) == 1
    with Store.look() as store:
        first, second = sorted(filter(None, (day_of(one.duplicate) for one in store.summaries())))
    assert daily_number(first) == 1
    assert second == date(2026, 11, 22)


def test_whoever_ends_the_input_at_that_question_has_begun_nothing() -> None:
    screen = StringIO()
    assert play_daily(Lines(StringIO(""), screen, width=200), date(2026, 11, 21), "Ann") is None
    assert screen.getvalue().endswith("yes or no: \nGoodbye.\n")
    with Store.look() as store:
        assert not store.summaries()


def test_everybody_plays_the_same_cards_and_results_come_last(person: Person) -> None:
    seats = ("Ann", "Bob", "ai:novice", "ai:novice")
    play_duplicate(person, ruleset="baby", seats=seats, seed=5, options=())
    told = person.screen.getvalue()
    first, second = told.index("Ann plays next."), told.index("Bob plays next.")
    assert first < second < told.index("Everybody has played these cards.")
    results = told[told.index("Everybody has played") :].splitlines()[1:]
    assert sorted(line.split(":")[0] for line in results) == ["Ann", "Bob"]
    # The same hands, played in the same way.
    assert len({line.partition(": ")[2] for line in results}) == 1


def test_a_duplicate_match_that_was_left_goes_on_where_nobody_is_named(person: Person) -> None:
    person.first, person.left = ["seats"], 4
    play_duplicate(person, ruleset="baby", seats=("Ann", "Bob", "ai:novice", "ai:novice"), seed=5, options=())
    told = " ".join(person.screen.getvalue().split())
    assert "The others play these cards too, each from this seat: nobody changes places here." in told
    assert "Which seat" not in told
    assert "kalooki play --duplicate --plain continues it." in person.screen.getvalue()
    person.left = 10_000
    play_duplicate(person, ruleset=None, seats=(), seed=None, options=())
    told = person.screen.getvalue()
    assert told.count("Ann plays next.") == 2
    assert "Everybody has played these cards." in told


def test_without_people_or_a_match_to_go_on_with_it_says_what_is_needed(person: Person) -> None:
    with pytest.raises(ValueError, match="name each with --seat"):
        play_duplicate(person, ruleset=None, seats=(), seed=None, options=())
    with pytest.raises(ValueError, match="two people or more"):
        play_duplicate(person, ruleset="baby", seats=("Ann",), seed=None, options=())
