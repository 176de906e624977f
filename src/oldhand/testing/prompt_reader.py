"""A model whose answer depends on what its prompt holds: it knows the questions, but no database."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias, cast

from pydantic import JsonValue

from oldhand.lexicon.tokens import words_in
from oldhand.models.language_model import ToolResult
from oldhand.models.ledger import Ledger
from oldhand.models.structured import T
from oldhand.record.episode import Message
from oldhand.testing.fake_replies import Reply, Request
from oldhand.testing.prompt_reading import Missing, Seen, blocks, empty_of, unfenced, written_from
from oldhand.testing.prompts import Prompt
from oldhand.testing.scripted import Scripted, ScriptedModel
from oldhand.testing.small_models import MANNERS

JsonObject: TypeAlias = dict[str, JsonValue]


_STATEMENT = re.compile(
    r"(?:SQL[^:\n]*:\s|^)((?:SELECT|WITH)\b.+?)(?=\n\n|\n<|\Z)", re.MULTILINE | re.DOTALL
)


class ReaderHabit(StrEnum):
    """How a `PromptReader` answers."""

    HONEST = "honest"
    """As it has read."""
    CONTRADICTS = "contradicts"
    """Its statement brings no rows, and of several choices it takes the last one."""
    AGREES = "agrees"
    """It repeats the first statement that its prompt shows, and of several choices it takes the first one."""
    SMALL = "small"
    """As it has read, in the manners of small models, each in its turn; see `oldhand.testing.small_models`."""


@dataclass(frozen=True)
class Gold:
    """How a question is answered by somebody who sees all that this needs."""

    sql: str | Sequence[tuple[str, str]]
    """One statement; or several, each behind its database, `workspace` last."""
    guesses: Mapping[str, str] = field(default_factory=dict[str, str])
    """What is written for a value, a `table.column`, a table, or a key (`orders.customer_id = customers.id`) that the
    prompt does not show. Without: a value in small letters, a name that does not exist, and tables side by side."""
    dialect: str = "sqlite"

    @property
    def steps(self) -> Sequence[tuple[str, str]]:
        """Database and statement of each step; the database of a lone one is read from the prompt."""
        return [("", self.sql)] if isinstance(self.sql, str) else self.sql


@dataclass(frozen=True)
class Reading:
    """One prompt as a `PromptReader` has read it."""

    prompt: Prompt
    question: str
    """Which of its questions stands there; empty when none does."""
    gold: Gold | None
    form: JsonObject
    """The JSON Schema of the answer; empty when a text is wanted."""
    habit: ReaderHabit = ReaderHabit.HONEST
    order: str | None = None
    """What it was told to write by words outside of any block of data."""

    @property
    def text(self) -> str:
        """The whole prompt."""
        return self.prompt.text

    @cached_property
    def seen(self) -> Seen:
        """What the prompt shows of the schemas."""
        return Seen(self.text)

    @property
    def fields(self) -> Mapping[str, JsonObject]:
        """The fields of the form, each with its schema."""
        return cast("dict[str, JsonObject]", self.form.get("properties", {}))

    @property
    def sql(self) -> str:
        """The statement that it writes for the step that it was asked for."""
        if self.order is not None:
            return self.order
        if self.habit is ReaderHabit.AGREES and (shown := _STATEMENT.search(self.text)):
            return " ".join(shown[1].split())
        sql = self._written[0]
        return empty_of(sql) if self.habit is ReaderHabit.CONTRADICTS else sql

    @property
    def missing(self) -> Missing:
        """What its statement needs and the prompt does not show."""
        return self._written[1]

    @cached_property
    def steps(self) -> list[JsonObject]:
        """The plan."""
        steps = () if self.gold is None else self.gold.steps
        return [
            {
                "number": number,
                "purpose": f"{self.question} (part {number} of {len(steps)})",
                "database": database or self.databases[0],
                "depends_on": list(range(1, number)) if database == "workspace" else [],
                "hidden": number < len(steps),
            }
            for number, (database, _) in enumerate(steps, 1)
        ]

    @cached_property
    def databases(self) -> list[str]:
        """Those that the question needs, as the prompt names them."""
        if self.gold is None:
            return []
        named = [name for name, _ in self.gold.steps if name not in {"", "workspace"}]
        words = words_in(sql for _, sql in self.gold.steps)
        read = [of for table, of in self.seen.databases.items() if table in words]
        first = re.search(r"(?:databases:|database) (\w+)", self.text)
        return list(dict.fromkeys(named or read)) or [first[1] if first else "main"]

    @cached_property
    def sentence(self) -> str:
        """The first row of the last result that the prompt shows, in words; nothing else."""
        lines = (blocks(self.text, "step_results") or [""])[-1].split("\n\n")[-1].splitlines()
        table = [line for line in lines if not line.startswith(("Step ", "SQL: ", "("))]
        if len(table) < 2:
            return "Nothing was found." if table else "I do not know."
        cells = zip(table[0].split(" | "), table[1].split(" | "), strict=False)
        return ", ".join(f"{name} is {cell}" for name, cell in cells) + "."

    @cached_property
    def _written(self) -> tuple[str, Missing]:
        if self.gold is None:
            return "SELECT 'I do not know this question'", Missing()
        steps = self.gold.steps
        step = "\n".join(blocks(self.text, "step")) or self.text
        part = max((int(n) for n in re.findall(r"\(part (\d+) of ", step)), default=len(steps))
        database, sql = steps[min(part, len(steps)) - 1]
        if database == "workspace":
            return sql, Missing()
        return written_from(sql, self.seen, self.gold.guesses, self.gold.dialect)


Filling: TypeAlias = Callable[[Reading], JsonValue]


class PromptReader(ScriptedModel):
    r"""A `LanguageModel` that answers from what its prompt shows: what is left out of a prompt changes the answer.

    It knows how each question is answered, but writes a value only as it stands in the prompt, joins only by a key
    that the prompt shows, and uses only tables and columns that it sees. It fills in any form by the names of its fields;
    `prompts` keeps what it was asked. `FakeServer(reader.reply)` is the same model behind the protocols of OpenAI,
    Ollama and Anthropic.

    >>> import asyncio
    >>> from oldhand.agent.analysis.forms import SQLForm
    >>> from oldhand.models import Ledger
    >>> reader = PromptReader({"Who is in Basel?": "SELECT name FROM people WHERE city = 'Basel (BS)'"})
    >>> def write(schema: str) -> str:
    ...     told = [Message(role="user", content=f"**Table: people**{schema}\nWho is in Basel?")]
    ...     return asyncio.run(reader.structured(told, SQLForm, stage="s", ledger=Ledger())).sql
    >>> print(write("\n  - name\n  - city"))
    SELECT name FROM people WHERE city = 'basel (bs)'
    >>> print(write("\n  - name\n  - city: 'Basel (BS)'"))
    SELECT name FROM people WHERE city = 'Basel (BS)'
    """

    def __init__(
        self,
        questions: Mapping[str, Gold | str],
        *,
        habit: ReaderHabit = ReaderHabit.HONEST,
        orders: Mapping[str, str] | None = None,
        fills: Mapping[str, Filling] | None = None,
        name: str = "reader",
    ) -> None:
        """Know these questions.

        Args:
            questions: by their words, the SQL of their answers; the longest that stands in a prompt counts.
            habit: how it answers.
            orders: what it writes or says instead when the words before it stand in a prompt outside of all blocks of data.
            fills: how fields are filled in, by name; they win over its own ways.
            name: its name.
        """
        self._questions = {
            question: Gold(gold) if isinstance(gold, str) else gold
            for question, gold in sorted(questions.items(), key=lambda one: -len(one[0]))
        }
        self._habit = habit
        self._orders = orders or {}
        self._fills = {**_OWN_WAYS, **(fills or {})}
        self._answered = 0
        super().__init__(lambda prompt: self._say(prompt, {}), name=name)

    async def structured(
        self, messages: Sequence[Message], schema: type[T], *, stage: str, ledger: Ledger
    ) -> T:
        """See `ScriptedModel.structured`."""
        form = cast("JsonObject", schema.model_json_schema())
        one = ScriptedModel(lambda prompt: self._say(self._kept(prompt), form), name=self.name)
        return await one.structured(messages, schema, stage=stage, ledger=ledger)

    def reply(self, request: Request) -> Reply:
        """The answer of a `FakeServer` to a request."""
        messages = tuple(
            ToolResult(content=text, call_id="", tool="")
            if role == "tool"
            else Message.model_validate({"role": role, "content": text})
            for role, text in request.messages
        )
        prompt = Prompt(request.stage, messages, request.schema_name, request.tools)
        said = self._say(self._kept(prompt), request.form)
        return Reply(text=said) if isinstance(said, str) else Reply(data=cast("JsonObject", said))

    def read(self, prompt: Prompt, form: JsonObject | None = None) -> Reading:
        """What it makes of a prompt; `form` is the JSON Schema of the answer."""
        text = " ".join(prompt.text.split())
        question = next((one for one in self._questions if " ".join(one.split()) in text), "")
        told = " ".join(unfenced(prompt.text).split())
        order = next((said for words, said in self._orders.items() if words in told), None)
        gold = self._questions.get(question)
        return Reading(prompt, question, gold, form or {}, self._habit, order)

    def _kept(self, prompt: Prompt) -> Prompt:
        self.prompts.append(prompt)
        return prompt

    def _say(self, prompt: Prompt, form: JsonObject) -> Scripted:
        reading = self.read(prompt, form)
        if not form:
            return reading.order or reading.sentence
        filled = self._filled(reading)
        if self._habit is not ReaderHabit.SMALL:
            return filled
        manner = list(MANNERS.values())[self._answered % len(MANNERS)]
        self._answered += 1
        return manner(filled)

    def _filled(self, reading: Reading) -> JsonObject:
        required = cast("list[str]", reading.form.get("required", []))
        filled: JsonObject = {}
        for name, node in reading.fields.items():
            if name in self._fills:
                filled[name] = self._fills[name](reading)
            elif "enum" in node:
                choices = cast("list[JsonValue]", node["enum"])
                filled[name] = choices[-1 if reading.habit is ReaderHabit.CONTRADICTS else 0]
            elif name in required:
                filled[name] = _EMPTY.get(str(node.get("type")), "")
        return filled


def _verdict(reading: Reading) -> JsonValue:
    known = reading.gold is not None and not reading.missing.tables
    return "answerable" if known else "unanswerable"


def _words(reading: Reading) -> JsonValue:
    if reading.order is not None:
        return reading.order
    if "verdict" in reading.fields:
        return "" if _verdict(reading) == "answerable" else "I see no table that holds this."
    return reading.sentence


_OWN_WAYS: dict[str, Filling] = {
    "verdict": _verdict,
    "databases": lambda reading: cast("JsonValue", reading.databases),
    "steps": lambda reading: cast("JsonValue", reading.steps),
    "standalone": lambda reading: reading.question,
    "sql": lambda reading: reading.sql,
    "corrected_sql": lambda reading: reading.sql,
    "text": _words,
    "confidence": lambda _: 0.9,
}
_EMPTY: dict[str, JsonValue] = {
    "string": "",
    "array": [],
    "object": {},
    "number": 0,
    "integer": 0,
    "boolean": False,
}
"""What is written into a field that must be filled and that nobody knows."""
