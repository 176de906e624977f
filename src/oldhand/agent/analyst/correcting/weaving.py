"""What a correction names, read as a piece of a question around the query that was answered: `per vet`, `and the number of visits`.

The analyst reads the piece together with what the query has besides, said in plain words; what it finds takes its place in
the query, or stands beside what was there.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.conversation.extremes import from_end, is_low
from oldhand.agent.analyst.conversation.of_groups import extreme_groups
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.grouping import finer, is_plain, whole, worded
from oldhand.agent.analyst.reaching import reaching
from oldhand.agent.analyst.words.entries import TableEntry
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem, tokenise
from oldhand.lexicon.wording import human, listed, plural, singular
from oldhand.query.describing.about import subject
from oldhand.query.form import Aggregate, ColumnRef, Count, Expression, Order, Query
from oldhand.query.known import known_table
from oldhand.query.walk import columns, figures_of, is_measure

_REST = re.compile(
    r"\s+(?:(?:that|this|it|there|they|those|these)\s+)?(?:(?:is|are|was|were|has|have|had|makes?)(?:\s+(?:that|this|it|there|they))?|there)$",
    re.IGNORECASE,
)
"""Of `how many visits that is`."""
_PER = re.compile(r"(?:by|per|for each|for every) (?:the |each )?(?=\w)", re.IGNORECASE)
_COMPUTED = {
    "avg": "average",
    "sum": "total",
    "max": "maximum",
    "min": "minimum",
    "median": "median",
}
_WITH_MOST = re.compile(
    r"(?:the )?(?:[\w ]+ )?(?:with|that|who|which) (?:[\w]+ )?(?:the )?(?P<end>\w+est|most|least) (?P<figure>[\w ]+)"
)
_COUNTING = words("correcting.counting")
_IT = words("correcting.beside_verbs")
"""Of `sum it up`."""
_FIGURES = words("correcting.figures")
_PLAINLY = {word: _COMPUTED[function] for word, function in meanings("grouping.aggregates").items()}
"""Words that compute, by those which ask for nothing else: the `highest` may be the first row."""


def added(scene: Scene, what: str) -> tuple[Query, ...]:
    """A figure or a column beside what is shown, for the same groups and rows."""
    query = scene.query
    if query.compound is not None or query.each:
        return ()
    if per := _PER.match(what):
        return finer(scene, what[per.end() :])
    sorted_by = tuple(one.by for one in query.order if is_measure(one.by) and one.by not in query.select)  # fmt: skip
    if sorted_by and not _FIGURES.isdisjoint(what.lower().split()):
        return whole(replace(query, select=(*query.select, *sorted_by), names=()), scene)
    for fresh in _measured(scene, what) if figures_of(query) else ():
        figures = figures_of(fresh) if not fresh.where else ()
        figures = tuple(one for one in (_in_rows(scene, fresh, one) for one in figures) if one)
        if figures and not set(figures) <= set(query.select):
            made = replace(query, select=(*query.select, *figures), names=())
            return whole(made, scene)
    return _with_columns(scene, scene.named(what))


def _with_columns(scene: Scene, fresh: tuple[Expression, ...]) -> tuple[Query, ...]:
    query = scene.query
    fresh = tuple(one for one in fresh if one not in query.select)
    if query.distinct or not fresh or (figures_of(query) and not query.group):
        return ()
    labels = tuple(one for one in query.select if not is_measure(one))
    group = (*query.group, *fresh) if query.group else ()
    return whole(replace(query, select=(*labels, *fresh, *figures_of(query)), group=group, names=()), scene)  # fmt: skip


def measured(scene: Scene, what: str) -> tuple[Query, ...]:
    """Another figure in place of the one that was shown, for the same groups and rows."""
    query = scene.query
    figures = figures_of(query)
    if len(figures) != 1 or query.having or query.compound is not None or query.each:
        return ()
    for fresh in _measured(scene, what) if extreme_groups(scene, what) is None else ():
        shown = figures_of(fresh)
        if len(shown) != 1 or shown == figures or fresh.where:
            continue
        order = _sorted_by(query, figures[0], shown[0])
        made = replace(fresh, where=query.where, order=order, limit=query.limit)
        return whole(made, scene)
    return ()


def counted(scene: Scene, what: str, apart: str) -> tuple[Query, ...]:
    """The things that are named, each once, in place of the rows that belong to them and were counted."""
    query, figures = scene.query, figures_of(scene.query)
    entry = _table(scene, what)
    said = scene.reader.of_any(what) if entry is None else None  # `how many dogs`
    things, where = (entry.relation, ()) if entry else (said.things, said.where) if said else (None, ())  # fmt: skip
    table = known_table(things, scene.schemas) if things is not None else None
    if len(figures) != 1 or not isinstance(figures[0], Count) or things is None or table is None:
        return ()
    itself = things == scene.things and (where or not apart or query.rows.relations == (things,))
    told = any(one.of == things for term in query.group for one in columns(term))
    if itself or told or len(table.primary_key) != 1:
        return ()
    new = Count(ColumnRef(things, table.primary_key[0]), distinct=True)
    order = _sorted_by(query, figures[0], new)
    select = tuple(new if one == figures[0] else one for one in query.select)
    where = tuple(dict.fromkeys((*query.where, *where)))
    return whole(replace(query, select=select, where=where, order=order, names=()), scene)


def _sorted_by(query: Query, old: Expression, new: Expression) -> tuple[Order, ...]:
    return tuple(replace(one, by=new) if one.by == old else one for one in query.order)


def _table(scene: Scene, what: str) -> TableEntry | None:
    """The one table that words begin with, or whose name has all of these: `bookings` of apartments, `pets` that came."""
    said = [token.stem for token in tokenise(what) if token.lower not in STOP_WORDS]
    tables = [(one, [*map(stem, split_name(one.table.name))]) for one in vocabulary(scene.schemas).tables if one.of < 0]  # fmt: skip
    found = [one for one, parts in tables if said[: len(parts)] == parts]
    found = found or [one for one, parts in tables if said and {*said} <= {*parts}]
    return found[0] if len(found) == 1 else None


def ranked(scene: Scene, what: str) -> tuple[Query, ...]:
    """The first rows by what a superlative measures: `the three heaviest`, `the one with the highest fee`."""
    query, things = scene.query, human(subject(scene.query, scene.question).table)
    if query.compound is not None or query.each or query.distinct or (figures_of(query) and not query.group):  # fmt: skip
        return ()
    what = re.sub(r",? only\b|,", "", what)
    if (group := extreme_groups(scene, what)) is not None:
        return whole(group, scene)
    number = next((token.number for token in tokenise(what) if token.number and token.lower != "one"), None)  # fmt: skip
    noun = plural(things) if number or "ones" in what.split() else singular(things)
    order, few = (), query.limit or (1 if noun == singular(things) else None)
    if query.group and (found := _WITH_MOST.fullmatch(what)):
        figures = next((figures_of(one) for one in _measured(scene, found["figure"])), ())
        order = tuple(Order(one, not is_low(found["end"])) for one in figures[:1])
    named = re.sub(r"\bones?\b", noun, what)
    texts = (named,) if noun in named else (f"{named} {noun}", re.sub(r"(?= (?:by|with|in)\b)", f" {noun}", named, count=1), f"{noun} with the {named}")  # fmt: skip
    for text in dict.fromkeys(texts) if not order else ():
        found = scene.asked(f"the {text}")
        if found is None or not found.order or found.limit is None or found.where or found.having:
            continue
        by = found.order[0].by
        if query.group if is_measure(by) else not query.group or by in query.group:
            order, few = found.order[:1], few or found.limit
            break
    order, few = order or (from_end(query, what) if number else ()), int(number or few or 0)  # fmt: skip
    return whole(replace(query, order=order, limit=few), scene) if order and few else ()


def other(scene: Scene, rest: str) -> tuple[Query, ...]:
    """The same of other things: how many there are, or which; none where something is said of those that were asked for."""
    query = scene.query
    counts = query.select == (Count(),)
    listed_alone = not any(map(is_measure, query.select))
    if not is_plain(query) or query.group or not (counts or listed_alone):
        return ()
    if not STOP_WORDS.isdisjoint(rest.lower().split()) or _table(scene, rest) is None:
        return ()
    for text in (f"How many {rest} are there?",) if counts else (f"List the {rest}", f"names of {rest}"):  # fmt: skip
        found = scene.asked(text)
        if found is None or not is_plain(found) or found.group or found.rows == query.rows:
            continue
        if bool(figures_of(found)) is counts:
            return (found,)
    return ()


def _measured(scene: Scene, what: str) -> Iterator[Query]:
    """What a phrase computes for each of the groups of the query, or of all rows."""
    query = scene.query
    keys = [one for one in query.group if one in query.select] or list(query.group)
    labels = tuple(one for one in query.select if not is_measure(one))
    for text in dict.fromkeys(_around(scene, _REST.sub("", what), keys)):
        found = scene.asked(text)
        if found is None or not is_plain(found) or not figures_of(found):
            continue
        same_groups = set(found.group) >= set(keys) if keys else not found.group
        if same_groups and all(is_measure(one) or one in found.group for one in found.select):
            yield replace(found, group=query.group, select=(*labels, *figures_of(found)), order=(), names=())  # fmt: skip


def _around(scene: Scene, what: str, keys: list[Expression]) -> Iterator[str]:
    """A phrase with the groups of the query, and with what is measured where it only says how."""
    said = " ".join(_PLAINLY.get(one.lower(), one) for one in what.split() if one not in _IT)
    computed = [_COMPUTED[one.function] for one in figures_of(scene.query) if isinstance(one, Aggregate) and one.function in _COMPUTED]  # fmt: skip
    if _FIGURES.isdisjoint(what.lower().split()) and computed:
        said = f"{computed[0]} {said}"  # another column, computed as the one before
    things = plural(human(scene.things.table))
    measured = [human(one.name) for term in figures_of(scene.query) for one in columns(term)]
    for full in (False, True):
        per = f" per {listed([worded(one, scene, full=full) for one in keys])}" if keys else ""
        if said.rpartition(" ")[2] in _COMPUTED.values():
            yield from (f"{said} {name}{per}" for name in measured)
        if said in _COUNTING:
            yield f"number of {things}{per}"
        yield from (f"{said}{per}", f"{said} of {things}{per}")


def _in_rows(scene: Scene, fresh: Query, figure: Expression) -> Expression | None:
    """A figure as the rows of the query give it; None where they would count some of what it is of several times."""
    rows = scene.query.rows.relations
    if {*rows} == {*fresh.rows.relations}:
        return figure
    if not {*fresh.rows.relations} <= {*rows}:
        known = reaching(scene.query, fresh.rows.relations, scene.schemas)
        return figure if known is not None and figure != Count() else None
    if reaching(fresh, rows, scene.schemas) is not None:
        return figure
    things = subject(fresh, "")
    table = known_table(things, scene.schemas)
    if figure != Count() or table is None or len(table.primary_key) != 1:
        return None
    return Count(ColumnRef(things, table.primary_key[0]), distinct=True)
