"""Which columns an adjective measures: `old` an age, or a date of birth the other way round."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import Option
from oldhand.lexicon.entries import words
from oldhand.lexicon.wordlists import word_lists

_OF_TIME = words("sorting.of_time")


def measured(asked: Asked, adjective: str, position: int = 0) -> Iterator[tuple[Option, bool]]:
    """Columns that an adjective measures, with True when more of it is more of the column.

    Args:
        asked: the question.
        adjective: such as `old`.
        position: where it stands; words shortly before it may name the column.
    """
    own = _dated_thing(asked, position) if adjective in _OF_TIME else -1
    yield from _dated(asked, adjective, position, own)
    for word, upwards in word_lists().measures.get(adjective, {}).items():
        for hit in asked.vocabulary.hits(word):
            if hit.column < 0 or hit.strength < 1:
                continue
            entry = asked.column(hit.column)
            if not (entry.numeric or entry.temporal) or entry.key_like:
                continue
            if own not in (-1, entry.table):
                continue
            if adjective in ("good", "bad") and not _rates(asked, entry, word):
                continue
            near = asked.meant(entry.table)
            if near > 0 or not asked.named_tables:
                share = 1.0 / len(entry.forms[hit.form]) ** 0.5
                yield Option(hit.column, 0.5 + 0.5 * share, near), upwards


def _rates(asked: Asked, entry: ColumnEntry, word: str) -> bool:
    """True for a rating of the thing itself: loyalty points make no customer a good one."""
    own = {w for form in asked.vocabulary.tables[entry.table].forms for w in form}
    return not set(entry.forms[0]) - {word, "averag", "overal", "total", "final"} - own


def _dated(asked: Asked, adjective: str, position: int, own: int) -> Iterator[tuple[Option, bool]]:
    """`latest`, `most recent`: any date of a table that is meant will do."""
    upwards = word_lists().measures.get(adjective, {}).get("date")
    if upwards is None or adjective == "old":
        return
    for number, entry in enumerate(asked.vocabulary.columns):
        near = asked.meant(entry.table)
        if entry.temporal and near > 0 and own in (-1, entry.table):
            score = 0.5 + 0.5 * asked.word_near(number, position, 6)
            yield Option(number, score, near), upwards


def _dated_thing(asked: Asked, position: int) -> int:
    """The table of the admission in `the latest admission`, where it has days of its own; -1 when there is none."""
    for mention in asked.tables_after(position + 1, 1) if position else ():
        columns = asked.vocabulary.tables[mention.best.id].columns
        if mention.best.score >= 0.8 and any(asked.column(c).temporal for c in columns):
            return mention.best.id
    return -1
