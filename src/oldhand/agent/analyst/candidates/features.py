"""What speaks for and against a whole query, as named numbers."""

from collections import defaultdict
from collections.abc import Collection
from functools import lru_cache

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import ChoiceDraft, Features
from oldhand.agent.analyst.candidates.conditions import single
from oldhand.agent.analyst.candidates.sales import sale_features
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import Comparison, Count, DatePart, Has, Query, Ratio
from oldhand.query.walk import attribute, function_of, is_measure

_CUES = (
    "count", "how_much", *AGGREGATES, "superlative", "most_count", "most_common",
    "per", "group", "order", "not", "than_average", "both", ">", "<", ">=", "<=", "between", "null", "beyond", "share", "top",
)  # fmt: skip
_COUNTS_APART = (
    "count.distinct_key",
    "count.distinct_cue",
    "count.distinct_alone",
    "count.distinct",
)
"""Features of counts of different things that the question may ask for."""
_IN_FULL = 0.9
"""How well words must fit tables for the one that ties them to be meant, too."""


def features_of(
    asked: Asked, draft: ChoiceDraft, query: Query, added: tuple[str, ...]
) -> dict[str, float]:
    """All features of a query: those of its choices, and those of the whole."""
    found: dict[str, float] = defaultdict(float)
    for choice in draft.choices:
        for name, amount in choice.features:
            found[name] += amount
    used = draft.used
    for name, amount in _cover(asked, used):
        found[name] += amount
    _tables(asked, draft, query, used, found)
    _select(asked, query, found)
    _shape(asked, draft, query, found)
    _combination(asked, draft, query, added, found)
    excluded = {c.table for c in draft.of("exclude")}
    inside = set(asked.inside(query.rows))
    found.update(sale_features(asked, excluded | inside))
    for one in asked.links.spoken:
        known = one.span.mask & used or (one.column < 0 and one.table in inside)
        found["alias.used" if known else "alias.unused"] += 1
    return {name: amount for name, amount in found.items() if amount}


@lru_cache(maxsize=256)
def _cover(asked: Asked, used: int) -> Features:
    """Words that nothing in the query answers to; worked out once for all queries that use the same."""
    found: dict[str, float] = defaultdict(float)
    for name, mask, amount in _parts(asked):
        if not mask & used:
            found[name] += amount
    content = _content(asked)
    if content:
        found["covered"] = (content & used).bit_count() / content.bit_count()
    return tuple(found.items())


@lru_cache(maxsize=4)
def _parts(asked: Asked) -> tuple[tuple[str, int, float], ...]:
    """What a query should answer to: the feature when it does not, the tokens, and how much that counts."""
    links = asked.links
    found = [(f"unused.{c.kind}", c.span.mask, 1.0) for c in links.cues if c.kind in _CUES]
    for mention in links.columns:
        weak = mention.best.score < 0.5 or asked.is_thing(mention) or asked.is_verb(mention)
        if not weak and not asked.is_aggregate_word(mention):
            name = f"unused.column_{asked.region(mention.span)}"
            found.append((name, mention.span.mask, mention.best.score))
    for value in links.values:
        best = max((option.score for option in value.options), default=1.0)
        found.append(("unused.value", value.span.mask, best))
    found += [("unused.number", number.span.mask, 1.0) for number in links.numbers]
    return tuple(found)


@lru_cache(maxsize=4)
def _content(asked: Asked) -> int:
    """The tokens that carry content of their own, as bits."""
    tokens = enumerate(asked.links.tokens)
    return sum(1 << i for i, t in tokens if t.is_word and t.lower not in STOP_WORDS)


def _tables(
    asked: Asked, draft: ChoiceDraft, query: Query, used: int, found: dict[str, float]
) -> None:
    tables = asked.inside(query.rows)
    inside = {*tables, *(c.table for c in draft.choices if c.kind == "exclude")}
    found["tables.count"] = len(tables)
    inside |= {asked.vocabulary.tables[table].of for table in tables}
    # Things are counted by the rows that tie them to others, without a look at their own.
    inside |= {c.table for c in draft.of("order") if any(c.table in asked.vocabulary.joins.held(t) for t in tables)}  # fmt: skip
    unsaid = (t for t in tables if t not in asked.carrying and not _only_ties(asked, t, tables))
    found["tables.unnamed"] = sum(1.0 - asked.named_tables.get(table, 0.0) for table in unsaid)
    found["tables.guessed"] = sum(1.0 for edge in asked.edges(query.rows) if edge.confidence < 1)
    for mention in asked.links.tables:
        if not any(option.id in inside for option in mention.options):
            name = "tables.left_out_used" if mention.span.mask & used else "tables.left_out"
            found[name] += mention.best.score
        elif mention.best.id not in inside:
            found["tables.second_best"] += mention.best.score


def _only_ties(asked: Asked, table: int, tables: Collection[int]) -> bool:
    """True for the table that says which employees have which territories, where both are named: nobody names it."""
    ends = [end for end in asked.vocabulary.joins.held(table) if end in tables]
    named = all(asked.named_tables.get(end, 0.0) >= _IN_FULL for end in ends)
    return len(ends) > 1 and named and asked.column(asked.labels(table)[0]).foreign


def _shares(asked: Asked, query: Query) -> bool:
    """True over a table that only ties two others."""
    tables = asked.inside(query.rows)
    return any(_only_ties(asked, table, tables) for table in tables)


def _select(asked: Asked, query: Query, found: dict[str, float]) -> None:
    terms = query.select
    found["select.count"] = min(len(terms), 6)
    found["select.tables"] = max(len(asked.owners(terms)) - 1, 0)
    plain = [t for t in terms if not is_measure(t)]
    found["select.mixed"] = float(0 < len(plain) < len(terms))
    if is_measure(terms[0]) and plain:
        found["select.aggregate_first"] = 1.0
    where = list(single(query.where))
    compared = [attribute(c.left) for c in where if c.operator == "="]
    found["select.fixed_by_condition"] = sum(1.0 for t in plain if attribute(t) in compared)
    without = [c.rows.select[0] for c in where if isinstance(c, Has) and c.none]
    found["select.excluded"] = float(any(shown in terms for shown in without))
    several = len(query.rows.relations) > 1
    if several and Count() in terms:
        found["count.joined"] = 1.0
    if any(isinstance(t, Count) and t.distinct for t in terms):
        found["count.distinct_single"] = float(not several)


def _shape(asked: Asked, draft: ChoiceDraft, query: Query, found: dict[str, float]) -> None:
    kinds = {choice.kind for choice in draft.choices}
    found["where.count"] = len(list(single(query.where)))
    found["shape.having"] = float(bool(query.having))
    found["shape.limit"] = float(query.limit is not None)
    found["shape.exclude"] = float("exclude" in kinds)
    if query.each:
        found["shape.top_of_each"] = 1.0
    elif query.group:
        cued = "group" in kinds
        found["group.foreign"] = sum(entry.foreign for entry in asked.entries(query.group))
        found["shape.group_cued" if cued else "shape.group"] = 1.0
        found["shape.group_of_single_rows"] = float(_groups_single_rows(asked, query))
        shown = any(t in query.group for t in query.select)
        found["shape.group_label_extra"] = float(_labels_twice(asked, draft, query))
        found["shape.group_hidden"] = float(not shown)
        found["shape.group_of_measured"] = float(_groups_what_it_measures(query))
        cut = bool(query.having) or query.limit is not None
        mixed = not cued and not cut and any(map(is_measure, query.select))
        found["shape.group_mixed"] = float(mixed)
    elif "group" in kinds:
        found["shape.group_without_aggregate"] = 1.0
    if query.having and any(map(is_measure, query.select)):
        found["shape.having_shown"] = 1.0
    found["shape.order_by_each_row"] = float(_by_each_row(asked, draft, query))
    if _average_of_counts(asked, draft):
        found["unused.beyond"] += 1
    if any(function_of(order.by) == "sum" for order in query.order):
        found["shape.order_by_sum"] = 1.0
        elsewhere = not asked.owners(query.select) & asked.owners(o.by for o in query.order)
        found["shape.order_by_sum_elsewhere"] = float(elsewhere)


def _groups_single_rows(asked: Asked, query: Query) -> bool:
    """True when the rows of one table are grouped by what tells them apart."""
    entries = asked.entries(t for t in query.group if not isinstance(t, DatePart))
    named = any(asked.labels(e.table)[0] == e.id and e.name_like for e in entries)
    keyed = any(e.column.primary_key and len(asked.key(e.table)) == 1 for e in entries)
    return len(query.rows.relations) == 1 and (named or keyed)


def _groups_what_it_measures(query: Query) -> bool:
    """True for the sum of the amounts of each amount."""
    terms = (*query.select, *(ordered.by for ordered in query.order))
    measured = [attribute(t) for t in terms if function_of(t) not in ("", "count")]
    return any(t in measured for t in query.group)


def _labels_twice(asked: Asked, draft: ChoiceDraft, query: Query) -> bool:
    """True when the group's name is shown beside other columns of the same thing."""
    added = {t for c in draft.of("group") if c.shown and c.table >= 0 for t in c.terms}
    others = (t for t in query.select if not is_measure(t) and t not in added)
    return bool(asked.owners(added) & asked.owners(others))


def _by_each_row(asked: Asked, draft: ChoiceDraft, query: Query) -> bool:
    """True for `top customers by revenue` that sorts single orders, not customers."""
    by = any(name == "super.column_by" for c in draft.of("order") for name, _ in c.features)
    shown = asked.owners(query.select)
    plain = asked.owners(o.by for o in query.order if not is_measure(o.by))
    return by and any(e.left in plain and e.right in shown for e in asked.edges(query.rows))


def _average_of_counts(asked: Asked, draft: ChoiceDraft) -> bool:
    """True for `the average number of orders per customer`, unless a column holds that number."""
    starts = {cue.span.start: cue for cue in asked.links.cues_of("count")}
    for cue in asked.links.cues_of("avg"):
        counting = starts.get(cue.span.end)
        if counting is not None:
            both = counting.span.mask | cue.span.mask
            shown = [c.terms[0] for c in draft.of("select") if c.used & both == both]
            return not any(function_of(t) == "avg" or isinstance(t, Ratio) for t in shown)
    return False


def _is_attribute(asked: Asked, query: Query) -> bool:
    """True for `which countries`: one column that neither names nor numbers the rows."""
    entry = asked.entry(query.select[0])
    plain = len(query.select) == 1 and not entry.name_like and not entry.key_like
    asking = {"which", "what"} & {asked.word(0), asked.word(1)}
    return plain and bool(asking) and not entry.numeric and not query.where


def _is_alone(asked: Asked, query: Query) -> bool:
    """True for `list all job titles`: the different ones are meant, not one for each employee."""
    column = asked.entry(query.select[0]).id
    named = [m for m in asked.links.columns if any(o.id == column for o in m.options)]
    free = not query.where and not asked.links.values
    plain = len(query.select) == 1 and free and asked.is_attribute(column)
    return plain and any(asked.stands_alone(mention) for mention in named)


def _repeats_things(asked: Asked, draft: ChoiceDraft, query: Query) -> bool:
    """True when things that are shown by name would come once for each row of another table."""
    things = {c.table for c in draft.of("select") if c.table >= 0 and not is_measure(c.terms[0])}
    edges = asked.edges(query.rows)
    many = any(edge.right in things and edge.left not in things for edge in edges)
    return many and not query.order and asked.owners(query.select) == things


def _combination(
    asked: Asked, draft: ChoiceDraft, query: Query, added: tuple[str, ...], found: dict[str, float]
) -> None:
    cued = bool(asked.links.cues_of("distinct"))
    counted = any(isinstance(t, Count) and t.distinct for t in query.select)
    # Nobody has to say that things are counted once which others share.
    shared = counted and not (cued or any(found.get(name) for name in _COUNTS_APART)) and _shares(asked, query)  # fmt: skip
    if "distinct" in added or (counted and not shared):
        found["distinct.cued" if cued else "distinct.uncued"] = 1.0
        if "distinct" in added and not cued:
            found["distinct.uncued_joined"] = float(len(query.rows.relations) > 1)
            keys = any(e.column.primary_key for e in asked.entries(query.select))
            found["distinct.key"] = float(keys)
            found["distinct.sorted"] = float(bool(query.order))
            found["distinct.attribute"] = float(_is_attribute(asked, query))
            alone = _is_alone(asked, query) or any(n.startswith("shared.") for n in found)
            found["distinct.attribute_alone"] = float(alone)
            found["distinct.thing"] = float(_repeats_things(asked, draft, query))
    elif cued:
        found["distinct.ignored"] = 1.0
    combined = added[0]
    if combined == "combine.and" and len(query.where) < 2:
        return
    words = {cue.kind for cue in asked.links.cues_of("or", "both", "and")}
    found[combined] = 1.0
    for word in ("or", "both"):
        if word in words:
            found[f"{combined}.{word}"] = 1.0
    terms = [c.left for c in query.where if isinstance(c, Comparison) and c.operator == "="]
    contradicts = combined == "combine.and" and len(set(terms)) < len(terms)
    found["combine.contradiction"] = float(contradicts)
