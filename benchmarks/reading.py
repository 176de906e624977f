"""Whether passages answer a question, and whether it is said when none does; how sure the built-in reader is.

Handbooks are made of facts, so that each question is also asked where nothing answers it. With `--data DIR`, the questions of
`ir/covidqa` are asked of half of its articles, and those of cranfield and banking77, which no passage there answers.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks._reading.collections import passages_of, questions_of
from benchmarks._reading.handbooks import handbooks
from oldhand.agent.reading.belief import ANSWER_FROM, belief
from oldhand.agent.reading.extracting import extracted
from oldhand.testing.passages import MemoryPassages

_ASKED = 300
_FOREIGN = 150


class _Judged(NamedTuple):
    answerable: bool
    right: bool
    sure: float


def run(data: Path | None) -> None:
    """Print how many answers are right, and how many questions are answered that nothing answers."""
    print("| questions | asked | answerable | answered | right among answered | right among answerable | answered, though nothing answers |")  # fmt: skip
    print("|---|---:|---:|---:|---:|---:|---:|")
    _report("generated handbooks", list(_of_handbooks(seed=2)))
    if data is None:
        return
    folder = data / "ir"
    held, kept = passages_of(folder / "covidqa", 0.5, Random(2))
    _report("covidqa, half of the articles", list(_of(held, folder / "covidqa", kept, _ASKED)))
    for name in ("cranfield", "banking77"):
        _report(f"{name}, asked of covidqa", list(_of(held, folder / name, frozenset(), _FOREIGN)))


def _of_handbooks(seed: int) -> Iterator[_Judged]:
    for handbook in handbooks(24, seed):
        for question, gold in handbook.questions:
            extract = extracted(question, handbook.passages.find(question, "ana", True))
            text = " ".join(one.text for one in extract.sentences) if extract else ""
            yield _Judged(bool(gold), bool(gold) and gold in text, belief(extract))


def _of(held: MemoryPassages, folder: Path, kept: frozenset[str], most: int) -> Iterator[_Judged]:
    for question, relevant in Random(4).sample(list(questions_of(folder, kept)), most):
        extract = extracted(question, held.find(question, "ana", True))
        chunks = {one.found.passage.chunk for one in extract.sentences} if extract else set[str]()
        yield _Judged(bool(relevant), not relevant.isdisjoint(chunks), belief(extract))


def _report(name: str, judged: list[_Judged]) -> None:
    answered = [one for one in judged if one.sure >= ANSWER_FROM]
    able = sum(one.answerable for one in judged)
    right = sum(one.right for one in answered)
    wrongly = sum(not one.answerable for one in answered)
    among = f"{right / len(answered):.1%}" if answered else "-"
    share = f"{right / able:.1%}" if able else "-"
    others = len(judged) - able
    print(f"| {name} | {len(judged)} | {able} | {len(answered)} | {among} | {share} | {wrongly} of {others} |")  # fmt: skip
