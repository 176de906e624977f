"""Makes whole queries out of drafts: tables are joined, groups completed, conditions combined."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, ChoiceDraft
from oldhand.agent.analyst.candidates.combining import combinations, may_be_distinct
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.exclusion import excluded, summed_once
from oldhand.agent.analyst.candidates.over_groups import counted_groups, cut_in_each, top_of_each
from oldhand.agent.analyst.candidates.pruning import counted_once, joined_by, multiplies, pruned
from oldhand.agent.analyst.candidates.shares import percentage, whole_of
from oldhand.agent.analyst.candidates.than_named import carried
from oldhand.query.form import (
    ColumnRef,
    Comparison,
    Count,
    DatePart,
    Elapsed,
    Expression,
    Order,
    Query,
    Rows,
)
from oldhand.query.negating import negated
from oldhand.query.walk import attribute, function_of, is_measure


def assemble(asked: Asked, draft: ChoiceDraft) -> Iterator[tuple[Query, tuple[str, ...]]]:
    """The queries that a draft can mean, each with the names of what was added to it."""
    maker = _Maker(asked, draft)
    whole = whole_of(draft)
    base = maker.base() if whole is None else maker.share(whole)
    if base is None:
        return
    for combined, name in combinations(asked, base, maker.denied):
        yield combined, (name,)
        if not combined.distinct and may_be_distinct(combined):
            yield replace(combined, distinct=True), (name, "distinct")


class _Maker:
    def __init__(self, asked: Asked, draft: ChoiceDraft) -> None:
        self._asked = asked
        self._draft = draft
        self._places: list[int] = []
        """Where in the question the conditions of the query itself stand."""
        self.denied: set[Condition] = set()
        """The conditions that a negation has turned round."""

    def base(self) -> Query | None:
        """The query of the draft, or None when it makes no sense."""
        groups = self._draft.of("group")
        select = self._select(groups)
        vain = any(self._draft.turned(negation) is None for negation in self._draft.of("negate"))
        if vain or not select or len(set(select)) != len(select):
            return None
        outer, inner = self._conditions()
        order = self._order(select)
        limit, passed = next(((c.limit, c.passed) for c in self._draft.of("order")), (None, 0))
        read = self._read((*select, *outer, *(term for c in groups for term in c.terms)))
        tables = self._tables(read)
        if not tables:
            return None
        excluding = self._draft.of("exclude")
        if excluding:
            tables = tables - self._done() or tables
            beyond = self._beyond(tables, excluding[0].table, inner)
            outer += beyond
            tables |= self._asked.owners(c.left for c in beyond)
            inner = [c for c in inner if c not in beyond]
            without = excluding[0].table
            # Who had a visit in May and none since has visits of both kinds of days.
            outside = tables - {without} if inner and not self._asked.read(select) & {without} else tables  # fmt: skip
            condition = excluded(self._asked, outside, without, inner)
            if condition is None:
                return None
            outer.append(condition)
        rows = self._asked.tree(tables)
        if rows is None:
            return None
        order, having = self._counted_once(order, rows, self._asked.read(select))
        having = tuple(carried(self._asked, one, outer) for one in having)
        read |= self._asked.read((*(one.by for one in order), *having))
        counted = {
            c.table for c in self._draft.of("select") if c.table >= 0 and c.terms == (Count(),)
        }
        rows = pruned(self._asked, rows, read | self._asked.read(outer) | counted)
        select = self._each_once(select, rows, counted)
        plain = Query(rows, select, tuple(outer), (), having, order, limit, passed)
        return counted_groups(self._asked, plain, counted) or self._grouped(plain, groups)

    def _done(self) -> set[int]:
        """The tables of deeds: `visited no turbine of Vestas` is said of people, and not of single visits."""
        joins = self._draft.of("join")
        return {c.table for c in joins if any(name == "join.deed" for name, _ in c.features)}

    def _beyond(self, tables: set[int], without: int, inner: list[Condition]) -> list[Condition]:
        """The conditions that only lead to what there is none of by way of the query's own rows.

        `Visits without parts in Spain` took place there; the parts know of no country but theirs.
        """
        asked = self._asked
        reached = ((c, asked.tree({without, *asked.owners([c.left])})) for c in inner)
        return [c for c, rows in reached if rows and tables.intersection(asked.inside(rows))]

    def _grouped(self, plain: Query, groups: list[Choice]) -> Query | None:
        """The query with its groups, or None when it makes no sense."""
        if cut_in_each(self._asked, groups, plain):
            keys = self._entity_keys([t for t in plain.select if not is_measure(t)], plain.rows)
            return top_of_each(plain, groups, keys, self._asked)
        group = self._group(plain, groups)
        known = self._known_groups(group, plain)
        values = bool(plain.offset) and not group and [o.by for o in plain.order] == [*plain.select]
        in_vain = plain.limit is not None and bool(groups) and not group
        made = replace(plain, group=group, where=(*plain.where, *known), distinct=values)
        return None if in_vain else summed_once(self._asked, made)

    def share(self, whole: int) -> Query | None:
        """A percentage of the rows of the table `whole`, or None when it makes no sense."""
        outer, inner = self._conditions()
        placed = list(zip(self._places, outer, strict=True))
        for choice in self._draft.of("exclude"):
            condition = excluded(self._asked, {whole}, choice.table, inner)
            if condition is None:
                return None
            placed.append((choice.position, condition))
        return percentage(self._asked, self._draft, whole, placed)

    def _each_once(
        self, select: tuple[Expression, ...], rows: Rows, counted: set[int]
    ) -> tuple[Expression, ...]:
        """A customer with five orders is one customer: joined rows are counted by their key."""
        for table in counted:
            key = self._asked.key(table) or joined_by(self._asked, rows, table)
            if len(key) == 1 and multiplies(self._asked, rows, table):
                by_key = Count(self._asked.ref(key[0]), distinct=True)
                select = tuple(by_key if term == Count() else term for term in select)
        return select

    def _counted_once(
        self, order: tuple[Order, ...], rows: Rows, shown: set[int]
    ) -> tuple[tuple[Order, ...], tuple[Condition, ...]]:
        """What groups are sorted by, and their conditions; the things that they are of are counted once each."""
        asked = self._asked
        sorting, narrowing = self._draft.of("order"), self._draft.of("having")
        others = {c.table for c in (*sorting, *narrowing)} & asked.named_tables.keys() - shown
        by = [counted_once(asked, rows, c.table) for c in sorting if c.table in others]
        order = tuple(replace(o, by=by[0]) if by and o.by == Count() else o for o in order)
        having: list[Condition] = []
        for choice in narrowing:
            condition, of = choice.condition, choice.table
            if isinstance(condition, Comparison) and condition.left == Count() and of in others:
                condition = replace(condition, left=counted_once(asked, rows, of))
            having += [condition] if condition else []
        return order, tuple(having)

    def _select(self, groups: list[Choice]) -> tuple[Expression, ...]:
        in_parts = {attribute(t) for c in groups for t in c.terms if isinstance(t, DatePart)}
        placed = [
            (c.position, tuple(t for t in c.terms if is_measure(t) or attribute(t) not in in_parts))
            for c in self._draft.of("select")
        ]
        terms = [term for _, chosen in placed for term in chosen]
        led = 0
        for choice in groups:
            if choice.shown and not any(t in terms for t in choice.terms):
                before = [t for place, chosen in placed for t in chosen if place < choice.position]
                asked_for = any(not is_measure(t) for t in before)
                at = len(before) if choice.shown == "placed" or asked_for else led
                terms[at:at] = choice.terms
                led += len(choice.terms)
        return tuple(terms)

    def _conditions(self) -> tuple[list[Condition], list[Condition]]:
        """Conditions of the query itself, and those inside of what is excluded."""
        excluding = self._draft.of("exclude")
        edge = excluding[0].position if excluding else len(self._asked.links.tokens)
        outer: list[Condition] = []
        inner: list[Condition] = []
        turned = [self._draft.turned(c) for c in self._draft.of("negate")]
        for choice in self._draft.of("where"):
            if choice.condition is None:
                continue
            condition = choice.condition
            if any(choice is one for one in turned):
                condition = negated(condition)
                self.denied.add(condition)
            (inner if choice.position > edge else outer).append(condition)
            if choice.position <= edge:
                self._places.append(choice.position)
        return outer, inner

    def _order(self, select: tuple[Expression, ...]) -> tuple[Order, ...]:
        choices = self._draft.of("order")
        if not choices:
            return ()
        terms = choices[0].terms or tuple(filter(is_measure, select))[:1] or select[:1]
        return tuple(Order(term, choices[0].descending) for term in terms)

    def _read(self, parts: Iterable[Expression | Condition]) -> set[int]:
        """The tables that some parts of the query read, and what it is sorted and cut by."""
        order = [term for choice in self._draft.of("order") for term in choice.terms]
        having = [choice.condition for choice in self._draft.of("having") if choice.condition]
        return self._asked.read((*parts, *order, *having))

    def _tables(self, read: set[int]) -> set[int]:
        """The tables that must be joined."""
        tables = set(read)
        for kind in ("select", "order", "having", "join"):
            tables |= {c.table for c in self._draft.of(kind) if c.table >= 0}
        entries = self._asked.vocabulary.tables
        return tables | {entries[table].holder for table in tables if entries[table].role}

    def _group(self, plain: Query, groups: list[Choice]) -> tuple[Expression, ...]:
        single = [t for t in plain.select if not is_measure(t)]
        sorted_by = [order.by for order in plain.order]
        if not plain.having and not any(map(is_measure, (*plain.select, *sorted_by))):
            return ()
        named = [term for choice in groups for term in choice.terms]
        if not single and not named and not plain.having and not any(map(is_measure, sorted_by)):
            return ()
        keys = [] if named else self._entity_keys(single, plain.rows)
        for choice in groups:
            if choice.table >= 0 and len(plain.rows.relations) > 1:
                keys.extend(self._asked.ref(key) for key in self._asked.key(choice.table))
        return tuple(dict.fromkeys([*keys, *named, *single]))

    def _known_groups(self, group: tuple[Expression, ...], plain: Query) -> list[Condition]:
        """`The most common reason` is none of the rows that have no reason."""
        counted = any(function_of(order.by) == "count" for order in plain.order)
        if not counted or plain.limit is None or len(group) != 1 or isinstance(group[0], DatePart):
            return []
        column = self._asked.entry(group[0]).column
        compared = any(isinstance(c, Comparison) and c.left == group[0] for c in plain.where)
        may_be_empty = column.nullable and not column.primary_key and not compared
        return [Comparison(group[0], "not null")] if may_be_empty else []

    def _entity_keys(self, plain: Sequence[Expression], rows: Rows) -> list[ColumnRef | Elapsed]:
        """The key of the thing that is shown, when rows of another table are counted for it.

        `The country of the artist with the most songs` is about artists: the country does not group.
        """
        asked = self._asked
        owners = sorted(asked.owners(plain))
        if len(rows.relations) < 2 or not owners:
            return []
        counted = {c.table for kind in ("order", "having") for c in self._draft.of(kind)}
        named = _is_spoken_of(asked, owners[0], plain) and owners[0] not in counted
        shown = asked.entries(plain)
        labels = any(entry.name_like or entry.id in asked.key(entry.table) for entry in shown)
        return [asked.ref(key) for key in asked.key(owners[0])] if labels or named else []


def _is_spoken_of(asked: Asked, table: int, shown: Sequence[Expression]) -> bool:
    """True when a table is named, and not only as a part of a column's name: `product category`."""
    columns = {entry.id for entry in asked.entries(shown)}
    inside = [m.span for m in asked.links.columns if any(o.id in columns for o in m.options[:2])]
    return any(
        option.id == table and option.score >= 0.8
        for mention in asked.links.tables
        for option in mention.options
        if not any(span.overlaps(mention.span) for span in inside)
    )
