"""Questions without what changes from one to the next that asks the same: names, quotations and numbers."""

import re

_VARIABLE = re.compile(
    r"(?<!\w)(?:'[^']+'|\"[^\"]+\"|[\d.,]*\d\S*)|(?<=[^.!?\s] )[^\W\d_a-z][\w-]*"
)


def masked(question: str) -> str:
    """The question with a sign in place of each name, quotation and number.

    >>> masked("How many customers live in Basel since 2021?")
    'how many customers live in _ since _'
    """
    return _VARIABLE.sub("_", question.strip().rstrip("?!. ")).casefold()
