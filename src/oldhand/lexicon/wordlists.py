"""Our lists of general words, read from `synonyms.yaml`."""

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from oldhand.lexicon.entries import meanings, read, words
from oldhand.lexicon.tokens import stem

_OF_NOUNS = tuple(words("names.noun_endings"))
_Stem = Annotated[str, AfterValidator(stem)]


def _directions(sides: Mapping[str, list[str]]) -> dict[str, bool]:
    more = {"up": True, "down": False}
    return {word: more[side] for side, words in sides.items() for word in words}


class WordLists(BaseModel):
    """The lists, with stems in place of words where they are looked up by stems."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    groups: tuple[frozenset[str], ...]
    """Words that mean roughly the same, as they are written."""
    irregular: Mapping[_Stem, _Stem]
    """Stem to the stem of its base form."""
    compounds: Mapping[_Stem, tuple[_Stem, ...]]
    """Stem of one word to the stems of the several that it stands for."""
    abbreviations: Mapping[str, tuple[str, ...]]
    """A short name to the words it stands for."""
    measures: Mapping[str, Annotated[Mapping[_Stem, bool], BeforeValidator(_directions)]]
    """Adjective to {stem of a column's word: True when more of the adjective is more of the column}."""
    codes: Mapping[str, tuple[str, ...]]
    """Word to the ways in which a database may write it."""
    fillers: frozenset[str]
    """General words that join others and name nothing by themselves, as they are written."""

    @cached_property
    def synonyms(self) -> Mapping[str, frozenset[str]]:
        """Stem to the stems that mean roughly the same, itself not among them."""
        found: dict[str, frozenset[str]] = {}
        for group in (frozenset(map(stem, group)) for group in self.groups):
            for word in group:
                found[word] = found.get(word, frozenset()) | group - {word}
        return found

    @cached_property
    def known(self) -> frozenset[str]:
        """The stems of words that mean something by themselves, and are short for no other."""
        fillers = self.filler_stems
        return frozenset(self.synonyms) | self.irregular.keys() | fillers | self.compounds.keys()

    @cached_property
    def filler_stems(self) -> frozenset[str]:
        """The stems of `fillers`."""
        return frozenset(map(stem, self.fillers))

    def is_filler(self, word: str) -> bool:
        """Whether a lower-case word is a filler, in any form of its verb.

        Who performs, and what is done, are things: `performer` and `application` name something, `performs` does not.

        >>> [word_lists().is_filler(word) for word in ("performed", "performers", "computers", "together")]
        [True, False, False, True]
        """
        root, single = stem(word), word.removesuffix("s")
        if self.irregular.get(root, root) not in self.filler_stems:
            return False
        return not single.endswith(_OF_NOUNS) or bool(self.fillers & {word, single})

    def written(self, word: str) -> tuple[str, ...]:
        """How a database may write a word that stands for a value: `f` for females; empty for other words."""
        return self.codes.get(word, ()) or self.codes.get(word.removesuffix("s"), ())


@cache
def word_lists() -> WordLists:
    """The lists, read once.

    >>> "client" in word_lists().synonyms["custom"]
    True
    """
    return WordLists.model_validate(read("synonyms"))


def adjective_of(word: str) -> str | None:
    """The plain adjective of a comparative or superlative that the lists know, or None.

    >>> [adjective_of(w) for w in ("oldest", "bigger", "earliest", "best", "table")]
    ['old', 'big', 'early', 'good', None]
    """
    known = word_lists().measures
    irregular = meanings("sorting.irregular")
    if word in irregular:
        return irregular[word]
    for ending in ("est", "er"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            base = word[: -len(ending)]
            forms = (base, base + "e", base[:-1], base[:-1] + "y" if base.endswith("i") else base)
            return next((form for form in forms if form in known), None)
    return None
