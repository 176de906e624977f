"""Names that are short for a word, in English or in the language in which their schema is written."""

from collections.abc import Iterator, KeysView, Mapping

from oldhand.lexicon.languages import in_language
from oldhand.lexicon.naming import is_short_for, short_for_others, without_vowels
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wordlists import word_lists

SYNONYM = 0.7
"""How much a synonym counts against 1 for the very word."""
SHORTENED = 0.8
"""How much a name counts that is short for the word."""
AMBIGUOUS = 0.75
"""How much it counts where it lacks nothing but the vowels of another word."""
UNVOICED = 0.9
"""How much it counts where it lacks nothing but vowels."""
INITIALS = 0.6
"""How much two letters count that open a word, or are its first one and another consonant."""
_COMPUTING = word_stems("grouping.aggregates")
CUT_OFF = 3
"""Letters of the names of some schemas."""


def short_forms(word: str, spelt: Mapping[str, str], known: KeysView[str]) -> dict[str, float]:
    """The stems of names that are short for a word, and how surely each is.

    Args:
        word: a stem.
        spelt: the words of names as they are written, each with its stem.
        known: the stems that stand for something.
    """
    short: dict[str, float] = {}
    for written, other in spelt.items():
        for one in (written, written.removesuffix("s")):
            if other in known and other != stem(word) and is_short_for(one, word):
                exact, another = one == without_vowels(word), short_for_others(one, word)
                exact, another = exact and len(one) > 2, another or len(one) == 2
                strength = UNVOICED if exact else AMBIGUOUS if another else SHORTENED
                short[other] = max(strength, short.get(other, 0.0))
    return short


def short_in_languages(word: str, pieces: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    """The pieces of names that may be short for a word, and how surely each is.

    Args:
        word: the stem of an English word.
        pieces: parts of names that say nothing as they are, each with the language of its schema.

    >>> sorted(short_in_languages("driver", {"fah": "german", "fz": "german", "kd": "german"}))
    [('fah', 0.8)]
    """
    lists = word_lists()
    doing = word in lists.filler_stems or word in {*lists.irregular, *lists.irregular.values()}
    near = {word: 1.0, **dict.fromkeys(lists.synonyms.get(word, ()), SYNONYM)}
    for piece, language in pieces.items() if word not in _COMPUTING else ():
        sure = max(
            _shortness(piece, own) * nearness
            for meant, nearness in near.items()
            for own in (meant, *in_language(meant, language))
        )
        # Two letters are in nearly any word: no `co` is short for `come`.
        if sure and not (doing and len(piece) < CUT_OFF):
            yield piece, sure


def _shortness(short: str, word: str) -> float:
    if is_short_for(short, word) or (len(short) >= CUT_OFF and word.startswith(short)):
        return SHORTENED
    opens = word.startswith(short) or (
        short[0] == word[0] and short[1:] in without_vowels(word)[1:]
    )
    return INITIALS if len(short) == 2 < len(word) and opens else 0.0


def same_root(one: str, other: str) -> bool:
    """True for words that differ in their ends alone: nation, nationality."""
    short, long = sorted((len(one), len(other)))
    same = max(short - 1, 5)
    return short >= 5 and long - short <= 5 and one[:same] == other[:same]
