"""Whether two texts say the same, or the opposite: by their words, with as little guessing as possible.

Two rules that differ in the name of a table are two rules. So texts are the same only if their words are, endings,
order, small words and slips of the pen aside; a longer text may add words to a shorter one, but no names and no
conditions.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz

from oldhand.record.phrases import singular_words

_ALIKE = 0.75
"""Share of the words of both texts that both have; after Broder, “On the resemblance and containment of documents” (1997)."""
_SPELT_ALIKE = 85.0
"""Similarity of two words of which one may be a slip of the pen; 0 to 100, as rapidfuzz counts."""
_SHORTEST_SLIP = 5
"""Letters of a word that may have one; `order` is no slip of `older`, but that is told by the rest of the rule."""

_NEGATIONS = frozenset(
    ["not", "never", "no", "dont", "don", "doesnt", "doesn", "cannot", "cant", "avoid", "stop", "without", "exclude", "skip", "omit", "refrain", "neither", "nor", "shouldnt", "mustnt", "wont", "isnt", "arent", "leave"]
)  # fmt: skip
_CONDITIONS = frozenset(["except", "unless", "only", "if", "when", "where", "while", "until", "before", "after", "but", "over", "under", "above", "below", "more", "less", "than"])  # fmt: skip
_SMALL = frozenset(
    ["a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "with", "and", "or", "as", "is", "are", "be", "been", "it", "its", "that", "this", "these", "those", "there", "you", "your", "we", "our", "they", "them", "their", "i", "one", "should", "must", "would", "could", "can", "may", "will", "shall", "do", "does", "doe", "did", "always", "alway", "ever", "please", "out", "up", "so", "t", "s", "from", "into", "include", "including", "rule", "procedure"]
)  # fmt: skip
_ORDERING = frozenset(
    ["over", "than", "before", "after", "instead", "rather", "from", "to", "into", "means", "mean"]
)
_NAME = re.compile(r"`([^`]+)`|'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|\b(\w*[_.]\w[\w.]*)|(?<!^)(?<![.!?:]\s)\b([A-Z]\w*)|\b(\d[\w.,]*)")  # fmt: skip


class TextGist(NamedTuple):
    """What a text says, without what makes no difference."""

    words: frozenset[str]
    """Singular, without letter case; small words and negations are left out."""
    names: frozenset[str]
    """Those of its words that are, or are parts of, names, numbers or quotes."""
    negated: bool
    """Whether an odd number of words turns the meaning around."""
    conditions: frozenset[str]
    """Words that say when it holds."""
    order: tuple[str, ...]
    """The words in their order, where that makes a difference: between `the first over the second` and its reverse."""

    @property
    def key(self) -> str:
        """The same for texts with the same words."""
        turned = "not " if self.negated else ""
        words = self.order or sorted(self.words)
        return f"{turned}{' '.join(words)}|{' '.join(sorted(self.conditions))}"


@lru_cache(maxsize=8192)
def gist_of(text: str) -> TextGist:
    """What a text says.

    >>> gist_of("Never count the orders twice.") == gist_of("Don't count orders twice")
    True
    """
    plain = re.sub(r"(\w)n['’]t\b", r"\1nt", text.strip())  # noqa: RUF001
    words = singular_words(plain)
    meant = frozenset(one for one in words if one not in _SMALL and one not in _NEGATIONS and one not in _CONDITIONS)  # fmt: skip
    named = {part for match in _NAME.finditer(plain) for part in singular_words(match[0])}
    turned = sum(one in _NEGATIONS for one in words) % 2 == 1
    ordered = tuple(one for one in words if one in meant) if _ORDERING.intersection(words) else ()
    return TextGist(meant, meant & named, turned, frozenset(words) & _CONDITIONS, ordered)


def alike(one: TextGist, other: TextGist) -> bool:
    """Whether two texts say the same.

    >>> alike(gist_of("Users prefer short answers"), gist_of("The users preferred short answers."))
    True
    >>> alike(gist_of("Count clients by id"), gist_of("Count orders by id"))
    False
    """
    return one.negated is other.negated and _same_matter(one, other)


def opposite(one: TextGist, other: TextGist) -> bool:
    """Whether one text says what the other denies.

    >>> opposite(gist_of("Always count test orders"), gist_of("Never count test orders"))
    True
    >>> opposite(gist_of("Revenue includes cancelled orders"), gist_of("Revenue leaves out cancelled orders"))
    True
    """
    same = one.words == other.words and one.conditions == other.conditions
    return bool(one.words) and same and one.negated is not other.negated and _same_order(one, other)


def _same_matter(one: TextGist, other: TextGist) -> bool:
    if one.words == other.words:
        return one.conditions == other.conditions and _same_order(one, other)
    if one.conditions != other.conditions or one.names != other.names:
        return False
    mine, theirs = one.words - other.words, other.words - one.words
    shared = len(one.words & other.words)
    slips = _slips(mine, theirs)
    if slips is None:
        return False
    share = (shared + slips) / (len(one.words | other.words) - slips)
    return share >= _ALIKE and _same_order(one, other)


def _same_order(one: TextGist, other: TextGist) -> bool:
    """Whether the words that both have come in the same order, where order counts in both."""
    if not one.order or not other.order:
        return True
    shared = one.words & other.words
    return [w for w in one.order if w in shared] == [w for w in other.order if w in shared]


def _slips(mine: frozenset[str], theirs: frozenset[str]) -> int | None:
    """How many words of the smaller set are slips of the other's; None when one is another word altogether."""
    fewer, more = sorted((sorted(mine), sorted(theirs)), key=len)
    left = list(more)
    for word in fewer:
        near = [one for one in left if _is_slip(word, one)]
        if not near:
            return None
        left.remove(max(near, key=lambda one: fuzz.ratio(word, one)))
    return len(fewer)


def _is_slip(one: str, other: str) -> bool:
    longest = max(len(one), len(other))
    if min(len(one), len(other)) < _SHORTEST_SLIP or one[0] != other[0]:
        return False
    begins = one.startswith(other) or other.startswith(one)
    return fuzz.ratio(one, other) >= _SPELT_ALIKE or (begins and longest - min(len(one), len(other)) <= 3)  # fmt: skip


class Texts:
    """Finds among many texts those that say the same as another, or the opposite, without comparing all.

    Texts of which less than a share `t` of the words is common need not be compared: of two sets whose Jaccard
    similarity is at least t, the first `n - ceil(t n) + 1` words in any fixed order have one in common (Chaudhuri, Ganti
    and Kaushik, “A Primitive Operator for Similarity Joins in Data Cleaning”, 2006). Slips of the pen lower the share,
    hence the smaller one here.

    >>> texts = Texts()
    >>> texts.add("rule-1", "rules", gist_of("Count clients by id"))
    >>> texts.same("rules", gist_of("Always count a client by the id")), texts.same("rules", gist_of("Count orders"))
    ('rule-1', None)
    """

    def __init__(self) -> None:
        self._gists: dict[str, TextGist] = {}
        self._holders: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
        """By what two texts that are alike have in common but for their words, and by each of their first words."""
        self._worded: defaultdict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
        """By all of their words."""

    def __len__(self) -> int:
        return len(self._gists)

    def has(self, name: str) -> bool:
        """Whether there is a text of that name."""
        return name in self._gists

    def add(self, name: str, place: str, gist: TextGist) -> None:
        """Take a text in; only texts of one place are compared."""
        self._gists[name] = gist
        self._worded[place, gist.words].append(name)
        for key in self._keys(place, gist):
            self._holders[key].append(name)

    def same(self, place: str, gist: TextGist, *, to_the_word: Collection[str] = ()) -> str | None:
        """The name of the first text that says the same; None when there is none.

        Texts named in `to_the_word` only say the same when they have the very same words.
        """
        for one in self._near(place, gist):
            other = self._gists[one]
            if other.key == gist.key if one in to_the_word else alike(other, gist):
                return one
        return None

    def against(self, place: str, gist: TextGist) -> list[str]:
        """The names of the texts that say the opposite."""
        worded = self._worded.get((place, gist.words), ())
        return [one for one in worded if opposite(self._gists[one], gist)]

    def _near(self, place: str, gist: TextGist) -> Iterator[str]:
        found = [one for key in self._keys(place, gist) for one in self._holders.get(key, ())]
        return iter(dict.fromkeys((*self._worded.get((place, gist.words), ()), *found)))

    @staticmethod
    def _keys(place: str, gist: TextGist) -> Iterator[tuple[object, ...]]:
        words = sorted(gist.words, key=_rarity)
        for word in words[: len(words) - -(-len(words) * 2 // 5) + 1]:
            yield place, gist.negated, gist.names, gist.conditions, word


def _rarity(word: str) -> tuple[int, str]:
    """Longer words are rarer, by and large; what matters is that the order is the same for all."""
    return (-len(word), word)
