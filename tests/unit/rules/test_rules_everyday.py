"""Everyday ways to state rules: with codes and columns beside the words, sums over other rows, dates, and which way rows belong to others."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from tests.unit.analyst.worlds import world_of

from oldhand import Oldhand
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.by_rule import by_rule
from oldhand.agent.analyst.semantics.meanings import in_words
from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.errors import SchemaError, UnclearRule
from oldhand.query.describing.describing import describe

_SCRIPTS = Path(__file__).parents[1] / "analyst" / "kinds"
_NAMES = ("courier", "garage", "railway", "stockist")


def _file(name: str, folder: Path) -> Path:
    file = folder / f"{name}.db"
    with closing(sqlite3.connect(file)) as made:
        made.executescript((_SCRIPTS / f"{name}.sql").read_text("utf-8"))
    return file


@pytest.fixture(scope="module")
def houses(tmp_path_factory):
    """A courier, a garage with short names, and a railway."""
    folder = tmp_path_factory.mktemp("houses")
    return {
        name: world_of({name: _file(name, folder)}, date(2025, 6, 15), described=False)
        for name in _NAMES
    }


@pytest.fixture
def railway(tmp_path):
    """An assistant over the railway."""
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(f"sqlite:///{_file('railway', tmp_path)}", name="railway")
        yield old


@pytest.mark.parametrize(
    ("house", "sentence", "told"),
    [
        ("garage", "Finished jobs (stat done) never count as jobs.", "job_crd with stat = 'done' are left out from every question"),
        ("garage", "Only count finished jobs (done)", "job_crd with stat = 'done' alone count in every question"),
        ("garage", "Jobs are dated by the day they were opened (opn_dt).", 'times of job_crd, such as "in March", are those of opn_dt'),
        ("garage", "Job cards are dated by the day they were closed", 'times of job_crd, such as "in March", are those of cls_dt'),
        ("garage", "effort means the hours of labour on a job, lab_hrs", "'effort' means job_crd.lab_hrs"),
        ("garage", "effort is the work in hours (lab_hrs)", "'effort' means job_crd.lab_hrs"),
        ("garage", "shortage = reorder level - on hand", "'shortage' is reord_lvl - on_hnd of each row of prt_mst"),
        ("garage", "the moors are York and Hull", "'moors' means ownr_mst with cty IN ('York', 'Hull')"),
        ("garage", "Seniors are mechanics, level senior", "'seniors' means mech with lvl = 'senior'"),
        ("courier", "Leave out the parcels we lost (status lost)", "parcels with status = 'lost' are left out from every question"),
        ("courier", "Lost parcels must be left out when we talk about parcels", "parcels with status = 'lost' are left out from every question"),
        ("courier", "Returned parcels (status returned) are ignored when we report on revenue.", "parcels with status = 'returned' are left out whenever 'revenue' is asked for"),
        ("stockist", "Profit is 30% of revenue", "'profit' is 0.3 * (unit_price * quantity * (1 - rebate)) of each row of order_details"),
        ("courier", "Lost parcels do not count as revenue", "parcels with status = 'lost' are left out whenever 'revenue' is asked for"),
        ("courier", "VIPs are customers with more than 30 in fees on delivered parcels.", "'vips' means customers with total fee of parcels with status 'delivered' above 30"),
        ("courier", "Express parcels are parcels sent by express with a fee over 20.", "'express parcels' means parcels with express = TRUE AND fee > 20"),
        ("courier", "Parcels count in the month they are delivered.", 'times of parcels, such as "in March", are those of delivery_date'),
        ("courier", "Use delivery_date as the date of parcels", 'times of parcels, such as "in March", are those of delivery_date'),
        ("railway", "Trains belong to the station where they depart.", "trains belong to stations by trains.origin_station_id = stations.station_id"),
        ("railway", "A train counts for its destination station, not the origin.", "trains belong to stations by trains.destination_station_id = stations.station_id"),
        ("railway", "For trains, the station is the destination station", "trains belong to stations by trains.destination_station_id = stations.station_id"),
        ("railway", "A train belongs to the station it is cleaned at (destination_station_id)", "trains belong to stations by trains.destination_station_id = stations.station_id"),
        ("railway", "Join trains to stations by origin_station_id", "trains belong to stations by trains.origin_station_id = stations.station_id"),
        ("railway", "Tickets belong to the station of the train by origin_station_id", None),
    ],
)  # fmt: skip
def test_a_sentence_is_understood(houses, house, sentence, told):
    world = houses[house]
    if told is None:
        with pytest.raises(UnclearRule):
            read_rule(sentence, world.schemas, world.values)
        return
    rule = read_rule(sentence, world.schemas, world.values).rule
    assert in_words(rule, world.schemas[0]) == told


@pytest.mark.parametrize(
    ("house", "sentence", "part"),
    [
        ("garage", "Ghost jobs are jobs that are not finished (stat done)", "I can't tell whether stat = 'done'"),
        ("garage", "Finished jobs (stat finished) don't count", "finished"),
        ("garage", "Regulars are owners with more than 10 in labour hours on done jobs", "adds up"),
        ("courier", "Lost parcels are left out of the OTIF figures", "Nothing here is called 'OTIF'"),
        ("railway", "Trains belong to the station with the most platforms", "I can't tell which way from trains to stations is meant"),
        ("railway", "Tickets belong to the station of the train", "I can't tell which way from tickets to stations is meant"),
    ],
)  # fmt: skip
def test_what_is_not_understood_to_the_last_word_is_said(houses, house, sentence, part):
    world = houses[house]
    with pytest.raises(UnclearRule) as raised:
        read_rule(sentence, world.schemas, world.values)
    assert part in str(raised.value)


def test_a_way_is_in_force_until_it_is_removed(railway):
    asked = "How many trains does each station have?"
    assert railway.ask(asked).outcome == "proposed"
    preview = railway.rules.add("Trains belong to the station where they arrive")
    assert (preview.kind, preview.name) == ("join", "way from trains to stations")
    assert preview.reads_back.endswith("unless a question names another way")
    answer = railway.ask(asked)
    assert dict(answer.rows) == {"Aarhus": 1, "Bergen": 2, "Lund": 2, "Oslo": 3}
    assert any("By a rule of the owner: trains belong to stations" in one for one in answer.notes)
    assert "tied to stations by destination station id" in answer.notes[0]
    assert dict(railway.ask("Number of trains per origin station").rows)["Aarhus"] == 2
    text = railway.databases.semantics_path("railway").read_text()
    assert (
        "joins:\n- table: trains\n  to: stations\n  keys:\n  - trains.destination_station_id = stations.station_id\n"
        in text
    )
    railway.rules.add("Trains belong to the station where they depart")
    assert [one.rule.keys for one in railway.rules.list()] == [("trains.origin_station_id = stations.station_id",)]  # fmt: skip
    railway.rules.undo("railway")
    assert dict(railway.ask(asked).rows)["Aarhus"] == 1
    railway.rules.remove("way from trains to stations")
    assert railway.ask(asked).outcome == "proposed"


@pytest.mark.parametrize(
    ("on", "problem"),
    [
        ("trains.depot_id = stations.station_id", "trains has no column depot_id"),
        (
            "train.origin_station_id = stations.station_id",
            "nothing joins train with a table before it",
        ),
        ("trains and stations", "two columns are equal here"),
    ],
)
def test_a_way_that_is_none_is_named_with_its_line(railway, on, problem):
    path = railway.databases.semantics_path("railway")
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(f"joins:\n- table: trains\n  to: stations\n  keys:\n  - {on}\n")
    with pytest.raises(SchemaError) as raised:
        railway.rules.list()
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    ("house", "asked", "said", "read"),
    [
        ("railway", "How many trains depart from each station?", "it should go by the station where they arrive", "trains tied to stations by destination station id"),
        ("railway", "How many trains depart from each station?", "count them for the destination station, not the origin", "trains tied to stations by destination station id"),
        ("courier", "How many parcels are there?", "leave out the ones we lost (status lost)", "number of parcels with status other than 'lost'"),
        ("courier", "How many parcels were sent in January 2024?", "count by the delivery date, not the sending date", "number of parcels with delivery date in January 2024"),
    ],
)  # fmt: skip
def test_a_correction_says_of_one_answer_what_a_rule_says_of_all(houses, house, asked, said, read):
    world = houses[house]
    query = world.understand(asked).candidates[0].query
    scene = Scene(query, asked, world.schemas, world.values, world.today)
    changed = by_rule(said, scene)
    assert changed is not None
    assert read in describe(changed, world.schemas)
