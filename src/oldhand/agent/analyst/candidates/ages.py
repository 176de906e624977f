"""How old people are, where only the day of their birth is known: `customers over 60`, `younger than 18`."""

from collections.abc import Iterator
from datetime import timedelta

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, where
from oldhand.agent.analyst.candidates.comparing import Compared
from oldhand.agent.analyst.words.links import NumberMention
from oldhand.query.form import Comparison

_TURNED = {">": ("<=", 1), ">=": ("<=", 0), "<": (">", 0), "<=": (">", 1)}
"""How the day of birth compares where an age does, and how many more birthdays there were."""
_OLDEST = 130


def by_birth(asked: Asked, number: NumberMention, said: Compared) -> Iterator[Choice]:
    """The people who were born so many years before today: those right before the number, or whom it calls older or younger."""
    today, turned = asked.links.today, _TURNED.get(said.operator)
    before = [m for m in asked.links.tables if m.span.end <= said.start and m.best.score >= 0.9]
    years = said.unit is None or said.unit.word.startswith("year")
    aged = said.adjective in ("old", "young") or (before and before[-1].span.end == said.start)
    if today is None or turned is None or not (aged and years) or number.value > _OLDEST:
        return
    operator, more = turned
    first = today.replace(year=today.year - int(number.value) - more, day=min(today.day, 28))
    day = first + timedelta(days=today.day - first.day)
    for column in asked.vocabulary.tables[before[-1].best.id].columns if before else ():
        entry = asked.column(column)
        born = any(word.startswith(("birth", "born")) for word in entry.words)
        if entry.temporal and born:
            features: Features = (("num.score", 1.0), ("num.near", 1.0))
            condition = Comparison(entry.ref, operator, (f"{day}",))
            yield where(asked, said.start, said.used, features, condition)
