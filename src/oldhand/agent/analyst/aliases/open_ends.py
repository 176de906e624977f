"""What a question and its SQL leave open: phrases that nothing explains, and items that no word names."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from oldhand.agent.analyst.aliases.used import (
    BETWEEN,
    COUNTED,
    DENIED,
    GROUPED,
    JOINED,
    NARROWED,
    SHOWN,
    Item,
    forms_of,
)
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.linking.unknown import is_general
from oldhand.agent.analyst.words.links import Links, Mention, Span, bits, spans
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.phrases import phrase_forms
from oldhand.lexicon.wording import is_past_form, singular
from oldhand.record.phrases import same_phrase

SURE = 0.65
"""How well words must fit an item to explain it, when it was understood."""
CERTAIN = 0.95
"""How well they must fit to explain it whatever was understood."""
LONGEST = 3
"""Words of a phrase that is learned from a pair."""

_SHORT_PLURAL = re.compile(r"\b[^\W\daeiou]+ies$")
"""Plurals such as `ties` and `flies`, which the stems of a search do not bring together with their singular."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand together, at each place where they do."""

    words: tuple[str, ...]
    """Stems."""
    text: str
    """As it was written first, lower case."""
    spans: tuple[Span, ...]


Seen = AbstractSet[tuple[int, int]]
"""Tables with -1, and columns with their table, that the question is understood to mean without help."""


def open_items(items: Sequence[Item], asked: Asked, seen: Seen) -> list[Item]:
    """The items that no words of the question name well, or that are named but not understood."""
    links = asked.links
    tables, columns = _named(links.tables), _named(links.columns)
    values = {(o.column, str(value)) for m in links.values for o in m.options for value in o.values}
    valued = {item.column for item in items if (item.column, item.value) in values}
    found: list[Item] = []
    for item in items:
        if item.roles <= {DENIED, BETWEEN}:
            continue  # rows that don't count: no word is known to mean that there are none
        if item.value is not None:
            known = (item.column, item.value) in values
        elif item.column >= 0:
            score = columns.get(item.column, 0.0)
            unsaid = item.column in valued or _goes_unsaid(item, items, asked.vocabulary)
            labels = asked.column(item.column).name_like and GROUPED in item.roles
            named = labels and tables.get(item.table, 0.0) >= SURE  # `per pilot` says his name
            known = unsaid or named or _is_known(item, score, seen)
        else:
            known = _is_known(item, tables.get(item.table, 0.0), seen)
        if not known:
            found.append(item)
    return found


def _named(mentions: Sequence[Mention]) -> dict[int, float]:
    best: dict[int, float] = {}
    for mention in mentions:
        for option in mention.options:
            best[option.id] = max(best.get(option.id, 0.0), option.score)
    return best


def _is_known(item: Item, score: float, seen: Seen) -> bool:
    return score >= (SURE if (item.table, item.column) in seen else CERTAIN)


def _goes_unsaid(item: Item, items: Sequence[Item], words: Vocabulary) -> bool:
    """True for keys that rows are grouped by, and for columns that only a star shows."""
    entry = words.columns[item.column]
    if item.roles <= {GROUPED} and entry.key_like:
        return True
    shown = {other.column for other in items if SHOWN in other.roles}
    whole = set(words.tables[item.table].columns)
    return SHOWN in item.roles and len(whole) > 2 and whole <= shown


def open_phrases(items: Sequence[Item], asked: Asked, seen: Seen) -> list[Phrase]:
    """Runs of words with content that nothing the query uses explains."""
    links = asked.links
    explained = _explained(links, items, asked.vocabulary, seen)
    said = {t.stem for i, t in enumerate(links.tokens) if explained >> i & 1}
    places: dict[tuple[str, ...], list[Span]] = defaultdict(list)
    for span in _runs(links, explained):
        stems = tuple(token.stem for token in links.tokens[span.start : span.end])
        places[stems].append(span)
    return [
        Phrase(stems, " ".join(links.text(spans[0]).lower().split()), tuple(spans))
        for stems, spans in places.items()
        if len(stems) <= LONGEST and not said.issuperset(stems)
    ]


def _explained(links: Links, items: Sequence[Item], words: Vocabulary, seen: Seen) -> int:
    """The words that name what the query uses, as bits; words that only may do so count where they were understood."""
    mask = spans((*links.values, *links.numbers, *links.dates, *links.cues))
    for item in items:
        if item.value is not None:
            continue
        column = item.column >= 0
        number = item.column if column else item.table
        own = {word for form in forms_of(item, words) for word in form}
        for mention in links.columns if column else links.tables:
            score = max((o.score for o in mention.options if o.id == number), default=0.0)
            if score >= SURE and (item.table, item.column) in seen:
                mask |= mention.span.mask
            elif score >= SURE:
                places = range(mention.span.start, mention.span.end)
                mask |= bits(1 << place for place in places if links.tokens[place].stem in own)
    return mask


def _runs(links: Links, explained: int) -> Iterator[Span]:
    """Words with content that stand together; a participle begins no run and ends one."""
    start: int | None = None
    for position, token in enumerate(links.tokens):
        said = token.is_word and not token.quoted and not explained >> position & 1
        deed = start is not None and is_past_form(token.lower)
        free = said and not deed and not is_general(token)
        if free and start is None:
            start = position
        if not free and start is not None:
            yield Span(start, position)
            start = None
    if start is not None:
        yield Span(start, len(links.tokens))


def need(item: Item, items: Sequence[Item], asked: Asked) -> float:
    """How much the question must be expected to name an item, 0..1."""
    if item.value is not None:
        return 1.0
    if item.column >= 0:
        named = any(token.stem == "name" for token in asked.links.tokens)
        if named and asked.column(item.column).name_like:
            return 0.0
        held = (option.column for value in asked.links.values for option in value.options)
        said = item.column in held
        return 0.3 if item.roles <= {NARROWED} and said else 1.0
    if COUNTED in item.roles:
        return 1.0
    own = any(other.column >= 0 and other.table == item.table for other in items)
    return 0.8 if own else 0.4 if item.roles == {JOINED} else 0.6


def learned_form(phrase: str) -> str:
    """A phrase in the singular where that is found again in what was asked, else as it was spoken.

    >>> learned_form("key accounts"), learned_form("people"), learned_form("ties")
    ('key account', 'people', 'ties')
    """
    one = singular(phrase)
    alike = same_phrase(one, phrase) and phrase_forms(one) == phrase_forms(phrase)
    return one if alike and not _SHORT_PLURAL.search(phrase) else phrase
