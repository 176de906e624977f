"""From an answer back to what it was learned from."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.errors import UnknownEpisode
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.feedback import Said
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.why import Cause
from oldhand.store import export_memories, import_memories
from oldhand.testing import FixedClock
from oldhand.testing.records import example_episode, example_memory

QUESTION = "How many customers live in Berlin?"
RIGHT = "SELECT COUNT(*) FROM customers WHERE city = 'Berlin' AND id > 1"


@pytest.fixture
async def home(folder: Path) -> AsyncIterator[Home]:
    opened = open_home(folder / "home", clock=FixedClock())
    opened.catalog.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
    yield opened
    await opened.close()


def kinds(cause: Cause) -> list[str]:
    """The kinds along the first branch, from the answer on."""
    return [cause.kind, *(kinds(cause.because[0]) if cause.because else [])]


def ids(cause: Cause) -> set[str]:
    return {cause.id}.union(*map(ids, cause.because))


def recall(home: Home, *items: Recalled) -> str:
    """Record an answer that was made with these."""
    episode = example_episode("answer-1", clone_id="default")
    home.store.record_episode(episode, Recollection(episode_id=episode.id, items=items))
    return episode.id


def shown(memory_id: str, **changes: object) -> Recalled:
    fields = {"kind": "memory", "item_id": memory_id, "rank": 1, "score": 2.5, "shown": True}
    return Recalled.model_validate({**fields, "chance": 0.5, **changes})


def rule(memory_id: str, *evidence: str, **changes: object) -> Memory:
    payload = {"rule": "Count customers by id.", "evidence": evidence, **changes}
    provenance = {"source": "owner", "rater": "ana", "episode_ids": evidence}
    return example_memory(memory_id, MemoryType.SEMANTIC, payload=payload, provenance=provenance)


def reflection(memory_id: str, episode_id: str) -> Memory:
    payload = {
        "episode_id": episode_id,
        "user_text": QUESTION,
        "assistant_text": "1",
        "reflection": "Somebody missed the first customer.",
    }
    return example_memory(memory_id, MemoryType.REFLECTION, payload=payload)


async def test_a_confirmed_pair_leads_to_the_feedback_and_the_first_answer(home: Home) -> None:
    first = await home.turn.ask(QUESTION)
    receipt = await home.critique.give(first.episode_id, Said("default", correction=RIGHT))
    again = await home.turn.ask(QUESTION)
    why = home.explaining.why(again.episode_id[:8])
    pair = next(one for one in why.used if one.kind == "lesson")
    assert RIGHT in pair.text
    assert kinds(pair) == ["lesson", "feedback", "episode"]
    assert {receipt.feedback.id, first.episode_id} <= ids(pair)
    assert pair.because[0].text == f"Right is: {RIGHT}"
    assert pair.recalled is not None
    assert pair.recalled.used is True


async def test_a_rejected_pair_leads_to_what_was_said_of_it_and_not_to_what_was_found(
    home: Home,
) -> None:
    first = await home.turn.ask(QUESTION)
    receipt = await home.critique.give(first.episode_id, Said("default", rating=-1))
    await home.reflecting.run()
    (rejected,) = receipt.learned
    why = home.explaining.why(recall(home, shown(rejected.id, chance=1.0)))
    (lesson,) = why.causes
    assert kinds(lesson) == ["lesson", "feedback", "episode"]
    assert lesson.facts[0] == "issue, in force, confidence 1.00"


async def test_a_stated_word_leads_to_the_person_who_stated_it(home: Home) -> None:
    await home.memories.define("clients", "shop.customers", "default")
    answer = await home.turn.ask("How many clients live in Berlin?")
    why = home.explaining.why(answer.episode_id)
    word = next(one for one in why.used if one.kind == "lesson")
    assert kinds(word) == ["lesson", "said"]
    assert word.because[0].by == "default (owner)"
    assert "effect: alias" in word.facts


async def test_nothing_learned_was_used_is_said(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    why = home.explaining.why(answer.episode_id)
    assert why.causes == why.used == ()
    assert why.is_recorded


async def test_a_rule_leads_over_its_reflection_to_the_episode(home: Home) -> None:
    first = await home.turn.ask(QUESTION)
    receipt = await home.critique.give(first.episode_id, Said("default", rating=-1, text="No."))
    home.store.save_memory(reflection("reflection-1", first.episode_id))
    home.store.save_memory(rule("rule-1", first.episode_id))
    why = home.explaining.why(recall(home, shown("rule-1", used=None)))
    (lesson,) = why.used
    assert kinds(lesson) == ["lesson", "reflection", "feedback", "episode"]
    assert {"rule-1", "reflection-1", receipt.feedback.id, first.episode_id} <= ids(lesson)
    assert any("shown in 1 answer, " in fact for fact in lesson.facts)


async def test_evidence_that_names_the_reflection_leads_there_too(home: Home) -> None:
    first = await home.turn.ask(QUESTION)
    home.store.save_memory(reflection("reflection-1", first.episode_id))
    home.store.save_memory(rule("rule-1", "reflection-1"))
    why = home.explaining.why(recall(home, shown("rule-1")))
    assert kinds(why.causes[0]) == ["lesson", "reflection", "episode"]


async def test_a_lesson_that_was_held_out_is_named_but_not_used(home: Home) -> None:
    home.store.save_memory(rule("rule-1"))
    why = home.explaining.why(recall(home, shown("rule-1", shown=False)))
    assert why.used == ()
    assert [one.id for one in why.causes] == ["rule-1"]


async def test_lessons_that_supersede_each_other_do_not_go_round_in_circles(home: Home) -> None:
    home.store.save_memory(rule("rule-1", supersedes="rule-2"))
    home.store.save_memory(rule("rule-2", supersedes="rule-1"))
    why = home.explaining.why(recall(home, shown("rule-1")))
    assert ids(why.causes[0]) >= {"rule-1", "rule-2"}


async def test_a_lesson_that_was_forgotten_since_says_so(home: Home) -> None:
    home.store.save_memory(rule("rule-1"))
    episode_id = recall(home, shown("rule-1"))
    home.store.forget_memory("default", "rule-1")
    why = home.explaining.why(episode_id)
    assert "forgotten since" in why.causes[0].facts


async def test_an_imported_lesson_says_that_it_came_from_elsewhere(
    home: Home, folder: Path
) -> None:
    file = folder / "theirs.jsonl"
    with open_home(folder / "other", clock=FixedClock()).store as other, file.open("w") as target:
        other.save_memory(rule("rule-1", "episode-of-theirs"))
        export_memories(other, target)
    import_memories(home.store, file)
    why = home.explaining.why(recall(home, shown("rule-1")))
    assert kinds(why.causes[0]) == ["lesson", "elsewhere"]
    assert why.causes[0].by == "ana (external)"
    assert "imported from theirs.jsonl" in why.causes[0].facts


async def test_a_lesson_that_names_no_source_names_the_file_in_a_folder_of_files(
    home: Home, folder: Path
) -> None:
    stated = example_memory("rule-2", MemoryType.SEMANTIC, provenance={"source": "external"})
    (folder / "theirs" / "ana").mkdir(parents=True)
    with open_home(folder / "other", clock=FixedClock()).store as other:
        other.save_memory(stated.model_copy(update={"payload": stated.payload.model_copy(update={"evidence": ()})}))  # fmt: skip
        with (folder / "theirs" / "ana" / "semantic.jsonl").open("w") as target:
            export_memories(other, target)
    import_memories(home.store, folder / "theirs")
    (cause,) = (home.explaining.why(recall(home, shown("rule-2")))).causes
    assert cause.because[0].text.startswith("Taken over from theirs/ana/semantic.jsonl;")
    home.store.save_memory(home.store.memory("default", "rule-2").model_copy(update={"confidence": 0.4}))  # fmt: skip
    assert home.store.lessons.file_of("default", "rule-2") == "theirs/ana/semantic.jsonl"


async def test_a_prompt_version_and_a_note_are_causes_too(home: Home) -> None:
    payload = {"version": "analyst-2", "text": "Be brief."}
    home.store.save_memory(example_memory("prompt-2", MemoryType.PROMPT, payload=payload))
    items = (shown("prompt-2", kind="prompt"), shown("gone", kind="evaluation", rank=2))
    why = home.explaining.why(recall(home, *items))
    assert [one.kind for one in why.causes] == ["prompt", "note"]
    assert "version analyst-2" in why.causes[0].facts


async def test_an_unknown_answer_is_an_error(home: Home) -> None:
    with pytest.raises(UnknownEpisode):
        home.explaining.why("nothing-like-this")
