"""Functions as tools: the schema, the checks, and what the model is told."""

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import partial
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from oldhand.agent.tools import FunctionTool, Tools, as_tool, tool
from oldhand.errors import InvalidArguments, InvalidTool, ToolFailed
from oldhand.record.step import Action


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Box(BaseModel):
    width: float = Field(gt=0)
    title: str = ""


def order(
    box: Box,
    colour: Colour,
    when: date | None = None,
    speed: Literal["slow", "fast"] = "slow",
    tags: list[str] = ["new"],  # noqa: B006
    copy: Annotated[int, Field(ge=1)] = 1,
) -> dict[str, object]:
    """Order boxes.

    The shop
    is far away.

    Args:
        box: What to send,
            with its size.
        colour (Colour): Of the paper.
        copy: How many.

    Returns:
        The order.
    """
    return {"box": box, "colour": colour, "when": when, "speed": speed, "tags": tags, "copy": copy}


def call(tools: Tools, name: str, /, **arguments: object):
    action = Action.model_validate({"id": "1", "tool": name, "arguments": arguments})
    return asyncio.run(tools.call(action))


def test_name_and_description_come_from_the_function():
    made = as_tool(order)
    assert (made.name, made.idempotent) == ("order", False)
    assert made.description == "Order boxes.\n\nThe shop\nis far away."


def test_the_schema_has_types_defaults_and_the_words_of_the_docstring():
    schema = as_tool(order).parameters
    fields = schema["properties"]
    assert schema["required"] == ["box", "colour"]
    assert schema["additionalProperties"] is False
    assert fields["box"]["description"] == "What to send, with its size."
    assert fields["copy"] == {
        "default": 1,
        "description": "How many.",
        "minimum": 1,
        "type": "integer",
    }
    assert fields["speed"]["enum"] == ["slow", "fast"]
    assert fields["tags"]["items"] == {"type": "string"}
    assert {"type": "null"} in fields["when"]["anyOf"]
    assert "title" not in fields["copy"]


def test_a_field_called_title_stays():
    box = as_tool(order).parameters["$defs"]["Box"]
    assert set(box["properties"]) == {"width", "title"}


def test_arguments_reach_the_function_as_the_types_it_asks_for():
    made = call(Tools([order]), "order", box={"width": "2.5"}, colour="blue", when="2024-02-29")
    assert json.loads(made.text) == {
        "box": {"width": 2.5, "title": ""},
        "colour": "blue",
        "when": "2024-02-29",
        "speed": "slow",
        "tags": ["new"],
        "copy": 1,
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, ["- box: Field required", "- colour: Field required"]),
        ({"box": {"width": 1}, "colour": "green"}, ["- colour: Input should be 'red' or 'blue'", "'green'"]),
        ({"box": {"width": 0}, "colour": "red"}, ["- box.width: Input should be greater than 0", "not 0"]),
        ({"box": {"width": 1}, "colour": "red", "copy": "many"}, ["- copy:", "valid integer", "'many'"]),
        ({"box": {"width": 1}, "colour": "red", "when": "soon"}, ["- when:", "date"]),
        ({"box": {"width": 1}, "colour": "red", "size": 3}, ["- size: Extra inputs are not permitted"]),
    ],
)  # fmt: skip
def test_wrong_arguments_name_the_field_and_what_is_expected(arguments, told):
    made = call(Tools([order]), "order", **arguments)
    assert made.is_error
    for words in [*told, "It takes: box, colour, when (optional)"]:
        assert words in made.text


def test_a_huge_wrong_argument_is_not_repeated():
    def take(number: int) -> int:
        return number

    made = call(Tools([take]), "take", number="x" * 10_000_000)
    assert made.is_error
    assert len(made.text) < 1_000


def test_too_many_wrong_arguments_are_counted():
    def take(numbers: list[int]) -> int:
        return len(numbers)

    assert "and 95 more" in call(Tools([take]), "take", numbers=["x"] * 100).text


def test_async_functions_run_on_the_loop_and_others_beside_it():
    async def on_loop() -> str:
        return threading.current_thread().name

    def beside() -> str:
        return threading.current_thread().name

    tools = Tools([on_loop, beside])
    assert call(tools, "on_loop").text == threading.main_thread().name
    assert call(tools, "beside").text == "oldhand-tool-beside"


def test_a_function_that_never_ends_holds_up_nobody():
    never = threading.Event()

    def wait() -> None:
        never.wait()

    async def give_up() -> None:
        async with asyncio.timeout(0.01):
            await as_tool(wait).call({})

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    never.set()


def test_methods_partials_and_objects_can_be_tools():
    class Shelf:
        def __init__(self) -> None:
            self.books = 3

        def count(self, more: int = 0) -> int:
            """Count the books."""
            return self.books + more

        async def __call__(self, more: int) -> int:
            return self.books + more

    shelf = Shelf()
    tools = Tools([
        as_tool(shelf.count),
        as_tool(partial(shelf.count, more=2), name="partly"),
        as_tool(shelf, name="whole"),
        as_tool(lambda: 1, name="one"),
    ])  # fmt: skip
    assert call(tools, "count", more=1).text == "4"
    assert call(tools, "partly").text == "5"
    assert call(tools, "whole", more=4).text == "7"
    assert call(tools, "one").text == "1"


def test_positional_only_and_underscored_parameters_work():
    def odd(a: int, /, _b: int, *, self: int, schema: int = 4) -> list[int]:
        return [a, _b, self, schema]

    assert call(Tools([odd]), "odd", a=1, _b=2, self=3).text == "[1,2,3,4]"


def test_the_decorated_function_can_still_be_called():
    @tool(name="add-up", idempotent=True, description="Sum.")
    def add(a: int, b: int) -> int:
        return a + b

    @tool
    def plain(a: int) -> int:
        """Plain."""
        return a

    assert isinstance(add, FunctionTool)
    assert (add(1, 2), add.name, add.description, add.idempotent) == (3, "add-up", "Sum.", True)
    assert (plain(1), plain.name, plain.__doc__) == (1, "plain", "Plain.")


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda: None, "'<lambda>' cannot be the name of a tool"),
        (partial(order), "no name of its own"),
        (len, "has no type"),
        (eval("lambda *numbers: 1"), "cannot be the name"),
    ],
)
def test_what_has_no_name_or_types_is_refused_when_it_is_made(function, why):
    with pytest.raises(InvalidTool, match=why):
        as_tool(function)


def test_parameters_without_a_schema_are_refused_when_the_tool_is_made():
    class Opaque:
        pass

    def stars(*numbers: int) -> int:
        return 0

    def words(**more: int) -> int:
        return 0

    def untyped(a) -> int:  # that is the point
        return 0

    def opaque(a: Opaque) -> int:
        return 0

    def calls(a: Callable[[int], int]) -> int:
        return 0

    def unknown(a: "NoSuchName") -> int:  # noqa: F821  # that is the point
        return 0

    for function in (stars, words, untyped, opaque, calls, unknown):
        with pytest.raises(InvalidTool, match=function.__name__):
            as_tool(function)


@pytest.mark.parametrize("name", ["", "a b", "a.b", "é", "x" * 65, "a\n"])
def test_names_that_providers_refuse_are_refused(name):
    with pytest.raises(InvalidTool):
        as_tool(order, name=name or " ")


@dataclass
class Point:
    x: int


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "Done; it returned nothing."),
        ("plain", "plain"),
        ([1, None, 2.5], "[1,null,2.5]"),
        (Point(1), '{"x":1}'),
        ({Colour.RED: {1}}, '{"red":[1]}'),
        (float("nan"), '"NaN"'),
        (b"\xff", '"_w=="'),
        ({("a", 1): 2}, '{"a,1":2}'),
    ],
)
def test_whatever_is_returned_becomes_text(value, text):
    assert call(Tools([as_tool(lambda: value, name="give")]), "give").text == text


def test_a_value_that_holds_itself_is_a_failure():
    def loop() -> list[object]:
        endless: list[object] = []
        endless.append(endless)
        return endless

    made = call(Tools([loop]), "loop")
    assert made.is_error
    assert "cannot be written as JSON" in made.text


def test_errors_of_the_function_are_told_to_the_model():
    def raises() -> None:
        raise KeyError("shelf")

    def leaves() -> None:
        raise SystemExit(3)

    def stops() -> None:
        raise StopIteration

    async def empty() -> None:
        raise ValueError

    tools = Tools([raises, leaves, stops, empty])
    told = [call(tools, name) for name in tools.names]
    assert all(output.is_error for output in told)
    assert [output.text for output in told] == [
        "raises failed: KeyError: 'shelf'",
        "leaves failed: SystemExit: 3",
        "stops failed: StopIteration",
        "empty failed: ValueError",
    ]


def test_a_tool_may_say_itself_what_to_do_next():
    def picky(a: int) -> int:
        raise ToolFailed("Ask for an even number.")

    assert call(Tools([picky]), "picky", a=1).text == "Ask for an even number."


def test_calling_the_tool_itself_raises_named_errors():
    with pytest.raises(InvalidArguments, match="box: Field required"):
        asyncio.run(as_tool(order).call({}))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(
    st.dictionaries(st.sampled_from(["box", "colour", "when", "tags", "copy", "x"]), json_values)
)
def test_no_arguments_of_a_model_get_past_the_checks(arguments):
    made = call(Tools([order]), "order", **arguments)
    assert made.is_error == (not made.text.startswith("{"))


def action(tool_name: str, **arguments: object) -> Action:
    return Action.model_validate({"id": "a", "tool": tool_name, "arguments": arguments})


async def cancelled_inside(q: str) -> str:
    """Wait for something that somebody cancels."""
    waited = asyncio.ensure_future(asyncio.Event().wait())
    asyncio.get_running_loop().call_soon(waited.cancel)
    await waited
    return q


def test_what_a_tool_waits_for_may_be_cancelled_without_the_run():
    said = asyncio.run(Tools([cancelled_inside]).call(action("cancelled_inside", q="x")))
    assert said.is_error
    assert "something that it waited for was cancelled" in said.text


async def test_a_call_that_is_cancelled_is_cancelled():
    async def wait() -> None:
        """Wait for ever."""
        await asyncio.Event().wait()

    call = asyncio.create_task(Tools([wait]).call(action("wait")))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def numbers(most: int):
    """Count."""
    for number in range(most):
        await asyncio.sleep(0)
        yield number


def test_all_that_an_asynchronous_generator_gives_is_the_result():
    assert asyncio.run(Tools([numbers]).call(action("numbers", most=3))).text == "[0,1,2]"
