"""The tools of one agent, by name."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from inspect import iscoroutinefunction
from typing import cast

from pydantic import BaseModel, JsonValue, ValidationError

from oldhand.agent.tools.arguments import what_is_wrong
from oldhand.agent.tools.function_tool import as_tool
from oldhand.agent.tools.threads import done_beside
from oldhand.agent.tools.tool import (
    Tool,
    ToolOutput,
    checked_parameters,
    checked_tool_name,
    output_of,
)
from oldhand.errors import InvalidArguments, InvalidTool, ToolError
from oldhand.models import language_model
from oldhand.record.step import Action
from oldhand.record.tracing import span

_LOG = logging.getLogger(__name__)


class Tools:
    """The tools of one agent; their names are unique.

    Args:
        tools: Tools, or functions that become tools.

    Raises:
        InvalidTool: two have the same name, or one has a name or a schema that no provider takes.

    >>> def add(a: int, b: int) -> int:
    ...     '''Add two numbers.'''
    ...     return a + b
    >>> import asyncio
    >>> tools = Tools([add])
    >>> asyncio.run(tools.call(Action(id="1", tool="add", arguments={"a": 2, "b": 3}))).text
    '5'
    """

    def __init__(self, tools: Iterable[Tool | Callable[..., object]] = ()) -> None:
        self._by_name: dict[str, Tool] = {}
        for given in _several(tools):
            one = _tool(given)
            if checked_tool_name(one.name) in self._by_name:
                raise InvalidTool(
                    f"Two tools are called {one.name!r}: give one of them another name "
                    "(`name=`, or `prefix=` for those of an MCP server)."
                )
            checked_parameters(one.name, one.parameters)
            self._by_name[one.name] = one

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __repr__(self) -> str:
        return f"Tools({', '.join(self._by_name)})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order in which the tools were given."""
        return tuple(self._by_name)

    def get(self, name: str) -> Tool | None:
        """The tool of that name; None when there is none."""
        return self._by_name.get(name)

    def model_tools(self) -> tuple[language_model.ModelTool, ...]:
        """The tools as a language model is shown them."""
        return tuple(
            language_model.ModelTool(
                name=one.name,
                description=one.description,
                parameters=checked_parameters(one.name, one.parameters),
            )
            for one in self
        )

    async def call(self, action: Action) -> ToolOutput:
        """Call the tool that an action names; whatever goes wrong is said in the output.

        Nothing but cancellation leaves this: a tool is other people's code, and the run goes on without it.
        """
        one = self.get(action.tool)
        if one is None:
            return ToolOutput(self._no_such_tool(action.tool), is_error=True, not_called=True)
        facts = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": action.tool}
        try:
            with span(f"execute_tool {action.tool}", facts):
                return output_of(await _called(one, action.arguments))
        except ToolError as error:
            unfit = isinstance(error, InvalidArguments)
            return ToolOutput(str(error), is_error=True, not_called=unfit)
        except asyncio.CancelledError:
            if _is_cancelled():
                raise
            return ToolOutput(
                f"{action.tool} failed: something that it waited for was cancelled.", is_error=True
            )
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a tool of somebody else's class may raise anything
            _LOG.warning("The tool %s raised %r", action.tool, error, exc_info=True)
            return ToolOutput(
                f"{action.tool} failed: {type(error).__name__}: {error}", is_error=True
            )

    def _no_such_tool(self, name: str) -> str:
        near = get_close_matches(name, self._by_name, n=1)
        guess = f" Did you mean {near[0]}?" if near else ""
        known = f"There are: {', '.join(self._by_name)}." if self._by_name else "There are none."
        return f"There is no tool {name[:80]!r}.{guess} {known}"


async def _called(one: Tool, arguments: Mapping[str, JsonValue]) -> object:
    """What a tool gives; one that is not asynchronous, against its protocol, holds up a thread and not the loop."""
    if iscoroutinefunction(one.call):
        return await one.call(arguments)
    return await done_beside(lambda: cast("object", one.call(arguments)), name=one.name)


def _is_cancelled() -> bool:
    """Whether the call itself was cancelled, and not only something that the tool waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _several(
    tools: Iterable[Tool | Callable[..., object]],
) -> Iterable[Tool | Callable[..., object]]:
    """The tools, if they are several: it is easy to forget the brackets around one, or `sql_tools` around a URL."""
    if isinstance(tools, str):
        raise InvalidTool(
            f"{tools[:80]!r} is no list of tools: sql_tools(URL) makes those over a database."
        )
    if not isinstance(tools, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidTool(f"{tools!r} is no list of tools: put brackets around it.")
    return tools


def _tool(given: Tool | Callable[..., object]) -> Tool:
    """The tool itself; a function becomes one, and so does a tool of LangChain or pydantic-ai."""
    if all(hasattr(given, part) for part in ("name", "description", "parameters", "call")):
        return given  # pyright: ignore[reportReturnType]
    if (foreign := adopted(given)) is not None:
        return foreign
    if callable(given):
        return as_tool(given)
    raise InvalidTool(f"{given!r} is no tool: it needs name, description, parameters and `call`.")


# Tools that were made for LangChain or pydantic-ai, known by what they have; neither package is imported.
class ForeignTool:
    """A tool of another library, called in that library's own way."""

    def __init__(
        self,
        given: object,
        parameters: Mapping[str, JsonValue],
        work: Callable[[Mapping[str, JsonValue]], Awaitable[object]],
    ) -> None:
        self.name = checked_tool_name(str(getattr(given, "name", "")))
        self.description = str(getattr(given, "description", None) or "")
        self.parameters = checked_parameters(self.name, parameters)
        self.idempotent = False
        """Neither library says of a tool that calling it twice does no harm."""
        self._work = work

    def __repr__(self) -> str:
        return f"ForeignTool({self.name!r})"

    async def call(self, arguments: Mapping[str, JsonValue]) -> ToolOutput:
        """Have the tool do its work.

        Raises:
            InvalidArguments: they do not fit; names each field and what is expected.
        """
        try:
            return output_of(await self._work(arguments))
        except ValidationError as error:
            raise InvalidArguments(what_is_wrong(self.name, error, self.parameters)) from error


def adopted(given: object) -> ForeignTool | None:
    """The tool of another library as one of ours; None when it is none that is known.

    Raises:
        InvalidTool: it needs something of its own library's run.
    """
    if hasattr(given, "ainvoke") and hasattr(given, "args_schema"):
        return _of_langchain(given)
    if hasattr(given, "function_schema") and hasattr(given, "takes_ctx"):
        return _of_pydantic_ai(given)
    return None


def _of_langchain(given: object) -> ForeignTool:
    schema: object = getattr(given, "args_schema", None)
    whole: object = getattr(given, "tool_call_schema", None)
    if isinstance(schema, Mapping):
        parameters = cast("Mapping[str, JsonValue]", schema)
    elif schema is not None and isinstance(whole, type) and issubclass(whole, BaseModel):
        parameters = cast("Mapping[str, JsonValue]", whole.model_json_schema())
    else:
        fields = cast("dict[str, JsonValue]", getattr(given, "args", {}))
        required: list[JsonValue] = list(fields)
        parameters = {"type": "object", "properties": fields, "required": required}
    invoke = cast("Callable[[dict[str, JsonValue]], Awaitable[object]]", getattr(given, "ainvoke"))  # noqa: B009
    return ForeignTool(given, parameters, lambda arguments: invoke(dict(arguments)))


def _of_pydantic_ai(given: object) -> ForeignTool:
    if getattr(given, "takes_ctx", False):
        name: object = getattr(given, "name", given)
        raise InvalidTool(
            f"{name} takes a RunContext, which only an agent of pydantic-ai has: give a function without it."
        )
    schema: object = getattr(given, "function_schema", None)
    validator: object = getattr(schema, "validator", None)
    validate = cast("Callable[[object], object]", getattr(validator, "validate_python", None))
    run = cast("Callable[[object, None], Awaitable[object]]", getattr(schema, "call", None))
    parameters = cast("Mapping[str, JsonValue]", getattr(schema, "json_schema", {}))

    async def work(arguments: Mapping[str, JsonValue]) -> object:
        return await run(validate(dict(arguments)), None)

    return ForeignTool(given, parameters, work)
