"""Things that a table and columns of others are called by, places of one name, prefixes of all names, and totals of what a table holds."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from tests.unit.analyst.worlds import World, world_of

from oldhand.agent.analyst import decide
from oldhand.agent.analyst.deciding import DecisionKind
from oldhand.query.describing.describing import describe
from oldhand.query.form import Query

SCRIPTS = {
    "clinic": """
        CREATE TABLE vc_pet (pt_id INTEGER PRIMARY KEY, pt_name TEXT, pt_species TEXT, pt_breed TEXT, pt_ow_no INTEGER REFERENCES vc_owner (ow_no));
        CREATE TABLE vc_owner (ow_no INTEGER PRIMARY KEY, ow_name TEXT, ow_city TEXT, ow_country TEXT);
        CREATE TABLE vc_bill (bl_id INTEGER PRIMARY KEY, bl_total REAL, bl_pt_id INTEGER REFERENCES vc_pet (pt_id));
        INSERT INTO vc_owner VALUES (1, 'Ada', 'Lima', 'Peru'), (2, 'Bo', 'Peru', 'Chad'), (3, 'Cy', 'Ica', 'Peru');
        INSERT INTO vc_pet VALUES (1, 'Rex', 'dog', 'Husky', 1), (2, 'Tom', 'cat', 'Manx', 2), (3, 'Ivy', 'dog', 'Poodle', 2);
        INSERT INTO vc_bill VALUES (1, 50, 1), (2, 20, 1), (3, 35, 2);
    """,
    "telco": """
        CREATE TABLE tc_subscr (sb_id INTEGER PRIMARY KEY, sb_nm TEXT, sb_cntry TEXT);
        CREATE TABLE tc_dev (dv_id INTEGER PRIMARY KEY, dv_sb_id INTEGER REFERENCES tc_subscr (sb_id), dv_brand TEXT);
        CREATE TABLE tc_tkt (tk_id INTEGER PRIMARY KEY, tk_sb_id INTEGER REFERENCES tc_subscr (sb_id), tk_categ TEXT, tk_open_dt DATE);
        CREATE TABLE tc_inv (iv_no INTEGER PRIMARY KEY, iv_amt_eur REAL, iv_issue_dt DATE, iv_paid_dt DATE);
        INSERT INTO tc_subscr VALUES (1, 'Ada', 'Peru'), (2, 'Bo', 'Chad'), (3, 'Cy', 'Peru');
        INSERT INTO tc_dev VALUES (1, 1, 'Nokta'), (2, 1, 'Nokta'), (3, 1, 'Fruit'), (4, 2, 'Fruit');
        INSERT INTO tc_tkt VALUES (1, 1, 'device', '2024-01-02'), (2, 1, 'device', '2024-02-02'), (3, 2, 'device', '2024-02-03'), (4, 3, 'network', '2024-02-04');
        INSERT INTO tc_inv VALUES (1, 10, '2024-01-02', '2024-02-01'), (2, 20, '2023-12-30', '2024-01-10'), (3, 40, '2024-02-10', NULL);
    """,
    "flights": """
        CREATE TABLE airlines (alid INTEGER PRIMARY KEY, name TEXT, active TEXT);
        CREATE TABLE routes (rid INTEGER PRIMARY KEY, airline TEXT, alid INTEGER REFERENCES airlines (alid));
        INSERT INTO airlines VALUES (1, 'Blue', 'Y'), (2, 'Red', 'N'), (3, 'Teal', 'Y');
        INSERT INTO routes VALUES (1, 'B', 1), (2, 'BL', 1), (3, 'R', 2), (4, 'T', 3);
    """,
}


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, World]:
    folder: Path = tmp_path_factory.mktemp("named")
    for name, script in SCRIPTS.items():
        with closing(sqlite3.connect(folder / f"{name}.db")) as connection:
            connection.executescript(script)
    return {
        n: world_of({n: folder / f"{n}.db"}, date(2025, 6, 1), described=False) for n in SCRIPTS
    }


@pytest.mark.parametrize(
    ("world", "question", "rows", "says"),
    [
        ("clinic", "How many owners live in Peru?", [(2,)], "There are 2 owners in Peru."),
        ("clinic", "How many owners live in Lima?", [(1,)], "There are 1 owner"),
        ("clinic", "How many pets are there?", [(3,)], "There are 3 pets."),
        (
            "telco",
            "How many subscribers have more than 2 devices?",
            [(1,)],
            "There is 1 subscriber with",
        ),
        ("telco", "How many subscribers have no device?", [(1,)], ""),
        (
            "telco",
            "How many tickets are there per category?",
            [("device", 3), ("network", 1)],
            "Number of tickets by category",
        ),
        (
            "telco",
            "How many devices are there per brand?",
            [("Fruit", 2), ("Nokta", 2)],
            "Number of devices by brand",
        ),
        ("telco", "How many subscribers are in the country Peru?", [(2,)], ""),
        ("clinic", "What is the total of all bills?", [(105.0,)], "105"),
        ("clinic", "What is the total of bills?", [(105.0,)], "The total of bills is 105."),
    ],
)
def test_what_is_meant_is_answered_and_said_plainly(worlds, world, question, rows, says):
    asked = worlds[world]
    reading = asked.read(question)
    assert reading.decision.kind is DecisionKind.ANSWER, reading
    (query, *_) = reading.queries
    assert isinstance(query, Query)
    assert asked.rows(query) == rows
    assert says.replace("are 1", "is 1") in asked.told(question, query)


def test_groups_and_times_are_of_one_day(worlds):
    world = worlds["telco"]
    best = world.understand("total amount of invoices per month in 2024").candidates[0]
    assert isinstance(best.query, Query)
    group = str(best.query.group)
    assert ("iv_paid_dt" in group) is ("iv_paid_dt" in str(best.query.where)), best.reading


def test_no_reading_says_the_prefixes_of_names(worlds):
    world = worlds["clinic"]
    for question in ("List all owners", "Which owner has the most pets?", "pets per species"):
        for one in world.understand(question).candidates:
            said = describe(one.query, world.schemas)
            assert not {"vc", "ow", "pt", "bl"} & set(said.split()), said


@pytest.mark.parametrize(
    "question",
    [
        "active airlines",
        "How many active airlines are there?",
        "Which airline has the most routes?",
    ],
)
def test_a_column_called_like_a_table_is_not_answered_with_in_its_place(worlds, question):
    world = worlds["flights"]
    understood = world.understand(question)
    best = understood.candidates[0]
    right = "routes.airline" not in str(best.query) and "different airlines" not in best.reading
    assert right or decide(understood, world.schemas).kind is not DecisionKind.ANSWER, best.reading
