"""The column that words of comparison are about: `earns more`, `a higher salary`, `older`, `more pages`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.measures import measured
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wordlists import adjective_of

MORE = words("comparing.more")
LESS = words("comparing.less")
_REACH = 5


def comparative_before(asked: Asked, place: int, reach: int = _REACH) -> int | None:
    """Where the comparative stands that the `than` at a place belongs to; None where there is none."""
    for there in range(place - 1, max(place - reach, 0) - 1, -1):
        word = asked.word(there)
        if word in MORE | LESS or (adjective_of(word) and word.endswith("er")):
            return there
    return None


def compared_column(asked: Asked, place: int, end: int, table: int) -> tuple[int, int, str] | None:
    """The column of a table that a comparison is about, the tokens that say so and the operator.

    Args:
        asked: the question.
        place: where the comparative stands: `more`, `older`, `above`.
        end: where what it is compared with begins.
        table: the table.
    """
    word = asked.word(place)
    operator = "<" if word in LESS else ">"
    for column, mask in _named(asked, place, end, table):
        return column, mask | 1 << place, operator
    adjective = adjective_of(word) or ""
    for name, there in ((adjective, place), *((stem(asked.word(i)), i) for i in (place - 1, place - 2))):  # fmt: skip
        for option, upwards in measured(asked, name, there) if name else ():
            if asked.column(option.id).table == table:
                turned = operator if upwards else {">": "<", "<": ">"}[operator]
                return option.id, 1 << place | 1 << there, turned
    return None


def _named(asked: Asked, place: int, end: int, table: int) -> Iterator[tuple[int, int]]:
    """The numbers of a table that are named right after the comparative, else before it."""
    near = [m for m in asked.links.columns if place < m.span.start < end]
    near += [m for m in reversed(asked.links.columns) if place - _REACH <= m.span.end <= place]
    for mention in near:
        for option in mention.options[:4]:
            entry = asked.column(option.id)
            measures = (entry.numeric or entry.temporal) and not entry.key_like
            if entry.table == table and measures and option.score >= 0.5:
                yield option.id, mention.span.mask
