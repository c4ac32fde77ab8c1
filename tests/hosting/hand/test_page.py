import asyncio
import re
import sys
from asyncio.subprocess import PIPE

import pytest

from kalooki_tui.cli.example import FOLDER
from kalooki_tui.examples import small_front
from kalooki_tui.hosting.browser import PAGE
from tests.commands import Golden
from tests.hosting.callers import CODE, HOST, open_doors, pocket
from tests.hosting.tables import phone_table

FILES = sorted(PAGE.iterdir())
TEXTS = [file for file in FILES if file.suffix != ".png"]
FRONT = FOLDER / "small_front.py"
SEATS = ("Ann@", "ai:club", "ai:club")


def test_the_page_weighs_less_than_a_hundred_kilobytes() -> None:
    assert sum(file.stat().st_size for file in FILES) < 100_000


def test_nothing_comes_from_elsewhere_and_no_words_become_markup() -> None:
    ways = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser|srcdoc"
    for file in TEXTS:
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        for pattern in (r"https?://|@import|url\(", ways, r"<[^>]+\s(?:on\w+|style)=", r"<script(?![^>]*\bsrc=)"):
            assert re.findall(pattern, text) == [], file.name


async def test_a_policy_forbids_what_is_not_the_pages_own_and_a_stranger_writes_nothing_into_it() -> None:
    async with open_doors() as (_, _, port), pocket(port, "Ann") as phone:
        for path, kind in (("", "text/html"), ("hand/hand.js", "text/javascript"), ("hand/hand.css", "text/css")):
            async with phone.session.get(f"{phone.address}{path}") as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert answer.content_type == kind
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                for part in ("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'"):
                    assert part in policy
                assert "unsafe" not in policy
        for host in ("evil.example; script-src *", "a b", "x" * 200, "ünï"):
            async with phone.session.get(phone.address, headers={"Host": host}) as answer:
                assert answer.status in (200, 400, 403)
                policy = answer.headers.get("Content-Security-Policy", "")
                assert "script-src *" not in policy
                assert host not in policy


async def test_the_small_front_end_of_the_documents_plays() -> None:
    async with phone_table(*SEATS) as (app, port):
        program = await asyncio.create_subprocess_exec(
            sys.executable, "-u", FRONT, f"http://{HOST}:{port}", CODE, "Ann", stdin=PIPE, stdout=PIPE
        )
        assert program.stdin is not None
        assert program.stdout is not None
        shown = ""
        try:
            async with asyncio.timeout(60):
                while "You have a seat." not in shown:
                    line = (await program.stdout.readline()).decode()
                    shown += line
                    assert line, shown
                    if "take a seat" in line:
                        program.stdin.write(b"sit 1\n")
                app.begin_match()
                while "Ann discards" not in shown:
                    line = (await program.stdout.readline()).decode()
                    shown += line
                    assert line, shown
                    if line.startswith("Type one of:"):
                        options = line.removeprefix("Type one of:").strip().split(", ")
                        program.stdin.write(f"{options[0]}\n".encode())
                    elif line.startswith("  1 "):
                        program.stdin.write(b"1\n")
        finally:
            program.kill()
            await program.wait()


def test_what_the_small_front_end_shows_and_sends(golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    seats = [{"name": "Ann", "state": "free"}, {"name": "Bob", "state": "here"}]
    asked = {
        "ask": "play", "moment": "7", "table": [{"meld": "m1", "owner": "Bob", "cards": "5C 5D 5S"}], "discard": "9H",
        "hand": "5H 2D", "prompt": "Lay, tack or throw.", "options": ["tack 5H m1", "discard 2D"], "yours": True,
    }  # fmt: skip
    question = {"title": "Call?", "text": "9H", "ways": ["Call it", "Pass"]}
    for message in (
        {"lobby": {"seats": seats, "words": "Take a seat."}}, {**asked, "question": None},
        {**asked, "question": question}, {**asked, "question": None, "yours": False}, {"words": ["One.", "Two."]},
        {"told": "So."}, {"ended": "Closed."},
        {"refused": {"message": "Not now.", "clause": "T2"}}, {"hello": 1},
    ):  # fmt: skip
        small_front.show(message)
    typed = ("sit 2", "sit down", "say Well done", "1", "discard 2D", "say")
    sent = [f"{line}: {small_front.message_of(line)}" for line in typed]
    golden("small-front", "\n".join([capsys.readouterr().out, *sent]))
