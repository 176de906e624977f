"""Things of a kind, where their names say it: `lilies`, of flowers that are called `White lily` and `Tiger lily`."""

import re

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wording import singular
from oldhand.query.form import ColumnRef, Comparison, Predicate

_KIND = re.compile(r"(?<!\d)[^\W\d_]{3,}")
"""Words of a value of which the last one says what kind of thing it is: `lily` of `White lily 2`."""


def of_kind(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """The values of one column that end in a word: `lilies` of flowers that are called `White lily` and `Tiger lily`."""
    held = [
        (found.table == scene.things.table, one)
        for said in dict.fromkeys((singular(words), words))
        for one in scene.values.containing(said)
        for found in scene.query.rows.relations
        if (one.database, one.table) == (found.database, found.table)
        and [stem(part) for part in _KIND.findall(one.value)[-1:]] == [stem(said)]
    ]
    nearest = [one for own, one in held if own] or [one for _, one in held]
    if len({(one.table, one.column) for one in nearest}) != 1:
        return ()
    of = next(one for one in scene.query.rows.relations if one.table == nearest[0].table)
    column, values = ColumnRef(of, nearest[0].column), {one.value for one in nearest}
    if len(values) == 1:
        return (Comparison(column, "=", tuple(values)),)
    kinds = {_KIND.findall(one)[-1] for one in values}
    behind = "" if all(one.endswith(tuple(kinds)) for one in values) else "%"
    return (Comparison(column, "like", (f"% {kinds.pop()}{behind}",)),) if len(kinds) == 1 else ()
