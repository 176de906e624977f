"""What votes add up to: whose word counts, what a change of mind undoes, and what never teaches."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.learning.confirmation import Solution, memories_of, solution_of, votes_on
from oldhand.record.answer import Outcome, QueryStep
from oldhand.record.episode import Episode
from oldhand.record.feedback import Feedback, standing
from oldhand.record.memory import ExamplePayload, IssuePayload, Memory, MemoryType
from oldhand.record.phrases import question_key
from oldhand.testing.records import example_episode, example_feedback

ROLES = {"ana": "owner", "bo": "expert", "cy": "expert", "eve": "external"}
SQL = "SELECT COUNT(*) FROM customers WHERE city = 'Berlin'"
RIGHT = "SELECT COUNT(*) FROM customers WHERE town = 'Berlin'"


def step(number: int = 1, database: str = "shop", sql: str = SQL, **more: object) -> QueryStep:
    return QueryStep(number=number, purpose="Count", database=database, sql=sql, **more)


def episode(name: str = "episode-1", *steps: QueryStep, **changes: object) -> Episode:
    return example_episode(name, steps=steps or (step(),), **changes)


def say(rater: str, rating: int | None, correction: str | None = None, **more: object) -> Feedback:
    say.count += 1
    return example_feedback(
        f"f-{say.count}", rating, rater=rater, source=ROLES[rater], correction=correction, **more
    )


say.count = 0


def read(one: Episode, feedback: Feedback) -> Solution | None:
    """Takes every correction for SQL over the shop."""
    if one.answer.standalone is None:
        return None
    return Solution(one.answer.standalone, ("shop",), "shop", feedback.correction)


def taught(*log: Feedback, about: Episode | None = None) -> dict[MemoryType, list[Memory]]:
    votes = votes_on(about or episode(), log, read)
    found = memories_of("default", votes, lambda _id, _feedback: True)
    return {kind: [m for m in found if m.type is kind] for kind in MemoryType}


def confirmed(*log: Feedback, about: Episode | None = None) -> list[str | None]:
    examples = taught(*log, about=about)[MemoryType.EXAMPLE]
    return [e.payload.sql for e in examples if isinstance(e.payload, ExamplePayload)]


def rejected(*log: Feedback, about: Episode | None = None) -> list[str | None]:
    issues = taught(*log, about=about)[MemoryType.ISSUE]
    return [i.payload.sql_query for i in issues if isinstance(i.payload, IssuePayload)]


def test_a_thumb_of_the_owner_confirms_the_sql_that_ran() -> None:
    (memory,) = taught(given_up := say("ana", 1))[MemoryType.EXAMPLE]
    assert isinstance(memory.payload, ExamplePayload)
    assert memory.payload.sql == SQL
    assert memory.payload.database == "shop"
    assert memory.payload.evidence == (given_up.id,)
    assert memory.provenance.source == "owner"
    assert memory.provenance.episode_ids == ("episode-1",)


def test_after_repairs_the_sql_that_ran_is_confirmed() -> None:
    repaired = example_episode()
    assert repaired.answer.steps[0].failures
    assert confirmed(say("bo", 1), about=repaired) == [repaired.answer.steps[0].sql]


def test_nobody_else_teaches_anything() -> None:
    log = (say("eve", 1), say("eve", -1, RIGHT))
    assert confirmed(*log) == rejected(*log) == []


@pytest.mark.parametrize("source", ["evaluator", "execution", "external"])
def test_that_sql_ran_or_pleased_a_machine_teaches_nothing(source: str) -> None:
    log = (example_feedback("f", 1, source=source),)
    assert confirmed(*log) == []


def test_a_thumb_down_rejects_the_sql() -> None:
    assert rejected(say("ana", -1)) == [SQL]
    assert confirmed(say("ana", -1)) == []


def test_a_correction_confirms_its_own_sql_and_rejects_the_answer() -> None:
    log = (say("ana", None, RIGHT),)
    assert confirmed(*log) == [RIGHT]
    assert rejected(*log) == [SQL]


def test_a_correction_of_a_good_answer_rejects_nothing() -> None:
    log = (say("ana", 1, RIGHT),)
    assert confirmed(*log) == [RIGHT]
    assert rejected(*log) == []


def test_a_correction_that_repeats_the_answer_confirms_it() -> None:
    log = (say("ana", -1, SQL.lower().replace("berlin", "Berlin")),)
    assert len(confirmed(*log)) == 1
    assert rejected(*log) == []


def test_the_latest_word_of_a_person_counts() -> None:
    assert confirmed(say("ana", 1), say("ana", -1)) == []
    assert rejected(say("ana", -1), say("ana", 1)) == []
    assert confirmed(say("ana", -1), say("ana", 1)) == [SQL]


def test_a_vote_taken_back_leaves_nothing() -> None:
    log = (say("ana", None, RIGHT), say("ana", 0))
    assert confirmed(*log) == rejected(*log) == []


def test_a_comment_is_no_vote_and_takes_nothing_back() -> None:
    assert confirmed(say("ana", 1), say("ana", None, text="Thanks")) == [SQL]


def test_a_thumb_down_after_a_correction_agrees_with_it() -> None:
    assert confirmed(say("ana", None, RIGHT), say("ana", -1)) == [RIGHT]
    assert confirmed(say("ana", None, RIGHT), say("ana", 1)) == [SQL]


def test_the_owner_counts_before_an_expert_whoever_spoke_last() -> None:
    assert confirmed(say("ana", 1), say("bo", -1)) == [SQL]
    assert rejected(say("ana", -1), say("bo", 1)) == [SQL]
    assert confirmed(say("bo", None, RIGHT), say("ana", 1)) == [SQL]


def test_when_the_owner_takes_the_word_back_the_expert_counts_again() -> None:
    log = (say("bo", 1), say("ana", -1), say("ana", 0))
    assert confirmed(*log) == [SQL]
    assert rejected(*log) == []


def test_of_two_experts_the_later_one_counts() -> None:
    assert confirmed(say("bo", -1), say("cy", 1)) == [SQL]
    assert rejected(say("cy", 1), say("bo", -1)) == [SQL]


def test_a_pair_that_somebody_doubts_is_less_sure() -> None:
    sure, doubted = (
        taught(*log)[MemoryType.EXAMPLE][0]
        for log in ([say("ana", 1)], [say("bo", -1), say("ana", 1)])
    )
    assert 0.5 <= doubted.confidence < sure.confidence == 1.0


def test_a_pair_that_two_people_confirm_is_one_memory_with_two_evidences() -> None:
    votes = [
        *votes_on(episode("episode-1"), [say("ana", 1)], read),
        *votes_on(
            episode("episode-2", question="how many customers live in Berlin"),
            [say("bo", 1, episode_id="episode-2")],
            read,
        ),
    ]
    (memory,) = memories_of("default", votes, lambda _id, _feedback: True)
    assert isinstance(memory.payload, ExamplePayload)
    assert len(memory.payload.evidence) == 2
    assert memory.provenance.episode_ids == ("episode-1", "episode-2")


def test_the_same_question_over_other_databases_is_another_memory() -> None:
    votes = [
        *votes_on(episode("episode-1"), [say("ana", 1)], read),
        *votes_on(episode("episode-2", step(database="archive")), [say("ana", 1)], read),
    ]
    memories = memories_of("default", votes, lambda _id, _feedback: True)
    assert len({memory.id for memory in memories}) == 2


@pytest.mark.parametrize("outcome", [Outcome.ABSTAINED, Outcome.CLARIFY, Outcome.FAILED])
def test_without_an_answer_there_is_nothing_to_confirm_but_something_to_correct(
    outcome: Outcome,
) -> None:
    silent = episode(outcome=outcome)
    assert confirmed(say("ana", 1), about=silent) == []
    assert rejected(say("ana", -1), about=silent) == []
    assert confirmed(say("ana", None, RIGHT), about=silent) == [RIGHT]


def test_a_question_that_leans_on_another_one_teaches_nothing_under_its_bare_words() -> None:
    leaning = episode(question="And in Rome?", standalone=None)
    assert confirmed(say("ana", 1), about=leaning) == []
    whole = episode(question="And in Rome?", standalone="How many customers live in Rome?")
    (memory,) = taught(say("ana", 1), about=whole)[MemoryType.EXAMPLE]
    assert isinstance(memory.payload, ExamplePayload)
    assert memory.payload.question == "How many customers live in Rome?"


def test_several_databases_are_confirmed_as_one_query_when_nothing_was_repaired() -> None:
    both = (step(1, "shop"), step(2, "crm"), step(3, "workspace"))
    query = "SELECT COUNT(*) FROM shop.main.customers AS a JOIN crm.main.people AS b ON a.id = b.id"
    solution = solution_of(episode("e", *both, query=query).answer)
    assert solution is not None
    assert (solution.sql, solution.database, solution.databases) == (query, None, ("crm", "shop"))


def test_several_databases_are_confirmed_as_statements_when_one_was_repaired() -> None:
    failed = {"failures": ({"sql": "SELECT x", "error": "no x"},), "attempts": 2}
    both = (step(1, "shop", **failed), step(2, "workspace"))
    solution = solution_of(episode("e", *both, query="SELECT 1 FROM shop.main.customers").answer)
    assert solution is not None
    assert solution.sql is None
    assert [one.database for one in solution.steps] == ["shop", "workspace"]
    assert solution.databases == ("shop",)


def test_a_correction_in_words_keeps_the_words() -> None:
    def in_words(one: Episode, feedback: Feedback) -> Solution:
        return Solution(one.answer.question, words=feedback.correction)

    votes = votes_on(episode(), [say("ana", None, "Count households.")], in_words)
    example, issue = memories_of("default", votes, lambda _id, _feedback: True)[::-1]
    assert {example.type, issue.type} == {MemoryType.EXAMPLE, MemoryType.ISSUE}
    words = [m.payload.answer for m in (example, issue) if isinstance(m.payload, ExamplePayload)]
    assert words == ["Count households."]


def test_what_was_taken_back_as_a_whole_does_not_count() -> None:
    votes = votes_on(episode(), [say("ana", 1)], read)
    assert memories_of("default", votes, lambda _id, _feedback: False) == ()


VOTES = st.lists(
    st.tuples(
        st.sampled_from(sorted(ROLES)),
        st.sampled_from([-1, 0, 1, None]),
        st.sampled_from([None, SQL, RIGHT]),
    ),
    max_size=12,
)


@given(VOTES)
def test_a_pair_is_never_confirmed_and_rejected_at_once(
    said: Sequence[tuple[str, int | None, str | None]],
) -> None:
    log = [say(*one) for one in said]
    assert not set(confirmed(*log)) & set(rejected(*log))
    assert len(confirmed(*log)) <= 1


@given(VOTES)
def test_people_who_are_not_trusted_make_no_difference(
    said: Sequence[tuple[str, int | None, str | None]],
) -> None:
    log = [say(*one) for one in said]
    assert taught(*log) == taught(*(one for one in log if one.rater != "eve"))


@given(VOTES)
def test_when_everybody_takes_their_word_back_nothing_is_left(
    said: Sequence[tuple[str, int | None, str | None]],
) -> None:
    log = [say(*one) for one in said]
    log += [say(rater, 0) for rater in ROLES]
    assert not any(taught(*log).values())


@given(VOTES)
def test_only_the_word_that_stands_counts(
    said: Sequence[tuple[str, int | None, str | None]],
) -> None:
    log = [say(*one) for one in said]
    assert taught(*log) == taught(*standing(log))


@given(st.text(max_size=40))
def test_letter_case_and_blanks_make_no_other_question(question: str) -> None:
    assert question_key(f"  {question.upper()}  ") == question_key(question.upper())
    assert question_key(question_key(question)) == question_key(question)


@pytest.mark.parametrize(
    "said",
    [{"text": "too verbose"}, {"tags": ("too-verbose",)}, {"text": "Right, but far too long!"}],
)
def test_a_complaint_about_the_style_does_not_call_the_query_wrong(said: dict[str, object]) -> None:
    assert taught(say("ana", -1, **said))[MemoryType.ISSUE] == []
    assert confirmed(say("ana", 1), say("ana", -1, **said)) == [SQL]


@pytest.mark.parametrize("text", ["too long, and it counted tests", "It was not right: too long"])
def test_what_is_said_beside_the_style_counts(text: str) -> None:
    (rejected,) = taught(say("ana", -1, text=text))[MemoryType.ISSUE]
    assert isinstance(rejected.payload, IssuePayload)
    assert rejected.payload.sql_query == SQL
