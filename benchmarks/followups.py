"""Whether follow-up questions are understood, and whether their confidence says how often they are."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks._data import text2sql
from benchmarks._followups.cases import SAYINGS, FollowUp, follow_ups
from benchmarks._spider_data import Question, SpiderDatabase, load, same_answer
from benchmarks._stream.reader import TODAY
from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.agent.analyst.deciding import DecisionKind
from oldhand.query.compiling.compile import compile_query
from oldhand.query.form import Query
from oldhand.query.lifting import lift

RULE = """After each question that was answered rightly, one follow-up of each kind that fits its query, in a wording that is drawn. The right
query is that of the first question, changed in the one way that the kind names. Right means answered, and with its rows. Of Spider's
training part every ninth database, which nothing here was developed on."""
SURE = 0.6
EVERY = 9
PER_DATABASE = 12
"""First questions over one database."""


@dataclass(frozen=True)
class Said:
    """One follow-up, and what became of it."""

    kind: str
    first: str
    text: str
    answered: bool
    asked_back: bool
    right: bool
    confidence: float


def run(data: Path | None) -> None:
    """Print the tables for `spider_dev` and a part of `spider_train`."""
    print(RULE + "\n")
    for name, every in (("spider_dev", 1), ("spider_train", EVERY)):
        folder = text2sql(data, name)
        if folder is None:
            print(f"Spider's questions are read from `--data DIR` (with `{name}/` in it).")
            return
        questions, databases = load(folder)
        names = sorted(databases)[every // 2 :: every]
        report(name, [one for each in names for one in asked(questions, databases[each])])


def asked(
    questions: Sequence[Question], database: SpiderDatabase, *, after_wrong: bool = False
) -> Iterator[Said]:
    """Some questions over one database that are answered rightly, or at all, and their follow-ups."""
    schemas = (database.schema,)
    reader = QuestionReader(schemas, database.values, TODAY)
    first = 0
    for question in questions:
        query = lift(question.gold, database.schema) if question.database == database.name else None
        if not isinstance(query, Query) or first == PER_DATABASE:
            continue
        made = list(follow_ups(query, database, question.text))
        plain = reader.read(question.text) if after_wrong else None
        known = plain.answers if plain else _is_right(reader, question.text, (), query, database)
        if not made or not known:
            continue
        first += 1
        history = (EarlierTurn(question=question.text, text=""),)
        for one in made:
            yield _said(reader, question.text, one, history, database)


def _said(
    reader: QuestionReader,
    first: str,
    one: FollowUp,
    history: tuple[EarlierTurn, ...],
    database: SpiderDatabase,
) -> Said:
    reading = reader.read(one.text, history)
    right = _is_right(reader, one.text, history, one.query, database)
    back = reading.decision.kind in (DecisionKind.CLARIFY, DecisionKind.PROPOSE)
    return Said(one.kind, first, one.text, reading.answers, back, right, reading.confidence)


def _is_right(
    reader: QuestionReader,
    text: str,
    history: Sequence[EarlierTurn],
    query: Query,
    database: SpiderDatabase,
) -> bool:
    reading = reader.read(text, history)
    if not reading.answers or not isinstance(reading.queries[0], Query):
        return False
    gold, own = (compile_query(q, reader.schemas, "sqlite") for q in (query, reading.queries[0]))
    expected, found = database.rows(gold), database.rows(own)
    if expected is None or found is None:
        return False
    # What was shown before may stand before or behind what is asked for now.
    width = len(expected[0]) if expected else 0
    beside = ([row[:width] for row in found], [row[-width:] for row in found]) if width else ()
    return any(same_answer(gold, expected, rows) for rows in (found, *beside))


def report(title: str, said: Sequence[Said]) -> None:
    """The tables of one part."""
    print(f"### {title}\n\n| follow-up | asked | answered | right among answers | asks back |")
    print("|---|---|---|---|---|")
    kinds = defaultdict[str, list[Said]](list)
    for one in said:
        kinds[one.kind].append(one)
    for kind in (*SAYINGS, "all"):
        _row(kind, said if kind == "all" else kinds[kind])
    sure = [one for one in said if one.answered and one.confidence >= SURE]
    right = sum(one.right for one in sure) / max(len(sure), 1)
    print(f"\nAnswered at {SURE:.0%} or more: {len(sure)}, of which {right:.1%} are right.\n")


def _row(name: str, said: Sequence[Said]) -> None:
    if not said:
        return
    answered = [one for one in said if one.answered]
    right = f"{sum(one.right for one in answered) / len(answered):.1%}" if answered else "-"
    back = sum(one.asked_back for one in said) / len(said)
    print(f"| {name} | {len(said)} | {len(answered) / len(said):.1%} | {right} | {back:.1%} |")
