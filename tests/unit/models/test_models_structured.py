"""Answers in the form of a schema: found, checked, asked for once more."""

import contextlib
import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from oldhand.errors import MalformedAnswer
from oldhand.models.structured import after_system, answer_dialogue, parse_answer
from oldhand.record.episode import Message


class Point(BaseModel):
    x: int
    y: int = 0


class Shape(BaseModel):
    name: str
    points: list[Point]


@pytest.mark.parametrize(
    "text",
    [
        '{"x": 1}',
        '\ufeff {"x": 1} \n',
        '```json\n{"x": 1}\n```',
        '```\n{"x": 1}\n```',
        'Here: {"x": 1}. Done.',
        'Not {this} but {"x": 1}',
        '{"y": 5} is wrong, {"x": 1} is right',
        'First ```json\n{"y": 1}\n``` then ```json\n{"x": 1}\n```',
        '<think>{maybe}</think>{"x": 1}',
        '{"x": "1"}',
    ],
)
def test_the_first_object_that_fits_is_taken(text: str) -> None:
    assert parse_answer(text, Point).x == 1


def test_braces_inside_strings_do_not_confuse() -> None:
    text = 'It is {"name": "a } b { c ```", "points": [{"x": 1}]} indeed'
    assert parse_answer(text, Shape).name == "a } b { c ```"


@pytest.mark.parametrize(
    "text", ["", "   ", "no idea", "[1, 2]", "null", "{", '{"x": 1', "{" * 5000]
)
def test_a_text_without_an_object_is_malformed(text: str) -> None:
    with pytest.raises(MalformedAnswer):
        parse_answer(text, Point)


def test_the_error_says_what_is_wrong_and_quotes_the_answer() -> None:
    with pytest.raises(MalformedAnswer) as caught:
        parse_answer('{"name": 7, "points": [{"y": 1}]}', Shape)
    said = str(caught.value)
    assert "name: Input should be a valid string" in said
    assert "points.0.x: Field required" in said
    assert '{"name": 7' in said


def test_the_quote_of_a_huge_answer_is_short() -> None:
    with pytest.raises(MalformedAnswer) as caught:
        parse_answer("word " * 1_000_000, Point)
    assert len(str(caught.value)) < 600


def test_hostile_nesting_is_no_crash() -> None:
    with pytest.raises(MalformedAnswer):
        parse_answer('{"x":' * 100_000, Point)
    with pytest.raises(MalformedAnswer):
        parse_answer("see " + '{"x":[' * 100_000, Point)


@given(st.text(max_size=200), st.text(alphabet=st.characters(exclude_characters="{`"), max_size=50))
def test_an_object_is_found_behind_any_words(name: str, before: str) -> None:
    shape = Shape(name=name, points=[Point(x=1)])
    assert parse_answer(before + shape.model_dump_json(), Shape) == shape


def test_a_good_answer_ends_the_dialogue() -> None:
    dialogue = answer_dialogue([Message(role="user", content="Where?")], Point)
    assert next(dialogue) == [Message(role="user", content="Where?")]
    with pytest.raises(StopIteration) as end:
        dialogue.send('{"x": 3}')
    assert end.value.value == Point(x=3)


def test_a_miss_is_told_with_the_reason_and_the_schema() -> None:
    dialogue = answer_dialogue([Message(role="user", content="Where?")], Point)
    next(dialogue)
    again = dialogue.send('{"y": 3}')
    assert [message.role for message in again] == ["user", "assistant", "user"]
    assert again[1].content == '{"y": 3}'
    assert "x: Field required" in again[2].content
    assert '"required":["x"]' in again[2].content


def test_a_second_miss_ends_it() -> None:
    dialogue = answer_dialogue([Message(role="user", content="Where?")], Point)
    next(dialogue)
    dialogue.send("")
    with pytest.raises(MalformedAnswer, match="no JSON object"):
        dialogue.send("still nothing")


def test_added_instructions_stand_behind_the_system_messages() -> None:
    said = [Message(role="system", content="a"), Message(role="user", content="b")]
    added = Message(role="system", content="+")
    assert [m.content for m in after_system(said, added)] == ["a", "+", "b"]
    assert [m.content for m in after_system(said[:1], added)] == ["a", "+"]
    assert after_system([], added) == [added]


class Verdict(BaseModel):
    verdict: Literal["answerable", "not answerable"]
    confidence: float = Field(default=0.5, ge=0, le=1)
    names: list[str] = []
    sure: bool = False


@pytest.mark.parametrize(
    "text",
    [
        "{'verdict': 'answerable', 'confidence': .8, 'names': ['a'], 'sure': true}",
        '{"verdict": "answerable", "confidence": 0.8, "names": ["a"], "sure": true,}',
        '{verdict: "answerable", confidence: 0.8, names: ["a"], sure: True}',
        '{"verdict": "Answerable", "confidence": "80 %", "names": "a", "sure": "yes"}',
        '{"Verdict": "ANSWERABLE.", "Confidence": 80, "Names": ["a"], "Sure": 1}',
        '{"answer": {"verdict": "answerable", "confidence": "0,8", "names": ["a"], "sure": true}}',
        '{"result": {"data": [{"verdict": "answerable", "confidence": "8/10", "names": ["a"], "sure": true}]}}',
        '[{"verdict": ["answerable"], "confidence": 0.8, "names": ["a"], "sure": "true"}]',
        '~~~json\n{"verdict": "answerable", "confidence": 0.8, "names": "a", "sure": true}\n~~~',
        '```\n// as asked\n{"verdict": "answerable", "confidence": 80%, "names": ["a"], "sure": true}',
        '<answer>{"verdict": "answerable", "confidence": 0.8, "names": ["a"], "sure": "Yes"}</answer>',
        'So: {"verdict": "answerable", "confidence": 0.8, "names": ["a"], "sure": true, "because": "x"} Good?',
    ],
)
def test_what_small_models_write_is_read_as_they_meant_it(text: str) -> None:
    meant = Verdict(verdict="answerable", confidence=0.8, names=["a"], sure=True)
    assert parse_answer(text, Verdict) == meant


@pytest.mark.parametrize(
    ("said", "share"),
    [
        (1, 1.0),
        ("1", 1.0),
        ("high", 0.85),
        ("Very low", 0.1),
        ("90 percent", 0.9),
        (0, 0.0),
        (55, 0.55),
    ],
)
def test_a_share_is_read_however_it_is_written(said: object, share: float) -> None:
    text = json.dumps({"verdict": "answerable", "confidence": said})
    assert parse_answer(text, Verdict).confidence == share


@pytest.mark.parametrize("said", ["maybe", "answer", "-5", 250, [0.1, 0.2]])
def test_what_can_be_meant_in_no_way_is_told(said: object) -> None:
    text = json.dumps({"verdict": "answerable", "confidence": said})
    with pytest.raises(MalformedAnswer, match="confidence"):
        parse_answer(text, Verdict)


def test_the_first_complaint_is_about_what_the_model_wrote() -> None:
    with pytest.raises(MalformedAnswer, match=r"verdict: Input should be 'answerable'"):
        parse_answer("{'verdict': 'perhaps'}", Verdict)


@given(st.text(alphabet="{}[]\"':,ab1 \n\\`", max_size=60))
def test_no_text_is_more_than_malformed(text: str) -> None:
    with contextlib.suppress(MalformedAnswer):
        parse_answer(text, Shape)
