"""What words of a follow-up say of the rows before: of what had a condition, or of what the query reads."""

import re
from collections.abc import Sequence
from dataclasses import replace

from oldhand.agent.analyst.conversation.of_groups import amount_of_groups
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.conversation.years import in_that_year, until_its_end
from oldhand.agent.analyst.restriction import is_amount
from oldhand.agent.analyst.words.dates import find_dates
from oldhand.lexicon.tokens import stem, tokenise
from oldhand.lexicon.wording import human, plural
from oldhand.query.form import Aggregate, AllOf, AnyOf, ColumnRef, Node, Predicate, Query, Relation
from oldhand.query.walk import changed, columns, queries


def conditions_said(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """What `words` say of what had a condition before, or else of what the query reads."""
    words = re.sub(r"\s+ones?$", "", words)
    if (groups := amount_of_groups(scene, words)) is not None:
        return (groups,)
    told, year = in_that_year(scene, words)
    if year is not None:
        return until_its_end(conditions_said(scene, told), year)
    amount = is_amount(words) and not find_dates(words, tokenise(words), scene.today)
    groups = () if amount else scene.query.group
    before = [*scene.query.where, *scene.query.having, *groups]
    figures = [one for one in scene.query.select if isinstance(one, Aggregate) and amount]
    if told := _of_roles(scene, words):
        return told
    if (found := _of_columns(scene, words, [*before, *figures])) is not None:
        return found
    said = scene.restriction(words)
    return said.where if said is not None else _conditions_of(scene.read(words))


def _of_roles(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """What words say that tell which of several keys they mean: `and to Lund?` of `trains from Oslo to Bergen`."""
    relations = scene.query.rows.relations
    for holder in relations if any(one.role for one in relations) else ():
        said = scene.reader.of(holder, words) if not holder.role else None
        told = said.where if said is not None else ()
        if told and all(column.of.role for one in told for column in columns(one)):
            return told
    return ()


def _of_columns(scene: Scene, words: str, parts: Sequence[Node]) -> tuple[Predicate, ...] | None:
    """What words such as `below 500` say of a column of some parts of the query; None where they say nothing of any.

    Nothing is said where it may be of either of two ends: `and Lund?` of `trains from Oslo to Bergen`.
    """
    read = tuple(dict.fromkeys(column for one in parts for column in columns(one)))
    for column in read:
        if found := of_column(scene, column, words):
            return found if sum(_plain(one) == _plain(column) for one in read) == 1 else ()
    return None


def of_column(scene: Scene, column: ColumnRef, words: str) -> tuple[Predicate, ...]:
    """What words say of a column, if they say anything of it, and of nothing else."""
    name, things = human(column.name), plural(human(column.of.table))
    if {token.stem for token in tokenise(words)}.issuperset(map(stem, name.split())):
        return ()  # it is named: `not paid` is no value of `paid`
    if is_amount(words):
        said = scene.reader.of(column.of, f"with {name} {words}")
        found = said.where if said is not None else ()
    else:
        said = _conditions_of(scene.read(f"{things} with {name} {words}"))
        found = tuple(_in_role(one, column.of) for one in said)
    return (
        found if all(columns(one) == (column,) and not any(queries(one)) for one in found) else ()
    )


def _plain(column: ColumnRef) -> ColumnRef:
    return replace(column, of=replace(column.of, role=""))


def _in_role(condition: Predicate, role: Relation) -> Predicate:
    """A condition on rows in their role in place of one on the rows themselves."""

    def put(node: Node) -> Node:
        return (
            role if isinstance(node, Relation) and replace(node, role=role.role) == role else node
        )

    return changed(condition, put)


def _conditions_of(query: Query | None) -> tuple[Predicate, ...]:
    """The conditions of a query that says nothing else; `in Rome and Lyon` in a few words means either."""
    if query is None or query.having or query.limit is not None:
        return ()
    if query.compound is None:
        return query.where
    sides = (query.where, query.compound.second.where)
    return (AnyOf(tuple(one[0] if len(one) == 1 else AllOf(one) for one in sides)),)
