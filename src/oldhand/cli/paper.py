"""What is printed on."""

from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from oldhand.cli.visible import safe

_NARROWEST = 20
"""Characters that must be left beside an indent; on less, lines are broken without it."""


class Paper(Console):
    """A console that keeps indents where a terminal breaks lines, and leaves it to the program what happens when its reader has gone."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """What is to be written, with what a terminal would obey made visible; long indented lines go on below their first word."""
        if isinstance(renderable, Text) and self.is_terminal:
            renderable = hanging(self, renderable, (options or self.options).max_width)
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(safe(text), style)

    def on_broken_pipe(self) -> None:
        """Go on raising; where Rich would end the program with the exit code 1."""
        raise  # noqa: PLE0704


def hanging(console: Console, text: Text, width: int) -> Text:
    r"""Text whose indented lines are broken to `width` characters, with their indent before each piece.

    >>> print(hanging(Console(), Text("As read:\n  It was read as something else."), 26))
    As read:
      It was read as something
      else.
    """
    lines = text.split("\n", allow_blank=True)
    if not any(_indent(line) and cell_len(line.plain) > width for line in lines):
        return text
    broken = Text("\n").join(piece for line in lines for piece in _pieces(console, line, width))
    broken.end = text.end
    return broken


def _pieces(console: Console, line: Text, width: int) -> Iterator[Text]:
    indent = _indent(line)
    if not indent or cell_len(line.plain) <= width or width - indent < _NARROWEST:
        yield line
        return
    for piece in line[indent:].wrap(console, width - indent):
        piece.rstrip()
        yield Text(" " * indent).append_text(piece)


def _indent(line: Text) -> int:
    return len(line.plain) - len(line.plain.lstrip(" "))
