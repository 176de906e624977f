"""Verbs that ask for money: `how much did we make?`, `what did Ana pay?`, `who spent the most?`."""

from collections.abc import Iterator, Sequence

from oldhand.lexicon.entries import words

_EARNED, _HOUSE, _PAID = words("money.earned"), words("money.house"), words("money.paid")
_GIVEN = words("money.given")
_ASKING, _SELLING = words("verbs.auxiliary"), words("verbs.selling")
_RELATIVE = words("function_words.relative")
_BETWEEN, _MOST, _AFTER = words("money.how_much"), words("money.ends"), words("money.after_most")


def money_verbs(said: Sequence[str]) -> Iterator[int]:
    """Where a verb stands that asks how much money was earned or paid.

    Args:
        said: the words of a question, in lower case.

    >>> [list(money_verbs(said.split())) for said in ("how much did we make in 2025", "how much money was paid", "how much did it make")]
    [[4], [4], []]
    >>> [list(money_verbs(said.split())) for said in ("who spent the most", "who made the most cakes", "what did Ana pay", "what do we pay Ana")]
    [[1], [], [3], []]
    >>> list(money_verbs("what is the average age of members who took a course".split()))
    []
    """
    opening = [one for one in said[:4] if one != "money"]
    much = opening[:2] == ["how", "much"] and not _ASKING.isdisjoint(opening[2:3])
    asking = much or (said[:1] == ["what"] and not _ASKING.isdisjoint(said[1:2]))
    for place in range(1, len(said)):
        otherwise = said[0] == "who" or said[place] in _SELLING  # they have wages, or sell pieces
        house = not _HOUSE.isdisjoint(said[place - 1 : place])
        earned, paid = said[place] in _EARNED, said[place] in _PAID
        given = house and not much and said[place] in _GIVEN
        told = not _RELATIVE.isdisjoint(said[2:place])  # of whom it is asked: those who paid
        asked = (
            asking
            and not told
            and place > 1
            and ((earned and house and much) or paid)
            and not given
        )
        summed = paid and said[place - 1] in ("total", "money")
        ranked = (paid or (earned and not otherwise)) and _is_most(said[place + 1 :])
        if asked or summed or ranked:
            yield place


def _is_most(rest: Sequence[str]) -> bool:
    """True where `the most` follows, and nothing that there is the most of."""
    there = next((i for i, word in enumerate(rest) if word not in _BETWEEN), len(rest))
    after = rest[there + 1 : there + 2]
    return not _MOST.isdisjoint(rest[there : there + 1]) and all(
        word in _AFTER or not word.isalpha() for word in after
    )
