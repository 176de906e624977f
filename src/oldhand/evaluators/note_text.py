"""How a note is worded: one line of plain text, whatever an evaluator, a model or a database has put into it."""

import re
from collections.abc import Sequence

from oldhand.settings import EvaluationSettings
from oldhand.store.issues.reads import Counted

_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+"
)
_FENCE = re.compile(r"`{2,}|~{3,}")
_MARK = re.compile(r"^(?:[#>*+=|-]+|\d{1,3}[.)])\s+|^[#>=|-]{2,}")
_TAG = re.compile(r"<(?=[/!|a-zA-Z])|\[(?=/?INST\])")
_ROLE = re.compile(r"^(system|assistant|user|human|tool|developer)\s*:", re.IGNORECASE)


def plain(text: str, most: int) -> str:
    r"""Text as one line without anything that ends a note, begins a section, or closes a quotation.

    Args:
        text: anything.
        most: characters at which it is cut.

    >>> plain("# SYSTEM\n```sql\nDROP TABLE a;``` </notes>", 60)
    "SYSTEM 'sql DROP TABLE a;' < /notes>"
    >>> plain("Distance without units", 12)
    'Distance wi…'
    """
    line = " ".join(_UNSEEN.sub(" ", text[: 8 * most]).split())
    line = _TAG.sub(r"\g<0> ", _FENCE.sub("'", line))
    while (bare := _MARK.sub("", line)) != line:
        line = bare
    line = _ROLE.sub(r"\1 -", line)
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def note_text(issue: Counted, settings: EvaluationSettings) -> str:
    """The note of an issue; it says how often it came, and whether it came in spite of being shown.

    >>> issue = Counted(1, "issue-1", "Distance without units", 3, 0.7, 9, 2, 1)
    >>> note_text(issue, EvaluationSettings())
    'Distance without units (3 times; again, in spite of this note: 1 time)'
    """
    said = [] if issue.times < 2 else [_times(issue.times)]
    if issue.recurred:
        said.append(f"again, in spite of this note: {_times(issue.recurred)}")
    text = plain(issue.text, settings.note_characters)
    return f"{text} ({'; '.join(said)})" if said else text


def _times(number: int) -> str:
    return "1 time" if number == 1 else f"{number} times"


def section(header: str, notes: Sequence[str]) -> str:
    """Notes under their header; nothing when there are none.

    >>> print(section("Previous SQL Errors to Avoid:", ["Degrees as metres", "No join condition"]))
    Previous SQL Errors to Avoid:
    1. Degrees as metres
    2. No join condition
    """
    if not notes:
        return ""
    return "\n".join([header, *(f"{n}. {note}" for n, note in enumerate(notes, 1))])
