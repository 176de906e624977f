"""Orders in words: `sorted by price, highest first`, `the 3 with the most orders`, `ordered last`."""

from oldhand.query.aggregates import AGGREGATES
from oldhand.query.describing.nouns import acts, happened, noun, one_of
from oldhand.query.describing.terms import Terms
from oldhand.query.form import (  # fmt: skip
    Aggregate,
    Case,
    ColumnRef,
    Count,
    Expression,
    Order,
    Query,
    Value,
    Worth,
)
from oldhand.query.known import known_column
from oldhand.query.walk import is_measure
from oldhand.record.schema import Kind

_OF_TEXTS = ("last", "first")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")  # fmt: skip


def order_words(speaker: Terms, query: Query) -> str:
    """In which order the rows come, and how many of them."""
    first, count = query.offset + 1, query.limit
    each = " and ".join(speaker.term(one) for one in query.each)
    within = f" in each {each}" if each else ""
    if len(query.order) == 1 and count is not None and not query.order[0].nulls:
        ones = "the one" if count == 1 else f"the {count:,}"
        if query.offset and count > 1:
            ones = f"numbers {first:,} to {query.offset + count:,} of those"
        offset = query.offset if count == 1 else 0
        return f"{ones} {superlative(speaker, query.order[0], offset)}{within}"
    said = (
        [f"sorted by {' and '.join(sorted_by(speaker, one) for one in query.order)}"]
        if query.order
        else []
    )
    if count is not None or query.offset:
        until = "" if count is None else f" to {query.offset + count:,}"
        cut = f"numbers {first:,}{until or ' and on'}" if query.offset else f"the first {count:,}"
        said.append(cut + within)
    return ", ".join(said)


def sorted_by(speaker: Terms, order: Order) -> str:
    """What rows are sorted by: `price, highest first`; of a case that only tells some rows from others, which of them come first."""
    match order.by:
        case Case(when=((met, Value(0)),), otherwise=Value(1)) if not order.descending:
            return f"those {speaker.conditions((met,))} first"
        case _:
            pass
    words = _extremes(speaker, order.by)
    way = f"{words[not order.descending]} first"
    if words == _OF_TEXTS:
        way = "from Z to A" if order.descending else "from A to Z"
    nulls = f", unknown ones {order.nulls}" if order.nulls else ""
    return f"{speaker.term(order.by)}, {way}{nulls}"


def _extremes(speaker: Terms, by: Expression) -> tuple[str, str]:
    """What the greatest and the least are called."""
    if speaker.is_timely(by):
        return "latest", "earliest"
    known = (
        known_column(by, speaker.schemas) if isinstance(by, ColumnRef) and speaker.exact else None
    )
    of_texts = known is not None and known.kind is Kind.TEXT
    return _OF_TEXTS if of_texts else ("highest", "lowest")


def superlative(speaker: Terms, order: Order, passed: int = 0) -> str:
    """What the first rows in an order are: `with the highest price`, `ordered last`, `with the most orders`."""
    by, most = order.by, order.descending
    place = "" if not passed else f"{ordinal(passed + 1)} "
    if isinstance(by, Count) and by.of is None:
        relation = speaker.counted()
        things = noun(relation) if relation is not None else "rows"
        return f"with the {place}{'most' if most else 'fewest'} {things}"
    if said := _happening(speaker, by, place, most=most):
        return said
    word = _extremes(speaker, by)[not most]
    if word in _OF_TEXTS:
        return f"{place}{word} by {speaker.term(by)}"
    said = speaker.term(by)
    if not speaker.exact and isinstance(by, Aggregate) and isinstance(by.of, Worth):
        said = "revenue"
    in_time = {one.word: one.of_times for one in AGGREGATES.values() if one.of_times}
    begun = said.startswith((f"{word} ", f"{in_time.get(word, word)} "))
    same = begun and (not speaker.exact or is_measure(by))
    return f"with the {place}{said if same else f'{word} {said}'}"


def _happening(speaker: Terms, by: Expression, place: str, *, most: bool) -> str:
    """`ordered last`, or `of the order placed last` where another row was placed."""
    column = by.of if isinstance(by, Aggregate) and by.function in ("max", "min") else by
    event = happened(column.name) if isinstance(column, ColumnRef) else None
    if event is None or not isinstance(column, ColumnRef) or (speaker.exact and column is not by):
        return ""
    said = (
        f"{'that ' * acts(event[0])}{event[0]} {place}{'last' if most else 'first' * (not place)}"
    )
    said = said.rstrip()
    return said if column.of == speaker.main or speaker.main is None else f"of the {one_of(column.of)} {said}"  # fmt: skip


def ordinal(place: int) -> str:
    """A place in an order in words.

    >>> ordinal(2), ordinal(12)
    ('second', '12th')
    """
    return _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"{place}th"
