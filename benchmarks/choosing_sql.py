"""How well the right one is chosen of several statements, and how far the confidence can be trusted.

python -m benchmarks choosing_sql --data DIR
python -m benchmarks.choosing_sql --data DIR --write      trains the weights that ship, on all of it

The statements are those that five systems wrote for Spider's questions (recorded), and the built-in analyst's. Product and
benchmark choose with the same code. Weights are trained without the database that they are tried on.
"""

import argparse
import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from benchmarks._data import text2sql
from benchmarks._spider_data import Question, SpiderDatabase, load
from oldhand.agent import deliberation
from oldhand.agent.analyst import understand
from oldhand.agent.analyst.candidates.ranking import Weights, score, shares
from oldhand.agent.deliberation.candidates import (
    ResultShape,
    RowsCandidate,
    StatementShape,
    grouped,
)
from oldhand.agent.deliberation.choosing import choose, features, signals_of
from oldhand.learning.regression import same_rows
from oldhand.learning.regression.rows import sorts
from oldhand.query.compiling.compile import compile_query
from oldhand.record.base import Row
from oldhand.sources.databases.near_values import near_misses

TODAY = date(2024, 6, 1)
ANALYST = "analyst"
ZERO_SHOT = "GPT4_zero_shot"
SURE = 0.9
STEPS = 400
RATE = 0.3
PULL = 1e-2
RULE = """A statement counts as right when its rows are those of the gold query, in any order of columns; the order of rows counts
where the gold query sorts. Each database is left out in turn, weights and rightness of the systems are learned on the others."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Recorded:
    """One question with the candidates for its answer."""

    question: Question
    candidates: tuple[RowsCandidate, ...]
    right: frozenset[str]
    """The voices whose statement is right."""

    def only(
        self, voices: Sequence[str], rightness: Mapping[str, float]
    ) -> tuple[RowsCandidate, ...]:
        """The candidates of some voices, each with how often it was right elsewhere."""
        kept = (one for one in self.candidates if one.voice in voices)
        return tuple(
            one if one.sure is not None else replace(one, rightness=rightness[one.voice])
            for one in kept
        )


@dataclass(frozen=True)
class Case:
    """The groups of one question's candidates, to learn from."""

    features: list[dict[str, float]]
    right: list[bool]


@dataclass(frozen=True)
class Tried:
    """What was chosen for one question."""

    right: bool
    confidence: float


def run(data: Path | None) -> None:
    """Print the table."""
    questions = text2sql(data, "spider_dev")
    recordings = text2sql(data, "recorded_llm_spider_dev")
    if questions is None or recordings is None:
        print("The recorded statements are read from `--data DIR` (with `spider_dev/` in it).")
        return
    made = list(recorded(questions, recordings))
    print(RULE + "\n")
    _single(made)
    _report(made)


def recorded(folder: Path, recordings: Path) -> Iterator[Recorded]:
    """All questions with the rows of each statement."""
    questions, databases = load(folder)
    said = _statements(recordings)
    for question in questions:
        database = databases[question.database]
        wanted = cast("list[Row]", database.rows(question.gold) or [])
        ordered = sorts(question.gold)
        written = said[question.database, " ".join(question.text.split())]
        candidates = [_candidate(*one, database) for one in written.items()]
        found = tuple(one for one in (*candidates, _analyst(question, database)) if one is not None)
        right = (one.voice for one in found if same_rows(wanted, one.rows, ordered=ordered))
        yield Recorded(question, found, frozenset(right))


def _statements(folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    said: dict[tuple[str, str], dict[str, str]] = {}
    for file in sorted(folder.glob("*.csv")):
        family, _, name = file.stem.partition("__")
        voice = name if name.startswith(family[:4]) else f"{family.split('_')[0]}_{name}"
        with file.open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                key = row["DATABASE"].strip(), " ".join(row["NLQ"].split())
                said.setdefault(key, {})[voice] = row["PREDICTED SQL"]
    return said


def _candidate(voice: str, sql: str, database: SpiderDatabase) -> RowsCandidate | None:
    rows = database.rows(sql)
    absent = bool(near_misses(sql, database.schema, database.values))
    if rows is None:
        return None
    found, statement = cast("list[Row]", rows), StatementShape.of(sql, "sqlite")
    return RowsCandidate(voice, found, ResultShape.of(found), statement, absent=absent)


def _analyst(question: Question, database: SpiderDatabase) -> RowsCandidate | None:
    found = understand(question.text, (database.schema,), database.values, today=TODAY)
    if not found.candidates:
        return None
    sql = compile_query(found.candidates[0].query, (database.schema,), "sqlite")
    candidate = _candidate(ANALYST, sql, database)
    return candidate and replace(candidate, sure=found.confidence)


def ensembles(made: Sequence[Recorded]) -> list[tuple[str, ...]]:
    """Voices that are asked together: each system alone, three, and all; each time with the analyst."""
    systems = sorted({one.voice for it in made for one in it.candidates} - {ANALYST})
    alone = [(system, ANALYST) for system in systems]
    return [*alone, (*systems[-3:], ANALYST), (*systems, ANALYST)]


def trained(made: Sequence[Recorded]) -> Weights:
    """Weights for the choice (softmax over the groups of a question), and a logistic model for the confidence."""
    rightness = rightness_of(made)
    cases: list[Case] = []
    for voices in ensembles(made):
        for one in made:
            several = one.only(voices, rightness)
            groups = grouped(several)
            right = [group.spokesman.voice in one.right for group in groups]
            if groups:
                found = [features(group, several) for group in groups]
                cases.append(Case(found, right))
    names = sorted(cases[0].features[0])
    weights = _softmax(cases, names)
    chosen = [_best(case, weights) for case in cases]
    calibration = _logistic([one[0] for one in chosen], [one[1] for one in chosen])
    note = (
        f"Trained by benchmarks/choosing_sql.py on {len(made)} questions of Spider with recorded statements of five systems and the "
        f"built-in analyst's, each system alone, three and all together: softmax over groups of equal rows, {STEPS} steps of Adagrad, "
        f"rate {RATE}, pull {PULL}. The calibration is a logistic model over the signals of the chosen groups of the same questions."
    )
    return Weights(note=note, weights=weights, calibration=calibration)


def rightness_of(made: Sequence[Recorded]) -> dict[str, float]:
    """How often each system is right by itself."""
    voices = sorted({one.voice for it in made for one in it.candidates})
    return {voice: sum(voice in one.right for one in made) / len(made) for voice in voices}


def _softmax(cases: Sequence[Case], names: Sequence[str]) -> dict[str, float]:
    usable = [(c.features, c.right) for c in cases if any(c.right) and not all(c.right)]
    most = max(len(right) for _, right in usable)
    matrix = np.zeros((len(usable), most, len(names)))
    there, right = np.zeros((len(usable), most), bool), np.zeros((len(usable), most))
    for place, (found, told) in enumerate(usable):
        for row, one in enumerate(found):
            matrix[place, row] = [one[name] for name in names]
            there[place, row], right[place, row] = True, told[row]
    weights, squares = np.zeros(len(names)), np.full(len(names), 1e-3)
    for _ in range(STEPS):
        scores = np.where(there, matrix @ weights, -1e9)
        beliefs = np.exp(scores - scores.max(1, keepdims=True))
        beliefs /= beliefs.sum(1, keepdims=True)
        on_right = (beliefs * right).sum(1, keepdims=True) + 1e-12
        off = beliefs - beliefs * right / on_right
        slope = np.tensordot(off, matrix, 2) / len(usable) + PULL * weights
        squares += slope * slope
        weights -= RATE * slope / np.sqrt(squares)
    return {name: round(float(value), 4) for name, value in zip(names, weights, strict=True)}


def _best(case: Case, weights: Mapping[str, float]) -> tuple[dict[str, float], bool]:
    parts = shares(score(one, weights) for one in case.features)
    best = parts.index(max(parts))
    return signals_of(case.features[best], sorted(parts, reverse=True)), case.right[best]


def _logistic(rows: Sequence[Mapping[str, float]], right: Sequence[bool]) -> dict[str, float]:
    names = ["bias", *sorted(rows[0])]
    matrix = np.array([[{"bias": 1.0, **row}[name] for name in names] for row in rows])
    told, weights = np.array(right, float), np.zeros(len(names))
    for _ in range(25):  # Newton's method
        sure = 1 / (1 + np.exp(-matrix @ weights))
        slope = matrix.T @ (sure - told) / len(told) + 1e-3 * weights
        bend = (matrix * (sure * (1 - sure))[:, None]).T @ matrix / len(told)
        weights -= np.linalg.solve(bend + 1e-3 * np.eye(len(names)), slope)
    return {name: round(float(value), 4) for name, value in zip(names, weights, strict=True)}


def tried(made: Sequence[Recorded]) -> dict[tuple[str, ...], list[Tried]]:
    """What is chosen for each question by weights that have not seen its database, for each ensemble."""
    found: dict[tuple[str, ...], list[Tried]] = {voices: [] for voices in ensembles(made)}
    for name in sorted({one.question.database for one in made}):
        others = [one for one in made if one.question.database != name]
        weights, rightness = trained(others), rightness_of(others)
        for one in made:
            if one.question.database == name:
                for voices, outcomes in found.items():
                    outcomes.append(_tried(one, one.only(voices, rightness), weights))
    return found


def _tried(one: Recorded, several: Sequence[RowsCandidate], weights: Weights) -> Tried:
    if not several:
        return Tried(False, 0.0)
    chosen = choose(several, weights)
    return Tried(chosen.answer.voice in one.right, chosen.confidence)


def vote(one: Recorded, voices: Sequence[str], rightness: Mapping[str, float]) -> bool:
    """Whether a plain vote is right: the largest group, and among equals that of the system most often right."""
    groups = grouped([c for c in one.candidates if c.voice in voices])
    if not groups:
        return False
    best = max(groups, key=lambda g: (len(g.members), max(rightness[m.voice] for m in g.members)))
    return max(best.members, key=lambda m: rightness[m.voice]).voice in one.right


def auroc(outcomes: Sequence[Tried]) -> float:
    """The chance that a right answer has more confidence than a wrong one."""
    right = np.array([one.confidence for one in outcomes if one.right])
    wrong = np.array([one.confidence for one in outcomes if not one.right])
    over = (right[:, None] > wrong).mean() + 0.5 * (right[:, None] == wrong).mean()
    return float(over)


def _single(made: Sequence[Recorded]) -> None:
    print("| system | right |\n|---|---|")
    for voice, share in sorted(rightness_of(made).items()):
        print(f"| {voice} | {100 * share:.1f} % |")
    print(f"| any of them | {100 * sum(bool(one.right) for one in made) / len(made):.1f} % |\n")


def _report(made: Sequence[Recorded]) -> None:
    print(
        f"| asked | plain vote | chosen | AUROC of confidence | confidence of {SURE} or more | right among these |\n|---|---|---|---|---|---|"
    )
    rightness = rightness_of(made)
    for voices, outcomes in tried(made).items():
        sure = [one for one in outcomes if one.confidence >= SURE]
        voted = sum(vote(one, voices, rightness) for one in made) / len(made)
        cells = [
            f"{100 * voted:.1f} %",
            f"{100 * sum(one.right for one in outcomes) / len(outcomes):.1f} %",
            f"{auroc(outcomes):.3f}",
            f"{100 * len(sure) / len(outcomes):.1f} %",
            f"{100 * sum(one.right for one in sure) / max(len(sure), 1):.1f} %",
        ]
        print(f"| {', '.join(voices)} | {' | '.join(cells)} |")


def main() -> None:
    """Report, and write the weights when asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if not arguments.write:
        run(arguments.data)
        return
    folders = [text2sql(arguments.data, part) for part in ("spider_dev", "recorded_llm_spider_dev")]
    if folders[0] is None or folders[1] is None:
        parser.error(f"there are no recorded statements in {arguments.data}")
    weights = trained(list(recorded(folders[0], folders[1])))
    path = Path(deliberation.__file__).with_name("weights.json")
    path.write_text(json.dumps(weights.model_dump(), indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
