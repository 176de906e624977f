"""How far confidences can be trusted, by the road on which an answer came about."""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks._data import text2sql
from benchmarks._harm import public
from benchmarks._harm.cases import Kind
from benchmarks._harm.trial import tried
from benchmarks._reading.handbooks import handbooks
from benchmarks._reading.judging import judged, text_of
from benchmarks._reading.written import WRITTEN, written
from benchmarks._ruled import asked_with_rules
from benchmarks._spider_data import Question, SpiderDatabase, load, same_answer
from benchmarks._stream.page import put_tables
from benchmarks._stream.reader import TODAY
from benchmarks.followups import asked
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.agent.reading.belief import ANSWER_FROM
from oldhand.query.compiling.compile import compile_query

RULE = """Answers over databases of `spider_dev`, and over documents that people wrote, on which nothing was fitted: confidence against how often they were right. ECE is the
mean distance in ten bins; by chance: what a perfect confidence of these values would show on so many answers. AUROC: how often a right answer is believed more than a wrong one. Of the last
two columns the first is the ECE on each half of the databases, the second what it would be with a curve that was fitted to the other half."""
EVERY = 4
"""One in so many databases for what takes longer."""
BINS = 10
HANDBOOKS, SEED = 12, 9
"""Handbooks made of facts, others than those to which the reader was fitted."""
_STEPS, _RATE, _EDGE = 300, 1.5, 1e-3


class Believed(NamedTuple):
    """One answer."""

    place: str
    """The database or the document that it is about."""
    confidence: float
    right: bool


Road = Callable[[], Iterator[Believed]]


def run(data: Path | None, *, write: bool = False) -> None:
    """Print one row for each road, then the bins of each."""
    print(RULE + "\n", flush=True)
    folder = text2sql(data, "spider_dev")
    if folder is None:
        print("Spider's questions are read from `--data DIR` (with `spider_dev/` in it).")
        return
    table = report({road: list(taken()) for road, taken in roads(folder).items()})
    print(table)
    if write:
        put_tables("calibration.md", table)


def roads(folder: Path, every: int = EVERY) -> dict[str, Road]:
    """How answers come about, each with what gives them."""
    questions, databases = load(folder)
    names = sorted(databases)[every // 2 :: every]
    few = [one for one in questions if one.database in names]
    return {
        "in the questions' own words": lambda: read(questions, databases, synonyms=False),
        "in other words": lambda: read(questions, databases, synonyms=True),
        "follow-ups": lambda: follow_up_answers(few, databases, names),
        "after one correction": lambda: after_correction(few, databases, names),
        "by a rule that was stated": lambda: by_rules(databases),
        "from documents": from_documents,
    }


def read(
    questions: Sequence[Question], databases: dict[str, SpiderDatabase], *, synonyms: bool
) -> Iterator[Believed]:
    """Questions that stand alone."""
    for one in questions:
        database, text = databases[one.database], one.synonyms if synonyms else one.text
        if not text or (synonyms and text == one.text):
            continue
        schemas = (database.schema,)
        reading = QuestionReader(schemas, database.values, TODAY).read(text)
        if reading.answers:
            rows = database.rows(compile_query(reading.queries[0], schemas, "sqlite"))
            right = same_answer(one.gold, database.rows(one.gold) or [], rows)
            yield Believed(one.database, reading.confidence, right)


def follow_up_answers(
    questions: Sequence[Question], databases: dict[str, SpiderDatabase], names: Sequence[str]
) -> Iterator[Believed]:
    """What leans on the question before it, be that answered rightly or not."""
    for name in names:
        for one in asked(questions, databases[name], after_wrong=True):
            if one.answered:
                yield Believed(name, one.confidence, one.right)


def after_correction(
    questions: Sequence[Question], databases: dict[str, SpiderDatabase], names: Sequence[str]
) -> Iterator[Believed]:
    """What is asked after one correction, in its words, in others, and about other things."""
    for one in tried(public.cases(questions, databases, names)):
        if one.probe.kind is not Kind.OPPOSITE and one.after.sql is not None:
            yield Believed(one.case.database.name, one.after.confidence, one.after.right)


def by_rules(databases: dict[str, SpiderDatabase]) -> Iterator[Believed]:
    """What is asked by the name of a rule."""
    for name in sorted(databases):
        database = databases[name]
        for schema, question, gold in asked_with_rules(database):
            reading = QuestionReader((schema,), database.values, TODAY).read(question)
            if reading.answers:
                rows = database.rows(compile_query(reading.queries[0], (schema,), "sqlite"))
                right = same_answer(gold, database.rows(gold) or [], rows)
                yield Believed(name, reading.confidence, right)


def from_documents() -> Iterator[Believed]:
    """What passages of documents answer, and what they only seem to."""
    for name in WRITTEN:
        for one in written(name):
            if one.sure >= ANSWER_FROM:
                yield Believed(name, one.sure, one.right)
    for number, handbook in enumerate(handbooks(HANDBOOKS, SEED)):
        for question, gold in handbook.questions:
            one = judged(question, handbook.passages, answerable=bool(gold), is_right=lambda said, gold=gold: gold in text_of(said))  # fmt: skip
            if one.sure >= ANSWER_FROM:
                yield Believed(f"handbook {number}", one.sure, one.right)


def bins(found: Sequence[Believed]) -> list[list[Believed]]:
    """Answers by tenths of confidence; empty ones are left out."""
    parts: dict[int, list[Believed]] = {}
    for one in found:
        parts.setdefault(min(int(BINS * one.confidence), BINS - 1), []).append(one)
    return [parts[key] for key in sorted(parts)]


def error(found: Sequence[Believed]) -> float:
    """The expected calibration error."""
    apart = (abs(sum(one.confidence for one in part) - sum(one.right for one in part)) for part in bins(found))  # fmt: skip
    return sum(apart) / max(len(found), 1)


def by_chance(found: Sequence[Believed]) -> float:
    """About what the error would be if each confidence were true: the mean distance of a binomial share from its chance."""
    spread = (sum(one.confidence * (1 - one.confidence) for one in part) for part in bins(found))
    return sum((2 * variance / math.pi) ** 0.5 for variance in spread) / max(len(found), 1)


def auroc(found: Sequence[Believed]) -> float:
    """The chance that a right answer is believed more than a wrong one; ties count half."""
    right = [one.confidence for one in found if one.right]
    wrong = [one.confidence for one in found if not one.right]
    above = sum((r > w) + (r == w) / 2 for r in right for w in wrong)
    return above / max(len(right) * len(wrong), 1)


def curve(found: Sequence[Believed]) -> Callable[[float], float]:
    """The monotone curve, a line of log odds, that fits some answers best."""
    slope, shift = 1.0, 0.0
    odds = [(_odds(one.confidence), one.right) for one in found]
    for _ in range(_STEPS):
        off = [(1 / (1 + math.exp(-(slope * at + shift))) - right, at) for at, right in odds]
        slope -= _RATE * sum(by * at for by, at in off) / len(odds)
        shift -= _RATE * sum(by for by, _ in off) / len(odds)
    return lambda sure: 1 / (1 + math.exp(-(max(slope, 0.0) * _odds(sure) + shift)))


def _odds(sure: float) -> float:
    kept = min(max(sure, _EDGE), 1 - _EDGE)
    return math.log(kept / (1 - kept))


def halves(found: Sequence[Believed]) -> tuple[str, str]:
    """The error on each half of the places, as it is and by the curve of the other half."""
    places = sorted({one.place for one in found})
    parts = [[one for one in found if one.place in places[at::2]] for at in (0, 1)]
    if not all(parts):
        return "-", "-"
    bent: list[list[Believed]] = []
    for fitted, shown in (parts, parts[::-1]):
        bend = curve(fitted)
        bent.append([one._replace(confidence=bend(one.confidence)) for one in shown])
    plain = ", ".join(f"{error(one):.3f}" for one in parts[::-1])
    return plain, ", ".join(f"{error(one):.3f}" for one in bent)


def report(found: dict[str, list[Believed]]) -> str:
    """The tables."""
    lines = [
        "| road | answers | right | mean confidence | ECE | by chance | AUROC | halves | by a curve |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_row(road, answers) for road, answers in found.items()),
    ]
    for road, answers in found.items():
        lines.append(f"\n### {road}\n\n| confidence | answers | mean | right |\n|---|---|---|---|")
        for bin_ in bins(answers):
            mean, right = (
                _mean([one.confidence for one in bin_]),
                _mean([one.right for one in bin_]),
            )
            low, high = (end(one.confidence for one in bin_) for end in (min, max))
            lines.append(f"| {low:.2f} to {high:.2f} | {len(bin_)} | {mean:.2f} | {right:.2f} |")
    return "\n".join(lines)


def _row(road: str, found: list[Believed]) -> str:
    right, mean = _mean([one.right for one in found]), _mean([one.confidence for one in found])
    measured = f"{error(found):.3f} | {by_chance(found):.3f} | {auroc(found):.3f}"
    return f"| {road} | {len(found)} | {right:.3f} | {mean:.3f} | {measured} | {' | '.join(halves(found))} |"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(len(values), 1)
