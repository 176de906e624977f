"""What a verb speaks of: `never prescribed`, `sold most often` and `handled the most` name tables."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Slot, skip
from oldhand.agent.analyst.candidates.sales import is_selling, sold
from oldhand.agent.analyst.words.links import Option, Span


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
            if option.score >= 0.8:
                yield option, mention.span
    if not asked.word(place).endswith("ed"):
        return
    for mention in asked.columns_after(place, 0):
        good = [option for option in mention.options if option.score >= 0.8]
        likely = [option for option in mention.options if option.score >= 0.5]
        if any(asked.named_tables.get(asked.column(option.id).table) for option in likely):
            return
        for option in good:
            entry = asked.column(option.id)
            yield Option(entry.table, option.score, 0.0), mention.span


def deed_slots(asked: Asked) -> list[Slot]:
    """`Customers who have returned something`: there is a row of what was done."""
    slots: list[Slot] = []
    for place in range(1, len(asked.links.tokens)):
        if asked.region(Span(place, place + 1)) != "F" or not asked.word(place).endswith("ed"):
            continue
        choices = [
            Choice(
                "join",
                (("join.deed", option.score),),
                span.mask,
                1 << option.id,
                place,
                table=option.id,
            )
            for option, span in done_at(asked, place)
        ]
        if choices:
            slots.append(Slot(choices[0].used, (*choices, skip("deed"))))
    return slots
