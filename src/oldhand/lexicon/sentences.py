"""Where sentences end."""

import re

_STOPS = "\uff01\uff1f\u3002"
"""Full stops of scripts that put no space behind them."""
_QUOTES = "\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
_END = re.compile(rf"(?<=[.!?\u2026{_STOPS}])[{_QUOTES})\]]*(?:\s+|(?<=[{_STOPS}]))")
_BEFORE = re.compile(r"(\S+?)\.$")


def sentences_of(text: str) -> list[str]:
    """The sentences of a paragraph, in order; they make it up again when they are joined by spaces.

    >>> sentences_of('Send it back. Dr. No has 30 days, e.g. "until May." Is that clear?')
    ['Send it back.', 'Dr. No has 30 days, e.g. "until May."', 'Is that clear?']
    """
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        said, rest = text[start : end.end()].strip(), text[end.end() :]
        if said and rest and _begins(rest) and not _is_short(said):
            found.append(said)
            start = end.end()
    return [*found, *([text[start:].strip()] if text[start:].strip() else [])]


def _begins(rest: str) -> bool:
    """Whether a sentence may begin so: not with a small letter."""
    first = rest.lstrip(f"{_QUOTES}([\u00bf\u00a1 ")[:1]
    return bool(first) and not first.islower()


def _is_short(said: str) -> bool:
    """Whether it ends in a short form, such as Dr., No. or z. B., rather than in a sentence."""
    last = _BEFORE.search(said)
    if last is None:
        return False
    word = last[1].strip(f"{_QUOTES}([").rpartition(".")[2]
    return len(word) == 1 or (
        len(word) <= 3 and (word.istitle() or not word.isalpha()) and not word.isdigit()
    )
