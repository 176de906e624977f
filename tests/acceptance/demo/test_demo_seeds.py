"""Ten seeds: ten companies, eight questions each, all answered right, offline."""

from pathlib import Path

import pytest

from oldhand.demo.asking import JudgedAnswer, ask_all
from oldhand.demo.home import make_home
from oldhand.demo.questions import QuestionKind, make_questions
from oldhand.face import AsyncOldhand
from oldhand.sources.databases.embedded import embedded_url

SEEDS = range(1, 11)


def complaint(judged: JudgedAnswer) -> str:
    said = judged.answer.text if judged.answer else judged.error
    return f"{judged.question.text} → {said} (right: {judged.question.expected.shown})"


@pytest.mark.parametrize("seed", SEEDS)
async def test_all_eight_questions_of_a_seed_are_answered_right(
    seed: int, tmp_path: Path, cluster: Path
) -> None:
    made = make_home(tmp_path / "home", seed, embedded_url(cluster, f"demo_seed_{seed}"))
    async with AsyncOldhand(made.path) as old:
        made.register(old.databases)
        judged = [each async for each in ask_all(old, make_questions(made.company))]
    assert [complaint(each) for each in judged if not each.correct] == []
    assert len(judged) == 8
    repaired = next(each for each in judged if each.question.kind is QuestionKind.REPAIR)
    assert max(step.attempts for step in repaired.steps) > 1
    across = next(each for each in judged if each.question.kind is QuestionKind.CROSS)
    assert len({step.database for step in across.steps}) > 1
