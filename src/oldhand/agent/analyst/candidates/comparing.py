"""Numbers with the words that compare them: `more than 3`, `between 3 and 5`, `3 or more`."""

from dataclasses import dataclass, replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import Cue, NumberMention, Span, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import SCALES
from oldhand.lexicon.wording import plain_number
from oldhand.lexicon.wordlists import adjective_of
from oldhand.query.form import Comparison, Expression
from oldhand.query.units import Unit, is_within, kinds_of, likely_unit, scale_of

_UP_TO, _DASHES = words("comparing.up_to"), frozenset("-\u2013\u2014")
_COMPARING = (">", ">=", "<", "<=", "between", "or_more", "or_less")


@dataclass(frozen=True, slots=True)
class Compared:
    """An operator and the words that say it."""

    operator: str
    used: int
    values: tuple[int | float, ...]
    adjective: str = ""
    start: int = 0
    unit: Unit | None = None
    """What the values count, where that was said."""
    guessed: bool = False
    """True where nobody says that the values are in the unit of the column."""

    def of(self, term: Expression) -> Comparison:
        """The condition on a term that they say."""
        return Comparison(term, self.operator, self.values)

    def for_column(self, entry: ColumnEntry, *, named: bool) -> "Compared | None":
        """The same in the unit of a column; None where nobody knows which that is, or where it is another sort of thing.

        Args:
            entry: the column.
            named: whether words name it, and not just any column that measures such things.
        """
        said, own = self.unit, entry.unit
        if said is None:
            scale = scale_of(entry.column.name)
            if scale > 1 and all(abs(value) >= scale for value in self.values):
                return self._times(1 / scale)
            far = own is not None and is_within(entry.column, self.values) is False
            return replace(self, guessed=True) if far and self.operator != "=" else self
        if own is None:
            kinds = {k for form in entry.forms for word in form for k in kinds_of(word)}
            fits = said.kind in kinds
            if said.kind == "money" and said.size == 1:
                return self if named or fits else None
            if not fits:
                return self if named or (said.is_wide and not kinds) else None
            own = likely_unit(entry.column, said, self.values)
            return replace(self.scaled(own), guessed=True) if own else None
        scaled = self.scaled(own)
        far = said.is_wide and not own.is_wide and is_within(entry.column, scaled.values) is False
        # Nobody whose hours are few speaks of them in days.
        scaled = replace(scaled, guessed=True) if far and not named else scaled
        return scaled if own.kind == said.kind else None

    def scaled(self, unit: Unit) -> "Compared":
        """The same in another unit."""
        size = self.unit.size if self.unit is not None else unit.size
        return self._times(size / unit.size)

    def _times(self, factor: float) -> "Compared":
        values = (plain_number(round(value * factor, 6)) for value in self.values)
        return replace(self, values=tuple(values))


def comparison_at(asked: Asked, number: NumberMention) -> Compared:
    """How a number is compared: `=` when no words say it."""
    span, value = number.span, number.value
    unit, used = number.unit, number.said.mask
    if cue := asked.cue_after(number.said.end, 3, "or_more", "or_less"):
        operator = ">=" if cue.kind == "or_more" else "<="
        used |= cue.span.mask
        return Compared(operator, used, (value,), adjective_in(asked, cue), span.start, unit)
    cue = comparing_cue(asked, span.start)
    if cue is None or asked.links.text(cue.span).lower() == "from":
        return _between(number, cue, _end_of_range(asked, number))
    if cue.kind == "between":
        end = number.said.end
        second = next((n for n in asked.links.numbers if end < n.span.start <= end + 2), None)
        return _between(number, cue, second)
    operator = {"or_more": ">", "or_less": "<"}.get(cue.kind, cue.kind)
    used |= cue.span.mask
    return Compared(operator, used, (value,), adjective_in(asked, cue), cue.span.start, unit)


def _between(number: NumberMention, cue: Cue | None, second: NumberMention | None) -> Compared:
    """The range from one number to a second one, perhaps after words that open it; without a second one the number itself."""
    value, unit, start = number.value, number.unit, number.span.start
    if second is None:
        return Compared("=", number.said.mask, (value,), "", start, unit)
    start = cue.span.start if cue is not None else start
    last = second.unit or unit
    if unit is not None and last is not None:
        value = value * unit.size / last.size
    values = _in_scale_of(value, second), second.value
    return Compared("between", Span(start, second.said.end).mask, values, "", start, last)


def _end_of_range(asked: Asked, number: NumberMention) -> NumberMention | None:
    """The last number of `aged 18 to 20` and of `18-20`, each the larger one; None where no range is told."""
    end, tokens = number.said.end, asked.links.tokens
    to = asked.word(end) in _UP_TO
    for second in asked.links.numbers:
        if second.span.start == end + to and second.value > number.value:
            between = asked.links.question[tokens[end - 1].end : tokens[second.span.start].start]
            return second if to or between.strip() in _DASHES else None
    return None


def _in_scale_of(value: float, second: NumberMention) -> float:
    """The ten millions of `between 10 and 20 million`."""
    word = second.text.lower().rpartition(" ")[2].lstrip("0123456789.,")
    whole = value * SCALES.get(word, 1)
    return whole if whole < second.value else value


def comparing_cue(asked: Asked, start: int) -> Cue | None:
    """The words of comparison before a number, with at most the name of the column between."""
    cue = asked.cue_before(start, 5, *_COMPARING)
    if cue is None:
        return None
    named = spans(asked.links.columns)
    between = range(cue.span.end, start)
    loose = ("a", "an", "the", "of", "about", "age", "is", "than", "$", "year", "years")
    fits = all(named >> i & 1 or asked.word(i) in loose for i in between)
    return cue if fits else None


def adjective_in(asked: Asked, cue: Cue) -> str:
    """The plain adjective in words of comparison, such as `old` in `older than`; empty when there is none."""
    words = asked.words(cue.span.start, cue.span.end)
    plain = next((adjective for word in words if (adjective := adjective_of(word))), "")
    return plain or ("expensive" if "expensive" in words else "")
