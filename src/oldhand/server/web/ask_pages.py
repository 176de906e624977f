"""Asking: the question, its answer with all that can be done with it, and what was asked before."""

from asyncio import to_thread
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from starlette.responses import Response

from oldhand.errors import UnknownDocument, UsageError
from oldhand.lexicon.wording import human, plural, singular
from oldhand.record.access import Role
from oldhand.record.document import Passage, reader_names
from oldhand.record.episode import Episode
from oldhand.record.fixing import Pick
from oldhand.record.memory import ExamplePayload, Memory
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.record.why import Cause
from oldhand.server.web.cause_drawing import drawn_causes
from oldhand.server.web.grid import Grid, LinkedCell, as_file, chart_of
from oldhand.server.web.page import Page, View, Visit
from oldhand.server.web.source_pages import PASSAGES

REASONS = ("wrong-number", "wrong-rows", "wrong-meaning", "missing-rows", "too-long", "too-short")
"""What can be wrong with an answer, as tags of feedback."""
_LATEST = 8
_CONFIRMED = 20
_LOOKED_AT = 4
"""Databases whose schemas are looked at for questions to begin with."""
_HISTORY = 1_000
MOST = 6
_SUGGESTED = 3
"""How many of them may be confirmed ones."""


async def ask(visit: Visit) -> View:
    """The page to ask on; the first steps where there is nothing to ask yet."""
    old, member = visit.old, visit.caller.role.may(Role.MEMBER)
    databases = [one.name for one in await to_thread(old.databases.list)]
    latest = await old.episodes.list(user=visit.caller.user, limit=_LATEST)
    # What others confirmed may tell what they asked: guests get what the schema invites.
    confirmed = await old.memories.list(type="example", limit=_CONFIRMED) if member else ()
    schemas = await to_thread(old.databases.schemas, databases[:_LOOKED_AT])
    return {
        "databases": databases,
        "latest": latest,
        "suggested": suggested(confirmed, schemas if member else ()),
        "may_add": visit.caller.role.may(Role.OWNER),
    }


async def history(visit: Visit) -> View:
    """What was asked: by everybody for those who see all, else by oneself."""
    whose = None if visit.caller.sees_all else visit.caller.user
    found = await visit.old.episodes.list(user=whose, limit=_HISTORY)
    return {"grid": _listed(visit, found)}


def _listed(visit: Visit, found: tuple[Episode, ...]) -> Grid:
    rows = [
        (
            LinkedCell(one.answer.question, visit.url(f"/answers/{one.id}")),
            one.answer.text,
            LinkedCell(one.answer.outcome.value, tone="quiet"),
            one.user_id,
            LinkedCell(one.created_at.isoformat(), tone="time"),
        )
        for one in found
    ]
    return Grid(("question", "answer", "outcome", "asked by", "when"), rows, name="history")


async def answer(visit: Visit) -> View:
    """One answer, with what was asked before it in its conversation."""
    episode = await _own(visit)
    found = await visit.old.episodes.list(user=episode.user_id, session_id=episode.session_id, limit=None)  # fmt: skip
    before = [one for one in reversed(found) if one.created_at < episode.created_at]
    own = episode.user_id == visit.caller.user
    return {**_card(visit, episode), "before": before, "own": own}


async def card(visit: Visit) -> View:
    """One answer, for a page that shows others already."""
    return _card(visit, await _own(visit))


def _card(visit: Visit, episode: Episode) -> dict[str, object]:
    grid = grid_of(visit, episode)
    return {
        "title": episode.answer.question,
        "episode": episode,
        "grid": grid,
        "single": len(grid.rows) == 1 and len(grid.columns) == 1,
        "chart": chart_of(grid),
        "tags": REASONS,
        "may_fix": visit.caller.role.may(Role.MEMBER) and bool(episode.answer.steps),
    }


async def fixing(visit: Visit) -> View:
    """How an answer was read, and what the picks so far come to: `?picked=1.2,0.3`."""
    episode = await _own(visit)
    picked = visit.given("picked")
    found = await visit.old.episodes.fixing(episode.id, _picks(picked))
    tried = {"before": found.before, "after": found.after or found.before}
    sides = {name: Grid(one.columns, one.rows, name=name) for name, one in tried.items()}
    return {"fixing": found, "picked": picked, **sides}


def _picks(said: str) -> tuple[Pick, ...]:
    """The picks of an address.

    >>> _picks("1.2,0.3"), _picks("")
    (((1, 2), (0, 3)), ())

    Raises:
        UsageError: they are not written so.
    """
    pairs = [pair.split(".") for pair in said.split(",") if pair]
    if not all(len(pair) == 2 and all(it.isdecimal() and len(it) < 6 for it in pair) for pair in pairs):  # fmt: skip
        raise UsageError("Picks are written as 1.2,0.3: a part, a dot, and the number of its choice.")  # fmt: skip
    return tuple((int(part), int(choice)) for part, choice in pairs)


async def why(visit: Visit) -> View:
    """What an answer rests on: the passages that were found, and what was learned, back to who said so."""
    found = await visit.old.episodes.why((await _own(visit)).id)
    learned = [one for one in found.causes if one.kind != "chunk"]
    root = Cause(kind="episode", id=found.episode_id, text=found.question, because=tuple(learned))
    return {
        "found": found,
        "passages": [one for one in found.causes if one.kind == "chunk"],
        "learned": learned,
        "drawing": drawn_causes(root) if learned else None,
    }


async def cited(visit: Visit) -> View:
    """The passage that an answer cites, with what stands around it, for those who may read its document today."""
    number = visit.given("number")
    episode = await _own(visit)
    one = next((it for it in episode.answer.citations if str(it.number) == number), None)
    if one is None:
        raise UsageError(f"The answer cites no passage [{number}].")
    documents, around = visit.old.documents, list[Passage]()
    with suppress(UnknownDocument):
        document = await documents.get(one.document_id)
        mine = reader_names(visit.caller.user, member=visit.caller.role.may(Role.MEMBER))
        if not set(mine).isdisjoint(document.readers):
            found = await documents.passages(document.id)
            at = next((it.position for it in found if it.chunk == one.chunk), None)
            around = [] if at is None else [*found[max(0, at - 1) : at + 2]]
    return {"one": one, "around": around, "rows": PASSAGES}


async def rows(visit: Visit) -> Response:
    """All rows of an answer as a file."""
    return as_file(grid_of(visit, await _own(visit)), visit.given("ending"))


async def _own(visit: Visit) -> Episode:
    """The answer that a page is about, if whoever asks may see it."""
    return await visit.caller.episode(visit.given("episode_id"))


def grid_of(visit: Visit, episode: Episode) -> Grid:
    """The rows of an answer."""
    columns, rows = episode.answer.shown
    files = visit.url(f"/answers/{episode.id}/rows")
    return Grid(columns, rows, name=f"answer-{episode.id[:8]}", files=files)


PAGES = (
    Page("/", "Ask", Role.EXTERNAL, ask, "ask.html", group="", key="a"),
    Page("/answers", "History", Role.EXTERNAL, history, "history.html", group="", key="h"),
    Page("/answers/{episode_id}", "Answer", Role.EXTERNAL, answer, "answer.html"),
    Page("/answers/{episode_id}/card", "Answer", Role.EXTERNAL, card, "card.html"),
    Page("/answers/{episode_id}/fixing", "How it was read", Role.MEMBER, fixing, "fixing.html"),
    Page("/answers/{episode_id}/why", "What it rests on", Role.MEMBER, why, "why.html"),
    Page("/answers/{episode_id}/passages/{number}", "Passage", Role.EXTERNAL, cited, "cited.html"),
    Page("/answers/{episode_id}/rows.{ending}", "Rows", Role.EXTERNAL, rows),
)


# Questions to begin with: those that people here have confirmed, then what a schema invites.
def suggested(confirmed: Iterable[Memory], schemas: Iterable[DatabaseSchema]) -> list[str]:
    """A few questions, no two the same."""
    known = (one.payload for one in confirmed)
    asked = (one.question for one in known if isinstance(one, ExamplePayload))
    invited = (question for schema in schemas for question in _of_schema(schema))
    found = dict.fromkeys((*islice(dict.fromkeys(asked), _SUGGESTED), *invited))
    return list(islice(found, MOST))


def _of_schema(schema: DatabaseSchema) -> Iterator[str]:
    """The first tables counted, and ranked by what refers to them."""
    things = [table for table in schema.tables if not _joins_only(table)]
    for table in things[:2]:
        yield f"How many {plural(human(table.name))} are there?"
    for table in things:
        for key in table.foreign_keys[:1]:
            if key.database in ("", schema.name) and key.table != table.name:
                owner = singular(human(key.table))
                yield f"Which {owner} has the most {plural(human(table.name))}?"


def _joins_only(table: Table) -> bool:
    """True for a table that only ties two others together."""
    keys = {name for key in table.foreign_keys for name in key.columns}
    return len(table.foreign_keys) > 1 and all(one.name in keys for one in table.columns)
