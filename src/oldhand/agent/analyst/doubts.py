"""Why the best query may be none of what was asked: parts of the question that it does not answer to."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.ranked import Ranked
from oldhand.agent.analyst.candidates.sketch import ROWS, Sketch
from oldhand.agent.analyst.candidates.states import AFTER_DEEDS
from oldhand.agent.analyst.candidates.versus import answers_both, compared_at
from oldhand.agent.analyst.candidates.whereabouts import PERSONS, is_dated, is_person, is_place
from oldhand.agent.analyst.candidates.worth import worth_words
from oldhand.agent.analyst.candidates.yes_no import asks_of_all
from oldhand.agent.analyst.linking.links import Mention
from oldhand.agent.analyst.linking.unknown import is_general, whole_house
from oldhand.agent.analyst.misfits import misfits
from oldhand.agent.analyst.misread import began, misread
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.lexicon.entries import words

_NEEDED = frozenset(
    {"superlative", "ordinal", "most_count", "most_common", "not", "per", "than_average", "null", "beyond", "share", "avg", "median"}
)  # fmt: skip
"""Cues without which an answer would be another one."""
_BACK = words("time.back")
_PERIODS = words("time.units") | {"hours"}
_ARTICLES = words("function_words.determiners")
_PLACING = words("places.prepositions")
_COMPARED = words("comparing.compared") | {"than"}


def left_out(asked: Asked, best: Ranked) -> tuple[str, ...]:
    """Words, numbers and signs of the question that would change the answer, were they understood.

    A restriction that is dropped in silence gives the right answer to another question.
    """
    links = asked.links
    explained = best.used | began(asked, best.sketch) | whole_house(links)
    for mention in links.tables:
        explained |= mention.span.mask if _is_inside(asked, mention, best.sketch, True) else 0
    for mention in links.columns:
        explained |= mention.span.mask if _is_inside(asked, mention, best.sketch, False) else 0
    needed = 0
    for cue in links.cues:
        if cue.kind in _NEEDED:
            needed |= cue.span.mask if not cue.span.mask & best.used else 0
        else:
            explained |= cue.span.mask
    for mention in (*links.values, *links.numbers, *links.dates):
        needed |= mention.span.mask if not mention.span.mask & explained else 0
    for mention in links.tables:
        # `items` may be a general word, but not where a table is called so.
        named = mention.best.score >= 0.95 and not mention.span.mask & explained
        needed |= mention.span.mask if named else 0
    needed |= _spans_of_time(asked) | _most_of_something_else(asked, best.sketch)
    for span in worth_words(asked.links.tokens):
        needed |= span.mask if not span.mask & explained else 0
    told = "hierarchy.told" in best.features
    needed |= asks_of_all(asked) | misread(asked, best.sketch, told=told)
    needed |= misfits(asked, best.sketch, best.features)
    needed |= _counted_too(asked, best.sketch)
    needed |= 0 if told else _asked_in_vain(asked, best.sketch)
    found = [
        token.text
        for position, token in enumerate(links.tokens)
        if needed >> position & 1 or not (explained >> position & 1 or is_general(token))
    ]
    return (*dict.fromkeys(found), *_signs(links.question))


def is_compared(asked: Asked, best: Ranked) -> bool:
    """True when two things are set against each other, and `best` has no number for each of them."""
    if answers_both(best.features):
        return False
    words = [token.lower for token in asked.links.tokens]
    spans = [m.span for m in (*asked.links.values, *asked.links.dates)]
    against = any(
        word in _COMPARED
        and any(span.start > place for span in spans)
        and any(span.end <= place for span in spans)
        for place, word in enumerate(words)
        if not any(
            cue.span.start <= place < cue.span.end
            for cue in asked.links.cues_of(">", "<", ">=", "<=", "than_average")
        )
    )
    return against or (len(spans) > 1 and "or" in words and compared_at(asked) is not None)


def _spans_of_time(asked: Asked) -> int:
    """The tokens of `last two years`: counted back from today, which no date here does."""
    mask = 0
    for number in asked.links.numbers:
        start, end = number.span.start - 1, number.span.end + 1
        if asked.word(start) in _BACK and asked.word(number.span.end) in _PERIODS:
            mask |= (1 << end) - (1 << start)
    return mask


def _asked_in_vain(asked: Asked, sketch: Sketch) -> int:
    """The token of `when` or `where`, where no time or place is shown."""
    shown = [asked.column(column) for term in sketch.select for column in term.columns]
    last = len(asked.links.tokens)
    further = [
        i for i in range(1, last) if asked.word(i - 1) in ("and", ",", "so", "when", "where")
    ]
    for position in (0, *further):
        word = asked.word(position)
        if word == "when" and not any(is_dated(entry) for entry in shown):
            return 1 << position
        if word == "where" and not any(is_place(entry) for entry in shown):
            return 1 << position
    if (
        asked.word(0) == "who"
        and shown
        and not any(_is_person(asked, sketch, entry) for entry in shown)
    ):
        return 1
    return 0


def _is_person(asked: Asked, sketch: Sketch, entry: ColumnEntry) -> bool:
    """True for columns that may answer `who`: of people, of what the question names, or called after a person."""
    if entry.foreign and not {word for form in entry.forms for word in form} & PERSONS:
        return False  # the product that a supplier delivers is nobody
    if is_person(asked, entry):
        return True
    if _people_beside(asked, sketch):
        return False  # the books that members borrow are nobody
    named = asked.named_tables.get(entry.table, 0.0) >= 0.9 and entry.name_like
    return named and not all(
        asked.word(m.span.start - 1) in _ARTICLES and asked.word(m.span.start - 2) in _PLACING
        for m in asked.links.tables
        if m.best.id == entry.table
    )


def _people_beside(asked: Asked, sketch: Sketch) -> bool:
    """True when rows of people refer, or are referred to, by what is joined."""
    tables, joins = asked.vocabulary.tables, asked.vocabulary.joins
    beside = {e.other(t) for t in sketch.tree.tables for e in joins.edges(t)}
    return any(is_person(asked, asked.column(tables[t].columns[0])) for t in beside)


def _counted_too(asked: Asked, sketch: Sketch) -> int:
    """The second thing of `number of stores and customers`, where only one number is worked out."""
    if sum(term.aggregate == "count" or term.column == ROWS for term in sketch.select) > 1:
        return 0
    mask = 0
    for cue in asked.links.cues_of("count"):
        first = next(asked.tables_after(cue.span.end, 1), None)
        if first is not None and asked.word(first.span.end) == "and":
            second = next(asked.tables_after(first.span.end + 1, 0), None)
            mask |= second.span.mask if second is not None else 0
    return mask


def _most_of_something_else(asked: Asked, sketch: Sketch) -> int:
    """The tokens of `most` where rows are sorted by a column that the question does not name."""
    named = {option.id for mention in asked.links.columns for option in mention.options[:2]}
    plain = [o.term for o in sketch.order if not o.term.aggregate]
    if not any(term.column not in named for term in plain):
        return 0
    cues = [c for c in asked.links.cues_of("superlative") if c.argument in ("most", "-most")]
    return sum({cue.span.mask for cue in cues})


def _is_inside(asked: Asked, mention: Mention, sketch: Sketch, table: bool) -> bool:
    """True when what is named is part of the query."""
    tables, columns = _parts(asked, sketch)
    if not table and asked.is_verb(mention):
        entries = [asked.column(option.id) for option in mention.options]
        told = asked.word(mention.span.end) in AFTER_DEEDS
        return any(e.table in tables and (told or not _tells_apart(e)) for e in entries) or any(
            e.id in columns for e in entries
        )
    return any(option.id in (tables if table else columns) for option in mention.options)


def _tells_apart(entry: ColumnEntry) -> bool:
    """True when the column of a participle holds for some rows only: `closed`, but not `hired`."""
    return entry.column.nullable or not entry.temporal


def _parts(asked: Asked, sketch: Sketch) -> tuple[set[int], set[int]]:
    tables = set(sketch.tree.tables)
    terms = [*sketch.select, *sketch.group, *(o.term for o in sketch.order)]
    terms += [c.term for c in (*sketch.where, *sketch.having)]
    terms += [condition.term for term in terms for condition in term.when]
    columns = {column for term in terms for column in term.columns}
    conditions = [*sketch.where, *(c for term in sketch.select for c in term.when)]
    inner = [c.query for c in conditions if c.query is not None]
    inner += [sketch.compound[1]] if sketch.compound is not None else []
    for query in inner:
        more = _parts(asked, query)
        tables |= more[0]
        columns |= more[1]
    return tables, columns


def _signs(question: str) -> Iterator[str]:
    """Signs that are no words, such as emoji: nothing reads them."""
    for sign in dict.fromkeys(question):
        if ord(sign) > 0x2190 and not sign.isalnum():
            yield sign
