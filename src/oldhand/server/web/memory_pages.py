"""Memory: what was learned, what waits for a decision, rules that people state, and versions of prompts."""

from asyncio import to_thread
from itertools import islice

from oldhand.learning.learner import said
from oldhand.learning.prompts import ROLES
from oldhand.record.access import Role
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import INTERNAL, LESSONS, PINNED, State, state_of
from oldhand.server.web.cause_drawing import drawn_causes
from oldhand.server.web.learning_pages import STATE_TONES
from oldhand.server.web.page import Page, View, Visit

PAGE_ROWS = 50
_MOST_COLUMNS = 2_000
TYPES = {
    MemoryType.EXAMPLE: "confirmed answer",
    MemoryType.ISSUE: "mistake",
    MemoryType.PREFERENCE: "word or wish",
    MemoryType.SEMANTIC: "lesson",
    MemoryType.CHECKLIST: "checklist",
    MemoryType.BUG_FIX: "repair",
    MemoryType.PROMPT: "prompt",
    MemoryType.REFLECTION: "look back",
}
"""What people call the types, in the order in which they are offered."""
_TRIED = (*LESSONS, MemoryType.EXAMPLE)
_WORDS_CHANGE = frozenset({*LESSONS, MemoryType.ISSUE})


async def memories(visit: Visit) -> View:
    """What was learned, as far as it fits the search; a page at a time."""
    text, kind, state = visit.given("text"), visit.given("type"), visit.given("state")
    given = visit.given("page", "1")
    number = min(max(1, int(given)), 10_000) if given.isdecimal() else 1
    found = await visit.old.memories.list(
        text=text or None,
        type=kind or None,
        state=state or None,
        limit=PAGE_ROWS + 1,
        skip=(number - 1) * PAGE_ROWS,
    )
    return {
        "found": [(one, state_of(one), *_two_lines(one)) for one in found[:PAGE_ROWS]],
        "text": text,
        "kind": kind,
        "state": state,
        "types": TYPES,
        "states": [one.value for one in State if one is not State.ERASED],
        "number": number,
        "is_more": len(found) > PAGE_ROWS,
        "tones": STATE_TONES,
    }


def _two_lines(memory: Memory) -> tuple[str, str]:
    """What a memory says, and what it comes down to: a confirmed question, and its SQL."""
    question = getattr(memory.payload, "question", None)
    whole = said(memory)
    start = f"{question!r} "
    return (question, whole.removeprefix(start)) if question and whole.startswith(start) else (whole, "")  # fmt: skip


async def memory(visit: Visit) -> View:
    """One memory: what it says, how it fared, where it comes from, what it was before."""
    one = await visit.old.memories.get(visit.given("memory_id"))
    cause = await visit.old.memories.why(one.memory)
    lived = one.state is not State.ERASED
    editable = one.memory.type in _WORDS_CHANGE and one.memory.effect is None
    return {
        "one": one,
        "title": said(one.memory),
        "said": said,
        "tones": STATE_TONES,
        "state_of": state_of,
        "types": TYPES,
        "tags": [tag for tag in one.memory.tags if tag not in INTERNAL],
        "is_pinned": PINNED in one.memory.tags,
        "is_lesson": one.memory.type in LESSONS,
        "is_tried": lived and (one.memory.effect is not None or one.memory.type in _TRIED),
        "editable": editable and lived,
        "cause": cause,
        "drawing": drawn_causes(cause),
    }


async def review(visit: Visit) -> View:
    """What waits until somebody with a say has looked at it, and what may be wrong with lessons."""
    waiting = await visit.old.memories.waiting()
    flaws = await visit.old.memories.flaws()
    wrong = [one for one in flaws if one.flaw.value != State.WAITING.value]
    return {
        "waiting": waiting[:PAGE_ROWS],
        "more": max(0, len(waiting) - PAGE_ROWS),
        "flaws": wrong[:PAGE_ROWS],
        "more_flaws": max(0, len(wrong) - PAGE_ROWS),
    }


async def rules(visit: Visit) -> View:
    """The rules that are in force, and a form for another."""
    schemas = await to_thread(visit.old.databases.schemas) if visit.may("rules.add") else ()
    columns = (f"{table.name}.{it.name}" for one in schemas for table in one.tables for it in table.columns)  # fmt: skip
    return {"found": await visit.old.rules.list(), "columns": [*islice(columns, _MOST_COLUMNS)]}


async def rule_preview(visit: Visit) -> View:
    """What a rule would do, tried on recent questions: a part of the page of rules."""
    sentence = visit.given("sentence") or measured(*map(visit.given, _MEASURE))
    return {"sentence": sentence, "one": await visit.old.rules.add(sentence, dry_run=True)}


_MEASURE = ("name", "how", "column", "sign", "other")


def measured(name: str, how: str, column: str, sign: str, other: str) -> str:
    """The sentence that the fields of a measure come to.

    >>> measured("order value", "sum", "orders.total", "-", "orders.discount")
    'order value = sum(orders.total - orders.discount)'
    """
    value = f"{column} {sign} {other}" if other else column
    return f"{name} = {how}({value})" if how else f"{name} = {value}"


async def prompts(visit: Visit) -> View:
    """Versions of prompts, and what is on trial."""
    found = await visit.old.prompts.list()
    used = dict.fromkeys(_role(one) for one in found)
    tests = [await visit.old.prompts.test(role) for role in used]
    return {
        "found": [(one, state_of(one), _role(one)) for one in found],
        "tests": [one for one in tests if one is not None],
        "tones": STATE_TONES,
        "roles": ROLES,
        "used": list(used),
    }


async def prompt(visit: Visit) -> View:
    """One version, against the one before or another."""
    version, other = visit.given("version"), visit.given("other")
    lines = await visit.old.prompts.diff(version, other or None)
    found = await visit.old.prompts.list()
    one = next(it for it in found if it.id == version)
    alike = [it.id for it in found if _role(it) == _role(one) and it.id != version]
    return {
        "one": one,
        "lines": lines,
        "other": other or getattr(one.payload, "supersedes", None),
        "others": alike,
        "state": state_of(one),
        "tones": STATE_TONES,
        "role_name": _role(one),
        "title": version,
    }


def _role(version: Memory) -> str:
    return next(tag for tag in version.tags if tag in ROLES)


PAGES = (
    Page("/memories", "Memory", Role.EXPERT, memories, "memories.html", "Learning", "m"),
    Page("/memories/{memory_id}", "Memory", Role.EXPERT, memory, "memory.html"),
    Page("/review", "To review", Role.EXPERT, review, "review.html", "Learning", "w"),
    Page("/rules", "Rules", Role.MEMBER, rules, "rules.html", "Learning", "r"),
    Page("/rules/preview", "Preview", Role.EXPERT, rule_preview, "rule_preview.html"),
    Page("/prompts", "Prompts", Role.EXPERT, prompts, "prompts.html", "Learning", "p"),
    Page("/prompts/{version}", "Prompt", Role.EXPERT, prompt, "prompt.html"),
)
