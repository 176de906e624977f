"""Numbers with the words that compare them: `more than 3`, `between 3 and 5`, `3 or more`."""

from dataclasses import dataclass

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.links import Cue, NumberMention, spans
from oldhand.lexicon.wordlists import adjective_of
from oldhand.query.form import Comparison, Expression

_COMPARING = (">", ">=", "<", "<=", "between", "or_more", "or_less")


@dataclass(frozen=True, slots=True)
class Compared:
    """An operator and the words that say it."""

    operator: str
    used: int
    values: tuple[int | float, ...]
    adjective: str = ""
    start: int = 0

    def of(self, term: Expression) -> Comparison:
        """The condition on a term that they say."""
        return Comparison(term, self.operator, self.values)


def comparison_at(asked: Asked, number: NumberMention) -> Compared:
    """How a number is compared: `=` when no words say it."""
    span, value = number.span, number.value
    used = span.mask
    if cue := asked.cue_after(span.end, 3, "or_more", "or_less"):
        operator = ">=" if cue.kind == "or_more" else "<="
        used |= cue.span.mask
        return Compared(operator, used, (value,), adjective_in(asked, cue), span.start)
    cue = comparing_cue(asked, span.start)
    if cue is None or asked.links.text(cue.span).lower() == "from":
        return Compared("=", used, (value,), "", span.start)
    if cue.kind == "between":
        following = (n for n in asked.links.numbers if span.end < n.span.start <= span.end + 2)
        second = next(following, None)
        if second is None:
            return Compared("=", used, (value,), "", span.start)
        used |= cue.span.mask | second.span.mask
        return Compared("between", used, (value, second.value), "", cue.span.start)
    operator = {"or_more": ">", "or_less": "<"}.get(cue.kind, cue.kind)
    used |= cue.span.mask
    return Compared(operator, used, (value,), adjective_in(asked, cue), cue.span.start)


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
