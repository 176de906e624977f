"""Dates and times in sentences, however they are written."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from oldhand.lexicon.entries import meanings

_MONTHS = {word: int(number) for word, number in meanings("saying.months").items()}
_NAMED = "|".join(sorted(_MONTHS, key=len, reverse=True))
_OF = r"(?:of\s+|de\s+|di\s+|do\s+)?"
_DATE = re.compile(
    r"(?<!\d)(?P<year>\d{4})-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?(?!\d)"
    r"|(?<![\d.,])(?P<one>\d{1,2})(?P<mark>[./-])(?P<other>\d{1,2})(?P=mark)(?P<years>\d{4}|\d{2})(?!\d)"
    rf"|(?:(?<![\d.,])(?P<before>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?\s+{_OF})?\b(?P<name>{_NAMED})\b\.?"
    rf"(?:\s+(?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?![\d.,]*\d))?(?:,?\s+{_OF}(?P<its>\d{{4}})(?!\d))?",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?![\d:])")


@dataclass(frozen=True)
class Moments:
    """All dates and times of a text."""

    years: set[int] = field(default_factory=set[int])
    months: set[int] = field(default_factory=set[int])
    days: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Month and day."""
    times: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Hour and minute, of twelve hours, too."""

    @classmethod
    def of(cls, text: str) -> "Moments":
        """Those of a text.

        >>> found = Moments.of("2026-03-05 14:35:20, 24.12.2025")
        >>> sorted(found.years), sorted(found.days), sorted(found.times)
        ([2025, 2026], [(3, 5), (12, 24)], [(2, 35), (14, 35)])
        """
        found = cls()
        for date in _DATE.finditer(text):
            for year, month, day in _read(date):
                found.years.update({year} if year else ())
                found.months.add(month)
                found.days.update({(month, day)} if day else ())
        for time in _TIME.finditer(text):
            hour, minute = int(time[1]), int(time[2])
            found.times.update({(hour, minute), (hour % 12, minute)})
        return found

    @staticmethod
    def blanked(text: str) -> str:
        """The text without its dates and times."""
        return _TIME.sub(" ", _DATE.sub(" ", text))

    def unknown_in(
        self, text: str, values: Collection[float], words: Collection[str]
    ) -> Iterator[str]:
        """Dates and times of another text that are none of these."""
        for date in _DATE.finditer(text):
            if not date["name"] and not any(map(self._has_day, _read(date))):
                yield date[0]
            elif date["name"] and date["name"][0].isupper() and _folded(date) not in words:
                ((year, month, day),) = _read(date)
                known_month = month in self.months or month in values or not self.months
                known_year = year is None or year in self.years or year in values
                if not (
                    known_month and known_year and (not day or self._has_day((None, month, day)))
                ):
                    yield date[0].strip()
        for time in _TIME.finditer(text):
            if (int(time[1]), int(time[2])) not in self.times:
                yield time[0]

    def _has_day(self, date: "tuple[int | None, int, int | None]") -> bool:
        year, month, day = date
        known_day = (month, day) in self.days if day else month in self.months
        return known_day and (year is None or year in self.years)


def _folded(date: re.Match[str]) -> str:
    return date[0].strip().casefold()


def _read(date: re.Match[str]) -> "list[tuple[int | None, int, int | None]]":
    """Year, month and day, in both orders where it may be either."""
    if date["year"]:
        return [(int(date["year"]), int(date["month"]), int(date["day"] or 0) or None)]
    if date["one"]:
        one, other, year = int(date["one"]), int(date["other"]), int(date["years"])
        year += 2000 if year < 70 else 1900 if year < 100 else 0
        return [(year, month, day) for month, day in ((other, one), (one, other)) if month <= 12]
    day = int(date["before"] or date["after"] or 0) or None
    return [(int(date["its"] or 0) or None, _MONTHS[date["name"].casefold()], day)]
