"""What speaks for and against a whole query, as named numbers."""

from collections import defaultdict
from functools import lru_cache

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Draft, Features
from oldhand.agent.analyst.candidates.sales import sale_features
from oldhand.agent.analyst.candidates.sketch import ROWS, Sketch, Term
from oldhand.lexicon.tokens import STOP_WORDS

_CUES = (
    "count", "how_much", "avg", "median", "sum", "max", "min", "superlative", "most_count", "most_common",
    "per", "group", "order", "not", "than_average", "both", ">", "<", ">=", "<=", "between", "null", "beyond", "share", "top",
)  # fmt: skip


def features_of(
    asked: Asked, draft: Draft, sketch: Sketch, added: tuple[str, ...]
) -> dict[str, float]:
    """All features of a query: those of its choices, and those of the whole."""
    found: dict[str, float] = defaultdict(float)
    for choice in draft.choices:
        for name, amount in choice.features:
            found[name] += amount
    used = draft.used
    for name, amount in _cover(asked, used):
        found[name] += amount
    _tables(asked, draft, sketch, used, found)
    _select(asked, sketch, found)
    _shape(asked, draft, sketch, found)
    _combination(asked, draft, sketch, added, found)
    excluded = {c.table for c in draft.of("exclude")}
    found.update(sale_features(asked, excluded | set(sketch.tree.tables)))
    for one in asked.links.spoken:
        known = one.span.mask & used or (one.column < 0 and one.table in sketch.tree.tables)
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


def _tables(asked: Asked, draft: Draft, sketch: Sketch, used: int, found: dict[str, float]) -> None:
    inside = set(sketch.tree.tables) | {c.table for c in draft.choices if c.kind == "exclude"}
    found["tables.count"] = len(sketch.tree.tables)
    found["tables.unnamed"] = sum(
        1.0 - asked.named_tables.get(table, 0.0) for table in sketch.tree.tables
    )
    found["tables.guessed"] = sum(1.0 for edge in sketch.tree.edges if edge.length > 1.5)
    for mention in asked.links.tables:
        if not any(option.id in inside for option in mention.options):
            amount = mention.best.score
            found["tables.left_out_used" if mention.span.mask & used else "tables.left_out"] += (
                amount
            )
        elif mention.best.id not in inside:
            found["tables.second_best"] += mention.best.score


def _select(asked: Asked, sketch: Sketch, found: dict[str, float]) -> None:
    terms = sketch.select
    found["select.count"] = min(len(terms), 6)
    owners = {asked.column(t.column).table for t in terms if t.column != ROWS}
    found["select.tables"] = max(len(owners) - 1, 0)
    plain = [t for t in terms if not t.aggregate]
    found["select.mixed"] = float(0 < len(plain) < len(terms))
    if terms[0].aggregate and plain:
        found["select.aggregate_first"] = 1.0
    compared = {c.term.column for c in sketch.where if c.operator == "="}
    found["select.fixed_by_condition"] = sum(1.0 for t in plain if t.column in compared)
    inner = {
        c.query.select[0] for c in sketch.where if c.query is not None and c.operator == "not in"
    }
    found["select.excluded"] = float(bool(inner.intersection(terms)))
    count = Term(ROWS, "count")
    if count in terms and len(sketch.tree.tables) > 1:
        found["count.joined"] = 1.0
    if any(t.aggregate == "count" and t.distinct for t in terms):
        found["count.distinct_single"] = float(len(sketch.tree.tables) == 1)


def _shape(asked: Asked, draft: Draft, sketch: Sketch, found: dict[str, float]) -> None:
    kinds = {choice.kind for choice in draft.choices}
    found["where.count"] = len(sketch.where)
    found["shape.having"] = float(bool(sketch.having))
    found["shape.limit"] = float(sketch.limit is not None)
    found["shape.exclude"] = float("exclude" in kinds)
    if sketch.each:
        found["shape.top_of_each"] = 1.0
    elif sketch.group:
        cued = "group" in kinds
        found["group.foreign"] = sum(asked.column(t.column).foreign for t in sketch.group)
        found["shape.group_cued" if cued else "shape.group"] = 1.0
        found["shape.group_of_single_rows"] = float(_groups_single_rows(asked, sketch))
        shown = any(t in sketch.group for t in sketch.select)
        found["shape.group_label_extra"] = float(_labels_twice(asked, draft, sketch))
        found["shape.group_hidden"] = float(not shown)
        found["shape.group_of_measured"] = float(_groups_what_it_measures(sketch))
        aggregated = any(t.aggregate for t in sketch.select)
        found["shape.group_mixed"] = float(
            not cued and aggregated and not sketch.having and sketch.limit is None
        )
    elif "group" in kinds:
        found["shape.group_without_aggregate"] = 1.0
    if sketch.having and any(t.aggregate for t in sketch.select):
        found["shape.having_shown"] = 1.0
    found["shape.order_by_each_row"] = float(_by_each_row(asked, draft, sketch))
    if _average_of_counts(asked, draft):
        found["unused.beyond"] += 1
    if any(o.term.aggregate == "sum" for o in sketch.order):
        found["shape.order_by_sum"] = 1.0
        owners = {asked.column(t.column).table for t in sketch.select if t.column != ROWS}
        columns = {asked.column(o.term.column).table for o in sketch.order}
        found["shape.order_by_sum_elsewhere"] = float(not owners & columns)


def _groups_single_rows(asked: Asked, sketch: Sketch) -> bool:
    """True when the rows of one table are grouped by what tells them apart."""
    entries = [asked.column(t.column) for t in sketch.group if not t.part]
    named = any(asked.labels(e.table)[0] == e.id and e.name_like for e in entries)
    keyed = any(e.column.primary_key and len(asked.key(e.table)) == 1 for e in entries)
    return len(sketch.tree.tables) == 1 and (named or keyed)


def _groups_what_it_measures(sketch: Sketch) -> bool:
    """True for the sum of the amounts of each amount."""
    terms = (*sketch.select, *(ordered.term for ordered in sketch.order))
    measured = {t.column for t in terms if t.aggregate and t.aggregate != "count"}
    return any(t.column in measured for t in sketch.group if not t.part)


def _labels_twice(asked: Asked, draft: Draft, sketch: Sketch) -> bool:
    """True when the group's name is shown beside other columns of the same thing."""
    added = {t for c in draft.of("group") if c.shown and c.table >= 0 for t in c.terms}
    owners = {asked.column(t.column).table for t in added}
    others = (t for t in sketch.select if not t.aggregate and t not in added)
    return any(asked.column(t.column).table in owners for t in others)


def _by_each_row(asked: Asked, draft: Draft, sketch: Sketch) -> bool:
    """True for `top customers by revenue` that sorts single orders, not customers."""
    by = any(name == "super.column_by" for c in draft.of("order") for name, _ in c.features)
    shown = {asked.column(t.column).table for t in sketch.select if t.column != ROWS}
    plain = {asked.column(o.term.column).table for o in sketch.order if not o.term.aggregate}
    return by and any(e.left in plain and e.right in shown for e in sketch.tree.edges)


def _average_of_counts(asked: Asked, draft: Draft) -> bool:
    """True for `the average number of orders per customer`, unless a column holds that number."""
    starts = {cue.span.start: cue for cue in asked.links.cues_of("count")}
    for cue in asked.links.cues_of("avg"):
        counting = starts.get(cue.span.end)
        if counting is not None:
            both = counting.span.mask | cue.span.mask
            held = any(
                c.used & both == both and (c.terms[0].aggregate == "avg" or c.terms[0].each)
                for c in draft.of("select")
            )
            return not held
    return False


def _is_attribute(asked: Asked, sketch: Sketch) -> bool:
    """True for `which countries`: one column that neither names nor numbers the rows."""
    entry = asked.column(sketch.select[0].column)
    plain = len(sketch.select) == 1 and not entry.name_like and not entry.key_like
    asking = {"which", "what"} & {asked.word(0), asked.word(1)}
    return plain and bool(asking) and not entry.numeric and not sketch.where


def _is_alone(asked: Asked, sketch: Sketch) -> bool:
    """True for `list all job titles`: the different ones are meant, not one for each employee."""
    column = sketch.select[0].column
    named = [m for m in asked.links.columns if any(o.id == column for o in m.options)]
    free = not sketch.where and not asked.links.values
    plain = len(sketch.select) == 1 and free and asked.is_attribute(column)
    return plain and any(asked.stands_alone(mention) for mention in named)


def _repeats_things(asked: Asked, draft: Draft, sketch: Sketch) -> bool:
    """True when things that are shown by name would come once for each row of another table."""
    things = {c.table for c in draft.of("select") if c.table >= 0 and not c.terms[0].aggregate}
    shown = {asked.column(t.column).table for t in sketch.select}
    many = any(edge.right in things and edge.left not in things for edge in sketch.tree.edges)
    return shown == things and many and not sketch.order


def _combination(
    asked: Asked,
    draft: Draft,
    sketch: Sketch,
    added: tuple[str, ...],
    found: dict[str, float],
) -> None:
    cued = bool(asked.links.cues_of("distinct"))
    distinct = "distinct" in added or any(t.distinct for t in sketch.select)
    if distinct:
        found["distinct.cued" if cued else "distinct.uncued"] = 1.0
        if "distinct" in added and not cued:
            found["distinct.uncued_joined"] = float(len(sketch.tree.tables) > 1)
            keys = any(asked.column(t.column).column.primary_key for t in sketch.select)
            found["distinct.key"] = float(keys)
            found["distinct.sorted"] = float(bool(sketch.order))
            found["distinct.attribute"] = float(_is_attribute(asked, sketch))
            alone = _is_alone(asked, sketch) or any(n.startswith("shared.") for n in found)
            found["distinct.attribute_alone"] = float(alone)
            found["distinct.thing"] = float(_repeats_things(asked, draft, sketch))
    elif cued:
        found["distinct.ignored"] = 1.0
    combined = added[0]
    if combined == "combine.and" and len(sketch.where) < 2:
        return
    words = {cue.kind for cue in asked.links.cues_of("or", "both", "and")}
    found[combined] = 1.0
    for word in ("or", "both"):
        if word in words:
            found[f"{combined}.{word}"] = 1.0
    terms = [c.term for c in sketch.where if c.operator == "="]
    found["combine.contradiction"] = float(
        combined == "combine.and" and len(set(terms)) < len(terms)
    )
