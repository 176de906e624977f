"""Amounts that a passage names and a question calls by their names: `refunds above the approval limit of the handbook`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.agent.reading.asked import base_stem
from oldhand.agent.reading.extracting import PassageSentence
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, Token, tokenise

_IS = "|".join(sorted((one.replace("_", " ") for one in words("reading.amounts")), reverse=True))
_SAYS = re.compile(
    rf"\b(?:the|our) (?P<name>[a-z][a-z' -]{{2,60}}?) (?:{_IS}) (?P<amount>\d[\d.,]*\d|\d)(?P<unit> ?%| [a-z]+)?",
    re.IGNORECASE,
)
_OF = re.compile(r" (?:for|of|on) ")


@dataclass(frozen=True)
class NamedAmount:
    """A question with an amount in place of its name."""

    name: str
    amount: str
    """With its unit."""
    question: str


def named_amount(question: str, sentence: PassageSentence) -> NamedAmount | None:
    """The question with the amount that a sentence names; None where it calls no such name.

    What an amount is for has to be asked for, too: the limit of refunds is none of orders.

    >>> from oldhand.testing.passages import found_passage
    >>> said = "The approval limit for refunds is 200 euros."
    >>> sentence = PassageSentence(found_passage(said), 0, said)
    >>> named_amount("How many refunds are above the approval limit of the handbook?", sentence).question
    'How many refunds are above 200 euros?'
    >>> named_amount("How many orders are above the approval limit?", sentence)
    """
    asked = [token for token in tokenise(question) if token.is_word]
    stems = [base_stem(token.lower) for token in asked]
    for said in _SAYS.finditer(sentence.text):
        name, *of = _OF.split(said["name"], maxsplit=1)
        wanted = [base_stem(one) for one in split_name(name.lower())]
        qualified = {base_stem(one) for part in of for one in split_name(part.lower())}
        starts = range(len(stems) - len(wanted) + 1)
        at = next((one for one in starts if stems[one : one + len(wanted)] == wanted), None)
        if at is None or len(wanted) + len(qualified) < 2 or not qualified <= {*stems, *_STOPS}:
            continue
        first, last = _span(asked, at, at + len(wanted), sentence.found.document)
        amount = f"{said['amount']}{said['unit'] or ''}".strip()
        whole = f"{question[: asked[first].start]}{amount}{question[asked[last - 1].end :]}"
        return NamedAmount(said["name"], amount, whole)
    return None


_STOPS = frozenset(map(base_stem, STOP_WORDS))


def _span(asked: Sequence[Token], first: int, last: int, document: str) -> tuple[int, int]:
    """The words of a name with the article before them, and with the document behind them that it stands in."""
    if first and asked[first - 1].lower in STOP_WORDS:
        first -= 1
    past = last
    while past < len(asked) and asked[past].lower in STOP_WORDS:
        past += 1
    papers = words("reading.laid_down") | {one.lower() for one in split_name(document)}
    if last < past < len(asked) and asked[past].lower in papers:
        last = past + 1
    return first, last
