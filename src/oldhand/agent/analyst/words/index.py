"""The words of names, and what other words may be by their spelling: short forms, misspellings, several written as one."""

from collections.abc import Iterable, Iterator, KeysView
from dataclasses import replace
from functools import cache

from rapidfuzz import fuzz, process

from oldhand.agent.analyst.words.entries import WordHit, holding_all
from oldhand.agent.analyst.words.shortened import (
    AMBIGUOUS,
    CUT_OFF,
    INITIALS,
    SHORTENED,
    SYNONYM,
    same_root,
    short_forms,
    short_in_languages,
)
from oldhand.lexicon.entries import words
from oldhand.lexicon.languages import in_english
from oldhand.lexicon.naming import name_words, without_vowels
from oldhand.lexicon.splitting import segmented, split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem

DERIVED = 0.6
"""How much a word counts that shares its beginning: nation, nationality."""
COMPOUND = 0.95
"""How much a word counts that stands for several: forename, first name."""
MISSPELT = 0.75


class WordIndex:
    """All words of some names."""

    def __init__(self) -> None:
        self._hits: dict[str, list[WordHit]] = {}
        self._spelt: dict[str, str] = {}
        """Each word of the schemas as it is written, and its stem."""
        self._short: dict[str, str] = {}
        """Those of a schema in another language that say nothing as they are, and the language."""
        self._guesses: dict[str, tuple[WordHit, ...]] = {}
        self._words: dict[str, None] = {}

    def add(self, word: str, *hits: WordHit) -> None:
        """Let a word, a stem, stand for something."""
        self._hits.setdefault(word, []).extend(hits)

    def known(self) -> dict[str, list[WordHit]]:
        """What each word stands for so far."""
        return {word: list(hits) for word, hits in self._hits.items()}

    def close(self) -> None:
        """Take the words so far for those of the names themselves, and those to come for others that mean the same."""
        self._words = dict.fromkeys(self._hits)

    def words(self) -> KeysView[str]:
        """All stems that the names themselves use."""
        return self._words.keys()

    def spell(self, texts: Iterable[str], language: str) -> None:
        """Note how words are written, in names of a language."""
        for text in texts:
            for word in split_name(text)[:8]:
                self._spelt.setdefault(word, name_words(word)[0])
                if language and not in_english(word, language):
                    self._short.setdefault(word, language)

    def hits(self, word: str) -> tuple[WordHit, ...]:
        """Schema words that `word` (a stem) may be, guesses at misspellings last."""
        if word not in self._guesses:
            found = self._hits.get(word) or self._several(word) or self._written_as_one(word)
            if not found and word in _opposites():
                return ()  # `inactive` is told by what is called `actv`: it is no short `inv`
            guessed = () if found else self._guess(word)
            likes = bool(found) and max(hit.strength for hit in found) <= SYNONYM
            short = self._short_for(word, found=bool(found), likes=likes)
            short = (*short, *self._short_elsewhere(word, least=0.0 if not found else INITIALS))
            self._guesses[word] = (*found, *short, *guessed)
        return self._guesses[word]

    def _short_for(self, word: str, *, found: bool, likes: bool) -> tuple[WordHit, ...]:
        """The names that are short for a word; in a schema of three letters, `sit` is rather a site than `st`, and than what only means about the same."""
        short = tuple(self._shortened(word))
        cut = () if found and not likes else tuple(self._cut_off(word))
        best = max((hit.strength for hit in short), default=AMBIGUOUS if likes else 0.0)
        return cut if max((hit.strength for hit in cut), default=0.0) > best else short

    def _several(self, word: str) -> list[WordHit]:
        """What `jbs` are several of: so short a word keeps its ending as a stem."""
        return self._hits.get(word[:-1], []) if len(word) == CUT_OFF and word[-1] == "s" else []

    def _written_as_one(self, word: str) -> list[WordHit]:
        """The names of which a word is all words, as `unitprice` is those of `unit_price`."""
        parts = segmented(word)
        found = [self._hits.get(stem(part), []) for part in parts] if len(parts) > 1 else []
        return [replace(hit, strength=COMPOUND) for hit in holding_all(found)]

    def _guess(self, word: str) -> Iterator[WordHit]:
        if len(word) < 4 or word[0].isdigit() or word in STOP_WORDS:
            return
        for written, ratio, _ in process.extract(
            word, list(self._spelt), scorer=fuzz.ratio, score_cutoff=84, limit=3
        ):
            other = self._spelt[written]
            if len(written) >= 4 and written[0] == word[0] and other in self._hits:
                yield from (hit.weaker(MISSPELT * ratio / 100) for hit in self._hits[other])
        for other in self._words:
            if same_root(word, other):
                yield from (hit.weaker(DERIVED) for hit in self._hits[other])

    def _shortened(self, word: str) -> Iterator[WordHit]:
        """The names that are short for a word; `prc` may be short for product only where nothing else is."""
        short = short_forms(word, self._spelt, self._hits.keys())
        best = max(short.values(), default=0.0)
        for other in sorted(one for one in short if short[one] > AMBIGUOUS or best == AMBIGUOUS):
            yield from (h.weaker(short[other]) for h in self._hits[other] if h.strength == 1.0)

    def _short_elsewhere(self, word: str, least: float) -> Iterator[WordHit]:
        """The names that are short for what a word is called in the language of their schema."""
        for piece, strength in short_in_languages(word, self._short):
            first, *_ = name_words(piece, language=self._short[piece])
            for hit in self._hits.get(first, ()) if strength > least else ():
                if hit.strength == 1.0:
                    yield hit.weaker(strength)

    def _cut_off(self, word: str) -> Iterator[WordHit]:
        """The names of which three letters are left, in a schema that leaves no more of most; two are less sure."""
        cut = [one for one in self._spelt if len(one) == CUT_OFF and one in self._hits]
        if 2 * len(cut) > sum(len(one) >= CUT_OFF for one in self._spelt) and len(word) > CUT_OFF:
            three = self._hits.get(word[:CUT_OFF], ())
            yield from (h.weaker(SHORTENED) for h in three)
            opens = (
                two
                for two in (word[:2], without_vowels(word)[:2])
                if two in self._spelt and two not in STOP_WORDS
            )
            two = next(opens, "") if not three else ""
            yield from (h.weaker(INITIALS) for h in self._hits.get(two, ()))


@cache
def _opposites() -> frozenset[str]:
    """`inactive` and `unavailable`, and their stems."""
    states = words("states.in_use") | words("states.reached")
    turned = {un + state for un in words("negation.prefixes") for state in states}
    return frozenset(turned | set(map(stem, turned)))
