"""Something in place of something else: a column, a value, a number, a measure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.conversation import editing
from oldhand.agent.analyst.conversation.editing import instead_of_same
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting import grouping, restricting, rewording, weaving
from oldhand.agent.analyst.covering.written import begin_alike
from oldhand.agent.analyst.reaching import joined
from oldhand.lexicon.entries import meanings
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import NUMBER_WORDS, stem, tokenise
from oldhand.lexicon.wording import human
from oldhand.query.form import ColumnRef, Comparison, Expression, Node, Query, Scalar
from oldhand.query.known import called_alike, kind_of, known_table
from oldhand.query.walk import changed, columns, figures_of, queries, walk
from oldhand.record.schema import DATES, NUMBERS, Kind

_COMPUTED = meanings("grouping.aggregates")
_AROUND = re.compile(
    r"^(?:(?:use|take|sum|add up|compute|calculate|should|show|count|list|by|for|in|from|of|on|the|their|a|an|top|first|last|be|with|to|only|just|it|they|were|was|are|is|than|more|at|least)\s+)+|\s+(?:ones?|rows|instead)$",
    re.IGNORECASE,
)
_OWN = re.compile(r"^(?:(?:that|the one|those) of )?(?:the )?|'s?(?: ones?)?$", re.IGNORECASE)
_PER = re.compile(r"(?:by|per|for each|for every) (?=.*\w)", re.IGNORECASE)
_EST = re.compile(r"(?:the )?(?:\w+est|most|least)\b")


def exchanged(scene: Scene, new: str, old: str) -> tuple[Query, ...]:
    """What `new` names in place of what `old` does."""
    fresh, gone = _bare(new), _bare(old)
    if per := _PER.match(new):
        return grouping.grouped(scene, new[per.end() :], "")
    for found in (
        _numbers(scene, fresh, gone),
        _columns(scene, fresh, gone),
        weaving.counted(scene, fresh, "") if scene.query.where or scene.query.group else (),
        _measures(scene, new, gone),
        _conditions(scene, new, old),
        rewording.exchanged(scene, fresh, gone),
    ):
        if found:
            return found
    return ()


def used(scene: Scene, new: str, by: str = "") -> tuple[Query, ...]:
    """A column that is named in place of one of the same kind: one query for each that it may be; what is only shown is not what rows go `by`."""
    found = _named(scene, new)
    if len(found) != 1:
        return ()
    column, made = found[0], list[Query]()
    shown = replace(scene, query=replace(scene.query, select=figures_of(scene.query)))
    for other in _exchangeable(shown if by else scene):
        alike = _kind(scene, other) == _kind(scene, column) is not None
        if alike and column not in scene.query.select and _may_hold(scene, column, other):
            made += _put(scene, other, column)
    return tuple(made)


def owned(scene: Scene, what: str, of: str) -> tuple[Query, ...]:
    """A column of other things in place of the one by the same name: `the site's city`."""
    found = _named(scene, f"{what} of the {of}")
    rivals = dict.fromkeys(
        other
        for other in _exchangeable(scene)
        if len(found) == 1 and other.of != found[0].of and called_alike(other, found[0])
    )
    return tuple(_put(scene, next(iter(rivals)), found[0])) if len(rivals) == 1 else ()


def _may_hold(scene: Scene, column: ColumnRef, other: ColumnRef) -> bool:
    """Whether a column holds the texts that another one is compared with; dates are no such texts."""
    compared = (
        one for part in scene.query.where for one in walk(part) if isinstance(one, Comparison)
    )
    values = [v for one in compared if one.left == other for v in one.values]
    if values and {*values} <= {0, 1}:
        return False  # a *yes* of one column is none of another
    texts = [one for one in values if isinstance(one, str)]
    held = (
        {(one.table, one.column) for one in scene.values.exact(texts)}
        if texts
        else set[tuple[str, str]]()
    )
    return not texts or _kind(scene, column) in DATES or (column.of.table, column.name) in held


def dated(scene: Scene, new: str, day: str) -> tuple[Query, ...]:
    """Another date for a period: `by shipping date`, where the rows are those of a year."""
    periods = {one for part in scene.query.where for one in columns(part)}
    # The `date` of `the delivery date` may be read as the one that is in force.
    found = tuple(one for one in _named(scene, new or day) if one not in periods)
    is_date = len(found) == 1 and _kind(scene, found[0]) in DATES
    return tuple(
        query
        for other in (sorted(periods, key=lambda one: one.name) if is_date else ())
        if _kind(scene, other) in DATES
        for query in _put(scene, other, found[0])
    )


def _bare(words: str) -> str:
    return _AROUND.sub("", words).strip()


def _number(words: str) -> int | float | None:
    plain = re.sub(r"(?<=\S) [a-z]+$", "", words.casefold().replace(",", ""))
    if plain in NUMBER_WORDS:
        return NUMBER_WORDS[plain]
    if not re.fullmatch(r"-?\d+(\.\d+)?", plain):
        return None
    return float(plain) if "." in plain else int(plain)


def _numbers(scene: Scene, new: str, old: str) -> tuple[Query, ...]:
    """Another number of rows, or another number that something is compared with."""
    one, other = _number(new), _number(old)
    if one is None or other is None:
        return ()
    if scene.query.limit == other:
        return (replace(scene.query, limit=int(one)),)

    def put(node: Node) -> Node:
        if not isinstance(node, Comparison) or not any(_is(value, other) for value in node.values):
            return node
        return replace(node, right=tuple(one if _is(v, other) else v for v in node.values))

    return scene.changed(changed(scene.query, put))


def _is(value: Scalar, number: float) -> bool:
    return not isinstance(value, str | bool) and value == number


def _columns(scene: Scene, new: str, old: str) -> tuple[Query, ...]:
    """One column in place of another one that the query reads."""
    there = dict.fromkeys(_exchangeable(scene))
    gone, fresh = _named(scene, old), _named(scene, new)
    before = [one for one in gone if one in there] or [one for one in there if _is_called(one, old)]
    if not before:  # `the owner's town, not the vet's`
        of = [one for one in there if _is_of(one, old)]
        fresh = fresh or tuple(one for two in of for one in _named(scene, f"{_OWN.sub('', new)}'s {human(two.name)}"))  # fmt: skip
        before = [one for one in of if one.name in {two.name for two in fresh}]
    if len(before) == 1 and not fresh:  # `ordered, not delivered`
        fresh = tuple(one for one in _like(scene, before[0]) if _is_called(one, new))
    fresh = tuple(one for one in fresh if one not in before)
    if len(before) != 1 or len(fresh) != 1:
        return ()
    if _kind(scene, before[0]) != _kind(scene, fresh[0]) and before[0] not in scene.query.group:
        return ()
    return tuple(_put(scene, before[0], fresh[0]))


def _is_of(column: ColumnRef, words: str) -> bool:
    """Whether a column is of the things that are named: `the vet's`, `that of the vet`."""
    return {*map(stem, _OWN.sub("", words).split())} == {*map(stem, split_name(column.of.table))}


def _like(scene: Scene, column: ColumnRef) -> Iterator[ColumnRef]:
    """The columns of the same table and kind."""
    table = known_table(column.of, scene.schemas)
    others = [replace(column, name=one.name) for one in table.columns] if table else []
    return (one for one in others if _kind(scene, one) == _kind(scene, column))


def _is_called(column: ColumnRef, words: str) -> bool:
    """Whether the name of a column begins as all words do: `ordered` for the date of the order."""
    names, said = [*map(stem, split_name(column.name))], [one.stem for one in tokenise(words)]
    return bool(said) and all(begin_alike(one, names) for one in said)


def _measures(scene: Scene, new: str, old: str) -> tuple[Query, ...]:
    """What is computed, or which end of an order comes first."""
    word, *what = new.casefold().removeprefix("the ").split()
    if word in _COMPUTED and (old.split() or [""])[0].casefold() in {*_COMPUTED, "count", "number"}:
        return (_EST.match(word) and _turned(scene)) or weaving.measured(
            scene, " ".join((word, *what))
        )
    if word in {"count", "number"} or new.casefold().startswith("how many"):
        return weaving.measured(scene, "count")
    if _EST.match(word) and _EST.match(old.casefold()):
        return _turned(scene)
    return ()


def _turned(scene: Scene) -> tuple[Query, ...]:
    """The other end of an order of which the first rows were taken."""
    query = editing.reversed_rows(scene) if scene.query.limit is not None else None
    return (query,) if query is not None else ()


def _conditions(scene: Scene, new: str, old: str) -> tuple[Query, ...]:
    """A condition in place of the one that is named, or of one on the same column."""
    fresh = restricting.said_of(scene, _bare(new)) or restricting.said_of(scene, new)
    gone = restricting.said_of(scene, _bare(old)) or restricting.said_of(scene, old)
    if not fresh or (not gone and any(inner for one in fresh for inner in queries(one))):
        return ()  # `orders, not customers` does not ask for customers with orders
    about = {column for one in gone for column in columns(one)}
    unread = about.isdisjoint(columns(scene.query))
    if gone and unread and not about <= {column for one in fresh for column in columns(one)}:
        return ()
    query = scene.query
    kept = tuple(one for one in query.where if one not in gone)
    query = replace(query, where=kept)
    for condition in fresh:
        query = instead_of_same(query, condition)
    return scene.changed(query)


def _named(scene: Scene, words: str) -> tuple[ColumnRef, ...]:
    """The columns that are called so."""
    found = scene.named(re.sub(r"^(?:the|their|its)\s+", "", words))
    return tuple(one for one in found if isinstance(one, ColumnRef))


def _exchangeable(scene: Scene) -> Iterator[ColumnRef]:
    """The columns that a query reads, those that only tie its rows aside."""
    query = scene.query
    told = query.group if len(query.group) == 1 else (one for one in query.group if one in query.select)  # fmt: skip
    for part in (*query.select, *query.where, *told, *query.having, *query.order):
        yield from columns(part)


def _kind(scene: Scene, column: ColumnRef) -> Kind | None:
    """Kinds between which columns may be exchanged; None where nothing is known."""
    kind = kind_of(column, scene.schemas)
    return next((min(some) for some in (DATES, NUMBERS) if kind in some), kind)


def _groups(scene: Scene, old: ColumnRef, new: ColumnRef) -> tuple[Expression, ...]:
    """What makes the groups once another column is shown: the key of a thing that is not shown any more gives way to that of the new one.

    What is shown beside it keeps its own key.
    """
    query = scene.query
    told = {one.of for term in query.select for one in columns(term) if one != old}
    if old not in query.select or old.of == new.of or old.of in told:
        return tuple(new if one == old else one for one in query.group)
    table = known_table(new.of, scene.schemas)
    keys = [ColumnRef(new.of, one) for one in table.primary_key] if table is not None else [new]
    made: list[Expression] = []
    for one in query.group:
        if one == old:
            made.append(new)
        else:
            ended = isinstance(one, ColumnRef) and one.of == old.of
            made += keys if ended else [one]
    return tuple(dict.fromkeys(made))


def _put(scene: Scene, old: ColumnRef, new: ColumnRef) -> Iterator[Query]:
    def swap(node: Node) -> Node:
        return new if node == old else node

    query = scene.query
    made = replace(
        query,
        select=tuple(changed(one, swap) for one in query.select),
        where=tuple(changed(one, swap) for one in query.where),
        group=_groups(scene, old, new),
        having=tuple(changed(one, swap) for one in query.having),
        order=tuple(changed(one, swap) for one in query.order),
        names=(),
    )
    whole = joined(made, scene.schemas)
    if whole is not None and whole != query:
        yield whole
