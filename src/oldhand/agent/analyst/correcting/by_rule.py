"""Corrections that say of one answer what a rule says of all: which key, which date, or which rows that are told by a code."""

import re
from collections.abc import Iterator
from itertools import chain

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.exchanging import dated
from oldhand.agent.analyst.correcting.phrases import wordings
from oldhand.agent.analyst.effects.filtering import filtered
from oldhand.agent.analyst.effects.joining import goes_along, rejoined
from oldhand.agent.analyst.stating.named import columns_named
from oldhand.agent.analyst.stating.pointers import pointed
from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.agent.analyst.stating.ways import CONTRAST, way_stated
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import human, plural
from oldhand.query.form import Query
from oldhand.query.walk import relations
from oldhand.record.schema import DATES
from oldhand.record.semantics import RowFilter

_DOING = "|".join(sorted(words("correcting.going_by")))
_GOING_BY = re.compile(rf"^(?:(?:{_DOING}) )*(?:by|for|to|under|at|on|use|take) (?:the |their |its )?(?P<what>.+)$", re.IGNORECASE)  # fmt: skip
_ONES = re.compile(r"\b(?:the |all |those )?ones\b|\b(?:them|those)\b", re.IGNORECASE)


def by_rule(said: str, scene: Scene) -> Query | None:
    """The query of an answer as words want it that would state a rule; None where they are none of the kind.

    Args:
        said: such as `by the town where the customer lives`, or `ignore the withdrawn claims (status W)`.
        scene: the query of the answer.
    """
    found = chain.from_iterable((*_led(one, scene), *_dated(one, scene), *_coded(one, scene)) for one in wordings(said))  # fmt: skip
    return next(found, None)


def _led(said: str, scene: Scene) -> Iterator[Query]:
    """By another key, or over another table: `for the town we move to`."""
    to = _GOING_BY.match(said)
    if to is None:
        return
    rows = human(scene.things.table)
    try:
        stated = way_stated(f"{rows} belong to {to['what']}", scene.schemas)
    except UnclearRule:
        return
    path = None if stated is None else stated[1].effect(stated[0])
    query = None if path is None else rejoined(scene.query, path, "", scene.schemas)
    if query is not None:
        yield query
    elif path is not None and goes_along(scene.query, path):
        yield scene.query


def _dated(said: str, scene: Scene) -> Iterator[Query]:
    """By another date, where it is said which one is not meant: `by the booking date, not the moving date`."""
    to, contrast = _GOING_BY.match(said), CONTRAST.search(said)
    if to is None or contrast is None:
        return
    new, read = CONTRAST.sub("", to["what"]), {(one.database, one.table) for one in relations(scene.query)}  # fmt: skip
    here = [one for one in columns_named(new, scene.schemas) if (one.database, one.table.name) in read]  # fmt: skip
    if len(here) == 1 and here[0].column.kind in DATES:
        yield from dated(scene, here[0].column.name, "")


def _coded(said: str, scene: Scene) -> Iterator[Query]:
    """Without rows of a code that is named, or with these alone: `leave out the ones we sold (status S)`."""
    things = plural(human(scene.things.table))
    said = _ONES.sub(things, said)
    if said.split()[0].lower() in words("rules.alone"):
        said = f"count {said}"
    try:
        if not pointed(said, scene.schemas, scene.values).pointers:
            return
        stated = read_rule(said, scene.schemas, scene.values)
    except UnclearRule:
        return
    if isinstance(stated.rule, RowFilter) and not stated.rule.when:
        yield filtered(scene.query, [stated.rule.effect(stated.database)], scene.schemas).query
