"""Characters that a terminal would obey, or that nobody sees, made visible."""

import re

CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What steers a terminal, turns the direction of writing, or is not seen."""


def safe(text: str) -> str:
    r"""Text with its control characters made visible, so that a terminal does not obey them.

    >>> safe("a\x1b[2Jb\tc")
    'a␛[2Jb\tc'
    """
    return CONTROL.sub(_visible, text)


def _visible(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else f"<U+{code:04X}>"
