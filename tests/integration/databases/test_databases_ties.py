"""What an answer says of rows that are ranked: by which numbers, and how many more share the last place."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import AsyncOldhand
from oldhand.lexicon.wording import listed
from oldhand.record.answer import Outcome, Ranking

SALARIES = {"Ann": 50, "Ben": 70, "Cleo": 70, "Dan": 40, "Eve": 70, "Fay": 40, "Gus": 30}
PLACES = {
    "Which worker has the highest salary?": ({"Ben", "Cleo", "Eve"}, 1, "2 more share this place."),
    "Which worker has the lowest salary?": ({"Gus"}, 1, ""),
    "Which 3 workers have the highest salary?": ({"Ben", "Cleo", "Eve"}, 3, ""),
    "Which 5 workers have the highest salary?": (set(SALARIES), 5, "1 more shares the last place."),
    "Which salary do the most workers have?": ({70}, 1, ""),
    "Which 2 workers have the lowest salary?": ({"Gus", "Dan", "Fay"}, 2, "1 more shares the last place."),
}  # fmt: skip


@pytest.fixture(params=["sqlite", "duckdb", "postgres", "mysql"])
def shop(request: pytest.FixtureRequest):
    return request.getfixturevalue(f"{request.param}_shop")


@pytest.fixture
def staffed(shop):
    shop.database.close()  # DuckDB lets nobody write while somebody reads
    shop.write("CREATE TABLE workers (id INTEGER PRIMARY KEY, name VARCHAR(20), salary INTEGER)")
    for number, (name, salary) in enumerate(SALARIES.items(), 1):
        shop.write(f"INSERT INTO workers VALUES ({number}, '{name}', {salary})")
    return shop


async def test_an_answer_says_how_many_more_share_its_last_place(staffed, tmp_path: Path):
    async with AsyncOldhand(tmp_path / "home") as oldhand:
        oldhand.databases.add(staffed.url, name="firm")
        for question, (names, number, said) in PLACES.items():
            answer = await oldhand.ask(question)
            assert answer.outcome is Outcome.ANSWERED, answer.text
            assert len(answer.rows) == number
            assert {row[0] for row in answer.rows} <= names
            assert ("more share" in answer.text) is bool(said), answer.text
            assert answer.text.endswith(said)
            # the number is told and shown, and no column of the rows
            assert answer.columns in (("name",), ("salary",))
            assert (await oldhand.episodes.get(answer.episode_id)).answer == answer
            if answer.columns == ("name",):
                numbers = tuple(SALARIES[row[0]] for row in answer.rows)
                assert answer.ranking == Ranking(column="salary", numbers=numbers)
                assert f"By salary: {listed([str(number) for number in numbers])}." in answer.text
                assert answer.shown[1] == tuple((*row, SALARIES[row[0]]) for row in answer.rows)


async def test_rows_of_several_databases_are_counted_where_they_are_joined(staffed, tmp_path: Path):
    folder = tmp_path / "other.db"
    async with AsyncOldhand(tmp_path / "home") as oldhand:
        oldhand.databases.add(staffed.url, name="firm")
        oldhand.databases.add(_jobs(folder), name="tasks")
        oldhand.databases.link_keys(write=True)
        answer = await oldhand.ask("Which worker has the most jobs?")
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert [step.database for step in answer.steps][-1] == "workspace"
    assert answer.text.endswith("1 more shares this place."), answer.text


def _jobs(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE jobs (id INTEGER PRIMARY KEY, worker_id INTEGER NOT NULL)")
        connection.executemany("INSERT INTO jobs VALUES (?, ?)", enumerate((1, 1, 2, 2, 3), 1))
    return f"sqlite:///{file}"
