"""Everything that was learned can be put into other words, and is as it was when that is taken back."""

import asyncio

import pytest

from oldhand import Oldhand
from oldhand.bootstrap import open_home
from oldhand.errors import OldhandError, UnclearRule, UnknownMemory, UsageError
from oldhand.learning.evidence.exam_results import exam_of
from oldhand.record.effect import ValueMapping
from oldhand.record.join_path import JoinPath
from oldhand.record.memory import ExamplePayload, Memory, MemoryType
from oldhand.testing.records import example_memory

RIGHT = "SELECT COUNT(*) FROM rentals WHERE status <> 'cancelled'"
OTHER = "SELECT COUNT(*) FROM rentals WHERE status = 'done'"


@pytest.fixture
def taught(old: Oldhand) -> tuple[Memory, Memory]:
    """A confirmed pair, and the rule about rows that follows from it."""
    answer = old.ask("How many rentals are there?")
    learned = old.feedback(answer, correction=RIGHT).learned
    pair = next(one for one in learned if isinstance(one.payload, ExamplePayload))
    return pair, next(one for one in learned if one.effect is not None)


def sql_of(old: Oldhand, pair: Memory) -> str | None:
    payload = old.memories.get(pair.id).memory.payload
    return payload.sql if isinstance(payload, ExamplePayload) else None


def test_a_pair_is_edited_by_its_sql_and_is_as_it_was(old, rows, taught):
    pair, _ = taught
    old.memories.edit(pair.id, OTHER)
    assert list(old.ask("How many rentals are there?").rows) == rows(OTHER)
    old.memories.undo(pair.id)
    assert sql_of(old, pair) == RIGHT
    old.memories.undo(pair.id)
    assert sql_of(old, pair) == OTHER
    before = old.memories.list(limit=None)
    old.memories.rebuild()
    assert old.memories.list(limit=None) == before


def test_a_pair_that_was_taken_back_comes_back_as_it_was_and_goes_again(old, taught):
    pair, _ = taught
    episode = old.memories.get(pair.id).memory.provenance.episode_ids[0]
    old.memories.edit(pair.id, OTHER)
    old.feedback(episode, rating=0)
    assert pair.id not in {one.id for one in old.memories.list(limit=None)}
    old.memories.undo(pair.id)
    assert sql_of(old, pair) == OTHER
    old.memories.undo(pair.id)
    assert pair.id not in {one.id for one in old.memories.list(limit=None)}


def test_the_numbers_of_fix_mean_the_same_whatever_is_learned_since(old):
    answer = old.ask("How many rentals are there?")
    before = old.episodes.fixing(answer)
    old.feedback(answer, correction="without the cancelled ones")
    old.memories.define("hires", "hire.rentals")
    old.feedback(old.ask("How many hires are done?"), rating=-1)
    after = old.episodes.fixing(answer)
    assert (after.parts, after.readings) == (before.parts, before.readings)


def test_a_follow_up_is_no_surer_than_what_it_goes_on_from(old):
    first = old.ask("How many rentals were there in 2024?")
    sure = first.confidence
    for said in ("and in 2023?", "only the cancelled ones", "per model"):
        answer = old.ask(said, session_id=first.session_id)
        assert answer.confidence <= sure
        sure = answer.confidence


@pytest.mark.parametrize("said", ["Yes", "yes, please", "No.", "That is right."])
def test_a_bare_reply_is_no_question_where_nothing_was_asked_back(old, said):
    answer = old.ask(said)
    assert answer.text == "Nothing waits for a yes or a no here: ask a question."
    assert not answer.steps


def test_an_edit_says_what_speaks_against_it(old, taught):
    pair, _ = taught
    old.ask("Number of rentals")
    with pytest.raises(UsageError, match="It reads no table"):
        old.memories.edit(pair.id, "SELECT 1")
    elsewhere = old.memories.edit(pair.id, "SELECT COUNT(*) FROM clients")
    assert elsewhere.note.startswith(
        "It reads clients, and nothing of what the answer read (rentals)."
    )
    assert old.memories.edit(pair.id, "SELECT id FROM rentals").note.startswith(
        "The answer was one figure"
    )
    assert not old.memories.edit(pair.id, OTHER).note
    changed = old.memories.edit(pair.id, "SELECT COUNT(DISTINCT bike_id) FROM rentals").consequences
    assert changed.looked_at == 1


def test_a_join_and_a_value_are_edited_by_what_they_say(old, rows, tmp_path):
    home = open_home(tmp_path / "home")
    put = home.store.save_memory
    join = JoinPath.model_validate(
        {
            "database": "hire",
            "tables": ["rentals", "clients"],
            "on": [{"table": "rentals", "column": "client_id", "other_table": "clients", "other_column": "id"}],
        }
    )  # fmt: skip
    value = ValueMapping(
        database="hire", table="rentals", column="status", spoken="called off", value="done"
    )
    for name, effect in (("join-1", join), ("value-1", value)):
        put(
            example_memory(
                name,
                MemoryType.SEMANTIC,
                clone_id="default",
                user_id="default",
                effect=effect,
                summary=effect.says,
            )
        )
    asyncio.run(home.close())
    edited = old.memories.edit("join-1", "rentals.days = clients.id")
    assert edited.summary.endswith("Join rentals and clients on rentals.days = clients.id")
    assert old.memories.edit(
        "value-1", "hire.rentals.status = cancelled"
    ).effect == value.model_copy(update={"value": "cancelled"})
    called_off = rows("SELECT COUNT(*) FROM rentals WHERE status = 'cancelled'")
    assert list(old.ask("How many rentals are called off?").rows) == called_off
    for name, text in (
        ("join-1", "rentals.nowhere = clients.id"),
        ("join-1", "DROP TABLE x"),
        ("value-1", "rentals.status > 3"),
        ("value-1", ""),
    ):
        with pytest.raises(OldhandError):
            old.memories.edit(name, text)
    assert old.memories.undo("join-1").effect == join
    assert old.memories.undo("value-1").effect == value


def test_what_cant_be_run_leaves_a_pair_as_it_is(old, taught):
    pair, _ = taught
    for text in ("SELECT COUNT(*) FROM rntals", "DELETE FROM rentals"):
        with pytest.raises(UsageError, match="Nothing was changed"):
            old.memories.edit(pair.id, text)
    with pytest.raises(UsageError, match="Only the owner or an expert"):
        old.memories.edit(pair.id, OTHER, rater="eve")
    assert sql_of(old, pair) == RIGHT
    assert [one.version for one in old.memories.get(pair.id).versions] == [1]


def test_a_rule_about_rows_is_edited_by_a_sentence_and_examined(old, rows, taught):
    _, rule = taught
    answer = old.ask("How many rentals have a fee over 100?")
    old.feedback(answer, correction="SELECT COUNT(*) FROM rentals WHERE fee > 100")
    edited = old.memories.edit(rule.id, "Leave out rentals with status = 'done'")
    assert edited.effect is not None
    assert edited.effect.says == "Leave out rentals with status = 'done'"
    exam = exam_of(edited)
    assert exam is not None
    assert exam.broken == ("How many rentals have a fee over 100?",)
    assert old.memories.undo(rule.id).effect == rule.effect
    with pytest.raises(UnclearRule):
        old.memories.edit(rule.id, "be nice")


def test_a_complaint_about_the_wording_counts_against_no_rule(old, taught):
    _, rule = taught
    answer = old.ask("Average fee of rentals")
    old.feedback(answer, rating=-1, tags=["too-verbose"])
    assert old.memories.get(rule.id).downs == 0
    old.memories.rebuild()
    assert old.memories.get(rule.id).downs == 0
    receipt = old.feedback(answer, rating=-1, text="Too long, and wrong.")
    assert "of-style" not in receipt.tags
    assert old.memories.get(rule.id).downs == 1


def test_a_preview_shows_the_rule_and_all_that_it_changes(old):
    old.ask("Average fee of rentals")
    answer = old.ask("How many rentals are there?")
    preview = old.feedback(answer, correction=RIGHT, dry_run=True)
    assert [one.effect.says for one in preview.learned if one.effect] == [
        "Leave out rentals with status = 'cancelled'"
    ]
    assert [one.question for one in preview.consequences.otherwise] == ["Average fee of rentals"]
    assert old.memories.list() == ()
    receipt = old.feedback(answer, correction=RIGHT)
    assert {one.summary for one in receipt.learned} == {one.summary for one in preview.learned}
    assert receipt.consequences == preview.consequences


def test_an_edit_of_a_rule_or_a_word_says_what_is_answered_otherwise(old, taught):
    _, rule = taught
    old.ask("Average fee of rentals")
    word = old.memories.define("regulars", "hire.clients.city = Rome")
    old.ask("How many regulars are there?")
    edited = old.memories.edit(rule.id, "Leave out rentals with status = 'done'")
    told = [one.question for one in edited.consequences.otherwise]
    assert "Average fee of rentals" in told
    other = old.memories.edit(word.id, "hire.clients.city = Berlin")
    assert [one.question for one in other.consequences.otherwise] == [
        "How many regulars are there?"
    ]


def test_a_word_is_edited_by_what_it_means_and_means_one_thing_only(old):
    word = old.memories.define("regulars", "hire.clients.city = Rome")
    other = old.memories.edit(word.id, "hire.clients.city = Berlin")
    assert [old.memories.get(one).state for one in (word.id, other.id)] == ["retired", "in force"]
    old.memories.undo(word.id)
    assert [old.memories.get(one).state for one in (word.id, other.id)] == ["in force", "retired"]


def test_a_stated_rule_is_edited_and_all_that_the_rules_were_comes_back(old):
    old.rules.add("profit = fee - expenses")
    edited = old.rules.edit("profit", "gain = fee - 2 * expenses")
    assert edited.replaces == ("'profit' is fee - expenses of each row of rentals",)
    assert [one.name for one in old.rules.list()] == ["gain"]
    assert [one.name for one in old.rules.undo("hire")] == ["profit"]
    assert [one.name for one in old.rules.undo("hire")] == ["gain"]
    with pytest.raises(UnknownMemory):
        old.rules.edit("profit", "profit = fee")


def test_words_that_were_carried_out_are_no_rule_by_themselves(old):
    answer = old.ask("How many rentals have a fee over 100?")
    receipt = old.feedback(answer, correction="only the cancelled ones")
    assert "Understood" in receipt.note
    old.learn()
    assert [
        one for one in old.memories.list(limit=None) if "only the cancelled" in one.summary
    ] == []


def test_a_name_that_is_nearly_right_is_named(old):
    old.rules.add("big rentals have a fee over 150")
    with pytest.raises(UnknownMemory, match="Did you mean 'big rentals'"):
        old.rules.edit("big rental", "big rentals have a fee over 180")
