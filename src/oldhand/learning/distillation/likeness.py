"""Whether two texts say the same, or the opposite: by their words, with as little guessing as possible.

Two rules that differ in the name of a table are two rules. So texts are the same only if their words are, endings,
order, small words and slips of the pen aside; a longer text may add words to a shorter one, but no names and no
conditions.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz

from oldhand.lexicon.entries import meanings, words
from oldhand.record.phrases import singular_words

ALIKE = 0.75
"""Share of the words of both texts that both have; after Broder, “On the resemblance and containment of documents” (1997)."""
_SPELT_ALIKE = 85.0
"""Similarity of two words of which one may be a slip of the pen; 0 to 100, as rapidfuzz counts."""
_SHORTEST_SLIP = 5
"""Letters of a word that may have one; `order` is no slip of `older`, but that is told by the rest of the rule."""

_NEGATIONS = frozenset(
    ["not", "never", "no", "dont", "don", "doesnt", "doesn", "cannot", "cant", "avoid", "stop", "without", "exclude", "skip", "omit", "refrain", "neither", "nor", "shouldnt", "mustnt", "wont", "isnt", "arent", "didnt", "neednt", "wouldnt", "couldnt", "leave", "ignore", "drop", "remove", "off"]
)  # fmt: skip
_CONDITIONS = frozenset(["except", "unless", "only", "if", "when", "where", "while", "until", "before", "after", "but", "over", "under", "above", "below", "more", "less", "than"])  # fmt: skip
_SMALL = frozenset(
    ["a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "with", "and", "or", "as", "is", "are", "be", "been", "it", "its", "that", "this", "these", "those", "there", "you", "your", "we", "our", "they", "them", "their", "i", "one", "should", "must", "would", "could", "can", "may", "will", "shall", "do", "does", "doe", "did", "always", "alway", "ever", "please", "out", "up", "so", "t", "s", "from", "into", "include", "including", "rule", "procedure", "yes"]
)  # fmt: skip
_ORDERING = frozenset(
    ["over", "than", "before", "after", "instead", "rather", "from", "to", "into", "means", "mean"]
)
_NAME = re.compile(r"`([^`]+)`|'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|\b(\w*[_.]\w[\w.]*)|(?<!^)(?<![.!?:]\s)\b([A-Z]\w*)|\b(\d[\w.,]*)|\b([^\W\d]+\d\w*)")  # fmt: skip


_TURNED = meanings("negation.turning")
_TURNED_IN_ORDERS = frozenset(["newest", "latest", "rising"])
"""They ask for an order only beside a word for one: the latest price and the earliest are two things."""
_ORDERS = frozenset(["first", "last", "sort", "sorted", "order", "ordered", "rank"])
_IDLE = frozenset(["count", "consider", "keep"])
"""They say no more than that something is there: what is left out is not counted either."""
_UNMEANT = _SMALL | _NEGATIONS | _CONDITIONS | _IDLE
_BEFORE_AMOUNTS = words("comparing.before_numbers") | {"to", "first", "last", "limit"}
_AFTER_AMOUNTS = frozenset(["row", "line", "result", "decimal", "digit", "place", "character", "word", "sentence", "page", "item", "percent"])  # fmt: skip
_RATHER = re.compile(
    r"(?i)(?P<first>^\W*)?\b(?:instead of|rather than|in place of|(?<=\w)[,;]?(?: and| but)? not(?! to\b)|(?<=\w) over)\b"
)
_HELPING = re.compile(
    r"(?i)\b(?:do|does|did|is|are|was|were|be|must|should|shall|can|may|will|would|could|need|have|has)[,;]?$"
)
_PREFERRING = re.compile(r"(?i)\b(?:prefer|favou?r|choose|take|pick)")
_TAIL = re.compile(r"(?i)(?<=\w)[,;]? (?=(?:for|in|when|where|if|on|with|at|as|unless)\b)")


class RuleClaim(NamedTuple):
    """One thing that a text asks for, or against."""

    matter: frozenset[str]
    """Its words, each in place of its opposite, too; amounts are left out."""
    conditions: frozenset[str]
    order: tuple[str, ...]
    holds: bool
    """Whether it asks for it."""
    amounts: tuple[str, ...]
    """Its numbers of rows, digits and the like, of which only one can be right."""

    def against(self, other: "RuleClaim") -> bool:
        """Whether the two can't both be followed."""
        if (self.matter, self.conditions) != (other.matter, other.conditions):
            return False
        if self.order and other.order and self.order != other.order:
            return False
        if self.amounts != other.amounts:
            return self.holds and other.holds
        return self.holds is not other.holds


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
    claims: tuple[RuleClaim, ...] = ()
    """What it asks for and against: `net, not gross` says two things."""

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
    said = singular_words(plain)
    meant = frozenset(one for one in said if one not in _SMALL and one not in _NEGATIONS and one not in _CONDITIONS)  # fmt: skip
    named = singular_words(" ".join(match[0] for match in _NAME.finditer(plain)))
    preferred = _preferred(plain)
    claims = tuple(_claims(said, preferred))
    denied = said if preferred is None else singular_words(preferred[0])
    turned = sum(one in _NEGATIONS for one in denied) % 2 == 1
    ordered = _ORDERING.intersection(said) or len(claims) > 1
    order = tuple(one for one in said if one in meant) if ordered else ()
    return TextGist(meant, meant.intersection(named), turned, frozenset(said) & _CONDITIONS, order, claims)  # fmt: skip


def _claims(said: list[str], preferred: tuple[str, str] | None) -> Iterator[RuleClaim]:
    """What a text asks for and against."""
    if preferred is None:
        yield _claim(said)
        return
    chosen, rejected = map(singular_words, preferred)
    yield _claim(chosen)
    denied = _claim(rejected)
    yield denied._replace(holds=not denied.holds)


def _preferred(plain: str) -> tuple[str, str] | None:
    """A text that prefers something to something else, as what it asks for and what it would ask for otherwise."""
    for found in _RATHER.finditer(plain):
        before, after = plain[: found.start()].strip(), plain[found.end() :].strip(" .!")
        if found[0].endswith("over") and not _PREFERRING.search(before):
            continue
        if not before:  # instead of one thing, do another
            after, _, before = after.partition(",")
        if not before.strip() or not after or _HELPING.search(before):
            continue
        after, *tail = _TAIL.split(after, maxsplit=1)
        kept, said = before.split(), after.split()
        lead = kept[: max(len(kept) - len(said), 1)]
        end = " ".join(("", *tail))
        return f"{before}{end}", f"{' '.join(lead)} {after}{end}"
    return None


def _claim(said: list[str]) -> RuleClaim:
    amounts = tuple(one for before, one, after in zip(["", *said], said, [*said[1:], ""], strict=False) if one.isdigit() and (before in _BEFORE_AMOUNTS or after in _AFTER_AMOUNTS))  # fmt: skip
    idle = _UNMEANT.union(amounts) if amounts else _UNMEANT
    ordered = not _ORDERS.isdisjoint(said)
    turned = {one: kept for one in said if (kept := _TURNED.get(one)) and (ordered or kept not in _TURNED_IN_ORDERS)}  # fmt: skip
    meant = [one for one in said if one not in idle or one in turned]
    turns = sum(one in _NEGATIONS or turned.get(one, one) != one for one in said)
    matter = [turned.get(one, one) for one in meant]
    order = tuple(matter) if _ORDERING.intersection(said) else ()
    return RuleClaim(frozenset(matter), frozenset(said) & _CONDITIONS, order, turns % 2 == 0, amounts)  # fmt: skip


def alike(one: TextGist, other: TextGist) -> bool:
    """Whether two texts say the same.

    >>> alike(gist_of("Users prefer short answers"), gist_of("The users preferred short answers."))
    True
    >>> alike(gist_of("Count clients by id"), gist_of("Count orders by id"))
    False
    """
    same = one.negated is other.negated and _same_matter(one, other)
    return same and not opposite(one, other)


def opposite(one: TextGist, other: TextGist) -> bool:
    """Whether one text says what the other denies.

    >>> opposite(gist_of("Always count test orders"), gist_of("Never count test orders"))
    True
    >>> opposite(gist_of("Revenue includes cancelled orders"), gist_of("Revenue leaves out cancelled orders"))
    True
    """
    pairs = ((mine, theirs) for mine in one.claims for theirs in other.claims)
    return any(mine.matter and mine.against(theirs) for mine, theirs in pairs)


def may_oppose(one: TextGist, text: str) -> bool:
    """False where a text has too few of the other's words to be its opposite, which is told in a fraction of the time.

    >>> gist = gist_of("Always count test orders")
    >>> may_oppose(gist, "Never count test orders"), may_oppose(gist, "Never count orders")
    (True, False)
    """
    said = set(singular_words(text))
    said.update([_TURNED[word] for word in said if word in _TURNED])
    return any(claim.matter and claim.matter <= said for claim in one.claims)


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
    return share >= ALIKE and _same_order(one, other)


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
        near = [one for one in left if is_slip(word, one)]
        if not near:
            return None
        left.remove(max(near, key=lambda one: fuzz.ratio(word, one)))
    return len(fewer)


def is_slip(one: str, other: str) -> bool:
    """Whether one of two words may be a slip of the pen for the other, or another ending of it.

    >>> is_slip("supplier", "supplyer"), is_slip("order", "older")
    (True, False)
    """
    longest = max(len(one), len(other))
    if min(len(one), len(other)) < _SHORTEST_SLIP or one[0] != other[0]:
        return False
    begins = one.startswith(other) or other.startswith(one)
    return fuzz.ratio(one, other) >= _SPELT_ALIKE or (begins and longest - min(len(one), len(other)) <= 3)  # fmt: skip
