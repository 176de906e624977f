"""What is consulted: documents with their passages, and databases with what is known of them."""

import asyncio

from oldhand.models.schema_text import schema_text
from oldhand.record.access import Role
from oldhand.record.document import DocumentState
from oldhand.record.schema import DatabaseSchema, Disclosure, Table
from oldhand.server.web.page import Page, View, Visit
from oldhand.server.web.schema_drawing import HEAD, LINE, WIDTH, drawn

PASSAGES = 25
"""Of a document, on one page."""
_BEST = 10
STATES = {
    DocumentState.READY: "good",
    DocumentState.WAITING: "",
    DocumentState.FAILED: "bad",
    DocumentState.EMPTY: "warn",
}
_KINDS = {"postgresql": "Postgres", "pgserver": "Postgres", "mysql": "MySQL", "sqlite": "SQLite", "duckdb": "DuckDB", "files": "Files"}  # fmt: skip


async def documents(visit: Visit) -> View:
    """All documents, with how far they are read."""
    found = await visit.old.documents.list()
    ready = sum(one.state is not DocumentState.WAITING for one in found)
    return {"found": found, "ready": ready, "tones": STATES}


async def feedback(visit: Visit) -> View:
    """How the search among documents fares: what people said of it, what that changed, what is left open."""
    found = await visit.old.documents.stats()
    most = max(found.scores.values(), default=0)
    bars = [(called, number, number / most if most else 0) for called, number in found.scores.items()]  # fmt: skip
    best = await visit.old.documents.standing()
    return {"one": found, "bars": bars, "best": [it for it in best if it.credit > 0][:_BEST]}


async def votes(visit: Visit) -> View:
    """What a passage was credited with, vote by vote."""
    return {"votes": await visit.old.documents.votes(visit.given("chunk"))}


async def document(visit: Visit) -> View:
    """One document with its passages, a page at a time."""
    one = await visit.old.documents.get(visit.given("document_id"))
    given = visit.given("page", "1")
    number = min(max(1, int(given)), 1_000_000) if given.isdecimal() else 1
    start = (number - 1) * PASSAGES
    passages = await visit.old.documents.passages(one.id, start=start, limit=PASSAGES + 1)
    voted = {it.chunk: it for it in await visit.old.documents.standing()}
    return {
        "one": one,
        "title": one.name,
        "passages": passages[:PASSAGES],
        "voted": voted,
        "number": number,
        "is_more": len(passages) > PASSAGES,
        "tones": STATES,
    }


async def databases(visit: Visit) -> View:
    """All databases, each with what is in it, or why that can't be told."""
    found = await asyncio.to_thread(visit.old.databases.list)
    kinds = {one.name: one.url.partition(":")[0].partition("+")[0] for one in found}
    return {"found": found, "kinds": {name: _KINDS.get(it, it) for name, it in kinds.items()}}


async def database(visit: Visit) -> View:
    """One database: its schema drawn, its tables described, its inferred keys."""
    schema = await asyncio.to_thread(visit.old.databases.schema, visit.given("name"))
    table = schema.table(visit.given("table")) or next(iter(schema.tables), None)
    keys = [(one.name, key) for one in schema.tables for key in one.foreign_keys]
    return {
        "schema": schema,
        "title": schema.name,
        "table": table,
        "references": {} if table is None else _references(schema, table),
        "unconfirmed": [(of, key) for of, key in keys if key.is_unconfirmed],
        "rejected": [(one.name, key) for one in schema.tables for key in one.rejected_keys],
        "drawing": await asyncio.to_thread(drawn, schema),
        "sizes": {"width": WIDTH, "line": LINE, "head": HEAD},
        "levels": [one.value for one in Disclosure],
        "sent": await asyncio.to_thread(schema_text, [schema])
        if visit.may("databases.disclose")
        else "",
    }


def _references(schema: DatabaseSchema, table: Table) -> dict[str, str]:
    """What the columns of a table refer to."""
    return {
        column: f"{key.table if key.database == schema.name else f'{key.database}.{key.table}'}.{target}"
        for key in table.foreign_keys
        for column, target in zip(key.columns, key.target_columns, strict=True)
    }


PAGES = (
    Page("/documents", "Documents", Role.EXPERT, documents, "documents.html", "Sources", "d"),
    Page("/documents/feedback", "Feedback on passages", Role.EXPERT, feedback, "feedback.html"),
    Page("/passages/{chunk}/votes", "Votes", Role.EXPERT, votes, "votes.html"),
    Page("/documents/{document_id}", "Document", Role.EXPERT, document, "document.html"),
    Page("/databases", "Databases", Role.MEMBER, databases, "databases.html", "Sources", "b"),
    Page("/databases/{name}", "Database", Role.MEMBER, database, "database.html"),
)
