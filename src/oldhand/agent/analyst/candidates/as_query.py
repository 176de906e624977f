"""From a sketch to the query form."""

from typing import cast

from oldhand.agent.analyst.candidates.sketch import ROWS, Condition, Sketch, Term
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.query.form import (
    Aggregate,
    AnyOf,
    Attribute,
    Column,
    Comparison,
    Compound,
    Count,
    DatePart,
    Elapsed,
    Expression,
    Has,
    Join,
    Order,
    OwnGroup,
    Predicate,
    Proportion,
    Query,
    Ratio,
    Relation,
    Rows,
    Share,
    Worth,
)


def as_query(sketch: Sketch, vocabulary: Vocabulary) -> Query:
    """The query that a sketch stands for."""
    return _Maker(vocabulary).query(sketch)


class _Maker:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def relation(self, number: int) -> Relation:
        entry = self._vocabulary.tables[number]
        return Relation(entry.database, entry.table.schema_name, entry.table.name, entry.role)

    def attribute(self, number: int) -> Column | Elapsed:
        entry = self._vocabulary.columns[number]
        if entry.since >= 0:
            since = cast("Column", self.attribute(entry.since))
            until = cast("Column", self.attribute(entry.until))
            return Elapsed(since, until, entry.column.type, entry.exact)
        return Column(self.relation(entry.table), entry.column.name)

    def query(self, sketch: Sketch) -> Query:
        relations = tuple(map(self.relation, sketch.tree.tables))
        joins = tuple(
            Join(self.relation(e.left), self.relation(e.right), e.pairs) for e in sketch.tree.edges
        )
        where = tuple(map(self.predicate, sketch.where))
        if sketch.either and len(where) > 1:
            where = (AnyOf(where),)
        select = tuple(map(self.term, sketch.select))
        group = tuple(map(self.term, sketch.group))
        distinct = sketch.distinct
        if distinct and (once := self._each_thing(sketch)):
            group, distinct = tuple(map(self.term, once)), False
        compound = None
        if sketch.compound is not None:
            compound = Compound(sketch.compound[0], self.query(sketch.compound[1]))
        return Query(
            Rows(relations, joins), select, where, group, tuple(map(self.predicate, sketch.having)),
            tuple(Order(self.term(o.term), o.descending) for o in sketch.order), sketch.limit,
            sketch.passed, tuple(map(self.term, sketch.each)), distinct, compound,
        )  # fmt: skip

    def _each_thing(self, sketch: Sketch) -> tuple[Term, ...]:
        """What to group by so that things of the same name stay apart; empty where names are no things."""
        shown = (*sketch.select, *(order.term for order in sketch.order))
        entries = [self._vocabulary.columns[term.column] for term in shown if term.column >= 0]
        owners = {entry.table for entry in entries}
        several = len(sketch.tree.tables) > 1 and len(owners) == 1
        if not several or any(term.aggregate or term.part for term in shown):
            return ()
        columns = self._vocabulary.tables[owners.pop()].columns
        keys = [c for c in columns if self._vocabulary.columns[c].column.primary_key]
        named = any(self._vocabulary.columns[term.column].name_like for term in sketch.select)
        return tuple(dict.fromkeys([Term(keys[0]), *shown])) if named and len(keys) == 1 else ()

    def term(self, term: Term) -> Expression:
        made = self._whole(term)
        return (
            made if term.each is None else Ratio(made, Count(self.term(term.each), distinct=True))
        )

    def _whole(self, term: Term) -> Expression:
        if term.aggregate == "proportion":
            of: Count | Aggregate = Count()
            if term.column != ROWS:
                of = Aggregate("sum", self._inner(term))
            return Proportion(of)
        if term.aggregate == "share":
            when = tuple(map(self.predicate, term.when))
            return Share(when, None if term.column == ROWS else self._inner(term))
        if term.column == ROWS:
            return Count()
        inner = self._inner(term)
        if term.aggregate == "count":
            return Count(inner, term.distinct)
        return Aggregate(term.aggregate, inner) if term.aggregate else inner

    def _inner(self, term: Term) -> Attribute:
        made: Attribute = self.attribute(term.column)
        if term.times or term.off:
            made = Worth(
                (made, *map(self.attribute, term.times)), tuple(map(self.attribute, term.off))
            )
        return DatePart(made, term.part) if term.part else made

    def predicate(self, condition: Condition) -> Predicate:
        left = self.term(condition.term)
        if condition.other is not None:
            return Comparison(left, condition.operator, self.term(condition.other))
        if condition.query is None:
            return Comparison(left, condition.operator, condition.values)
        query = self.query(condition.query)
        if condition.operator in ("in", "not in"):
            return Has(left, query, condition.operator == "not in")
        if condition.query.alike:
            same = tuple(cast("Column", self.attribute(c)) for c in condition.query.alike)
            (measure,) = query.select
            return Comparison(left, condition.operator, OwnGroup(cast("Aggregate", measure), same))
        return Comparison(left, condition.operator, query)
