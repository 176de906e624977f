"""Our lists of general words, read from `synonyms.yaml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from pydantic import BaseModel, ConfigDict

from oldhand.lexicon.entries import meanings, read
from oldhand.lexicon.tokens import stem


class _Measure(BaseModel):
    model_config = ConfigDict(extra="forbid")
    up: tuple[str, ...] = ()
    down: tuple[str, ...] = ()


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    groups: tuple[tuple[str, ...], ...]
    irregular: dict[str, str]
    compounds: dict[str, tuple[str, ...]]
    abbreviations: dict[str, tuple[str, ...]]
    measures: dict[str, _Measure]
    codes: dict[str, tuple[str, ...]]
    fillers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordLists:
    """The lists in the form in which they are used."""

    synonyms: Mapping[str, frozenset[str]]
    """Stem to the stems that mean roughly the same, itself not among them."""
    irregular: Mapping[str, str]
    """Stem to the stem of its base form."""
    compounds: Mapping[str, tuple[str, ...]]
    """Stem of one word to the stems of the several that it stands for."""
    abbreviations: Mapping[str, tuple[str, ...]]
    """A short name to the words it stands for."""
    measures: Mapping[str, Mapping[str, bool]]
    """Adjective to {stem of a column's word: True when more of the adjective is more of the column}."""
    codes: Mapping[str, tuple[str, ...]]
    """Word to the ways in which a database may write it."""
    fillers: frozenset[str]
    """Stems of general words that join others and name nothing by themselves."""


@cache
def word_lists() -> WordLists:
    """The lists, read once.

    >>> "client" in word_lists().synonyms["custom"]
    True
    """
    file = _File.model_validate(read("synonyms"))
    synonyms: dict[str, set[str]] = {}
    for group in file.groups:
        stems = {stem(word) for word in group}
        for word in stems:
            synonyms.setdefault(word, set()).update(stems - {word})
    measures = {
        adjective: {stem(w): True for w in m.up} | {stem(w): False for w in m.down}
        for adjective, m in file.measures.items()
    }
    return WordLists(
        synonyms={word: frozenset(others) for word, others in synonyms.items()},
        irregular={stem(word): stem(base) for word, base in file.irregular.items()},
        compounds={
            stem(word): tuple(stem(part) for part in parts)
            for word, parts in file.compounds.items()
        },
        abbreviations=file.abbreviations,
        measures=measures,
        codes=file.codes,
        fillers=frozenset(stem(word) for word in file.fillers),
    )


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
