"""Things that are called by their kind: `tents` are the products of the category Tents."""

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.links import Span, ValueMention
from oldhand.record.schema import Kind


def things_of_kind(asked: Asked, mention: ValueMention) -> dict[int, float]:
    """The tables whose rows a value stands for, with how surely; empty where the thing is named.

    A value of a column that names a row of its table, as in a table of categories, stands for the
    rows of the tables that refer to it.
    """
    beside = Span(max(mention.span.start - 1, 0), mention.span.end + 1)
    learned = any(one.span == mention.span for one in asked.links.spoken)
    if mention.quoted or any(
        m.span.overlaps(beside) and not (learned and _is_inside(m.span, mention.span))
        for m in asked.links.tables
    ):
        return {}
    found: dict[int, float] = {}
    for option in mention.options[:3]:
        entry = asked.column(option.column)
        kind = learned or entry.column.kind in (Kind.TEXT, Kind.OTHER)
        if not kind or option.score < 0.8:
            continue
        tables = [entry.table]
        if asked.labels(entry.table)[0] == entry.id and entry.name_like:
            edges = asked.vocabulary.joins.edges(entry.table)
            tables = [edge.left for edge in edges if edge.right == entry.table]
        for table in tables:
            found[table] = max(found.get(table, 0.0), option.score)
    return found


def _is_inside(inner: Span, outer: Span) -> bool:
    """True for `orders` in the learned phrase `big orders`, which stands for the rows by itself."""
    return outer.start <= inner.start and inner.end <= outer.end


def is_plural(asked: Asked, mention: ValueMention) -> bool:
    """True when the words of a value speak of several things."""
    return asked.word(mention.span.end - 1).endswith("s")
