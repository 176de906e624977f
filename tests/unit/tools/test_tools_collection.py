"""The tools of an agent: unique names, what the model is shown, and calls that never raise."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest
from pydantic import JsonValue

from oldhand.agent.acting import Transition
from oldhand.agent.tools import ToolOutput, Tools, as_tool
from oldhand.errors import InvalidTool
from oldhand.record.step import Action


def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


class Handmade:
    """A tool that somebody wrote without our decorator."""

    description = "Says hello."
    idempotent = True

    def __init__(self, name: str = "hello", parameters: dict[str, JsonValue] | None = None) -> None:
        self.name = name
        self.parameters: dict[str, JsonValue] = parameters or {"type": "object"}

    async def call(self, arguments: Mapping[str, JsonValue]) -> str:
        if "fail" in arguments:
            raise ZeroDivisionError("no hello today")
        return "hello"


def call(tools: Tools, name: str, **arguments: object) -> ToolOutput:
    action = Action.model_validate({"id": "1", "tool": name, "arguments": arguments})
    return asyncio.run(tools.call(action))


def test_the_model_is_shown_name_description_and_schema():
    shown = Tools([add, Handmade()]).model_tools()
    assert [one.name for one in shown] == ["add", "hello"]
    assert shown[0].description == "Add two numbers."
    assert shown[0].parameters["required"] == ["a"]
    assert shown[1].parameters == {"type": "object", "properties": {}}


def test_names_are_unique():
    with pytest.raises(InvalidTool, match="Two tools are called 'add'"):
        Tools([add, as_tool(add)])


def test_tools_are_found_by_name():
    tools = Tools([add, Handmade()])
    assert ("add" in tools, "sub" in tools, len(tools)) == (True, False, 2)
    assert tools.get("sub") is None
    assert [one.name for one in tools] == list(tools.names) == ["add", "hello"]


def test_handmade_tools_are_called_and_their_errors_told():
    tools = Tools([Handmade()])
    assert call(tools, "hello") == ToolOutput("hello")
    failed = call(tools, "hello", fail=1)
    assert failed.is_error
    assert failed.text == "hello failed: ZeroDivisionError: no hello today"


def test_an_unknown_tool_is_told_with_the_nearest_name():
    told = call(Tools([add]), "ad")
    assert told.is_error
    assert "There is no tool 'ad'. Did you mean add? There are: add." in told.text
    assert "There are none." in call(Tools(), "add").text


class Careless:
    """Keeps to the protocol only roughly: it is not asynchronous, and gives no text."""

    name = "careless"
    description = "Anything."
    parameters: ClassVar[dict[str, object]] = {"type": "object"}

    def __init__(self, give: Callable[[], object]) -> None:
        self._give = give

    def call(self, arguments: object) -> object:
        assert threading.current_thread() is not threading.main_thread()
        return self._give()


@pytest.mark.parametrize(
    ("give", "text"),
    [
        (lambda: "hello", "hello"),
        (lambda: None, "Done; it returned nothing."),
        (lambda: {"n": 3}, '{"n":3}'),
        (lambda: asyncio.sleep(0, "later"), "later"),
    ],
)
def test_whatever_a_handmade_tool_gives_becomes_text(give: Callable[[], object], text: str):
    careless: Any = Careless(give)
    assert call(Tools([careless]), "careless").text == text
    action = Action(id="call_1_1", tool="careless")
    assert not Transition([careless]).may_repeat(action)


@pytest.mark.parametrize(
    ("name", "parameters", "why"),
    [
        ("hello world", None, "cannot be the name"),
        ("hello", {"type": "string"}, "has type 'string'"),
        ("hello", {"properties": {}}, "has type None"),
        ("hello", {"type": "object", "properties": ["a"]}, "no object"),
        ("hello", {"type": "object", "properties": {"a": "text"}}, "schema of 'a'"),
        ("hello", {"type": "object", "required": "a"}, "no list of names"),
    ],
)
def test_bad_names_and_schemas_are_refused_when_made(name, parameters, why):
    with pytest.raises(InvalidTool, match=why):
        Tools([Handmade(name, parameters)])


def test_what_is_no_tool_is_refused():
    with pytest.raises(InvalidTool, match="is no tool"):
        Tools([3])  # pyright: ignore[reportArgumentType]


def test_an_output_of_fifty_megabytes_is_handed_on_as_it_is():
    text = "x" * 50_000_000
    made = call(Tools([as_tool(lambda: text, name="big")]), "big")
    assert made.text is text
