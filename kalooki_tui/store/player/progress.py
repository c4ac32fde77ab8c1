"""The learner's progress on disk."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from math import inf
from typing import Any, Final, TypeVar

from kalooki_tui.coach.course.progress import DAYS, RECENT, ChapterState, Day, OwnDeal, Progress, Skill, Try
from kalooki_tui.store.files import Unusable
from kalooki_tui.store.kept import KeptFile
from kalooki_tui.wording import escaped

FILE: Final = "progress.json"

_Kept = TypeVar("_Kept")
_NAME: Final = re.compile(r"[^\x00-\x1f]{1,200}")


class ProgressFile(KeptFile[Progress]):
    """The file and what has been learnt."""

    name = FILE
    what = "Your progress"
    keys = frozenset({"chapters", "skills", "deals", "days"})
    most_bytes = 2_000_000

    @property
    def progress(self) -> Progress:
        """What has been learnt."""
        return self.kept

    @classmethod
    def nothing(cls) -> Progress:
        """Nothing has been learnt."""
        return Progress()

    @classmethod
    def read(cls, plain: dict[str, Any]) -> Progress:
        """Chapters, skills, deals played alone, days."""
        return Progress(
            _read_each(plain, "chapters", _standing),
            _read_each(plain, "skills", _skill),
            _read_each(plain, "deals", _deals),
            {date.fromisoformat(day): one for day, one in _read_each(plain, "days", _day).items()},
        )

    @classmethod
    def plain(cls, kept: Progress) -> dict[str, Any]:
        """What is there, each part only if anything is."""
        chapters = {
            name: {"stars": one.stars, "clean_on": None if one.clean_on is None else one.clean_on.isoformat(),
                   "mastered": one.mastered}
            for name, one in kept.chapters.items()
        }  # fmt: skip
        skills = {
            name: {"box": one.box, "last": one.last.isoformat(), "recent": [[t.clean, t.seconds] for t in one.recent]}
            for name, one in kept.skills.items()
        }
        deals = {name: [[one.laid, one.points, one.others] for one in played] for name, played in kept.deals.items()}
        days = {day.isoformat(): [one.answered, one.clean] for day, one in kept.days.items()}
        more = {"deals": deals, "days": days}
        return {"chapters": chapters, "skills": skills} | {key: value for key, value in more.items() if value}


def _read_each(plain: dict[str, Any], key: str, read: Callable[..., _Kept]) -> dict[str, _Kept]:
    """What is kept of chapters or skills, by name."""
    kept, found = plain.get(key, {}), {}
    if not isinstance(kept, dict):
        raise Unusable(f"is damaged: {key}: must be an object")
    for name, values in kept.items():
        try:
            if not _NAME.fullmatch(name):
                raise ValueError
            if key == "days":
                date.fromisoformat(name)
            found[name] = read(**values) if isinstance(values, dict) else read(values)
        except (ValueError, TypeError):
            raise Unusable(f"is damaged: {key}.{escaped(name)}: is not what the program writes") from None
    return found


def _standing(stars: Any, clean_on: Any = None, mastered: Any = False) -> ChapterState:
    if type(stars) is not int or stars not in range(4) or type(mastered) is not bool:
        raise ValueError
    return ChapterState(stars, None if clean_on is None else date.fromisoformat(clean_on), mastered)


def _skill(box: Any, last: Any, recent: Any = ()) -> Skill:
    if type(box) is not int or box not in range(1, len(DAYS) + 1) or len(recent) > RECENT:
        raise ValueError
    return Skill(box, date.fromisoformat(last), tuple(_try(*one) for one in recent))


def _deals(played: Any) -> tuple[OwnDeal, ...]:
    if not isinstance(played, list) or len(played) > RECENT:
        raise ValueError
    return tuple(_deal(*one) for one in played)


def _deal(laid: Any, points: Any, others: Any) -> OwnDeal:
    if type(laid) is not bool or type(points) is not int or type(others) not in (int, float) or not abs(others) < inf:
        raise ValueError
    return OwnDeal(laid, points, float(others))


def _try(clean: Any, seconds: Any) -> Try:
    # A number that is no number compares as false.
    if type(clean) is not bool or type(seconds) not in (int, float) or not 0 <= seconds < inf:
        raise ValueError
    return Try(clean, float(seconds))


def _day(counts: Any) -> Day:
    answered, clean = counts
    if type(answered) is not int or type(clean) is not int or not 0 <= clean <= answered:
        raise ValueError
    return Day(answered, clean)
