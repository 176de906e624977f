"""From a correction in words to the query that it asks for."""

import re
from dataclasses import replace

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.covering import SaidOfAnswer
from oldhand.agent.analyst.correcting.phrases import changes
from oldhand.agent.analyst.reaching import joined
from oldhand.query.form import Query
from oldhand.query.normal import same
from oldhand.query.walk import columns, figures_of, is_measure

_BETWEEN = re.compile(
    r"(?<=\w)[.;!]+\s+|,? (?:and|but) (?=(?:only|just|without|exclud|includ|also|sort|show|use|the top)\w*\b)"
    r"|, (?=(?:only|just|without|exclud|includ|sort|show|use|per)\w*\b)",
    re.IGNORECASE,
)

_ANYWHERE = re.compile(
    r"(?<=\w)[,.;:!]+\s+(?:(?:and|but|so) )?(?!not\b|rather\b|instead\b)| (?:and|but) (?!not\b)",
    re.IGNORECASE,
)
_ONLY_ASKED = 2
"""How much may be left where only something else could be meant as well."""
_NOTHING_READ = 1000
"""How much is left out where nothing is read."""


def corrected(words: str, scene: Scene) -> tuple[Query, ...]:
    """The queries that a correction of an answer may mean; none when it is not understood, several when it does not decide.

    Args:
        words: such as `only the paid ones`, or `by shipping city, not billing city`.
        scene: the query of the answer.
    """
    if found := _piece_by_piece(_BETWEEN.split(words), scene, whole=True):
        return found
    found, left = _corrected(words, scene)
    if left > _ONLY_ASKED and (made := _piece_by_piece(_ANYWHERE.split(words), scene, whole=False)):
        rest = SaidOfAnswer(words, scene).unread(made[0])
        return found if rest.is_nothing or (found and left <= rest.size) else made
    return found


def _piece_by_piece(said: list[str], scene: Scene, *, whole: bool) -> tuple[Query, ...]:
    """What several corrections ask for, one after the other; none where one of them is not understood, and has to be."""
    pieces, before = [one for one in said if one.strip(" .,!")], scene.query
    if len(pieces) < 2:
        return ()
    for piece in pieces:
        found, _ = _corrected(piece, scene)
        if len(found) == 1:
            scene = replace(scene, query=found[0])
        elif whole or found:
            return ()
    return () if same(scene.query, before) else (scene.query,)


def _is_sound(query: Query) -> bool:
    """False where groups, or the one row of a figure, are sorted by what they have many of."""
    if query.compound is not None or not (query.group or figures_of(query)):
        return True
    grouped = {column.of for one in query.group for column in columns(one)}
    plain = (one.by for one in query.order if not is_measure(one.by))
    return all(column.of in grouped for one in plain for column in columns(one))


def _corrected(words: str, scene: Scene) -> tuple[tuple[Query, ...], int]:
    """The first reading that answers to all of the words, else the one that does best; and how much it leaves out."""
    half: list[tuple[int, tuple[Query, ...]]] = []
    said = SaidOfAnswer(words, scene)
    for queries in changes(words, scene):
        found: list[Query] = []
        for query in (joined(one, scene.schemas) for one in queries):
            if query is None or not _is_sound(query):
                continue
            if not any(same(query, other) for other in (scene.query, *found)):
                found.append(query)
        left = {one: said.unread(one) for one in found}
        if whole := [one for one in found if not left[one]]:
            return tuple(whole), 0
        if some := tuple(one for one in found if not left[one].is_nothing):
            half.append((min(left[one].size for one in some), some))
    size, best = min(half, key=lambda one: one[0]) if half else (_NOTHING_READ, ())
    return best, size
