"""What people say of answers, and rules that they state, over companies of their own: in the language in which they ask."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from pydantic import RootModel
from tests.unit.analyst.worlds import are_right

from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.conversation.followup import is_follow_up
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.correcting import corrected
from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.query.compiling.compile import spelled

_Said = RootModel[dict[str, dict[str, dict[str, str]]]]


def _corrections() -> Iterator[object]:
    text = Path(__file__).with_name("corrections.yaml").read_text("utf-8")
    for world, questions in _Said.model_validate(yaml.safe_load(text)).root.items():
        for question, corrections in questions.items():
            for words, sql in corrections.items():
                yield pytest.param(world, question, words, sql, id=f"{world}: {question} {words}")


CORRECTIONS = tuple(_corrections())


def test_there_are_corrections_of_many_kinds():
    assert len(CORRECTIONS) >= 60


@pytest.mark.parametrize(("world", "question", "words", "sql"), CORRECTIONS)
def test_a_correction_asks_for_these_rows_or_is_not_understood(worlds, world, question, words, sql):
    asked = worlds[world]
    query = asked.understand(question).candidates[0].query
    found = corrected(words, Scene(query, question, asked.schemas, asked.values, asked.today))
    if not sql:
        assert found == ()
        return
    (query,) = found
    assert are_right(asked.rows(sql), asked.rows(query), ordered=False), spelled(query)


def test_a_value_that_is_to_come_first_stands_before_the_others_which_keep_their_order(worlds):
    asked = worlds["workshop"]
    question = "How many repairs are there per status?"
    query = asked.understand(question).candidates[0].query
    scene = Scene(query, question, asked.schemas, asked.values, asked.today)
    (found,) = corrected("invoiced should be at the top", scene)
    before, after = ([row[0] for row in asked.rows(one)] for one in (query, found))
    assert before[0] != "invoiced"
    assert after == ["invoiced", *(one for one in before if one != "invoiced")]


def _rules() -> Iterator[object]:
    text = Path(__file__).with_name("rules.yaml").read_text("utf-8")
    for world, rules in _Said.model_validate(yaml.safe_load(text)).root.items():
        for sentence, questions in rules.items():
            for question, sql in questions.items():
                yield pytest.param(world, sentence, question, sql, id=f"{sentence}: {question}")


@pytest.mark.parametrize(("world", "sentence", "question", "sql"), tuple(_rules()))
def test_a_word_that_a_rule_defines_works_in_questions(worlds, world, sentence, question, sql):
    asked = worlds[world]
    rule = read_rule(sentence, asked.schemas, asked.values).rule
    (schema,) = asked.schemas
    having = schema.model_copy(update={"semantics": schema.semantics.having(rule)})
    told = replace(asked, schemas=(having,))
    reading = told.read(question)
    assert reading.answers, (rule.told, reading.decision)
    assert are_right(told.rows(sql), told.rows(reading.queries[0]), ordered=False), spelled(reading.queries[0])  # fmt: skip


def _conversations() -> Iterator[object]:
    text = Path(__file__).with_name("follow_ups.yaml").read_text("utf-8")
    for world, conversations in _Said.model_validate(yaml.safe_load(text)).root.items():
        for question, follow_ups in conversations.items():
            yield pytest.param(world, question, follow_ups, id=f"{world}: {question}")


@pytest.mark.parametrize(("world", "question", "follow_ups"), tuple(_conversations()))
def test_a_condition_alone_goes_on_from_the_question_before(worlds, world, question, follow_ups):
    asked, before = worlds[world], [EarlierTurn(question=question, text="")]
    for follow_up, sql in follow_ups.items():
        reading = QuestionReader(asked.schemas, asked.values, asked.today).read(follow_up, before)
        assert reading.answers, follow_up
        assert are_right(asked.rows(sql), asked.rows(reading.queries[0]), ordered=False), follow_up
        before.append(EarlierTurn(question=follow_up, text=""))


@pytest.mark.parametrize("question", ["For each city, how many stores are there?", "by revenue, which store is first?", "In which city do we sell most?"])  # fmt: skip
def test_a_whole_question_that_opens_like_a_condition_is_no_follow_up(question):
    assert not is_follow_up(question, ())
