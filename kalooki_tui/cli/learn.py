"""``kalooki learn``: the course in the app, its chapters as text, a chapter file checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kalooki_tui.cli.echo import echo_table
from kalooki_tui.cli.options import complete_file, ruleset_option
from kalooki_tui.cli.play import has_screen

if TYPE_CHECKING:
    from kalooki_tui.desk.study.learning import Learning


@click.command()
@click.argument("chapter", required=False)
@ruleset_option()
@click.option("--list", "listing", is_flag=True, help="List the chapters and your progress.")
@click.option(
    "--check",
    metavar="FILE",
    shell_complete=complete_file,
    help="Check a chapter file; exit 2 with file and line if it is wrong.",
)
@click.option("--skills", is_flag=True, help="List the skills, the weakest first, and what you did this week.")
@click.option("--plain", is_flag=True, help="As lines of text: the CHAPTER, what is due, or the next chapter.")
def learn(chapter: str | None, ruleset: str, listing: bool, check: str | None, skills: bool, plain: bool) -> None:
    """Learn the game chapter by chapter: open the course, or one CHAPTER by number or name."""
    if check is not None:
        _check(check)
        return
    from kalooki_tui.desk.study.learning import Learning
    from kalooki_tui.store.player.progress import ProgressFile

    learning = Learning.of(ruleset, ProgressFile.load(), click.echo)
    if chapter is not None and learning.course.chapter(chapter) is None:
        names = ", ".join(one.id for one in learning.course.chapters)
        raise click.BadParameter(f"there is no chapter {chapter!r}; choose from: {names}", param_hint="CHAPTER")
    if skills:
        from kalooki_tui.desk.study.skills import skill_rows, week_words

        echo_table(skill_rows(learning))
        click.echo(week_words(learning.file.progress.week(learning.day())))
        return
    if plain:
        _teach(learning, chapter)
        return
    if listing or not has_screen():
        _list(learning)
        return
    from kalooki_tui.ui import ways
    from kalooki_tui.ui.running import run_app

    run_app(ways.Course(ruleset, chapter or ""))


def _check(file: str) -> None:
    from kalooki_tui.coach.course.chapter_files import read_file
    from kalooki_tui.desk.commands import BY_NAME
    from kalooki_tui.wording import counted

    found = read_file(file, BY_NAME)
    own = counted(sum(step.count for step in found.steps), "exercise")
    click.echo(f"{file}: chapter {found.id!r} is valid: {own} of its own, {found.mixed} from earlier chapters.")


def _teach(learning: Learning, named: str | None) -> None:
    """One sitting as lines of text."""
    from kalooki_tui.cli.exercise import teach
    from kalooki_tui.coach.session import Session
    from kalooki_tui.desk.study.occasions import Course

    chapter = learning.course.chapter(named) if named else learning.next_chapter
    lesson = None if named else learning.practice()
    if lesson is None and chapter is not None:
        lesson = learning.lesson(chapter)
    if lesson is None:
        click.echo("Nothing is due today, and every chapter has a star.")
    else:
        teach(Course(learning, Session(lesson)))


def _list(learning: Learning) -> None:
    """The chapters, one a line."""
    from kalooki_tui.desk.study.learning import stars_text

    if learning.file.problem is not None:
        click.echo(f"Your progress cannot be read. {learning.file.problem}", err=True)
    rows = [("#", "chapter", "", "stars", "clauses")]
    for chapter in learning.course.chapters:
        stars = stars_text(learning.standing(chapter))
        rows.append(
            (
                str(learning.course.number(chapter)),
                chapter.id,
                learning.words(chapter.title),
                stars,
                " ".join(chapter.clauses),
            )
        )
    echo_table(rows)
