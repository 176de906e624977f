"""Superlatives and sorting: `the oldest`, `the three most expensive`, `sorted by name`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.select import AGGREGATES, aggregates_before
from oldhand.agent.analyst.links import Cue, Mention, NumberMention, Option
from oldhand.agent.analyst.sketch import ROWS, Term
from oldhand.agent.analyst.wordlists import adjective_of

_DOWN = frozenset({"low", "small", "short", "bad", "few", "cheap", "light", "young", "early"})
_UP = frozenset({"high", "large", "great", "big", "most", "good", "long", "late", "recent", "new"})


def superlative_slots(asked: Asked) -> list[Slot]:
    """One slot for each superlative: sorted by a column or by a count, and cut."""
    slots: list[Slot] = []
    kinds = ("superlative", "most_count", "most_common", "max", "min", "top")
    for cue in [cue for kind in kinds for cue in asked.links.cues_of(kind)]:
        number = _number_beside(asked, cue)
        limit = int(number.value) if number else 1
        used = cue.span.mask | (number.span.mask if number else 0)
        for top in asked.links.cues_of("top"):
            if number and top.span.end == number.span.start:
                used |= top.span.mask
        choices = list(_sorted_by(asked, cue, limit, used))
        if not choices:
            continue
        name = "aggregate_word" if cue.kind in ("max", "min") else "superlative"
        slots.append(Slot(cue.span.mask, (*choices, skip(name))))
    return slots


def _number_beside(asked: Asked, cue: Cue) -> NumberMention | None:
    """How many: `top 3`, `3 youngest`, `the 3 employees with the lowest`."""
    whole = [n for n in asked.links.numbers if n.value == int(n.value) and 0 < n.value <= 1000]
    tops = {top.span.end for top in asked.links.cues_of("top")}
    things = {mention.span.start for mention in asked.links.tables}
    for number in whole:
        after = number.span.start == cue.span.end and cue.kind in ("top", "superlative")
        if after or number.span.end == cue.span.start:
            return number
    for number in whole:
        compared = asked.cue_before(number.span.start, 1, ">", ">=", "<", "<=") is not None
        thing = number.span.end in things and asked.region(number.span) == "S" and not compared
        if number.span.start in tops or thing:
            return number
    return None


def _sorted_by(asked: Asked, cue: Cue, limit: int, used: int) -> Iterator[Choice]:
    adjective = cue.argument.removeprefix("-")
    down = (
        cue.argument.startswith("-")
        or adjective in _DOWN
        or cue.argument == "asc"
        or cue.kind == "min"
    )
    down = (
        down
        or asked.word(cue.span.start) in ("bottom", "fewest")
        or (cue.kind == "top" and asked.word(cue.span.end - 1) == "bottom")
    )
    many: Features = (("super.many", float(limit > 1)), (f"super.{cue.kind}", 1.0))
    if cue.kind == "superlative" and adjective not in ("most", "few"):
        for option, upwards in asked.measured(adjective, cue.span.start):
            turned = cue.argument.startswith("-")
            features: Features = (
                *many,
                ("super.measure", option.score),
                ("sel.near", option.nearness),
            )
            yield _by_column(asked, cue, option, (upwards != turned, limit, used), features)
    if cue.kind in ("superlative", "max", "min", "top") and (
        adjective in _DOWN | _UP | {""} or adjective_of(adjective) is None
    ):
        for mention, name in _columns_beside(asked, cue):
            for option in mention.options[:4]:
                entry = asked.column(option.id)
                if not (entry.numeric or entry.temporal):
                    continue
                features = (
                    *many,
                    (name, option.score),
                    ("sel.near", option.nearness),
                    ("super.key", float(entry.key_like)),
                )
                both = used | mention.span.mask
                yield _by_column(asked, cue, option, (not down, limit, both), features)
                for aggregate in _aggregates(asked, mention):
                    extra: Features = (*features, ("super.aggregate", 1.0))
                    if name == "super.column_by":
                        extra += (("super.aggregate_by", 1.0),)
                    yield _by_column(asked, cue, option, (not down, limit, both), extra, aggregate)
    if cue.kind in ("superlative", "most_count", "most_common", "top") and adjective in (
        "most",
        "few",
        "asc",
        "",
        "popular",
    ):
        yield from _by_count(asked, cue, not down, limit, used)


def _aggregates(asked: Asked, mention: Mention) -> list[str]:
    """The aggregate that is named before the column; a sum may also be meant without a word."""
    named = [c.kind for c in aggregates_before(asked, mention.span.start) if c.kind in AGGREGATES]
    return named[-1:] or ["sum"]


def _columns_beside(asked: Asked, cue: Cue) -> Iterator[tuple[Mention, str]]:
    by = next((b for b in asked.links.cues_of("by") if b.span.start > cue.span.start), None)
    for mention in asked.columns_after(cue.span.end, 3):
        if by is None or mention.span.end <= by.span.start:
            yield mention, "super.column_after"
    for mention in asked.columns_before(cue.span.start, 3):
        yield mention, "super.column_before"
    if by is not None:
        for mention in asked.columns_after(by.span.end, 3):
            yield mention, "super.column_by"


def _by_column(
    asked: Asked, cue: Cue, option: Option, how: tuple[bool, int, int], features: Features, aggregate: str = ""
) -> Choice:  # fmt: skip
    descending, limit, used = how
    return Choice(
        "order",
        features,
        used,
        asked.table_bit(option.id),
        cue.span.start,
        (Term(option.id, aggregate),),
        descending=descending,
        limit=limit,
    )


def _by_count(asked: Asked, cue: Cue, descending: bool, limit: int, used: int) -> Iterator[Choice]:
    seen: set[int] = set()
    places = [(m, "super.count_after") for m in asked.tables_after(cue.span.end, 3)][:2]
    for mention, name in places:
        for option in mention.options[:3]:
            if option.id not in seen:
                seen.add(option.id)
                features: Features = (
                    (name, option.score),
                    ("super.gap", float(mention.span.start - cue.span.end)),
                )
                yield _counted(
                    asked, cue, option.id, (descending, limit, used | mention.span.mask), features
                )
    for table, score in asked.named_tables.items():
        near = {table: score}
        for edge in asked.vocabulary.joins.edges(table):
            near.setdefault(edge.other(table), 0.4 * score)
        for other, strength in near.items():
            if other not in seen:
                seen.add(other)
                name = "super.count_named" if other == table else "super.count_related"
                yield _counted(asked, cue, other, (descending, limit, used), ((name, strength),))


def _counted(
    asked: Asked, cue: Cue, table: int, how: tuple[bool, int, int], features: Features
) -> Choice:
    del asked
    descending, limit, used = how
    return Choice(
        "order",
        (*features, (f"super.{cue.kind}", 1.0), ("super.count", 1.0)),
        used,
        1 << table,
        cue.span.start,
        (Term(ROWS, "count"),),
        descending=descending,
        limit=limit,
        table=table,
    )


def order_slots(asked: Asked) -> list[Slot]:
    """`sorted by …`: the first order cue that names something, with its direction."""
    cues = asked.links.cues_of("order")
    if not cues:
        return []
    start = cues[0].span.start
    end = next(
        (i for i in range(start, len(asked.links.tokens)) if asked.word(i) in ("?", ";") or (asked.word(i) == "." and i > start)),
        len(asked.links.tokens),
    )  # fmt: skip
    used = sum({1 << i for cue in cues for i in range(cue.span.start, cue.span.end)})
    descending = False
    for cue in asked.links.cues_of("desc", "asc"):
        if start - 8 <= cue.span.start < end + 8:
            used |= cue.span.mask
            descending = descending or cue.kind == "desc"
    choices = list(_orders(asked, (start, end), used, descending))
    first = Choice(
        "order", (("order.first_selected", 1.0),), used, 0, start, (), descending=descending
    )
    return [Slot(used, (*choices, first, skip("order")))]


def _orders(asked: Asked, where: tuple[int, int], used: int, descending: bool) -> Iterator[Choice]:
    start, end = where
    yield from _by_counts(asked, where, used, descending)
    mentions = [m for m in asked.columns_after(start, end - start) if m.best.score >= 0.4]
    if not mentions:
        mentions = list(_named_by(asked, start))
    if not mentions:
        yield from _by_labels(asked, where, used, descending)
        return
    second = mentions[1] if mentions[1:] else None
    cues = [c.kind for c in aggregates_before(asked, mentions[0].span.start)]
    for option in mentions[0].options[:3]:
        features: Features = (("order.score", option.score), ("sel.near", option.nearness))
        bit = asked.table_bit(option.id)
        mask = used | mentions[0].span.mask
        one = (Term(option.id),)
        yield Choice("order", features, mask, bit, start, one, descending=descending)
        for aggregate in [kind for kind in cues if kind in AGGREGATES][:1]:
            extra: Features = (*features, ("order.aggregate", 1.0))
            of = (Term(option.id, aggregate),)
            yield Choice("order", extra, mask, bit, start, of, descending=descending)
        if second is not None:
            extra = (*features, ("order.second", second.best.score))
            two = (*one, Term(second.best.id))
            mask |= second.span.mask
            bit |= asked.table_bit(second.best.id)
            yield Choice("order", extra, mask, bit, start, two, descending=descending)


def _named_by(asked: Asked, start: int) -> Iterator[Mention]:
    """`by price in descending order`: the column stands before."""
    for cue in asked.links.cues_of("by"):
        if cue.span.end < start:
            yield from list(asked.columns_after(cue.span.end, 2))[:1]


def _by_counts(
    asked: Asked, where: tuple[int, int], used: int, descending: bool
) -> Iterator[Choice]:
    """`sorted by the number of orders`."""
    start, end = where
    for cue in asked.links.cues_of("count"):
        if not start <= cue.span.start < end:
            continue
        for mention in list(asked.tables_after(cue.span.end, 3))[:1]:
            mask = used | cue.span.mask | mention.span.mask
            for option in mention.options[:2]:
                features: Features = (("order.count", option.score),)
                term = (Term(ROWS, "count"),)
                bit = 1 << option.id
                yield Choice(
                    "order",
                    features,
                    mask,
                    bit,
                    start,
                    term,
                    descending=descending,
                    table=option.id,
                )


def _by_labels(
    asked: Asked, where: tuple[int, int], used: int, descending: bool
) -> Iterator[Choice]:
    """`sorted by customer`: by the customer's name."""
    start, end = where
    for mention in list(asked.tables_after(start, end - start))[:1]:
        features: Features = (("order.thing", mention.best.score),)
        mask = used | mention.span.mask
        bit = 1 << mention.best.id
        for label in asked.labels(mention.best.id)[:2]:
            yield Choice("order", features, mask, bit, start, (Term(label),), descending=descending)
