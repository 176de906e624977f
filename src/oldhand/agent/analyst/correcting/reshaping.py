"""Another shape of the answer: other measures, groups, columns, order, each thing once."""

import re
from dataclasses import replace

from oldhand.agent.analyst.candidates.lookup import Lookup
from oldhand.agent.analyst.conversation import editing
from oldhand.agent.analyst.conversation.extremes import is_low
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.grouping import left_keys
from oldhand.agent.analyst.correcting.restricting import said_of
from oldhand.agent.analyst.correcting.weaving import measured
from oldhand.agent.analyst.reaching import joined
from oldhand.agent.analyst.semantics.measured_in import asked_units, in_unit
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, tokenise
from oldhand.lexicon.wordlists import adjective_of, word_lists
from oldhand.query.describing.about import subject
from oldhand.query.form import (
    Aggregate,
    Case,
    ColumnRef,
    Comparison,
    Count,
    Order,
    Query,
    Relation,
    Value,
)
from oldhand.query.known import known_table
from oldhand.query.negating import negated
from oldhand.query.walk import columns, figures_of, is_measure

_SIZES = words("sorting.of_size") | words("sorting.of_anything")
_DETERMINERS = words("function_words.determiners")
_JUDGING = words("sorting.judging")
_MOST, _FEWEST = words("sorting.most_of_them"), words("sorting.fewest_of_them")


def once(scene: Scene, what: str) -> tuple[Query, ...]:
    """Each thing counted, or shown, once."""
    query = scene.query
    if not any(map(is_measure, query.select)):
        shown = {column.of for one in query.select for column in columns(one)}
        group = tuple(one for one in query.group if one in query.select or shown.intersection(column.of for column in columns(one)))  # fmt: skip
        if group != query.group:  # what makes the groups is not what is shown
            return (replace(query, group=group or query.select),)
        return () if query.distinct else (replace(query, distinct=True),)
    relation = _thing(scene, what)
    table = known_table(relation, scene.schemas) if relation is not None else None
    if relation is None or table is None or len(table.primary_key) != 1:
        return ()
    key = Count(ColumnRef(relation, table.primary_key[0]), distinct=True)
    made = tuple(_once(one, key) for one in query.select)
    return (replace(query, select=made, names=()),) if made != query.select else ()


def _once(term: object, key: Count) -> object:
    if not isinstance(term, Count) or term.distinct:
        return term
    return replace(term, distinct=True) if isinstance(term.of, ColumnRef) else key


def _thing(scene: Scene, words: str) -> Relation | None:
    """What is to be counted once: what is named, else what the query speaks of; None when it reads nothing of that name."""
    said = {token.stem for token in tokenise(words)}
    for relation in scene.query.rows.relations:
        if {stem(part) for part in split_name(relation.table)} <= said:
            return relation
    tables = (table for schema in scene.schemas for table in schema.tables)
    if any({stem(part) for part in split_name(table.name)} <= said for table in tables):
        return None
    return subject(scene.query, scene.question)


def ahead(scene: Scene, first: str) -> tuple[Query, ...]:
    """The rows with a value that is named before all others, which keep their order: `Rome first`."""
    query, found = scene.query, said_of(scene, first)
    told = found[0] if len(found) == 1 else None
    if not isinstance(told, Comparison) or told.operator not in ("=", "in") or query.limit is not None:  # fmt: skip
        return ()
    there = query.group or (() if figures_of(query) or query.distinct else columns(told))  # fmt: skip
    before = Order(Case(((told, Value(0)),), Value(1)))
    return (replace(query, order=(before, *query.order)),) if told.left in there else ()


def directed(scene: Scene, way: str, first: str) -> tuple[Query, ...]:
    """The rows in the order that is named, or from the other end of their own, if they stand the wrong way round."""
    query, said = scene.query, first.casefold().removeprefix("the ").split()
    figure = next(iter(figures_of(query)), None)
    if said and said[0] in _MOST | _FEWEST and figure is not None:
        return _by(query, Order(figure, said[0] in _MOST))
    if len(said) > 1 and _is_end(said[0]):  # `highest price first`
        made = editing.ordered_by(scene, f"{said[0]} first", " ".join(said[1:]))
        return _whole(scene, made)
    if len(said) > 1 and said[0] in _MOST | _FEWEST:  # `most expensive first`
        order = _order_of(scene, " ".join(said))
        return _by(query, order) if order else ()
    if figure is not None and query.group and said and adjective_of(said[-1]) in _SIZES:
        known = word_lists().measures[adjective_of(said[-1]) or ""]
        ways = {known[part] for one in columns(figure) for part in map(stem, split_name(one.name)) if part in known}  # fmt: skip
        most = True in ways if len(ways) == 1 else not is_low(said[-1])
        either = adjective_of(said[-1]) in _JUDGING and not ways
        return (*_by(query, Order(figure, most)), *(_by(query, Order(figure, not most)) if either else ()))  # fmt: skip
    measured = _order_of(scene, said[-1]) if said else None
    # `heaviest first` of average weights
    told = figure is not None and measured is not None and columns(figure) == columns(measured.by)
    if measured is not None and (told or figure is None or query.limit is not None):
        return _by(query, replace(measured, by=figure) if told and figure else measured)
    low = way.casefold() == "ascending" or bool(said and is_low(said[-1]))
    plain, own = (
        adjective_of(said[-1]) if said else None,
        [columns(one.by) for one in query.order[:1]],
    )
    fits = measured is not None and [columns(measured.by)] == own  # no channel is late or early
    turns = not said or fits or plain in _SIZES or said[-1] in words("sorting.ends")
    return _ordered(query, descending=not low) if own and turns else ()


def superlative(scene: Scene, est: str) -> tuple[Query, ...]:
    """The first rows by what an adjective measures, or the extreme of what was computed."""
    query, word = scene.query, est.casefold()
    if query.order and query.limit is not None:
        way = _order_of(scene, word) if word not in _MOST | _FEWEST else None
        return _by(query, way) if way else _ordered(query, descending=not is_low(word))
    if not query.group and any(isinstance(one, Aggregate) for one in query.select):
        return measured(scene, "minimum" if is_low(word) else "maximum")
    return ()


def few(scene: Scene, n: str) -> tuple[Query, ...]:
    """Another number of the first rows, or the first of those that are listed."""
    listed = not scene.query.group and not any(map(is_measure, scene.query.select))
    several = listed or scene.query.limit is not None
    query = editing.first_rows(scene, n.casefold(), "") if several else None
    return (query,) if query is not None else ()


def in_units(scene: Scene, unit: str) -> tuple[Query, ...]:
    """The same amounts in another unit: `in minutes`."""
    asked = [one.unit for one in asked_units(f"in {unit}")]
    made = in_unit(scene.query, asked[0], scene.schemas) if asked else None
    return () if made is None else (made,)


def _order_of(scene: Scene, word: str) -> Order | None:
    """The order that an adjective such as `oldest` asks for; None where it measures nothing of the things in question."""
    found = scene.said(f"the {word}")
    plain = found is not None and found.order and not (found.where or found.group)
    order = found.order[0] if found is not None and plain else None
    return None if order is None or is_measure(order.by) else order


def _is_end(word: str) -> bool:
    """Whether a word such as `highest` names an end of an order."""
    return word.endswith("est") and adjective_of(word) in _SIZES


def _by(query: Query, order: Order) -> tuple[Query, ...]:
    made = replace(query, order=(order,))
    return (made,) if made != query else ()


def _ordered(query: Query, *, descending: bool) -> tuple[Query, ...]:
    first, *rest = query.order
    if first.descending is descending:
        return ()
    return (replace(query, order=(Order(first.by, descending), *rest)),)


def hidden(scene: Scene, what: str) -> tuple[Query, ...]:
    """What is shown without the columns that are named; what is no longer shown makes no groups."""
    query, gone = scene.query, scene.named(what.casefold().removesuffix(" column"))
    kept = tuple(one for one in query.select if one not in gone)
    names = {stem(part) for one in gone for of in columns(one) for part in (*split_name(of.name), *split_name(of.of.table))}  # fmt: skip
    only = {token.stem for token in tokenise(what) if token.lower not in _DETERMINERS} - names <= {"column"}  # fmt: skip
    named = gone and only and len(kept) == len(query.select) - len(gone) and not query.distinct
    group = left_keys(query, gone)
    order = tuple(one for one in query.order if one.by not in query.group or one.by in group)
    made = replace(query, select=kept, group=group, order=order, names=())
    return (made,) if named and kept else ()


def listed(scene: Scene, who: str) -> tuple[Query, ...]:
    """The rows in place of their number; `who` asks for people."""
    first = next(iter(scene.columns_of(scene.things)), None)
    if who and (first is None or not Lookup(vocabulary(scene.schemas)).is_person(first)):
        return ()
    counted = scene.query.select == (Count(),) and not scene.query.group
    made = editing.showing(scene) if counted else None
    terms = made.select if made is not None else ()
    shown = {one.of for term in terms for one in columns(term)}
    return _whole(scene, made) if shown == {scene.things} else ()


def turned(scene: Scene) -> tuple[Query, ...]:
    """The other end of an order, else the rows that do not meet the one condition that there is: `the opposite`."""
    query = scene.query
    if (backwards := editing.reversed_rows(scene)) is not None and (query.limit is not None or not query.where):  # fmt: skip
        return (backwards,)
    if len(query.where) == 1 and not query.having:
        return (replace(query, where=(negated(query.where[0]),)),)
    return (backwards,) if backwards is not None else ()


def alone(scene: Scene, what: str, before: str) -> tuple[Query, ...]:
    """Of what is shown, only the columns that are named behind an `only` or before it."""
    query, named = scene.query, scene.named((what or before).casefold())
    kept = tuple(one for one in query.select if one in named)
    fewer = named and len(kept) == len(named) and len(kept) < len(query.select)
    if fewer and not query.group:
        return (replace(query, select=kept, names=()),)
    each = [scene.named(one) for one in re.split(r",? and |, ", (what or before).casefold())]
    columns_only = len(each) > 1 and all(each) and not (query.group or figures_of(query) or query.distinct)  # fmt: skip
    shown = tuple(dict.fromkeys(one[0] for one in each)) if columns_only else ()
    return _whole(scene, replace(query, select=shown, names=())) if shown else ()


def _whole(scene: Scene, query: Query | None) -> tuple[Query, ...]:
    return scene.changed(joined(query, scene.schemas)) if query is not None else ()
