"""From a correction in words to the query that it asks for."""

import re
from dataclasses import replace
from itertools import combinations

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.phrases import OVERALL, changes
from oldhand.agent.analyst.covering.covering import SaidOfAnswer
from oldhand.agent.analyst.reaching import joined
from oldhand.agent.analyst.stating.leaving import rows_said
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.query.form import Aggregate, Query
from oldhand.query.negating import excludes
from oldhand.query.normal import same
from oldhand.query.walk import attribute, columns, figures_of, is_measure
from oldhand.record.schema import Kind

_BETWEEN = re.compile(
    r"(?<=\w)[.;!]+\s+|,? (?:and|but) (?=(?:only|just|without|exclud|includ|also|sort|show|use|the top)\w*\b)"
    r"|, (?=(?:only|just|without|exclud|includ|sort|show|use|per)\w*\b)",
    re.IGNORECASE,
)

_IN_ALL = re.compile(
    rf"^((?:.{{0,30}}\b)?{OVERALL}(?:,? not (?:by|per) \w+)?)[,;:]? (?:(?:and|but|so) )*(.+)$",
    re.IGNORECASE,
)
"""One figure, and of which rows."""
_ANYWHERE = re.compile(
    r"(?<=\w)[,.;:!]+\s+(?:(?:and|but|so) )?(?!not\b|rather\b|instead\b)| (?:and|but) (?!not\b)",
    re.IGNORECASE,
)
_DEFINED = re.compile(r"(?:\b(?:not|never|no|nobody)\b|n't\b).*\bmeans?\b", re.IGNORECASE)
"""What words with a negation mean: the negation is theirs, and turns no condition round."""
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
    if _DEFINED.search(words):
        return ()
    whole = _IN_ALL.match(words)
    said = [whole[1], *_BETWEEN.split(whole[2])] if whole else _BETWEEN.split(words)
    if found := _piece_by_piece(said, scene, whole=True):
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
        elif whole or found or _wants_rows(piece):
            return ()
    return () if same(scene.query, before) else (scene.query,)


def _wants_rows(piece: str) -> bool:
    """Whether what is not understood wants rows in or out: `take them out`."""
    rows = rows_said(piece.strip(" .,!"))
    return rows is not None and bool(rows.wants)


def _is_sound(query: Query, scene: Scene) -> bool:
    """False where conditions exclude each other, one figure is sorted or cut, texts are compared as amounts, or groups are sorted by what they have many of."""
    if any(excludes(*pair) for pair in combinations(query.where, 2)):
        return False
    figures, known = figures_of(query), vocabulary(scene.schemas)
    fresh = [one for one in figures if isinstance(one, Aggregate) and one not in scene.query.select]
    about = ((one.function, attribute(one)) for one in fresh)
    read = [(function, known.entry(of)) for function, of in about if of is not None]
    if any(one.column.kind is Kind.TEXT or (one.key_like and how in ("sum", "avg")) for how, one in read):  # fmt: skip
        return False
    if query.compound is not None or not (query.group or figures):
        return True
    if not query.group and (query.order or query.limit is not None):
        return False
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
            if query is None or not _is_sound(query, scene):
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
