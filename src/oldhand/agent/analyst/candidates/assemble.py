"""Makes whole queries out of drafts: tables are joined, groups completed, conditions combined."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Draft
from oldhand.agent.analyst.candidates.combining import combinations, may_be_distinct
from oldhand.agent.analyst.candidates.counted_groups import counted_groups
from oldhand.agent.analyst.candidates.exclusion import excluded
from oldhand.agent.analyst.candidates.pruning import joined_by, multiplies, pruned
from oldhand.agent.analyst.candidates.shares import percentage, whole_of
from oldhand.agent.analyst.candidates.sketch import ROWS, Condition, Order, Sketch, Term
from oldhand.agent.analyst.candidates.top_of_each import cut_in_each, top_of_each
from oldhand.agent.analyst.linking.joins import JoinTree
from oldhand.lexicon.entries import words

_IDENTIFYING = words("names.identifying")
_ROWS = Term(ROWS, "count")
_COMPARING = (">", ">=", "<", "<=", "between")


def assemble(asked: Asked, draft: Draft) -> Iterator[tuple[Sketch, tuple[str, ...]]]:
    """The queries that a draft can mean, each with the names of what was added to it."""
    maker = _Maker(asked, draft)
    whole = whole_of(draft)
    base = maker.base() if whole is None else maker.share(whole)
    if base is None:
        return
    for combined, name in combinations(asked, base):
        yield combined, (name,)
        if not combined.distinct and may_be_distinct(combined):
            yield replace(combined, distinct=True), (name, "distinct")


class _Maker:
    def __init__(self, asked: Asked, draft: Draft) -> None:
        self._asked = asked
        self._draft = draft
        self._places: list[int] = []
        """Where in the question the conditions of the query itself stand."""

    def base(self) -> Sketch | None:
        """The query of the draft, or None when it makes no sense."""
        groups = self._draft.of("group")
        select = self._select(groups)
        vain = any(self._target(negation) is None for negation in self._draft.of("negate"))
        if vain or not select or len(set(select)) != len(select):
            return None
        outer, inner = self._conditions()
        having = tuple(c.condition for c in self._draft.of("having") if c.condition)
        order = self._order(select)
        limit, passed = next(((c.limit, c.passed) for c in self._draft.of("order")), (None, 0))
        tables = self._tables(select, outer, groups)
        if not tables:
            return None
        excluding = self._draft.of("exclude")
        if excluding:
            condition = excluded(self._asked, tables, excluding[0].table, inner)
            if condition is None:
                return None
            outer.append(condition)
        tree = self._asked.tree(tables)
        if tree is None:
            return None
        counted = {
            c.table for c in self._draft.of("select") if c.table >= 0 and c.terms == (_ROWS,)
        }
        tree = pruned(self._asked, tree, self._columns(select, outer, groups), counted)
        select = self._each_once(select, tree, counted)
        made = counted_groups(self._asked, select, tree, (tuple(outer), having), counted)
        if made is not None:
            return made
        plain = Sketch(select, tree, tuple(outer), False, (), having, order, limit, passed)
        return self._grouped(plain, groups)

    def _grouped(self, plain: Sketch, groups: list[Choice]) -> Sketch | None:
        """The query with its groups, or None when it makes no sense."""
        select, order, limit = plain.select, plain.order, plain.limit
        if cut_in_each(self._asked, groups, select, order, limit) and not plain.having:
            keys = self._entity_keys([t for t in select if not t.aggregate], plain.tree)
            made = top_of_each(plain, groups, keys, self._asked)
            return None if self._counts_ones(made) else made
        group = self._group(select, groups, order, plain.having, plain.tree)
        known = self._known_groups(group, order, limit, plain.where)
        values = bool(plain.passed) and not group and [o.term for o in order] == list(select)
        made = replace(plain, group=group, where=(*plain.where, *known), distinct=values)
        in_vain = limit is not None and bool(groups) and not group
        sensible = (
            _sensible(made)
            and not _counts_one_kind(made)
            and not in_vain
            and not self._counts_ones(made)
        )
        return made if sensible and not self._computes_with_keys(made) else None

    def _counts_ones(self, sketch: Sketch) -> bool:
        """True for tickets sorted by how many rows each of them is: by one, all of them."""
        counted = any(o.term == _ROWS for o in sketch.order)
        keys = [self._asked.column(t.column) for t in sketch.group if t.column != ROWS]
        alone = {e.table for e in keys if self._asked.key(e.table) == [e.id]}
        return counted and any(not multiplies(self._asked, sketch.tree, t) for t in alone)

    def share(self, whole: int) -> Sketch | None:
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
        self, select: tuple[Term, ...], tree: JoinTree, counted: set[int]
    ) -> tuple[Term, ...]:
        """A customer with five orders is one customer: joined rows are counted by their key."""
        for table in counted:
            key = self._asked.key(table) or joined_by(self._asked, tree, table)
            if len(key) == 1 and multiplies(self._asked, tree, table):
                by_key = Term(key[0], "count", distinct=True)
                select = tuple(by_key if term == _ROWS else term for term in select)
        return select

    def _computes_with_keys(self, sketch: Sketch) -> bool:
        """True for keys that are compared, added up or averaged without being named."""
        asked = self._asked
        words = {token.lower for token in asked.links.tokens}
        if words & _IDENTIFYING:
            return False
        terms = [*sketch.select, *(o.term for o in sketch.order), *(c.term for c in sketch.having)]
        used = [t.column for t in terms if t.aggregate in ("sum", "avg")]
        used += [c.term.column for c in sketch.where if c.operator in _COMPARING and c.values]
        keys = [asked.column(column) for column in used if column != ROWS]
        return any(entry.column.primary_key or entry.foreign for entry in keys)

    def _select(self, groups: list[Choice]) -> tuple[Term, ...]:
        in_parts = {t.column for c in groups for t in c.terms if t.part}
        placed = [
            (c.position, tuple(t for t in c.terms if t.aggregate or t.column not in in_parts))
            for c in self._draft.of("select")
        ]
        terms = [term for _, chosen in placed for term in chosen]
        led = 0
        for choice in groups:
            if choice.shown and not any(t in terms for t in choice.terms):
                before = [t for place, chosen in placed for t in chosen if place < choice.position]
                asked_for = any(not t.aggregate for t in before)
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
        negated = {self._target(c) for c in self._draft.of("negate")}
        for choice in self._draft.of("where"):
            if choice.condition is None:
                continue
            condition = self._resolved(choice.condition)
            condition = condition.negated() if choice in negated else condition
            (inner if choice.position > edge else outer).append(condition)
            if choice.position <= edge:
                self._places.append(choice.position)
        return outer, inner

    def _target(self, negation: Choice) -> Choice | None:
        """The condition that a negation turns round: the first one after it."""
        after = [c for c in self._draft.of("where") if c.position > negation.position]
        return after[0] if after else None

    def _order(self, select: tuple[Term, ...]) -> tuple[Order, ...]:
        choices = self._draft.of("order")
        if not choices:
            return ()
        terms = choices[0].terms or select[:1]
        return tuple(Order(term, choices[0].descending) for term in terms)

    def _tables(
        self, select: tuple[Term, ...], outer: list[Condition], groups: list[Choice]
    ) -> set[int]:
        columns = self._columns(select, outer, groups)
        tables = {self._asked.column(c).table for c in columns}
        for kind in ("select", "order", "having", "join"):
            tables |= {c.table for c in self._draft.of(kind) if c.table >= 0}
        entries = self._asked.vocabulary.tables
        return tables | {entries[table].of for table in tables if entries[table].role}

    def _columns(
        self, select: tuple[Term, ...], outer: list[Condition], groups: list[Choice]
    ) -> set[int]:
        columns = {column for t in select for column in t.columns}
        columns |= {column for c in outer for column in c.columns}
        columns |= {t.column for c in groups for t in c.terms}
        columns |= {col for c in self._draft.of("order") for t in c.terms for col in t.columns}
        columns |= {c.condition.term.column for c in self._draft.of("having") if c.condition}
        return columns - {ROWS}

    def _group(
        self,
        select: tuple[Term, ...],
        groups: list[Choice],
        order: tuple[Order, ...],
        having: tuple[Condition, ...],
        tree: JoinTree,
    ) -> tuple[Term, ...]:
        plain = [t for t in select if not t.aggregate]
        terms = [*select, *(o.term for o in order), *(c.term for c in having)]
        if not any(t.aggregate for t in terms):
            return ()
        named = [t for c in groups for t in c.terms]
        if not plain and not named and not having and not any(o.term.aggregate for o in order):
            return ()
        keys = [] if named else self._entity_keys(plain, tree)
        for choice in groups:
            if choice.table >= 0 and len(tree.tables) > 1:
                keys.extend(Term(k) for k in self._asked.key(choice.table))
        return tuple(dict.fromkeys([*keys, *named, *plain]))

    def _known_groups(
        self,
        group: tuple[Term, ...],
        order: tuple[Order, ...],
        limit: int | None,
        where: tuple[Condition, ...],
    ) -> list[Condition]:
        """`The most common reason` is none of the rows that have no reason."""
        counted = any(o.term.aggregate == "count" for o in order)
        if not counted or limit is None or len(group) != 1 or group[0].part:
            return []
        column = self._asked.column(group[0].column).column
        compared = any(c.term == group[0] for c in where)
        may_be_empty = column.nullable and not column.primary_key and not compared
        return [Condition(group[0], "not null")] if may_be_empty else []

    def _entity_keys(self, plain: list[Term], tree: JoinTree) -> list[Term]:
        """The key of the thing that is shown, when rows of another table are counted for it.

        `The country of the artist with the most songs` is about artists: the country does not group.
        """
        asked = self._asked
        owners = sorted({asked.column(t.column).table for t in plain})
        if len(tree.tables) < 2 or not owners:
            return []
        counted = {c.table for kind in ("order", "having") for c in self._draft.of(kind)}
        named = _is_spoken_of(asked, owners[0], plain) and owners[0] not in counted
        labels = any(
            asked.column(t.column).name_like or asked.column(t.column).key_like for t in plain
        )
        return [Term(key) for key in asked.key(owners[0])] if labels or named else []

    def _resolved(self, condition: Condition) -> Condition:
        """`> avg` becomes a comparison with a query for the average."""
        operator, _, aggregate = condition.operator.partition(" ")
        if aggregate != "avg":
            return condition
        column = condition.term.column
        tree = JoinTree((self._asked.column(column).table,), ())
        return Condition(condition.term, operator, (), Sketch((Term(column, "avg"),), tree))


def _is_spoken_of(asked: Asked, table: int, shown: list[Term]) -> bool:
    """True when a table is named, and not only as a part of a column's name: `product category`."""
    columns = {term.column for term in shown}
    inside = [m.span for m in asked.links.columns if any(o.id in columns for o in m.options[:2])]
    return any(
        option.id == table and option.score >= 0.8
        for mention in asked.links.tables
        for option in mention.options
        if not any(span.overlaps(mention.span) for span in inside)
    )


def _sensible(sketch: Sketch) -> bool:
    if sketch.having and not sketch.group:
        return False
    if {c.term for c in sketch.where if c.operator == "null"} & {
        c.term for c in sketch.where if c.operator == "not null"
    }:
        return False
    if sketch.order and not sketch.group and all(t.aggregate for t in sketch.select):
        return False
    if sketch.order and sketch.limit is not None and _is_cut_in_vain(sketch):
        return False
    counted = [o.term for o in sketch.order if o.term.aggregate]
    if sketch.group and sketch.limit is not None and len(counted) < len(sketch.order):
        return all(o.term.aggregate or o.term in sketch.group for o in sketch.order)
    return not (counted and not sketch.group)


def _is_cut_in_vain(sketch: Sketch) -> bool:
    """True for the oldest of those who are all of one age, and for the most of groups that are all as large."""
    fixed = {c.term for c in sketch.where if c.operator == "=" and len(c.values) == 1}
    same = not sketch.either and any(o.term in fixed for o in sketch.order)
    return same or any(c.operator == "=" for c in sketch.having)


def _counts_one_kind(sketch: Sketch) -> bool:
    """True for how many kinds there are among those of one kind."""
    fixed = {c.term.column for c in sketch.where if c.operator == "=" and not sketch.either}
    counted = [t for t in sketch.select if t.aggregate == "count" and t.distinct]
    return any(term.column in fixed for term in counted)
