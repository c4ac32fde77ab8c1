"""What lies over a screen and what waits to, after each thing that is shown, answered or gone to, kept as a text."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from kalooki_tui.tui.overlays import Layer, Overlays
from tests.commands import Golden


@dataclass(eq=False)
class Lying:
    name: str
    lies_over: bool = True
    is_away: bool = False
    is_here: bool = True
    rank: Any = None
    then: Any = None
    heard: str = ""
    covered: str | None = ""

    def __post_init__(self) -> None:
        self.heard = f"keys of {self.name}"

    def put_away(self) -> None:
        self.is_away = True

    def show_covered(self, heard: str | None) -> None:
        self.covered = heard


@dataclass
class Stack:
    screen_stack: list[Lying] = field(default_factory=lambda: [Lying("base", lies_over=False)])

    def push_screen(self, screen: Lying) -> None:
        self.screen_stack.append(screen)

    def pop_screen(self) -> None:
        self.screen_stack.pop()

    def switch_screen(self, screen: Lying) -> None:
        self.screen_stack[-1] = screen


STEPS = """
go:home match:one match:two player:settings fault:broken match:three player:rules leaving:leave leaving:again
answer:leave answer:settings answer:settings answer:broken answer:one answer:one down:three answer:two
go:table choose:tack none:tack choose:tack answer:tack ask:call player:help answer:call answer:help ask:buy cancel:buy
match:one match:two player:help go:home answer:help answer:one down:nothing player:help match:one
fault:broken fault:second answer:help away:home answer:broken answer:second leaving:leave player:late match:more
down:leave answer:more close: player:late go:end
"""


async def test_what_lies_over_a_screen(golden: Golden) -> None:
    app: Any = Stack()
    overlays, known, asked = Overlays(app), dict[str, Any](), dict[str, asyncio.Task[Any]]()
    lines: list[str] = []
    for step in STEPS.split():
        lines.append(f"── {step}")
        what, _, name = step.partition(":")
        if what in ("match", "player", "fault", "leaving", "choose", "ask"):
            known[name] = Lying(name)
        lying = known.get(name, Lying(name))

        def tell(value: object, name: str = name) -> None:
            lines.append(f"   {name} is answered: {value}")

        match what:
            case "go":
                known[name] = Lying(name, lies_over=False)
                overlays.go_to(known[name])
            case "choose":
                overlays.choose(lying, tell)
            case "ask":
                asked[name] = asyncio.ensure_future(overlays.ask(lying))
                asked[name].add_done_callback(lambda task: tell("never" if task.cancelled() else task.result()))
            case "cancel":
                asked[name].cancel()
            case "answer" | "none":
                overlays.answer(lying, "yes" if what == "answer" else None)
            case "down":
                overlays.take_down(lying)
            case "away":
                lying.is_here = False
            case "close":
                overlays.close()
            case _:
                overlays.show(lying, tell, Layer[what.upper()])
        for _ in range(4):
            await asyncio.sleep(0)
        stack = " ".join(f"{one.name}{'×' if one.is_away else ''}" for one in app.screen_stack)
        layers = " ".join(layer.name for layer in Layer if overlays.lies(layer))
        covered = [f"{one.name} {one.covered}" for one in app.screen_stack if not one.lies_over][-1]
        waiting = " ".join(one.name for one in overlays._waiting)
        lines.append(f"   {stack} · {layers} · {covered} · waiting: {waiting}")
    golden("overlays", "\n".join(lines))
