"""Groups: `for each country`, `per month`, `by category`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.sketch import Term
from oldhand.agent.analyst.linking.links import Cue, Span

_PARTS = {"year": "year", "month": "month", "yearly": "year", "monthly": "month", "years": "year", "months": "month"}  # fmt: skip


def group_slots(asked: Asked) -> list[Slot]:
    """One slot for each phrase that may name the groups."""
    slots: list[Slot] = []
    taken = 0
    for cue in asked.links.cues_of("per", "group", "by"):
        if cue.span.mask & taken or _is_order(asked, cue):
            continue
        taken |= cue.span.mask
        choices = list(_choices(asked, cue))
        if choices:
            slots.append(Slot(cue.span.mask, (*choices, skip(_kind(asked, cue)))))
    return slots


def _kind(asked: Asked, cue: Cue) -> str:
    """`by` names groups where something is counted or averaged, else it hardly ever does."""
    if cue.kind != "by":
        return cue.kind
    before = asked.cue_before(cue.span.start, 8, "count", "avg", "sum", "max", "min", "how_much")
    narrowing = asked.links.regions[max(cue.span.start - 1, 0)] == "F"
    return "by_aggregate" if before is not None and not narrowing else "by"


def _is_order(asked: Asked, cue: Cue) -> bool:
    return any(cue.span.overlaps(other.span) for other in asked.links.cues_of("order"))


def _choices(asked: Asked, cue: Cue) -> Iterator[Choice]:
    start = cue.span.end
    part = next((p for i in (start, start + 1) if (p := _PARTS.get(asked.word(i)))), "")
    if part:
        yield from _by_part(asked, cue, part)
    columns = [
        m for m in asked.columns_after(start, 2) if m.best.score >= 0.4 and not asked.is_thing(m)
    ]
    for mention in columns[:1]:
        for rank, option in enumerate(mention.options[:4]):
            features: Features = (
                (f"group.{_kind(asked, cue)}", 1.0),
                ("group.column", option.score),
                ("group.near", option.nearness),
                ("group.rank", float(rank)),
            )
            bit = asked.table_bit(option.id)
            yield from _shown(cue, mention.span, features, (Term(option.id),), bit)
    for mention in list(asked.tables_after(start, 2))[:1]:
        if any(column.span.start == mention.span.end for column in columns):
            continue
        for option in mention.options[:2]:
            features = ((f"group.{_kind(asked, cue)}", 1.0), ("group.table", option.score))
            labels = asked.labels(option.id)[:1]
            keys = [key for key in asked.key(option.id)[:1] if key not in labels]
            for column in labels:
                label: Features = (*features, ("group.label", 1.0))
                yield from _shown(
                    cue, mention.span, label, (Term(column),), 1 << option.id, option.id
                )
            for column in keys:
                key: Features = (*features, ("group.key", 1.0))
                yield from _shown(
                    cue, mention.span, key, (Term(column),), 1 << option.id, option.id
                )


def _shown(
    cue: Cue, named: Span, features: Features, terms: tuple[Term, ...], bit: int, table: int = -1
) -> Iterator[Choice]:
    used = cue.span.mask | named.mask
    for shown, name in (("first", "shown"), ("placed", "placed"), ("", "hidden")):
        extra: Features = (*features, (f"group.{name}", 1.0))
        yield Choice("group", extra, used, bit, cue.span.start, terms, table=table, shown=shown)


def _by_part(asked: Asked, cue: Cue, part: str) -> Iterator[Choice]:
    """`per month`: a part of a date column of a table that is named."""
    for number, entry in enumerate(asked.vocabulary.columns):
        near = asked.meant(entry.table)
        if entry.temporal and near > 0:
            features: Features = ((f"group.{_kind(asked, cue)}", 1.0), ("group.part", near))
            span = Span(cue.span.start, min(cue.span.end + 1, len(asked.links.tokens)))
            yield from _shown(cue, span, features, (Term(number, part=part),), 1 << entry.table)
