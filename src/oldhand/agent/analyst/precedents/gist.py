"""What a question speaks of, in a form in which two questions can be compared."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.linking.unknown import is_general
from oldhand.agent.analyst.precedents.signs import Signs, direction, relation, signs_of
from oldhand.agent.analyst.words.links import DateMention, Links, Mention, ValueMention
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.effect import Alias
from oldhand.sources.databases.value_files import normal
from oldhand.sources.databases.values import Values

KEPT = 1024
"""Questions of pairs whose gist is kept, since the same pairs come back for question after question."""
GENERAL = 0.15
"""How much a general word counts against 1 for a word with content."""
NAMED_FROM = 0.5
"""Score from which a word counts as the name of a table or column."""
IN_FULL = 0.95
"""The same where its whole name is said."""

_FORMS: Mapping[str, str] = {
    "count": "count", "share": "share", "avg": "average", "sum": "sum", "per": "each", "group": "each", "order": "order",
    "asc": "rising", "desc": "falling", "not": "not", "distinct": "distinct", "both": "both", "or": "or", ">": "more",
    "<": "less", ">=": "at least", "<=": "at most", "or_more": "at least", "or_less": "at most", "between": "between",
    "null": "empty", "starts": "like", "ends": "like", "contains": "like", "than_average": "above average", "all": "all", "median": "median", "stddev": "spread",
}  # fmt: skip
"""What cues say of the form of the query; others say nothing by themselves."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word that says something, with all that it may name."""

    stem: str
    tables: frozenset[int]
    columns: frozenset[int]
    cue: bool
    """True when it is part of a cue."""
    weight: float
    region: str
    """S selected, F filter, G group, O order."""


@dataclass(frozen=True, slots=True)
class GistSlot:
    """Words in whose place other ones could stand: a value, a number or a time."""

    kind: str
    """`value`, `number` or `date`."""
    key: str
    """The same for slots that hold the same."""
    texts: frozenset[str]
    """How SQL may write it, in normal form."""
    weight: float
    """How surely it is one."""
    columns: tuple[tuple[int, str], ...] = ()
    """For a value: the columns that hold it, best first, and how they write it."""
    written: str = ""
    """For a number or a time: how SQL writes it."""
    bounds: tuple[str, ...] = ()
    """For a time: how SQL may write it as a whole, its first day, the day after it, and its last one."""
    relation: str = ""
    """For a number or a time: `more`, `at least` and so on, where it is compared."""


@dataclass(frozen=True, slots=True, eq=False)
class QuestionGist:
    """What one question speaks of."""

    question: str
    words: tuple[Word, ...]
    slots: tuple[GistSlot, ...]
    forms: frozenset[str]
    signs: Signs
    """What may turn its meaning round."""
    ends: frozenset[tuple[int, str]] = frozenset()
    """The keys that it tells from others to the same rows, with their tables."""

    def columns(self, region: str = "") -> frozenset[int]:
        """The columns that are named, in one region or in all."""
        named = [w.columns for w in self.words if not region or w.region == region]
        return frozenset[int]().union(*named)


@lru_cache(maxsize=KEPT)
def gist(
    question: str,
    words: Vocabulary,
    values: Values,
    today: date | None,
    aliases: tuple[Alias, ...] = (),
) -> QuestionGist:
    """The gist of a question; the last ones are kept."""
    links = link(question, words, values, today, aliases)
    return QuestionGist(
        question,
        tuple(_words(links)),
        tuple(_slots(links, words)),
        frozenset(_forms(links)),
        signs_of(links),
        frozenset((end.holder, end.column) for end in links.ends),
    )


def _words(links: Links) -> Iterator[Word]:
    taken = 0
    for mention in (*_values(links), *links.numbers, *links.dates):
        taken |= mention.span.mask
    cues = 0
    for cue in links.cues:
        cues |= cue.span.mask if cue.kind in _FORMS or direction(cue) else 0
    for place, token in enumerate(links.tokens):
        if taken >> place & 1 or not token.is_word:
            continue
        cue = bool(cues >> place & 1)
        tables = frozenset[int]() if cue else _named(links.tables, place)
        columns = frozenset[int]() if cue else _named(links.columns, place)
        general = is_general(token) or cue
        if token.lower in STOP_WORDS and not columns:
            continue
        weight = GENERAL if general and not tables and not columns else 1.0
        stem = word_lists().irregular.get(token.stem, token.stem)
        region = links.regions[place]
        yield Word(stem, tables, columns, cue, weight, region)


def _values(links: Links) -> list[ValueMention]:
    """The values that are meant: `option` is none in `package option` where a column is called so."""
    names = [one.span.mask for one in links.columns if one.best.score >= IN_FULL]
    return [
        value
        for value in links.values
        if not any(mask & value.span.mask == value.span.mask != mask for mask in names)
    ]


def _named(mentions: tuple[Mention, ...], place: int) -> frozenset[int]:
    """The tables or columns that a token names, those left out that fit much worse than the best."""
    found: set[int] = set()
    for mention in mentions:
        if mention.span.start <= place < mention.span.end and mention.best.score >= NAMED_FROM:
            least = mention.best.score - 0.1
            found.update(option.id for option in mention.options if option.score >= least)
    return frozenset(found)


def _slots(links: Links, words: Vocabulary) -> Iterator[GistSlot]:
    for value in _values(links):
        yield _value_slot(value, words)
    for number in links.numbers:
        text = f"{number.value:g}" if isinstance(number.value, float) else str(number.value)
        text += f" {number.unit.word}" if number.unit is not None else ""
        said = relation(links, number.span)
        yield GistSlot("number", text, frozenset({text}), 1.0, written=text, relation=said)
    for when in links.dates:
        yield _date_slot(when, relation(links, when.span))


def _date_slot(when: DateMention, said: str) -> GistSlot:
    text = str(when.year) if when.year else when.start.isoformat()
    text = when.text.casefold() if when.weekdays else text
    if when.weekdays:
        return GistSlot("date", text, frozenset({normal(text)}), 1.0, written=text, relation=said)
    first, after, last = when.start, when.end, when.end - timedelta(days=1)
    key = text if when.year else f"{first.isoformat()} up to {after.isoformat()}"
    bounds = (text if when.year else "", *(day.isoformat() for day in (first, after, last)))
    texts = frozenset(normal(one) for one in (text, *bounds) if one)
    return GistSlot("date", key, texts, 1.0, written=text, bounds=bounds, relation=said)


def _value_slot(value: ValueMention, words: Vocabulary) -> GistSlot:
    held = ((words.plain(o.column), str(o.values[0])) for o in value.options if o.values)
    columns = tuple(dict.fromkeys(held))
    written = {normal(str(v)) for option in value.options for v in option.values}
    weight = max((option.score for option in value.options), default=1.0)
    texts = frozenset({normal(value.text), *written})
    return GistSlot("value", normal(value.text), texts, weight, columns, value.text)


def _forms(links: Links) -> Iterator[str]:
    for cue in links.cues:
        form = direction(cue) or _FORMS.get(cue.kind)
        form = "below average" if cue.kind == "than_average" and cue.argument else form
        form = f"place {links.text(cue.span).casefold()}" if cue.kind == "ordinal" else form
        if form:
            yield form
