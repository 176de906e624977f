"""Asking the demo questions, and judging the answers."""

import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

from oldhand.demo.expected import Shown, shown
from oldhand.demo.questions import Question
from oldhand.errors import DatabaseError, ModelError, QueryRefused
from oldhand.face import AsyncOldhand
from oldhand.record.answer import Answer, QueryStep


@dataclass(frozen=True)
class JudgedAnswer:
    """A question, the answer that was given, and whether it is right."""

    question: Question
    answer: Answer | None
    """None when the question ended in an error."""
    error: str | None
    seconds: float

    @property
    def correct(self) -> bool:
        """Whether the answer is the right one."""
        return self.answer is not None and self.question.expected.accepts_answer(self.answer)

    @property
    def given(self) -> Shown:
        """The answer as one value or as rows; None when there is none."""
        return None if self.answer is None or self.answer.abstained else shown(self.answer.rows)

    @property
    def steps(self) -> tuple[QueryStep, ...]:
        """The queries that ran."""
        return self.answer.steps if self.answer else ()

    def as_object(self) -> dict[str, object]:
        """The line that `oldhand demo --json` prints."""
        return {
            "question": self.question.text,
            "answer": self.given,
            "expected": self.question.expected.shown,
            "correct": self.correct,
            "sql": ";\n".join(step.sql for step in self.steps),
            "seconds": round(self.seconds, 4),
        }


async def ask_all(old: AsyncOldhand, questions: Iterable[Question]) -> AsyncIterator[JudgedAnswer]:
    """Ask one question after the other, each in a conversation of its own; a model or database that fails is a wrong answer."""
    for question in questions:
        began = time.monotonic()
        try:
            answer = await old.ask(question.text)
        except (DatabaseError, ModelError, QueryRefused) as error:
            yield JudgedAnswer(
                question, None, f"{type(error).__name__}: {error}", time.monotonic() - began
            )
        else:
            yield JudgedAnswer(question, answer, None, answer.seconds)
