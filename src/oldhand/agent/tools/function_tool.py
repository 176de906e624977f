"""A Python function as a tool: name, description and schema from its signature and docstring."""

import inspect
from collections.abc import AsyncIterable, Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from inspect import isawaitable
from typing import Generic, ParamSpec, TypeVar, cast, overload

from pydantic import BaseModel, JsonValue, ValidationError

from oldhand.agent.tools.arguments import (
    arguments_model,
    described,
    schema_of,
    what_is_wrong,
)
from oldhand.agent.tools.threads import in_own_thread
from oldhand.agent.tools.tool import ToolOutput, checked_tool_name, output_of
from oldhand.errors import InvalidArguments, InvalidTool, ToolError, ToolFailed

P = ParamSpec("P")
R = TypeVar("R")


class FunctionTool(Generic[P, R]):
    """A function that the model may call; it can still be called as before.

    An `async` function runs on the loop, any other in a thread of its own.
    """

    def __init__(
        self,
        function: Callable[P, R],
        *,
        name: str | None = None,
        description: str | None = None,
        idempotent: bool = False,
    ) -> None:
        self._function = function
        given = name or getattr(function, "__name__", None)
        if given is None:
            raise InvalidTool(
                f"{function!r} has no name of its own: give one, `as_tool(…, name=…)`."
            )
        self.name = checked_tool_name(str(given))
        text, words = described(function)
        self.description = text if description is None else inspect.cleandoc(description)
        self.idempotent = idempotent
        self._signature, self._model = arguments_model(self.name, function, words)
        self.parameters: dict[str, JsonValue] = schema_of(self.name, self._model)
        self.__doc__ = inspect.getdoc(function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function itself, as if it were no tool."""
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"FunctionTool({self.name!r})"

    @property
    def owner(self) -> object:
        """The object whose method it is; None for a plain function."""
        return getattr(self._function, "__self__", None)

    async def call(self, arguments: Mapping[str, JsonValue]) -> ToolOutput:
        """Check the arguments and call the function.

        Raises:
            InvalidArguments: they do not fit; names each field and what is expected.
            ToolFailed: the function raised something, or what it returned cannot be written.
        """
        bound = self._bound(arguments)
        if not _is_async(self._function):
            return await self._beside(bound)
        with self._translated():
            return output_of(await cast("Awaitable[object]", self._run(bound)))

    async def _beside(self, bound: inspect.BoundArguments) -> ToolOutput:
        def work() -> ToolOutput | Awaitable[object]:
            with self._translated():
                value = self._run(bound)
                if inspect.isasyncgen(value):
                    return _collected(value)
                return cast("Awaitable[object]", value) if isawaitable(value) else output_of(value)

        done = await in_own_thread(work, name=self.name)
        if isinstance(done, ToolOutput):
            return done
        with self._translated():
            return output_of(await done)

    @contextmanager
    def _translated(self) -> Generator[None, None, None]:
        """Other people's code may raise anything, `SystemExit` included: it all means that the tool failed."""
        try:
            yield
        except ToolError:
            raise
        except (Exception, SystemExit) as error:
            raise ToolFailed(f"{self.name} failed: {_told(error)}") from error

    def _run(self, bound: inspect.BoundArguments) -> object:
        function = cast("Callable[..., object]", self._function)
        return function(*bound.args, **bound.kwargs)

    def _bound(self, arguments: Mapping[str, JsonValue]) -> inspect.BoundArguments:
        try:
            checked: BaseModel = self._model.model_validate(dict(arguments))
        except ValidationError as error:
            raise InvalidArguments(what_is_wrong(self.name, error, self.parameters)) from error
        except RecursionError as error:
            raise InvalidArguments(f"{self.name}: the arguments are nested too deeply.") from error
        bound = inspect.BoundArguments(self._signature, {})  # pyright: ignore[reportArgumentType]
        for place, parameter in enumerate(self._signature.parameters):
            bound.arguments[parameter] = getattr(checked, f"field_{place}")
        return bound


@overload
def tool(function: Callable[P, R], /) -> FunctionTool[P, R]: ...
@overload
def tool(
    *, name: str | None = None, description: str | None = None, idempotent: bool = False
) -> Callable[[Callable[P, R]], FunctionTool[P, R]]: ...
def tool(
    function: Callable[P, R] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    idempotent: bool = False,
) -> FunctionTool[P, R] | Callable[[Callable[P, R]], FunctionTool[P, R]]:
    """Make a function a tool, as a decorator with or without arguments.

    Args:
        function: Every parameter has a type; the docstring describes it, Google style.
        name: Instead of the function's own.
        description: Instead of what the docstring says.
        idempotent: True when calling it twice does no more than calling it once.

    Raises:
        InvalidTool: the name cannot be one, or a parameter has no type, or one that has no JSON Schema.

    >>> @tool(idempotent=True)
    ... def area(width: float, height: float = 1.0) -> float:
    ...     '''The area of a field.
    ...
    ...     Args:
    ...         width: In metres.
    ...         height: In metres.
    ...     '''
    ...     return width * height
    >>> area.parameters["properties"]["width"], area.parameters["required"]
    ({'description': 'In metres.', 'type': 'number'}, ['width'])
    >>> import asyncio
    >>> asyncio.run(area.call({"width": 3, "height": 2})).text, area(3.0)
    ('6.0', 3.0)
    """

    def made(chosen: Callable[P, R]) -> FunctionTool[P, R]:
        return FunctionTool(chosen, name=name, description=description, idempotent=idempotent)

    return made if function is None else made(function)


def as_tool(
    function: Callable[P, R],
    *,
    name: str | None = None,
    description: str | None = None,
    idempotent: bool = False,
) -> FunctionTool[P, R]:
    """As `tool`, for functions and methods that are there already: `as_tool(shop.find_order)`.

    Raises:
        InvalidTool: as `tool`.
    """
    return FunctionTool(function, name=name, description=description, idempotent=idempotent)


def _is_async(function: object) -> bool:
    called = getattr(function, "__call__", None)  # noqa: B004  # an object with an async `__call__`
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


async def _collected(items: AsyncIterable[object]) -> object:
    return [one async for one in items]


def _told(error: BaseException) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
