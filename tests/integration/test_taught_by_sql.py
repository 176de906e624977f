"""One correction in SQL teaches more than its question: words, keys, and which of several keys is meant."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import Answer, Oldhand
from oldhand.record.answer import Outcome

SCRIPTS = Path(__file__).parents[1] / "unit/analyst/kinds"
PETS = """
CREATE TABLE keeper (keeper_no INTEGER PRIMARY KEY, surname TEXT, town TEXT);
CREATE TABLE pet (pet_no INTEGER PRIMARY KEY, name TEXT, kept_by INTEGER, weight REAL, chip TEXT);
CREATE TABLE walk (walk_no INTEGER PRIMARY KEY, pet_no INTEGER, minutes INTEGER, fee REAL, treats REAL);
INSERT INTO keeper VALUES (1, 'Ash', 'Deal'), (2, 'Bell', 'Hythe'), (3, 'Cole', 'Deal'), (4, 'Dunn', 'Lydd');
INSERT INTO pet VALUES (11, 'Rex', 1, 31.5, 'C1'), (12, 'Pip', 1, 4.2, NULL), (13, 'Tom', 2, 5.1, NULL), (14, 'Max', 3, 40, 'C4');
INSERT INTO walk VALUES (1, 11, 30, 12, 1), (2, 11, 45, 15, 2), (3, 13, 20, 8, 0), (4, 14, 60, 20, 3), (5, 14, 30, 12, 1), (6, 14, 30, 12, 0);
"""


def asked(tmp_path: Path, script: str) -> Oldhand:
    with closing(sqlite3.connect(tmp_path / "db.sqlite")) as connection:
        connection.executescript(script)
    old = Oldhand(tmp_path / "home")
    old.databases.add(f"sqlite:///{tmp_path / 'db.sqlite'}", name="db")
    return old


def taught(old: Oldhand, question: str, sql: str) -> None:
    old.feedback(old.ask(question), correction=sql)


def values(answer: Answer) -> list[object]:
    assert answer.outcome is Outcome.ANSWERED, answer.text
    return sorted(row[-1] for row in answer.rows)


@pytest.mark.parametrize(
    ("question", "sql", "then"),
    [
        (
            "How many heavyweights are there?",
            "SELECT COUNT(*) FROM pet WHERE weight > 30",
            {"Show the names of all heavyweights": ["Max", "Rex"], "Heaviest of the heavyweights, in weight": None},
        ),
        (
            "How many strollers are there?",
            "SELECT COUNT(*) FROM pet WHERE pet_no IN (SELECT pet_no FROM walk GROUP BY pet_no HAVING COUNT(*) > 1)",
            {"Which pets are strollers?": ["Max", "Rex"], "What is the average weight of the strollers?": [35.75]},
        ),
        (
            "How many nameless pets are there?",
            "SELECT COUNT(*) FROM pet WHERE chip IS NULL",
            {"List the nameless pets": ["Pip", "Tom"]},
        ),
        (
            "What is the average takings of the walks?",
            "SELECT AVG(fee - treats) FROM walk",
            {"What are the total takings?": [72.0], "What is the highest takings of a walk?": [17.0]},
        ),
    ],
)  # fmt: skip
def test_a_word_that_no_name_says_means_the_same_elsewhere(tmp_path, question, sql, then) -> None:
    with asked(tmp_path, PETS) as old:
        before = [old.ask(one) for one, wanted in then.items() if wanted is not None]
        assert all(one.outcome is not Outcome.ANSWERED for one in before), before
        taught(old, question, sql)
        for one, wanted in then.items():
            assert wanted is None or values(old.ask(one)) == wanted


def test_a_key_that_nobody_declared_is_known_from_right_sql(tmp_path) -> None:
    per_town = "SELECT k.town, COUNT(*) FROM pet p JOIN keeper k ON k.keeper_no = p.kept_by GROUP BY k.town"
    with asked(tmp_path, PETS) as old:
        question = "How many pets are there per town of the keeper?"
        assert (
            old.ask("How many pets do the keepers from Deal have?").outcome is not Outcome.ANSWERED
        )
        taught(old, question, per_town)
        assert values(old.ask("How many pets do keepers from Deal have?")) == [3]
        assert "Join keeper and pet" in str([one.summary for one in old.memories.list()])


TRAINS = (SCRIPTS / "railway.sql").read_text("utf-8")
TO = "SELECT s.country, COUNT(*) FROM trains t JOIN stations s ON s.station_id = t.destination_station_id GROUP BY s.country"
FROM = TO.replace("destination", "origin")


@pytest.mark.parametrize("sql", [TO, FROM])
def test_which_of_several_keys_is_meant_is_settled_by_a_correction(tmp_path, sql) -> None:
    with asked(tmp_path, TRAINS) as old, closing(sqlite3.connect(tmp_path / "db.sqlite")) as rows:
        question = "How many trains are there per country?"
        proposed = old.ask(question)
        assert proposed.outcome is Outcome.PROPOSED
        assert all(any(key in one for one in proposed.options) for key in ("origin", "destination"))
        taught(old, question, sql)
        wanted = sorted(
            row[0] for row in rows.execute(sql.replace("s.country, COUNT(*)", "AVG(t.price)"))
        )
        assert values(old.ask("What is the average price of trains per country?")) == wanted


def test_a_yes_settles_it_as_well(tmp_path) -> None:
    with asked(tmp_path, TRAINS) as old:
        proposed = old.ask("How many trains are there per country?")
        old.feedback(proposed, rating=1)
        assert (
            old.ask("What is the average price of trains per country?").outcome is Outcome.ANSWERED
        )
        told = old.ask("How many trains leave from Norway?")
        assert told.outcome is Outcome.ANSWERED
        assert "origin" in told.steps[0].sql


def test_what_a_pair_leaves_out_is_not_left_out_where_it_is_asked_for(tmp_path) -> None:
    with asked(tmp_path, (SCRIPTS / "pier.sql").read_text("utf-8")) as old:
        question = "How many bookings are there per sailing?"
        taught(
            old,
            question,
            "SELECT sailing_id, COUNT(*) FROM bookings WHERE status <> 'cancelled' GROUP BY sailing_id",
        )
        per_status = old.ask("How many bookings are there per status?")
        assert {row[0] for row in per_status.rows} == {"cancelled", "confirmed", "no-show"}
        cancelled = old.ask("How many cancelled bookings are there per sailing?")
        assert cancelled.outcome is not Outcome.ANSWERED or [*cancelled.rows] == [(3, 1)]
        everything = old.ask("How many bookings are there per sailing, cancelled ones included?")
        assert (
            everything.outcome is not Outcome.ANSWERED
            or sum(row[-1] for row in everything.rows) == 10
        )


CLASSES = """
CREATE TABLE coach (coach_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE classes (class_id INTEGER PRIMARY KEY, title TEXT, coach_id INTEGER REFERENCES coach (coach_id), cover_id INTEGER REFERENCES coach (coach_id), planned_on DATE, held_on DATE, fee REAL, rent REAL);
INSERT INTO coach VALUES (1, 'Ann Moor'), (2, 'Bo Lind'), (3, 'Cy Webb');
INSERT INTO classes VALUES (1, 'Bouldering', 1, NULL, '2024-05-01', '2024-05-20', 30, 5), (2, 'Knots', 1, 2, '2024-05-03', '2024-06-02', 20, 5), (3, 'Lead', 2, 3, '2024-04-28', '2024-05-05', 40, 8), (4, 'Lead', 3, NULL, '2023-12-20', '2024-01-02', 45, 8), (5, 'Knots', 2, NULL, '2024-05-30', '2025-01-10', 25, 5);
"""


def test_which_date_a_time_means_is_known_from_right_sql(tmp_path) -> None:
    with asked(tmp_path, CLASSES) as old:
        question = "How many classes were there in May 2024?"
        planned = values(old.ask(question)) == [3]
        meant = "held_on" if planned else "planned_on"
        taught(old, question, f"SELECT COUNT(*) FROM classes WHERE strftime('%Y-%m', {meant}) = '2024-05'")  # fmt: skip
        told = values(old.ask("What is the total fee of the classes in 2024?"))
        assert told == ([135.0] if planned else [115.0])
        assert values(old.ask("Number of classes in 2023")) == ([0] if planned else [1])
        assert values(old.ask("How many classes were planned in May 2024?")) == [3]
        assert values(old.ask("How many classes were held in May 2024?")) == [2]
        (rule,) = [one for one in old.memories.list() if "Take times of" in one.summary]
        changed = old.memories.edit(rule.id, "Take times of classes as those of planned_on")
        assert "planned_on" in changed.summary


def test_the_first_of_two_keys_that_is_filled_is_followed(tmp_path) -> None:
    taught_by = "SELECT c.name, COUNT(*) FROM classes k JOIN coach c ON c.coach_id = COALESCE(k.cover_id, k.coach_id) GROUP BY c.name"
    with asked(tmp_path, CLASSES) as old:
        taught(old, "How many classes did each coach teach?", taught_by)
        assert values(old.ask("How many classes did Cy Webb teach?")) == [2]
        assert values(old.ask("How many classes did Ann Moor teach?")) == [1]
        covered = old.ask("How many classes did each cover teach?")
        assert covered.outcome is not Outcome.ANSWERED or sum(values(covered)) == 2


def test_a_verb_means_the_amount_that_right_sql_computes(tmp_path) -> None:
    with asked(tmp_path, CLASSES) as old:
        taught(old, "How much did we make on classes?", "SELECT SUM(fee - rent) FROM classes")
        assert values(old.ask("What did we make on classes called Knots?")) == [35.0]
        assert values(old.ask("How much do we make per class on average?")) == [25.8]
        assert values(old.ask("What is the total fee of the classes?")) == [160.0]


def test_a_pair_about_one_group_says_nothing_of_another_one(tmp_path) -> None:
    with asked(tmp_path, PETS) as old:
        taught(old, "How many pets are there per town of the keeper?", "SELECT k.town, COUNT(*) FROM pet p JOIN keeper k ON k.keeper_no = p.kept_by GROUP BY k.town")  # fmt: skip
        assert old.ask("How many pets are there per breed?").outcome is not Outcome.ANSWERED


def test_who_merely_leaves_out_the_words_of_a_condition_is_not_answered_with_it(tmp_path) -> None:
    with asked(tmp_path, PETS) as old:
        taught(old, "How many great chewers have walked?", "SELECT COUNT(*) FROM walk WHERE treats >= 2")  # fmt: skip
        assert values(old.ask("How many great chewers have walked?")) == [2]
        assert values(old.ask("How many walks are there?")) == [6]


def test_a_pair_without_groups_does_not_answer_for_each(tmp_path) -> None:
    with asked(tmp_path, CLASSES) as old:
        taught(old, "How much did the classes bring in?", "SELECT SUM(fee - rent) FROM classes")
        each = old.ask("How much did each coach bring in?")
        assert each.outcome is not Outcome.ANSWERED or len(each.rows) > 1


TOURS = """
CREATE TABLE guide (guide_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE tours (tour_id INTEGER PRIMARY KEY, guide_id INTEGER REFERENCES guide (guide_id), tongue TEXT, booked_on DATE, toured_on DATE, state TEXT);
INSERT INTO guide VALUES (1, 'Ann Moor'), (2, 'Bo Lind');
INSERT INTO tours VALUES (1, 1, 'en', '2023-12-20', '2024-01-05', 'F'), (2, 1, 'de', '2024-01-28', '2024-02-03', 'F'), (3, 2, 'en', '2024-01-30', '2024-02-09', 'X'), (4, 2, 'en', '2024-12-27', '2025-01-02', 'F'), (5, 2, 'de', '2023-11-30', '2023-12-11', 'F');
"""


def test_a_pair_about_one_group_does_not_answer_for_two(tmp_path) -> None:
    per_guide = "SELECT g.name, COUNT(*) FROM tours t JOIN guide g USING (guide_id) WHERE t.state = 'F' GROUP BY g.guide_id"
    with asked(tmp_path, TOURS) as old:
        taught(old, "How many tours are there per guide?", per_guide)
        assert values(old.ask("How many tours are there per guide?")) == [2, 2]
        for question, lines in {
            "How many tours are there per guide and year?": 3,
            "How many tours are there per guide and tongue?": 4,
            "How many tours are there per tongue and guide?": 4,
        }.items():
            told = old.ask(question)
            assert told.outcome is not Outcome.ANSWERED or len(told.rows) == lines, question
            assert "'F'" in told.steps[0].sql, question


@pytest.mark.parametrize(
    "asking", ["How many tours took place in 2024?", "How many tours in 2024?"]
)
def test_the_date_of_a_time_is_that_of_groups_as_well(tmp_path, asking) -> None:
    with asked(tmp_path, TOURS) as old:
        given = old.ask(asking).steps[0].sql
        meant, other = ("booked_on", "toured_on")[:: -1 if "booked_on" in given else 1]
        taught(old, asking, f"SELECT COUNT(*) FROM tours WHERE {meant} LIKE '2024%'")
        for question in ("How many tours per month in 2024?", "tours per year", "How many tours happened in 2023?"):  # fmt: skip
            told = old.ask(question)
            assert told.outcome is Outcome.ANSWERED, question
            assert meant in told.steps[0].sql, question
            assert other not in told.steps[0].sql, question


ROUNDS = """
CREATE TABLE washers (washer_id INTEGER PRIMARY KEY, full_name TEXT, home_town TEXT);
CREATE TABLE houses (house_id INTEGER PRIMARY KEY, street TEXT, city TEXT, area_sqm INTEGER);
CREATE TABLE rounds (round_id INTEGER PRIMARY KEY, house_id INTEGER REFERENCES houses (house_id), washer_id INTEGER REFERENCES washers (washer_id), booked_on DATE, washed_on DATE, status TEXT);
INSERT INTO washers VALUES (1, 'Ida Moor', 'Leeds'), (2, 'Jon Pike', 'Hull'), (3, 'Kim Rowe', 'Selby');
INSERT INTO houses VALUES (1, 'Mill Lane', 'Leeds', 900), (2, 'High Street', 'York', 1600), (3, 'Quay', 'Leeds', 2000), (4, 'Foss Way', 'Hull', 1200);
INSERT INTO rounds VALUES (1, 1, 1, '2024-03-01', '2024-03-11', 'done'), (2, 1, 2, '2024-03-02', '2024-03-06', 'no access'), (3, 2, 1, '2024-04-01', '2024-04-04', 'no access'),
  (4, 3, 3, '2024-05-01', '2024-05-21', 'no access'), (5, 4, 3, '2025-01-02', '2025-01-10', 'no access'), (6, 2, 2, '2025-02-01', '2025-02-02', 'done'), (7, 3, 1, '2025-02-01', '2025-02-05', 'cancelled');
"""  # fmt: skip


@pytest.mark.parametrize(
    ("question", "sql", "then"),
    [
        (
            "What is the average notice of the rounds?",
            "SELECT AVG(julianday(washed_on) - julianday(booked_on)) FROM rounds",
            {"What is the longest notice of a round?": [20], "What is the average notice of rounds in York?": [2]},
        ),
        (
            "How many lockouts were there in Leeds?",
            "SELECT COUNT(*) FROM rounds r JOIN houses h ON h.house_id = r.house_id WHERE h.city = 'Leeds' AND r.status = 'no access'",
            {"How many lockouts were there in York?": [1], "How many lockouts did we have altogether?": [4]},
        ),
        (
            "What is the average footprint of houses in Leeds?",
            "SELECT AVG(area_sqm) FROM houses WHERE city = 'Leeds'",
            {"How many houses have a footprint of more than 1500?": [2], "What is the largest footprint?": [2000]},
        ),
    ],
)  # fmt: skip
def test_a_word_of_the_business_means_the_same_in_other_places(
    tmp_path, question, sql, then
) -> None:
    with asked(tmp_path, ROUNDS) as old:
        taught(old, question, sql)
        for one, wanted in then.items():
            assert values(old.ask(one)) == wanted, old.ask(one).steps


def test_the_date_of_things_with_short_names_is_known_from_right_sql(tmp_path) -> None:
    with asked(tmp_path, (SCRIPTS / "bureau.sql").read_text("utf-8")) as old:
        taught(old, "How many projects were there in 2024?", "SELECT COUNT(*) FROM prj WHERE substr(dlv_dt, 1, 4) = '2024'")  # fmt: skip
        assert values(old.ask("How many projects were there in 2025?")) == [2]
        assert values(old.ask("How many projects were there in May 2024?")) == [1]
        assert values(old.ask("How many projects were due in 2024?")) == [2]


LETTINGS = """
CREATE TABLE agents (agent_id INTEGER PRIMARY KEY, name TEXT, licensed INTEGER);
CREATE TABLE viewings (viewing_id INTEGER PRIMARY KEY, agent_id INTEGER REFERENCES agents, held_on DATE, minutes INTEGER);
CREATE TABLE objections (objection_id INTEGER PRIMARY KEY, viewing_id INTEGER REFERENCES viewings, settled_by INTEGER REFERENCES agents, topic TEXT);
INSERT INTO agents VALUES (1, 'Ash', 1), (2, 'Bell', 0), (3, 'Cole', 1), (4, 'Dunn', 0);
INSERT INTO viewings VALUES (1, 1, '2025-03-01', 30), (2, 1, '2025-03-02', 20), (3, 2, '2025-04-03', 45), (4, 3, '2025-04-09', 15);
INSERT INTO objections VALUES (1, 1, 3, 'noise'), (2, 2, 3, 'noise'), (3, 2, 4, 'damp'), (4, 3, 4, 'noise');
"""


def test_a_way_to_join_holds_for_those_without_and_not_for_a_verb_of_another_key(tmp_path) -> None:
    with asked(tmp_path, LETTINGS) as old:
        taught(
            old,
            "How many objections are there per agent?",
            "SELECT a.name, COUNT(*) FROM objections o JOIN viewings v ON v.viewing_id = o.viewing_id "
            "JOIN agents a ON a.agent_id = v.agent_id GROUP BY a.agent_id, a.name",
        )
        most = old.ask("Which agent has the most objections?")
        assert values(old.ask("Which agents have never had an objection?")) == ["Cole", "Dunn"]
        assert values(old.ask("How many objections did each agent settle?")) == [2, 2]
        assert values(most) == ["Ash"]
        assert "number of objections" in most.text.lower()


FLATS = """
CREATE TABLE tenants (tenant_id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE flats (flat_id INTEGER PRIMARY KEY, street TEXT, town TEXT, floors INTEGER);
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, tenant_id INTEGER REFERENCES tenants, flat_id INTEGER REFERENCES flats, amount REAL, paid INTEGER);
INSERT INTO tenants VALUES (1, 'Ash', 'Deal'), (2, 'Bell', 'Deal'), (3, 'Cole', 'Lydd');
INSERT INTO flats VALUES (11, 'Quay', 'Lydd', 1), (12, 'Mill', 'Lydd', 2), (13, 'Park', 'Hythe', 3), (14, 'Hill', 'Deal', 3);
INSERT INTO bills VALUES (1, 1, 11, 50, 1), (2, 1, 12, 70, 0), (3, 2, 13, 90, 1), (4, 3, 13, 40, 0), (5, 2, 14, 30, 1);
"""
BY_FLAT = (
    "SELECT f.town, COUNT(*) FROM bills b JOIN flats f ON f.flat_id = b.flat_id GROUP BY f.town"
)


def owner_of_towns(old: Oldhand, way: str) -> None:
    answer = old.ask("How many bills are there per town?")
    assert sorted(answer.rows) == [("Deal", 4), ("Lydd", 1)]
    if way == "sql":
        old.feedback(answer, correction=BY_FLAT)
    elif way == "rule":
        old.rules.add("The town of a bill is that of its flat")
    else:
        old.feedback(answer, text=way)


@pytest.mark.parametrize(
    "way",
    [
        "sql",
        "rule",
        "the town should be that of the flat",
        "I meant the flat's town",
        "use the town of the flat, not that of the tenant",
    ],
)
def test_whose_column_is_meant_holds_for_all_questions_about_those_rows(tmp_path, way) -> None:
    with asked(tmp_path, FLATS) as old:
        owner_of_towns(old, way)
        total = old.ask("What is the total amount of bills per town?")
        assert sorted(total.rows) == [("Deal", 30.0), ("Hythe", 130.0), ("Lydd", 120.0)]
        assert values(old.ask("How many bills are there in Lydd?")) == [2]
        # What names the other rows, or asks for them alone, means theirs.
        assert values(old.ask("How many bills do tenants in Lydd have?")) == [1]
        assert sorted(old.ask("How many tenants are there per town?").rows) == [
            ("Deal", 2),
            ("Lydd", 1),
        ]
        assert not any("tenants.town" in note for note in total.notes)


def test_what_is_said_of_revenue_reaches_rows_that_belong_to_those_left_out(tmp_path) -> None:
    script = """
    CREATE TABLE lessons (lesson_id INTEGER PRIMARY KEY, status TEXT);
    CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, lesson_id INTEGER REFERENCES lessons, issued_on DATE, amount REAL);
    INSERT INTO lessons VALUES (1, 'held'), (2, 'cancelled'), (3, 'held');
    INSERT INTO invoices VALUES (1, 1, '2025-02-01', 10), (2, 2, '2025-02-03', 200), (3, 3, '2025-05-01', 30), (4, NULL, '2025-06-01', 4000);
    """
    with asked(tmp_path, script) as old:
        assert values(old.ask("What is the revenue in 2025?")) == [4240]
        old.rules.add("Revenue leaves out cancelled lessons")
        answer = old.ask("What is the revenue in 2025?")
        assert values(answer) == [4040]
        assert any("By a rule of the owner" in note for note in answer.notes)
        assert values(old.ask("What is the total amount of invoices?")) == [4240]


def test_a_stated_date_gives_way_to_what_a_question_says_happened(tmp_path) -> None:
    script = """
    CREATE TABLE inv (inv_id INTEGER PRIMARY KEY, dt_is DATE NOT NULL, dt_pd DATE, amt REAL);
    INSERT INTO inv VALUES (1, '2023-12-20', '2024-01-05', 10), (2, '2024-03-01', '2025-02-01', 20), (3, '2024-05-01', NULL, 30), (4, '2022-05-01', '2024-05-09', 40), (5, '2024-06-01', NULL, 50);
    """
    with asked(tmp_path, script) as old:
        before = values(old.ask("How many invoices were issued in 2024?"))
        old.rules.add("invoices are dated by dt_pd")
        assert values(old.ask("How many invoices were issued in 2024?")) == before == [3]
        assert values(old.ask("How many invoices were there in 2024?")) == [2]
        assert values(old.ask("What is the total amt of invoices in 2025?")) == [20]
