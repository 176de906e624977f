"""What one correction teaches over businesses that the rules were not made on: its paraphrases, look-alikes that mean something else, and other questions."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter

from benchmarks._spider_data import Rows, same_answer
from benchmarks.teaching import fetched
from oldhand import Oldhand

RULE = """A ski school, a mover and a group of vets; 31 lessons that their owners would teach, and the questions around each, were written before any was asked. Each
lesson is told in a home of its own by one correction in SQL. Right means answered, and with the rows of the right SQL. Broken: right before the
correction, and not after it. The vets were kept; they were read once, and what they showed was mended afterwards."""
_FOLDER = Path(__file__).parent / "_lessons"
_HOW = {"value": "other value", "light": "lightly other words", "far": "quite other words"}


class _Asked(BaseModel):
    """A question with the SQL that is right for it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    q: str
    sql: str
    how: str = ""


class _Lesson(BaseModel):
    """What an owner corrects, and the questions around it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str
    asked: str
    sql: str
    words: str
    """The correction as people put it in words."""
    rule: str
    """The same as a rule for all questions."""
    paraphrases: tuple[_Asked, ...]
    opposites: tuple[_Asked, ...]
    unrelated: tuple[_Asked, ...]

    @property
    def questions(self) -> list[tuple[str, _Asked]]:
        """All of them, each with its group."""
        told = [(_HOW[one.how], one) for one in self.paraphrases]
        told += [("means something else", one) for one in self.opposites]
        return told + [("unrelated", one) for one in self.unrelated]


@dataclass(frozen=True)
class _Outcome:
    """What came of one question before the lesson, and after it."""

    business: str
    kind: str
    group: str
    before: bool
    after: bool
    wrong: bool
    """Answered wrongly after it."""


def run(_: Path | None) -> None:
    """Print the tables."""
    print(RULE + "\n")
    outcomes: list[_Outcome] = []
    with TemporaryDirectory() as folder:
        for script in sorted(_FOLDER.glob("*.sql")):
            file = Path(folder) / f"{script.stem}.db"
            with closing(sqlite3.connect(file)) as made:
                made.executescript(script.read_text("utf-8"))
            told = yaml.safe_load(script.with_suffix(".yaml").read_text("utf-8"))
            for number, lesson in enumerate(TypeAdapter(list[_Lesson]).validate_python(told)):
                home = Path(folder) / f"{script.stem}-{number}"
                outcomes += _taught(lesson, file, home)
    _table("by group", outcomes, lambda one: one.group)
    paraphrases = [one for one in outcomes if one.group in _HOW.values()]
    _table("paraphrases by kind of lesson", paraphrases, lambda one: one.kind)
    _table("paraphrases by business", paraphrases, lambda one: one.business)


def _taught(lesson: _Lesson, file: Path, home: Path) -> list[_Outcome]:
    """One lesson in a home of its own."""
    with Oldhand(home) as old:
        old.databases.add(f"sqlite:///{file}", name=file.stem)
        before = [_is_right(old, one, file) for _, one in lesson.questions]
        old.feedback(old.ask(lesson.asked), correction=lesson.sql)
        after = [_is_right(old, one, file) for _, one in lesson.questions]
    return [
        _Outcome(file.stem, lesson.kind, group, first is True, then is True, then is False)
        for (group, _), first, then in zip(lesson.questions, before, after, strict=True)
    ]


def _is_right(old: Oldhand, one: _Asked, file: Path) -> bool | None:
    """Whether the answer has the right rows, in whichever order of columns; None where there is no answer."""
    answer = old.ask(one.q)
    if answer.outcome != "answered":
        return None
    wanted = fetched(file, one.sql)
    found: Rows = [tuple(row) for row in answer.rows]
    return same_answer(one.sql, wanted, found) or _sorted(wanted) == _sorted(found)


def _sorted(rows: Rows) -> list[tuple[str, ...]]:
    return sorted(tuple(sorted(map(str, row))) for row in rows)


def _table(name: str, outcomes: list[_Outcome], of: Callable[[_Outcome], str]) -> None:
    print(
        f"| {name} | questions | right before | right after | wrong after | broken |\n|---|---|---|---|---|---|"
    )
    for group, count in Counter(map(of, outcomes)).items():
        own = [one for one in outcomes if of(one) == group]
        broken = sum(one.before and not one.after for one in own)
        figures = (
            sum(one.before for one in own),
            sum(one.after for one in own),
            sum(one.wrong for one in own),
            broken,
        )
        print(f"| {group.replace('_', ' ')} | {count} | {' | '.join(map(str, figures))} |")
    print()
