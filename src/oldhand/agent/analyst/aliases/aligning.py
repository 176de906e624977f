"""How well a phrase that nothing explains fits an item that no word names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from oldhand.agent.analyst.aliases.open_ends import SURE, Phrase, need
from oldhand.agent.analyst.aliases.used import (
    COUNTED,
    GROUPED,
    NARROWED,
    ORDERED,
    SHOWN,
    Item,
    forms_of,
)
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Features
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import Span
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.wording import plural, singular

WEIGHTS = {
    "need": 1.0, "part": 1.0, "other_part": -1.0, "counted": 1.5, "counted_column": 0.3, "beside_value": 1.5,
    "owns_value": 1.0, "owns_column": 1.2, "alike": 2.0, "shares_word": 1.0, "computed": 1.2, "compared": 1.2,
    "no_number": -1.5, "plural_table": 0.5, "plural_column": -0.3, "singular_table": -0.1, "value_elsewhere": -0.6,
    "grouped": 0.8, "verb": -1.5, "label": -0.4, "of_something": 0.6, "in_order": 0.8, "out_of_order": -0.8,
}  # fmt: skip
"""What speaks for and against; set by hand and checked on Spider's training part."""
_PARTS = {"S": {SHOWN, COUNTED}, "F": {NARROWED}, "G": {GROUPED, SHOWN}, "O": {ORDERED}}
_COMPARISONS = (">", "<", ">=", "<=", "between", "than_average")
_EXTREMES = ("avg", "sum", "max", "min", "superlative")


@dataclass(frozen=True, slots=True)
class Fitting:
    """A question beside what its query uses."""

    asked: Asked
    items: Sequence[Item]
    missing: Sequence[Item]
    """Those that no word names."""
    phrases: Sequence[Phrase]
    """Those that nothing explains."""

    def score(self, phrase: Phrase, item: Item) -> float:
        """How well they fit; above 2 or so they go together."""
        best: dict[str, float] = {}
        for span in phrase.spans:
            for name, amount in self._features(span, phrase, item):
                best[name] = max(best.get(name, amount), amount)
        return sum(WEIGHTS[name] * amount for name, amount in best.items())

    def _features(self, span: Span, phrase: Phrase, item: Item) -> Iterator[tuple[str, float]]:
        yield "need", need(item, self.items, self.asked)
        yield "alike", _alikeness(phrase, item, self.asked.vocabulary)
        yield from self._order(phrase, item)
        yield from self._place(span, item)
        if item.value is None and item.column < 0:
            yield from self._as_table(span, item)
        elif item.value is None:
            yield from self._as_column(span, item)

    def _place(self, span: Span, item: Item) -> Features:
        if item.roles & _PARTS[self.asked.region(span)]:
            return (("part", 1.0),)
        elsewhere = item.column >= 0 or item.value is not None
        return (("other_part", 1.0),) if elsewhere and not self._beside_value(span, item) else ()

    def _order(self, phrase: Phrase, item: Item) -> Features:
        """Columns are mostly selected in the order in which they are asked for."""
        shown = [i for i in self.missing if SHOWN in i.roles and i.column >= 0 and i.value is None]
        asked = [p for p in self.phrases if self.asked.region(p.spans[0]) == "S"]
        if phrase not in asked or item not in shown or not 1 < len(shown) == len(asked):
            return ()
        same = shown.index(item) == asked.index(phrase)
        return (("in_order" if same else "out_of_order", 1.0),)

    def _beside_value(self, span: Span, item: Item) -> bool:
        """True for `the pilot named 'Thompson'`, not for `the pilot of 'Thompson Air'`."""
        for value in self.asked.links.values:
            if not any(option.column == item.column for option in value.options):
                continue
            first, second = sorted((span, value.span), key=lambda s: s.start)
            between = self.asked.words(first.end, second.start)
            if len(between) <= 3 and not ("of" in between and first is span):
                return True
        return False

    def _as_table(self, span: Span, item: Item) -> Iterator[tuple[str, float]]:
        own = set(self.asked.vocabulary.tables[item.table].columns)
        yield ("plural_table" if self._is_plural(span) else "singular_table"), 1.0
        if self._is_verb(span):
            yield "verb", 1.0
        if self._cue_before(span, "count", "most_count"):
            yield "counted", float(COUNTED in item.roles)
        if self._cue_before(span, "per", "group"):
            yield "grouped", float(any(i.column in own and GROUPED in i.roles for i in self.items))
        meant = (
            m
            for m in self.asked.links.columns
            if any(o.id in own and o.score > SURE for o in m.options)
        )
        others = [place for phrase in self.phrases for place in phrase.spans if place != span]
        if any(self._names(place, span) for place in (*(m.span for m in meant), *others)):
            yield "owns_column", 1.0
        held = (v for v in self.asked.links.values if any(o.column in own for o in v.options))
        if any(0 <= value.span.start - span.end <= 3 for value in held):
            yield "owns_value", 1.0

    def _as_column(self, span: Span, item: Item) -> Iterator[tuple[str, float]]:
        entry = self.asked.column(item.column)
        if self._is_plural(span):
            yield "plural_column", 1.0
        if entry.name_like:
            yield "label", 1.0
            yield "verb", float(self._is_verb(span))
        near = (m for m in self.asked.links.columns if m.span.overlaps(span))
        if any(option.id == item.column for mention in near for option in mention.options):
            yield "shares_word", 1.0
        if self.asked.word(span.end) == "of":
            yield "of_something", 1.0
        if self._beside_value(span, item):
            yield "beside_value", 1.0
        elif item.roles <= {NARROWED} and self._has_value(item):
            yield "value_elsewhere", 1.0
        if self._cue_before(span, "count", "most_count"):
            yield "counted_column", 1.0
        if self._cue_before(span, "per", "group") and GROUPED in item.roles:
            yield "grouped", 1.0
        yield from self._as_quantity(span, item, entry)

    def _as_quantity(
        self, span: Span, item: Item, entry: ColumnEntry
    ) -> Iterator[tuple[str, float]]:
        """`average PHRASE` and `PHRASE above 3` speak of a number."""
        computed = self._cue_before(span, *_EXTREMES)
        if computed and (item.aggregates or ORDERED in item.roles):
            yield "computed", 1.0
        compared = any(
            0 <= c.span.start - span.end <= 2 for c in self.asked.links.cues_of(*_COMPARISONS)
        )
        if compared and NARROWED in item.roles and entry.numeric:
            yield "compared", 1.0
        if (computed or compared) and not (entry.numeric or entry.temporal):
            yield "no_number", 1.0

    def _is_plural(self, span: Span) -> bool:
        word = self.asked.word(span.end - 1)
        return plural(word) == word and singular(word) != word

    def _is_verb(self, span: Span) -> bool:
        return self.asked.word(span.end - 1).endswith(("ed", "ing"))

    def _has_value(self, item: Item) -> bool:
        return any(o.column == item.column for v in self.asked.links.values for o in v.options)

    def _cue_before(self, span: Span, *kinds: str) -> bool:
        return self.asked.cue_before(span.start, 2, *kinds) is not None

    def _names(self, column: Span, table: Span) -> bool:
        """True for `name of the TABLE` and `TABLE name`."""
        if column.end <= table.start:
            between = self.asked.words(column.end, table.start)
            return bool(between) and between[0] in ("of", "for") and len(between) <= 4
        between = self.asked.words(table.end, column.start)
        return not between or between == ["s"]


def _alikeness(phrase: Phrase, item: Item, words: Vocabulary) -> float:
    """How much the phrase is spelt like the item's name, from 0 for chance to 1."""
    if item.value is not None:
        names = [item.value.casefold()]
    else:
        names = [" ".join(form) for form in forms_of(item, words)]
    text = phrase.text
    best = max(fuzz.ratio(text, name) for name in names)
    parts = [part for name in names for part in name.split() if len(part) > 3]
    inside = any(part in text or (len(text) > 3 and text in part) for part in parts)
    initials = "".join(word[0] for word in phrase.words) if len(phrase.words) > 1 else ""
    short = any(initials == name.replace(" ", "") for name in names)
    return max((best - 55) / 45, 0.7 * inside, 1.0 * short, 0.0)
