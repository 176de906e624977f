"""Arithmetic in plain words, computed exactly: what needs no database."""

import re
from collections import deque
from collections.abc import Callable, Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt
from operator import add, mul, sub

_TALK = re.compile(
    r"\b(?:what(?:['’]s| is| are)?|whats|calculate|compute|evaluate|solve|please|can you|could you|tell me|how much is|"  # noqa: RUF001
    r"is|equals?)\b|(?:[?!=]|\.(?!\d))+\s*$",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)|(?P<word>[a-z]+)|(?P<sign>\*\*|[-+*/^%()×÷−–,]))"  # noqa: RUF001
)
_PHRASES = (
    (r"\bdivided by\b", "/"), (r"\bmultiplied by\b", "*"), (r"\bto the power of\b", "^"), (r"\bsquare root of\b", "sqrt"),
    (r"\bsquare root\b", "sqrt"), (r"\bpercent\b", "%"), (r"\bplus\b", "+"), (r"\bminus\b", "-"), (r"\btimes\b", "*"),
    (r"\bover\b", "/"), (r"(?<=[\d)\s])x(?=[\d(\s])", "*"), (r"×", "*"), (r"÷", "/"), (r"[−–]", "-"), (r"\*\*", "^"),  # noqa: RUF001
    (r"\bthe\b", " "), (r"\bsqrt of\b", "sqrt"),
)  # fmt: skip
_MOST_TOKENS = 200
_MOST_BITS = 4_096
"""Size up to which numbers are computed."""
_DIGITS = 12
"""Digits that are shown of a number that has no end."""


_BY_ZERO = "nothing can be divided by zero."


class _NotArithmetic(Exception):
    """It can't be read as arithmetic."""


class _NoValue(Exception):
    """It is arithmetic that has no value; says why."""


def computed(question: str) -> str | None:
    """What a question that is nothing but arithmetic comes to, in words; None when it is something else.

    >>> computed("What's 2 + 2?"), computed("15 % of 80"), computed("What is the square root of 2?")
    ('2 + 2 = 4', '15 % of 80 = 12', 'the square root of 2 is about 1.41421356237')
    >>> computed("What is 1 / 0?")
    '1 / 0 has no value: nothing can be divided by zero.'
    >>> computed("How many orders are there?") is None
    True
    """
    said = " ".join(_TALK.sub(" ", question[:2_000]).split())
    try:
        value = _Reader(_tokens(said)).whole()
    except _NotArithmetic:
        return None
    except _NoValue as reason:
        return f"{said} has no value: {reason}"
    exact, text = _written(value)
    return f"{said} = {text}" if exact else f"{said} is about {text}"


def _tokens(said: str) -> list[str]:
    text = said.casefold()
    for phrase, sign in _PHRASES:
        text = re.sub(phrase, f" {sign} ", text)
    found: list[str] = []
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None or len(found) >= _MOST_TOKENS:
            raise _NotArithmetic
        found.append(match[0].strip())
        place = match.end()
    if len(found) < 2:
        raise _NotArithmetic  # a number alone asks nothing
    return found


class _Reader:
    """Reads values, and the signs between them by how closely they bind."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self._tokens = deque(tokens)

    def whole(self) -> Fraction:
        """What all of it comes to."""
        result = self._value()
        if self._tokens:
            raise _NotArithmetic
        return result

    def _take(self, *wanted: str) -> str:
        return self._tokens.popleft() if self._tokens and self._tokens[0] in wanted else ""

    def _value(self, least: int = 1) -> Fraction:
        """A value with the signs behind it that bind as closely as `least`, or more so."""
        sign = self._take("+", "-")
        result = self._value(_CLOSEST) if sign else self._marked()
        result = -result if sign == "-" else result
        while between := self._take(*(s for s, (close, _) in _BETWEEN.items() if close >= least)):
            close, compute = _BETWEEN[between]
            result = _checked(compute(result, self._value(min(close + 1, _CLOSEST))))
        return result

    def _marked(self) -> Fraction:
        """A value with what stands behind it."""
        value = self._single()
        while mark := self._take(*_BEHIND):
            value = _checked(_BEHIND[mark](value))
        return value

    def _single(self) -> Fraction:
        if self._take("("):
            value = self._value()
            if not self._take(")"):
                raise _NotArithmetic
            return value
        if self._take("sqrt"):
            return _root(self._marked())
        if listed := self._take("sum", "product"):
            return self._listed(add if listed == "sum" else mul)
        token = self._tokens.popleft() if self._tokens else ""
        if not token[-1:].isdigit():
            raise _NotArithmetic
        return Fraction(token.replace(",", ""))

    def _listed(self, joined: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
        """`of 2, 3 and 4`."""
        if not self._take("of"):
            raise _NotArithmetic
        value = self._value(_CLOSEST)
        while self._take(",", "and"):
            self._take("and")
            value = _checked(joined(value, self._value(_CLOSEST)))
        return value


def _divided(value: Fraction, by: Fraction) -> Fraction:
    if by == 0:
        raise _NoValue(_BY_ZERO)
    return value / by


def _checked(value: Fraction) -> Fraction:
    if value.numerator.bit_length() + value.denominator.bit_length() > _MOST_BITS:
        raise _NoValue("it is too large for me.")
    return value


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        if exponent != Fraction(1, 2):
            raise _NotArithmetic
        return _root(base)
    if base == 0 and exponent < 0:
        raise _NoValue(_BY_ZERO)
    size = base.numerator.bit_length() + base.denominator.bit_length()
    if size * abs(exponent.numerator) > _MOST_BITS:
        raise _NoValue("it is too large for me.")
    return base**exponent.numerator


def _root(value: Fraction) -> Fraction:
    if value < 0:
        raise _NoValue("a negative number has no square root.")
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return Fraction(top, bottom)
    with localcontext() as context:
        context.prec = 60
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


_CLOSEST = 3
_BETWEEN: dict[str, tuple[int, Callable[[Fraction, Fraction], Fraction]]] = {
    "+": (1, add), "-": (1, sub), "*": (2, mul), "of": (2, mul), "/": (2, _divided), "^": (_CLOSEST, _raised),
}  # fmt: skip
"""Signs between two values, with how closely they bind."""
_BEHIND: dict[str, Callable[[Fraction], Fraction]] = {
    "%": lambda value: value / 100,
    "squared": lambda value: _raised(value, Fraction(2)),
    "cubed": lambda value: _raised(value, Fraction(3)),
}


def _written(value: Fraction) -> tuple[bool, str]:
    """Whether the digits are all of them, and the digits."""
    if value.denominator == 1:
        return True, str(value.numerator)
    with localcontext() as context:
        context.prec = _DIGITS
        short = Decimal(value.numerator) / Decimal(value.denominator)
    return Fraction(short) == value, f"{short.normalize():f}"
