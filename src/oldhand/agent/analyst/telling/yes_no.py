"""Answers that begin with yes or no."""

import re

from sqlglot import exp

from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import human

_THINGS = words("names.titles") | {"id"}
_ASKS = re.compile(r"\s*(is|are|was|were|does|do|did|has|have|had)\b", re.IGNORECASE)


def asks_yes_no(question: str) -> bool:
    """True for questions that begin with a verb.

    >>> asks_yes_no("Do we have stores in Rome?"), asks_yes_no("Which stores do we have?")
    (True, False)
    """
    return bool(_ASKS.match(question))


def with_yes_or_no(sentence: str, *, found: bool) -> str:
    """A sentence about what was found, after the word that answers the question.

    >>> with_yes_or_no("None found: there are no stores in Rome.", found=False)
    'No: there are no stores in Rome.'
    """
    said = sentence.removeprefix("None found: ")
    keep = not said.startswith(("There ", "None ", "No ", "The "))
    return f"{'Yes' if found else 'No'}: {said if keep else said[:1].lower() + said[1:]}"


def shows_things(select: exp.Select) -> bool:
    """True when only names and numbers of things are shown: that there are some says yes, that there are none no.

    >>> from sqlglot import parse_one
    >>> shows_things(parse_one("SELECT name FROM stores")), shows_things(parse_one("SELECT closed_at FROM tickets"))
    (True, False)
    """
    names = [human(o.name) for o in select.selects if isinstance(o, exp.Column)]
    telling = [name.rpartition(" ")[2] in _THINGS for name in names]
    return len(names) == len(select.selects) and all(telling)
