"""Words of messages: persons and verbs, counts, quotations, and signs that a terminal may lack.

A seat called You is spoken to. Verbs are given as ``take`` or ``go out``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

FIRST_NAME: Final = "You"
"""Name of a single person at a table of AI seats."""
AI_NAMES: Final = ("Ada", "Bea", "Cy", "Dot", "Eli", "Flo", "Gus", "Hal", "Ida", "Jed", "Kit")
LONGEST_QUOTE: Final = 40
"""Characters of a text that a message shows."""

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_STAND_INS: Final = (
    ("♠♥♦♣★☻▸◂▾▴▲△▼▽", "SHDC*@><v^^^vV"),
    ("●○■□◆◇✕✓·•▮▯¤…", "Oo#=+%x+..#_$~"),
    ("–—−×→←↑↓", "---x><^v"),
    ("▏▕▐▌│┃┊─━┄┼┤├┴└┌┐┘╭╮╰╯╵╷╱╲╳", "||##||:-=-++++++++++++'./\\X"),
    ("█▀▄░▒▓▁▂▃▅▆▇▔▖▗▘▝▙▟▛▜▚▞", "#\"_.:#___==#-..''LJF7\\/"),
    ("‾", "-"),
)
#: ASCII stand-in of each glyph the app draws.
ASCII: Final[dict[str, str]] = {
    glyph: stand_in for glyphs, stand_ins in _STAND_INS for glyph, stand_in in zip(glyphs, stand_ins, strict=True)
}
ASCII_TABLE: Final = str.maketrans(ASCII)

#: What Python calls printable although it shows nothing: fillers, selectors and joiners of Unicode's property
#: Default_Ignorable_Code_Point, and two blanks.
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef\u2800\U0001d159]"
)
#: Where what is unseen belongs to the spelling: a joiner within a word of Persian or Sinhala or within an emoji, and
#: the selector that makes an emoji of a sign.
_SPELLING: Final = re.compile(
    "(?<=[^\x00-\x7f\u200c\u200d])[\u200c\u200d](?=[^\x00-\x7f\u200c\u200d])|(?<=[^\\sA-Za-z])[\ufe0e\ufe0f]"
)

#: Forms of the verbs that are not regular: after a name, after You, past, and with -ing.
_IRREGULAR: Final[dict[str, tuple[str, str, str, str]]] = {
    "be": ("is", "are", "was", "being"),
    "buy": ("buys", "buy", "bought", "buying"),
    "cut": ("cuts", "cut", "cut", "cutting"),
    "do": ("does", "do", "did", "doing"),
    "draw": ("draws", "draw", "drew", "drawing"),
    "drop": ("drops", "drop", "dropped", "dropping"),
    "get": ("gets", "get", "got", "getting"),
    "go": ("goes", "go", "went", "going"),
    "have": ("has", "have", "had", "having"),
    "hit": ("hits", "hit", "hit", "hitting"),
    "lay": ("lays", "lay", "laid", "laying"),
    "let": ("lets", "let", "let", "letting"),
    "pay": ("pays", "pay", "paid", "paying"),
    "put": ("puts", "put", "put", "putting"),
    "swap": ("swaps", "swap", "swapped", "swapping"),
    "take": ("takes", "take", "took", "taking"),
    "throw": ("throws", "throw", "threw", "throwing"),
    "win": ("wins", "win", "won", "winning"),
}


def ai_words(player: str) -> str:
    """Describe a player that is no person: ``AI, club`` of ``ai:club``; a program by its command."""
    kind, _, which = player.partition(":")
    return f"AI, {which.replace('/', ', ')}" if kind == "ai" else which or player


def says_of(name: str, verb: str) -> str:
    """Return the verb as it follows a name: ``has`` of Ann, ``have`` of You."""
    return _inflected(verb, 1 if name == FIRST_NAME else 0)


def does(name: str, verb: str, *, inside: bool = False) -> str:
    """Return name and verb: ``Ann takes``, or ``You take``; `inside`: within the sentence."""
    return f"{whom(name) if inside else name} {says_of(name, verb)}"


def whom(name: str) -> str:
    """Return a name within a sentence: ``Ann``, or ``you``."""
    return FIRST_NAME.lower() if name == FIRST_NAME else name


def whose(name: str) -> str:
    """Return ``Ann's``, or ``your``."""
    return "your" if name == FIRST_NAME else f"{name}'s"


def past(verb: str) -> str:
    """Return ``took``, ``laid``, ``tacked``."""
    return _inflected(verb, 2)


def doing(verb: str) -> str:
    """Return ``taking``, ``laying``, ``tacking``."""
    return _inflected(verb, 3)


def _inflected(verb: str, form: int) -> str:
    first, space, rest = verb.partition(" ")
    forms = _IRREGULAR.get(first) or _regular(first)
    return f"{forms[form]}{space}{rest}"


def _regular(verb: str) -> tuple[str, str, str, str]:
    if verb.endswith("y") and verb[-2:-1] not in "aeou":
        return f"{verb[:-1]}ies", verb, f"{verb[:-1]}ied", f"{verb}ing"
    third = f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh")) else f"{verb}s"
    stem = verb.removesuffix("e")
    return third, verb, f"{stem}ed", f"{stem}ing"


class Person(str):
    """Name in a sentence that is data: ``{name:take}`` is ``Ann takes``, or ``you take``.

    ``{name:Take}`` begins the sentence: ``You take``. ``{name:'s}`` is ``Ann's``, or ``your``.
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        name = str(self)
        if not spec:
            return whom(name)
        return whose(name) if spec == "'s" else does(name, spec.lower(), inside=spec[0].islower())


def sentence(text: str) -> str:
    return f"{capital(text)}{'' if text.endswith(('.', '!', '?')) else '.'}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def first_sentence(text: str) -> str:
    first, stop, _ = text.strip().partition(". ")
    return first + stop.strip()


def penalty_words(number: int) -> str:
    """Name the cards from the stock that come with a call (C4, H2)."""
    return ("no penalty card", "a penalty card", "two penalty cards")[number]


def counted(count: int, what: str) -> str:
    """Return ``1 line``, ``2 lines``."""
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a sentence lists them: ``Ann, Bob and Cat``."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def number_word(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def quote(text: str) -> str:
    """Quote a text, shortened and escaped, so that a message stays one readable line."""
    short = text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"
    # Joiners within a name are part of its spelling, which `repr` does not know.
    return f"'{short}'" if prints(short) and not {"'", "\\"} & {*short} else repr(short)


def prints(text: str) -> bool:
    """Return whether every character shows as itself, or belongs to the spelling of one that does."""
    # What begins with a mark shows it on what stands before.
    return _shows(_SPELLING.sub("", text)) and unicodedata.category(text[:1] or " ")[0] != "M"


def _shows(text: str) -> bool:
    return text.isprintable() and not _UNSEEN.search(text)


def alike(name: str) -> str:
    """Return what names have in common that look the same but for capital letters."""
    return _UNSEEN.sub("", _SPELLING.sub("", unicodedata.normalize("NFKC", name))).casefold()


def escaped(text: str) -> str:
    """Escape what would not print as itself: line breaks, commands for the terminal, marks that reverse letters."""
    if prints(text):
        return text
    return "".join(one if _shows(one) else one.encode("unicode_escape").decode("ascii") for one in text)


def as_ascii(text: str) -> str:
    """Replace glyphs by ASCII, and other characters by question marks."""
    return text.translate(ASCII_TABLE).encode("ascii", "replace").decode("ascii")


def cells(text: str) -> int:
    """Count the terminal cells of a text, sign by sign; a mark takes none."""
    return sum(
        2 if unicodedata.east_asian_width(sign) in "WF" else unicodedata.category(sign) not in ("Mn", "Mc", "Me", "Cf")
        for sign in text
    )


def padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))
