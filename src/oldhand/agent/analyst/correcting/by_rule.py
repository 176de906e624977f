"""Corrections that say of one answer what a rule says of all: which key, which date, or which rows that are told by a code."""

import re
from collections.abc import Iterator
from itertools import chain

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.phrases import wordings
from oldhand.agent.analyst.effects.filtering import filtered
from oldhand.agent.analyst.effects.joining import goes_along, rejoined
from oldhand.agent.analyst.semantics.dating import dated
from oldhand.agent.analyst.stating.dating import date_stated
from oldhand.agent.analyst.stating.leaving import rows_said
from oldhand.agent.analyst.stating.literals import literal_rows, rows_alone
from oldhand.agent.analyst.stating.named import tables_meant
from oldhand.agent.analyst.stating.pointers import pointed, word_of
from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.agent.analyst.stating.sentences import Dating
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.agent.analyst.stating.ways import CONTRAST, way_said, way_stated
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import human, plural
from oldhand.query.form import Query
from oldhand.query.walk import columns
from oldhand.record.semantics import DefaultDate, DefaultJoin, RowFilter, Rule

_DOING = "|".join(sorted(words("correcting.going_by")))
_GOING_BY = re.compile(rf"^(?:(?:{_DOING}) )*(?:by|for|to|under|at|on|use|take) (?:the |their |its )?(?P<what>.+)$", re.IGNORECASE)  # fmt: skip
_COUNTS = re.compile(r"^(?:the |their |its )?(?P<what>.+?) (?:counts|decides|matters|is what counts|is the one that counts)$", re.IGNORECASE)  # fmt: skip
"""What something goes by is named first: `the day they were paid counts`."""
_ONES = re.compile(r"\b(?:the |all |those )?ones\b|\b(?:them|those|they)\b", re.IGNORECASE)
_NAME = 4
"""Words of the name of a table at most, with an article."""
_DATES = words("rules.dates")


def by_rule(said: str, scene: Scene) -> Query | None:
    """The query of an answer as words want it that would state a rule; None where they are none of the kind.

    Args:
        said: such as `by the town where the customer lives`, or `ignore the withdrawn claims (status W)`.
        scene: the query of the answer.
    """
    changes = (_joined, _led, _dated) if _wants_in(said) else (_joined, _led, _dated, _coded)
    ways = (change(one, scene) for one in wordings(said) for change in changes)
    return next(chain.from_iterable(ways), None)


def word_told(said: str, scene: Scene) -> ReadRule | None:
    """What a word of a correction means beside which a code stands: `leave out the cancelled ones (st X)`; None where none does."""
    for one in wordings(said):
        try:
            told = pointed(_ONES.sub(_things(scene), one), scene.schemas, scene.values)
        except UnclearRule:
            continue
        word = word_of(told)
        known = {rule.name for one in scene.schemas for rule in one.semantics.rules}
        if word is not None and word.name not in known:
            return ReadRule(told.pointers[0].database, word.model_copy(update={"says": said}))
    return None


def _wants_in(said: str) -> bool:
    """Whether words want rows in that were left out: `you left out the lost ones` is no `left out the lost ones`."""
    rows = rows_said(next(iter(wordings(said)), ""))
    return rows is not None and rows.wants[:1] != (False,)


def as_stated(said: str, scene: Scene) -> tuple[Query, ...]:
    """The query of an answer under the rule that words state for all: `jobs with kind R don't count`; none where it changes nothing."""
    for one in () if _wants_in(said) else wordings(said):
        for told in dict.fromkeys((one, _ONES.sub(_things(scene), one))):
            try:
                stated = read_rule(told, scene.schemas, scene.values)
            except UnclearRule:
                continue
            if found := scene.changed(_under(stated.rule, stated.database, scene)):
                return found
    return ()


def _under(rule: Rule, database: str, scene: Scene) -> Query | None:
    """The query of an answer under a rule."""
    match rule:
        case RowFilter(when=""):
            return filtered(scene.query, [rule.effect(database)], scene.schemas).query
        case DefaultJoin():
            return rejoined(scene.query, rule.effect(database), "", scene.schemas)
        case DefaultDate(phrase=""):
            dates = {(database, rule.table.casefold()): rule.column}
            return dated(scene.query, (), dates, scene.schemas)
        case _:
            return None


def _things(scene: Scene) -> str:
    return plural(human(scene.things.table))


def _joined(said: str, scene: Scene) -> Iterator[Query]:
    """By the key that a whole sentence says: `join jobs to technicians on helper_id`."""
    stated = way_said(said, scene.schemas, scene.values)
    if stated is not None:
        yield from _along(stated, scene)


def _along(stated: tuple[str, DefaultJoin], scene: Scene) -> Iterator[Query]:
    """The query of an answer by a way; the query as it is, where it goes that way already."""
    path = stated[1].effect(stated[0])
    query = rejoined(scene.query, path, "", scene.schemas)
    if query is not None:
        yield query
    elif goes_along(scene.query, path):
        yield scene.query


def _led(said: str, scene: Scene) -> Iterator[Query]:
    """By another key, or over another table: `for the town we move to`, `the technician who helps (hlp_tch_id)`."""
    to = _GOING_BY.match(said)
    told = to["what"] if to else said
    for relation in sorted(scene.query.rows.relations, key=lambda one: one != scene.things):
        stated = _way(human(relation.table), told, scene, alone=to is None)
        if stated is not None:
            yield from _along(stated, scene)


def _way(rows: str, said: str, scene: Scene, *, alone: bool) -> tuple[str, DefaultJoin] | None:
    """The way from some rows that words name; `alone` where they name nothing but whom these belong to."""
    try:
        told = pointed(said, scene.schemas, scene.values)
        if alone and not _begins_with_things(told.text, scene):
            return None
        return way_stated(f"{rows} belong to {told.text}", told.schemas, told.pointers)
    except UnclearRule:
        return None


def _begins_with_things(said: str, scene: Scene) -> bool:
    """Whether words begin with the name of what a query reads besides the rows that it is about."""
    first = CONTRAST.sub("", said).split()[:_NAME]
    first = first[1:] if first[:1] and first[0].lower() in words("rules.articles") else first
    read = {(one.database, one.table) for one in scene.query.rows.relations if one != scene.things}
    named = (tables_meant(" ".join(first[:end]), scene.schemas) for end in range(len(first), 0, -1))
    return any((database, table.name) in read for tables in named for database, table in tables)


def _dated(said: str, scene: Scene) -> Iterator[Query]:
    """By another date: `by the booking date, not the moving date`, `count them by the day they were done`."""
    to = _GOING_BY.match(said) or _COUNTS.match(said)
    what = CONTRAST.sub("", to["what"]) if to else ""
    if not what or (CONTRAST.search(said) is None and _DATES.isdisjoint(what.lower().split())):
        return
    for relation in sorted(scene.query.rows.relations, key=lambda one: one != scene.things):
        try:
            database, rule = date_stated(Dating(human(relation.table), what), scene.schemas, ())
        except UnclearRule:
            continue
        query = _under(rule, database, scene)
        read = {column.name for part in scene.query.where for column in columns(part) if column.of == relation}  # fmt: skip
        if query is not None and (query != scene.query or rule.column in read):
            yield query


def _coded(said: str, scene: Scene) -> Iterator[Query]:
    """Without rows of a code that is named, or with these alone: `leave out the ones we sold (status S)`, `without st X`."""
    around = [(one.database, one.table) for one in scene.query.rows.relations]
    said = _ONES.sub(_things(scene), said)
    said = f"count {said}" if said.split()[0].lower() in words("rules.alone") else said
    try:
        literal = literal_rows(said, scene.schemas, scene.values, around)
        told = literal or pointed(said, scene.schemas, scene.values)
        if literal is None and not told.pointers:
            return
        found: tuple[str, Rule] | None = rows_alone(told)
        if found is None and rows_said(told.text) is not None:
            return  # what is to go in, or only asked for, is no rule
        if found is None:
            stated = read_rule(told.text if literal else said, told.schemas if literal else scene.schemas, scene.values)  # fmt: skip
            found = stated.database, stated.rule
    except UnclearRule:
        return
    database, rule = found
    if isinstance(rule, RowFilter):
        yield from scene.changed(_under(rule, database, scene))
