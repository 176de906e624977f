"""Changes to a query that was answered before: other conditions, fewer rows, another order, another output."""

import re
from dataclasses import replace
from functools import reduce

from oldhand.agent.analyst.conversation.conditions import conditions_said
from oldhand.agent.analyst.conversation.extremes import goes_down
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.lexicon.entries import meanings
from oldhand.lexicon.tokens import NUMBER_WORDS
from oldhand.lexicon.wording import human, plural
from oldhand.query.describing.about import subject
from oldhand.query.form import (
    Aggregate,
    ColumnRef,
    Count,
    DatePart,
    Expression,
    Has,
    Node,
    Order,
    Predicate,
    Query,
    Relation,
    Rows,
    Share,
)
from oldhand.query.known import kind_of, known_table
from oldhand.query.walk import (
    attribute,
    changed,
    columns,
    figures_of,
    holds_measure,
    is_measure,
    queries,
)
from oldhand.record.schema import DATES

_COMPUTED = meanings("grouping.aggregates")
AGGREGATE_WORDS = "|".join(_COMPUTED)
_PARTS = meanings("time.parts")
_BACKWARDS = re.compile(r"reverse|to a$|backward|from the end|round$")


def restricted(scene: Scene, rest: str) -> Query | None:
    """The query before with the conditions that `rest` names as well, such as `with status paid`; None when it names none."""
    rows, conditions = _fixed(scene), conditions_said(scene, rest)
    return reduce(also, conditions, rows) if rows is not None and conditions else None


def restricted_instead(scene: Scene, rest: str) -> Query | None:
    """The same where a condition on the same column gives way, as in `and in Hamburg?`; another thing is no condition."""
    if scene.names_thing(rest):
        return None
    conditions = conditions_said(scene, rest)
    return reduce(instead_of_same, conditions, scene.query) if conditions else None


def narrowed(scene: Scene, rest: str) -> Query | None:
    """The rows that also meet what a whole question says of them, or how many they are."""
    rows = restricted(scene, rest)
    return _number_of(rows) if rows and re.match(r"(and )?how many\b", rest.casefold()) else rows


def asked_of_them(scene: Scene, rest: str) -> Query | None:
    """What is asked of the rows before by their name, as in `how many orders did those customers place?`."""
    rows = _fixed(scene)
    read = (subject(scene.query, scene.question), *scene.query.rows.relations)
    names = [plural(human(relation.role or relation.table)) for relation in read]
    things = next((name for name in names if name in rest.casefold()), names[0])
    said = re.sub(
        rf"\b(those|these) {things}\b|\b(they|them|it)\b", things, rest, flags=re.IGNORECASE
    )
    said = re.sub(r"\btheir (\w+)", rf"\1 of {things}", said)
    asked = scene.asked(said) if said != rest else None
    if rows is None or rows.group or asked is None or asked.compound or asked.limit is not None:
        return None
    return reduce(also, rows.where, asked)


def asked_there(scene: Scene, rest: str) -> Query | None:
    """What is asked of the place that was spoken of, as in `what did the rooms there cost?`: where the rows before were."""
    asked, told = scene.asked(re.sub(r"\s*\bthere\b", "", rest)), _told_of(scene.query)
    if asked is None or asked.compound or asked.limit is not None or not told:
        return None
    return reduce(also, told, asked)


def _told_of(query: Query) -> tuple[Predicate, ...]:
    """What is known of the rows behind an answer; of the first groups, that they are those."""
    if query.limit is None and not (query.having or query.each):
        return query.where
    first = query.select[0]
    named = isinstance(first, ColumnRef) and query.group == (first,)
    return (Has(first, replace(query, select=(first,), names=())),) if named else ()


def also(query: Query, condition: Predicate) -> Query:
    """One more condition, be it of all rows or of groups."""
    if holds_measure(condition):
        return replace(query, having=tuple(dict.fromkeys((*query.having, condition))))
    return replace(query, where=tuple(dict.fromkeys((*query.where, condition))))


def instead_of_same(query: Query, condition: Predicate) -> Query:
    """A condition in place of those about the same, be they of all rows, of groups, or of the part of a percentage."""

    def swapped(before: tuple[Predicate, ...]) -> tuple[Predicate, ...]:
        kept = tuple(one for one in before if not _is_about_same(one, condition))
        return before if kept == before else (*kept, condition)

    def in_part(node: Node) -> Node:
        return replace(node, when=swapped(node.when)) if isinstance(node, Share) else node

    select = tuple(changed(term, in_part) for term in query.select)
    made = replace(query, select=select, where=swapped(query.where), having=swapped(query.having))
    return made if made != query else also(query, condition)


def _is_about_same(one: Predicate, other: Predicate) -> bool:
    about = columns(one) == columns(other) and holds_measure(one) == holds_measure(other)
    return about and not any(queries(one))


def first_rows(scene: Scene, n: str, which: str) -> Query | None:
    """The first rows, or the last ones where the rows have an order; at the top of groups stands what measures most."""
    number = NUMBER_WORDS.get(n, 0) or (int(n) if n.isdigit() else 1)
    query = replace(scene.query, limit=number)
    figure = next(filter(is_measure, query.select), None) if query.group else None
    if which in ("top", "bottom") and figure and not any(is_measure(one.by) for one in query.order):
        return replace(query, order=(Order(figure, which == "top"),))
    return _backwards(query) if which in ("last", "bottom") else query


def reversed_rows(scene: Scene) -> Query | None:
    """The rows in the opposite order; None where they have none."""
    return _backwards(scene.query)


def _backwards(query: Query) -> Query | None:
    order = tuple(Order(one.by, not one.descending) for one in query.order)
    return replace(query, order=order) if order else None


def _fixed(scene: Scene) -> Query | None:
    """The query before without its limit, restricted to the very rows that the limit left.

    They are told by their key; None when the table spoken of has no key of one column.
    """
    query, relation = scene.query, subject(scene.query, scene.question)
    if query.limit is None and not query.each:
        return query
    table = known_table(relation, scene.schemas)
    if table is None or query.group or query.distinct or len(query.rows.relations) > 1:
        return None
    if len(table.primary_key) != 1:
        return None
    key = ColumnRef(relation, table.primary_key[0])
    few = Has(key, replace(query, select=(key,), names=()))
    return replace(query, where=(few,), limit=None, offset=0, each=())


def ordered_by(scene: Scene, way: str, by: str = "") -> Query | None:
    """The same rows in the order of a column, or of what is computed; without a name, of what they were sorted by before."""
    query, computed = _fixed(scene), [term for term in scene.query.select if is_measure(term)]
    if query is None:
        return None
    if not by and (known := [*computed, *(order.by for order in query.order)]):
        return replace(query, order=(Order(known[0], goes_down(way, known[0])),))
    if computed and re.search(r"\b(number|count|total|sum|average|it|that|amount)\b", by):
        return replace(query, order=(Order(computed[0], goes_down(way)),))
    term = next(iter(scene.named(by)), None) if by else None
    if computed and term not in query.group:
        term = next((o for o in computed if term is not None and attribute(o) == term), None)
    if term is None or (query.distinct and term not in query.select):
        return None
    listed = (term,) if query.group and not computed and term not in query.group else ()
    return replace(query, order=(Order(term, goes_down(way, term)),), group=(*query.group, *listed))


def superlative(
    scene: Scene, est: str = "", degree: str = "", adjective: str = "", what: str = ""
) -> Query | None:
    """The one row with the most or the least of what an adjective such as `expensive` measures, or of `the highest price`."""
    found = scene.said(after=f"with {what}") if what else scene.said(est or f"{degree} {adjective}")
    listing = not all(map(is_measure, scene.query.select))
    # Out of all rows, where the query before took the first one.
    of_one = replace(scene.query, limit=None, order=()) if scene.query.limit == 1 else None
    rows = of_one or _fixed(scene) if listing else showing(scene)
    if found is None or not found.order or found.where or rows is None or rows.group:
        return None
    return replace(rows, order=found.order[:1], limit=1)


def alphabetical(scene: Scene, words: str) -> Query | None:
    """The same rows in the order of their first column."""
    query = _fixed(scene)
    plain = [term for term in query.select if isinstance(term, ColumnRef)] if query else []
    order = tuple(Order(term, bool(_BACKWARDS.search(words))) for term in plain[:1])
    return replace(query, order=order) if query and order else None


def counted(scene: Scene, rest: str) -> Query | None:
    """How many rows there are, in place of the rows, or how many of them meet what `rest` says."""
    rows = restricted(scene, rest) if rest.strip() else scene.query
    return _number_of(rows) if rows is not None else None


def _number_of(query: Query) -> Query:
    cut = query.limit is not None or query.each
    several = query.distinct and len(query.select) > 1
    if cut or several or query.group or query.having:
        names = tuple(f"c{place}" for place in range(1, len(query.select) + 1))
        rows = replace(query, names=names, order=query.order if cut else ())
        return Query(Rows((Relation("", "", "", query=rows),)), (Count(),))
    first = next(iter(query.select))
    if not any(map(is_measure, query.select)):
        first = Count(first, distinct=True) if query.distinct else Count()
    shown = first if isinstance(first, Count) else Count()
    return replace(_showing(query, shown), order=(), distinct=False)


def _showing(query: Query, *terms: Expression) -> Query:
    return replace(query, select=terms, names=())


def showing(scene: Scene, what: str = "") -> Query | None:
    """The rows behind the answer, with the columns that are named; their names when none is."""
    words = re.sub(r"(^|\band )(?:their|the|its|his|her)\s+", r"\1", what)
    full = scene.named("first and last names") if words in ("", "name", "names") else ()
    query, chosen = scene.query, full if len(full) > 1 else scene.named(words or "names")
    if not chosen or query.having:
        return None
    computed = any(map(is_measure, query.select))
    if query.group and not computed:
        query = replace(query, group=tuple(dict.fromkeys((*query.group, *chosen))))
    elif query.group:
        if any(one not in query.group for one in chosen):
            query = replace(query, group=(), order=(), limit=None)
        chosen = (*scene.query.group, *chosen)
    if computed and any(is_measure(order.by) for order in query.order):
        query = replace(query, order=())
    kept = query.select if words and not computed else ()
    return _showing(query, *dict.fromkeys((*kept, *chosen)))


def aggregated(scene: Scene, word: str, what: str) -> Query | None:
    """The average, total, … in place of what was computed or listed, of the column that is named."""
    query, words = scene.query, what.strip()
    if query.limit is not None or query.having:
        return None
    terms = (*query.select, *(order.by for order in query.order))
    if not words and (known := [term for term in terms if isinstance(term, Aggregate)]):
        shown: tuple[Expression, ...] = (replace(known[0], function=_COMPUTED[word]),)
    else:
        tried = [words] if words else [human(c.name) for term in terms for c in columns(term)]
        found = (scene.shown(f"{word} {name}") for name in tried)
        shown = next((one for one in found if one and all(map(is_measure, one))), ())
    changed = replace(_showing(query, *query.group, *shown), distinct=False, order=())
    return changed if shown else None


def grouped_by(scene: Scene, by: str) -> Query | None:
    """What was computed, for each value of a column."""
    keys, query = _period(scene, by) or scene.named(by), scene.query
    if not keys or query.limit is not None:
        return None
    measures = figures_of(query) or (Count(),)
    return replace(_showing(query, *keys, *measures), group=keys, order=(), distinct=False)


def _period(scene: Scene, by: str) -> tuple[Expression, ...]:
    """A part of the date that the rows go by: that of a condition, else that of the things."""
    said = scene.asked(
        f"How many {plural(human(subject(scene.query, scene.question).table))} per {by}"
    )
    parts = [one for one in said.group if isinstance(one, DatePart)] if said is not None else []
    read = (one for part in scene.query.where for one in columns(part))
    dates = [one for one in read if kind_of(one, scene.schemas) in DATES]
    if len(parts) != 1 or by not in _PARTS:
        return ()
    return (replace(parts[0], of=dates[0]) if dates else parts[0],)
