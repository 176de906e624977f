"""Corrections that name a piece of a question, judged by the rows of the corrected answer; with a word that nothing reads, none is taken whole."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.unit.analyst.kinds.said.piece_sentences import CASES, Case
from tests.unit.analyst.worlds import World, are_right

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.correcting import corrected
from oldhand.agent.analyst.correcting.examples import examples
from oldhand.agent.analyst.covering.covering import unread
from oldhand.query.compiling.compile import spelled
from oldhand.query.form import ColumnRef, Comparison

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
    left = unread(words, scene, found)
    assert not left.words
    assert not left.parts
    # Whether the groups that there were are to stay is asked, and whether a day makes groups.
    doubts = ("the same for each",) if scene.query.group else ("the day that decides",)
    assert not left.others or (case.becomes == "group" and left.others[0].startswith(doubts))


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


def test_all_things_or_those_of_the_rows_alone_is_asked(worlds: dict[str, World]) -> None:
    scene = _scene(worlds["hotel"], "How many bookings are there?")
    (found,) = corrected("count guests, not bookings", scene)
    assert "the different guests of the bookings" in unread("guests, not bookings", scene, found).others  # fmt: skip


def test_a_figure_that_is_gone_is_told_where_nobody_asked_for_a_list(worlds: dict[str, World]) -> None:  # fmt: skip
    scene = _scene(worlds["hotel"], "How many bookings are there per status?")
    after = scene.asked("What are the cities of hotels?")
    assert after is not None
    assert unread("the cities of hotels", scene, after).parts
    assert not unread("list the cities of hotels instead", scene, after).parts


def test_a_number_alone_is_no_value_of_a_column(worlds: dict[str, World]) -> None:
    scene = _scene(worlds["hotel"], "List the names of hotels")
    stars = ColumnRef(scene.things, "stars")
    after = replace(scene.query, where=(Comparison(stars, "=", (5,)),))
    assert unread("just 5", scene, after).parts
    assert not unread("just those with 5 stars", scene, after).parts


def test_a_value_that_is_only_like_a_word_is_told(worlds: dict[str, World]) -> None:
    scene = _scene(worlds["hotel"], "How many hotels are there?")
    names = ColumnRef(scene.things, "name")
    after = replace(scene.query, where=(Comparison(names, "=", ("ONE",)),))
    assert unread("only active ones", scene, after).parts


def test_parts_of_a_date_are_of_the_one_that_is_called_after_the_things(worlds: dict[str, World]) -> None:  # fmt: skip
    scene = _scene(worlds["hotel"], "How many bookings are there?")
    (found,) = corrected("per month", scene)
    assert are_right(
        worlds["hotel"].rows("SELECT strftime('%Y-%m', booked_on), count(*) FROM hotel.bookings GROUP BY 1"),
        worlds["hotel"].rows(found), ordered=False,
    )  # fmt: skip


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


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many bookings are there?", "the three cheapest"),
        ("How many bookings are there per status?", "per status and channel"),
        ("List the names of hotels", "names and stars"),
        ("List the names of hotels", "by stars"),
        ("How many bookings are there per status?", "booked and cancelled together"),
    ],
)
def test_what_is_half_said_is_never_taught_at_once(worlds: dict[str, World], question: str, said: str) -> None:  # fmt: skip
    scene = _scene(worlds["hotel"], question)
    assert all(unread(said, scene, found) for found in corrected(said, scene))
