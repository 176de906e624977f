"""Corrections that name a piece of a question, judged by the rows of the corrected answer; with a word that nothing reads, none is taken whole."""

from collections.abc import Iterator

import pytest
from tests.unit.analyst.kinds.said.piece_sentences import CASES, Case
from tests.unit.analyst.worlds import World, are_right

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.correcting import corrected
from oldhand.agent.analyst.correcting.covering import unread
from oldhand.agent.analyst.correcting.examples import examples
from oldhand.query.compiling.compile import spelled

UNREAD = "zorbled"
"""A word that no schema, value or list knows."""


def _said() -> Iterator[object]:
    every = [(world, case, words) for world, cases in CASES.items() for case in cases for words in case.said()]  # fmt: skip
    for number, (world, case, words) in enumerate(every):
        marks = () if number % 9 == 0 else pytest.mark.trial
        yield pytest.param(world, case, words, id=f"{world}: {case.question} {words}", marks=marks)


def _scene(asked: World, question: str) -> Scene:
    query = asked.understand(question).candidates[0].query
    return Scene(query, question, asked.schemas, asked.values, asked.today)


@pytest.mark.parametrize(("world", "case", "words"), _said())
def test_a_piece_of_a_question_takes_its_place_in_the_answer(
    worlds: dict[str, World], world: str, case: Case, words: str
) -> None:
    asked = worlds[world]
    scene = _scene(asked, case.question)
    (found,) = corrected(words, scene)
    expected, rows = asked.rows(case.sql), asked.rows(found)
    assert are_right(expected, rows, ordered=case.becomes == "sorted"), spelled(found)
    assert len(expected[0]) == len(rows[0]) or case.becomes in ("group", "of")
    assert not unread(words, scene, found)


@pytest.mark.parametrize(("world", "case", "words"), _said())
def test_a_piece_with_a_word_that_nothing_reads_is_never_taken_whole(
    worlds: dict[str, World], world: str, case: Case, words: str
) -> None:
    scene = _scene(worlds[world], case.question)
    said = words.replace(case.what, f"{UNREAD} {case.what}")
    said = said if UNREAD in said else f"{words} {UNREAD}"
    for found in corrected(said, scene):
        assert UNREAD in unread(said, scene, found).words


def test_a_name_of_two_tables_that_are_as_near_is_asked_for(worlds: dict[str, World]) -> None:
    scene = _scene(worlds["workshop"], "How many repairs are there?")
    (found,) = corrected("per town", scene)
    assert unread("per town", scene, found).others


@pytest.mark.parametrize("question", ["How many parcels are there?", "What is the total fee of parcels per status?", "List the name and town of customers"])  # fmt: skip
def test_each_example_of_what_could_be_said_is_understood_whole(
    worlds: dict[str, World], question: str
) -> None:
    scene = _scene(worlds["courier"], question)
    found = examples(scene)
    assert len(found) >= 1
    for said in found:
        (query,) = corrected(said, scene)
        assert not unread(said, scene, query)
