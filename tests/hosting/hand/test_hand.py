import asyncio
import json
from contextlib import suppress
from typing import Any, Final

import aiohttp
import pytest

from kalooki_tui.engine.events import Discarded
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.hosting.apps import HostApp
from kalooki_tui.hosting.doors import ELSEWHERE
from kalooki_tui.hosting.guest import TAPS
from kalooki_tui.hosting.hand.front import LATE
from kalooki_tui.hosting.hand.phone_guest import BURST, NONSENSE
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.session.client import Client
from tests.hosting.callers import Hand, pocket, until
from tests.hosting.tables import at_phones, leaked_to, page_at, phone_table, seated_phone, session_of
from tests.moments import CALLED


async def begun(app: HostApp, *hands: Hand) -> None:
    app.begin_match()
    for hand in hands:
        await hand.until(lambda hand=hand: hand.state)


async def move(hand: Hand) -> None:
    """Do what is asked: nobody calls, calls are allowed, the first card that may go is thrown."""
    await asyncio.sleep(0)
    state = hand.state
    options = [one for one in state["options"] if one.split()[0] in ("pass", "allow", "done", "leave")]
    options += [one for one in state["options"] if one == "draw stock"]
    options += [one for one in state["options"] if one.startswith("discard") and "JK" not in one]
    if state["yours"] and options:
        await hand.say(answer=options[0], moment=state["moment"])
        await hand.until(lambda: hand.state["moment"] != state["moment"])
    elif state["question"] and state["question"]["page"]:
        await hand.say(way=0, moment=state["moment"])
        await hand.until(lambda: hand.state["moment"] != state["moment"])


async def move_until(asked: str, hand: Hand) -> None:
    while hand.state["ask"] != asked:
        await move(hand)
        await asyncio.sleep(0)


async def test_a_person_comes_sits_down_and_plays_with_the_answers_of_programs() -> None:
    async with phone_table("Ann@", "ai:club", "ai:club") as (app, port), seated_phone(port, "Ann") as hand:
        assert hand.lobby["words"] == "You have a seat. Everybody is here."
        await begun(app, hand)
        session = session_of(app)
        [hello] = [message for message in hand.heard if "hello" in message]
        assert (hello["hello"], hello["seat"], sorted(hello["seats"])) == (1, "Ann", ["Ada", "Ann", "Bea"])
        place = next(place for place in session.clients if place.here)
        while sum(isinstance(event, Discarded) and event.seat in place.here for event in place.public.history) < 2:
            await hand.until(lambda: hand.state["yours"])
            await move(hand)


async def test_the_newer_page_plays_and_a_line_that_breaks_takes_neither_seat_nor_the_order_of_the_hand() -> None:
    async with phone_table("Ann@", "ai:club", "ai:club") as (app, port), pocket(port, "Ann") as phone:
        async with phone.page() as first:
            await first.until(lambda: first.lobby)
            await first.say(sit=1)
            await first.until(lambda: first.lobby["seats"][0]["mine"])
            await begun(app, first)
            async with phone.page() as hand:
                await hand.until(lambda: hand.state)
                await first.until(lambda: first.is_over)
                assert first.told("ended") == [ELSEWHERE]
                assert hand.told("hello")
                order = " ".join(reversed(hand.state["hand"].split()))
                await hand.say(order=order)
                await hand.until(lambda: hand.state["hand"] == order)
        session = session_of(app)
        await until(lambda: bool(session.away))
        async with phone.page() as again:
            await again.until(lambda: again.state)
            assert again.state["hand"].split() == order.split()
            assert again.told("log")[0], "what happened before is told"


async def test_no_card_of_another_is_ever_sent() -> None:
    async with at_phones("Ann", "Bob", "Cat") as (app, [ann, bob, cat]):
        hands = {"Ann": ann, "Bob": bob, "Cat": cat}
        session = session_of(app)
        places = {session.names[place.here[0]]: place for place in session.clients if place.here}
        assert leaked_to(ann, places["Bob"]), "a hand would be seen, if it were another's"
        public = places["Ann"].public
        while sum(isinstance(event, Discarded) for event in places["Ann"].public.history) < 3:
            for name, hand in hands.items():
                await move(hand)
                assert leaked_to(hand, places[name]) == set()
            await asyncio.sleep(0)
        assert public.deal == 1, "all of it in one deal, whose public cards add up"


async def test_a_guest_begins_where_the_host_has_no_seat_and_who_is_sent_away_needs_another_code() -> None:
    async with phone_table("Ann@", "Bob@", "ai:club") as (app, port), seated_phone(port, "Ann") as ann:
        assert (ann.lobby["may_begin"], ann.lobby["expected"], ann.lobby["waits"]) == (
            True, ["Bob"], "Nobody has come for Bob."
        )  # fmt: skip
        await ann.say(begin=True)
        await ann.until(lambda: "Nobody has come for Bob." in ann.told("told"))
        assert [seat["turns"] for seat in ann.lobby["seats"]] == ["", "Let an AI play", ""]
        for state, turns in (("AI, club", "Keep it free"), ("not here yet", "Let an AI play")):
            await ann.say(turn=2)
            await ann.until(lambda: ann.lobby["seats"][1]["turns"] == turns)  # noqa: B023
            assert ann.lobby["seats"][1]["state"] == state
        async with pocket(port, "Bob") as phone, phone.page() as bob:
            await bob.until(lambda: bob.lobby and bob.lobby["may_begin"] and not bob.lobby["waits"])
            await bob.say(begin=True)
            await bob.until(lambda: bob.state)
            chair, code = app.lobby.chairs[1], app.hosted.guests.code
            app.hosted.send_away(chair)
            await bob.until(lambda: bob.is_over)
            assert bob.told("ended") == ["The host has sent you away."]
            await until(lambda: not chair.is_here)
            assert app.hosted.guests.code != code
            async with phone.session.get(phone.address) as page:
                assert "Code of the table" in await page.text(), "the cookie lets nobody in any more"
        await ann.until(lambda: ann.state)


NONSENSICAL: Final = (
    "", "null", "[]", "7", '"draw stock"', "{}", '{"sit": "x"}', '{"nothing": 1}', '{"way": 1.5}',
    "[" * 1500, '{"answer": ["draw"]}', "\x00", '{"chosen": 5}',
)  # fmt: skip


async def test_what_no_page_sends_ends_the_page_alone() -> None:
    async with (
        phone_table("Ann@", "Bob@", "ai:club") as (app, port),
        seated_phone(port, "Ann") as ann,
        pocket(port, "Bob") as phone,
    ):
        async with phone.page() as bob:
            await bob.until(lambda: bob.lobby)
            await bob.say(sit=2)
            await bob.until(lambda: bob.lobby["seats"][1]["mine"])
            await begun(app, ann, bob)
        for ping in (7, "now"):
            await ann.say(ping=ping)
        await ann.until(lambda: ann.told("pong") == [7, 0])
        for sent in NONSENSICAL:
            async with phone.page() as bob:
                await bob.until(lambda bob=bob: bob.state)  # type: ignore[misc]
                await bob.socket.send_str(sent)
                await bob.until(lambda bob=bob: bob.is_over)  # type: ignore[misc]
                assert bob.told("ended") == [NONSENSE], sent
        assert not ann.is_over


@pytest.mark.parametrize(("letters", "times"), [(1, 2 * TAPS * BURST), (5000, 1)], ids=["many", "long"])
async def test_a_flood_and_a_message_that_is_too_long_end_the_page(letters: int, times: int) -> None:
    async with phone_table("Ann@", "ai:club", "ai:club") as (_, port), seated_phone(port, "Ann") as ann:
        with suppress(aiohttp.ClientError, ConnectionError):
            for _ in range(times):
                await ann.socket.send_str(json.dumps({"call": "x" * letters}))
                await asyncio.sleep(0)
        await ann.until(lambda: ann.is_over)


LATER: Final = "of a table that has moved on"
#: What a page sends, one after the other: what comes back beside `heard`. The first card and the hand are filled in.
TOLD: Final[tuple[tuple[dict[str, Any], list[str]], ...]] = (
    ({"chosen": "FIRST"}, ["ask"]),
    ({"chosen": "FIRST"}, []),
    ({"sort": "group"}, ["ask", "told"]),
    ({"order": "HAND"}, ["ask"]),
    ({"press": "draw-stock", "moment": LATER}, ["ask", "late"]),
    ({"answer": "draw stock", "moment": LATER}, ["ask", "late"]),
    ({"answer": "fly away"}, ["refused"]),
    ({"press": "lay", "cards": ""}, ["ask", "refused"]),
    ({"press": "hint"}, ["told"]),
    ({"meld": 0, "cards": ""}, []),
    ({"unstage": 0}, []),
    ({"way": 0}, []),
    ({"close": True}, []),
    ({"consent": True, "about": "nothing"}, []),
    ({"say": "Well played!"}, ["said"]),
    *(({"show": name, "clause": "S1"}, ["page"]) for name in ("rules", "words", "scores", "seats", "phrases")),
    ({"press": "draw-stock", "cards": ""}, ["ask", "events"]),
)


async def what_is_late_or_forbidden_does_nothing_and_is_told_in_words_of_buttons(hand: Hand) -> None:
    await hand.until(lambda: hand.state["yours"])
    await hand.act(answer="lay 5C 5D 5H")
    [refused] = hand.told("refused")
    assert set(refused) == {"code", "clause", "message"}
    await hand.act(answer="fly away")
    assert hand.told("refused")[-1]["code"] == "answer.unreadable"
    await move_until("draw", hand)
    moment, cards = hand.state["moment"], len(hand.state["hand"].split())
    await hand.say(answer="draw stock", moment=moment)
    await hand.say(answer="draw stock", moment=moment)  # as a page does whose line broke before it heard
    await hand.until(lambda: LATE in hand.told("told") and hand.state["ask"] == "play")
    assert len(hand.state["hand"].split()) == cards + 1
    await hand.say(answer="discard " + hand.state["hand"].split()[0])
    await hand.until(lambda: hand.told("told").count(LATE) == 2)
    assert len(hand.state["hand"].split()) == cards + 1
    assert hand.state["prompt"] == "Your turn: throw a card."
    assert "Discard" in [one["label"] for one in hand.state["buttons"]]
    await hand.act(press="lay", cards="")
    assert "(tap)" in hand.told("refused")[-1]["message"]
    assert "you press x" not in hand.seen


async def test_a_tap_is_answered_with_no_more_than_it_changes_or_with_words(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    view = Client.view

    def counted(self: Client, seat: int) -> View:
        made.append(seat)
        return view(self, seat)

    async with at_phones("Ann") as (_, [ann]):
        await move_until("draw", ann)
        monkeypatch.setattr(Client, "view", counted)
        for tap, kinds in TOLD:
            await ann.rest()
            made.clear()
            before, cards = len(ann.heard), ann.state["hand"]
            words = {"FIRST": cards.split()[0], "HAND": cards}
            await ann.say(
                **{"moment": ann.state["moment"], **{key: words.get(str(one), one) for key, one in tap.items()}}
            )

            def kinds_sent(before: int = before) -> list[str]:
                # A step and what it changes may be sent in two turns of the loop where that is slow.
                sent = [next(iter(one)) for one in ann.heard[before:]]
                return sorted(sent[:-1] if sent[-2:] == ["ask", "ask"] else sent)

            await ann.until(lambda kinds=kinds: len(kinds_sent()) > len(kinds))  # type: ignore[misc]
            await ann.rest()
            assert kinds_sent() == sorted(["heard", *kinds]), tap
            assert len(made) == ("events" in kinds), tap
        [rules] = [page for page in ann.told("page") if page["name"] == "rules"]
        assert [block["note"] for block in rules["blocks"] if block.get("lit")] == ["(S1)"]
        assert any(str(words).startswith("Hint: ") for words in ann.told("told"))
        ann.heard.clear()
        await what_is_late_or_forbidden_does_nothing_and_is_told_in_words_of_buttons(ann)


@pytest.mark.parametrize(("teaching", "taps"), [(True, 2), (False, 1)])
async def test_in_a_teaching_match_a_dear_answer_is_tapped_twice(teaching: bool, taps: int) -> None:
    others = SeatPlan("Bob", "ai:club"), SeatPlan("Cat", "ai:club")
    table, front, sent = page_at(CALLED, *others, teaching=teaching)
    serving = asyncio.ensure_future(front.client.serve(front))
    front.client.session.begin()
    try:
        for tap in range(taps):
            async with asyncio.timeout(30):
                while front._posed is None or front._posed.answer.done():
                    await asyncio.sleep(0.01)
            assert table.match.phase is Phase.DECISION
            assert any("Tap it again to allow it." in str(one.get("told")) for one in sent) == bool(tap)
            front.choose_way(0)
        async with asyncio.timeout(30):
            while table.match.phase is Phase.DECISION:
                await asyncio.sleep(0.01)
    finally:
        front.client.leave()
        serving.cancel()
