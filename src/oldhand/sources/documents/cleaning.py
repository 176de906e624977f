"""Text as people see it: what is invisible, or turns the direction of others, is taken out."""

import re
import unicodedata
from functools import lru_cache

_JOINERS = "\u200c\u200d"
"""Letters of some scripts are joined or kept apart by them."""
_SILENT = "\u00ad\ufeff"
"""Taken out without a word: marks of hyphenation and of byte order."""
_PLAIN = re.compile(r"[\n -~]*")
_BLANKS = re.compile(r"[^\S\n]+")


def cleaned(text: str) -> tuple[str, int]:
    r"""The text without invisible characters, and how many there were that have no place in an honest text.

    >>> cleaned("in\u200bvoice \u202etxt.exe\u202c")
    ('invoice txt.exe', 3)
    >>> cleaned("soft\u00adware\u00a0costs")
    ('software costs', 0)
    """
    if not _PLAIN.fullmatch(text):
        text = unicodedata.normalize("NFC", text)
        kept = [one for place, one in enumerate(text) if not _is_invisible(text, place)]
        hidden = len(text) - len(kept) - sum(text.count(one) for one in _SILENT)
        text = "".join(kept)
    else:
        hidden = 0
    return _BLANKS.sub(" ", text).strip(), hidden


def _is_invisible(text: str, place: int) -> bool:
    character = text[place]
    if character in _JOINERS:
        around = text[max(place - 1, 0) : place + 2 : 2]
        return len(around) < 2 or around.isascii()
    return _kind(character)


@lru_cache(maxsize=4_096)
def _kind(character: str) -> bool:
    """Whether a character is never seen: control and format characters, lone surrogates, selectors of variants."""
    if character in "\n\t\r\f\v":
        return False
    return (
        unicodedata.category(character) in {"Cc", "Cf", "Cs"}
        or 0xFE00 <= ord(character) <= 0xFE0F
        or 0xE0100 <= ord(character) <= 0xE01EF
        or character in "\u115f\u1160\u3164\uffa0\u2800"  # blank letters
    )
