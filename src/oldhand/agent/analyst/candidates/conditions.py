"""Single conditions, and what stands inside of them."""

from collections.abc import Iterable, Iterator

from oldhand.query.form import AllOf, AnyOf, Comparison, Has, Negation, OwnGroup, Predicate, Query

Condition = Comparison | Has
"""A predicate that is made of no others."""


def single(predicates: Iterable[Predicate]) -> Iterator[Condition]:
    """The conditions that some predicates are made of.

    >>> from oldhand.query.form import Value
    >>> one, two = (Comparison(Value(1), "=", (number,)) for number in (1, 2))
    >>> list(single([AnyOf((one, two))])) == [one, two]
    True
    """
    for predicate in predicates:
        match predicate:
            case AnyOf(predicates=several) | AllOf(predicates=several):
                yield from single(several)
            case Negation(predicate=inner):
                yield from single((inner,))
            case _:
                yield predicate


def inner(condition: Condition) -> Query | None:
    """The query whose rows, or whose one value, a condition compares with."""
    return condition.rows if isinstance(condition, Has) else condition.query


def is_plain(condition: Condition) -> bool:
    """True when a row meets it, or not, by what it holds itself: nothing is looked up in other rows."""
    return isinstance(condition, Comparison) and not isinstance(condition.right, Query | OwnGroup)
