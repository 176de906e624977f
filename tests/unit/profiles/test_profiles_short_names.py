"""A database whose names are short and prefixed, that declares no key, and writes the empty text where a value is missing."""

import sqlite3
from contextlib import closing

import pytest

from oldhand.face import Oldhand

PETS = [
    (1, 1, "Bella", "dog", "2012-05-01", "Y", 20.0),
    (2, 1, "Max", "cat", "", "N", 4.0),
    (3, 2, "Luna", "dog", "2019-02-11", "Y", 31.5),
    (4, 2, "Coco", "cat", "2021-07-30", "N", 3.5),
    (5, 3, "Rex", "rabbit", "", "Y", 1.5),
]
OWNERS = [(1, "Anna", "Archer", "01904 1"), (2, "Ben", "Brown", ""), (3, "Carla", "Carter", "")]
BILLS = [(n, 1 + n % 5, 10.0 * n, f"2024-0{1 + n % 9}-01", "YN"[n % 2]) for n in range(1, 31)]


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    home = tmp_path_factory.mktemp("clinic")
    with closing(sqlite3.connect(home / "clinic.db")) as db:
        db.execute("CREATE TABLE vc_own (ow_no INT, ow_fname TEXT, ow_lname TEXT, ow_phone TEXT)")
        db.execute(
            "CREATE TABLE vc_pet (pt_no INT, pt_ow_no INT, pt_name TEXT, pt_kind TEXT, pt_born TEXT, pt_chip TEXT,"
            " pt_wgt REAL)"
        )
        db.execute(
            "CREATE TABLE vc_invc (iv_no INT, iv_pt_no INT, iv_amt REAL, iv_date TEXT, iv_paid TEXT)"
        )
        db.executemany("INSERT INTO vc_own VALUES (?, ?, ?, ?)", OWNERS)
        db.executemany("INSERT INTO vc_pet VALUES (?, ?, ?, ?, ?, ?, ?)", PETS)
        db.executemany("INSERT INTO vc_invc VALUES (?, ?, ?, ?, ?)", BILLS)
        db.commit()
    with Oldhand(home / "home") as old:
        old.databases.add(f"sqlite:///{home / 'clinic.db'}", name="clinic")
        yield old


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("When was the oldest pet born?", (("2012-05-01",),)),
        ("What is the earliest born of pets?", (("2012-05-01",),)),
        ("What is the name of the oldest pet?", (("Bella",),)),
        ("What is the weight of Luna?", ((31.5,),)),
        ("What is the name of the heaviest dog?", (("Luna",),)),
        ("How many dogs are there?", ((2,),)),
        ("Which pets are of the kind cat?", (("Max",), ("Coco",))),
        ("How many invoices are there?", ((30,),)),
        ("How many invoices are paid?", ((15,),)),
        ("What is the total amount of unpaid invoices?", ((2250.0,),)),
    ],
)
def test_short_names_are_read_as_the_words_they_stand_for(clinic, question, rows):
    answer = clinic.ask(question)
    assert sorted(answer.rows) == sorted(rows), answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many owners have no phone?", "without an"),
        ("When was the oldest pet born?", "with a "),
    ],
)
def test_missing_values_are_said_plainly(clinic, question, said):
    text = clinic.ask(question).text
    assert said in text
    assert "(empty)" not in text
