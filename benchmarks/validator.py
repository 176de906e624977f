"""The validator's rules on statements of known families, on SQL that language models really wrote, and on gold queries.

A statement counts once for each dialect that it is written for.

Caught: SQLite rejects the query when it runs, and the review calls it invalid. A false alarm: the review calls a query
invalid that runs and, for recorded ones, brings the rows of the gold query. What runs, is called invalid and brings other
rows is counted apart: a true alarm that no database would have raised.
"""

import csv
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from benchmarks._data import text2sql
from benchmarks._statements import Statement, statements
from benchmarks.guard import MAX_STEPS, SELF_MADE, file_of, own_schema, rejection, schema_of
from oldhand.evaluators.sql_rules import review_sql

KNOWN_WRONG = {
    "SELECT count(*) ,  account_id FROM Financial_transactions": "one row, where the question asks for each account",
    "SELECT T1.engineer_id ,  T1.first_name ,  T1.last_name FROM Maintenance_Engineers AS T1 JOIN Engineer_Visits AS T2 "
    "GROUP BY T1.engineer_id ORDER BY count(*) DESC LIMIT 1": "each engineer gets the visits of all",
    "SELECT DISTINCT t1.product_name FROM products AS t1 JOIN complaints AS t2 ON t1.product_id  =  t2.product_id JOIN "
    "customers AS t3 GROUP BY t3.customer_id ORDER BY count(*) LIMIT 1": "each customer gets the complaints of all",
    **dict.fromkeys(
        (
            "SELECT DISTINCT T1.lname FROM Faculty AS T1 JOIN Faculty_participates_in AS T2 ON T1.facID  =  T2.facID JOIN activity "
            "AS T3 ON T2.actid  =  T2.actid WHERE T3.activity_name  =  'Canoeing' OR T3.activity_name  =  'Kayaking'",
            "SELECT lname FROM faculty WHERE rank  =  'Professor' EXCEPT SELECT DISTINCT T1.lname FROM Faculty AS T1 JOIN "
            "Faculty_participates_in AS T2 ON T1.facID  =  T2.facID JOIN activity AS T3 ON T2.actid  =  T2.actid WHERE "
            "T3.activity_name  =  'Canoeing' OR T3.activity_name  =  'Kayaking'",
            "SELECT T1.lname FROM Faculty AS T1 JOIN Faculty_participates_in AS T2 ON T1.facID  =  T2.facID JOIN activity AS T3 ON "
            "T2.actid  =  T2.actid WHERE T3.activity_name  =  'Canoeing' INTERSECT SELECT T1.lname FROM Faculty AS T1 JOIN "
            "Faculty_participates_in AS T2 ON T1.facID  =  T2.facID JOIN activity AS T3 ON T2.actid  =  T2.actid WHERE "
            "T3.activity_name  =  'Kayaking'",
            "SELECT T1.stuid FROM participates_in AS T1 JOIN activity AS T2 ON T2.actid  =  T2.actid WHERE T2.activity_name  =  "
            "'Canoeing' INTERSECT SELECT T1.stuid FROM participates_in AS T1 JOIN activity AS T2 ON T2.actid  =  T2.actid WHERE "
            "T2.activity_name  =  'Kayaking'",
        ),
        "T2.actid is compared with itself, so that everybody does everything",
    ),
    "SELECT T1.fname FROM student AS T1 JOIN lives_in AS T2 ON T1.stuid  =  T2.stuid WHERE T2.dormid IN (SELECT T2.dormid FROM "
    "dorm AS T3 JOIN has_amenity AS T4 ON T3.dormid  =  T4.dormid JOIN dorm_amenity AS T5 ON T4.amenid  =  T5.amenid GROUP BY "
    "T3.dormid ORDER BY count(*) DESC LIMIT 1)": "the subquery selects T2.dormid of the query outside, so that everybody is found",
    "SELECT T1.Area FROM APPELLATIONS AS T1 JOIN WINE AS T2 ON T1.Appelation  =  T2.Appelation GROUP BY T2.Appelation HAVING "
    "T2.year  <  2010 ORDER BY count(*) DESC LIMIT 1": "HAVING asks for the year of any wine of the group",
}
"""Gold queries of spider_train that run and are wrong; each was read with its question, and run beside the query that was meant."""


@dataclass
class Tally:
    """Counts of one set of queries."""

    rejected: int = 0
    caught: int = 0
    running: int = 0
    false_alarms: int = 0
    true_alarms: int = 0
    rules: Counter[str] = field(default_factory=Counter[str])
    """What was flagged among the queries that run."""
    seconds: list[float] = field(default_factory=list[float])

    def row(self, name: str) -> str:
        """One line of the table."""
        share = f"{self.caught / self.rejected:.1%}" if self.rejected else "-"
        p95 = quantiles(self.seconds, n=20)[-1] * 1000
        return (
            f"| {name} | {self.rejected + self.running} | {self.rejected} | {self.caught} | {share} | {self.false_alarms} "
            f"| {self.true_alarms} | {median(self.seconds) * 1000:.2f} | {p95:.2f} |"
        )


@dataclass(frozen=True)
class Query:
    """One query, with the one that is right when that is another."""

    database: str
    sql: str
    gold: str | None = None


def run(data: Path | None) -> None:
    """Print what is caught, what is flagged wrongly, and how long a query takes."""
    print(f"Five queries made here: {_own_milliseconds():.2f} ms in the middle.\n")
    _print_families()
    recordings, dev = text2sql(data, "recorded_llm_spider_dev"), text2sql(data, "spider_dev")
    if recordings is None or dev is None:
        print("The recorded queries need `--data DIR`.")
        return
    print(
        "| queries | all | rejected by SQLite | caught | share | false alarms | true alarms on queries that run | median ms | p95 ms |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    answers = [query for _, queries in recorded_files(recordings, dev) for query in queries]
    _print_tally("recorded answers of models", dev, answers)
    _print_tally("gold of spider_dev", dev, gold(dev))
    train = text2sql(data, "spider_train")
    if train is not None:
        _print_tally("gold of spider_train", train, gold(train))
    _print_places(text2sql(data, "postgis_examples"))


def by_family() -> dict[str, Counter[str]]:
    """How the statements that are kept beside this file are judged: `error`, `advice` or `missed`, and `right`, `false`."""
    counts: dict[str, Counter[str]] = {}
    for one in statements("wrong"):
        counts.setdefault(one.family, Counter())[judgement(one)] += 1
    for one in statements("right"):
        is_false = judgement(one) == "error"
        counts.setdefault(one.family, Counter()).update({"right": 1, "false": is_false})
    return counts


def judgement(one: Statement) -> str:
    """What the rules make of a statement: `error`, `advice` or `missed`."""
    review = review_sql(one.sql, one.dialect, one.schemas)
    return "error" if review.errors else "advice" if review.advice else "missed"


def _print_families() -> None:
    print("| family | wrong | found | advice only | missed | right | false alarms |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    total: Counter[str] = Counter()
    for family, counts in (*by_family().items(), ("all", total)):
        wrong = [counts[kind] for kind in ("error", "advice", "missed")]
        cells = (family, sum(wrong), *wrong, counts["right"], counts["false"])
        print(f"| {' | '.join(map(str, cells))} |")
        total.update(counts)
    print()


def recorded_files(folder: Path, dev: Path) -> Iterator[tuple[str, list[Query]]]:
    """What each model answered, in its order, by the name of the file."""
    known = {entry.name for entry in (dev / "database").iterdir()}
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["DATABASE"] in known]
        yield (
            path.stem,
            [Query(row["DATABASE"], row["PREDICTED SQL"], row["GOLD SQL"]) for row in rows],
        )


def gold(folder: Path) -> Iterator[Query]:
    """Each gold query once."""
    questions = map(json.loads, (folder / "questions.jsonl").read_text("utf-8").splitlines())
    yield from dict.fromkeys(Query(one["db_id"], one["query"]) for one in questions)


def _print_tally(name: str, folder: Path, queries: Iterable[Query]) -> None:
    tally = Tally()
    for query in queries:
        _count(tally, folder, query)
    print(tally.row(name))
    if tally.rules:
        flagged = ", ".join(f"{code} {count}" for code, count in tally.rules.most_common())
        print(f"| … flagged though they run: {flagged} | | | | | | | | |")


def _count(tally: Tally, folder: Path, query: Query) -> None:
    schema = schema_of(folder, query.database)
    began = time.perf_counter()
    review = review_sql(query.sql, schemas=(schema,))
    tally.seconds.append(time.perf_counter() - began)
    if rejection(folder, query.database, query.sql) is not None:
        tally.rejected += 1
        tally.caught += not review.is_valid
        return
    tally.running += 1
    if not review.is_valid:
        tally.rules.update({issue.code for issue in review.errors})
        is_wrong = _is_wrong(folder, query)
        tally.true_alarms += is_wrong
        tally.false_alarms += not is_wrong


def _is_wrong(folder: Path, query: Query) -> bool:
    """Whether it brings other rows than the right query, or is a gold query of which that is known."""
    if query.gold is None:
        return query.sql in KNOWN_WRONG
    return _rows(folder, query.database, query.sql) != _rows(folder, query.database, query.gold)


def _rows(folder: Path, database: str, sql: str) -> list[str]:
    uri = f"{file_of(folder, database).as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.text_factory = bytes
        connection.set_progress_handler(lambda: 1, MAX_STEPS)
        return sorted(map(repr, connection.execute(sql)))


def _print_places(folder: Path | None) -> None:
    """The PostGIS manual's examples are right, but some are cut out of a longer text and do not parse."""
    if folder is None:
        return
    counts: Counter[str] = Counter()
    for line in (folder / "examples.jsonl").read_text("utf-8").splitlines():
        review = review_sql(json.loads(line)["sql"], "postgres")
        codes = {issue.code for issue in review.errors}
        counts.update(codes or {"nothing"})
    found = ", ".join(f"{code} {count}" for code, count in counts.most_common())
    print(f"\nExamples of the PostGIS manual, {counts.total()}: {found}.")


def _own_milliseconds() -> float:
    seconds: list[float] = []
    for sql in SELF_MADE * 40:
        began = time.perf_counter()
        review_sql(sql, schemas=(own_schema(),))
        seconds.append(time.perf_counter() - began)
    return median(seconds) * 1000
