"""What a verb speaks of: `never prescribed`, `sold most often` and `handled the most` name tables."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.sales import is_selling, sold
from oldhand.agent.analyst.linking.links import Option, Span


def done_at(asked: Asked, place: int) -> Iterator[tuple[Option, Span]]:
    """The tables that the verb at a place names, by themselves or by a column of theirs.

    `Ordered` names orders, `prescribed` names prescriptions by their column `prescribed_on`, and
    `sold` names the lines of the orders.
    """
    if is_selling(asked, place):
        for pieces in sold(asked):
            yield Option(pieces.table, 1.0, 0.0), Span(place, place + 1)
    for mention in asked.tables_after(place, 0):
        for option in mention.options[:2]:
            yield option, mention.span
    if not asked.word(place).endswith("ed"):
        return
    for mention in asked.columns_after(place, 0):
        for option in mention.options:
            entry = asked.column(option.id)
            if option.score >= 0.8 and not asked.named_tables.get(entry.table):
                yield Option(entry.table, option.score, 0.0), mention.span
