"""Verbs that ask for money: `how much did we make?`, `how much money was taken?`."""

from collections.abc import Iterator, Sequence

from oldhand.lexicon.entries import words

_EARNED, _HOUSE, _PAID = words("money.earned"), words("money.house"), words("money.paid")
_ASKING = words("verbs.auxiliary")


def money_verbs(said: Sequence[str]) -> Iterator[int]:
    """Where a verb stands that asks how much money was earned or paid.

    Args:
        said: the words of a question, in lower case.

    >>> [list(money_verbs(said.split())) for said in ("how much did we make in 2025", "how much money was paid", "how much did it make")]
    [[4], [4], []]
    """
    opening = [one for one in said[:4] if one != "money"]
    if opening[:2] != ["how", "much"] or _ASKING.isdisjoint(opening[2:3]):
        return
    for place in range(3, len(said)):
        earned = said[place] in _EARNED and not _HOUSE.isdisjoint(said[place - 1 : place])
        if earned or said[place] in _PAID:
            yield place
