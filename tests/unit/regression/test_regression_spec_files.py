"""Specs are read strictly, and written so that they are read back as they were."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import InvalidSpec
from oldhand.learning.regression import BehaviourSpec, load_spec, spec_text, specs_in
from oldhand.learning.regression.spec_files import read_spec
from oldhand.record.spec_marks import is_spec

HERE = Path("a.yaml")
SEED_SPEC = Path(__file__).with_name("seed_002_spec.txt").read_text("utf-8")
"""As it stands in the description of the format."""


def test_the_example_of_the_format_is_read_whole():
    spec = read_spec(SEED_SPEC, HERE)
    assert spec.episode_id == "7599436d-f3cc-4146-ad30-8efd3187a5ae"
    assert spec.created_at == datetime(2025, 11, 14, 1, 23, 45, tzinfo=UTC)
    assert spec.failure_type == "incorrect_model_routing"
    assert spec.input.question == "What's 2 + 2?"
    assert (spec.expected.model_used, spec.expected.cost) == ("granite-local", 0.0)
    assert spec.expected.tools_used == ()
    assert spec.expected.response_contains == ("4",)
    assert spec.actual.failure_reason == "Used expensive cloud model for trivial arithmetic"
    assert spec.fix is not None
    assert (
        spec.fix.rule_added
        == r"Route basic arithmetic (patterns: \d+\s*[+\-*/]\s*\d+) to granite-local"
    )


def test_what_is_written_is_read_back_as_it_was():
    spec = read_spec(SEED_SPEC, HERE)
    assert read_spec(spec_text(spec), HERE) == spec


@given(
    question=st.text(min_size=1),
    texts=st.lists(st.text(min_size=1), min_size=1, max_size=3),
    cells=st.lists(
        st.one_of(
            st.none(),
            st.booleans(),
            st.integers(),
            st.text(),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        max_size=3,
    ),
)
def test_any_text_and_value_survives_the_file(question, texts, cells):
    spec = BehaviourSpec.model_validate(
        {
            "episode_id": "e1",
            "created_at": datetime(2026, 1, 1, 12, 30, tzinfo=UTC),
            "failure_type": "incorrect_answer",
            "input": {"messages": [{"role": "user", "content": question}]},
            "expected": {"response_contains": texts, "rows": [cells]},
        }
    )
    assert read_spec(spec_text(spec), HERE) == spec


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("expected:", "expects:"), "line 11: the key 'expects' is not known (did you mean expected?)"),
        (("  cost: 0.0", "  cost: cheap"), "line 13: expected.cost: "),
        (("  tools_used: []", "  tools: []"), "line 14: the key 'tools' is not known"),
        (("    - role: user", "    - role: boss"), "line 8: input.messages.role: "),
        (("failure_type: incorrect_model_routing\n", ""), "line 2: 'failure_type' is missing"),
        (("created_at: 2025-11-14T01:23:45Z", "created_at: yesterday"), "line 3: created_at: "),
        (("  confidence: 0.85", "  confidence: 8.5"), "line 27: fix.confidence: "),
        (("  cost: 0.0", "  cost: 0.0\n  cost: 1"), "line 14: the key 'cost' stands here twice"),
        (("  cost: 0.0", "  cost: &a 0.0"), "line 13: anchors (&name) are not used here"),
        (("input:\n", "input: [\n"), "line "),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_line(change, message):
    broken = SEED_SPEC.replace(*change, 1)
    assert broken != SEED_SPEC
    with pytest.raises(InvalidSpec) as raised:
        read_spec(broken, HERE)
    assert message in str(raised.value)
    assert str(raised.value).startswith("a.yaml, line ")


def test_a_spec_that_expects_nothing_is_refused():
    head = SEED_SPEC[: SEED_SPEC.index("expected:")]
    with pytest.raises(InvalidSpec, match="a test without expectations proves nothing"):
        read_spec(f"{head}expected: {{response_contains: }}\n", HERE)


def test_sql_without_its_database_is_refused():
    head = SEED_SPEC[: SEED_SPEC.index("expected:")]
    with pytest.raises(InvalidSpec, match="add `database"):
        read_spec(f"{head}expected: {{sql: SELECT 1}}\n", HERE)


def test_a_conversation_must_end_with_the_user():
    broken = SEED_SPEC.replace("role: user", "role: assistant", 1)
    with pytest.raises(InvalidSpec, match="the last message must be the user's"):
        read_spec(broken, HERE)


@given(st.text())
def test_any_other_text_is_a_named_error(text):
    with pytest.raises(InvalidSpec):
        read_spec(text, HERE)


def test_other_yaml_files_are_left_alone(tmp_path):
    (tmp_path / "deployment.yaml").write_text("apiVersion: v1\nkind: Pod\ninput: 1\nexpected: 2\n")
    (tmp_path / "notes.txt").write_text(SEED_SPEC)
    (tmp_path / "broken.yaml").write_text(SEED_SPEC.replace("input:", "input: ["))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "good.yml").write_text(SEED_SPEC)
    meant = sorted(path.name for path in tmp_path.rglob("*") if is_spec(path))
    assert meant == ["broken.yaml", "good.yml"]
    assert len(specs_in(tmp_path / "sub")) == 1
    with pytest.raises(InvalidSpec, match="broken"):
        specs_in(tmp_path)


def test_a_folder_that_is_not_there_has_no_specs(tmp_path):
    assert specs_in(tmp_path / "none") == ()


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InvalidSpec, match=r"none\.yaml cannot be read"):
        load_spec(tmp_path / "none.yaml")
