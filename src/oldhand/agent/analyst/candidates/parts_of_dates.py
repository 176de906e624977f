"""Parts of dates that rows are grouped by: `per month`, `by day of the week`, `quarterly`."""

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.links import Span
from oldhand.lexicon.entries import meanings

_PARTS = meanings("time.parts")
_DAY_OF_WEEK = (["of", "the", "week"], ["of", "week"])


def part_at(asked: Asked, place: int) -> tuple[str, Span] | None:
    """The part of a date that the words at a place name, with the words; None when they name none."""
    part = _PARTS.get(asked.word(place))
    if part is None:
        return None
    for said in _DAY_OF_WEEK if part == "day" else ():
        if asked.words(place + 1, place + 1 + len(said)) == said:
            return "weekday", Span(place, place + 1 + len(said))
    return part, Span(place, place + 1)


def repeated_at(asked: Asked, place: int) -> bool:
    """True for the adjective of `monthly revenue`, unless it is part of the name of a column."""
    named = any(
        mention.span.mask >> place & 1 and mention.best.score >= 0.6
        for mention in asked.links.columns
    )
    word = asked.word(place)
    return word in _PARTS and word.endswith("ly") and not named
