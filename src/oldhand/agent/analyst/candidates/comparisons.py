"""Numbers and times: compared with a column, with a count, or with an average."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.candidates.amounts import with_totals
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import (
    Choice,
    Features,
    Slot,
    having,
    select,
    skip,
    where,
)
from oldhand.agent.analyst.candidates.comparing import Compared, comparison_at
from oldhand.agent.analyst.candidates.measures import may_be_the_cost, measured
from oldhand.agent.analyst.candidates.only_amount import only_amount
from oldhand.agent.analyst.candidates.select import aggregates_before
from oldhand.agent.analyst.candidates.whereabouts import is_age
from oldhand.agent.analyst.candidates.yes_no import is_yes_no
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import LinkOption, Mention, NumberMention, Span
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.wording import is_past_form
from oldhand.query.form import Aggregate, Comparison, Count, Has, Query
from oldhand.query.negating import MIRRORED
from oldhand.query.units import kinds_of, units
from oldhand.record.schema import Kind

_BETWEEN = words("function_words.before_identifiers")
_NAMED: Features = (("num.score", 1.0), ("num.near", 1.0))
_SURE = 0.6
"""How well a word must fit a column that it names."""


def number_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each number that is not part of a value or a date."""
    for number in asked.links.numbers:
        comparison = comparison_at(asked, number)
        choices = [
            *_identified(asked, number),
            *_with_columns(asked, number, comparison),
            *_with_adjective(asked, comparison),
            *_with_unit(asked, comparison),
        ]
        named = (dict(choice.features).get("num.score", 1.0) for choice in choices)
        if comparison.operator != "=" and all(score < _SURE for score in named):
            amount = only_amount(asked, number, comparison)
            features: Features = (("num.sole", 1.0),)
            choices += _where(asked, comparison, amount.id, features, 0) if amount else ()
        if comparison.unit is None or comparison.unit.kind == "money":
            choices += _with_counts(asked, number.span, comparison)
        choices += with_totals(asked, number.span, comparison)
        left = skip("number_compared" if comparison.operator != "=" else "number")
        yield Slot(number.span.mask, (*choices, left))


def _with_unit(asked: Asked, comparison: Compared) -> Iterator[Choice]:
    """`Films over 150 minutes`: any column of what is named that is measured in such units."""
    unit = comparison.unit
    if unit is None:
        return
    verbs = frozenset(word for word, kind in meanings("units.verbs").items() if kind == unit.kind)
    used = asked.marked(verbs, comparison.start - 3, comparison.start)
    lasting = asked.word(comparison.start - 1) == "for"  # `with us for more than 5 years` is no age
    for entry in asked.vocabulary.columns:
        near = asked.meant(entry.table)
        if lasting and entry.id in asked.vocabulary.ages.values():
            continue
        if entry.measures and near >= 0.5 and comparison.for_column(entry, named=False):
            own = asked.vocabulary.tables[entry.table].words
            others = set(split_name(entry.column.name)) - own - units().keys()
            plain = all(unit.kind in kinds_of(word) for word in others)  # `wait_minutes` is not
            features: Features = (("num.unit", 0.5 + 0.5 * plain), ("num.near", near))
            yield from _where(asked, comparison, entry.id, features, used)


def _identified(asked: Asked, number: NumberMention) -> Iterator[Choice]:
    """`Order 17`, `ticket number 12`: the row whose key is the number right after the name of one thing."""
    for mention in asked.links.tables if number.text.isdigit() else ():
        between = asked.words(mention.span.end, number.span.start)
        one = not asked.word(mention.span.end - 1).endswith("s") and mention.best.score >= 0.8
        if mention.span.end > number.span.start or not one or not set(between) <= _BETWEEN:
            continue
        used = Span(mention.span.start, number.span.end).mask
        for option in mention.options[:2]:
            keys = asked.key(option.id)
            if len(keys) == 1 and asked.column(keys[0]).numeric:
                features: Features = (("num.identity", option.score),)
                key = asked.ref(keys[0])
                condition = Comparison(key, "=", (number.value,))
                shown = select(asked, mention.span.start, 0, (), key, table=option.id)
                along = (shown,) if is_yes_no(asked) else ()
                yield where(asked, number.span.start, used, features, condition, along)


def _with_columns(asked: Asked, number: NumberMention, comparison: Compared) -> Iterator[Choice]:
    seen: set[int] = set()
    span = number.span
    for mention, distance in _mentions_near(asked, number, comparison.start):
        cues = aggregates_before(asked, mention.span.start)
        selected = asked.region(mention.span) == "S"
        for option in mention.options[:4]:
            entry = asked.column(option.id)
            if not _comparable(entry, comparison) or not may_be_the_cost(asked, mention, option):
                continue
            if _is_instead(asked, mention, option, comparison):
                continue
            features: Features = (
                ("num.score", option.score),
                ("num.near", option.nearness),
                ("num.distance", float(distance)),
                ("num.after", float(mention.span.start >= span.end)),
                ("num.key", float(entry.key_like)),
                ("num.text", float(not entry.numeric)),
                ("num.selected", float(selected)),
            )
            if comparison.unit and entry.unit:
                features = (*features, ("num.unit", 1.0))
            if option.id not in seen:
                seen.add(option.id)
                used = mention.span.mask if distance <= 1 or not selected else 0
                sure = option.score >= _SURE
                yield from _where(asked, comparison, option.id, features, used, named=sure)
            compared = comparison.for_column(entry, named=True)
            if compared and cues and cues[0].kind != "superlative" and entry.numeric:
                used = comparison.used | mention.span.mask | cues[0].span.mask
                condition = compared.of(Aggregate(cues[0].kind, asked.ref(option.id)))
                named: Features = (*features, ("having.aggregate", 1.0))
                yield having(asked, span.start, used, named, condition)


def _comparable(entry: ColumnEntry, comparison: Compared) -> bool:
    equal = comparison.operator == "=" and not entry.temporal
    if entry.is_flag and not (equal and set(comparison.values) <= {0, 1}):
        return False
    return entry.numeric or (equal and entry.column.kind is not Kind.BOOLEAN)


def _is_instead(asked: Asked, mention: Mention, option: LinkOption, comparison: Compared) -> bool:
    """True for the amount in `a value above 5`, where a column is called value that holds no numbers."""
    return any(
        other.score >= 0.9 > option.score
        and other.nearness >= option.nearness
        and not _comparable(asked.column(other.id), comparison)
        for other in mention.options
    )


def _with_adjective(asked: Asked, comparison: Compared) -> Iterator[Choice]:
    """`Older than 30`, `cheaper than 30`, which is more of `cheap` though it is less of a price."""
    operator = {"<": ">", "<=": ">="}.get(comparison.operator, comparison.operator)
    adjective = comparison.adjective
    for option, upwards in measured(asked, adjective) if adjective else ():
        entry = asked.column(option.id)
        years = all(1000 <= value < 3000 for value in comparison.values)
        if is_age(asked, adjective, entry) and (years or not entry.temporal):
            features: Features = (("num.adjective", option.score), ("num.near", option.nearness))
            if option.id == asked.vocabulary.ages.get(entry.table):
                features = _NAMED  # no column is called so, and none could be
            turned = operator if upwards else MIRRORED.get(operator, operator)
            turning = replace(comparison, operator=turned)
            yield from _where(asked, turning, option.id, features, 0)


def _mentions_near(
    asked: Asked, number: NumberMention, start: int
) -> Iterator[tuple[Mention, int]]:
    """The columns named beside a number, with the words between; its unit names none."""
    span = number.span
    for mention in asked.columns_before(span.start, 6 + span.start - start):
        yield mention, max(start - mention.span.end, 0)
    for mention in asked.columns_after(span.end, 2):
        if not number.said.holds(mention.span):
            yield mention, mention.span.start - span.end


def _where(
    asked: Asked,
    comparison: Compared,
    column: int,
    features: Features,
    used: int,
    *,
    named: bool = False,
) -> Iterator[Choice]:
    """The condition on a column, in its unit; none where that is not known."""
    compared = comparison.for_column(asked.column(column), named=named)
    if compared is None:
        return
    comparison = compared
    if comparison.guessed:
        features = (*features, ("num.guessed_unit", 1.0))
    if asked.column(column).column.kind is Kind.TEXT:
        texts = tuple(str(value) for value in comparison.values)
        condition = Comparison(asked.ref(column), comparison.operator, texts)
    else:
        condition = comparison.of(asked.ref(column))
    features = (*features, ("num.compared" if comparison.operator != "=" else "num.equal", 1.0))
    yield where(asked, comparison.start, comparison.used | used, features, condition)


def _with_counts(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`more than 3 orders`: how many rows of a table belong together."""
    compared = "having.compared" if comparison.operator != "=" else "having.equal"
    if any(asked.before_thing(m) and asked.column(m.best.id).measures for m in asked.columns_after(span.end, 0)):  # fmt: skip
        return  # `5 star reviews` are not five
    near = [(m, "having.table_after", 0) for m in asked.tables_after(span.end, 3)][:1]
    if cue := asked.cue_before(comparison.start, 5, "count"):
        counted = asked.tables_after(cue.span.end, 2)
        near += [(m, "having.number_of", cue.span.mask) for m in counted][:1]
    if asked.cue_after(span.end, 0, "distinct") is not None:
        yield from _with_different(asked, span, comparison)
    if not near:
        yield from _with_attributes(asked, span, comparison, compared)
    for mention, name, counting in near:
        gap = float(abs(mention.span.start - span.end))
        used = comparison.used | mention.span.mask | counting
        for option in mention.options[:3]:
            features: Features = ((name, option.score), (compared, 1.0), ("having.gap", gap))
            yield _counted(asked, comparison, option.id, features, used)
            yield from _in_groups(asked, comparison, option, features, used)
    times = asked.word(span.end) in ("times", "time")
    if times or comparison.values in ((1,), (2,)):
        deed = next((m for m in asked.links.tables if m.span.end == comparison.start), None)
        if deed is not None and not near and is_past_form(asked.word(deed.span.end - 1)):
            # `Complained more than twice` counts what they did, as `had more than two complaints` does.
            features = (("having.table_after", deed.best.score), (compared, 1.0))
            used = comparison.used | deed.span.mask | (1 << span.end if times else 0)
            yield _counted(asked, comparison, deed.best.id, features, used)
        for table in asked.named_tables or asked.implied_tables:
            features = (("having.times", 1.0), (compared, 1.0))
            yield _counted(asked, comparison, table, features, comparison.used)


def _with_different(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`At least two different cities`: how many there are, not how many rows speak of them."""
    features: Features = (("having.different", 1.0),)
    start = span.end + 1
    things = [(asked.key(o.id), m.span, o.score) for m in asked.tables_after(start, 0) for o in m.options[:1]]  # fmt: skip
    columns = [([o.id], m.span, o.score) for m in asked.columns_after(start, 0) for o in m.options[:2]]  # fmt: skip
    for keys, named, score in (*things, *columns):
        if score >= 0.6 and len(keys) == 1:
            condition = comparison.of(Count(asked.ref(keys[0]), distinct=True))
            used = comparison.used | Span(span.end, named.end).mask
            yield having(asked, comparison.start, used, features, condition)


def _with_attributes(
    asked: Asked, span: Span, comparison: Compared, compared: str
) -> Iterator[Choice]:
    """`two or more delegates`, where delegates are a column of another table than the thing's."""
    for mention in list(asked.columns_after(span.end, 3))[:1]:
        used = comparison.used | mention.span.mask
        for option in mention.options[:2]:
            entry = asked.column(option.id)
            other = not (entry.numeric or asked.named_tables.get(entry.table))
            if other and option.score >= 0.7:
                features: Features = (("having.attribute", option.score), (compared, 1.0))
                yield _counted(asked, comparison, entry.table, features, used)


def _in_groups(
    asked: Asked, comparison: Compared, option: LinkOption, features: Features, used: int
) -> Iterator[Choice]:
    """`stores in cities with more than two stores`: rows whose group is large enough."""
    own = [table.span.end for table in asked.links.tables if table.best.id == option.id]
    for mention in list(asked.columns_before(comparison.start, 3))[:1]:
        earlier = any(end < mention.span.start for end in own)
        for column in mention.options if earlier else ():
            if asked.column(column.id).table == option.id:
                term = asked.ref(column.id)
                large = (comparison.of(Count()),)
                condition = Has(term, Query(asked.alone(option.id), (term,), (), (term,), large))
                nested: Features = (*features, ("having.nested", column.score))
                both = used | mention.span.mask
                yield where(asked, comparison.start, both, nested, condition)


def _counted(
    asked: Asked, comparison: Compared, table: int, features: Features, used: int
) -> Choice:
    return having(asked, comparison.start, used, features, comparison.of(Count()), table)
