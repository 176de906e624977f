"""Which of many lessons can't be right because another one counts more, without comparing all pairs."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from oldhand.learning.distillation.likeness import RuleClaim
from oldhand.learning.distillation.places import detail_of, leaves_out, place_of
from oldhand.record.effect import Effect

_ANY = "any"


class Stand(NamedTuple):
    """What a lesson says in a place, where who says anything else can't be right with it."""

    says: Hashable
    looks: tuple[Hashable, ...]
    """Where those that it contradicts are found."""
    lies: tuple[Hashable, ...]
    """Where it is found by them."""

    def within(self, scope: str) -> "Stand":
        """The same, where only lessons of one scope are compared: those of one person under one condition."""
        looks, lies = (tuple((scope, one) for one in places) for places in self[1:])
        return Stand(self.says, looks, lies)


def stand_of_effect(effect: Effect) -> Stand:
    """As `contradict` says: two filters that only leave something out don't find each other."""
    place, binding = (place_of(effect), _ANY), (place_of(effect), "binding")
    if leaves_out(effect):
        return Stand(detail_of(effect), (binding,), (place,))
    return Stand(detail_of(effect), (place,), (place, binding))


def stands_of_claim(claim: RuleClaim) -> Iterator[Stand]:
    """As `RuleClaim.against` says: against the same amounts, or for other ones; an order that is not told is any."""
    sides: list[tuple[Hashable, Hashable]] = [(claim.amounts, claim.holds)]
    if claim.holds:
        sides.append(("amounts", claim.amounts))
    for side, says in sides if claim.matter else ():
        place = (side, claim.matter, claim.conditions)
        any_order, same = (*place, _ANY), (*place, claim.order)
        looks = (same, (*place, ())) if claim.order else (any_order,)
        yield Stand(says, looks, (same, any_order))


class Opponents:
    """Takes lessons in, those that count most first, and finds for the next one the first that it contradicts.

    >>> opponents = Opponents()
    >>> opponents.taken("rule-1", [Stand("net", ("sales",), ("sales",))])
    >>> opponents.taken("rule-2", [Stand("net", ("sales",), ("sales",))])
    >>> opponents.taken("rule-3", [Stand("gross", ("sales",), ("sales",))])
    'rule-1'
    """

    def __init__(self) -> None:
        self._said: defaultdict[Hashable, dict[Hashable, str]] = defaultdict(dict)
        """In each place the first lesson, and the first that says anything else: one of these contradicts whatever comes."""

    def taken(self, name: str, stands: Sequence[Stand]) -> str | None:
        """The lesson that counts more and says otherwise; None where there is none."""
        said = (x for one in stands for place in one.looks for x in self._said[place].items() if x[0] != one.says)  # fmt: skip
        found = next(said, None)
        for one in stands:
            for place in one.lies:
                if len(self._said[place]) < 2:
                    self._said[place].setdefault(one.says, name)
        return found and found[1]
