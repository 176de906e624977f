"""`How many` and `how much`: rows are counted, different values, or an amount is added up."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, skip
from oldhand.agent.analyst.candidates.only_amount import sole_worth
from oldhand.agent.analyst.candidates.sales import pieces_counted
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, LinkOption, Mention, Span, ValueMention, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.query.form import Aggregate, Count, Expression
from oldhand.query.units import units

_SAID_APART = words("grouping.in_all") | words("grouping.of_what_was_named")
_EACH = words("grouping.each")
_MONEY = word_stems("money.per_unit")
_COINS = frozenset(stem(name) for name, unit in units().items() if unit.kind == "money")
_COUNT = Count()


def things_of_kind(asked: Asked, mention: ValueMention) -> dict[int, float]:
    """The tables whose rows a value stands for, with how surely; empty where the thing is named.

    `Tents` are the products of the category Tents. A value of a column that names a row of its table, as in a table of categories, stands for the
    rows of the tables that refer to it.
    """
    beside = Span(max(mention.span.start - 1, 0), mention.span.end + 1)
    learned = any(one.span == mention.span for one in asked.links.spoken)
    if mention.quoted or any(
        m.span.overlaps(beside) and not (learned and mention.span.holds(m.span))
        for m in asked.links.tables
    ):
        return {}
    found: dict[int, float] = {}
    for option in mention.options[:3]:
        entry = asked.column(option.column)
        kind = learned or entry.textual
        if not kind or option.score < 0.8:
            continue
        tables = [entry.table]
        if entry.name_like and asked.is_label(entry):
            tables = asked.vocabulary.joins.holders(entry.table)
        for table in tables:
            found[table] = max(found.get(table, 0.0), option.score)
    return found


_THING = 0.8
"""How well things must be named for what they are worth to be asked for."""


def count_slot(asked: Asked, cue: Cue) -> Slot:
    """`How many X`: the rows of X, its distinct values, or a column that holds a number of X."""
    choices: list[Choice] = []
    start = cue.span.end
    if asked.cue_before(cue.span.start, 0, "avg") is not None and any(_numbers(asked, start)):
        return Slot(cue.span.mask, (skip("count"),))  # `average number of nights` counts no rows
    for mention in list(asked.tables_after(start, 4))[:2]:
        gap = mention.span.start - start if mention.span not in asked.deeds else 0
        for rank, option in enumerate(mention.options[:3]):
            choices.extend(_count_rows(asked, cue, mention, option, (rank, gap)))
    for mention in list(asked.columns_after(start, 3))[:2]:
        gap = mention.span.start - start
        grouped = _EACH & set(asked.words(start, mention.span.start))
        flag = asked.column(mention.best.id).is_flag
        valued = asked.is_value(mention) or asked.says_value(mention) or _is_deed(asked, mention)
        if asked.is_thing(mention, 0.95) or grouped or valued or flag or _is_told_of(asked, mention, start):  # fmt: skip
            continue
        for option in mention.options[:3]:
            choices.extend(_count_column(asked, cue, mention, option, gap))
    if cue.kind == "how_much":
        choices.extend(_sums(asked, cue))
    choices.extend(pieces_counted(asked, cue))
    choices.extend(_of_kind(asked, cue))
    if not any(choice.table >= 0 for choice in choices):
        for table, score in {**_of_value_words(asked), **asked.named_tables}.items():
            rows = ("count.rows", score)
            choices.append(_rows(asked, cue, 0, table, (("count.table_elsewhere", 1.0), rows)))
    return Slot(cue.span.mask, (*choices, skip("count")))


def _is_told_of(asked: Asked, mention: Mention, start: int) -> bool:
    """True for the stars of `how many 5 star reviews`, and for the fee of `how many rentals had a late fee`: things are counted of which they are told."""
    numbers = {number.span.end for number in asked.links.numbers if number.span.start >= start}
    led = asked.word(mention.span.start - 1) in ("a", "an")
    described = mention.span.start in numbers and any(asked.tables_after(mention.span.end, 0))
    return described or (led and any(asked.tables_after(start, 0)))


def _is_paid_for(asked: Asked, mention: Mention, option: LinkOption) -> bool:
    """True for the tickets of a `ticket_price`: who asks how many there are asks for no money."""
    entry, said = asked.column(option.id), {asked.links.tokens[p].stem for p in mention.span.places}
    in_money = entry.unit is not None and entry.unit.kind == "money"
    money = _MONEY | _COINS if in_money else _MONEY
    return not money.isdisjoint(entry.forms[0]) and money.isdisjoint(said)


def _numbers(asked: Asked, start: int) -> Iterator[Mention]:
    """Columns of numbers that are named at a place, and no things."""
    for mention in asked.columns_after(start, 0):
        if asked.column(mention.best.id).measures and not asked.is_thing(mention):
            yield mention


def _of_value_words(asked: Asked) -> dict[int, float]:
    """`How many women`, `how many were delivered`: the tables whose rows the words tell apart."""
    said = (
        m
        for m in asked.links.columns
        if asked.says_value(m)
        or _is_deed(asked, m)
        or (asked.column(m.best.id).is_flag and m.best.score >= WHOLE)
    )
    return {asked.column(m.best.id).table: m.best.score for m in said}


def _is_deed(asked: Asked, mention: Mention) -> bool:
    """True for a verb that is called like the day on which it was done."""
    return asked.column(mention.best.id).temporal and asked.is_verb(mention)


def said_apart(asked: Asked, kind: str) -> tuple[Cue, ...]:
    """The cue in `the cost of all visits in total` and `how much did they add up to`: it computes with what is named elsewhere."""
    compared = {number.span.start for number in asked.links.numbers}  # `cost on average 150`
    return tuple(
        cue
        for cue in asked.links.cues_of(kind)
        if _SAID_APART & {*_ending_at(asked, cue.span.end)} and cue.span.end not in compared
        and (kind == "avg" or not any(asked.columns_after(cue.span.end, 3)))
    )  # fmt: skip


def _ending_at(asked: Asked, end: int) -> Iterator[str]:
    """The last word before a place, and the last two."""
    return ("_".join(asked.words(start, end)) for start in (end - 1, end - 2) if start >= 0)


def _of_kind(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`How many technicians`: the rows whose value is that kind of thing."""
    for mention in asked.links.values:
        several = asked.word(mention.span.end - 1).endswith("s")
        several = several and mention.span not in asked.deeds
        if several and cue.span.end <= mention.span.start <= cue.span.end + 1:
            for table, score in things_of_kind(asked, mention).items():
                yield _rows(asked, cue, 0, table, (("count.of_kind", score),))


def _sums(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`How much did they spend`: the sum of an amount that is named anywhere."""
    for mention in asked.links.columns:
        for option in mention.options[:2]:
            entry = asked.column(option.id)
            own = (
                asked.named_tables.get(entry.table, 0.0) >= 0.8
            )  # `customers paid` may name payments
            if entry.measures and (own or not asked.is_thing(mention)):
                near = ("sel.near", option.nearness)
                features: Features = (("count.how_much_sum", option.score), near)
                used = cue.span.mask | mention.span.mask | spans(said_apart(asked, "sum"))
                term = Aggregate("sum", asked.ref(option.id))
                yield select(asked, cue.span.start, used, features, term)
    yield from _sums_of_things(asked, cue)


def _sums_of_things(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`How much did we invoice`: what the things are worth, where no column is named."""
    for mention in asked.tables_after(cue.span.end, 4):
        sole = sole_worth(asked, mention.best.id) if mention.best.score >= _THING else None
        if sole is not None and not any(asked.columns_after(cue.span.end, 4)):
            features: Features = (("count.how_much_sum", mention.best.score), ("sel.near", 1.0))
            used, term = cue.span.mask | mention.span.mask, Aggregate("sum", asked.ref(sole.id))
            yield select(asked, cue.span.start, used, features, term)


def counted_deeds(
    asked: Asked, mention: Mention, table: int
) -> Iterator[tuple[Count | Aggregate, Features]]:
    """How to count the rows that some words name: where these tell what was done with things, perhaps by the pieces; it is a guess then."""
    deed = asked.deeds.get(mention.span)
    if deed is None or table != deed.table:
        yield _COUNT, ()
        return
    if deed.dealt and deed.pieces is not None:
        yield Aggregate("sum", deed.pieces.ref), ()
        return
    guessed: Features = () if deed.sure and deed.pieces is None else (("count.guessed_deed", 1.0),)
    yield _COUNT, guessed
    if deed.pieces is not None:
        yield Aggregate("sum", deed.pieces.ref), guessed


def _rows(
    asked: Asked, cue: Cue, used: int, table: int, features: Features, count: Count = _COUNT
) -> Choice:
    return select(asked, cue.span.start, cue.span.mask | used, features, count, table=table)


def _count_rows(
    asked: Asked, cue: Cue, mention: Mention, option: LinkOption, where: tuple[int, int]
) -> Iterator[Choice]:
    rank, gap = where
    used = mention.span.mask
    features: Features = (
        ("count.rows", option.score),
        ("count.rank", float(rank)),
        ("count.gap", float(gap)),
    )
    if cue.kind == "how_much":
        features += (("count.how_much", 1.0),)
    for term, told in counted_deeds(asked, mention, option.id):
        taken = cue.span.mask | used
        yield select(asked, cue.span.start, taken, features + told, term, table=option.id)
    if len(key := asked.key(option.id)) == 1:
        by_key = Count(asked.ref(key[0]), distinct=True)
        extra: Features = (*features, ("count.distinct_key", 1.0))
        yield _rows(asked, cue, used, option.id, extra, by_key)


def _count_column(
    asked: Asked, cue: Cue, mention: Mention, option: LinkOption, gap: int
) -> Iterator[Choice]:
    if cue.kind != "how_much" and _is_paid_for(asked, mention, option):
        return
    entry = asked.column(option.id)
    used = cue.span.mask | mention.span.mask
    distinct = asked.cue_before(mention.span.start, 1, "distinct") is not None
    features: Features = (
        ("count.column", option.score),
        ("sel.near", option.nearness),
        ("count.gap", float(gap)),
    )
    column = asked.ref(option.id)
    forms: dict[str, Expression] = {}
    if distinct:
        forms["count.distinct_cue"] = Count(column, distinct=True)
    else:
        alone = asked.is_attribute(option.id) and asked.stands_alone(mention)
        features += (("count.attribute_alone", 1.0),) if alone else ()
        plain = "count.plain" if entry.numeric or entry.key_like else "count.plain_attribute"
        forms["count.distinct_alone" if alone else "count.distinct"] = Count(column, distinct=True)
        forms[plain] = Count(column)
    if entry.measures:
        forms["count.as_quantity"] = column
        forms["count.sum"] = Aggregate("sum", column)
    for name, term in forms.items():
        yield select(asked, cue.span.start, used, (*features, (name, 1.0)), term)
