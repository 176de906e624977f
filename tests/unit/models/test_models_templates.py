from pathlib import Path

import pytest

from oldhand.errors import PromptError
from oldhand.models.templates import Prompts, PromptTemplate, shipped_names


def test_the_prompts_go_by_their_published_names() -> None:
    assert shipped_names() == (
        "analyze_error",
        "answer_directly",
        "create_plan",
        "decide_answer",
        "generate_sql",
        "summarize_results",
        "validate_question",
        "write_directly",
    )


def test_data_with_a_placeholder_in_it_is_neither_refused_nor_filled() -> None:
    template = PromptTemplate("t", "${a}", "${b}")
    system, user = template.fill({"a": "${b} costs $5 ${", "b": "${a}${unknown}"})
    assert system.content == "${b} costs $5 ${"
    assert user.content == "${a}${unknown}"


@pytest.mark.parametrize("left", ["${c}", "${}", "${a b}", "${a", "${ a }"])
def test_a_placeholder_that_nothing_fills_is_an_error(left: str) -> None:
    with pytest.raises(PromptError, match="nothing is known that fills"):
        PromptTemplate("t", "${a}", left).fill({"a": "1"})


def test_an_empty_value_leaves_no_gap_where_it_had_a_line_of_its_own() -> None:
    template = PromptTemplate("t", "", "${a}\n\n${b}\n${c}\n\nAnd ${a}.")
    assert template.fill({"a": "", "b": "B\n\n\nb", "c": ""})[1].content == "B\n\n\nb\nAnd ."


def test_a_lone_dollar_sign_is_only_a_dollar_sign() -> None:
    assert PromptTemplate("t", "", "$5 {a} $a").fill({})[1].content == "$5 {a} $a"


def test_a_file_of_the_user_wins_file_by_file(tmp_path: Path) -> None:
    own = tmp_path / "create_plan.yaml"
    own.write_text("system_prompt: Plan well.\nuser_prompt: '${question}'\n", "utf-8")
    prompts = Prompts(tmp_path)
    assert prompts["create_plan"].system_prompt == "Plan well."
    assert prompts["generate_sql"] == Prompts()["generate_sql"]


def test_an_edit_of_the_users_file_counts_at_once(tmp_path: Path) -> None:
    own = tmp_path / "create_plan.yaml"
    prompts = Prompts(tmp_path)
    for text in ("first", "second"):
        own.write_text(f"system_prompt: {text}\nuser_prompt: ask\n", "utf-8")
        assert prompts["create_plan"].system_prompt == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a list",
        "system_prompt: [",
        "system_prompt: only this",
        "system_prompt: a\nuser_prompt: ''",
        "system_prompt: 1\nuser_prompt: b",
        "system_prompt: a\nuser_prompt: b\nuser_promt: c",
    ],
)
def test_a_broken_file_of_the_user_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "create_plan.yaml").write_text(text, "utf-8")
    with pytest.raises(PromptError, match=r"create_plan\.yaml"):
        Prompts(tmp_path)["create_plan"]


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "create_plan.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PromptError, match=r"create_plan\.yaml"):
        Prompts(tmp_path)["create_plan"]


def test_an_unknown_prompt_is_an_error() -> None:
    with pytest.raises(PromptError, match="no prompt 'create_plans'"):
        Prompts()["create_plans"]
