"""What evaluators of SQL have in common: which tools take it, what it may be about, and a model that judges with them."""

import asyncio
import logging
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from oldhand.errors import ModelError, ModelTimedOut, PromptError
from oldhand.evaluators.base import VerbalEvaluator
from oldhand.evaluators.workplace import Schemas, at_work
from oldhand.models import LanguageModel, Ledger
from oldhand.models.blocking import blocking
from oldhand.models.ledger import booking
from oldhand.models.templates import Prompts
from oldhand.record.episode import Message
from oldhand.record.schema import DatabaseSchema
from oldhand.record.step import Action, Observation, Step
from oldhand.settings import home_folder
from oldhand.store.home_store import RESULTS_FOLDER

JUDGEMENTS_FILE = "judgements.db"
"""Where the answers of judging models are kept, beside the results."""
logger = logging.getLogger(__name__)
Form = TypeVar("Form", bound=BaseModel)
CRITIQUE_SECONDS = 20.0
"""Time that a model may take for one judgement; the rules' verdict stands without it."""
_PACKAGE = "oldhand.evaluators"
MAX_ANSWERS = 20_000
"""Answers that are kept; the oldest go first."""
_BUSY_SECONDS = 2.0


# Ask a language model for its judgement: once for each content, within a time limit, from ordinary code.
class JudgeCache:
    """Answers by content. It only saves calls: a cache that cannot be read or written is logged, counted and passed over.

    >>> cache = JudgeCache(getfixture("tmp_path") / "judgements.db")
    >>> key = content_key("sqlvalidator", "gpt-4", "Is this right? SELECT 1")
    >>> cache.get(key)
    >>> cache.put(key, '{"is_valid": true}')
    >>> JudgeCache(getfixture("tmp_path") / "judgements.db").get(key)
    '{"is_valid": true}'
    """

    def __init__(self, path: Path | Callable[[], Path], most: int = MAX_ANSWERS) -> None:
        self._at = path
        self._most = most
        self.failures = 0
        """How often it could not be read or written."""

    @property
    def _path(self) -> Path:
        return self._at() if callable(self._at) else self._at

    def get(self, key: str) -> str | None:
        """The answer for a key; None when there is none."""
        if not self._path.is_file():
            return None
        try:
            with closing(self._opened()) as connection:
                found = connection.execute(
                    "SELECT answer FROM answers WHERE key = ?", (key,)
                ).fetchone()
        except (sqlite3.Error, OSError) as error:
            self._failed(error)
            return None
        return str(found[0]) if found else None

    def put(self, key: str, answer: str) -> None:
        """Keep an answer, and let go of the oldest ones when there are too many."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._opened()) as connection, connection:
                connection.execute(
                    "INSERT OR REPLACE INTO answers (key, answer) VALUES (?, ?)", (key, answer)
                )
                connection.execute(
                    "DELETE FROM answers WHERE place <= (SELECT max(place) FROM answers) - ?",
                    (self._most,),
                )
        except (sqlite3.Error, OSError) as error:
            self._failed(error)

    def _opened(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS)
        try:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS answers "
                "(place INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, answer TEXT NOT NULL)"
            )
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _failed(self, error: Exception) -> None:
        self.failures += 1
        logger.warning("judge_cache_failed: %s, %s so far: %s", self._path, self.failures, error)


def content_key(*parts: str) -> str:
    """A key that differs as soon as one part does.

    >>> content_key("ab", "c") == content_key("a", "bc")
    False
    """
    text = "\x1e".join(f"{len(part)}:{part}" for part in parts)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


class Critic:
    """A model that judges; what it cannot judge is logged and counted, and costs nothing else."""

    def __init__(
        self,
        lm: LanguageModel,
        evaluator_type: str,
        cache: JudgeCache,
        *,
        seconds: float = CRITIQUE_SECONDS,
    ) -> None:
        self._lm = lm
        self._evaluator_type = evaluator_type
        self._cache = cache
        self._seconds = seconds
        self._prompts = Prompts(package=_PACKAGE)
        self.ledger = Ledger()
        """What its calls cost, outside of runs; within one, they are booked to the run."""
        self.failures = 0
        """How often it gave no judgement."""

    def ask(self, prompt: str, values: Mapping[str, str], form: type[Form]) -> Form | None:
        """Its judgement in the form asked for; None when it gave none."""
        try:
            messages = self._prompts[prompt].fill(values)
            key = self._key(messages, form)
            if (kept := self._kept(key, form)) is not None:
                return kept
            answer = blocking(lambda: self._asked(messages, form, prompt))
        except (ModelError, PromptError) as error:
            self.failures += 1
            said = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
            logger.warning("critique_failed: %s, %s so far: %s", self._lm.name, self.failures, said)
            return None
        self._cache.put(key, answer.model_dump_json())
        return answer

    def _key(self, messages: tuple[Message, ...], form: type[BaseModel]) -> str:
        """Of all that the answer depends on; the prompt's version is its text."""
        texts = [message.content for message in messages]
        return content_key(
            self._evaluator_type, self._lm.name, str(form.model_json_schema()), *texts
        )

    def _kept(self, key: str, form: type[Form]) -> Form | None:
        kept = self._cache.get(key)
        try:
            return None if kept is None else form.model_validate_json(kept)
        except ValidationError:
            return None  # written by another version, or by nobody we know

    async def _asked(self, messages: tuple[Message, ...], form: type[Form], stage: str) -> Form:
        try:
            async with asyncio.timeout(self._seconds):
                ledger = booking() or self.ledger
                return await self._lm.structured(messages, form, stage=stage, ledger=ledger)
        except TimeoutError as error:
            raise ModelTimedOut(f"No judgement within {self._seconds:g} seconds.") from error
        finally:
            await self._lm.aclose()


class SqlEvaluator(VerbalEvaluator):
    """Judges SQL by rules, which look at the schemas when there are some, and by a language model when there is one."""

    def __init__(
        self,
        base_model: LanguageModel | None = None,
        sql_tool_names: Collection[str] = ("sql_db_query",),
        *,
        schemas: Schemas = (),
        dialect: str = "",
        home: str | Path | None = None,
    ) -> None:
        """Nothing is opened yet, and nothing is asked.

        Args:
            base_model: judges after the rules; None for the rules alone.
            sql_tool_names: the tools whose SQL is judged; one, or several.
            schemas: the databases that queries may be for; without them, only what needs no schema is found.
            dialect: of all queries, when no schema tells it.
            home: as `VerbalEvaluator`.
        """
        super().__init__(base_model, home=home)
        alone = isinstance(sql_tool_names, str)
        self.sql_tool_names = (sql_tool_names,) if alone else tuple(sql_tool_names)
        self._schemas = schemas
        self._has_its_own = bool(schemas)
        self._dialect = dialect

    @cached_property
    def critic(self) -> Critic | None:
        """Asks the language model, for every process that uses the home; None when there is none."""
        if self.base_model is None:
            return None
        return Critic(self.base_model, self.evaluator_type, JudgeCache(self._judgements))

    def _judgements(self) -> Path:
        """Where answers are kept: at the agent that is judged, else in the evaluator's own home."""
        place = at_work()
        home = self._home if place is None else place.home or self._home
        return home_folder(home) / RESULTS_FOLDER / JUDGEMENTS_FILE

    def know(self, schemas: Schemas) -> None:
        """Judge by these databases where no agent is judged, from now on, unless some were given when it was made."""
        if not self._has_its_own:
            self._schemas = schemas

    def schemas_for(self, database: str) -> Sequence[DatabaseSchema]:
        """The named database, else all."""
        place = None if self._has_its_own else at_work()
        schemas = self._schemas if place is None else place.schemas
        known = schemas() if callable(schemas) else schemas
        return [one for one in known if one.name.casefold() == database.casefold()] or known


def saved_under(kwargs: dict[str, object]) -> tuple[int | None, str | None, str | None]:
    """Number of the question, model and task, as `evaluate` was told them."""
    index, model, task = (
        kwargs.get(name) for name in ("query_idx", "policy_model_name", "task_type")
    )
    return (
        index if isinstance(index, int) else None,
        model if isinstance(model, str) else None,
        task if isinstance(task, str) else None,
    )


SQL_ARGUMENTS = ("query", "sql", "statement", "sql_query")
"""Under these names a tool takes SQL."""
_BEGINS_LIKE_SQL = re.compile(
    r"[\s(]*(?:select|with|values|insert|update|delete|create|drop|alter|explain|pragma)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SqlCall:
    """One statement that was given to a tool."""

    sql: str
    database: str = ""
    """The database that was named; empty when none was."""
    step_number: int | None = None
    observation: Observation | None = None
    """What came of it; None when it has not run."""


def sql_calls(step: Step, tools: Collection[str]) -> tuple[SqlCall, ...]:
    """The statements of a step, in the order of its actions.

    >>> query = Action(id="1", tool="sql_db_query", arguments={"query": "SELECT 1", "database": "shop"})
    >>> schema = Action(id="2", tool="sql_db_schema", arguments={"tables": "users"})
    >>> [call.sql for call in sql_calls(Step(number=1, actions=(query, schema)), {"sql_db_query", "sql_db_schema"})]
    ['SELECT 1']
    """
    outcomes = {one.action_id: one for one in step.observations}
    return tuple(
        SqlCall(sql, _database(action), step.number, outcomes.get(action.id))
        for action in step.actions
        if action.tool in tools
        for sql in _statements(action)
    )


def calls_of_run(steps: Sequence[Step], tools: Collection[str]) -> Iterator[SqlCall]:
    """The statements of a run, in order."""
    for step in steps:
        yield from sql_calls(step, tools)


def _statements(action: Action) -> Iterator[str]:
    for name, value in action.arguments.items():
        if isinstance(value, str) and (name in SQL_ARGUMENTS or _BEGINS_LIKE_SQL.match(value)):
            yield value


def _database(action: Action) -> str:
    name = action.arguments.get("database")
    return name if isinstance(name, str) else ""
