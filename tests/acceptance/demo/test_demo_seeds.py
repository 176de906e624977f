"""Ten seeds: ten companies, thirteen questions each, all answered right, offline; `make test` looks at one here, and at two more as the command makes them."""

from pathlib import Path

import pytest

from oldhand.demo.asking import JudgedAnswer, ask_all
from oldhand.demo.home import make_home
from oldhand.demo.papers import document_questions, make_papers
from oldhand.demo.questions import QuestionKind, make_questions
from oldhand.face import AsyncOldhand
from oldhand.sources.databases.embedded import embedded_url

from .seeds import trials


def complaint(judged: JudgedAnswer) -> str:
    said = judged.answer.text if judged.answer else judged.error
    return f"{judged.question.text} → {said} (right: {judged.question.expected.shown})"


@pytest.mark.parametrize("seed", [1, *trials(2, 3, 4, 5, 6, 7, 8, 9, 10)])
async def test_all_questions_of_a_seed_are_answered_right(
    seed: int, tmp_path: Path, cluster: Path
) -> None:
    made = make_home(tmp_path / "home", seed, embedded_url(cluster, f"demo_seed_{seed}"))
    async with AsyncOldhand(made.path) as old:
        made.register(old.databases)
        await old.documents.add(make_papers(made.company).write(made.path / "papers"))
        questions = (*make_questions(made.company), *document_questions(made.company))
        judged = [each async for each in ask_all(old, questions)]
    assert [complaint(each) for each in judged if not each.correct] == []
    assert len(judged) == 13
    repaired = next(each for each in judged if each.question.kind is QuestionKind.REPAIR)
    assert max(step.attempts for step in repaired.steps) > 1
    across = next(each for each in judged if each.question.kind is QuestionKind.CROSS)
    assert len({step.database for step in across.steps}) > 1
