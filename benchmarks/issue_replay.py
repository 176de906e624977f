"""How often a mistake had been told before it was made: recorded answers of language models, replayed as a stream.

Each answer is reviewed by the rules, and each issue of an answer that SQLite rejects leaves a note: the rule, the database and the
object (such as a column). A later failure counts as *warned of* when a note of the same rule, database and object
was there before. The models never saw the notes. So the share is an **upper bound** of what notes can prevent: it
holds only if a model that is warned never makes that mistake again, and is shown every note.

Beside it: only the 5 newest notes of the database, and the placebo, where each note names another object of the same
database that an earlier note was about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

from benchmarks._data import text2sql
from benchmarks.guard import rejection, schema_of
from benchmarks.validator import Query, recorded_files
from oldhand.evaluators.sql_rules import review_sql

ORDERS = 20
"""Random orders of the stream; the mean of them is shown."""
SHOWN = 5
"""Notes that a prompt has room for."""
TENTHS = 10


@dataclass(frozen=True)
class Failure:
    """One answer that SQLite rejects."""

    place: int
    """In the stream of all answers."""
    database: str
    keys: tuple[str, ...]
    """Rule, database and object of each issue."""


def run(data: Path | None) -> None:
    """Print the shares for each model, and the curve of all."""
    recordings, dev = text2sql(data, "recorded_llm_spider_dev"), text2sql(data, "spider_dev")
    if recordings is None or dev is None:
        print("Needs `--data DIR` with the recorded answers.")
        return
    streams = {name: _failures(dev, queries) for name, queries in recorded_files(recordings, dev)}
    print("Failures that a note had warned of before; an upper bound of what notes prevent.\n")
    print(
        "| answers of | failures | warned of, as recorded | random orders | newest 5 of the database | shuffled notes |"
    )
    print("|---|---:|---:|---:|---:|---:|")
    for name, failures in streams.items():
        print(_row(name, failures))
    print(f"\n| share of the stream | {' | '.join(f'{10 * n} %' for n in range(1, TENTHS + 1))} |")
    print("|---|" + "---:|" * TENTHS)
    print(_curve("warned of", list(streams.values()), is_placebo=False))
    print(_curve("shuffled notes", list(streams.values()), is_placebo=True))


def _failures(dev: Path, queries: Sequence[Query]) -> list[Failure]:
    found: list[Failure] = []
    for place, query in enumerate(queries):
        if rejection(dev, query.database, query.sql) is not None:
            review = review_sql(query.sql, schemas=(schema_of(dev, query.database),))
            found.append(Failure(place, query.database, review.keys))
    return found


def _row(name: str, failures: list[Failure]) -> str:
    random = Random(7)
    orders = [random.sample(failures, len(failures)) for _ in range(ORDERS)]
    any_order = fmean(sum(_warned(order)) for order in orders)
    newest = fmean(sum(_warned(order, most=SHOWN)) for order in orders)
    placebo = fmean(sum(_warned(order, placebo=random)) for order in orders)
    count = len(failures)
    shares = [f"{n:.1f} ({n / count:.0%})" if count else "-" for n in (any_order, newest, placebo)]
    return f"| {name} | {count} | {sum(_warned(failures))} | {' | '.join(shares)} |"


def _curve(name: str, streams: list[list[Failure]], *, is_placebo: bool) -> str:
    """The share of failures warned of in each tenth of the failures, in random orders."""
    random = Random(11)
    sums, counts = [0] * TENTHS, [0] * TENTHS
    for failures in streams:
        for _ in range(ORDERS):
            order = random.sample(failures, len(failures))
            placebo = random if is_placebo else None
            for place, warned in enumerate(_warned(order, placebo=placebo)):
                tenth = TENTHS * place // len(order)
                sums[tenth] += warned
                counts[tenth] += 1
    shares = [f"{warned / max(count, 1):.0%}" for warned, count in zip(sums, counts, strict=True)]
    return f"| {name} | {' | '.join(shares)} |"


def _warned(
    order: list[Failure], *, most: int | None = None, placebo: Random | None = None
) -> list[bool]:
    """For each failure whether one of its keys had been noted before.

    Args:
        order: The failures, as they happen.
        most: Only so many of the newest notes of the database are shown; None for all of them.
        placebo: Draws another object for each note.
    """
    notes: dict[str, list[str]] = {}
    objects: dict[str, list[str]] = {}
    warned: list[bool] = []
    for failure in order:
        kept = notes.setdefault(failure.database, [])
        seen = objects.setdefault(failure.database, [])
        shown = kept if most is None else kept[-most:]
        warned.append(not set(failure.keys).isdisjoint(shown))
        for key in failure.keys:
            rule, database, about = key.split(":", 2)
            others = [one for one in seen if one != about]
            if placebo is not None:
                about_other = placebo.choice(others) if others else ""
                _note(kept, f"{rule}:{database}:{about_other}")
            else:
                _note(kept, key)
            _note(seen, about)
    return warned


def _note(kept: list[str], one: str) -> None:
    """Put it last, also when it was there."""
    if one in kept:
        kept.remove(one)
    kept.append(one)
