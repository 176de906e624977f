"""Tools that were made for LangChain and pydantic-ai; the real packages where they are installed, else things of their form."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import pytest
from pydantic import BaseModel, JsonValue
from pydantic_ai import RunContext
from pydantic_ai import Tool as PydanticTool

from oldhand.agent.tools import Tools
from oldhand.errors import InvalidTool
from oldhand.record.step import Action


class Arguments(BaseModel):
    article: str
    pieces: int = 1


def price(article: str, pieces: int = 1) -> float:
    """The price of an article.

    Args:
        article: Its name.
        pieces: How many.
    """
    return {"pen": 1.5}[article] * pieces


async def invoke(arguments: dict[str, object]) -> float:
    return price(**Arguments.model_validate(arguments).model_dump())


def shaped_like_langchain(schema: object) -> object:
    return SimpleNamespace(
        name="price", description="The price of an article.", args_schema=schema, tool_call_schema=Arguments,
        args={"article": {"type": "string"}}, ainvoke=invoke,
    )  # fmt: skip


def real_langchain() -> object:
    tools = pytest.importorskip("langchain_core.tools")
    return tools.StructuredTool.from_function(price)


GIVEN: dict[str, Callable[[], object]] = {
    "pydantic-ai": lambda: PydanticTool(price),
    "like langchain": lambda: shaped_like_langchain(Arguments),
    "like langchain, schema as a dict": lambda: shaped_like_langchain(
        Arguments.model_json_schema()
    ),
    "langchain": real_langchain,
}


def call(tools: Tools, **arguments: JsonValue):
    return asyncio.run(tools.call(Action(id="1", tool="price", arguments=arguments)))


@pytest.mark.parametrize("name", GIVEN)
def test_a_tool_of_another_library_is_a_tool(name: str):
    tools = Tools([GIVEN[name]()])  # pyright: ignore[reportArgumentType]
    (shown,) = tools.model_tools()
    assert shown.name == "price"
    assert shown.description.startswith("The price of an article.")
    properties = cast("dict[str, dict[str, JsonValue]]", shown.parameters["properties"])
    assert properties["pieces"]["type"] == "integer"
    assert shown.parameters["required"] == ["article"]
    assert call(tools, article="pen", pieces=2).text == "3.0"
    wrong = call(tools, article="pen", pieces="two")
    assert wrong.not_called
    assert "- pieces: Input should be a valid integer" in wrong.text
    failed = call(tools, article="ink")
    assert failed.is_error
    assert "KeyError" in failed.text


def test_a_tool_without_a_schema_takes_texts():
    tools = Tools([shaped_like_langchain(None)])  # pyright: ignore[reportArgumentType]
    assert call(tools, article="pen").text == "1.5"


def test_a_tool_that_wants_the_run_of_its_library_is_refused():
    def waiting(context: RunContext[None], seconds: int) -> int:
        """Wait."""
        return seconds

    with pytest.raises(InvalidTool, match="waiting takes a RunContext"):
        Tools([PydanticTool(waiting)])  # pyright: ignore[reportArgumentType]
