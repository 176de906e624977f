"""A conversation: questions, follow-up questions and slash commands."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rich.console import Console
from rich.text import Text

from oldhand.agent.analyst.replies import bare_reply
from oldhand.cli.alias import defined_lines
from oldhand.cli.answering import Running, answer_of, explained, reading
from oldhand.cli.chat_memory import WORDS, MemoryCommands
from oldhand.cli.feedback import said
from oldhand.cli.fixing import HOW, FixSession, fixing_lines
from oldhand.cli.learned import receipt_lines, reflection_lines
from oldhand.cli.opening import chosen_databases
from oldhand.cli.proposing import Offer, agreed_lines
from oldhand.cli.rule import learned_lines, preview_lines, rules_listing
from oldhand.cli.schemas import databases_table, schema_lines
from oldhand.cli.screen import indented, make_table, one_line, paged, safe
from oldhand.cli.why import Chain
from oldhand.errors import UsageError
from oldhand.face import AsyncOldhand
from oldhand.record.answer import Answer
from oldhand.record.feedback import CONTRADICTS

_BESIDE = 24
"""Column at which it stands what a command does."""
_LEAVING = ("quit", "exit", "/exit")
"""What people type who want to leave, and who know it from other programs."""


@dataclass(frozen=True)
class Command:
    """A slash command: what follows it, what it does, and how."""

    argument: str
    help: str
    run: Callable[[str], Awaitable[None]]


@dataclass
class Conversation:
    """One conversation with an assistant."""

    old: AsyncOldhand
    console: Console
    user: str
    """Who asks, and whose thumbs count."""
    databases: Sequence[str] | None = None
    """Names to ask; all when None."""
    session_id: str | None = None
    """Goes on with an earlier conversation; a new one when None."""
    reflects: bool = False
    """Show what looking back on each answer finds."""
    last: Answer | None = None
    offer: Offer | None = None
    """A proposal that was not answered with a yes yet."""
    is_doubted: bool = False
    """Whether it was just asked if a correction was meant."""
    fix: FixSession | None = None
    """The answer that is being put right."""
    over: bool = False
    """True once the user has said that it is."""
    rule: str = ""
    """A rule that was read back, and waits for a yes."""

    def __post_init__(self) -> None:
        self.commands: dict[str, Command] = {
            "/help": Command("", "this list", self._help),
            "/good": Command("[#tag] [text]", "the last answer was right", partial(self._rate, +1)),
            "/bad": Command("[#tag] [text]", "the last answer was wrong, and why", partial(self._rate, -1)),
            "/correct": Command("SQL or text", "what should be different in the last answer", self._correct),
            "/fix": Command("[numbers]", "pick what the last answer was read as wrongly; /fix yes confirms", self._fix),
            "/reflect": Command("", "what looking back on the last answer finds", self._reflect),
            "/why": Command("", "how the last answer was found, and what it rests on", self._why),
            "/alias": Command(
                "WORD = TARGET", "what a word means: clients = shop.customers", self._alias
            ),
            "/rule": Command(
                "[sentence]", "state what words mean, or which rows count: profit = price - cost", self._rule
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
        """Take one line: a question, a slash command, a yes or no, or the number of a reading to choose."""
        line = line.strip()
        offer = self.offer if self.offer and self.offer.is_open else None
        if line.lower() in _LEAVING:
            self.over = True
        elif line.startswith("/"):
            name, _, rest = line.partition(" ")
            command = self.commands.get(name.lower())
            if command is None:
                raise UsageError(f"There is no command {one_line(name)}: /help lists them.")
            await command.run(rest.strip())
        elif self.is_doubted and (told := bare_reply(line)) is not None:
            self.offer = None  # it was asked last whether the correction was meant
            if told:
                await self._correct("yes")
            else:
                self.is_doubted = False
                self.console.print(
                    "Nothing was learned. /correct says it in other words, /fix shows the parts."
                )
        elif offer and offer.agrees(line):
            await self._agree(offer)
        elif offer and offer.refuses(line):
            said = await offer.refuse(self.old)
            more = "" if offer.is_open else " /fix shows the parts, to exchange what is wrong."
            self.console.print(Text(f"{said}{more}", "bold yellow"))
        elif line:
            await self._ask(reading(line, self.last))

    async def _ask(self, question: str) -> None:
        names = chosen_databases(self.old.databases, self.databases)
        running = Running(self.console)
        with running.live:
            answer = await self.old.ask(
                question,
                databases=names,
                user=self.user,
                session_id=self.session_id,
                observe=running,
            )
        self.last, self.session_id, self.is_doubted = answer, answer.session_id, False
        self.offer = Offer(answer, self.user, names)
        self.console.print(*answer_of(answer, more="/rows"), sep="\n")
        if self.reflects:
            await self._reflect("")

    async def _agree(self, offer: Offer) -> None:
        self.last, receipt = await offer.agree(self.old)
        self.offer = None
        self.console.print(*answer_of(self.last, brief=True, more="/rows"), sep="\n")
        for line in agreed_lines(receipt):
            self.console.print(line, markup=False)

    async def _help(self, _: str) -> None:
        for name, command in self.commands.items():
            head = f"  {name} {command.argument}".ljust(_BESIDE)
            beside = indented(command.help, _BESIDE, self.console.width)
            self.console.print(head + beside[_BESIDE:])
        self.console.print("Anything else is a question.")

    async def _rate(self, rating: int, why: str) -> None:
        tags, text = tags_and_text(why)
        await self._judge(rating=rating, text=text or None, tags=tags)

    async def _correct(self, correction: str) -> None:
        if not correction:
            raise UsageError(
                "Write what should be different behind /correct, in words or in SQL: /correct only paid ones"
            )
        self.offer = None  # a yes is now said to the correction, where that asks back
        await self._judge(correction=correction)

    async def _fix(self, line: str) -> None:
        last = self._answered().episode_id
        if not line or self.fix is None or self.fix.episode_id != last:
            self.fix = FixSession(last, self.user)
            found = await self.fix.look(self.old)
            if not line:
                self.console.print(*fixing_lines(found), sep="\n")
                self.console.print(f"Write /fix and {HOW}.", style="dim", markup=False)
                return
        self.console.print(*await self.fix.say(self.old, line), sep="\n")

    async def _why(self, _: str) -> None:
        answer = self._answered()
        self.console.print(*explained(answer), sep="\n")
        self.console.print(Chain(await self.old.episodes.why(answer.episode_id)))

    async def _alias(self, line: str) -> None:
        phrase, _, target = (part.strip() for part in line.partition("="))
        if not phrase or not target:
            raise UsageError("Write the word and what it means: /alias clients = shop.customers")
        defined = await self.old.memories.define(phrase, target, rater=self.user)
        if defined.note:
            self.console.print(Text(one_line(f"Warning: {defined.note}"), "yellow"))
        self.console.print(*defined_lines(defined), sep="\n")

    async def _rule(self, line: str) -> None:
        line = "" if line == "list" else line.removeprefix("add ")  # as the commands are called
        if not line:
            self.console.print(rules_listing(await self.old.rules.list()))
            self.console.print(*learned_lines(await self.old.rules.learned()), sep="\n")
        elif line.lower() == "yes" and self.rule:
            stated = await self.old.rules.add(self.rule, databases=self.databases, rater=self.user)
            self.rule = ""
            self.console.print(one_line(f"In force: {stated.told}."), markup=False)
        else:
            preview = await self.old.rules.add(line, databases=self.databases, dry_run=True)
            self.rule = line
            self.console.print(*preview_lines(preview), sep="\n", markup=False)
            self.console.print("/rule yes puts it in force.")

    async def _memory(self, line: str) -> None:
        await MemoryCommands(self.old, self.console, self.user).run(line)

    async def _judge(
        self,
        *,
        rating: int | None = None,
        text: str | None = None,
        correction: str | None = None,
        tags: Sequence[str] = (),
    ) -> None:
        given = await self.old.feedback(
            self._answered().episode_id,
            rating=rating,
            text=text,
            correction=correction,
            rater=self.user,
            tags=tags,
        )
        self.is_doubted = CONTRADICTS in given.tags
        self.console.print(one_line(f"Noted: {said(given)}."), markup=False)
        for line in receipt_lines(given):
            self.console.print(line)
        if self.reflects:
            await self._reflect("")

    async def _reflect(self, _: str) -> None:
        reflection = await self.old.episodes.reflect(self._answered().episode_id)
        self.console.print(*reflection_lines(reflection), sep="\n")

    async def _sql(self, _: str) -> None:
        if not self._answered().steps:
            self.console.print("Nothing ran: there was no answer from the databases.")
        for step in self._answered().steps:
            self.console.print(Text(f"-- {one_line(step.database)}", "dim"))
            self.console.print(Text(safe(step.sql), "cyan"))

    async def _rows(self, _: str) -> None:
        answer = self._answered()
        paged(self.console, [make_table(*answer.shown, max_rows=len(answer.rows))])

    async def _schema(self, name: str) -> None:
        names = [name] if name else [entry.name for entry in self.old.databases.list()]
        for each in names:
            self.console.print(
                *schema_lines(self.old.databases.schema(each), self.console.width), sep="\n"
            )

    async def _list_databases(self, _: str) -> None:
        entries = self.old.databases.list()
        self.console.print(databases_table(entries))

    async def _session(self, session_id: str) -> None:
        if session_id:
            self.session_id, self.last, self.offer = session_id, None, None
        self.console.print(
            one_line(self.session_id or "A new conversation; nothing was asked yet.")
        )

    async def _new(self, _: str) -> None:
        self.session_id = self.last = self.offer = None
        self.console.print("A new conversation.")

    async def _quit(self, _: str) -> None:
        self.over = True

    def _answered(self) -> Answer:
        if self.last is None:
            raise UsageError("There is no answer yet: ask something first.")
        return self.last


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
