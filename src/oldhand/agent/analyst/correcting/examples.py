"""Corrections of an answer that would be understood, for whoever said one that was not."""

from collections.abc import Iterator

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.correcting import corrected
from oldhand.agent.analyst.covering.covering import unread
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.lexicon.wording import human, listed
from oldhand.query.walk import columns, is_measure

TRIED = 4
"""Corrections of each kind that are tried."""
_LONGEST = 24
"""Letters of a value that is named."""


def examples(scene: Scene) -> tuple[str, ...]:
    """One correction of each kind with the columns and values of the answer: other rows, another shape, another order; each is understood."""
    kinds = (_rows(scene), _shapes(scene), _orders(scene))
    return tuple(found for kind in kinds if (found := _first(scene, kind)) is not None)


def told(scene: Scene | None) -> str:
    """The same in a sentence; empty where there are none."""
    found = examples(scene) if scene is not None else ()
    return f"It would understand, for example, {listed([repr(one) for one in found], 'or')}." if found else ""  # fmt: skip


def _first(scene: Scene, tried: Iterator[str]) -> str | None:
    for said, _ in zip(tried, range(TRIED), strict=False):
        found = corrected(said, scene)
        if len(found) == 1 and not unread(said, scene, found[0]):
            return said
    return None


def _entries(scene: Scene) -> Iterator[ColumnEntry]:
    """The columns of the things in question that are not read yet."""
    read = {*columns(scene.query)}
    return (one for one in scene.columns_of(scene.things) if one.ref not in read)


def _rows(scene: Scene) -> Iterator[str]:
    for entry in _entries(scene):
        short = [one for one in entry.column.samples if isinstance(one, str) and one.replace(" ", "").isalpha() and len(one) <= _LONGEST]  # fmt: skip
        if short and not (entry.column.unique or entry.temporal or entry.key_like):
            yield f"only {short[0]}"


def _shapes(scene: Scene) -> Iterator[str]:
    computed = any(map(is_measure, scene.query.select))
    for entry in _entries(scene):
        if not (entry.column.unique or entry.key_like or (computed and entry.measures)):
            what = "month" if computed and entry.temporal else human(entry.column.name)
            yield f"{'per' if computed else 'with the'} {what}"


def _orders(scene: Scene) -> Iterator[str]:
    if scene.query.limit is not None:
        yield f"the first {scene.query.limit + 5}"
    elif scene.query.group:
        yield "highest first"
    elif any(map(is_measure, scene.query.select)):
        yield from (f"the {word} {human(one.column.name)}" for one in _entries(scene) if one.measures for word in ("average", "total"))  # fmt: skip
    else:
        yield from (f"sorted by {human(one.column.name)}" for one in _entries(scene) if one.numeric or one.temporal)  # fmt: skip
