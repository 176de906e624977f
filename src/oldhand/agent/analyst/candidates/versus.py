"""Two things set against each other: `more customers in Rome or in Bonn`, `orders in 2024 compared to 2023`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot
from oldhand.agent.analyst.candidates.sketch import ROWS, Condition, Term
from oldhand.agent.analyst.candidates.worth import line_amounts, worth_words
from oldhand.agent.analyst.linking.links import Span

_MORE = frozenset({"more", "fewer", "less", "most", "fewest"})
_AGAINST = frozenset({"or", "than", "versus", "vs", "against", "with", "and", "to"})
_COMPARED = frozenset({"compared", "compare", "versus", "vs"})
_GLUE = frozenset(
    {"in", "from", "at", "of", "by", "for", "the", "are", "there", "live", "compared"}
)


@dataclass(frozen=True, slots=True)
class Rivals:
    """Two values of one column, or two times, and the tokens that name them and set them against each other."""

    term: Term
    """What the groups are told apart by."""
    condition: Condition
    used: int
    near: float


def versus_slots(asked: Asked) -> list[Slot]:
    """A slot for the words that compare two things: the number for each of the two."""
    lead = compared_at(asked)
    if lead is None:
        return []
    choices: list[Choice] = []
    for rivals in _rivals(asked):
        for term, table, used, score in _counted(asked, lead):
            features: Features = (
                ("versus.count", score),
                ("versus.near", rivals.near),
                ("versus.worth", float(bool(term.times))),
                ("versus.own", float(_owner(asked, rivals) == table)),
            )
            where = Choice("where", (), 0, asked.table_bit(rivals.condition.term.column), lead, condition=rivals.condition)  # fmt: skip
            group = Choice("group", (), 0, 0, lead, (rivals.term,), shown="first")
            mask = used | rivals.used | 1 << lead
            choices.append(Choice("select", features, mask, 1 << table, lead, (term,), table=table, along=(where, group)))  # fmt: skip
    return [Slot(1 << lead, (*choices, Choice("skip")))] if choices else []


def _owner(asked: Asked, rivals: Rivals) -> int:
    return asked.column(rivals.term.column).table


def compared_at(asked: Asked) -> int | None:
    """Where the word stands that compares two things; None when none does."""
    words = [token.lower for token in asked.links.tokens]
    for place, word in enumerate(words):
        more = word in _MORE and words[place + 1 : place + 2] != ["than"]
        rest = set(words[place + 1 :])
        if (more and {"or", "than"} & rest) or word in _COMPARED:
            return place
    return None


def _counted(asked: Asked, lead: int) -> Iterator[tuple[Term, int, int, float]]:
    """What there is more of: rows of a table, or revenue; with the tokens that say so."""
    for span in worth_words(asked.links.tokens):
        for amount in line_amounts(asked.vocabulary):
            yield replace(amount.term, aggregate="sum"), amount.table, span.mask, 1.0
    counts = sum(cue.span.mask for cue in asked.links.cues_of("count")[:1])
    for mention in asked.links.tables:
        if counts or mention.span.start > lead:
            for option in mention.options[:2]:
                yield Term(ROWS, "count"), option.id, mention.span.mask | counts, option.score
            return


def _rivals(asked: Asked) -> Iterator[Rivals]:
    values = asked.links.values
    for one, two in pairwise(values):
        used = _between(asked, one.span, two.span)
        if used is None:
            continue
        seconds = {option.column: option for option in two.options}
        for option in one.options:
            other = seconds.get(option.column)
            if other is not None and option.operator == other.operator == "=":
                term = Term(option.column)
                condition = Condition(term, "in", (*option.values, *other.values))
                near = asked.nearness(asked.column(option.column).table)
                yield Rivals(term, condition, used, near)
    dates = asked.links.dates
    for first, last in pairwise(dates):
        used = _between(asked, first.span, last.span)
        if used is None or not first.year or not last.year:
            continue
        for number, entry in enumerate(asked.vocabulary.columns):
            near = 1.0 if entry.table in asked.deals else asked.nearness(entry.table)
            if entry.temporal and near > 0:
                term = Term(number, part="year")
                condition = Condition(term, "in", (str(first.year), str(last.year)))
                yield Rivals(term, condition, used, near)


def _between(asked: Asked, one: Span, two: Span) -> int | None:
    """The tokens of two alternatives and of what links them; None when they are not set against each other."""
    words = asked.words(one.end, two.start)
    if len(words) > 3 or not set(words) <= _AGAINST | _GLUE or not set(words) & _AGAINST:
        return None
    return Span(one.start, two.end).mask


def answers_both(found: Mapping[str, float]) -> bool:
    """True for a query, told by its features, that has a number for each of two things."""
    return "versus.count" in found
