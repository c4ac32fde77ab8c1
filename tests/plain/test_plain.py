import errno
import os
import re
import select
from io import StringIO
from pathlib import Path

import pytest

from kalooki_tui.cards import FACES, JOKER, Faces
from kalooki_tui.engine.events import Charged
from kalooki_tui.engine.rules import Referee
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.plain import plain_match as play_module
from kalooki_tui.plain.console import AWAY, Lines
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_file import MatchFile
from kalooki_tui.storage.match_store import Store
from tests.commands import Golden
from tests.plain.typing_in import END, Answer, Screen, play


@pytest.mark.parametrize("faces", FACES.values(), ids=list(FACES))
def test_in_ascii_a_card_can_be_read_as_it_is_written_and_lines_full_of_jokers_keep_to_the_width(faces: Faces) -> None:
    target, cards = StringIO(), [*range(52), JOKER]
    Lines(StringIO(), target, ascii_only=True, width=400).tell(faces.symbols(cards))
    assert list(parse_cards(target.getvalue().strip(), faces)) == cards
    target = StringIO()
    lines = Lines(StringIO("\n"), target, ascii_only=True, width=20)
    lines.tell(faces.symbols([JOKER] * 20))
    lines.ask(faces.symbols([JOKER] * 20))
    written = target.getvalue().splitlines()
    assert len(written) > 3
    assert max(map(len, written)) <= 20


def test_a_whole_match_is_played_by_lines_that_fit(tmp_path: Path) -> None:
    written, typist, live = play(tmp_path, "baby", "Ann", "ai:club", "ai:novice", width=40, whole=True)
    assert live.table.match.finished
    assert "the match." in written
    told = written.replace("\n" * AWAY, "\n").split("\n")
    # What is typed stands behind what was asked.
    assert max(len(line.partition(": ")[0]) if ": " in line else len(line) for line in told) <= 40
    assert len(typist.lines) > 20


def test_one_persons_hand_is_away_before_another_comes_who_is_told_again_what_was_cleared_away(tmp_path: Path) -> None:
    written, _, live = play(tmp_path, "baby", "Ann", "Bob", "ai:club", width=400, whole=True)
    assert live.table.match.finished
    parts = written.split("\n" * AWAY)
    assert len(parts) > 10
    for part in (" ".join(part.split()) for part in parts):
        # A hand is told only behind the name typed last, and the screen is cleared before the next one is asked for.
        asked = max(part.find("to see your hand:"), part.find("to call at once:"), part.find("c and a name:"))
        assert part.count("to see your hand:") <= 1 or "This hand is" in part
        assert "Your " not in part or 0 <= asked < part.index("Your ")
    assert sum("Your " in part for part in parts) > 5

    comings = [part for part in parts[1:] if "type your name to see your hand:" in part]
    assert len(comings) > 5
    for part in comings:
        before = part.partition("type your name")[0]
        assert " threw " in before or "turns up" in before
        assert "Your " not in before
    ends = written.split("Press enter to go on:")[:-1]
    assert len(ends) == 3
    for part in ends:
        assert re.search(r"\s(went|goes)\sout\b", part.rpartition("\n" * AWAY)[2])


def test_the_review_is_offered_at_the_end_of_a_deal_and_of_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_module, "WORLDS", 4)
    ends = ["v reviews this deal. Press enter to go on:", "v reviews this match. Press enter to leave it:"]

    def special(live: MatchJournal, asked: str) -> str | None:
        if ends and asked.endswith(ends[0]):
            ends.pop(0)
            return "v"
        return None

    seats = ("Ann", "ai:club", "ai:novice")
    written, *_ = play(tmp_path, "baby", *seats, special=special, width=400, whole=True, options=("deals=1",))
    assert not ends
    assert written.count("Deal 1 of 3, Ann: ") == 2


def test_public_words_are_heard_before_a_hand_is_opened_and_an_empty_line_opens_none(tmp_path: Path) -> None:
    tried, special = answers("scores", "hint", "", " ", "Zoe", at="type your name to see your hand:")
    written, _, _ = play(tmp_path, "tuluki", "Ann", "Bob", special=special)
    assert len(tried) == 5
    assert "Ann: 0" in written
    # A hint speaks of the hand.
    assert written.count("This is Ann's hand: only Ann opens it.") == 4
    assert "Your " not in written


def test_who_plays_changes_between_two_lines(tmp_path: Path, golden: Golden) -> None:
    # Bob's seat is played by an expert, a person takes the club player's, and Ann has another name.
    lines = "seats 2 1 3 seats 3 1 Cat seats 1 2 Anna seats 2 9 seats 9"
    _, special = answers(*lines.split(), at="to call at once:")
    written, _, live = play(tmp_path, "baby", "Ann", "Bob", "ai:club", special=special, seed=5)
    assert [f"{plan.name}={plan.player}" for plan in live.table.plans] == ["Anna=human", "Bob=ai:expert", "Cat=human"]
    golden("plain-seats", written)


def test_what_was_typed_before_a_question_does_not_answer_it() -> None:
    ours, theirs = os.openpty()
    with os.fdopen(ours, "w", encoding="utf-8") as keyboard, os.fdopen(theirs, encoding="utf-8") as source:
        lines = Lines(source, Screen())
        for typed in ("Bob\n", "Ann\n"):
            keyboard.write(typed)
            keyboard.flush()
            select.select([source], [], [])
            if typed == "Bob\n":
                lines.forget_typed_ahead()
        assert lines.ask("Who?") == "Ann"


def answers(*lines: str, at: str = "hrow a card:", end: str | None = END) -> tuple[list[str], Answer]:
    """Type these lines one after another where that is asked, and then `end`; what was asked each time."""
    left, asked_then = list(lines), []

    def special(live: MatchJournal, asked: str) -> str | None:
        if left and (asked.rstrip().endswith(at) or asked_then):
            asked_then.append(asked)
            return left.pop(0)
        return None if left else end

    return asked_then, special


def test_help_says_whether_the_match_is_saved_on_a_full_disk_and_when_it_is_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders, written = ["?", "x", "?", "", "?"], MatchFile.write

    def full(self: MatchFile, *_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def special(live: MatchJournal, asked: str) -> str | None:
        if not orders:
            return END
        if not asked.endswith("hrow a card:"):
            return None
        order = orders.pop(0)
        if not order or order == "x":
            monkeypatch.setattr(MatchFile, "write", full if order else written)
            return None
        return order

    told, _, _ = play(tmp_path, "baby", "Ann", "ai:club", "ai:club", special=special)
    help_before, _, rest = told.partition("The match is not being saved: No space left on device")
    assert "quit: leave the match. It is saved: " in help_before
    full_disk, _, after = rest.partition("The match is being saved again.")
    assert "quit: leave the match. It is saved up to where saving failed" in " ".join(full_disk.split())
    assert "quit: leave the match. It is saved: " in after


def test_a_typed_cut_is_about_so_many_cards(tmp_path: Path) -> None:
    typed = ["0", "27", "27", "27", END]

    def cuts(live: MatchJournal, asked: str) -> str | None:
        return typed.pop(0) if "about how many cards" in asked else None

    written, _, live = play(
        tmp_path, "air-jamaica", "Ann", "Bob", "Cat", special=cuts, whole=True, settings={"dealer_cut": True}
    )
    with Store.open(tmp_path) as store:
        lifted = [int(number) for number in re.findall(r"cut (\d+)", "\n".join(store.lines(live.id)))]
    assert len(lifted) == 3
    assert lifted != [27, 27, 27], "a number that is typed is no count"
    assert all(abs(number - 27) < 30 for number in lifted)
    assert "your hand lifts about so many" in written


def test_a_charged_attempt_is_asked_about_first(tmp_path: Path) -> None:
    asked_then: list[str] = []

    def special(live: MatchJournal, asked: str) -> str | None:
        asked_then.append(asked)
        if "Leave? It is saved: " in asked:
            assert not any(isinstance(event, Charged) for event in live.table.view(0).history)
            return "yes"
        if any("Do it anyway?" in before for before in asked_then) and asked.endswith("hrow a card:"):
            return "quit"
        return "x JK" if asked.endswith("hrow a card:") and JOKER in live.table.view(0).hand else None

    play(tmp_path, "baby", "Ann", "ai:club", "ai:club", special=special, referee=Referee.PENALTIES)
    with Store.open(tmp_path) as store:
        assert [match.finished for match in store.lists().unfinished] == [False], "who leaves it keeps it"
    assert any("You will be charged for it. Do it anyway?" in asked for asked in asked_then)
