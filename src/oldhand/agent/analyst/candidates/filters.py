"""What narrows the rows: values, numbers and times, each with the column that it belongs to."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import (
    PASSED,
    Choice,
    Features,
    Slot,
    skip,
    slot,
    where,
)
from oldhand.agent.analyst.candidates.whereabouts import own_places, workplace
from oldhand.agent.analyst.words.links import (
    Cue,
    LinkOption,
    Mention,
    ValueMention,
    ValueOption,
    spans,
)
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import word_stems
from oldhand.query.form import Comparison
from oldhand.record.schema import Kind

_AS_WELL = 0.1
"""By how much less a column may fit that is empty, in place of the one that fits best."""
_REACH_BEFORE, _REACH_AFTER = 5, 2
"""Words that may stand between a value and the name of its column."""
_LEADING = words("places.prepositions")
_PLACES = word_stems("places.areas")
_QUALIFIED = 0.3
"""By how much less a place is meant that is called more than one."""
_PATTERNS = {"starts": ("{}%", "starts"), "ends": ("%{}", "ends"), "contains": ("%{}%", "contains")}


def value_slots(asked: Asked) -> list[Slot]:
    """One slot for each value, with the columns that may hold it."""
    return [_value_slot(asked, mention) for mention in asked.links.values]


def _value_slot(asked: Asked, mention: ValueMention) -> Slot:
    pattern = asked.cue_before(mention.span.start, 2, "starts", "ends", "contains")
    choices: list[Choice] = []
    if pattern is not None:
        choices.extend(_pattern_choices(asked, mention, pattern))
    ranked = enumerate(_ranked(asked, mention)[:5])
    choices += [_equals(asked, mention, option, rank) for rank, option in ranked]
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
        own = _QUALIFIED if named is None and _is_another_place(asked, option.column) else 0.0
        return option.score + (named[0] if named else 0.0) + 0.5 * near - own

    roles = [_in_role(asked, option, table) for option in mention.options for table in asked.roles]
    options = [*mention.options, *(option for option in roles if option is not None)]
    return sorted(options, key=lambda option: (-rank(option), option.column))


def _is_another_place(asked: Asked, column: int) -> bool:
    """True for the home town of those who are not spoken of: what is `in Leeds` is rather in a city that is called no more."""
    entry = asked.column(column)
    more = {*entry.forms[0]} - asked.vocabulary.tables[entry.table].words
    return bool(more & _PLACES and more - _PLACES) and entry.table not in asked.named_tables


def _in_role(asked: Asked, option: ValueOption, table: int) -> ValueOption | None:
    """The same value of those who play a role: `who report to Dr. Lind`."""
    entry = asked.vocabulary.tables[table]
    own = asked.vocabulary.tables[entry.of].columns
    if option.column not in own:
        return None
    return replace(option, column=entry.columns[own.index(option.column)])


def named_near(
    asked: Asked, start: int, end: int, column: int
) -> tuple[float, Mention, int] | None:
    """A mention of `column` close to a span: how well it fits, the mention, and its distance."""
    best: tuple[float, Mention, int] | None = None
    for mention in asked.links.columns:
        before, after = start - mention.span.end, mention.span.start - end + 1
        distance = max(before, after, 0)
        if distance > (_REACH_BEFORE if before >= 0 else _REACH_AFTER):
            continue
        for option in mention.options:
            fit = option.score * (1.0 - 0.08 * distance)
            if option.id == column and (best is None or fit > best[0]):
                best = (fit, mention, distance)
    return best


def filter_features(asked: Asked, start: int, end: int, column: int) -> tuple[Features, int]:
    """How well a column goes with the words around a value, and the tokens that name it."""
    entry = asked.column(column)
    features: Features = (("where.table", asked.nearness(entry.table)),)
    used = 0
    known = asked.plain(column)
    if named := named_near(asked, start, end, known):
        fit, mention, distance = named
        whole = mention.best.score >= 0.95  # the `amount` in May is no `paid_on`
        least = 0.8 if whole else 0.5
        meant = any(o.id == known and o.score >= least for o in mention.options)
        features += (("where.named", fit),) if meant or not whole else ()
        if meant and (distance <= 1 or asked.region(mention.span) != "S"):
            used = mention.span.mask & ~_things_in(asked, mention)
    features += (("where.word_near", asked.word_near(known, start)),)
    features += (("where.key", 1.0),) if entry.column.primary_key or entry.foreign else ()
    return features + ((("where.label", 1.0),) if entry.name_like else ()), used


def _things_in(asked: Asked, mention: Mention) -> int:
    """The tokens of a column's description that name things by themselves: `suppliers come from`."""
    if mention.best.score >= 0.9:
        return 0
    return spans(m for m in asked.links.tables if m.best.score >= 0.9)


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
        ("where.own_name", _is_own_name(asked, span.start, option.column)),
    )
    condition = Comparison(asked.ref(option.column), operator, values)
    return where(asked, span.start, used | span.mask, features, condition)


def _is_own_name(asked: Asked, start: int, column: int) -> float:
    """1 for the name of the very things that stand before a preposition: `albums by Iron Maiden` are not called so.

    Nor do they come from what belongs to them, such as a track of that name.
    """
    entry, led = asked.column(column), asked.word(start - 1)
    if not entry.name_like or led not in _LEADING:
        return 0.0
    things = {m.best.id for m in asked.links.tables if m.span.end == start - 1}
    parts = (part for thing in things if led == "by" for part in asked.vocabulary.joins.holders(thing))  # fmt: skip
    return float(entry.table in {*things, *parts})


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
        yield where(asked, mention.span.start, used, features, condition)


def _unknown_value(asked: Asked, mention: ValueMention) -> Iterator[Choice]:
    """Quoted words that no column holds: the answer may well be that there are none."""
    named = asked.word(mention.span.start - 1) in ("named", "called")
    for column, score in _text_columns(asked, mention):
        if named and not asked.column(column).name_like:
            continue
        features, used = filter_features(asked, mention.span.start, mention.span.end, column)
        features += (("where.unknown_value", 1.0), ("where.text_column", score))
        condition = Comparison(asked.ref(column), "=", (mention.text,))
        yield where(asked, mention.span.start, used | mention.span.mask, features, condition)


def _text_columns(asked: Asked, mention: ValueMention) -> list[tuple[int, float]]:
    start, end = mention.span.start, mention.span.end
    scored: dict[int, float] = {}
    for near in (*asked.columns_before(start, 6), *asked.columns_after(end, 2)):
        for option in near.options[:3]:
            score = option.score + 0.5 * option.nearness
            scored[option.id] = max(scored.get(option.id, 0.0), score)
    for table, score in asked.named_tables.items():
        for column in asked.labels(table)[:1]:
            scored.setdefault(column, 0.3 * score)
    textual = [c for c in scored if asked.column(c).textual]
    return sorted(((c, scored[c]) for c in textual), key=lambda pair: (-pair[1], pair[0]))[:3]


def flags(asked: Asked) -> Iterator[tuple[Mention, list[LinkOption]]]:
    """Yes-or-no columns that are named, with the words that name them."""
    for mention in asked.links.columns:
        sure = (option for option in mention.options[:3] if option.score >= 0.6)
        options = [o for o in sure if asked.column(o.id).column.kind is Kind.BOOLEAN]
        if options:
            yield mention, options


def boolean_slots(asked: Asked) -> Iterator[Slot]:
    """`discontinued`: a yes-or-no column that is named narrows the rows."""
    for mention, options in flags(asked):
        choices: list[Choice] = []
        for option in options:
            features: Features = (
                ("where.flag", option.score),
                ("where.flag_before_thing", float(asked.before_thing(mention))),
                ("sel.near", option.nearness),
            )
            condition = Comparison(asked.ref(option.id), "=", (True,))
            span = mention.span
            choices.append(where(asked, span.start, span.mask, features, condition))
        yield Slot(mention.span.mask, (*choices, PASSED))


def null_slots(asked: Asked) -> Iterator[Slot]:
    """`missing`, `unknown`: rows in which a column is empty."""
    for cue in asked.links.cues_of("null"):
        start, end = cue.span.start, cue.span.end
        choices: list[Choice] = []
        near = (*asked.columns_before(start, 3), *asked.columns_after(end, 3))
        fit = max((mention.best.score for mention in near), default=0.0)
        for mention in near:
            used = cue.span.mask | mention.span.mask
            for option in (one for one in mention.options[:2] if one.score > fit - _AS_WELL):
                features: Features = (("where.null", option.score), ("sel.near", option.nearness))
                condition = Comparison(asked.ref(option.id), "null")
                choices.append(where(asked, start, used, features, condition))
        yield from slot(cue.span.mask, choices, skip("null"))
