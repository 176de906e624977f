"""Things of a kind, where their names say it: `lilies`, of flowers that are called `White lily` and `Tiger lily`."""

import re

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wording import singular
from oldhand.query.form import ColumnRef, Comparison, Predicate

_KIND = re.compile(r"(?<!\d)[^\W\d_]{3,}")
"""Words of a value of which the last one says what kind of thing it is: `lily` of `White lily 2`."""

_MANY = 100
"""Values that are looked through, at most."""


def of_kind(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """The values of one column that end in a word: `lilies` of flowers that are called `White lily` and `Tiger lily`; none where they are too many to see all of them."""
    said_so = dict.fromkeys((singular(words), words))
    alike = {said: scene.values.containing(said, _MANY + 1) for said in said_so}
    if any(len(some) > _MANY for some in alike.values()):
        return ()
    held = [
        (found.table == scene.things.table, one)
        for said, some in alike.items()
        for one in some
        for found in scene.query.rows.relations
        if (one.database, one.table) == (found.database, found.table)
        and [stem(part.casefold()) for part in _KIND.findall(one.value)[-1:]]
        == [stem(said.casefold())]
    ]
    nearest = [one for own, one in held if own] or [one for _, one in held]
    if len({(one.table, one.column) for one in nearest}) != 1:
        return ()
    of = next(one for one in scene.query.rows.relations if one.table == nearest[0].table)
    column, values = ColumnRef(of, nearest[0].column), sorted({one.value for one in nearest})
    return (Comparison(column, "=" if len(values) == 1 else "in", tuple(values)),)
