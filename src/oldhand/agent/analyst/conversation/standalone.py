"""A follow-up as a question of its own, in the words that people used, where these are read as the very same query."""

import re
from collections.abc import Iterator

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.lexicon.entries import meanings
from oldhand.lexicon.tokens import NUMBER_WORDS
from oldhand.query.describing.describing import describe
from oldhand.query.difference import difference
from oldhand.query.form import Aggregate, Comparison, Node, Query
from oldhand.query.normal import same

_LEAD = re.compile(
    r"^(?:the|ok(?:ay)?|so|now|and|but|then|what about|how about|same for|only|just|show(?: me)?|(?:those|the ones|which(?: ones)?|who|how many|them|of them|of these|of those)(?: (?:are|is|were|have))?|also|,)\s+",
    re.IGNORECASE,
)
_FIRST = re.compile(rf"^(?:first|top|last) (?:\d+|{'|'.join(NUMBER_WORDS)})(?: rows)?$", re.IGNORECASE)  # fmt: skip
_TAIL = re.compile(r"^(?P<head>\w.*\w), only the (?P<tail>(?:first|top|last) \w+)[?.! ]*$", re.IGNORECASE)  # fmt: skip
_BACK = re.compile(r"\b(?:of|from|among) (?:them|those|these)\b|\b(?:ones|them|those|these)\b", re.IGNORECASE)  # fmt: skip


def standalone_question(follow_up: str, scene: Scene, query: Query) -> str:
    """The question before with what a follow-up says, in words that are read as `query`; empty where no such words are found.

    Args:
        follow_up: such as `and in Hamburg?`.
        scene: the question before, with its query.
        query: what the follow-up was read as.
    """
    for text in dict.fromkeys(_wordings(follow_up, scene, query)):
        read = scene.read(text)
        if read is not None and same(read, query):
            return text
    first = _said(follow_up)
    return f"{bare_question(scene.question)}, only the {first}?" if _FIRST.match(first) else ""


def with_tail(question: str) -> tuple[str, str] | None:
    """A question and the follow-up that was put behind it; None for any other question.

    >>> with_tail("Which customers live in Rome, only the first three?"), with_tail("Which are the first three?")
    (('Which customers live in Rome', 'only the first three'), None)
    """
    found = _TAIL.match(question)
    return (found["head"], f"only the {found['tail']}") if found else None


def bare_question(question: str) -> str:
    """A question without the sign at its end."""
    return " ".join(question.split()).rstrip("?.! ")


def _wordings(follow_up: str, scene: Scene, query: Query) -> Iterator[str]:
    before = bare_question(scene.question)
    said = _said(follow_up)
    yield f"{_exchanged(before, scene.query, query)}?"
    if said:
        for between in (" ", " with ", " in ", " for ", " that are ", ", only ", " by "):
            yield f"{before}{between}{said}?"
    yield f"List the {describe(query, scene.schemas)}"  # `who are they?`


def _said(follow_up: str) -> str:
    """What a follow-up adds, without the words that only tie it to the question before."""
    said = bare_question(follow_up.replace("\u2019", "'"))
    while (shorter := _LEAD.sub("", said)) != said:
        said = shorter
    return " ".join(_BACK.sub(" ", said).split())


def _exchanged(before: str, one: Query, other: Query) -> str:
    """The question before with the new values in place of those that it names."""
    for found in difference(one, other).exchanged:
        for pairs in _said_by(found.one.node, found.other.node):
            before = _with_first(before, pairs)
    return before


def _said_by(old: Node | int, new: Node | int) -> Iterator[tuple[tuple[str, str], ...]]:
    """What the words for one part may be, each with those for the other: values, years, functions."""
    if isinstance(old, Comparison) and isinstance(new, Comparison):
        for was, is_now in zip(map(str, old.values), map(str, new.values), strict=False):
            yield ((was, is_now), (was[:4], is_now[:4]))
    elif isinstance(old, int):
        yield ((str(old), str(new)),)
    elif isinstance(old, Aggregate) and isinstance(new, Aggregate):
        known = meanings("grouping.aggregates")
        theirs = next((word for word, meant in known.items() if meant == new.function), "")
        yield tuple(
            (word, theirs) for word, meant in known.items() if theirs and meant == old.function
        )


def _with_first(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """A text with the first of some words that it holds exchanged."""
    for old, new in pairs:
        pattern = re.compile(rf"\b{re.escape(old)}\b", re.IGNORECASE)
        if old != new and pattern.search(text):
            return pattern.sub(lambda _, new=new: new, text)
    return text
