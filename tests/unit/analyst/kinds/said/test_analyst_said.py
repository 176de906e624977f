"""What people say of answers, and rules that they state, over companies of their own: in the language in which they ask."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from pydantic import RootModel
from tests.unit.analyst.worlds import are_right

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
