"""One correction in SQL in its surroundings, and the words of its question that tell something."""

from oldhand.learning.reflection.reflector import Reflected
from oldhand.record.feedback import Feedback
from oldhand.record.proposal import LessonProposal, ProposedType
from oldhand.record.schema import DatabaseSchema
from oldhand.record.stemming import stemmed
from oldhand.store.search.searched_text import STOP_WORDS, words_of

GENERAL = """
    number amount many much count total sum average mean show list give find tell get name names each every per
    different distinct there exist most least top best highest lowest largest smallest first last more less
"""
"""Words that say what to do with rows, and not which ones."""


class CorrectionInContext:
    """One correction in its surroundings."""

    def __init__(self, reflected: Reflected, feedback: Feedback, schema: DatabaseSchema) -> None:
        self.reflected = reflected
        answer = reflected.episode.answer
        self.stems = stems(answer.standalone or answer.question)
        self.feedback = feedback
        self.schema = schema
        self.found_rows = any(cell not in (0, None) for row in answer.rows for cell in row)
        """Whether the answer was of any rows: a bare 0 counts none."""

    def proposal(
        self, kind: ProposedType, text: str, domain: str, **more: object
    ) -> LessonProposal:
        """A proposal that rests on the words of the person who corrected."""
        return self.reflected.proposal(kind, text, self.feedback.source, domain, **more)

    def place(self, table: str) -> str:
        """The table with its database."""
        return f"{self.schema.name}.{table}"


def stems(text: str) -> frozenset[str]:
    """The stems of all words but those that nearly every question has.

    >>> sorted(stems("How many cancelled orders are there?"))
    ['cancel', 'mani', 'order']
    """
    words = (word for word in words_of(text) if word not in STOP_WORDS)
    return frozenset(stemmed(word, "english") for word in words)
