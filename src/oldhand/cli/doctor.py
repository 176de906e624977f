"""`oldhand doctor`: is everything in place?"""

import json
from typing import TYPE_CHECKING

from typer import Exit

from oldhand.cli import exits, options

if TYPE_CHECKING:
    from oldhand.cli.checks import Check

EXAMPLES = options.examples("""
oldhand doctor
oldhand doctor --home demo-home --model ollama:llama3.2 --json
""")

_STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def doctor(
    *,
    home: options.HomeOption = None,
    model: options.ModelOption = None,
    base_url: options.BaseUrlOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Check Python, home, settings, store, databases, model, packages and disk, and say what to do.

    The exit code is 1 when a check fails. A language model is sent one short message.
    """
    from oldhand.cli.checks import examine
    from oldhand.cli.opening import run

    checks = run(examine(home, store=store, model=model, base_url=base_url))
    if as_json:
        print(json.dumps([check.as_object() for check in checks], ensure_ascii=False))
    else:
        _show(checks)
    raise Exit(exits.Exit.UNEXPECTED if any(c.state == "fail" for c in checks) else exits.Exit.OK)


def _show(checks: "tuple[Check, ...]") -> None:
    from rich.table import Table
    from rich.text import Text

    from oldhand.cli.screen import make_console, one_line

    grid = Table.grid(padding=(0, 2))
    for check in checks:
        grid.add_row(
            Text(check.state, _STYLES[check.state]),
            Text(check.subject),
            Text(one_line(check.found)),
        )
        if check.advice:
            grid.add_row("", "", Text("→ " + one_line(check.advice), "dim"))
    make_console().print(grid)
