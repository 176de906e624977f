"""What was learned, as a mind by language model reads it: confirmed answers, rejected ones, words, and lessons.

Questions, SQL, phrases and lessons were written by people or rest on what they wrote: they stand in blocks of their
own, each on one line, as data.
"""

from collections.abc import Iterable, Sequence

from oldhand.errors import MissingExtra, QueryRefused
from oldhand.models.quoting import block, one_line
from oldhand.models.tokens import count_tokens, estimate_tokens
from oldhand.record.effect import DefaultFilter, spoken_as
from oldhand.record.lesson import Lesson
from oldhand.record.memory import (
    BugFixPayload,
    ChecklistPayload,
    ExamplePayload,
    IssuePayload,
    Memory,
    PreferencePayload,
    SemanticPayload,
)
from oldhand.sources.databases.guard import checked_text

MAX_QUESTION_CHARS = 500
"""Characters of a question or of an answer in words that a prompt shows."""

MAX_LESSON_CHARS = 300
"""Characters of each part of a lesson that a prompt shows."""

_CONFIRMED = "People confirmed these answers. Where one fits the question, follow its SQL and change only what differs:"
_REJECTED = "People called this SQL wrong for its question. Don't repeat it:"
_WORDS = "What people here mean by words:"
_RULES = (
    "Rules that were learned here. Keep to them unless the question itself asks for something else:"
)
_CHECKS = "Before you answer, check:"
_PREFERENCES = "What people here prefer:"


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
    words = [_word(memory) for memory in memories if spoken_as(memory.effect) is not None]
    others = [memory for memory in memories if spoken_as(memory.effect) is None]
    parts = (
        (_CONFIRMED, "confirmed_answers", "\n\n".join(filter(None, confirmed))),
        (_REJECTED, "rejected_answers", "\n\n".join(filter(None, rejected))),
        (_WORDS, "words", "\n".join(words)),
        (_RULES, "rules", _lines(_rule(memory) for memory in others)),
        (_CHECKS, "before_you_answer", _lines(_check(memory.payload) for memory in others)),
        (_PREFERENCES, "preferences", _lines(_preference(memory) for memory in others)),
    )
    return "\n\n".join(f"{said}\n{block(tag, text)}" for said, tag, text in parts if text)


def fitting(lessons: Sequence[Lesson], tokens: int) -> tuple[Lesson, ...]:
    """The lessons that a prompt has room for, in their order.

    Words and rules that change queries come first, then other lessons, since they are short and say most; then the
    confirmed and rejected answers, all as they stand. One that is too long is passed over, so that it does not keep
    out those behind it.

    Args:
        lessons: most useful first.
        tokens: how many they may take. Counted as OpenAI's `o200k_base` when the extra `tokens` is installed, else
            estimated; see `models.tokens`.
    """
    chosen: set[str] = set()
    room = tokens
    for lesson in sorted(lessons, key=_bulk):
        needed = _tokens(lessons_text([lesson]))
        if needed <= room:
            chosen.add(lesson.id)
            room -= needed
    return tuple(lesson for lesson in lessons if lesson.id in chosen)


def _bulk(lesson: Lesson) -> int:
    if lesson.memory.effect is not None:
        return 0
    return 2 if isinstance(lesson.memory.payload, ExamplePayload | IssuePayload) else 1


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
    word = spoken_as(memory.effect)
    assert word is not None, "only words are told so"
    return f"- '{one_line(word.phrase)}' means {one_line(word.target)}"


def _lines(said: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in said if text)


def _rule(memory: Memory) -> str:
    """A rule or a fix, with what it does to queries; so is anything else that does something to them."""
    payload, effect = memory.payload, memory.effect
    if isinstance(payload, SemanticPayload):
        said = _short(payload.rule)
    elif isinstance(payload, BugFixPayload):
        said = f"{_short(payload.fix)} (it went wrong before: {_short(payload.failure)})"
    else:
        said = ""
    if effect is None:
        return said
    done = one_line(_in_queries(effect) if isinstance(effect, DefaultFilter) else effect.says)
    return f"{said} ({done})" if said else done


def _in_queries(effect: DefaultFilter) -> str:
    return f"where {effect.database}.{effect.table} is read, add {effect.condition}"


def _check(payload: object) -> str:
    return _short(payload.step) if isinstance(payload, ChecklistPayload) else ""


def _preference(memory: Memory) -> str:
    payload = memory.payload
    if not isinstance(payload, PreferencePayload) or memory.effect is not None:
        return ""
    return f"{_short(payload.key)}: {_short(payload.value)}"


def _short(text: str) -> str:
    return one_line(text, MAX_LESSON_CHARS)


def _tokens(text: str) -> int:
    try:
        return count_tokens(text)
    except MissingExtra:
        return estimate_tokens(text)
