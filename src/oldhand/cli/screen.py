"""How text and rows are shown: colour only on a terminal, and nothing from a database is ever obeyed by it."""

import json
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from oldhand.cli.visible import CONTROL, safe
from oldhand.record.shortening import shortened

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table
    from rich.text import Text

    from oldhand.record.base import Cell, Row

MAX_ROWS = 50
"""Rows of a table that are shown; `--json` prints all."""
_SQL_LINES = 24
"""Lines of a statement that are shown; `--json` prints all."""
_WIDE = 80
"""Characters of a screen from which on a table may break its cells into lines."""
_ENDLESS = 10_000
_PIPE_WIDTH = 400
"""Characters of a line when nobody says how wide the paper is."""


def one_line(text: str, limit: int | None = None) -> str:
    r"""Safe text without line breaks, cut with an ellipsis where it is longer than `limit`.

    >>> one_line("no such table: x\n[SQL: SELECT 1]")
    'no such table: x [SQL: SELECT 1]'
    >>> one_line("no such table: x\n[SQL: SELECT 1]", 22)
    'no such table: x [SQL…'
    """
    line = safe(" ".join(text.split()))
    return line if limit is None else shortened(line, limit)


def short_id(episode_id: str) -> str:
    """The first characters of an id, which are enough to name it.

    >>> short_id("5253af54-5245-455d-89d0-0d18c527f398")
    '5253af54'
    """
    return one_line(episode_id[:8])


def shown_minute(at: datetime | None) -> str:
    """A moment in UTC, as tables tell it; nothing where there is none.

    >>> from datetime import UTC, datetime
    >>> shown_minute(datetime(2026, 3, 1, 8, 30, tzinfo=UTC))
    '2026-03-01 08:30'
    """
    return f"{at:%Y-%m-%d %H:%M}" if at else ""


def some(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things.

    >>> some(1, "lesson"), some(1200, "lesson"), some(0, "memory", "memories")
    ('1 lesson', '1,200 lessons', '0 memories')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def program() -> str:
    """How this program is called from the folder in which it runs."""
    if shutil.which("oldhand"):
        return "oldhand"
    script = Path(sys.argv[0])
    if script.name == "oldhand" and script.is_file():
        return shlex.quote(_from_here(script))
    return f"{this_python()} -m oldhand"


def this_python() -> str:
    """How the Python is called that runs this program: another one may not have what it needs."""
    return shlex.quote(_from_here(Path(sys.executable)))


def home_option(home: Path | None) -> str:
    """The option that names a home again; empty when it is the one that is taken anyway.

    >>> home_option(Path("my home")), home_option(None)
    (" --home 'my home'", '')
    """
    return "" if home is None else f" --home {shlex.quote(str(home))}"


def _from_here(path: Path) -> str:
    path = path.absolute()
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def print_json(found: object, *, flush: bool = False) -> None:
    """Print what was found as JSON on one line, for machines; records as their fields."""
    from pydantic_core import to_jsonable_python

    text = json.dumps(to_jsonable_python(found), ensure_ascii=False)
    print(CONTROL.sub(lambda one: json.dumps(one[0])[1:-1], text), flush=flush)


def make_console(*, stderr: bool = False) -> "Console":
    """A console: colours on a terminal unless NO_COLOR is set, plain and wide lines elsewhere."""
    from oldhand.cli.paper import Paper

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else _PIPE_WIDTH
    return Paper(
        stderr=stderr,
        width=width,
        markup=False,
        emoji=False,
        highlight=False,
        force_terminal=stream.isatty(),
        soft_wrap=not stream.isatty(),
    )


def make_table(
    columns: Sequence[str],
    rows: "Sequence[Row]",
    *,
    max_rows: int = MAX_ROWS,
    whole_words: bool = False,
) -> "Table":
    """Rows as a table; numbers stand to the right. With `whole_words` no word of a column of single ones, such as ids, is broken."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for number, name in enumerate(columns):
        numeric = any(_is_number(row[number]) for row in rows)
        table.add_column(
            Text(one_line(name)),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=whole_words and not any(" " in shown_cell(row[number]) for row in rows),
        )
    for row in rows[:max_rows]:
        cells = zip(columns, row, strict=True)
        shown = [Text(shown_cell(it, name), "" if it is not None else "dim") for name, it in cells]
        table.add_row(*shown)
    return table


def indented(text: str, indent: int, width: int) -> str:
    """Text in lines of at most `width` characters, each indented; a longer word stays whole.

    >>> print(indented("none is registered", 2, 12))
      none is
      registered
    """
    start = " " * indent
    return textwrap.fill(
        text,
        width,
        initial_indent=start,
        subsequent_indent=start,
        break_long_words=False,
        break_on_hyphens=False,
    )


@dataclass(frozen=True)
class Listing:
    """All rows as a table where the screen is wide enough for it; else each row as lines of `name  value`.

    Columns in which nothing stands are left out.
    """

    columns: Sequence[str]
    rows: "Sequence[Row]"
    nothing: str = ""
    """What is said when there are no rows."""

    def __rich_console__(
        self,
        console: "Console",
        options: "ConsoleOptions",
    ) -> "Iterator[RenderableType]":
        """What is shown."""
        from rich.measure import Measurement
        from rich.text import Text

        if self.nothing and not self.rows:
            yield Text(self.nothing)
            return
        told = [n for n in range(len(self.columns)) if any(row[n] != "" for row in self.rows)]
        columns = [self.columns[n] for n in told]
        rows = [tuple(row[n] for n in told) for row in self.rows]
        table = make_table(columns, rows, max_rows=len(rows), whole_words=True)
        needed = Measurement.get(console, console.options.update(width=_ENDLESS), table)
        enough = needed.minimum if console.width >= _WIDE else needed.maximum
        if console.width >= enough:
            yield table
            return
        for number, row in enumerate(rows):
            if number:
                yield Text()
            for name, cell in zip(columns, row, strict=True):
                if cell != "":
                    yield Text.assemble(
                        (f"{one_line(name)}  ", "dim"), shown_cell(cell, name), overflow="fold"
                    )


def shown_cell(cell: "Cell", column: str = "") -> str:
    r"""A value for people, on one line; numbers as in sentences.

    >>> [shown_cell(cell) for cell in (33069.685039370079, 12.50, 3, True, None, "a\nb")]
    ['33,069.69', '12.5', '3', 'true', 'NULL', 'a b']
    >>> shown_cell(2024, "order_year"), shown_cell(52.520008, "latitude")
    ('2024', '52.520008')
    """
    from oldhand.lexicon.wording import value_text

    match cell:
        case None:
            return "NULL"
        case bool():
            return "true" if cell else "false"
        case float() | int():
            return value_text(cell, column)
        case str():
            return one_line(cell)


def shown_sql(sql: str) -> "Text":
    r"""SQL, indented; the middle of a long list of values is left out.

    >>> print(shown_sql("SELECT a\nFROM b"))
      SELECT a
      FROM b
    """
    from rich.text import Text

    lines = safe(sql).splitlines()
    if len(lines) > _SQL_LINES:
        left_out = len(lines) - _SQL_LINES + 1
        half = _SQL_LINES // 2
        lines = [*lines[:half], f"… {left_out} lines …", *lines[-half + 1 :]]
    return Text("\n".join(f"  {line}" for line in lines), "cyan")


def paged(console: "Console", shown: "Iterable[RenderableType]") -> None:
    """Print it; through the pager that PAGER names, or less, where somebody sits before it and it is longer than the screen."""
    from rich.console import Group

    lines = Group(*shown)
    reads = console.is_terminal and sys.stdin.isatty()
    if reads and len(console.render_lines(lines, pad=False)) >= console.height:
        os.environ.setdefault("LESS", "FRX")  # what was read stays on the screen
        with console.pager():
            console.print(lines)
    else:
        console.print(lines)


def shown_share(share: float | None) -> str:
    """A share in percent; nothing when it is not known."""
    return "" if share is None else f"{share:.1%}"


def _is_number(cell: "Cell") -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def typed(prompt: str) -> str:
    """A line that somebody types; empty when there is none."""
    try:
        return input(prompt)
    except EOFError:
        return ""
