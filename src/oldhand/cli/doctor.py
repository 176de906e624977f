"""`oldhand doctor`: is everything in place?"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oldhand.cli import exits, options
from oldhand.cli.commands import CommandResult
from oldhand.cli.opening import run
from oldhand.cli.screen import indented, make_console, one_line

if TYPE_CHECKING:
    from rich.text import Text

    from oldhand.cli.checks import Check

EXAMPLES = options.examples("""
oldhand doctor
oldhand doctor --home demo-home --model ollama:llama3.2 --json
""")

_BESIDE = 80
"""Characters of a screen from which on what was found stands beside its subject, not below."""
_MARKS = {"absent": "–"}  # noqa: RUF001
_STYLES = {"ok": "green", "absent": "dim", "warn": "yellow", "fail": "bold red"}


def doctor(
    *,
    home: options.HomeOption = None,
    model: options.ModelOption = None,
    base_url: options.BaseUrlOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Check that everything is in place, and say what to do.

    Python, packages, home, disk, settings, store, databases and model are looked at. The exit code is 1 when a check fails. A language model is sent one short message.
    """
    from oldhand.cli.checks import examine

    checks = run(examine(home, store=store, model=model, base_url=base_url))
    failed = any(check.state == "fail" for check in checks)
    code = exits.Exit.UNEXPECTED if failed else exits.Exit.OK
    CommandResult(checks, _lines(checks, make_console().width), code).say(as_json=as_json)


def _lines(checks: "tuple[Check, ...]", width: int) -> "Iterator[Text]":
    from rich.text import Text

    indent, widest = 6, max(len(check.subject) for check in checks)
    for check in checks:
        state = Text(_MARKS.get(check.state, check.state).ljust(indent), _STYLES[check.state])
        found, left = one_line(check.found), indent
        if width >= _BESIDE:
            left += widest + 2
            yield Text.assemble(state, f"{check.subject:<{widest}}  {found}")
        else:
            yield Text.assemble(state, check.subject)
            yield Text(indented(found, indent, width))
        if check.advice:
            yield Text(indented("→ " + one_line(check.advice), left, width), "dim")
