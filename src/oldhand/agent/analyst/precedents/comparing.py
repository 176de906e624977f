"""How two questions about the same schemas differ: what only one of them says."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.fuzz import token_sort_ratio

from oldhand.agent.analyst.precedents.gist import GistSlot, QuestionGist, Word
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import Token, stem, tokenise
from oldhand.lexicon.wordlists import word_lists

SAME_NAME = 0.95
"""How alike two words are that name the same table or column."""
NEAR_NAME = 0.6
"""The same where one of them may also name others."""
SYNONYM = 0.8
ROOT = 5
"""Letters that words share at their beginning to count as of one root."""
SAME_ROOT = 0.7


def _any_of(said: AbstractSet[str]) -> str:
    """Phrases as a pattern, the longest first."""
    phrases = sorted((one.replace("_", " ") for one in said), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, phrases))})"


_BEFORE, _BEHIND = words("asking.courtesies_before"), words("asking.courtesies")
_ARTICLES = words("function_words.articles")
_COURTESY = re.compile(rf"^{_any_of(_BEFORE)}\b|\b{_any_of(_BEHIND)}$")
_MARKS = re.compile(r"^[\s,:;.!?\u2026]+|[\s,:;.!?\u2026]+$")
KEPT = 2048
"""Comparisons that are kept, since the same questions come back."""


@dataclass(frozen=True, slots=True, eq=False)
class QuestionDifference:
    """What a new question says that an old one does not, and the other way round."""

    identical: bool
    """True when they are the same but for letter case, blanks, marks and courtesies, or for synonyms that name the same."""
    size: float
    """The weight of all words of both."""
    letters: float
    """How alike they are letter by letter, 0..1, the order of the words aside."""
    new_words: tuple[tuple[Word, float], ...]
    """Words that only the new one has, and how much of each is missing in the old one."""
    old_words: tuple[tuple[Word, float], ...]
    new_slots: tuple[GistSlot, ...]
    old_slots: tuple[GistSlot, ...]
    new_forms: frozenset[str]
    old_forms: frozenset[str]

    @property
    def likeness(self) -> float:
        """How much of what they say is the same, 0..1; values and numbers aside."""
        return 1.0 - sum(amount for _, amount in (*self.new_words, *self.old_words)) / self.size


@lru_cache(maxsize=KEPT)
def difference(new: QuestionGist, old: QuestionGist) -> QuestionDifference:
    """Compare a new question with an old one."""
    lacking_new = _unmatched(new.words, old.words)
    lacking_old = _unmatched(old.words, new.words)
    old_texts = {slot.key for slot in old.slots}
    new_texts = {slot.key for slot in new.slots}
    same = _is_same(new.question, old.question, read_alike=old_texts == new_texts)
    return QuestionDifference(
        same or (new.forms == old.forms and _in_synonyms(new, old)),
        sum(word.weight for word in (*new.words, *old.words)) or 1.0,
        token_sort_ratio(new.question.casefold(), old.question.casefold()) / 100,
        lacking_new,
        lacking_old,
        tuple(slot for slot in new.slots if slot.key not in old_texts),
        tuple(slot for slot in old.slots if slot.key not in new_texts),
        new.forms - old.forms,
        old.forms - new.forms,
    )


def _is_same(new: str, old: str, *, read_alike: bool) -> bool:
    """Whether two questions are the same in their letters; those that are read alike may differ by courtesies, too."""
    one, other = (_MARKS.sub("", " ".join(said.casefold().split())) for said in (new, old))
    return one == other or (read_alike and _bare(one) == _bare(other))


def _in_synonyms(new: QuestionGist, old: QuestionGist) -> bool:
    """Whether two questions say word for word the same, some of the words by synonyms, or short for several.

    `The name of the client` is `the name of the customer`; `an OS` is `an operating system`.
    """
    ours, theirs = (
        [
            one
            for one in tokenise(_bare(said.question))
            if one.is_word and one.lower not in _ARTICLES
        ]
        for said in (new, old)
    )
    while ours and theirs:
        one, other = ours[0], theirs[0]
        ahead, behind = _written_out(other, ours), _written_out(one, theirs)
        same = one.stem == other.stem or (one.number is not None and one.number == other.number)
        if not (ahead or behind or same or _name_the_same(new, one.stem, old, other.stem)):
            return False
        ours, theirs = ours[ahead or 1 :], theirs[behind or 1 :]
    return not ours and not theirs


def _name_the_same(new: QuestionGist, ours: str, old: QuestionGist, theirs: str) -> bool:
    """True for the stems of synonyms; not where a schema calls different things by them, as `price` and `cost`."""
    return theirs in word_lists().synonyms.get(ours, ()) and any(
        all(
            mine & others or not (mine and others)
            for mine, others in ((one.tables, other.tables), (one.columns, other.columns))
        )
        for one in new.words
        for other in old.words
        if one.stem == ours and other.stem == theirs and not one.cue and not other.cue
    )


def _written_out(short: Token, others: Sequence[Token]) -> int:
    """How many words stand in full at the beginning of `others` for a short one; 0 where they don't."""
    lists = word_lists()
    for full in (lists.abbreviations.get(short.lower, ()), lists.compounds.get(short.stem, ())):
        if full and [*map(stem, full)] == [token.stem for token in others[: len(full)]]:
            return len(full)
    return 0


def _bare(question: str) -> str:
    """A question without the courtesies at its ends."""
    while (shorter := _MARKS.sub("", _COURTESY.sub("", question))) != question:
        question = shorter
    return question


def _unmatched(words: Sequence[Word], others: Sequence[Word]) -> tuple[tuple[Word, float], ...]:
    found: list[tuple[Word, float]] = []
    for word in words:
        best = max((alike(word, other) for other in others), default=0.0)
        if best < 1.0:
            found.append((word, (1.0 - best) * word.weight))
    return tuple(found)


def alike(one: Word, other: Word) -> float:
    """How much two words say the same, 0..1: by what they name first, then by their letters."""
    if one.stem == other.stem:
        return 1.0
    for first, second in ((one.tables, other.tables), (one.columns, other.columns)):
        if first & second:
            return SAME_NAME if first == second else NEAR_NAME
    if other.stem in word_lists().synonyms.get(one.stem, ()):
        return SYNONYM
    if len(one.stem) >= ROOT and one.stem[:ROOT] == other.stem[:ROOT]:
        return SAME_ROOT
    return 0.0
