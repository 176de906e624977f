"""What was learned, as a mind by language model reads it: confirmed answers, rejected ones, and words.

Questions, SQL and phrases were written by people: they stand in blocks of their own, each on one line, as data.
"""

from collections.abc import Iterable, Sequence

from oldhand.errors import MissingExtra, QueryRefused
from oldhand.models.quoting import block, one_line
from oldhand.models.tokens import count_tokens, estimate_tokens
from oldhand.record.lesson import Lesson
from oldhand.record.memory import ExamplePayload, IssuePayload, Memory
from oldhand.sources.databases.guard import checked_text

MAX_QUESTION_CHARS = 500
"""Characters of a question or of an answer in words that a prompt shows."""

_CONFIRMED = "People confirmed these answers. Where one fits the question, follow its SQL and change only what differs:"
_REJECTED = "People called this SQL wrong for its question. Don't repeat it:"
_WORDS = "What people here mean by words:"


def lessons_text(lessons: Iterable[Lesson]) -> str:
    """All lessons, in blocks by what they are, each in the order given; empty when there are none.

    >>> from oldhand.record.lesson import Lesson
    >>> from oldhand.record.memory import MemoryType
    >>> from oldhand.testing.records import example_memory
    >>> print(lessons_text([Lesson(memory=example_memory(kind=MemoryType.EXAMPLE))]))
    People confirmed these answers. Where one fits the question, follow its SQL and change only what differs:
    <confirmed_answers>
    Question: How many clients do we have?
    SQL on shop: SELECT COUNT(*) FROM customers
    </confirmed_answers>
    """
    memories = [lesson.memory for lesson in lessons]
    confirmed = [_confirmed(m.payload) for m in memories if isinstance(m.payload, ExamplePayload)]
    rejected = [_rejected(m.payload) for m in memories if isinstance(m.payload, IssuePayload)]
    words = [_word(memory) for memory in memories if memory.effect is not None]
    parts = (
        (_CONFIRMED, "confirmed_answers", "\n\n".join(filter(None, confirmed))),
        (_REJECTED, "rejected_answers", "\n\n".join(filter(None, rejected))),
        (_WORDS, "words", "\n".join(words)),
    )
    return "\n\n".join(f"{said}\n{block(tag, text)}" for said, tag, text in parts if text)


def fitting(lessons: Sequence[Lesson], tokens: int) -> tuple[Lesson, ...]:
    """The lessons that a prompt has room for, in their order.

    Words come first, since they are short and say most; then the others as they stand. One that is too long is
    passed over, so that it does not keep out those behind it.

    Args:
        lessons: most useful first.
        tokens: how many they may take. Counted as OpenAI's `o200k_base` when the extra `tokens` is installed, else
            estimated; see `models.tokens`.
    """
    chosen: set[str] = set()
    room = tokens
    for lesson in sorted(lessons, key=lambda one: one.memory.effect is None):
        needed = _tokens(lessons_text([lesson]))
        if needed <= room:
            chosen.add(lesson.id)
            room -= needed
    return tuple(lesson for lesson in lessons if lesson.id in chosen)


def _confirmed(payload: ExamplePayload) -> str:
    said: list[str] = []
    if payload.sql is not None:
        said.append(_sql(payload.sql, payload.database))
    said += [_sql(step.sql, step.database) for step in payload.steps]
    if payload.answer is not None:
        said.append(f"Answer: {one_line(payload.answer, MAX_QUESTION_CHARS)}")
    return "\n".join([_question(payload.question), *said]) if said else ""


def _rejected(payload: IssuePayload) -> str:
    if payload.question is None or payload.sql_query is None:
        return ""
    wrong = _sql(payload.sql_query, payload.database)
    return f"{_question(payload.question)}\nWas wrong: {wrong}"


def _question(question: str) -> str:
    return f"Question: {one_line(question, MAX_QUESTION_CHARS)}"


def _sql(sql: str, database: str | None) -> str:
    where = "" if database is None else f" on {one_line(database)}"
    return f"SQL{where}: {one_line(_without_comments(sql))}"


def _without_comments(sql: str) -> str:
    r"""The SQL without comments, which would swallow the rest of the line.

    A lesson does not say in which dialect its SQL is; it has passed the guard of its own, so the first that reads it
    will do.

    >>> _without_comments("SELECT a -- all\nFROM t /* of them */ WHERE b = '--no'")
    "SELECT a\nFROM t WHERE b = '--no'"
    """
    if not any(mark in sql for mark in ("--", "/*")):
        return sql
    for dialect in ("sqlite", "postgres", "mysql", "duckdb"):
        try:
            return checked_text(sql, dialect)
        except QueryRefused:
            continue
    return sql


def _word(memory: Memory) -> str:
    assert memory.effect is not None, "only words have an effect"
    return f"- '{one_line(memory.effect.phrase)}' means {one_line(memory.effect.target)}"


def _tokens(text: str) -> int:
    try:
        return count_tokens(text)
    except MissingExtra:
        return estimate_tokens(text)
