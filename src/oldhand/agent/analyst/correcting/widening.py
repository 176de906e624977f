"""Without a condition that the query has, or with a longer time: `not only in 2024`, `the whole year`."""

import re
from dataclasses import replace

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.giving_way import lengthened_to
from oldhand.agent.analyst.correcting.restricting import said_of
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import singular
from oldhand.query.form import Comparison, Expression, Predicate, Query
from oldhand.query.walk import columns

_THEM = re.compile(r"(?:of )?(?:them|those|these|rows)", re.IGNORECASE)


def regardless(scene: Scene, only: str, what: str, which: str) -> tuple[Query, ...]:
    """Without a condition that the query has: `not only in 2024`, `all years`, `no matter which town`."""
    query, what = scene.query, what or which
    if _THEM.fullmatch(what) and query.limit is not None:
        return (replace(query, limit=None, offset=0),)
    gone = set(said_of(scene, only)) if only else set[Predicate]()
    named = {*scene.named(singular(what))} if what else set[Expression]()
    timed = singular(what) in words("time.units")
    for one in query.where:
        read = {*columns(one)}
        if read & named or (timed and isinstance(one, Comparison) and one.operator == "within"):
            gone.add(one)
    return scene.changed(replace(query, where=tuple(one for one in query.where if one not in gone)))


def lengthened(scene: Scene, unit: str) -> tuple[Query, ...]:
    """The year, quarter or month in which the time that was asked about lies, in its place: `the whole year`."""
    months = {"year": 12, "quarter": 3, "month": 1}[unit.lower()]
    where = tuple(lengthened_to(one, months) for one in scene.query.where)
    return scene.changed(replace(scene.query, where=where))
