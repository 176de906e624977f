"""A conversation: questions, follow-up questions and slash commands."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rich.console import Console
from rich.text import Text

from oldhand.cli.alias import defined_lines
from oldhand.cli.answering import Transcript, answer_of, reading
from oldhand.cli.chat_memory import WORDS, MemoryCommands
from oldhand.cli.feedback import said
from oldhand.cli.learned import receipt_lines, reflection_lines
from oldhand.cli.opening import asked_databases
from oldhand.cli.schemas import databases_table, schema_lines
from oldhand.cli.screen import indented, make_table, one_line, safe
from oldhand.cli.why import Chain
from oldhand.errors import UsageError
from oldhand.face import AsyncOldhand
from oldhand.record.answer import Answer

_BESIDE = 24
"""Column at which it stands what a command does."""
_LEAVING = ("quit", "exit")
"""What people type who want to leave, and who know it from other programs."""


@dataclass(frozen=True)
class Command:
    """A slash command: what follows it, what it does, and how."""

    argument: str
    help: str
    run: Callable[[str], Awaitable[None]]


class Conversation:
    """One conversation with an assistant.

    Args:
        old: who answers.
        console: where it is shown.
        user: who asks, and whose thumbs count.
        databases: names to ask; all when None.
        session_id: goes on with an earlier conversation; a new one when None.
        reflects: show what looking back on each answer finds.
    """

    def __init__(
        self,
        old: AsyncOldhand,
        console: Console,
        *,
        user: str,
        databases: Sequence[str] | None = None,
        session_id: str | None = None,
        reflects: bool = False,
    ) -> None:
        self._old = old
        self._console = console
        self._user = user
        self._databases = databases
        self._session_id = session_id
        self._reflects = reflects
        self._last: Answer | None = None
        self.over = False
        """True once the user has said that it is."""
        self.commands: dict[str, Command] = {
            "/help": Command("", "this list", self._help),
            "/good": Command("[#tag] [text]", "the last answer was right", partial(self._rate, +1)),
            "/bad": Command("[#tag] [text]", "the last answer was wrong, and why", partial(self._rate, -1)),
            "/correct": Command("SQL or text", "what the last answer should have been", self._correct),
            "/reflect": Command("", "what looking back on the last answer finds", self._reflect),
            "/why": Command("", "what the last answer rests on", self._why),
            "/alias": Command(
                "WORD = TARGET", "what a word means: clients = shop.customers", self._alias
            ),
            "/mem": Command("[word]", f"what was learned: {WORDS}", self._memory),
            "/sql": Command("", "the SQL of the last answer", self._sql),
            "/rows": Command("", "all rows of the last answer", self._rows),
            "/schema": Command("[name]", "tables and columns", self._schema),
            "/databases": Command("", "the databases that are asked", self._list_databases),
            "/session": Command("[id]", "show this conversation's id, or go on with another", self._session),
            "/new": Command("", "start a new conversation", self._new),
            "/quit": Command("", "leave", self._quit),
        }  # fmt: skip

    async def say(self, line: str) -> None:
        """Take one line: a question, a slash command, or the number of a reading to choose."""
        line = line.strip()
        if line.lower() in _LEAVING:
            self.over = True
        elif line.startswith("/"):
            name, _, rest = line.partition(" ")
            command = self.commands.get(name.lower())
            if command is None:
                raise UsageError(f"There is no command {one_line(name)}: /help lists them.")
            await command.run(rest.strip())
        elif line:
            await self._ask(reading(line, self._last))

    async def _ask(self, question: str) -> None:
        names = asked_databases(self._old.databases, self._databases, question)
        transcript = Transcript(self._console)
        with transcript.live:
            answer = await self._old.ask(
                question,
                databases=names,
                user=self._user,
                session_id=self._session_id,
                observe=transcript,
            )
        self._last, self._session_id = answer, answer.session_id
        self._console.print()
        self._console.print(*answer_of(answer, seen=transcript.notes, more="/rows"), sep="\n")
        if self._reflects:
            await self._reflect("")

    async def _help(self, _: str) -> None:
        for name, command in self.commands.items():
            head = f"  {name} {command.argument}".ljust(_BESIDE)
            beside = indented(command.help, _BESIDE, self._console.width)
            self._console.print(head + beside[_BESIDE:])
        self._console.print("Anything else is a question.")

    async def _rate(self, rating: int, why: str) -> None:
        tags, text = tags_and_text(why)
        await self._judge(rating=rating, text=text or None, tags=tags)

    async def _correct(self, correction: str) -> None:
        if not correction:
            raise UsageError("Write the right SQL or the right answer behind /correct.")
        await self._judge(correction=correction)

    async def _why(self, _: str) -> None:
        self._console.print(Chain(await self._old.why(self._answered().episode_id)))

    async def _alias(self, line: str) -> None:
        phrase, _, target = (part.strip() for part in line.partition("="))
        if not phrase or not target:
            raise UsageError("Write the word and what it means: /alias clients = shop.customers")
        defined = await self._old.define(phrase, target, rater=self._user)
        if defined.note:
            self._console.print(Text(one_line(f"Warning: {defined.note}"), "yellow"))
        self._console.print(*defined_lines(defined), sep="\n")

    async def _memory(self, line: str) -> None:
        await MemoryCommands(self._old, self._console, self._user).run(line)

    async def _judge(
        self,
        *,
        rating: int | None = None,
        text: str | None = None,
        correction: str | None = None,
        tags: Sequence[str] = (),
    ) -> None:
        given = await self._old.feedback(
            self._answered().episode_id,
            rating=rating,
            text=text,
            correction=correction,
            rater=self._user,
            tags=tags,
        )
        self._console.print(one_line(f"Noted: {said(given)}."), markup=False)
        for line in receipt_lines(given):
            self._console.print(line)
        if self._reflects:
            await self._reflect("")

    async def _reflect(self, _: str) -> None:
        reflection = await self._old.reflect(self._answered().episode_id)
        self._console.print(*reflection_lines(reflection), sep="\n")

    async def _sql(self, _: str) -> None:
        if not self._answered().steps:
            self._console.print("Nothing ran: there was no answer from the databases.")
        for step in self._answered().steps:
            self._console.print(Text(f"-- {one_line(step.database)}", "dim"))
            self._console.print(Text(safe(step.sql), "cyan"))

    async def _rows(self, _: str) -> None:
        answer = self._answered()
        self._console.print(make_table(answer.columns, answer.rows, max_rows=len(answer.rows)))

    async def _schema(self, name: str) -> None:
        names = [name] if name else [entry.name for entry in self._old.databases.entries()]
        for each in names:
            self._console.print(
                *schema_lines(self._old.databases.schema(each), self._console.width), sep="\n"
            )

    async def _list_databases(self, _: str) -> None:
        entries = self._old.databases.entries()
        self._console.print(databases_table(entries))

    async def _session(self, session_id: str) -> None:
        if session_id:
            self._session_id, self._last = session_id, None
        self._console.print(
            one_line(self._session_id or "A new conversation; nothing was asked yet.")
        )

    async def _new(self, _: str) -> None:
        self._session_id = self._last = None
        self._console.print("A new conversation.")

    async def _quit(self, _: str) -> None:
        self.over = True

    def _answered(self) -> Answer:
        if self._last is None:
            raise UsageError("There is no answer yet: ask something first.")
        return self._last


def tags_and_text(line: str) -> tuple[tuple[str, ...], str]:
    """Tags in front of a comment, and the comment.

    >>> tags_and_text("#too-verbose #late It went on and on.")
    (('too-verbose', 'late'), 'It went on and on.')
    """
    tags: list[str] = []
    while line.startswith("#"):
        tag, _, rest = line.partition(" ")
        tags.append(tag)
        line = rest.lstrip()
    return tuple(filter(None, (tag.lstrip("#") for tag in tags))), line
