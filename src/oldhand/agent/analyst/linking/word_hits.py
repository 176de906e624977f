"""What of the schemas each word of a question may be, before words are put together to names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.linking.nouns import is_noun, names_a_value, shared_noun
from oldhand.agent.analyst.words.entries import WordHit
from oldhand.agent.analyst.words.money import money_verbs
from oldhand.agent.analyst.words.shortened import SHORTENED
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.tokens import STOP_WORDS, Token, stem, word_stems
from oldhand.lexicon.wordlists import word_lists

_PERSONS = word_stems("people.persons")
_PART = 3
"""Letters of a word that may be part of one that is written apart: no `s` of an owner, no `e` of `e mail`."""
_REVENUE = stem("revenue")
_SURE = 0.9
"""How well a word must be one of a name for the word before it to be one too."""


def word_hits(tokens: Sequence[Token], vocabulary: Vocabulary) -> Iterator[tuple[int, WordHit]]:
    """The words of the schemas that each word of a question may be, with its position."""
    irregular = word_lists().irregular
    money = set(money_verbs([token.lower for token in tokens]))
    for position, token in enumerate(tokens):
        if not token.is_word or token.quoted:
            continue
        if token.lower in ("named", "called", "titled") and names_a_value(tokens, position + 1):
            continue
        stop = token.lower in STOP_WORDS and not is_noun(tokens, position)
        if stop and position == 0:
            continue  # `return the rentals` of 2024 speaks of no return
        words = {token.stem, token.lower, irregular.get(token.stem, token.stem)}
        words = {_REVENUE} if position in money else words
        own = [
            hit.weaker(0.2) if stop else hit
            for word in words
            for hit in vocabulary.hits(word)
            if (not stop or hit.strength == 1.0)
            and not _is_amount_for_people(token, hit, vocabulary)
        ]
        yield from ((position, hit) for hit in own)
        # `lab_hrs` are labour hours: beside the rest of a name its first letters are enough.
        for hit in (one for one in own if one.column >= 0 < min(one.word, position)):
            part = vocabulary.columns[hit.column].forms[hit.form][hit.word - 1]
            begun = len(part) >= _PART and tokens[position - 1].lower.startswith(part)
            if begun and hit.strength >= _SURE and tokens[position - 1].stem != part:
                yield position - 1, replace(hit, word=hit.word - 1, strength=SHORTENED)
        yield from _written_apart(tokens, position, vocabulary)
        if noun := shared_noun(tokens, position):
            columns = {hit.column for hit in own if hit.column >= 0 and hit.strength >= 0.9}
            for hit in vocabulary.hits(noun):
                if hit.column in columns:
                    yield position, hit


def _is_amount_for_people(token: Token, hit: WordHit, vocabulary: Vocabulary) -> bool:
    """True for a `cst` of fractions that `customers` may be short for: people are no amount unless it is called after them."""
    people = hit.column >= 0 and hit.strength < 1.0 and token.stem in _PERSONS
    return people and vocabulary.columns[hit.column].fractional


def _written_apart(
    tokens: Sequence[Token], position: int, vocabulary: Vocabulary
) -> Iterator[tuple[int, WordHit]]:
    """The names that hold a word and the next one as one word: `home town` and `hometown`; and tables that have their initials as a name."""
    yield from _initials(tokens, position, vocabulary)
    said = [token.lower for token in tokens[position : position + 2] if not token.quoted]
    if len(said) < 2 or not all(len(word) >= _PART and word.isalpha() for word in said):
        return
    joined = stem("".join(said))
    for hit in vocabulary.hits(joined) if joined in vocabulary.words() else ():
        if hit.strength == 1.0:
            yield position, hit
            yield position + 1, replace(hit, word=-1, strength=0.0)


def _initials(
    tokens: Sequence[Token], position: int, vocabulary: Vocabulary
) -> Iterator[tuple[int, WordHit]]:
    """The table `wo` of which `work orders` are the rows, where neither word names anything else."""
    said = [token for token in tokens[position : position + 2] if token.is_word]
    short = "".join(token.lower[0] for token in said)
    if len(short) < 2 or short not in vocabulary.words():
        return
    plain = all(len(one.lower) >= _PART and one.lower not in STOP_WORDS for one in said)
    known = (hit.strength for one in said for hit in vocabulary.hits(one.stem))
    for hit in vocabulary.hits(short) if plain and max(known, default=0.0) < _SURE else ():
        if hit.table >= 0 and len(vocabulary.tables[hit.table].forms[hit.form]) == 1:
            yield position, hit
            yield position + 1, replace(hit, word=-1, strength=0.0)
