"""From a correction in words to the query that it asks for."""

import re
from dataclasses import replace

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.covering import unread
from oldhand.agent.analyst.correcting.phrases import changes
from oldhand.agent.analyst.reaching import joined
from oldhand.query.form import Query
from oldhand.query.normal import same

_BETWEEN = re.compile(
    r"(?<=\w)[.;!]+\s+|,? (?:and|but) (?=(?:only|just|without|exclud|includ|also|sort|show|use|the top)\w*\b)"
    r"|, (?=(?:only|just|without|exclud|includ|sort|show|use|per)\w*\b)",
    re.IGNORECASE,
)


def corrected(words: str, scene: Scene) -> tuple[Query, ...]:
    """The queries that a correction of an answer may mean; none when it is not understood, several when it does not decide.

    Args:
        words: such as `only the paid ones`, or `by shipping city, not billing city`.
        scene: the query of the answer.
    """
    pieces = [one for one in _BETWEEN.split(words) if one.strip(" .,!")]
    return _piece_by_piece(pieces, scene) or _corrected(words, scene)


def _piece_by_piece(pieces: list[str], scene: Scene) -> tuple[Query, ...]:
    """What several corrections ask for, one after the other; none where one of them is not understood."""
    if len(pieces) < 2:
        return ()
    for piece in pieces:
        found = _corrected(piece, scene)
        if len(found) != 1:
            return ()
        scene = replace(scene, query=found[0])
    return (scene.query,)


def _corrected(words: str, scene: Scene) -> tuple[Query, ...]:
    """The first reading that answers to all of the words, else the one that does best."""
    half: list[tuple[int, tuple[Query, ...]]] = []
    for queries in changes(words, scene):
        found: list[Query] = []
        for query in (joined(one, scene.schemas) for one in queries):
            known = query is None or any(same(query, other) for other in (scene.query, *found))
            if query is not None and not known:
                found.append(query)
        left = {one: unread(words, scene, one) for one in found}
        if whole := [one for one in found if not left[one]]:
            return tuple(whole)
        if some := tuple(one for one in found if not left[one].is_nothing):
            half.append((min(left[one].size for one in some), some))
    return min(half, key=lambda one: one[0])[1] if half else ()
