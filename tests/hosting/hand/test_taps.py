import asyncio
import json
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle
from typing import Final

import pytest

from kalooki_tui.engine.actions import Action, Challenge
from kalooki_tui.engine.events import Discarded
from kalooki_tui.engine.view import View
from kalooki_tui.hosting.apps import HostApp
from kalooki_tui.session.client import Client
from tests.hosting.callers import CODE, HOST, until
from tests.hosting.hand.phone import Phone, browser, chromium, running
from tests.hosting.hand.tapping import SHOWN, Person, club
from tests.hosting.tables import phone_table, session_of

pytestmark = pytest.mark.skipif(browser() is None, reason="there is no Chromium here")
#: Seconds for one match: a busy machine plays slowly.
MOST = 240.0
SEATS = ("Ann@", "ai:club", "ai:club")
SIZES: Final = ((320, 568), (390, 844), (844, 390), (820, 1180), (1280, 800), (1920, 1080), (360, 740))


#: For each seat, as if it were its turn: how much of the name is seen, and how much there is.
NAMES: Final = """[...document.querySelectorAll("#seats li")].map((seat) => {
  document.querySelector("#seats .-turn").classList.remove("-turn");
  seat.classList.add("-turn");
  const name = seat.querySelector("b");
  return [name.clientWidth, name.scrollWidth];
})"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a browser listens, in which each test has phones of its own."""
    with running() as found:
        yield found


async def come(phone: Phone, port: int, name: str, reads: str = "You have a seat") -> None:
    """Type code and name; the seat that is kept for the name is theirs at once."""
    await phone.go(f"http://{HOST}:{port}/")
    await phone.type("[name=code]", CODE)
    await phone.type("[name=name]", name)
    await phone.tap_words("Come in")
    await phone.until_shown(reads)


async def begun(app: HostApp, *phones: Phone) -> list[Client]:
    app.begin_match()
    for phone in phones:
        await phone.until("!document.getElementById('game').hidden")
    session = session_of(app)
    await until(lambda: sum(bool(place.here) for place in session.clients) == len(phones))
    return [place for place in session.clients if place.here]


@asynccontextmanager
async def at_table(
    address: str, *seats: str, size: tuple[int, int] = (360, 740), scheme: str = "dark", **named: object
) -> AsyncIterator[tuple[HostApp, Phone, Client]]:
    """One person with a phone of a size, at a match that has begun."""
    async with phone_table(*(seats or SEATS), **named) as (app, port), chromium(address) as found:  # type: ignore[arg-type]
        phone = await found.phone(*size, scheme=scheme)
        await come(phone, port, "Ann")
        [place] = await begun(app, phone)
        yield app, phone, place
        assert [said for said in phone.said if "favicon" not in said] == [], "no script has failed"


def challenging(view: View) -> Action:
    """What the club player would do, who also challenges whoever can be challenged in a turn."""
    asked = view.may_challenge and view.legal and view.actor == view.turn == view.seat and view.phase == "play"
    return Challenge(view.seat, view.may_challenge[0]) if asked else club(view)


async def test_a_whole_match_is_played_by_taps_alone_with_seven_seats_and_long_names(address: str) -> None:
    others = ("Bartholomew", "Cassandra", "Dominique", "Maximiliane Rose", "Eve", "Florentine")
    seats = ("Ann@", *(f"{name}=ai:club" for name in others))
    async with at_table(address, *seats, size=(390, 844), ruleset="baby", seed=2) as (app, phone, place):
        person = Person(phone, place, club)
        session = session_of(app)
        session._time_is_over()  # one deal is enough
        async with asyncio.timeout(MOST):
            await person.play(lambda: bool(place.view(0).legal) and place.view(0).phase == "play")
            await whose_turn_it_is_can_be_read_and_one_chosen_card_is_for_the_throw(phone)
            await person.play(lambda: session.is_finished)
        assert {"draw", "discard", "lay"} <= set(person.done)
        async with asyncio.timeout(MOST):
            # The end of the last deal may have been gone on from already.
            while (shown := await phone.run(SHOWN))["sheet"] != "The match is over":
                if shown["sheet"]:
                    await phone.tap("document.querySelector('#sheet-ways button')")
                await asyncio.sleep(0.1)


async def whose_turn_it_is_can_be_read_and_one_chosen_card_is_for_the_throw(phone: Phone) -> None:
    card, first = "document.querySelector('#hand .card')", "document.querySelector('#buttons .-first')"
    await phone.until(f"{first}?.dataset.press === 'discard'")
    assert await phone.run("document.querySelector('#buttons [data-press=lay]').ariaDisabled") == "true"
    await phone.tap(card)
    await phone.until("document.querySelector('#buttons [data-press=lay]').ariaDisabled === 'false'")
    assert await phone.run(f"{first}.dataset.press") == "discard"
    for width, height in ((320, 568), (844, 390), (390, 844)):
        await phone.look(width, height)
        assert all(seen == whole for seen, whole in await phone.run(NAMES)), width


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("ruleset", "seats", "size", "seed", "wanted", "named"),
    [
        ("jamaican", SEATS, (844, 390), 5, {"call", "refuse", "allow", "lay", "tack", "swap"}, {}),
        ("tuluki", SEATS[:2], (1280, 800), 4, {"call", "pass", "draw", "allow"}, {}),
        ("kooky", SEATS, (820, 1180), 2, {"done", "lay"}, {}),
        ("kalookie-40", SEATS, (360, 740), 3, {"buyin", "lay", "tack"}, {}),
        ("trinidad", SEATS, (1920, 1080), 7, {"Challenge", "challenge"}, {"referee": "penalties"}),
    ],
    ids=["calls, refusals and swaps", "a flip", "an add-on", "buying in", "a challenge"],
)
async def test_everything_that_a_game_has_is_done_by_taps(
    ruleset: str,
    seats: tuple[str, ...],
    size: tuple[int, int],
    seed: int,
    wanted: Collection[str],
    named: dict[str, str],
    address: str,
) -> None:
    async with at_table(address, *seats, size=size, ruleset=ruleset, seed=seed, **named) as (app, phone, place):
        person = Person(phone, place, challenging if named else club)
        session = session_of(app)
        async with asyncio.timeout(MOST):
            await person.play(lambda: session.is_finished or set(wanted) <= set(person.done))
        assert set(wanted) <= set(person.done)


#: Notes that a page said it had no connection.
NOTE_LOSS: Final = """
    new MutationObserver(() => { window.lost ||= document.body.innerText.includes("No connection"); })
        .observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true}), 0
"""


async def network(phone: Phone, *, is_there: bool) -> None:
    """Take the phone's network away, or give it back."""
    rate = -1 if is_there else 0
    named = {"latency": 0, "downloadThroughput": rate, "uploadThroughput": rate}
    await phone.do("Network.emulateNetworkConditions", offline=not is_there, **named)


async def test_the_page_comes_back_by_itself(address: str) -> None:
    async with at_table(address) as (app, phone, place):
        person = Person(phone, place, club)
        await person.play(lambda: person.done["discard"] >= 1)
        session = session_of(app)
        shown = await phone.run("document.getElementById('hand').textContent")
        # On a slow machine the words may come and go between two looks at the page.
        await phone.run(NOTE_LOSS)
        # The line breaks first: Chromium without a network holds back what comes, and the end of the line behind it.
        for line in list(app.hosted.doors._screens):  # type: ignore[union-attr]
            line._transport.abort()  # type: ignore[union-attr]
        await until(lambda: bool(session.away))
        await network(phone, is_there=False)
        await phone.until("window.lost === true")
        await network(phone, is_there=True)
        await until(lambda: not session.away)
        await phone.until("document.getElementById('line').hidden")
        assert await phone.run("document.getElementById('hand').textContent") == shown


#: Every text with the contrast to its ground (W3C: relative luminance), and every target with its size.
LOOKS = """(async () => {
  await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)));
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const over = (top, below) => {
    const a = top[3] ?? 1;
    return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a));
  };
  const ground = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const colour = parse(style.backgroundColor);
      const image = style.backgroundImage.match(/rgba?\\([^)]*\\)/);
      if (image) { layers.push(parse(image[0])); break; }
      if ((colour[3] ?? 1) > 0) { layers.push(colour); if ((colour[3] ?? 1) === 1) break; }
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const inked = (one) => contrast(over(parse(getComputedStyle(one).color), ground(one)), ground(one));
  const visible = (one) => one.getClientRects().length && getComputedStyle(one).visibility === "visible";
  const faint = [...document.querySelectorAll("body *")]
    .filter((one) => visible(one) && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((one) => !one.closest(".-back"))
    .map((one) => [one.textContent.slice(0, 30), inked(one)])
    .filter(([, ratio]) => ratio < 4.5);
  const small = [...document.querySelectorAll("button, input")].filter(visible)
    .map((one) => [one.textContent || one.id, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
    .map(([words, box]) => [words, box.width, box.height]);
  const unnamed = [...document.querySelectorAll("button, input, .card")].filter(visible)
    .filter((one) => !(one.ariaLabel || one.getAttribute("aria-hidden") || one.textContent.trim() || one.labels?.length
      || one.matches(".-none")))
    .map((one) => one.outerHTML);
  const out = [...document.querySelectorAll("#hand .card, #buttons button, #question button, #seats .-turn")]
    .filter(visible).map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.left < -4 || box.top < 0 || box.right > innerWidth + 4 || box.bottom > innerHeight)
    .map(([words, box]) => [words, box.left, box.top, box.right, box.bottom]);
  return { faint, small, unnamed, out, wide: document.documentElement.scrollWidth - innerWidth };
})()"""


async def test_the_first_view_comes_within_a_second_and_names_and_phrases_are_never_markup(address: str) -> None:
    name, words = "<b>Ann</b><i x=", "<img src=x onerror=document.title='hit'>&amp;"
    async with phone_table("@", "ai:club", "ai:club") as (app, port), chromium(address) as found:
        phone = await found.phone()
        await come(phone, port, name, "take a seat")
        await phone.do("Emulation.setCPUThrottlingRate", rate=4)
        times = []
        for _ in range(3):
            await phone.do("Page.reload")
            await phone.until("performance.getEntriesByName('first-contentful-paint').length > 0")
            times.append(await phone.run("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        assert min(times) <= 1000, times
        await phone.do("Emulation.setCPUThrottlingRate", rate=1)
        await phone.until_shown("take a seat")
        await phone.tap_words("Sit here")
        await phone.until_shown("You have a seat")
        [place] = await begun(app, phone)
        await phone.until("document.querySelector('#hand li') !== null")
        assert place.say(words) == ""
        await phone.until_shown(words)
        assert name in await phone.run("document.getElementById('seats').textContent")
        assert await phone.run("document.querySelectorAll('img, #seats b b, #said *').length") == 0
        assert "hit" not in await phone.run("document.title")


#: What is moved from now on, by its first class, and for how many milliseconds.
RECORD_MOTION: Final = """
    window.moved = [];
    const move = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
      window.moved.push([this.className.trim().split(" ")[0], how.duration]);
      return move.call(this, frames, how);
    };
    0"""


async def at_any_size(phone: Phone, sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    for (width, height), scheme in zip(sizes, cycle(("light", "dark")), strict=False):
        await phone.look(width, height, scheme=scheme)
        found = await phone.run(LOOKS)
        assert found == {"faint": [], "small": [], "unnamed": [], "out": [], "wide": 0}, (width, scheme)


async def a_refusal_leads_to_its_rule(phone: Phone) -> None:
    await phone.tap("document.querySelector('#buttons [data-press=lay]')")
    await phone.until("!document.getElementById('notice').hidden")
    rule = await phone.run("document.getElementById('notice').lastElementChild.textContent")
    assert rule.startswith("Rule ")
    await phone.tap("document.getElementById('notice').lastElementChild")
    await phone.until("document.getElementById('sheet').open")
    assert rule.removeprefix("Rule ") in await phone.run("document.querySelector('#sheet-body .-lit').textContent")
    box = await phone.run(
        "(() => { const box = document.querySelector('#sheet-body .-lit').getBoundingClientRect();"
        " return [box.top, box.bottom, innerHeight]; })()"
    )
    assert 0 <= box[0] < box[1] <= box[2], "the clause is in sight"
    await phone.tap_words("Close")
    await phone.until("!document.getElementById('sheet').open")


async def text_of_twice_the_size_fits(phone: Phone) -> None:
    size = "document.documentElement.style.fontSize = '{}'; dispatchEvent(new Event('resize'))"
    await phone.run(size.format("200%"))
    assert await phone.run("document.documentElement.scrollWidth - innerWidth") <= 0
    assert await phone.run(
        "(() => { const last = [...document.querySelectorAll('#buttons button')].pop();"
        " last.scrollIntoView({block: 'center'}); const box = last.getBoundingClientRect();"
        " return last.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)); })()"
    )
    await phone.run(size.format(""))


async def nothing_moves_where_the_phone_asks_for_no_motion(phone: Phone) -> None:
    await phone.look(360, 740, prefers_reduced_motion="reduce")
    moving = "[...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).transitionDuration !== '0s')"
    assert await phone.run(f"{moving}.length + document.getAnimations().length") == 0


async def in_a_wide_window_the_table_is_wide_and_a_mouse_does_what_a_finger_does(phone: Phone) -> None:
    await phone.look(1280, 800)
    await phone.until("document.getElementById('felt').clientWidth > 1200")
    for key, title in (("s", "Scores"), ("i", "Jamaican Kalooki"), ("?", "Kalooki")):
        await phone.press(key)
        await phone.until(f"document.getElementById('sheet-title').textContent === '{title}' && sheet.open")
        await phone.press("x")  # a key of the table does nothing behind a page
        await phone.press("Escape")
        await phone.until("!document.getElementById('sheet').open")
    texts = await phone.run("[...document.querySelectorAll('#hand li')].map((one) => one.dataset.text)")
    rank = next(text for text in reversed(texts) if text != "JK")
    await phone.press(rank[0].replace("1", "0"))
    await phone.until(f"document.activeElement.closest('li').dataset.text.slice(0, -1) === {json.dumps(rank[:-1])}")
    await phone.press("l")
    await phone.until("!document.getElementById('notice').hidden")
    rows = "new Set([...document.querySelector('{}').children].map((one) => one.offsetTop)).size"
    assert [await phone.run(rows.format(part)) for part in ("#hand", "#buttons")] == [1, 1]
    assert await phone.run("document.documentElement.scrollHeight <= innerHeight")
    for pressed in ("true", "false"):
        await phone.tap("document.querySelector('#hand .card')")
        await phone.until(f"document.querySelector('#hand .card').ariaPressed === '{pressed}'")
    await phone.look(360, 740)


async def a_card_is_dragged_to_another_place_of_the_hand(phone: Phone, place: Client) -> None:
    keys = "[...document.querySelectorAll('#hand .card')].map((one) => one.dataset.key.split(' ')[0])"
    card = "document.querySelectorAll('#hand .card')"
    await phone.until(f"{card}.length === {len(place.view(place.here[0]).hand)}")
    before = await phone.run(keys)
    await phone.drag(f"{card}[1]", f"{card}[4]")
    aside = [before[0], *before[2:5], before[1], *before[5:]]
    await phone.until(f"{keys}.join() === {json.dumps(','.join(aside))}")
    await phone.drag(f"{card}[4]", f"{card}[{len(before) - 1}]", hold=0.3)
    moved = [*aside[:4], *aside[5:], before[1]]
    await phone.until(f"{keys}.join() === {json.dumps(','.join(moved))}")
    assert await phone.run("document.querySelectorAll('#hand .card[aria-pressed=\"true\"]').length") == 0
    await phone.drag(f"{card}[{len(before) - 1}]", f"{card}[0]", hold=0.3)
    await phone.until(f"{keys}[0] === {json.dumps(before[1])}")
    await phone.do("Page.reload")
    await phone.until("document.querySelector('#hand li') !== null")
    assert await phone.run(keys) == [before[1], before[0], *before[2:]], "the order outlives the page"
    assert sorted(before) == sorted(place.session.rules.faces.text(one) for one in place.view(place.here[0]).hand)


async def a_card_that_no_meld_takes_is_refused_with_its_rule_where_it_is_dragged_to_one(phone: Phone) -> None:
    # The hand of whoever has just laid, before the next step.
    await phone.drag("document.querySelector('#hand li:not(.-fits) .card')", "document.querySelector('#melds .meld')")
    await phone.until("document.querySelector('#notice button').textContent.startsWith('Rule ')")


async def a_card_dragged_to_the_pile_is_thrown(phone: Phone, place: Client) -> None:
    seat, card = place.here[0], "document.querySelector('#hand .card:not(.-joker)')"
    text, hand = await phone.run(f"{card}.dataset.key.split(' ')[0]"), place.view(seat).hand
    await phone.drag(card, "document.querySelector('[data-pile=discard] .card')")
    await until(lambda: len(place.view(seat).hand) < len(hand))
    thrown = [event for event in place.public.history if isinstance(event, Discarded) and event.seat == seat]
    assert place.session.rules.faces.text(thrown[-1].card) == text


async def test_everything_can_be_read_and_hit_in_a_deal(address: str) -> None:
    async with at_table(address, ruleset="jamaican", seed=73) as (_, phone, place):
        person = Person(phone, place, club)
        async with asyncio.timeout(MOST):
            await person.play(lambda: "draw" in person.done)
            await at_any_size(phone)
            await a_refusal_leads_to_its_rule(phone)
            await text_of_twice_the_size_fits(phone)
            await nothing_moves_where_the_phone_asks_for_no_motion(phone)
            await in_a_wide_window_the_table_is_wide_and_a_mouse_does_what_a_finger_does(phone)
            await a_card_is_dragged_to_another_place_of_the_hand(phone, place)
            await a_card_dragged_to_the_pile_is_thrown(phone, place)
            await phone.run(RECORD_MOTION)
            await person.play(lambda: "lay" in person.done)
            moved = await phone.run("window.moved")
            assert {kind for kind, _ in moved} >= {"flying", "-new", "meld"}
            assert max(time for _, time in moved) < 200
            await at_any_size(phone, SIZES[1:3])
            await a_card_that_no_meld_takes_is_refused_with_its_rule_where_it_is_dragged_to_one(phone)
        assert (await phone.run(SHOWN))["sheet"] == ""
