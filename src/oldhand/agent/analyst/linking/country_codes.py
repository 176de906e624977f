"""Codes that stand for countries: `IT` is Italy only where a column holds places, else a department."""

from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wordlists import word_lists

_LETTERS = 2
_PLACES = word_stems("places.whereabouts")


def may_be(entry: ColumnEntry, code: str, said: str) -> bool:
    """False for a code of two letters in a column without places; what was written so itself may stand anywhere."""
    places = _PLACES | word_lists().synonyms[stem("country")]
    coded = len(code) == _LETTERS and code.lower() != said.lower()
    return not coded or bool(entry.words & places)
