"""Countries: `IT` is Italy only where a column holds places, else a department; `Peru` is the country, though a city is called so."""

from collections.abc import Sequence
from dataclasses import replace

from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import ValueOption
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wordlists import word_lists

_LETTERS = 2
_TOWNS = word_stems("places.towns")
_NARROW = 0.8
_PLACES = word_stems("places.whereabouts")


def may_be(entry: ColumnEntry, code: str, said: str) -> bool:
    """False for a code of two letters in a column without places; what was written so itself may stand anywhere."""
    places = _PLACES | word_lists().synonyms[stem("country")]
    coded = len(code) == _LETTERS and code.lower() != said.lower()
    return not coded or bool(entry.words & places)


def wider_first(
    options: Sequence[ValueOption], columns: Sequence[ColumnEntry]
) -> tuple[ValueOption, ...]:
    """The options of a value, those of a table's city behind those of its country."""
    country, towns = stem("country"), _TOWNS
    wide = {columns[o.column].table for o in options if country in columns[o.column].words}
    return tuple(
        replace(option, score=_NARROW * option.score)
        if columns[option.column].table in wide and columns[option.column].words & towns
        else option
        for option in options
    )
