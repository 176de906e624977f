"""Whether the words of a question ask for rows of a database, or for what a document lays down."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from oldhand.agent.analysis.mind import Answerability, Inquiry, Validation
from oldhand.agent.reading.asked import LIGHT, asked_words, base_stem, stems_of
from oldhand.agent.reading.belief import ANSWER_FROM
from oldhand.agent.reading.extracting import Extract
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, tokenise
from oldhand.record.document import FoundPassage
from oldhand.record.schema import DatabaseSchema
from oldhand.record.situation import Intent, intent_of

_ROWS = frozenset(
    {Intent.AGGREGATION, Intent.RANKING, Intent.TREND, Intent.LISTING, Intent.COMPARISON}
)
_MANY = re.compile(r"^(?:and )?how many ", re.IGNORECASE)
_NEAR = 3
"""Words between which a number and what it counts stand: `12 full-time employees`."""
_HOW = re.compile(r"^(?:and )?how (?:do|does|can|should|must|is|are|soon)\b")
LEANS = 0.25
"""How much the words of a question count, beside how well either side can answer it."""
LAID_DOWN = 0.05
"""How much less belief is needed for a question about what is laid down."""
_OF_VERDICT = {
    Answerability.ANSWERABLE: 1.3,
    Answerability.DIRECT: 2.0,
    Answerability.PROPOSED: 0.6,
    Answerability.CLARIFY: 0.6,
    Answerability.UNANSWERABLE: 0.0,
}
"""What is left of a mind's confidence by what it would do."""


def leaning_of(question: str) -> float:
    """From -1, for rows of databases, to 1, for what documents say.

    >>> [leaning_of(q) for q in ("Who approves expenses?", "How many orders are there?", "Where is Berlin?")]
    [1.0, -1.0, 0.0]
    """
    said = {token.lower for token in tokenise(question) if token.is_word}
    laid_down = bool(said & words("reading.laid_down")) or bool(_HOW.match(question.casefold()))
    rows = intent_of(question) in _ROWS
    return float(laid_down) - float(rows)


def needed(question: str) -> float:
    """Belief from which passages answer a question: less where it asks for what is laid down."""
    return ANSWER_FROM - (LAID_DOWN if leaning_of(question) > 0 else 0.0)


@dataclass(frozen=True)
class Weighed:
    """Both ways to answer a question, before one is gone."""

    question: str
    documents: float
    """How likely passages answer it."""
    databases: Validation | None
    """What the analyst makes of it; None where there are no databases."""
    only_written: bool = False
    """Whether databases would answer without a word that stands in passages."""
    only_rows: bool = False
    """Whether it asks how many rows a table has, and no passage says a number of such."""
    nearest: Extract | None = None
    """What the passages say that comes nearest; None also where the answer was confirmed."""

    @property
    def rows(self) -> float:
        """How likely databases answer it."""
        if self.databases is None or self.only_written:
            return 0.0
        return self.databases.confidence * _OF_VERDICT[self.databases.verdict]

    @property
    def by_documents(self) -> bool:
        """Whether passages answer it, and rather than databases."""
        if self.only_rows:
            return False
        leaning = LEANS * leaning_of(self.question)
        return self.documents >= needed(self.question) and self.documents + leaning > self.rows

    @property
    def may_be_documents(self) -> bool:
        """Whether passages answer it, should databases tell little, and it does not ask for rows."""
        return self.documents >= needed(self.question) and leaning_of(self.question) >= 0

    @property
    def is_for_documents(self) -> bool:
        """Whether it is one for documents, even where these don't answer it."""
        return self.only_written and leaning_of(self.question) >= 0

    @property
    def by_databases(self) -> bool:
        """Whether databases answer it, and rather than passages."""
        told = self.databases
        return (
            told is not None and told.verdict is Answerability.ANSWERABLE and not self.by_documents
        )


def only_written(inquiry: Inquiry, read: Validation, passages: Sequence[FoundPassage]) -> bool:
    """Whether databases have nothing of a word of weight that passages have: a notice period is no time between two days of tickets."""
    if read.proposal is None:
        return False
    named = map(base_stem, names_in(inquiry.schemas))
    left = stems_of(" ".join(read.proposal.left_out)).difference(named)
    telling = {one.stem for one in asked_words(inquiry.question).words if one.weight > LIGHT} & left
    return any(telling & stems_of(one.passage.text) for one in passages)


def rows_counted(question: str, schemas: Sequence[DatabaseSchema]) -> str:
    """The stem of the rows that a question counts, when they are those of a table; empty for other questions.

    What is laid down is no count of rows, though it may name some: `How many guests may a room hold?`
    """
    asks = _MANY.match(question)
    if asks is None or leaning_of(question) >= 0:
        return ""
    tables = {
        base_stem(split_name(table.name)[-1]) for schema in schemas for table in schema.tables
    }
    for token in tokenise(question[asks.end() :]):
        if token.lower in STOP_WORDS:
            break
        if (found := base_stem(token.lower)) in tables:
            return found
    return ""


def says_number_of(text: str, counted: str) -> bool:
    """Whether a text says how many there are: a number stands right before what is counted.

    >>> [says_number_of(text, "guest") for text in ("It takes 12 paying guests.", "Guests under 15 wear one.")]
    [True, False]
    """
    said = [token for token in tokenise(text) if token.is_word]
    return any(
        one.number is not None and counted in {base_stem(two.lower) for two in said[at + 1 : at + 1 + _NEAR]}
        for at, one in enumerate(said)
    )  # fmt: skip


def names_in(schemas: Sequence[DatabaseSchema]) -> Iterator[str]:
    """The words that tables and columns are called by."""
    for schema in schemas:
        for table in schema.tables:
            for called in (table.name, *(column.name for column in table.columns)):
                yield from split_name(called)
