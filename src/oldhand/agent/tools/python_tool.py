"""Python as a tool: code that the model writes runs in a sandbox, never here."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from oldhand.agent.tools.function_tool import as_tool
from oldhand.agent.tools.kept_tables import KeptTables
from oldhand.agent.tools.threads import in_own_thread
from oldhand.agent.tools.tool import Tool, ToolOutput, output_of
from oldhand.errors import MissingExtra
from oldhand.settings import PythonLimits

if TYPE_CHECKING:
    from oldhand.agent.tools.sandbox import Ran, Sandbox

_STOP_SECONDS = 5.0
"""Time that a cancelled call waits for its process to be gone."""
_NOTHING = (
    "It ran, but printed nothing, and its last line is no expression: print what you want to see."
)


def python_tool(*, kept: KeptTables | None = None, limits: PythonLimits | None = None) -> Tool:
    r"""A tool that runs Python in a sandbox: no files, no network, no modules but a few harmless ones.

    Each call has a process of its own, which ends with the call: nothing is left of it, and when it crashes, only it
    does.

    Args:
        kept: Results of earlier queries that the code may use by name; the same as given to `sql_tools`.
        limits: Time, memory, depth and output; those of a `PythonLimits()` when None.

    Raises:
        MissingExtra: the sandbox is not installed.

    >>> tool = python_tool()
    >>> asyncio.run(tool.call({"code": "import math\nmath.sqrt(2)"})).text
    'Result: 1.4142135623730951'
    >>> from oldhand.agent.tools import Tools
    >>> from oldhand.record.step import Action
    >>> evil = Action(id="1", tool="python", arguments={"code": "open('/etc/passwd').read()"})
    >>> asyncio.run(Tools([tool]).call(evil)).text.splitlines()[-1]
    "PermissionError: Permission denied: '/etc/passwd'"
    """
    try:
        from oldhand.agent.tools.sandbox import Sandbox  # noqa: PLC0415  # an optional extra
    except ImportError as error:
        raise MissingExtra("The Python sandbox (pydantic-monty)", "python") from error
    allowed = limits or PythonLimits()

    async def python(code: str) -> ToolOutput:
        """Run Python for what SQL is bad at: statistics over rows, dates, text, loops.

        It runs in a sandbox without files, network, further packages, generators, or anything of earlier calls. It may
        import math, json, re, datetime, decimal, collections, itertools, functools, random and csv. What it prints
        comes back, and the value of its last line if that is an expression. A query's result that was kept, as in
        "(kept as result_1)", is a variable of that name: a list of dicts, one for each row.

        Args:
            code: The whole program.
        """
        tables: dict[str, object] = {}
        if kept is not None:  # the tables that the code does not mention are spared the way
            tables = {name: table for name, table in kept.tables().items() if name in code}
        return _output(await _ran(Sandbox(allowed), code, tables), allowed.output_chars)

    return as_tool(python, idempotent=True)


async def _ran(sandbox: "Sandbox", code: str, tables: Mapping[str, object]) -> "Ran":
    """Run it in a thread; a cancelled task takes the sandbox's process with it."""
    work = asyncio.ensure_future(in_own_thread(lambda: sandbox.run(code, tables), name="python"))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        work.add_done_callback(_take_note)
        sandbox.stop()
        await asyncio.wait({work}, timeout=_STOP_SECONDS)
        raise


def _output(ran: "Ran", limit: int) -> ToolOutput:
    parts = [ran.printed[:limit]] if ran.printed else []
    cut = len(ran.printed) > limit
    if ran.value is not None:
        value = output_of(ran.value).text
        cut = cut or len(value) > limit
        parts.append(f"Result: {value[:limit]}")
    if cut:
        parts.append(f"(cut after {limit:,} characters)")
    return ToolOutput("\n".join(parts) or _NOTHING, truncated=cut)


def _take_note(work: "asyncio.Future[Ran]") -> None:
    """See how a run ended that nobody waits for, else asyncio complains that nobody did."""
    if not work.cancelled():
        work.exception()
