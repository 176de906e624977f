"""The textual ReAct form, read strictly."""

import pytest

from oldhand.agent.acting.react_text import read_react, written
from oldhand.errors import UnreadableAction

ACTION = 'Thought: a\nAction: look\nAction Input: {"city": "Bonn"}'


@pytest.mark.parametrize(
    "text",
    [
        ACTION,
        '  Thought: a\n  Action: look\n  Action Input: {"city": "Bonn"}  ',
        'a\nAction: `look`\nAction Input:\n{\n "city":\n "Bonn"\n}',
        'Thought: a\nAction: "look"\nAction Input: ```json\n{"city": "Bonn"}\n```',
        f"{ACTION}\nObservation: 7\nThought: so\nFinal Answer: 7",
        f"{ACTION}\n\n",
        '**Thought:** a\n**Action**: look\n**Action Input:**\n{"city": "Bonn"}',
        '### Thought: a\n### Action: look\n### Action Input: {"city": "Bonn"}\n**Observation:** 7',
    ],
)
def test_an_action_is_read(text):
    step = read_react(text, number=2)
    assert step.action.tool == "look"
    assert step.action.arguments == {"city": "Bonn"}
    assert (step.thought, step.answer, step.number) == ("a", None, 2)


def test_an_answer_may_have_several_lines():
    step = read_react("Thought: a\nFinal Answer: One,\nand: two.", number=1)
    assert (step.answer, step.actions) == ("One,\nand: two.", ())


def test_what_is_set_in_an_answer_itself_stays():
    step = read_react("**Final Answer:** **Three** _of_ them.\n* one", number=1)
    assert step.answer == "**Three** _of_ them.\n* one"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "neither an action nor a final answer"),
        ("I look at Bonn.", "neither an action nor a final answer"),
        ("Observation: 7", "neither an action nor a final answer"),
        ("Thought: a\nAction: look", "no Action Input"),
        ("Thought: a\nAction: look\nAction Input: Bonn", "not one JSON object"),
        ("Thought: a\nAction: look\nAction Input: [1]", "not a JSON object"),
        ("Thought: a\nAction: look\nAction Input: {}\n{}", "not one JSON object"),
        ("Thought: a\nAction: look\nAction Input: " + "[" * 100_000, "not one JSON object"),
        (f"{ACTION}\n{ACTION}", "more than one action"),
        (f"{ACTION}\nFinal Answer: 3", "both an action and a final answer"),
        ("Thought: a\nFinal Answer:", "The final answer is empty"),
    ],
)
def test_what_is_in_no_form_says_what_is_wrong_and_how_it_is_right(text, fault):
    with pytest.raises(UnreadableAction, match=fault) as raised:
        read_react(text, number=1)
    assert "Action Input: its input as one JSON object" in str(raised.value)


@pytest.mark.parametrize("text", [ACTION, "Thought: a\nFinal Answer: Three."])
def test_a_step_is_written_as_it_was_read(text):
    assert written(read_react(text, number=1)) == text
