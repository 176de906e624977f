"""Figures for other groups, for finer ones, or for all rows: `per vet`, `and per month`, `not by month`."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from oldhand.agent.analyst.conversation import editing
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.reaching import joined
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wording import human, listed, plural, singular
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.describing.describing import describe_part
from oldhand.query.form import ColumnRef, Count, DatePart, Expression, Query
from oldhand.query.known import known_table
from oldhand.query.walk import changed, columns, figures_of, is_measure

_OWNED = re.compile(r"^([\w ]+?)'s ([\w ]+)$", re.IGNORECASE)
_SEVERAL = re.compile(r",? and |, ", re.IGNORECASE)
_PARTS = words("time.parts")
_Place = tuple[str, str, str]
"""A database, a table and a column."""


def grouped(scene: Scene, by: str, each: str) -> tuple[Query, ...]:
    """The figures for each of what is named, in place of what they were told for before; `monthly` is by month."""
    query, by = scene.query, by or meanings("time.parts").get(each.lower(), "")
    by = _OWNED.sub(lambda found: f"{found[2]} of {plural(found[1])}", by)
    if len(pieces := _SEVERAL.split(by)) > 1 and (within := _within(scene, pieces)):
        return within
    figures = figures_of(query)
    if not figures and by and not query.order:  # it may as well be how many there are of each
        listed_by = editing.ordered_by(scene, "", by.casefold())
        return whole(listed_by, scene) if listed_by is not None else ()
    if not figures or query.having or query.compound is not None or query.each:
        return ()
    for said in _said(scene, figures):
        found = scene.asked(f"{said} per {by}")
        if found is None or not (found.group and is_plain(found)) or figures_of(found) != figures or _is_by_itself(scene, found):  # fmt: skip
            continue
        order = tuple(one for one in query.order if is_measure(one.by)) or found.order
        dated = _on_own_date(found, scene) if by.casefold() in _PARTS else found
        made = replace(dated, where=query.where, order=order, limit=query.limit)
        if regrouped := whole(made, scene):
            return regrouped
    other = editing.grouped_by(scene, by.casefold()) if not query.group else None
    return whole(other, scene) if other is not None else ()


def _within(scene: Scene, pieces: list[str]) -> tuple[Query, ...]:
    """Groups within groups, in place of those that there are: `by genre and year`; none where one of them is not understood."""
    made = grouped(scene, pieces[0], "")
    for piece in pieces[1:]:
        made = finer(replace(scene, query=made[0]), piece) if len(made) == 1 else ()
    return made


def _on_own_date(found: Query, scene: Scene) -> Query:
    """Parts of the date that the query goes by already, else of the one that is called after its things: the `visit date` of visits."""
    old = next((one.of for one in found.group if isinstance(one, DatePart)), None)
    if not isinstance(old, ColumnRef):
        return found
    told = [one for part in scene.query.where for one in columns(part)]
    refs = (one.ref for one in vocabulary(scene.schemas).columns if one.temporal)
    dates = [one for one in refs if isinstance(one, ColumnRef) and one.of == old.of]
    things = {*map(stem, split_name(old.of.table))}
    own = [one for one in dates if one in told] or [one for one in dates if things & {*map(stem, split_name(one.name))}]  # fmt: skip
    if len(own) != 1 or old in own:
        return found
    return changed(found, lambda node: own[0] if node == old else node)


def finer(scene: Scene, by: str) -> tuple[Query, ...]:
    """The figures for each of what is named, within the groups that there are: `and per station`."""
    query, made = scene.query, next(iter(grouped(scene, by, "")), None)
    fresh = [one for one in made.group if one not in query.group] if made is not None else []
    if made is None or not fresh or not query.group:
        return () if made is None else (made,)
    told = (one for one in made.select if one in fresh)
    labels = (one for one in query.select if not is_measure(one))
    select = (*labels, *told, *figures_of(query))
    return whole(replace(query, select=select, group=(*query.group, *fresh), names=()), scene)


def apart(scene: Scene, of: str, values: str) -> tuple[Query, ...]:
    """The figures for each value of the column that holds those that are named: `men and women separately`."""
    words_said = (of or values).split()
    held = [found for one in words_said if (found := frozenset(_holding(scene, one)))]
    names = {name for _, _, name in frozenset[_Place].intersection(*held)} if held else set[str]()
    told = {one.name for part in (*scene.query.where, *scene.query.group) for one in columns(part)}
    if scene.query.group or told & names:
        return ()
    return grouped(scene, human(names.pop()), "") if len(names) == 1 else ()


def _holding(scene: Scene, word: str) -> Iterator[_Place]:
    """The columns that hold what a word stands for."""
    forms = [word, singular(word), *word_lists().written(word.lower())]
    return ((one.database, one.table, one.column) for one in scene.values.exact(forms))


def ungrouped(scene: Scene, by: str) -> tuple[Query, ...]:
    """The figures no longer for each of what is named."""
    query, keys = scene.query, scene.query.group
    gone = {*scene.named(by)} & {*keys} or ({*keys} if len(keys) == 1 else set[Expression]())
    if not gone or not figures_of(query):
        return ()
    select = tuple(one for one in query.select if is_measure(one) or (keys and one in {*keys} - gone))  # fmt: skip
    group = left_keys(query, gone)
    order = tuple(one for one in query.order if (is_measure(one.by) and group) or one.by in group)
    return whole(replace(query, select=select, group=group, order=order, names=()), scene)


def left_keys(query: Query, gone: Collection[Expression]) -> tuple[Expression, ...]:
    """What makes the groups where some of it is no longer told: the key of a thing of which nothing is shown makes none."""
    told = {column.of for one in query.select if one not in gone and not is_measure(one) for column in columns(one)}  # fmt: skip
    ended = {one.of for one in gone if isinstance(one, ColumnRef)} - told
    return tuple(one for one in query.group if one not in gone and not (isinstance(one, ColumnRef) and one.of in ended))  # fmt: skip


def _is_by_itself(scene: Scene, found: Query) -> bool:
    """Whether rows are counted for each of themselves: there is one of each."""
    table = known_table(found.rows.relations[0], scene.schemas)
    alone = len(found.rows.relations) == 1 and table is not None and Count() in found.select
    names = {one.name for one in found.group if isinstance(one, ColumnRef)}
    told = [one for one in table.columns if one.name in names] if table and alone else []
    return any(one.unique or one.primary_key or (one.profile and one.profile.distinct >= one.profile.rows) for one in told)  # fmt: skip


def _said(scene: Scene, figures: tuple[Expression, ...]) -> Iterator[str]:
    """The figures in words, shortly and in full."""
    things = plural(human(scene.things.table))
    for full in (False, True):
        yield listed([f"number of {things}" if one == Count() else worded(one, scene, full=full) for one in figures])  # fmt: skip


def is_plain(found: Query) -> bool:
    """Whether a query says nothing of which rows it wants."""
    return not (found.where or found.having or found.limit is not None or found.compound or found.each)  # fmt: skip


def worded(one: Expression, scene: Scene, *, full: bool) -> str:
    """What is shown or makes groups in words, shortly or in full."""
    said = describe_part(one, scene.schemas)
    return said if full else said.partition(" of ")[0]


def whole(query: Query, scene: Scene) -> tuple[Query, ...]:
    """A changed query with the tables that it reads joined; none where that cannot be, or where nothing has changed."""
    return scene.changed(joined(query, scene.schemas))
