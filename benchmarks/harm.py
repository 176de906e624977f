"""What one correction mends, what it breaks, and whether its answer is given to questions that mean the opposite."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._data import text2sql
from benchmarks._harm import companies, public
from benchmarks._harm.cases import Kind
from benchmarks._harm.trial import Seen, Told, tried
from benchmarks._spider_data import load

PARAPHRASES = (Kind.SAME, Kind.VALUE, Kind.LIGHT, Kind.OTHER, Kind.COLUMN)
RULE = """One SQL correction at a time, then questions in the same words, with another value, in other words and of another column,
related and unrelated ones, and such as mean the opposite. Right means answered, and with the rows of the right SQL. Broken: right
before, and not after. Served: the stored rows were given to the opposite question. The first part was developed on, the second was not."""
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
    before, after = (_error(judged, side) for side in (_before, _after))
    print(f"Expected calibration error: {before:.3f} before, {after:.3f} after.\n")


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


def _before(one: Seen) -> Told:
    return one.before


def _after(one: Seen) -> Told:
    return one.after


def _error(seen: Sequence[Seen], side: Callable[[Seen], Told]) -> float:
    """The mean distance of confidence from the share of right answers, in ten bins."""
    bins: dict[int, list[Told]] = {}
    for told in map(side, seen):
        if told.sql is not None:
            bins.setdefault(min(int(10 * told.confidence), 9), []).append(told)
    total = sum(map(len, bins.values())) or 1
    return (
        sum(
            abs(sum(t.confidence for t in part) - sum(t.right for t in part))
            for part in bins.values()
        )
        / total
    )
