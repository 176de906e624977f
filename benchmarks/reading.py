"""Whether passages answer a question, and whether it is said when none does; how sure the built-in reader is.

Handbooks are made of facts, so that each question is also asked where nothing answers it. With `--data DIR`, the questions of
`ir/covidqa` are asked of half of its articles, and those of cranfield and banking77, which no passage there answers; the weights of
the reader are fitted to all of these, each question is judged by weights that were fitted without it, and `--write` keeps those of all. Nothing
is fitted to the documents that people wrote.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from benchmarks._reading.collections import passages_of, questions_of
from benchmarks._reading.fitting import cross_validated, fitted, write
from benchmarks._reading.handbooks import handbooks
from benchmarks._reading.judging import Judged, judged, text_of
from benchmarks._reading.passages import MemoryPassages
from benchmarks._reading.written import WRITTEN, written
from oldhand.agent.reading.belief import ANSWER_FROM

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks" / "reading.md"
_ASKED = 600
_FOREIGN = 150
_MARK, _END = "<!-- table -->", "<!-- end -->"
_COVID, _HANDBOOKS = "covidqa, half of the articles", "generated handbooks"
_CRANFIELD, _BANKING = "cranfield, asked of covidqa", "banking77, asked of covidqa"
_WEIGHS = {_HANDBOOKS: 1.5, _COVID: 1.0, _CRANFIELD: 0.2, _BANKING: 0.2}
"""How much each set counts when weights are fitted."""


def run(data: Path | None, *, keep: bool = False) -> None:
    """Print how many answers are right, and how many questions are answered that nothing answers."""
    sets: dict[str, Sequence[Judged]] = {_HANDBOOKS: list(_of_handbooks(seed=2))}
    if data is not None:
        sets |= _public(data / "ir")
    made: dict[str, Sequence[Judged]] = {
        f"written by hand: {name}": written(name) for name in WRITTEN
    }
    if data is None:
        print("\n".join(_table(sets | made)))
        return
    weights = fitted(sets, _WEIGHS)
    anew = {name: [one.by(weights) for one in held] for name, held in made.items()}
    table = "\n".join(_table({**cross_validated(sets, _WEIGHS), **anew}))
    print(f"{table}\n\n`{weights}`")
    if keep:
        write(weights)
        before, _, rest = PAGE.read_text("utf-8").partition(_MARK)
        PAGE.write_text(f"{before}{_MARK}\n{table}\n{_END}{rest.partition(_END)[2]}", "utf-8")


def _public(folder: Path) -> Mapping[str, Sequence[Judged]]:
    held, kept = passages_of(folder / "covidqa", 0.5, Random(2))
    return {
        _COVID: list(_of(held, folder / "covidqa", kept, _ASKED)),
        _CRANFIELD: list(_of(held, folder / "cranfield", frozenset(), _FOREIGN)),
        _BANKING: list(_of(held, folder / "banking77", frozenset(), _FOREIGN)),
    }


def _of_handbooks(seed: int) -> Iterator[Judged]:
    for handbook in handbooks(24, seed):
        for question, gold in handbook.questions:
            yield judged(
                question,
                handbook.passages,
                answerable=bool(gold),
                is_right=lambda said, gold=gold: gold in text_of(said),
            )


def _of(held: MemoryPassages, folder: Path, kept: frozenset[str], most: int) -> Iterator[Judged]:
    for question, relevant in Random(4).sample(list(questions_of(folder, kept)), most):
        yield judged(
            question,
            held,
            answerable=bool(relevant),
            is_right=lambda said, relevant=relevant: (
                not relevant.isdisjoint({one.found.passage.chunk for one in said})
            ),
        )


def _table(sets: Mapping[str, Sequence[Judged]]) -> Iterator[str]:
    yield "| questions | asked | answerable | answered | right among answered | right among answerable | answered, though nothing answers |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name, held in sets.items():
        answered = [one for one in held if one.sure >= ANSWER_FROM]
        able = sum(one.answerable for one in held)
        right = sum(one.right for one in answered)
        wrongly = sum(not one.answerable for one in answered)
        among = f"{right / len(answered):.1%}" if answered else "-"
        share = f"{right / able:.1%}" if able else "-"
        yield f"| {name} | {len(held)} | {able} | {len(answered)} | {among} | {share} | {wrongly} of {len(held) - able} |"
