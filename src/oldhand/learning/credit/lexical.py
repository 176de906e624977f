"""Where questions stand without an embedder: by their words, so that questions of the same words are near each other.

Each word and each pair of neighbouring letters of it has a fixed place and sign, drawn by its hash; words that say
little count a fifth. Two questions have a cosine of 1 when their words are the same in any order, and of about the
share of their words otherwise, inflected forms being nearly alike.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from oldhand.learning.credit.places import Point
from oldhand.lexicon.entries import words
from oldhand.record.phrases import singular_words
from oldhand.record.retrieval import AskedPoint
from oldhand.record.stemming import stemmed

DIMENSIONS = 509
"""No embedder has vectors of this size."""
_READ = 200
"""Words of a question that are looked at."""
_PIECE = 4
"""Letters of a piece of a word."""
_OF_PIECES = 0.25
"""How much all pieces of a word count, beside the word."""
_LITTLE = 0.2
"""How much a word counts that says little."""
_BY_WORDS = "words"


def point_of(asked: AskedPoint) -> Point:
    """Where a question stands: by its meaning where there is an embedder, else by its words."""
    if asked.vector is not None and bool(np.isfinite(asked.vector).all()):
        return np.asarray(asked.vector, dtype=np.float32)
    return lexical_point(asked.text)


def space_of(asked: AskedPoint) -> str:
    """Where its point can be compared with others: the name of a model and the size of its vectors, or the words."""
    point = point_of(asked)
    return _BY_WORDS if len(point) == DIMENSIONS else f"{asked.model or ''} {len(point)}"


def points_of(asked: AskedPoint, spaces: Collection[str]) -> dict[str, Point]:
    """The places of a question in some spaces: some votes were given while there was no embedder."""
    found = {space_of(asked): point_of(asked)}
    if _BY_WORDS in spaces:
        found[_BY_WORDS] = lexical_point(asked.text)
    return {space: point for space, point in found.items() if space in spaces}


@lru_cache(maxsize=4_096)
def lexical_point(question: str) -> Point:
    """The vector of the words of a question, of length 1.

    >>> one, other, third = map(lexical_point, ("Can I return a bike?", "can a bike be returned", "Who pays sick leave?"))
    >>> round(float(one @ other), 1) >= 0.8, abs(float(one @ third)) < 0.2
    (True, True)
    """
    point = np.zeros(DIMENSIONS, dtype=np.float32)
    for feature, weight in _features(question):
        place = int.from_bytes(blake2b(feature.encode(), digest_size=4).digest())
        point[(place >> 1) % DIMENSIONS] += weight if place & 1 else -weight
    length = float(np.linalg.norm(point))
    point = point / length if length else point
    point.setflags(write=False)
    return point


def _features(question: str) -> Iterator[tuple[str, float]]:
    little = words("function_words.stop")
    for word in dict.fromkeys(singular_words(question)[:_READ]):
        weight = _LITTLE if word in little else 1.0
        yield stemmed(word, "english"), weight
        pieces = [word[at : at + _PIECE] for at in range(len(word) - _PIECE + 1)]
        for piece in pieces if len(word) > _PIECE else ():
            yield f"…{piece}", weight * (_OF_PIECES / len(pieces)) ** 0.5
