"""Words that a passage defines and no schema knows, as the rules are that people state, and amounts that it names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.agent.reading.asked import base_stem
from oldhand.agent.reading.extracting import PassageSentence, sentences_in
from oldhand.agent.reading.leaning import names_in
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, Token, tokenise
from oldhand.record.document import FoundPassage
from oldhand.record.phrases import singular_words
from oldhand.record.schema import DatabaseSchema, with_rule
from oldhand.record.semantics import Measure, NamedCondition

TRIED = 6
"""Sentences that are read as rules."""
_DEFINING = "|".join(sorted(words("reading.defines")))
_DEFINES = re.compile(rf"\b(?:{_DEFINING})\b", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:by|with) (.{3,60}?),? we (?:mean|understand)\b|^we (?:call|speak of)\b", re.IGNORECASE
)
_IS = "|".join(sorted((one.replace("_", " ") for one in words("reading.amounts")), reverse=True))
_SAYS = re.compile(
    rf"\b(?:the|our) (?P<name>[a-z][a-z' -]{{2,60}}?) (?:{_IS}) (?P<amount>\d[\d.,]*\d|\d)(?P<unit> ?%| [a-z]+)?",
    re.IGNORECASE,
)
_OF = re.compile(r" (?:for|of|on) ")


@dataclass(frozen=True)
class PassageDefinition:
    """A word of a question as a passage defines it."""

    sentence: PassageSentence
    name: str
    told: str
    knowing: Inquiry
    """The question, asked by who knows that."""


def definition_for(
    question: str, passages: Sequence[FoundPassage], inquiry: Inquiry, values: ValueSource
) -> PassageDefinition | None:
    """What passages define of the words of a question; what people have stated wins. Blocks."""
    asked = [base_stem(token.lower) for token in tokenise(question) if token.is_word]
    lookup = None
    for sentence in _defining(passages, asked)[:TRIED]:
        amount = named_amount(question, sentence)
        if amount is not None and not _is_known(amount.name, inquiry.schemas):
            knowing = replace(inquiry, question=amount.question)
            return PassageDefinition(sentence, amount.name, amount.amount, knowing)
        lookup = lookup or values.lookup(inquiry.schemas, inquiry.today)
        try:
            read = read_rule(_plain(sentence.text), inquiry.schemas, lookup.values)
        except UnclearRule:
            continue
        if (
            isinstance(read.rule, NamedCondition | Measure)
            and _stands(_stems(read.rule.name), asked)
            and not _is_known(read.rule.name, inquiry.schemas)
        ):
            knowing = _with_rule(inquiry, read, sentence.found.document)
            return PassageDefinition(sentence, read.rule.name, read.rule.told, knowing)
    return None


def _with_rule(inquiry: Inquiry, read: ReadRule, document: str) -> Inquiry:
    """The question, asked of schemas that know the word."""
    rule = read.rule.model_copy(update={"by": document})
    return replace(inquiry, schemas=with_rule(inquiry.schemas, read.database, rule))


def _defining(passages: Sequence[FoundPassage], asked: Sequence[str]) -> list[PassageSentence]:
    """Sentences that may define two words of a question, or more."""
    wanted = {one for one in asked if one not in _STOPS}
    return [
        one
        for found in passages
        for one in sentences_in(found)
        if len(wanted & one.stems) > 1 and _DEFINES.search(one.text)
    ]


_STOPS = frozenset(map(base_stem, STOP_WORDS))


def _plain(sentence: str) -> str:
    """A definition as it would be stated: `By big orders we mean …` is `big orders are …`."""
    return _OPENING.sub(lambda found: f"{found[1]} are" if found[1] else "", sentence)


def _stems(name: str) -> list[str]:
    return [base_stem(part) for part in split_name(name) if part not in STOP_WORDS]


def _stands(name: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether the words stand one after the other in a question."""
    starts = range(len(asked) - len(name) + 1)
    return bool(name) and any(list(asked[at : at + len(name)]) == list(name) for at in starts)


def _is_known(name: str, schemas: Sequence[DatabaseSchema]) -> bool:
    """Whether people have stated what the words mean, or a schema knows each of them: `cost` is not `costly`."""
    stated = (_stems(rule.name) for one in schemas for rule in one.semantics.rules)
    known = singular_words(" ".join(names_in(schemas)))
    return _stems(name) in stated or set(singular_words(name)) <= {*known, *STOP_WORDS}


# Amounts that a passage names and a question calls by their names: `refunds above the approval limit of the handbook`.
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

    >>> from oldhand.testing.records import found_passage
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
