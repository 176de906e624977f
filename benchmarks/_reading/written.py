"""Documents that people wrote, beside this file, with what was asked of them before anything was tried."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, Field

from benchmarks._reading.judging import Judged, judged, text_of
from benchmarks._reading.passages import MemoryPassages

WRITTEN = ("kennels", "library")


class WrittenQuestion(BaseModel):
    """A question, and where its answer is."""

    question: str
    source: Literal["documents", "database", "both", "nowhere"] = Field(alias="from")
    says: list[str] = []
    """What the text of a right answer holds."""
    sql: str = ""
    follows: str = ""
    """The question before it, in the same conversation."""


def written(name: str) -> list[Judged]:
    """What the reader makes of the questions of one folder that documents answer, or nothing."""
    folder, held = Path(__file__).parent / name, MemoryPassages()
    for paper in sorted(folder.glob("*.md")):
        held.add(paper.stem, paper.read_text("utf-8"))
    return [
        judged(
            one.question,
            held,
            answerable=bool(one.says),
            is_right=lambda said, says=one.says: all(part in text_of(said) for part in says),
        )
        for one in questions_in(folder)
        if one.source in {"documents", "nowhere"} and not one.follows
    ]


def questions_in(folder: Path) -> Sequence[WrittenQuestion]:
    """All questions of one folder."""
    read = yaml.safe_load((folder / "questions.yaml").read_text("utf-8"))
    return [WrittenQuestion.model_validate(one) for one in read]
