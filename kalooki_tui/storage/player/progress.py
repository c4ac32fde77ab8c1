"""The learner's progress on disk."""

from __future__ import annotations

from typing import Final

from kalooki_tui.coach.course.progress import Progress
from kalooki_tui.storage.kept import KeptFile

FILE: Final = "progress.json"


class ProgressFile(KeptFile[Progress]):
    """The file and what has been learnt."""

    name = FILE
    what = "Your progress"
    kind = Progress
    most_bytes = 2_000_000

    @property
    def progress(self) -> Progress:
        return self.kept
