"""`oldhand doctor`: is everything in place?"""

from typing import TYPE_CHECKING

from typer import Exit

from oldhand.cli import exits, options
from oldhand.cli.opening import run
from oldhand.cli.screen import indented, make_console, one_line, print_json

if TYPE_CHECKING:
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
    if as_json:
        print_json([check.as_object() for check in checks])
    else:
        _show(checks)
    raise Exit(exits.Exit.UNEXPECTED if any(c.state == "fail" for c in checks) else exits.Exit.OK)


def _show(checks: "tuple[Check, ...]") -> None:
    from rich.text import Text

    console = make_console()
    indent, widest = 6, max(len(check.subject) for check in checks)
    beside = console.width >= _BESIDE
    for check in checks:
        state = Text(_MARKS.get(check.state, check.state).ljust(indent), _STYLES[check.state])
        found = one_line(check.found)
        if beside:
            found = f"{check.subject:<{widest}}  {found}"
            console.print(Text.assemble(state, found))
        else:
            console.print(Text.assemble(state, check.subject))
            console.print(indented(found, indent, console.width))
        if check.advice:
            left = indent + widest + 2 if beside else indent
            advice = "→ " + one_line(check.advice)
            console.print(indented(advice, left, console.width), style="dim")
