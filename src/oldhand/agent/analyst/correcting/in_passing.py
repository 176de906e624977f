"""Corrections that people give in a conversation, right behind an answer: `leave out the lost ones`, `use helper_id`."""

import re
from collections.abc import Callable

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.by_rule import by_rule
from oldhand.agent.analyst.correcting.correcting import corrected
from oldhand.agent.analyst.stating.leaving import rows_said
from oldhand.lexicon.entries import words
from oldhand.lexicon.phrases import any_of
from oldhand.query.form import Query

_SHOWING = words("asking.showing") | words("asking.further") | words("asking.for_things") | words("asking.commands")  # fmt: skip
_RIGHT, _WITHOUT = any_of(words("correcting.putting_right")), any_of(words("leaving.without"))
_ASKING = re.compile(rf"^(?:{any_of(_SHOWING)})\b|\?\s*$", re.IGNORECASE)  # fmt: skip
_ALONE = re.compile(rf"^(?:and |but )?(?:{_WITHOUT}|not)\b", re.IGNORECASE)  # fmt: skip
"""A condition alone goes on from the question before: `without the lost ones`."""
_GOING_BY = re.compile(rf"^(?:(?:no|please|but|sorry)[, ]+)*(?:{_RIGHT}) ", re.IGNORECASE)  # fmt: skip


def may_correct(said: str) -> bool:
    """Whether a sentence asks for nothing, but says what should be different in what was answered.

    >>> [may_correct(one) for one in ("leave out the lost parcels", "use helper_id", "Which parcels were left out?", "count the parcels", "parcels in Rome")]
    [True, True, False, False, False]
    """
    if _GOING_BY.match(said) is not None:
        return not said.strip().endswith("?")
    if _ASKING.search(said.strip()) or _ALONE.match(said):
        return False
    rows = rows_said(said)
    return rows is not None and (rows.wants[:1] == (False,) or bool(rows.wants and not rows.told))


def puts_right(said: str) -> Callable[[str, Scene], Query | None] | None:
    """What a sentence does to the query before; None where it asks for something of its own."""
    return corrected_query if may_correct(said) else None


def corrected_query(said: str, scene: Scene) -> Query | None:
    """The query before as a correction wants it; None where that is not understood, or may be several."""
    found = by_rule(said, scene)
    if found is not None and found != scene.query:
        return found
    several = corrected(said, scene) if "_" in said or not _GOING_BY.match(said) else ()
    return several[0] if len(several) == 1 else None
