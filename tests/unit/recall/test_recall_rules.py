"""Rules, checklists, fixes and preferences: which are recalled for a question, and in which order."""

from collections.abc import Collection

import pytest

from oldhand.learning.recall import Recall
from oldhand.record.effect import DefaultFilter, Effect, ToolBan, ValueMapping
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.situation import Situation, situation_of
from oldhand.settings import RecallSettings
from oldhand.testing import FixedClock, MemoryCredit, MemoryIndex
from oldhand.testing.records import NOON, example_memory

QUESTION = "How many tractors are there?"
CANCELLED = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")


def rule(memory_id: str, said: str, **changes: object) -> Memory:
    condition = changes.pop("applies_when", None)
    payload = {"rule": said, "applies_when": condition}
    fields = {"payload": payload, "tags": (), **changes}
    return example_memory(memory_id, MemoryType.SEMANTIC, **fields)


def acting(memory_id: str, effect: Effect, **changes: object) -> Memory:
    return rule(memory_id, "Something learned", effect=effect, **changes)


def recalled(
    memories: Collection[Memory],
    question: str = QUESTION,
    *,
    databases: Collection[str] = ("shop",),
    credit: MemoryCredit | None = None,
    situation: Situation | None = None,
    **limits: int,
) -> list[str]:
    recall = Recall(
        MemoryIndex(memories).search_each,
        (credit or MemoryCredit()).tallies,
        RecallSettings(**limits),
        FixedClock(NOON),
    )
    here = situation or situation_of(question, databases=databases)

    def concerns(memory: Memory) -> bool:
        return getattr(memory.effect, "database", None) in (None, *databases)

    return [one.id for one in recall.recall(question, situation=here, concerns=concerns)]


def test_lessons_of_every_type_are_recalled_by_their_words() -> None:
    step = {"step": "Count tractors once"}
    fix = {"failure": "Counted tractors twice", "root_cause": "join", "fix": "Use DISTINCT"}
    wish = {"key": "tractors", "value": "by brand"}
    memories = [
        rule("rule", "Tractors are machines"),
        example_memory("step", MemoryType.CHECKLIST, payload=step),
        example_memory("fix", MemoryType.BUG_FIX, payload=fix),
        example_memory("wish", MemoryType.PREFERENCE, payload=wish),
        rule("other", "Boats are ships"),
    ]
    assert set(recalled(memories)) == {"rule", "step", "fix", "wish"}


def test_a_rule_about_a_database_at_hand_is_recalled_whatever_is_asked() -> None:
    there = CANCELLED.model_copy(update={"database": "crm"})
    memories = [acting("here", CANCELLED), acting("there", there), acting("ban", ToolBan(tool="x"))]
    assert set(recalled(memories, "Anything?")) == {"here", "ban"}
    assert set(recalled(memories, "Anything?", databases=["crm"])) == {"there", "ban"}
    assert recalled(memories, "Anything?", effects=0) == []


def test_rules_of_many_databases_are_found_as_well() -> None:
    names = [f"db{number}" for number in range(100)]
    memories = [acting(name, CANCELLED.model_copy(update={"database": name})) for name in names]
    assert set(recalled(memories, databases=names[:70], effects=100)) == set(names[:70])


def test_of_many_rules_those_come_first_whose_tables_are_named() -> None:
    others = [acting(f"r{n}", CANCELLED.model_copy(update={"table": f"t{n}"})) for n in range(50)]
    wanted = acting("wanted", CANCELLED.model_copy(update={"table": "tractors"}))
    found = recalled([*others, wanted])
    assert (found[0], len(found)) == ("wanted", RecallSettings().effects)


@pytest.mark.parametrize("make", [lambda **c: rule("r", "Tractors", **c), lambda **c: acting("r", CANCELLED, **c)])  # fmt: skip
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, True),
        ({"tags": ("candidate",)}, True),
        ({"tags": ("trusted",)}, True),
        ({"tags": ("retired",)}, False),
        ({"tags": ("trusted", "quarantined")}, False),
        ({"provenance": {"source": "external"}}, False),
        ({"provenance": {"source": "evaluator"}}, True),
        ({"provenance": {"source": "external"}, "tags": ("reviewed",)}, True),
        ({"confidence": 0.4}, True),
        ({"applies_when": "intent == 'aggregation' AND database == 'shop'"}, True),
        ({"applies_when": "intent == 'definition'"}, False),
        ({"applies_when": "tractors matter"}, False),
    ],
)
def test_only_what_is_stood_behind_and_applies_is_recalled(make, changes, found: bool) -> None:
    assert recalled([make(**changes)]) == (["r"] if found else [])


def test_a_word_of_a_rule_is_recalled_only_where_it_is_said() -> None:
    off = ValueMapping(
        database="shop", table="orders", column="status", spoken="called off", value="x"
    )
    assert recalled([acting("off", off)], "How many orders were called off?") == ["off"]
    assert recalled([acting("off", off)], "How many orders were called?") == []


def test_what_has_helped_comes_before_what_has_not() -> None:
    credit = MemoryCredit()
    credit.vote(["good"], +1)
    credit.vote(["good"], +1)
    credit.vote(["bad"], -1)
    memories = [rule("bad", "Tractors"), rule("unknown", "Tractors"), rule("good", "Tractors")]
    assert recalled(memories, credit=credit) == ["good", "unknown", "bad"]


def test_what_takes_back_something_is_no_preference() -> None:
    note = example_memory(payload={"key": "tractors", "value": "forget"}, tags=("retraction",))
    assert recalled([note]) == []


def test_no_more_than_the_best_are_recalled() -> None:
    memories = [rule(f"r{n}", "Tractors " + "and boats " * n) for n in range(30)]
    assert recalled(memories) == [f"r{n}" for n in range(RecallSettings().lessons)]
