"""How long understanding a question takes, stage by stage, over schemas of different sizes."""

import gc
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from statistics import median, quantiles
from typing import TypeVar

from benchmarks._generated_company import Company, company
from oldhand.agent.analyst import understand
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.beam import drafts
from oldhand.agent.analyst.candidates.ranking import learned
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.ranked import ranked
from oldhand.agent.analyst.understanding import LIMIT
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.tokens import tokenise
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.compiling.tree import to_tree
from oldhand.query.describing.describing import describe
from oldhand.sources.databases.values import ValueMatch, Values

TODAY = date(2024, 6, 1)
SIZES = (5, 20, 60)
ROUNDS = 3
"""Times that each question is asked; the fastest counts, since other programs disturb it."""

Made = TypeVar("Made")


class TimedValues:
    """Another index of values, with the time spent in it."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self.seconds = 0.0

    def exact(self, phrases: Sequence[str]) -> tuple[ValueMatch, ...]:
        """As `Values.exact`."""
        return self._timed(lambda: self._values.exact(phrases))

    def containing(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """As `Values.containing`."""
        return self._timed(lambda: self._values.containing(phrase, limit))

    def similar(self, phrase: str, limit: int = 5) -> tuple[ValueMatch, ...]:
        """As `Values.similar`."""
        return self._timed(lambda: self._values.similar(phrase, limit))

    def _timed(self, work: Callable[[], tuple[ValueMatch, ...]]) -> tuple[ValueMatch, ...]:
        began = time.thread_time()
        found = work()
        self.seconds += time.thread_time() - began
        return found


def run(data: Path | None) -> None:  # noqa: ARG001 - all is generated
    """Print one table for each size of schema."""
    print("Seconds of processor time, the collection of garbage left out.\n")
    learned()
    word_lists()
    gc.disable()
    for tables in SIZES:
        _report(tables, company(tables))
        gc.collect()
    gc.enable()


def _report(tables: int, asked: Company) -> None:
    began = time.thread_time()
    words = Vocabulary((asked.schema,))
    cold = time.thread_time() - began
    stages: dict[str, list[float]] = {}
    for question in asked.questions:
        rounds = [_stages(question, asked, words) for _ in range(ROUNDS)]
        for stage in rounds[0]:
            stages.setdefault(stage, []).append(min(times[stage] for times in rounds))
    reference = median(stages["tokenising"])
    print(f"{tables} tables, {len(asked.questions)} questions; ", end="")
    print(f"the vocabulary of the schema is made once, in {cold * 1e3:.1f} ms.\n")
    print("| stage | median, ms | 95 % within, ms | median : tokenising |\n|---|---:|---:|---:|")
    for stage, times in stages.items():
        late = quantiles(times, n=20)[-1]
        middle = median(times)
        print(f"| {stage} | {middle * 1e3:.2f} | {late * 1e3:.2f} | {middle / reference:.0f} |")
    print()


def _stages(question: str, asked: Company, words: Vocabulary) -> dict[str, float]:
    """Seconds of each stage of one question."""
    schemas, values, weights = (asked.schema,), TimedValues(asked.values), learned().weights
    tokenising, _ = _timed(lambda: tokenise(question))
    linking, links = _timed(lambda: link(question, words, values, TODAY))
    drafting, _ = _timed(lambda: drafts(Asked(links, words), weights))
    ranking, found = _timed(lambda: ranked(Asked(links, words), weights))
    best = [item.query for item in found[:LIMIT]]
    writing, _ = _timed(lambda: [(to_tree(one), describe(one, schemas)) for one in best])
    whole, _ = _timed(lambda: understand(question, schemas, asked.values, today=TODAY))
    return {
        "tokenising": tokenising,
        "linking words to the schema": linking - values.seconds,
        "looking up values": values.seconds,
        "candidates: drafts": drafting,
        "candidates: queries and their scores": ranking - drafting,
        "candidates, all": ranking,
        f"writing out {LIMIT} of them": writing,
        "understanding, all": whole,
    }


def _timed(work: Callable[[], Made]) -> tuple[float, Made]:
    began = time.thread_time()
    made = work()
    return time.thread_time() - began, made
