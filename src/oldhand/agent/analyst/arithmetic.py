"""Arithmetic in plain words, computed exactly: what needs no database."""

import re
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

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
        value = _Reader(_tokens(said)).value()
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
    """Recursive descent: sums of products of powers."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._place = 0

    def value(self) -> Fraction:
        result = self._sum()
        if self._next is not None:
            raise _NotArithmetic
        return result

    @property
    def _next(self) -> str | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _take(self, *wanted: str) -> str | None:
        if self._next in wanted:
            self._place += 1
            return self._tokens[self._place - 1]
        return None

    def _sum(self) -> Fraction:
        result = self._product()
        while sign := self._take("+", "-"):
            right = self._product()
            result = _checked(result + right if sign == "+" else result - right)
        return result

    def _product(self) -> Fraction:
        result = self._signed()
        while sign := self._take("*", "/", "of"):
            right = self._signed()
            if sign == "/" and right == 0:
                raise _NoValue("nothing can be divided by zero.")
            result = _checked(result / right if sign == "/" else result * right)
        return result

    def _signed(self) -> Fraction:
        if sign := self._take("+", "-"):
            value = self._signed()
            return -value if sign == "-" else value
        return self._power()

    def _power(self) -> Fraction:
        base = self._marked()
        return _raised(base, self._signed()) if self._take("^") else base

    def _marked(self) -> Fraction:
        """A value with what stands behind it: %, squared, cubed."""
        value = self._single()
        while mark := self._take("%", "squared", "cubed"):
            if mark == "%":
                value /= 100
            else:
                value = _raised(value, Fraction(2 if mark == "squared" else 3))
        return value

    def _single(self) -> Fraction:
        if self._take("("):
            value = self._sum()
            if not self._take(")"):
                raise _NotArithmetic
            return value
        if self._take("sqrt"):
            return _root(self._marked())
        if self._take("sum"):
            return self._listed(lambda left, right: left + right)
        if self._take("product"):
            return self._listed(lambda left, right: left * right)
        return self._number()

    def _listed(self, joined: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
        """`of 2, 3 and 4`."""
        if not self._take("of"):
            raise _NotArithmetic
        value = self._signed()
        while self._take(",", "and"):
            self._take("and")
            value = _checked(joined(value, self._signed()))
        return value

    def _number(self) -> Fraction:
        token = self._next
        if token is None or not token[-1].isdigit():
            raise _NotArithmetic
        self._place += 1
        return Fraction(token.replace(",", ""))


def _checked(value: Fraction) -> Fraction:
    if value.numerator.bit_length() + value.denominator.bit_length() > _MOST_BITS:
        raise _NoValue("it is too large for me.")
    return value


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        return _root(base) if exponent == Fraction(1, 2) else _unsupported()
    if base == 0 and exponent < 0:
        raise _NoValue("nothing can be divided by zero.")
    size = base.numerator.bit_length() + base.denominator.bit_length()
    if size * abs(exponent.numerator) > _MOST_BITS:
        raise _NoValue("it is too large for me.")
    return base**exponent.numerator


def _unsupported() -> Fraction:
    raise _NotArithmetic


def _root(value: Fraction) -> Fraction:
    if value < 0:
        raise _NoValue("a negative number has no square root.")
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return Fraction(top, bottom)
    with localcontext() as context:
        context.prec = 60
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def _written(value: Fraction) -> tuple[bool, str]:
    """Whether the digits are all of them, and the digits."""
    if value.denominator == 1:
        return True, str(value.numerator)
    with localcontext() as context:
        context.prec = _DIGITS
        short = Decimal(value.numerator) / Decimal(value.denominator)
    return Fraction(short) == value, f"{short.normalize():f}"
