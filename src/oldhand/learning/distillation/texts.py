"""Many texts, among which those that say the same as another one are found, or the opposite."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from math import ceil

from oldhand.learning.distillation.likeness import ALIKE, TextGist, alike, is_slip, opposite

_Peers = tuple[str, bool, frozenset[str], frozenset[str]]
"""What two texts that say the same have in common but for their words."""


class Texts:
    """Finds among many texts those that say the same as another, or the opposite, without comparing all.

    Texts that may say the same have the same names and conditions. Among these, a set of bits for each word says which texts have
    it, so that counting the words that are missing in all texts at once takes one operation for each word and each that may be missing.

    >>> from oldhand.learning.distillation.likeness import gist_of
    >>> texts = Texts()
    >>> texts.add("rule-1", "rules", gist_of("Count clients by id"))
    >>> texts.same("rules", gist_of("Always count a client by the id")), texts.same("rules", gist_of("Count orders"))
    ('rule-1', None)
    """

    def __init__(self) -> None:
        self._gists: dict[str, TextGist] = {}
        self._peers: defaultdict[_Peers, list[str]] = defaultdict(list)
        self._having: defaultdict[tuple[_Peers, str | int], int] = defaultdict(int)
        """Bit n says that the nth of these texts has that word, or so many words."""
        self._spelt: defaultdict[str, list[str]] = defaultdict(list)
        """Words by their first letters, in which there are no slips."""
        self._slips: dict[str, list[str]] = {}
        self._worded: defaultdict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
        """By all of their words."""
        self._claimed: defaultdict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
        """By the matter of each of their claims."""

    def __len__(self) -> int:
        return len(self._gists)

    def has(self, name: str) -> bool:
        """Whether there is a text of that name."""
        return name in self._gists

    def add(self, name: str, place: str, gist: TextGist) -> None:
        """Take a text in; only texts of one place are compared."""
        self._gists[name] = gist
        self._worded[place, gist.words].append(name)
        for claim in gist.claims:
            self._claimed[place, claim.matter].append(name)
        peers = _peers_of(place, gist)
        bit = 1 << len(self._peers[peers])
        self._peers[peers].append(name)
        for word in gist.words - gist.names:
            self._having[peers, word] |= bit
            self._learn(word)
        self._having[peers, len(gist.words)] |= bit

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
        near = (
            one for claim in gist.claims for one in self._claimed.get((place, claim.matter), ())
        )
        return [one for one in dict.fromkeys(near) if opposite(self._gists[one], gist)]

    def _near(self, place: str, gist: TextGist) -> Iterator[str]:
        """Those with the very words; then those of a fitting length, of which the shorter text lacks no word of the longer one's."""
        yield from self._worded.get((place, gist.words), ())
        peers, number = _peers_of(place, gist), len(gist.words)
        may_lack = [0] * (
            number - ceil(number * ALIKE) + 1
        )  # texts that may lack none, one, two more of these words
        for length in range(ceil(number * ALIKE), int(number / ALIKE) + 1):
            may_lack[max(0, number - length)] |= self._having.get((peers, length), 0)
        for word in gist.words - gist.names:
            if not any(may_lack):
                return
            having = 0
            for one in (word, *self._slips_of(word)):
                having |= self._having.get((peers, one), 0)
            have = [texts & having for texts in may_lack]
            lack = [texts ^ found for texts, found in zip(may_lack, have, strict=True)]
            may_lack = [found | more for found, more in zip(have, (*lack[1:], 0), strict=True)]
        left = 0
        for texts in may_lack:
            left |= texts
        while left:
            lowest = left & -left
            yield self._peers[peers][lowest.bit_length() - 1]
            left ^= lowest

    def _slips_of(self, word: str) -> list[str]:
        known = self._slips.get(word)
        return [one for one in self._spelt.get(word[0], ()) if is_slip(one, word)] if known is None else known  # fmt: skip

    def _learn(self, word: str) -> None:
        if word not in self._slips:
            self._slips[word] = self._slips_of(word)
            for one in self._slips[word]:
                self._slips[one].append(word)
            self._spelt[word[0]].append(word)


def _peers_of(place: str, gist: TextGist) -> _Peers:
    return place, gist.negated, gist.names, gist.conditions
