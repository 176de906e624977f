"""How an answer is put right, word by word of the user: the same for `oldhand fix`, and for `/fix` in a conversation."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from oldhand.agent.analyst.replies import bare_reply
from oldhand.cli.learned import receipt_lines
from oldhand.cli.screen import MAX_ROWS, make_table, one_line, some
from oldhand.errors import UsageError
from oldhand.face import AsyncOldhand
from oldhand.record.fixing import READINGS, Fixing, Pick, TriedQuery
from oldhand.record.receipt import Receipt

if TYPE_CHECKING:
    from rich.console import RenderableType

HOW = "2 shows what part 2 could be, a word the choices with it, 2 3 picks choice 3 of part 2, 0 the other readings; back, yes"
_FEW_ROWS = 8
_BACK = "back"


@dataclass
class FixSession:
    """An answer that is being put right."""

    episode_id: str
    rater: str
    picked: list[Pick] = field(default_factory=list[Pick])
    fixing: Fixing | None = None
    receipt: Receipt | None = None
    """What was learned, once it is confirmed."""

    async def look(self, old: AsyncOldhand) -> Fixing:
        """What there is to pick from now."""
        self.fixing = await old.episodes.fixing(self.episode_id, self.picked)
        return self.fixing

    async def say(self, old: AsyncOldhand, line: str) -> "list[RenderableType]":
        """Take a reply: numbers, words of a choice, back, or yes.

        Raises:
            UsageError: it is none of these, or there is no such choice.
        """
        given = line.casefold().replace(".", " ").split()
        if bare_reply(line):
            self.receipt = await old.episodes.fix(self.episode_id, self.picked, rater=self.rater)
            return ["Noted: that is right.", *map(Text, receipt_lines(self.receipt))]
        if given == [_BACK]:
            del self.picked[-1:]
            return [*fixing_lines(await self.look(old))]
        fixing = self.fixing or await self.look(old)
        if len(given) not in (1, 2) or not all(one.isdecimal() for one in given):
            if found := [*choices_with(fixing, given)]:
                return [*found]
            raise UsageError(f"No choice holds {line.strip()!r}. Write {HOW}.")
        part, *choice = map(int, given)
        if not choice:
            return [*choice_lines(fixing, part)]
        await self._pick((part, choice[0]), old)
        assert self.fixing is not None, "it was looked at"
        return [*fixing_lines(self.fixing)]

    async def _pick(self, pick: Pick, old: AsyncOldhand) -> None:
        self.picked.append(pick)
        try:
            await self.look(old)
        except UsageError:
            self.picked.pop()
            raise


def fixing_lines(fixing: Fixing, *, choices: bool = False) -> "Iterator[RenderableType]":
    """How a question was read, part by part, and the rows before and after what was picked."""
    yield Text(one_line(fixing.question), "bold")
    if fixing.after is None:
        yield Text(f"was read as: {one_line(fixing.before.reading)}")
    for part in fixing.parts:
        said = f" ({one_line(part.words)!r})" if part.words else ""
        many = "" if choices else f"  {some(len(part.choices), 'choice')}"
        yield Text.assemble(f"  {part.number}. {one_line(part.says)}", (f"{said}{many}", "dim"))
        if choices:
            yield from choice_lines(fixing, part.number)
    if fixing.readings:
        yield Text.assemble("  0. another reading", ("" if choices else f"  {some(len(fixing.readings), 'choice')}", "dim"))  # fmt: skip
        if choices:
            yield from choice_lines(fixing, READINGS)
    if fixing.after is not None:
        yield side_by_side(fixing.before, fixing.after)


def choice_lines(fixing: Fixing, part: int) -> Iterator[Text]:
    """What a part could be instead.

    Raises:
        UsageError: there is no such part.
    """
    if part > len(fixing.parts):
        raise UsageError(f"There is no part {part}: the parts are 1 to {len(fixing.parts)}.")
    if part:
        said = fixing.parts[part - 1].choices
    else:
        said = tuple(f"{one.reading}: {rows_in_short(one)}" for one in fixing.readings)
    for number, choice in enumerate(said, 1):
        yield Text(f"     {part} {number:<3} {one_line(choice)}")


def choices_with(fixing: Fixing, given: Sequence[str]) -> Iterator[Text]:
    """The choices of any part that hold all of some words, or their beginnings."""
    numbers = [one.number for one in fixing.parts] + [READINGS] * bool(fixing.readings)
    for line in chain.from_iterable(choice_lines(fixing, number) for number in numbers):
        held = re.findall(r"\w+", line.plain.casefold())
        if given and all(any(one.startswith(word) for one in held) for word in given):
            yield line


def rows_in_short(tried: TriedQuery) -> str:
    """The rows of a reading in a few words.

    >>> rows_in_short(TriedQuery(reading="", sql="", rows=((3,),))), rows_in_short(TriedQuery(reading="", sql="", rows=((1, 2), (3, 4))))
    ('3', '2 rows')
    """
    if tried.error:
        return one_line(tried.error)
    if len(tried.rows) == 1 and len(tried.rows[0]) == 1:
        return one_line(str(tried.rows[0][0]))
    return some(len(tried.rows), "row")


def side_by_side(before: TriedQuery, after: TriedQuery) -> Table:
    """The rows of two readings beside each other."""
    grid = Table.grid(padding=(0, 4))
    grid.add_row(Text("before", "bold"), Text("after", "bold"))
    grid.add_row(Text(one_line(before.reading), "dim"), Text(one_line(after.reading), "dim"))
    grid.add_row(_rows(before), _rows(after))
    return grid


def _rows(tried: TriedQuery) -> "RenderableType":
    if tried.error:
        return Text(one_line(tried.error), "red")
    if not tried.rows:
        return Text("no rows", "italic")
    return make_table(tried.columns, tried.rows, max_rows=min(_FEW_ROWS, MAX_ROWS))
