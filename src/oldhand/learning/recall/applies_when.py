"""The little language that says when a lesson applies: `intent == 'explanation' AND complexity < 0.3`.

    condition  = both { "OR" both }
    both       = single { "AND" single }
    single     = "NOT" single | "(" condition ")" | comparison
    comparison = name operator literal | name [ "NOT" ] "IN" "(" literal { "," literal } ")"
    name       = "intent" | "tool" | "database" | "complexity"
    operator   = "==" | "!=" | "<" | "<=" | ">" | ">="

NOT binds closer than AND, AND closer than OR; these words may be written in any letter case. Texts stand in single or
double quotes, and a doubled quote stands for one. `complexity` is a number and the others are texts, which have no
order. There may be several tools and databases at hand: `==` and IN hold when one of them fits, `!=` and NOT IN when
none does.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne
from typing import NamedTuple

from oldhand.errors import InvalidCondition
from oldhand.record.memory import Memory, SemanticPayload
from oldhand.record.situation import Situation

LONGEST = 20_000
"""Characters of a condition."""
DEEPEST = 50
"""Conditions that may stand inside of each other."""

Value = str | float


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds in a situation, or does not."""

    holds: Callable[[Situation], bool]


@lru_cache(maxsize=1024)
def read_condition(text: str) -> Condition:
    """Read a condition.

    Raises:
        InvalidCondition: it is none; the error has the position.

    >>> condition = read_condition("intent == 'explanation' AND complexity < 0.3")
    >>> condition.holds(Situation(intent="explanation", complexity=0.1))
    True
    >>> read_condition("mood == 'good'")
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidCondition: At character 1: there is no 'mood'; a condition is about intent, tool, database or complexity.
    """
    if len(text) > LONGEST:
        raise InvalidCondition(
            f"a condition has {LONGEST:,} characters at most, and this one {len(text):,}",
            position=LONGEST,
        )
    reader = _Reader(_tokens(text))
    found = reader.condition(0)
    reader.end()
    return found


def condition_of(memory: Memory) -> str | None:
    """When a memory applies, as it was written; None when it always does."""
    payload = memory.payload
    if isinstance(payload, SemanticPayload):
        said: object = payload.applies_when
    else:
        said = (payload.model_extra or {}).get("applies_when")
    if said is None:
        return None
    return (said.strip() or None) if isinstance(said, str) else repr(said)


def fault_in_condition(memory: Memory) -> InvalidCondition | None:
    """Why the condition of a memory can't be read; such a memory is never recalled.

    >>> from oldhand.record.memory import MemoryType
    >>> from oldhand.testing.records import example_memory
    >>> rule = {"rule": "Answer in a sentence.", "applies_when": "when it rains"}
    >>> print(fault_in_condition(example_memory(kind=MemoryType.SEMANTIC, payload=rule)))
    At character 1: there is no 'when'; a condition is about intent, tool, database or complexity.
    """
    said = condition_of(memory)
    try:
        _ = None if said is None else read_condition(said)
    except InvalidCondition as error:
        return error
    return None


def applies(memory: Memory, situation: Situation) -> bool:
    """Whether a memory applies in a situation; never, when its condition can't be read."""
    said = condition_of(memory)
    try:
        return said is None or read_condition(said).holds(situation)
    except InvalidCondition:
        return False


def _every(parts: Sequence[Condition]) -> Condition:
    return Condition(lambda situation: all(part.holds(situation) for part in parts))


def _some(parts: Sequence[Condition]) -> Condition:
    return Condition(lambda situation: any(part.holds(situation) for part in parts))


def _not(part: Condition) -> Condition:
    return Condition(lambda situation: not part.holds(situation))


_TEXTS: Mapping[str, Callable[[Situation], frozenset[str]]] = {
    "intent": lambda situation: frozenset({situation.intent}),
    "tool": lambda situation: situation.tools,
    "database": lambda situation: situation.databases,
}
_NUMBER = "complexity"
_COMPARISONS = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>'(?:[^']|'')*'|"(?:[^"]|"")*")|(?P<number>-?(?:\d+(?:\.\d*)?|\.\d+)(?![\w.]))|(?P<word>[^\W\d]\w*)|(?P<sign>==|!=|<=|>=|[<>(),]))"""
)
_WORDS = frozenset({"and", "or", "not", "in"})


class _Token(NamedTuple):
    kind: str
    """`text`, `number`, `name`, `end`, or the word or sign itself."""
    value: str
    at: int


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise InvalidCondition(
                f"{text[at]!r} is not understood here{_hint(text[at])}", position=at
            )
        kind = str(match.lastgroup)
        value, start = match[kind], match.start(kind)
        if kind == "sign":
            kind = value
        elif kind == "word":
            kind = value.lower() if value.lower() in _WORDS else "name"
        found.append(_Token(kind, value, start))
        at = match.end()
    return [*found, _Token("end", "the end", end)]


def _hint(sign: str) -> str:
    if sign == "=":
        return "; equal is written =="
    return "; a text ends with the quote that it starts with" if sign in "'\"" else ""


class _Reader:
    """Reads one condition by recursive descent."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._place = 0

    def condition(self, depth: int) -> Condition:
        parts = [self._both(depth)]
        while self._passes("or"):
            parts.append(self._both(depth))
        return _some(parts)

    def end(self) -> None:
        if self._next.kind != "end":
            raise self._fault(f"expected AND, OR or the end, and not {self._next.value!r}")

    def _both(self, depth: int) -> Condition:
        parts = [self._single(depth)]
        while self._passes("and"):
            parts.append(self._single(depth))
        return _every(parts)

    def _single(self, depth: int) -> Condition:
        if depth > DEEPEST:
            raise self._fault(f"more than {DEEPEST} conditions stand inside of each other")
        if self._passes("not"):
            return _not(self._single(depth + 1))
        if self._passes("("):
            inner = self.condition(depth + 1)
            self._take(")")
            return inner
        return self._comparison()

    def _comparison(self) -> Condition:
        name = self._next
        if name.kind != "name":
            raise self._fault(
                f"expected intent, tool, database or complexity, and not {name.value!r}"
            )
        if name.value not in _TEXTS and name.value != _NUMBER:
            raise self._fault(
                f"there is no {name.value!r}; a condition is about intent, tool, database or complexity"
            )
        self._place += 1
        negated = self._passes("not")
        if negated or self._next.kind == "in":
            self._take("in")
            found = self._among(name.value)
            return _not(found) if negated else found
        return self._compared(name.value)

    def _among(self, name: str) -> Condition:
        self._take("(")
        values = [self._literal(name)]
        while self._passes(","):
            values.append(self._literal(name))
        self._take(")")
        return _held(name, "==", values)

    def _compared(self, name: str) -> Condition:
        operator = self._next
        if operator.kind not in _COMPARISONS:
            raise self._fault(f"expected ==, !=, <, <=, >, >= or IN, and not {operator.value!r}")
        if name != _NUMBER and operator.kind not in ("==", "!="):
            raise self._fault(f"{name} has no order: only ==, != and IN compare it")
        self._place += 1
        value = [self._literal(name)]
        if name != _NUMBER and operator.kind == "!=":
            return _not(_held(name, "==", value))
        return _held(name, operator.kind, value)

    def _literal(self, name: str) -> Value:
        wanted = "number" if name == _NUMBER else "text"
        token = self._next
        if token.kind != wanted:
            written = "a number" if wanted == "number" else "a text in quotes"
            raise self._fault(f"expected {written} for {name}, and not {token.value!r}")
        self._place += 1
        if wanted == "number":
            return float(token.value)
        quote = token.value[0]
        return token.value[1:-1].replace(quote * 2, quote)

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place]

    def _passes(self, kind: str) -> bool:
        if self._next.kind != kind:
            return False
        self._place += 1
        return True

    def _take(self, kind: str) -> None:
        if not self._passes(kind):
            raise self._fault(f"expected {kind.upper()!r}, and not {self._next.value!r}")

    def _fault(self, message: str) -> InvalidCondition:
        return InvalidCondition(message, position=self._next.at)


def _held(name: str, operator: str, values: Sequence[Value]) -> Condition:
    """One of the names at hand is one of the values, or the complexity compares so with one of them."""
    if name == _NUMBER:
        compare, numbers = _COMPARISONS[operator], [float(value) for value in values]
        return Condition(lambda at: any(compare(at.complexity, number) for number in numbers))
    wanted, there = frozenset(map(str, values)), _TEXTS[name]
    return Condition(lambda situation: not wanted.isdisjoint(there(situation)))
