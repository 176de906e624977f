"""`How many` and `how much`: rows are counted, different values, or an amount is added up."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.kinds import is_plural, things_of_kind
from oldhand.agent.analyst.candidates.sales import pieces_counted
from oldhand.agent.analyst.words.links import Cue, Mention, Option
from oldhand.lexicon.entries import words
from oldhand.query.form import Aggregate, Count, Expression
from oldhand.record.schema import Kind

_EACH = words("grouping.each")


def count_slot(asked: Asked, cue: Cue) -> Slot:
    """`How many X`: the rows of X, its distinct values, or a column that holds a number of X."""
    choices: list[Choice] = []
    start = cue.span.end
    for mention in list(asked.tables_after(start, 4))[:2]:
        gap = mention.span.start - start
        for rank, option in enumerate(mention.options[:3]):
            choices.extend(_count_rows(asked, cue, mention, option, (rank, gap)))
    for mention in list(asked.columns_after(start, 3))[:2]:
        gap = mention.span.start - start
        grouped = _EACH & set(asked.words(start, mention.span.start))
        if asked.is_thing(mention, 0.95) or grouped or asked.is_value(mention):
            continue
        for option in mention.options[:3]:
            if asked.column(option.id).column.kind is Kind.BOOLEAN:
                continue
            choices.extend(_count_column(asked, cue, mention, option, gap))
    if cue.kind == "how_much":
        choices.extend(_sums(asked, cue))
    choices.extend(pieces_counted(asked, cue))
    choices.extend(_of_kind(asked, cue))
    if not any(choice.table >= 0 for choice in choices):
        for table in asked.named_tables:
            features: Features = (
                ("count.table_elsewhere", 1.0),
                ("count.rows", asked.named_tables[table]),
            )
            choices.append(_rows(cue.span.mask, table, cue.span.start, features))
    return Slot(cue.span.mask, (*choices, skip("count")))


def _of_kind(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`How many technicians`: the rows whose value is that kind of thing."""
    for mention in asked.links.values:
        if cue.span.end <= mention.span.start <= cue.span.end + 1 and is_plural(asked, mention):
            for table, score in things_of_kind(asked, mention).items():
                features: Features = (("count.of_kind", score),)
                yield _rows(cue.span.mask, table, cue.span.start, features)


def _sums(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`How much did they spend`: the sum of an amount that is named anywhere."""
    for mention in asked.links.columns:
        for option in mention.options[:2]:
            entry = asked.column(option.id)
            if entry.measures and not asked.is_thing(mention):
                features: Features = (
                    ("count.how_much_sum", option.score),
                    ("sel.near", option.nearness),
                )
                used = cue.span.mask | mention.span.mask
                term = (Aggregate("sum", asked.ref(option.id)),)
                bit = asked.table_bit(option.id)
                yield Choice("select", features, used, bit, cue.span.start, term)


def _rows(used: int, table: int, position: int, features: Features) -> Choice:
    return Choice("select", features, used, 1 << table, position, (Count(),), table=table)


def _count_rows(
    asked: Asked, cue: Cue, mention: Mention, option: Option, where: tuple[int, int]
) -> Iterator[Choice]:
    rank, gap = where
    used = cue.span.mask | mention.span.mask
    features: Features = (
        ("count.rows", option.score),
        ("count.rank", float(rank)),
        ("count.gap", float(gap)),
    )
    if cue.kind == "how_much":
        features += (("count.how_much", 1.0),)
    yield _rows(used, option.id, cue.span.start, features)
    if key := asked.key(option.id):
        term = Count(asked.ref(key[0]), distinct=True)
        extra: Features = (*features, ("count.distinct_key", 1.0))
        yield Choice(
            "select", extra, used, 1 << option.id, cue.span.start, (term,), table=option.id
        )


def _count_column(
    asked: Asked, cue: Cue, mention: Mention, option: Option, gap: int
) -> Iterator[Choice]:
    entry = asked.column(option.id)
    used = cue.span.mask | mention.span.mask
    distinct = asked.cue_before(mention.span.start, 1, "distinct") is not None
    features: Features = (
        ("count.column", option.score),
        ("sel.near", option.nearness),
        ("count.gap", float(gap)),
    )
    forms: list[tuple[str, Expression]] = [
        (
            "count.distinct_cue" if distinct else "count.distinct",
            Count(asked.ref(option.id), distinct=True),
        )
    ]
    if not distinct:
        plain = "count.plain" if entry.numeric or entry.key_like else "count.plain_attribute"
        forms.append((plain, Count(asked.ref(option.id))))
        if asked.is_attribute(option.id) and asked.stands_alone(mention):
            features += (("count.attribute_alone", 1.0),)
            forms[0] = ("count.distinct_alone", forms[0][1])
    if entry.measures:
        forms.append(("count.as_quantity", asked.ref(option.id)))
        forms.append(("count.sum", Aggregate("sum", asked.ref(option.id))))
    for name, term in forms:
        tables = asked.table_bit(option.id)
        yield Choice("select", (*features, (name, 1.0)), used, tables, cue.span.start, (term,))
