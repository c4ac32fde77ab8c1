"""``kalooki learn``: the course in the app or in lines, its chapters listed, a chapter file checked or played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kalooki_tui.cli.match_options import complete_file, echo_table, ruleset_option, usage_errors
from kalooki_tui.cli.play import has_screen

if TYPE_CHECKING:
    from kalooki_tui.coach.course.chapter import Chapter
    from kalooki_tui.coach.puzzles import Code, Puzzle
    from kalooki_tui.plain.console import Lines
    from kalooki_tui.training.skills import Learning


@click.command()
@click.argument("chapter", metavar="[CHAPTER|FILE]", required=False, shell_complete=complete_file)
@ruleset_option()
@click.option("--list", "listing", is_flag=True, help="List the chapters and your progress.")
@click.option("--skills", is_flag=True, help="List the skills, the weakest first, and what you did this week.")
@click.option("--plain", is_flag=True, help="As lines of text: the CHAPTER, or what is due and the next chapter.")
@click.option("--ascii", "ascii_only", is_flag=True, help="With --plain: letters for suits.")
@click.option(
    "--check",
    metavar="FILE",
    shell_complete=complete_file,
    help="Check a chapter file; exit 2 with file and line if it is wrong.",
)
def learn(
    chapter: str | None, ruleset: str, listing: bool, skills: bool, plain: bool, ascii_only: bool, check: str | None
) -> None:
    """Learn the game, chapter by chapter.

    Name a CHAPTER by its number or name, or a FILE of your own, to open that one.
    """
    if check is not None:
        _check(check)
        return
    from kalooki_tui.storage.player.progress_file import ProgressFile
    from kalooki_tui.training.skills import Learning

    learning, found = _found(Learning.of(ruleset, ProgressFile.load(), click.echo), chapter)
    if skills:
        from kalooki_tui.training.skills import skill_rows, week_words

        _tell_problem(learning)
        echo_table(skill_rows(learning))
        click.echo(week_words(learning.file.progress.week(learning.day())))
    elif plain and not listing:
        _tell_problem(learning)
        _learn_plain(learning, found, ascii_only=ascii_only)
    elif listing or not has_screen():
        _list(learning)
    else:
        from kalooki_tui.cli.play import run_app
        from kalooki_tui.tui import routes

        is_own = chapter is not None and _is_file(chapter)
        run_app(routes.chapter_file(chapter or "", ruleset) if is_own else routes.course(ruleset, chapter or ""))


def _is_file(chapter: str) -> bool:
    return bool(Path(chapter).suffix) or "/" in chapter


def _found(learning: Learning, chapter: str | None) -> tuple[Learning, Chapter | None]:
    if chapter is None:
        return learning, None
    if _is_file(chapter):
        return learning.with_file(chapter)
    found = learning.course.chapter(chapter)
    if found is None:
        names = ", ".join(one.id for one in learning.course.chapters)
        raise click.BadParameter(f"there is no chapter {chapter!r}; choose from: {names}", param_hint="CHAPTER")
    return learning, found


def _check(file: str) -> None:
    from kalooki_tui.coach.course.chapter import read_file
    from kalooki_tui.presenter.commands import BY_NAME
    from kalooki_tui.wording import counted

    found = read_file(file, BY_NAME)
    own = counted(sum(step.count for step in found.steps), "exercise")
    click.echo(f"{file}: chapter {found.id!r} is valid: {own} of its own, {found.mixed} from earlier chapters.")


def _tell_problem(learning: Learning) -> None:
    if learning.file.damage:
        click.echo(learning.file.damage, err=True)


def _list(learning: Learning) -> None:
    from kalooki_tui.training.skills import stars_text

    _tell_problem(learning)
    rows = [("#", "chapter", "", "stars", "clauses")]
    for chapter in learning.course.chapters:
        stars = stars_text(learning.standing(chapter))
        number, title = learning.course.number(chapter), learning.words(chapter.title)
        rows.append((str(number), chapter.id, title, stars, " ".join(chapter.clauses)))
    echo_table(rows)


def _learn_plain(learning: Learning, chapter: Chapter | None, *, ascii_only: bool) -> None:
    """Teach chapters as long as they are wanted; without one named, what is due first."""
    from kalooki_tui.plain.console import Ended, standard_lines

    lines = standard_lines(ascii_only=ascii_only)
    try:
        if chapter is None:
            _practise(lines, learning)
        following: Chapter | None = chapter or learning.next_chapter or learning.course.chapters[0]
        while following is not None:
            following = _one_chapter(lines, learning, following)
    except Ended:
        lines.tell("\nWhat you have answered is kept.")


def _practise(lines: Lines, learning: Learning) -> None:
    from kalooki_tui.cli.exercise import ask
    from kalooki_tui.coach.practice_session import PracticeSession
    from kalooki_tui.training.modes import CourseMode
    from kalooki_tui.wording import counted

    lesson = learning.practice()
    if lesson is not None and lines.confirm(
        f"{counted(len(learning.due), 'skill')} due for practice. Begin with that?"
    ):
        ask(CourseMode(learning, PracticeSession(lesson)), lines)
        lines.tell()


def _one_chapter(lines: Lines, learning: Learning, chapter: Chapter) -> Chapter | None:
    from kalooki_tui.cli.exercise import ask
    from kalooki_tui.coach.practice_session import PracticeSession
    from kalooki_tui.plain.course import chapter_text, play_coached
    from kalooki_tui.storage.player.settings_file import SettingsFile
    from kalooki_tui.training.coached_deals import has_deal
    from kalooki_tui.training.modes import CourseMode

    lines.tell(chapter_text(learning, chapter))
    lines.tell()
    if lines.confirm("Begin the exercises?"):
        ask(CourseMode(learning, PracticeSession(learning.lesson(chapter))), lines)
    lines.tell()
    if has_deal(learning, chapter) and lines.confirm("Play a deal with the coach?"):
        play_coached(lines, learning, chapter, warned=SettingsFile.load().settings.warnings)
    later = learning.next_chapter
    if later is None or later is chapter or not lines.confirm(f"Next chapter: {learning.words(later.title)}?"):
        return None
    return later


@click.command()
@click.argument("which", metavar="[CODE|FILE]", required=False, shell_complete=complete_file)
@ruleset_option()
@click.option("--kind", metavar="KIND", default="", help="One kind, such as best, throw or chain. Default: any.")
@click.option("--daily", "of_today", is_flag=True, help="The puzzle of the day.")
@click.option("--plain", is_flag=True, help="Play as lines of text.")
@click.option("--answer", metavar="TEXT", help="Judge this answer; exit 1 if it is wrong.")
def puzzle(which: str | None, ruleset: str, kind: str, of_today: bool, plain: bool, answer: str | None) -> int:
    """Solve puzzles: an endless series, or the one of the day.

    With a CODE: the puzzle that has it. With a FILE: a position of your own.
    """
    from kalooki_tui.coach.puzzles import make_puzzle

    with usage_errors():
        posed: Code | Puzzle
        if which is not None and (Path(which).suffix or not which.startswith("K")):
            from kalooki_tui.coach.puzzles import from_file

            posed = from_file(Path(which))
        else:
            posed = _code(which, ruleset, kind, of_today=of_today)
            # Whether there is such a puzzle is said before the screen is taken; making it again takes no time.
            make_puzzle(posed)
        if not plain and answer is None and has_screen():
            from kalooki_tui.cli.play import run_app
            from kalooki_tui.tui import routes

            run_app(routes.solve(posed))
            return 0
        from kalooki_tui.cli.exercise import run
        from kalooki_tui.coach.practice_session import PracticeSession
        from kalooki_tui.coach.puzzles import Series
        from kalooki_tui.training.modes import Puzzles

        return run(Puzzles(PracticeSession(Series(posed, alone=True)), None), answer)


def _code(which: str | None, ruleset: str, kind: str, *, of_today: bool) -> Code:
    from kalooki_tui.coach.course.progress import today
    from kalooki_tui.coach.exercises.registry import new_seed
    from kalooki_tui.coach.puzzles import Code

    if which is not None:
        return Code.parse(which)
    if of_today:
        return Code.daily(today(), ruleset)
    return Code.parse(str(Code(new_seed(), kind, ruleset)))
