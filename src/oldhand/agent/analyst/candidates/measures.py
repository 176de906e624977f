"""Which columns words measure: `old` an age, or a date of birth the other way round, `more pages` the pages."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.events import named_at
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import Cue, LinkOption, Mention
from oldhand.agent.analyst.words.shortened import SHORTENED
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wordlists import adjective_of, word_lists
from oldhand.query.negating import MIRRORED

_MORE = words("comparing.more")
_LESS = words("comparing.less")
_OF_TIME = words("sorting.of_time")
_ADVERBS = ("last", "first")
_JOINTS = (",", ".", ";", ":", "and")
_MONEY = word_stems("money.prices")
_PLAIN = word_stems("money.plain")
_OPENING = words("asking.opening")
_REACH = 5
_NAMED_SO, _LIKELY = 0.6, 0.9
"""How well words must name a figure, and how near to the best one others must come."""


def measured(asked: Asked, adjective: str, position: int = 0) -> Iterator[tuple[LinkOption, bool]]:
    """Columns that an adjective measures, with True when more of it is more of the column.

    Args:
        asked: the question.
        adjective: such as `old`.
        position: where it stands; words shortly before it may name the column.
    """
    own = _dated_thing(asked, position) if adjective in _OF_TIME else -1
    if adjective in _OF_TIME and (deeds := last_deed(asked, position)):
        upwards = word_lists().measures.get(adjective, {}).get("date", True)
        yield from ((LinkOption(one, 1.0, asked.meant(asked.column(one).table)), upwards) for one in deeds)  # fmt: skip
        return
    yield from _dated(asked, adjective, position, own)
    for word, upwards in word_lists().measures.get(adjective, {}).items():
        for hit in asked.vocabulary.hits(word):
            if hit.column < 0 or hit.strength < SHORTENED:
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
                yield LinkOption(hit.column, (0.5 + 0.5 * share) * hit.strength, near), upwards


def _rates(asked: Asked, entry: ColumnEntry, word: str) -> bool:
    """True for a rating of the thing itself: loyalty points make no customer a good one."""
    own = asked.vocabulary.tables[entry.table].words
    return not set(entry.forms[0]) - {word, "averag", "overal", "total", "final"} - own


def _dated(
    asked: Asked, adjective: str, position: int, own: int
) -> Iterator[tuple[LinkOption, bool]]:
    """`latest`, `most recent`: any date of a table that is meant will do."""
    upwards = word_lists().measures.get(adjective, {}).get("date")
    if upwards is None or adjective == "old":
        return
    for number, entry in enumerate(asked.vocabulary.columns):
        near = asked.meant(entry.table)
        if entry.temporal and near > 0 and own in (-1, entry.table):
            score = 0.5 + 0.5 * asked.word_near(number, position, 6)
            yield LinkOption(number, score, near), upwards


def last_deed(asked: Asked, place: int) -> frozenset[int]:
    """The days of what somebody last did, where the verb stands behind `last`: `when was it last checked`."""
    if asked.word(0) != "when" or asked.word(place) not in _ADVERBS:
        return frozenset()
    things = {m.best.id for m in asked.tables_after(place + 1, 0) if m.best.score >= _LIKELY}
    owners = {one: asked.column(one).table for one in named_at(asked, place + 1)}
    likely = (one for one, table in owners.items() if table in things or not things)
    return frozenset(one for one in likely if asked.meant(owners[one]) > 0)


def _dated_thing(asked: Asked, position: int) -> int:
    """The table of the admission in `the latest admission`, where it has days of its own; -1 when there is none."""
    for mention in asked.tables_after(position + 1, 1) if position else ():
        columns = asked.vocabulary.tables[mention.best.id].columns
        if mention.best.score >= 0.8 and any(asked.column(c).temporal for c in columns):
            return mention.best.id
    return -1


def extreme_figures(asked: Asked) -> Iterator[Cue]:
    """The superlative of `what is the lowest fee`, `show the highest fare of a booking`: the figure itself is asked for."""
    for cue in asked.links.cues_of("superlative", "most_count", "most_common", "max", "min", "top"):
        ends = [i + 1 for i in range(cue.span.start) if asked.word(i) in _JOINTS]
        opens = _OPENING.issuperset(asked.words(ends[-1] if ends else 0, cue.span.start))
        ends = [cue.span.end, *(m.span.end for m in asked.tables_after(cue.span.end, 0))]
        named = (
            m for end in ends for m in asked.columns_after(end, 0) if not asked.before_thing(m)
        )
        place = next((m.span.start for m in named), -1)
        if opens and any(asked.column(one).measures for one in named_next(asked, place)):
            yield cue


def named_next(asked: Asked, place: int) -> frozenset[int]:
    """The columns that the words right after a superlative name: `the highest refund`."""
    for mention in asked.columns_after(place, 0):
        if mention.best.score >= _NAMED_SO and not asked.is_thing(mention):
            least = _LIKELY * mention.best.score
            return frozenset(option.id for option in mention.options if option.score >= least)
    return frozenset()


def may_be_the_cost(asked: Asked, mention: Mention, option: LinkOption) -> bool:
    """False for a column that does not hold what the thing before the verb `cost` costs itself.

    `Orders that cost more than 100` does not speak of what their shipping costs.
    """
    span = mention.span
    if span.end != span.start + 1 or asked.word(span.start) not in ("cost", "costs", "costing"):
        return True
    before = [m for m in asked.links.tables if 0 <= span.start - m.span.end <= 1]
    if not before:
        return True
    entry = asked.column(option.id)
    rest = set(entry.forms[0]) - _PLAIN - asked.vocabulary.tables[entry.table].words
    return entry.table == before[-1].best.id and len(rest) == 1 and rest <= _MONEY


def comparative_before(asked: Asked, place: int, reach: int = _REACH) -> int | None:
    """Where the comparative stands that the `than` at a place belongs to; None where there is none."""
    for there in range(place - 1, max(place - reach, 0) - 1, -1):
        word = asked.word(there)
        if word in _MORE | _LESS or (adjective_of(word) and word.endswith("er")):
            return there
    return None


def compared_column(asked: Asked, place: int, end: int, table: int) -> tuple[int, int, str] | None:
    """The column of a table that a comparison is about, the tokens that say so and the operator.

    The words are such as `earns more`, `a higher salary`, `older`, `more pages`.

    Args:
        asked: the question.
        place: where the comparative stands: `more`, `older`, `above`.
        end: where what it is compared with begins.
        table: the table.
    """
    word = asked.word(place)
    operator = "<" if word in _LESS else ">"
    for column, mask in _named(asked, place, end, table):
        return column, mask | 1 << place, operator
    measuring = [(adjective_of(word) or "", place)]
    measuring += [(stem(asked.word(there)), there) for there in (place - 1, place - 2)]
    for name, there in measuring:
        for option, upwards in measured(asked, name, there) if name else ():
            if asked.column(option.id).table == table:
                turned = operator if upwards else MIRRORED[operator]
                return option.id, 1 << place | 1 << there, turned
    return None


def _named(asked: Asked, place: int, end: int, table: int) -> Iterator[tuple[int, int]]:
    """The numbers of a table that are named right after the comparative, else before it."""
    near = [m for m in asked.links.columns if place < m.span.start < end]
    near += asked.columns_before(place, _REACH)
    for mention in near:
        for option in mention.options[:4]:
            entry = asked.column(option.id)
            measures = (entry.numeric or entry.temporal) and not entry.key_like
            if entry.table == table and measures and option.score >= 0.5:
                yield option.id, mention.span.mask
