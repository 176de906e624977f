"""Who stands above whom, over tables that refer to themselves under whatever name; the answers come from the generated people."""

import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from oldhand.agent.analyst import DecisionKind, decide, understand
from oldhand.query.compiling.compile import compile_query
from oldhand.query.describing.found import FoundRows
from oldhand.query.describing.headings import headings
from oldhand.query.describing.sentences import phrase
from oldhand.query.form import Query
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.opening import open_database
from oldhand.sources.databases.value_files import indexed_columns
from oldhand.sources.databases.values import AllValues, ValueIndex

FIRST = ("Ada", "Boris", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana")
LAST = ("Abel", "Brandt", "Costa", "Dahl", "Eder", "Falk")
JOBS = ("Clerk", "Driver", "Director", "Technician")
SHAPES = {
    "declared": ("employees", "id", "manager_id", "name", True),
    "boss": ("staff", "staff_no", "boss", "name", True),
    "reports to": ("Employee", "EmployeeId", "ReportsTo", "FirstName,LastName", True),
    "super": ("employee", "ssn", "super_ssn", "fname,lname", True),
    "another word": ("workers", "id", "foreman_ref", "full_name", True),
    "no foreign key": ("employees", "employee_id", "manager_id", "first_name,last_name", False),
}


@dataclass(frozen=True)
class Person:
    key: int
    name: str
    job: str
    salary: int
    above: int | None


@dataclass(frozen=True)
class World:
    """A table of people in one of the shapes, and the people as they were invented."""

    people: tuple[Person, ...]
    schema: DatabaseSchema
    values: AllValues
    connection: sqlite3.Connection

    def answer(self, question: str) -> tuple[Counter[str], str] | None:
        """The rows as texts, and the sentence; None when it does not answer."""
        found = understand(question, (self.schema,), self.values)
        if decide(found, (self.schema,)).kind is not DecisionKind.ANSWER:
            return None
        best = found.candidates[0]
        assert isinstance(best.query, Query)
        rows = self.connection.execute(
            compile_query(best.query, (self.schema,), "sqlite")
        ).fetchall()
        names = headings(best.query, (self.schema,))
        said = phrase(
            question, best.query, FoundRows(names, tuple(rows), len(rows)), (self.schema,)
        )
        return Counter(" ".join(str(cell) for cell in row) for row in rows), said

    def named(self, key: int | None) -> str:
        return next(person.name for person in self.people if person.key == key)

    def below(self, key: int) -> list[Person]:
        return [person for person in self.people if person.above == key]

    @property
    def leaders(self) -> list[Person]:
        return [person for person in self.people if self.below(person.key)]


def _people() -> tuple[Person, ...]:
    rng = random.Random(5)
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    rng.shuffle(names)
    sizes = {1: 6, 2: 3, 3: 2, 4: 4}
    above: list[int | None] = [None, 1, 1, 2, None]
    spare = {1: 4, 2: 2, 3: 2, 4: 4}
    for leader, number in sizes.items():
        above += [leader] * min(number, spare[leader])
    return tuple(
        Person(key, names[key], rng.choice(JOBS), 30_000 + 1_000 * key, boss)
        for key, boss in enumerate(above, 1)
    )


@pytest.fixture(params=SHAPES.values(), ids=SHAPES)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    table, key, reference, names, declared = request.param
    columns = names.split(",")
    refers = f" REFERENCES {table} ({key})" if declared else ""
    file = tmp_path / "people.db"
    connection = sqlite3.connect(file)
    connection.execute(
        f"CREATE TABLE {table} ({key} INTEGER PRIMARY KEY, {', '.join(f'{c} TEXT NOT NULL' for c in columns)},"
        f" job_title TEXT NOT NULL, salary INTEGER NOT NULL, {reference} INTEGER{refers})"
    )
    people = _people()
    for person in people:
        parts = person.name.split() if len(columns) > 1 else [person.name]
        row = (person.key, *parts, person.job, person.salary, person.above)
        connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    connection.commit()
    database = open_database(DatabaseEntry(name="people", url=f"sqlite:///{file}"))
    schema = database.introspect()
    entries = [
        (s, t, c.name, list(database.distinct_values(t, c.name, schema_name=s, limit=1000)))
        for s, t, c in indexed_columns(schema)
    ]
    database.close()
    return World(people, schema, AllValues([ValueIndex.in_memory("people", entries)]), connection)


ABOVE = (
    "Who does {} report to?",
    "To whom does {} report?",
    "Who is the boss of {}?",
    "Who is {}'s manager?",
    "Who manages {}?",
    "Who is {} managed by?",
    "Who supervises {}?",
    "Which person leads {}?",
)
BELOW = (
    "Whom does {} manage?",
    "Who reports to {}?",
    "Who works under {}?",
    "Who are the direct reports of {}?",
    "List {}'s subordinates",
    "people whose boss is {}",
    "people supervised by {}",
    "Who has {} as their manager?",
)


@pytest.mark.parametrize("question", ABOVE)
def test_those_above_a_person_are_found_whatever_the_column_is_called(world: World, question: str):
    for person in (p for p in world.people if p.above is not None):
        answer = world.answer(question.format(person.name))
        assert answer is not None, question
        assert answer[0] == Counter([world.named(person.above)])
        assert world.named(person.above) in answer[1]


@pytest.mark.parametrize("question", BELOW)
def test_those_below_a_person_are_found_whatever_the_column_is_called(world: World, question: str):
    for leader in world.leaders:
        answer = world.answer(question.format(leader.name))
        assert answer is not None, question
        assert answer[0] == Counter(person.name for person in world.below(leader.key))


Expected = Callable[[World], Counter[str]]
OVERALL: dict[str, Expected] = {
    "How many people report to {leader}?": lambda w: Counter([str(len(w.below(1)))]),
    "How many direct reports does {leader} have?": lambda w: Counter([str(len(w.below(1)))]),
    "people without a manager": lambda w: Counter(p.name for p in w.people if p.above is None),
    "Who has no boss?": lambda w: Counter(p.name for p in w.people if p.above is None),
    "Who reports to nobody?": lambda w: Counter(p.name for p in w.people if p.above is None),
    "Who has no direct reports?": lambda w: Counter(p.name for p in w.people if not w.below(p.key)),
    "Who does not manage anyone?": lambda w: Counter(
        p.name for p in w.people if not w.below(p.key)
    ),
    "Who manages someone?": lambda w: Counter(p.name for p in w.leaders),
    "How many people report to each manager?": lambda w: Counter(
        f"{p.name} {len(w.below(p.key))}" for p in w.leaders
    ),
    "Who manages at least 4 people?": lambda w: Counter(
        p.name for p in w.leaders if len(w.below(p.key)) >= 4
    ),
    "How many managers have more than 3 direct reports?": lambda w: Counter(
        [str(sum(len(w.below(p.key)) > 3 for p in w.people))]
    ),
    "What does the boss of {follower} earn?": lambda w: Counter(
        [str(next(p.salary for p in w.people if p.key == w.people[3].above))]
    ),
    "What is the average salary of the people who report to {leader}?": lambda w: Counter(
        [str(sum(p.salary for p in w.below(1)) / len(w.below(1)))]
    ),
}


@pytest.mark.parametrize("question", OVERALL)
def test_questions_about_all_leaders_are_answered_from_the_whole_table(world: World, question: str):
    asked = question.format(leader=world.named(1), follower=world.people[3].name)
    answer = world.answer(asked)
    assert answer is not None, asked
    assert answer[0] == OVERALL[question](world)


def test_the_one_with_the_most_direct_reports_is_found(world: World):
    most = max(len(world.below(leader.key)) for leader in world.leaders)
    answer = world.answer("Who has the most direct reports?")
    assert answer is not None
    assert set(answer[0]) <= {p.name for p in world.leaders if len(world.below(p.key)) == most}


@pytest.mark.parametrize(
    "question",
    [
        "Who is the boss of the boss of {}?",
        "Does {} report to {other}?",
        "Who has the fewest direct reports?",
        "Show all people and who they report to",
    ],
)
def test_what_the_words_leave_open_is_not_answered_by_another_question(world: World, question: str):
    assert world.answer(question.format(world.people[5].name, other=world.named(1))) is None
