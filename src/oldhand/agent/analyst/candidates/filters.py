"""What narrows the rows: values, numbers and times, each with the column that it belongs to."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.whereabouts import own_places, workplace
from oldhand.agent.analyst.words.links import Cue, Mention, Option, ValueMention, ValueOption
from oldhand.query.form import Comparison
from oldhand.record.schema import Kind

_PATTERNS = {"starts": ("{}%", "starts"), "ends": ("%{}", "ends"), "contains": ("%{}%", "contains")}


def value_slots(asked: Asked) -> list[Slot]:
    """One slot for each value, with the columns that may hold it."""
    return [_value_slot(asked, mention) for mention in asked.links.values]


def _value_slot(asked: Asked, mention: ValueMention) -> Slot:
    pattern = asked.cue_before(mention.span.start, 2, "starts", "ends", "contains")
    choices: list[Choice] = []
    if pattern is not None:
        choices.extend(_pattern_choices(asked, mention, pattern))
    for rank, option in enumerate(_ranked(asked, mention)[:5]):
        choices.append(_equals(asked, mention, option, rank))
    for option in own_places(asked, mention):
        placed = _equals(asked, mention, option, 0)
        choices.append(replace(placed, features=(*placed.features, ("where.own_place", 1.0))))
    if not choices:
        choices.extend(_unknown_value(asked, mention))
    best = max((option.score for option in mention.options), default=1.0)
    left = skip("quoted" if mention.quoted else "value", best)
    return Slot(mention.span.mask, (*choices, left))


def _ranked(asked: Asked, mention: ValueMention) -> list[ValueOption]:
    def rank(option: ValueOption) -> float:
        named = named_near(asked, mention.span.start, mention.span.end, option.column)
        near = asked.nearness(asked.column(option.column).table)
        return option.score + (named[0] if named else 0.0) + 0.5 * near

    roles = [_in_role(asked, option, table) for option in mention.options for table in asked.roles]
    options = [*mention.options, *(option for option in roles if option is not None)]
    return sorted(options, key=lambda option: (-rank(option), option.column))


def _in_role(asked: Asked, option: ValueOption, table: int) -> ValueOption | None:
    """The same value of those who play a role: `who report to Dr. Lind`."""
    entry = asked.vocabulary.tables[table]
    own = asked.vocabulary.tables[entry.of].columns
    if option.column not in own:
        return None
    return replace(option, column=entry.columns[own.index(option.column)])


def named_near(
    asked: Asked, start: int, end: int, column: int, reach: int = 5
) -> tuple[float, Mention, int] | None:
    """A mention of `column` close to a span: how well it fits, the mention, and its distance."""
    best: tuple[float, Mention, int] | None = None
    for mention in asked.links.columns:
        if mention.span.start < end and mention.span.end > start:
            distance = 0
        else:
            before = start - mention.span.end
            distance = before if before >= 0 else mention.span.start - end + 1
            if distance > (reach if before >= 0 else 2):
                continue
        for option in mention.options:
            fit = option.score * (1.0 - 0.08 * distance)
            if option.id == column and (best is None or fit > best[0]):
                best = (fit, mention, distance)
    return best


def filter_features(asked: Asked, start: int, end: int, column: int) -> tuple[Features, int]:
    """How well a column goes with the words around a value, and the tokens that name it."""
    entry = asked.column(column)
    features: list[tuple[str, float]] = [("where.table", asked.nearness(entry.table))]
    used = 0
    if named := named_near(asked, start, end, column):
        features.append(("where.named", named[0]))
        meant = any(o.id == column and o.score >= 0.5 for o in named[1].options)
        if meant and (named[2] <= 1 or asked.region(named[1].span) != "S"):
            used = named[1].span.mask & ~_things_in(asked, named[1])
    features.append(("where.word_near", asked.word_near(column, start)))
    if entry.column.primary_key or entry.foreign:
        features.append(("where.key", 1.0))
    if entry.name_like:
        features.append(("where.label", 1.0))
    return tuple(features), used


def _things_in(asked: Asked, mention: Mention) -> int:
    """The tokens of a column's description that name things by themselves: `suppliers come from`."""
    if mention.best.score >= 0.9:
        return 0
    return sum(m.span.mask for m in asked.links.tables if m.best.score >= 0.9)


def _equals(asked: Asked, mention: ValueMention, option: ValueOption, rank: int) -> Choice:
    span = mention.span
    features, used = filter_features(asked, span.start, span.end, option.column)
    if option.operator != "=":
        used = 0  # `the average total of big orders`: who says what is big has named its column
    values = option.values
    operator = "in" if option.operator == "=" and len(values) > 1 else option.operator
    if asked.roles:
        table = asked.column(option.column).table
        features += (("where.role", asked.told_of(table, span.start)),)
    features += (
        ("where.score", option.score),
        ("where.rank", float(rank)),
        ("where.quoted", float(mention.quoted)),
        ("where.words", float(span.end - span.start)),
        ("where.several_values", float(operator == "in")),
        (f"where.region_{asked.region(span)}", 1.0),
        ("where.workplace", workplace(asked, span.start, option.column)),
    )
    condition = Comparison(asked.ref(option.column), operator, values)
    bit = asked.table_bit(option.column)
    return Choice("where", features, used | span.mask, bit, span.start, condition=condition)


def _pattern_choices(asked: Asked, mention: ValueMention, cue: Cue) -> Iterator[Choice]:
    form, name = _PATTERNS[cue.kind]
    known = not mention.quoted and any(option.score >= 0.8 for option in mention.options)
    if known and cue.kind == "contains":
        return  # `orders that contain tents` have lines with tents, no letters
    for column, score in _text_columns(asked, mention):
        features, used = filter_features(asked, mention.span.start, mention.span.end, column)
        features += ((f"where.{name}", 1.0), ("where.text_column", score))
        condition = Comparison(asked.ref(column), "like", (form.format(mention.text),))
        used |= mention.span.mask | cue.span.mask
        bit = asked.table_bit(column)
        yield Choice("where", features, used, bit, mention.span.start, condition=condition)


def _unknown_value(asked: Asked, mention: ValueMention) -> Iterator[Choice]:
    """Quoted words that no column holds: the answer may well be that there are none."""
    named = asked.word(mention.span.start - 1) in ("named", "called")
    for column, score in _text_columns(asked, mention):
        if named and not asked.column(column).name_like:
            continue
        features, used = filter_features(asked, mention.span.start, mention.span.end, column)
        features += (("where.unknown_value", 1.0), ("where.text_column", score))
        condition = Comparison(asked.ref(column), "=", (mention.text,))
        bit = asked.table_bit(column)
        yield Choice(
            "where",
            features,
            used | mention.span.mask,
            bit,
            mention.span.start,
            condition=condition,
        )


def _text_columns(asked: Asked, mention: ValueMention) -> list[tuple[int, float]]:
    scored: dict[int, float] = {}
    for near in (
        *asked.columns_before(mention.span.start, 6),
        *asked.columns_after(mention.span.end, 2),
    ):
        for option in near.options[:3]:
            if asked.column(option.id).column.kind in (Kind.TEXT, Kind.OTHER):
                score = option.score + 0.5 * option.nearness
                scored[option.id] = max(scored.get(option.id, 0.0), score)
    for table, score in asked.named_tables.items():
        label = asked.labels(table)[:1]
        for column in label:
            if asked.column(column).column.kind in (Kind.TEXT, Kind.OTHER):
                scored.setdefault(column, 0.3 * score)
    return sorted(scored.items(), key=lambda pair: (-pair[1], pair[0]))[:3]


def flags(asked: Asked) -> Iterator[tuple[Mention, list[Option]]]:
    """Yes-or-no columns that are named, with the words that name them."""
    for mention in asked.links.columns:
        options = [
            option
            for option in mention.options[:3]
            if asked.column(option.id).column.kind is Kind.BOOLEAN and option.score >= 0.6
        ]
        if options:
            yield mention, options


def boolean_slots(asked: Asked) -> list[Slot]:
    """`discontinued`: a yes-or-no column that is named narrows the rows."""
    slots: list[Slot] = []
    for mention, options in flags(asked):
        start = mention.span.start
        before_thing = any(asked.tables_after(mention.span.end, 0)) or any(
            value.span.start == mention.span.end for value in asked.links.values
        )
        choices = [
            Choice(
                "where",
                (
                    ("where.flag", option.score),
                    ("where.flag_before_thing", float(before_thing)),
                    ("sel.near", option.nearness),
                ),
                mention.span.mask,
                asked.table_bit(option.id),
                start,
                condition=Comparison(asked.ref(option.id), "=", (True,)),
            )
            for option in options
        ]
        slots.append(Slot(mention.span.mask, (*choices, Choice("skip"))))
    return slots


def null_slots(asked: Asked) -> list[Slot]:
    """`missing`, `unknown`: rows in which a column is empty."""
    slots: list[Slot] = []
    for cue in asked.links.cues_of("null"):
        start, end = cue.span.start, cue.span.end
        choices: list[Choice] = []
        for mention in (*asked.columns_before(start, 3), *asked.columns_after(end, 3)):
            for option in mention.options[:2]:
                features: Features = (("where.null", option.score), ("sel.near", option.nearness))
                condition = Comparison(asked.ref(option.id), "null")
                used = cue.span.mask | mention.span.mask
                bit = asked.table_bit(option.id)
                choices.append(Choice("where", features, used, bit, start, condition=condition))
        if choices:
            slots.append(Slot(cue.span.mask, (*choices, skip("null"))))
    return slots
