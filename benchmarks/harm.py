"""What one correction mends, what it breaks, and whether its answer is given to questions that mean the opposite."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import mean
from tempfile import TemporaryDirectory

from benchmarks._data import text2sql
from benchmarks._harm import companies, public
from benchmarks._harm.cases import Kind
from benchmarks._harm.trial import Seen, Told, tried
from benchmarks._spider_data import load
from benchmarks.calibration import Believed, error

PARAPHRASES = (Kind.SAME, Kind.VALUE, Kind.LIGHT, Kind.OTHER, Kind.COLUMN)
RULE = """One SQL correction at a time, then questions in the same words, with another value, in other words and of another column,
related and unrelated ones, and such as mean the opposite. Right means answered, and with the rows of the right SQL. Broken: right
before, and not after. Served: the stored rows were given to the opposite question. The first part was developed on, the second was not."""
_DRAWS = 500
EVERY = 9
"""One in so many databases of Spider's training part; those after them are kept for the end."""


def run(data: Path | None) -> None:
    """Print the tables of both parts."""
    print(RULE + "\n")
    with TemporaryDirectory() as folder:
        for name, domains in (("developed on", companies.DEVELOPED), ("kept", companies.KEPT)):
            report(f"generated companies, {name}", tried(companies.cases(Path(folder), domains)))
    folder = text2sql(data, "spider_train")
    if folder is None:
        print("Spider's questions are read from `--data DIR` (with `spider_train/` in it).")
        return
    questions, databases = load(folder)
    for name, start in (("developed on", 0), ("kept", EVERY // 2)):
        names = sorted(databases)[start::EVERY]
        report(f"spider_train, {name}", tried(public.cases(questions, databases, names)))


def report(title: str, seen: Iterable[Seen]) -> None:
    """The tables of one part."""
    found = list(seen)
    print(
        f"### {title}\n\n| question | asked | right before | after | mended | broken | of right ones |"
    )
    print("|---|---|---|---|---|---|---|")
    judged = [one for one in found if one.probe.gold is not None]
    for kind in (*PARAPHRASES, Kind.RELATED, Kind.UNRELATED):
        _row(kind, [one for one in judged if one.probe.kind is kind])
    _row("all", judged)
    opposite = [one for one in found if one.probe.kind is Kind.OPPOSITE]
    served = [one for one in opposite if one.served]
    answered = sum(one.after.sql is not None for one in opposite)
    print(
        f"\nOpposites: {len(opposite)}, answered {answered}, served with the stored answer {len(served)}."
    )
    paraphrases = [one for one in judged if one.probe.kind in PARAPHRASES]
    before = _calibration({(_name(one), one.probe.text): (one, one.before) for one in judged})
    after = _calibration(
        {(_name(one), one.case.question, one.probe.text): (one, one.after) for one in paraphrases}
    )
    print(f"Expected calibration error, each question once: {before} before;", end=" ")
    print(f"{after} after a correction, of what asks for the same.\n")


def _row(name: str, seen: Sequence[Seen]) -> None:
    if not seen:
        return
    right = sum(one.before.right for one in seen)
    mended = sum(one.after.right and not one.before.right for one in seen)
    broken = sum(one.before.right and not one.after.right for one in seen)
    cells = (
        _percent(right, len(seen)),
        _percent(right + mended - broken, len(seen)),
        str(mended),
        str(broken),
        _percent(broken, right),
    )
    print(f"| {name} | {len(seen)} | {' | '.join(cells)} |")


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _name(one: Seen) -> str:
    return one.case.database.name


def _calibration(asked: Mapping[object, tuple[Seen, Told]]) -> str:
    """The error, and what it would be by chance if each confidence were true, where a whole family is right or wrong at once."""
    told = [(one.probe, said) for one, said in asked.values() if said.sql is not None]
    random = Random(len(told))

    def chance() -> float:
        drawn: defaultdict[str, float] = defaultdict(random.random)
        return error([Believed("", said.confidence, drawn[probe.family or str(probe.gold)] < said.confidence) for probe, said in told])  # fmt: skip

    found = error([Believed("", said.confidence, said.right) for _, said in told])
    return f"{found:.3f} (by chance {mean(chance() for _ in range(_DRAWS)):.3f}, {len(told)} answers)"  # fmt: skip
