"""Where sentences end."""

import re

from oldhand.lexicon.entries import words

_STOPS = "\uff01\uff1f\u3002"
"""Full stops of scripts that put no space behind them."""
_QUOTES = "\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
_END = re.compile(
    rf"(?<=[.!?\u2026{_STOPS}])(?P<quote>[{_QUOTES})\]]*)(?:\s+|(?<=[{_STOPS}]))(?=\S)"
)
_BEGINS = re.compile(rf"[{_QUOTES}(\[\u00bf\u00a1 ]*(?P<word>\w+|[^\s\w])")
_BEFORE = re.compile(rf"(?:(?P<kind>[^\W\d_]{{2,}}) )?[{_QUOTES}(\[]*(?P<word>\S+)\.$")
_WINDOW = 60
"""Characters before a full stop that tell whether a sentence ends with it."""
_SPELLED = re.compile(r"[ap]\.?m")
_NEVER = words("reading.before_names")


def sentences_of(text: str) -> list[str]:
    """The sentences of a paragraph, in order; they make it up again when they are joined by spaces.

    >>> sentences_of('Send it back. Dr. No has 30 days, e.g. "until May." Is that clear?')
    ['Send it back.', 'Dr. No has 30 days, e.g. "until May."', 'Is that clear?']
    """
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        begins = _BEGINS.match(text, end.end())
        if begins is None or begins["word"][0].islower():
            continue
        said = text[max(start, end.start() - _WINDOW) : end.start()].lstrip()
        if not end["quote"] and _is_short(said, begins["word"]):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    return [*found, *([text[start:].strip()] if text[start:].strip() else [])]


def _is_short(said: str, follows: str) -> bool:
    """Whether it ends in a short form, such as Dr., No. or z. B., or in the sign of an item, rather than in a sentence."""
    last = _BEFORE.search(said)
    if last is None:
        return False
    word = last["word"].rpartition(".")[2]
    if not (len(word) == 1 or (len(word) <= 3 and (word.istitle() or not word.isalpha()) and not word.isdigit())):  # fmt: skip
        return False
    kind = (last["kind"] or "").lower()
    if kind in words("reading.lettered") and len(word) == 1:
        return False
    spelled = "." in last["word"] and not _SPELLED.fullmatch(last["word"].lower())
    alone = last.start() == 0 and not kind
    opens = follows.istitle() and follows.lower() in words("function_words.stop")
    return alone or spelled or not opens or word.lower() in _NEVER
