"""The year of a month that is said without one: that of the question before."""

from dataclasses import replace
from datetime import date

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.words.dates import find_dates
from oldhand.lexicon.tokens import tokenise
from oldhand.query.form import Comparison, Predicate


def in_that_year(scene: Scene, words: str) -> tuple[str, int | None]:
    """Words with the year that was asked about behind a month that has none, and that year: `after March`, `June`."""
    for said in (words, f"in {words}"):
        tokens = tokenise(said)
        bare = [one for one in find_dates(said, tokens, scene.today) if one.months and one.year is None]  # fmt: skip
        years = {year_of(one) for one in scene.query.where if isinstance(one, Comparison)} - {None}
        if len(bare) == len(years) == 1:
            year, end = years.pop(), tokens[bare[0].span.end - 1].end
            return f"{said[:end]} {year}{said[end:]}", year
    return words, None


def until_its_end(found: tuple[Predicate, ...], year: int) -> tuple[Predicate, ...]:
    """Conditions on times after or before a day, within the year that was asked about."""

    def within(one: Predicate) -> Predicate:
        if isinstance(one, Comparison) and len(one.values) == 1 and one.operator in (">=", "<"):
            first, last = f"{year}-01-01", f"{year + 1}-01-01"
            days = (one.values[0], last) if one.operator == ">=" else (first, one.values[0])
            return replace(one, operator="within", right=days)
        return one

    return tuple(map(within, found))


def year_of(one: Comparison) -> int | None:
    """The year that all days of a condition lie in; None where there is none."""
    try:
        days = [date.fromisoformat(str(value)[:10]) for value in one.values]
    except ValueError:
        return None
    if one.operator == "within" and len(days) == 2:
        days = [days[0], date.fromordinal(days[1].toordinal() - 1)]
    elif one.operator not in ("=", "between"):
        return None
    years = {day.year for day in days}
    return years.pop() if len(years) == 1 else None
