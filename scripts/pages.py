"""Make pictures of a hosted table's page in Chromium: `python -m scripts.pages [FOLDER]`, by default screenshots/.

A deal is played by a club player's taps until melds lie on the table; then the page is shown at every size.
"""

from __future__ import annotations

import asyncio
import base64
import sys
from pathlib import Path
from typing import Final

from scripts.scenes import own_home
from tests.hosting.hand.phone import Phone, chromium, running
from tests.hosting.hand.tapping import Person, club
from tests.hosting.hand.test_taps import begun, come
from tests.hosting.tables import phone_table

SIZES: Final = ((390, 844), (844, 390), (820, 1180), (1280, 800))
SEATS: Final = ("Ann@", "Bob=ai:club", "Cat=ai:club", "Dee=ai:club")


async def picture(phone: Phone, folder: Path, width: int, height: int) -> None:
    await phone.look(width, height)
    await asyncio.sleep(0.5)
    shot = await phone.do("Page.captureScreenshot")
    file = folder / f"page-{width}x{height}.png"
    file.write_bytes(base64.b64decode(shot["data"]))
    print(file)


async def main(folder: Path) -> None:
    with running() as address:
        async with phone_table(*SEATS, ruleset="jamaican", seed=5) as (app, port), chromium(address) as found:
            phone = await found.phone()
            await come(phone, port, "Ann")
            [place] = await begun(app, phone)
            person = Person(phone, place, club)
            await person.play(
                lambda: bool(place.public.melds and place.view(0).legal and place.view(0).phase == "play")
            )
            for width, height in SIZES:
                await picture(phone, folder, width, height)


if __name__ == "__main__":
    with own_home():
        asyncio.run(main(Path(sys.argv[1] if sys.argv[1:] else "screenshots")))
