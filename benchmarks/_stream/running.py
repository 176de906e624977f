"""All conditions and orders, one database after the other in each of two processes."""

import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from benchmarks._spider_data import Question, SpiderDatabase
from benchmarks._stream.conditions import Condition
from benchmarks._stream.reader import Reader
from benchmarks._stream.replay import Mark, replay
from benchmarks._stream.turns import Turn, streams

Marks = dict[Condition, list[Mark]]

PROCESSES = 2


def run_all(
    questions: Sequence[Question],
    databases: Mapping[str, SpiderDatabase],
    conditions: Sequence[Condition],
    orders: Sequence[int],
    processes: int = PROCESSES,
) -> Marks:
    """Replay every condition in every order; the marks are sorted by order and position.

    Memories of one database never matter for another one, each has a clone of its own; so databases
    are the unit of work, and what was worked out for one order serves the others.
    """
    parts: dict[str, dict[int, list[Turn]]] = defaultdict(lambda: defaultdict(list))
    for order, turns in streams(questions, orders).items():
        for turn in turns:
            parts[turn.question.database][order].append(turn)
    longest_first = sorted(parts, key=lambda name: -len(parts[name][orders[0]]))
    work = [
        (databases[name], dict(parts[name]), tuple(conditions), len(questions))
        for name in longest_first
    ]
    joined: Marks = {condition: [] for condition in conditions}
    for done in _done(work, processes):
        for condition, marks in done.items():
            joined[condition] += marks
    for marks in joined.values():
        marks.sort(key=lambda mark: (mark.turn.order, mark.turn.position))
    return joined


Work = tuple[SpiderDatabase, dict[int, list[Turn]], tuple[Condition, ...], int]


def _done(work: Sequence[Work], processes: int) -> Iterator[Marks]:
    began = time.perf_counter()
    for count, marks in enumerate(_results(work, processes), 1):
        seconds = time.perf_counter() - began
        print(f"\r{count} of {len(work)} databases, {seconds:.0f} s", end="", file=sys.stderr)
        yield marks
    print(file=sys.stderr)


def _results(work: Sequence[Work], processes: int) -> Iterator[Marks]:
    if processes == 1:
        yield from map(_on_one, work)
        return
    with ProcessPoolExecutor(processes) as pool:
        for future in as_completed([pool.submit(_on_one, part) for part in work]):
            yield future.result()


def _on_one(work: Work) -> Marks:
    database, parts, conditions, length = work
    reader = Reader(database)
    return {
        condition: [
            mark
            for order in sorted(parts)
            for mark in _replayed(reader, parts[order], condition, length)
        ]
        for condition in conditions
    }


def _replayed(
    reader: Reader, turns: Iterable[Turn], condition: Condition, length: int
) -> list[Mark]:
    asked = [turn for turn in turns if turn.question.synonyms or not condition.synonyms]
    return replay(reader, asked, condition, length) if asked else []
