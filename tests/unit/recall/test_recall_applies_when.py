"""When a lesson applies: what is read, what it means, and what is refused where."""

import pytest

from oldhand.errors import InvalidCondition
from oldhand.learning.recall import applies, condition_of, fault_in_condition, read_condition
from oldhand.record.memory import MemoryType
from oldhand.record.situation import Situation
from oldhand.testing.records import example_memory

HERE = Situation(
    intent="explanation",
    tools=frozenset({"sql_db_query", "python"}),
    databases=frozenset({"shop"}),
    complexity=0.25,
)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("intent == 'explanation' AND complexity < 0.3", True),
        ("intent == 'explanation' AND complexity < 0.2", False),
        ('intent == "explanation"', True),
        ("intent != 'explanation'", False),
        ("intent == 'Explanation'", False),
        ("intent IN ('definition', 'explanation')", True),
        ("intent NOT IN ('definition', 'explanation')", False),
        ("tool == 'python'", True),
        ("tool == 'code_executor'", False),
        ("tool != 'python'", False),
        ("tool != 'code_executor'", True),
        ("tool IN ('x', 'python')", True),
        ("tool NOT IN ('x', 'python')", False),
        ("database == 'shop'", True),
        ("database IN ('crm')", False),
        ("complexity == .25", True),
        ("complexity != 0.25", False),
        ("complexity <= 0.25 AND complexity >= 0.25", True),
        ("complexity > 0.25", False),
        ("complexity > -1", True),
        ("complexity IN (0.1, 0.25)", True),
        ("NOT complexity > 0.5", True),
        ("not not intent == 'explanation'", True),
        # NOT binds closer than AND, and AND closer than OR.
        ("intent == 'x' AND intent == 'y' OR database == 'shop'", True),
        ("intent == 'x' AND (intent == 'y' OR database == 'shop')", False),
        ("database == 'shop' OR intent == 'x' AND intent == 'y'", True),
        ("NOT intent == 'x' AND intent == 'y'", False),
        ("NOT (intent == 'x' AND intent == 'y')", True),
        ("NOT intent == 'explanation' OR database == 'shop'", True),
        ("intent=='explanation'and(complexity<1)", True),
        ("  intent  ==\n'explanation'\t", True),
        ("intent == 'it''s'", False),
        ("intent == ''", False),
    ],
)
def test_a_condition_holds_or_does_not(text: str, holds: bool) -> None:
    assert read_condition(text).holds(HERE) is holds


def test_quotes_are_doubled_inside_of_texts() -> None:
    assert read_condition("intent == 'it''s'").holds(Situation(intent="it's"))


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("   ", 0),
        ("when it rains", 0),
        ("mood == 'good'", 0),
        ("Intent == 'x'", 0),
        ("intent", 6),
        ("intent = 'x'", 7),
        ("intent == explanation", 10),
        ("intent == 'x", 10),
        ("intent == 0.3", 10),
        ("intent < 'x'", 7),
        ("complexity == 'high'", 14),
        ("complexity < 0.3.4", 13),
        ("complexity < 3e5", 13),
        ("complexity < nan", 13),
        ("complexity 0.3", 11),
        ("intent == 'x' AND", 17),
        ("intent == 'x' 'y'", 14),
        ("intent == 'x' && complexity < 1", 14),
        ("(intent == 'x'", 14),
        ("intent == 'x')", 13),
        ("intent IN ()", 11),
        ("intent IN 'x'", 10),
        ("intent IN ('x',)", 15),
        ("intent NOT 'x'", 11),
        ("NOT", 3),
        ("0.3 < complexity", 0),
        ("intent == 'x'; DROP TABLE memories", 13),
        ("__import__('os')", 0),
        ("intent.__class__ == 'x'", 6),
        ("intent == 'x' OR 1 == 1", 17),
        ("🦦", 0),
        ("intent == 'x' \x00", 14),
        ("NOT " * 60 + "intent == 'x'", 204),
        ("(" * 60 + "intent == 'x'" + ")" * 60, 51),
        ("(" * 10_000, 51),
        ("NOT " * 2_500, 204),
        ("intent == 'x' OR " * 2_000, 20_000),
    ],
)  # fmt: skip
def test_what_is_no_condition_is_refused_with_its_position(text: str, position: int) -> None:
    with pytest.raises(InvalidCondition) as caught:
        read_condition(text)
    assert caught.value.position == position
    assert str(caught.value).startswith(f"At character {position + 1:}: ")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("joined", [" OR ", " AND "])
def test_ten_thousand_characters_are_read(joined: str) -> None:
    text = joined.join(["complexity < 0.3"] * (10_000 // len("complexity < 0.3" + joined)))
    assert read_condition(text).holds(HERE)
    many = ", ".join(f"'{number}'" for number in range(1_500))
    assert not read_condition(f"intent IN ({many})").holds(HERE)


def rule(applies_when: str | None):
    payload = {"rule": "Answer in one sentence.", "applies_when": applies_when}
    return example_memory(kind=MemoryType.SEMANTIC, payload=payload)


def test_a_lesson_without_a_condition_always_applies() -> None:
    for said in (None, "", "  "):
        assert applies(rule(said), HERE)
        assert (condition_of(rule(said)), fault_in_condition(rule(said))) == (None, None)


def test_a_lesson_whose_condition_cannot_be_read_never_applies() -> None:
    broken = rule("when it rains")
    assert not applies(broken, HERE)
    fault = fault_in_condition(broken)
    assert isinstance(fault, InvalidCondition)
    assert fault.position == 0


@pytest.mark.parametrize("kind", [MemoryType.CHECKLIST, MemoryType.BUG_FIX, MemoryType.PREFERENCE])
@pytest.mark.parametrize(("said", "holds"), [("complexity < 1", True), ("complexity > 1", False), (7, False), (["x"], False)])  # fmt: skip
def test_lessons_of_other_types_may_have_a_condition_too(
    kind: MemoryType, said: object, holds: bool
) -> None:
    plain = example_memory(kind=kind)
    fields = {**plain.payload.model_dump(), "applies_when": said}
    assert applies(example_memory(kind=kind, payload=fields), HERE) is holds
