"""Tools that were made for LangChain or pydantic-ai, known by what they have; neither package is imported."""

from collections.abc import Awaitable, Callable, Mapping
from typing import cast

from pydantic import BaseModel, JsonValue, ValidationError

from oldhand.agent.tools.arguments import what_is_wrong
from oldhand.agent.tools.output import ToolOutput, output_of
from oldhand.agent.tools.tool import checked_parameters, checked_tool_name
from oldhand.errors import InvalidArguments, InvalidTool


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
