"""How far confidences can be trusted, by the road on which an answer came about."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks._data import text2sql
from benchmarks._harm import public
from benchmarks._harm.cases import Kind
from benchmarks._harm.trial import tried
from benchmarks._spider_data import Question, SpiderDatabase, load, same_answer
from benchmarks._stream.reader import TODAY
from benchmarks.followups import asked
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.query.compiling.compile import compile_query

RULE = """Answers over databases of `spider_dev`, on which nothing was fitted: confidence against how often they were right. ECE is the mean distance
in ten bins; by chance: what a perfect confidence of these values would show on so many answers. AUROC: how often a right answer is believed more than a wrong one. Follow-ups come after
right answers only, while their confidence also holds that the answer before was right: it is too low here by that much."""
EVERY = 8
"""One in so many questions, and one in so many databases for what takes longer."""
BINS = 10


class Believed(NamedTuple):
    """One answer."""

    confidence: float
    right: bool


def run(data: Path | None) -> None:
    """Print one row for each road, then the bins of each."""
    print(RULE + "\n")
    folder = text2sql(data, "spider_dev")
    if folder is None:
        print("Spider's questions are read from `--data DIR` (with `spider_dev/` in it).")
        return
    questions, databases = load(folder)
    names = sorted(databases)[EVERY // 2 :: EVERY]
    few = [one for one in questions if one.database in names]
    part = questions[::EVERY]
    roads = {
        "in the questions' own words": lambda: read(part, databases, synonyms=False),
        "in other words": lambda: read(part, databases, synonyms=True),
        "follow-ups": lambda: follow_up_answers(few, databases, names),
        "after one correction": lambda: after_correction(few, databases, names),
    }
    print("| road | answers | right | mean confidence | ECE | by chance | AUROC |")
    print("|---|---|---|---|---|---|---|")
    found = {road: _row(road, list(taken())) for road, taken in roads.items()}
    _ = _row("all", [one for road in found.values() for one in road])
    for road, answers in found.items():
        print(f"\n### {road}\n\n| confidence | answers | mean | right |\n|---|---|---|---|")
        for bin_ in bins(answers):
            mean, right = (_mean([float(one[at]) for one in bin_]) for at in (0, 1))
            low, high = (end(one.confidence for one in bin_) for end in (min, max))
            print(f"| {low:.2f} to {high:.2f} | {len(bin_)} | {mean:.2f} | {right:.2f} |")


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
            yield Believed(reading.confidence, right)


def follow_up_answers(
    questions: Sequence[Question], databases: dict[str, SpiderDatabase], names: Sequence[str]
) -> Iterator[Believed]:
    """What leans on the question before it."""
    for name in names:
        for one in asked(questions, databases[name]):
            if one.answered:
                yield Believed(one.confidence, one.right)


def after_correction(
    questions: Sequence[Question], databases: dict[str, SpiderDatabase], names: Sequence[str]
) -> Iterator[Believed]:
    """What is asked after one correction, in its words, in others, and about other things."""
    for one in tried(public.cases(questions, databases, names)):
        if one.probe.kind is not Kind.OPPOSITE and one.after.sql is not None:
            yield Believed(one.after.confidence, one.after.right)


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
    return sum((2 * variance / 3.141592653589793) ** 0.5 for variance in spread) / max(
        len(found), 1
    )


def auroc(found: Sequence[Believed]) -> float:
    """The chance that a right answer is believed more than a wrong one; ties count half."""
    right = [one.confidence for one in found if one.right]
    wrong = [one.confidence for one in found if not one.right]
    above = sum((r > w) + (r == w) / 2 for r in right for w in wrong)
    return above / max(len(right) * len(wrong), 1)


def _row(road: str, found: list[Believed]) -> list[Believed]:
    right, mean = _mean([float(one.right) for one in found]), _mean([one.confidence for one in found])  # fmt: skip
    print(
        f"| {road} | {len(found)} | {right:.3f} | {mean:.3f} | {error(found):.3f} | {by_chance(found):.3f} | {auroc(found):.3f} |",
        flush=True,
    )
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(len(values), 1)
