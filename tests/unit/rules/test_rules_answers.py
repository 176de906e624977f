"""What people have stated is in force in the next answer."""

import pytest

from oldhand.agent.analyst.effects.ruling import freed
from oldhand.errors import UsageError
from oldhand.models.schema_text import schema_text
from oldhand.query.lifting import lift

PROFIT = "profit = fee - expenses"
MARGIN = "margin = (fee - expenses) / fee"
ACTIVE = "active client = not closed"


def same(one, other):
    assert len(one) == len(other) > 0
    for left, right in zip(sorted(one), sorted(other), strict=True):
        assert list(left) == pytest.approx(list(right), abs=1e-6)


@pytest.mark.parametrize(
    ("question", "words", "sql"),
    [
        ("What was our haul?", "haul is the sum of the fee of rentals", "SELECT sum(fee) FROM rentals"),
        ("What was our haul?", "haul is the total fee of rentals", "SELECT sum(fee) FROM rentals"),
        ("What was our haul?", "I meant the total fee of rentals", "SELECT sum(fee) FROM rentals"),
        ("What is the no-go rate?", "the no-go rate is the percentage of rentals with status cancelled", "SELECT avg(CASE WHEN status = 'cancelled' THEN 100.0 ELSE 0 END) FROM rentals"),
        ("What is the no-go rate?", "I mean the share of rentals with status cancelled", "SELECT avg(CASE WHEN status = 'cancelled' THEN 100.0 ELSE 0 END) FROM rentals"),
        ("What was our commission?", "commission is 5% of the fee of rentals", "SELECT sum(0.05 * fee) FROM rentals"),
        ("How many patrons are there?", "patrons are clients", "SELECT count(*) FROM clients"),
    ],
)  # fmt: skip
def test_where_nothing_was_found_it_can_be_said_what_a_word_means(old, rows, question, words, sql):
    refused = old.ask(question)
    assert not refused.steps
    old.feedback(refused, correction=words)
    same(old.ask(question).rows, rows(sql))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What was our haul?", "haul is the sum of hats"),
        ("What was our haul?", "I meant the wonderful hats"),
        ("How many wizards are there?", "in Rome too"),
        ("Who is our wizard?", "how many are there"),
    ],
)
def test_what_is_not_understood_does_not_become_the_text_of_an_answer(old, question, words):
    receipt = old.feedback(old.ask(question), correction=words)
    assert not receipt.learned
    assert "Say it with SQL" in receipt.note
    assert not old.ask(question).rows


def test_an_answer_in_words_is_still_learned_where_nothing_was_found(old):
    question = "Who is our tax advisor?"
    old.feedback(old.ask(question), correction="our tax advisor is Ms Berg")
    assert old.ask(question).text == "our tax advisor is Ms Berg"


@pytest.mark.parametrize(
    ("rules", "question", "sql"),
    [
        ([PROFIT], "total profit by month", "SELECT strftime('%Y-%m', booked_on), sum(fee - expenses) FROM rentals GROUP BY 1"),
        ([PROFIT], "What was the average profit of rentals in Berlin?", "SELECT avg(fee - expenses) FROM rentals JOIN clients c ON c.id = client_id WHERE city = 'Berlin'"),
        ([PROFIT, "margin = profit / fee"], "average margin per model", "SELECT model, avg((fee - expenses) / fee) FROM rentals JOIN bikes b ON b.id = bike_id GROUP BY 1"),
        ([PROFIT], "How many rentals have a profit over 100?", "SELECT count(*) FROM rentals WHERE fee - expenses > 100"),
        ([PROFIT], "Which 3 clients brought the most profit?", "SELECT c.name FROM rentals JOIN clients c ON c.id = client_id GROUP BY c.id ORDER BY sum(fee - expenses) DESC LIMIT 3"),
        (["yield = fee / bikes.cost"], "total yield per model", "SELECT model, sum(fee / cost) FROM rentals JOIN bikes b ON b.id = bike_id GROUP BY 1"),
        (["yield is fee divided by the cost of the bike"], "What is the average yield?", "SELECT avg(fee / cost) FROM rentals JOIN bikes b ON b.id = bike_id"),
        ([PROFIT, "margin = profit / fee"], "margin per model", "SELECT model, sum(fee - expenses) / sum(fee) FROM rentals JOIN bikes b ON b.id = bike_id GROUP BY 1"),
        ([MARGIN], "What is our margin?", "SELECT sum(fee - expenses) / sum(fee) FROM rentals"),
        (["the no-go rate is the percentage of rentals with status cancelled"], "What is the no-go rate?", "SELECT avg(CASE WHEN status = 'cancelled' THEN 100.0 ELSE 0 END) FROM rentals"),
        (["the no-go rate is the percentage of rentals with status cancelled"], "no-go rate per model", "SELECT model, avg(CASE WHEN status = 'cancelled' THEN 100.0 ELSE 0 END) FROM rentals JOIN bikes b ON b.id = bike_id GROUP BY 1"),
        (["no-gos are rentals with status cancelled", "no-go rate = no-gos / rentals"], "no-go rate per model", "SELECT model, avg(CASE WHEN status = 'cancelled' THEN 100.0 ELSE 0 END) FROM rentals JOIN bikes b ON b.id = bike_id GROUP BY 1"),
        (["no-gos are rentals with status cancelled"], "What share of rentals were no-gos?", "SELECT avg(CASE WHEN status = 'cancelled' THEN 100.0 ELSE 0 END) FROM rentals"),
        (["fee per rental is the total fee divided by the number of rentals"], "fee per rental of clients in Rome", "SELECT sum(fee) / count(*) FROM rentals JOIN clients c ON c.id = client_id WHERE city = 'Rome'"),
        (["daily rate = sum(fee) / sum(days)"], "daily rate per city", "SELECT city, 1.0 * sum(fee) / sum(days) FROM rentals JOIN clients c ON c.id = client_id GROUP BY 1"),
        ([ACTIVE], "How many active clients are there in Berlin?", "SELECT count(*) FROM clients WHERE closed = 0 AND city = 'Berlin'"),
        ([ACTIVE], "How many clients are not active?", "SELECT count(*) FROM clients WHERE closed = 1"),
        (["an active client is one that is not closed"], "active clients in Rome", "SELECT name FROM clients WHERE closed = 0 AND city = 'Rome'"),
        (["reachable = email is not null and not closed"], "How many clients are reachable?", "SELECT count(*) FROM clients WHERE email IS NOT NULL AND closed = 0"),
        (["big rental = fee > 150"], "How many big rentals are there?", "SELECT count(*) FROM rentals WHERE fee > 150"),
        (["big rentals are rentals with a fee over 150", PROFIT], "total profit of big rentals", "SELECT sum(fee - expenses) FROM rentals WHERE fee > 150"),
        (["mid = fee between 50 and 100"], "How many mid rentals per model?", "SELECT model, count(*) FROM rentals JOIN bikes b ON b.id = bike_id WHERE fee BETWEEN 50 AND 100 GROUP BY 1"),
        (["expensive bikes are those with a price over 800"], "How many expensive bikes are there?", "SELECT count(*) FROM bikes WHERE price > 800"),
        (["costly bikes have a price over 800"], "What is the average cost of bikes?", "SELECT avg(cost) FROM bikes"),
        (["costly bikes have a price over 800"], "How many costly bikes are there?", "SELECT count(*) FROM bikes WHERE price > 800"),
        (["rented bikes have a price over 800"], "How many rented bikes are there?", "SELECT count(*) FROM bikes WHERE price > 800"),
        (["slow rentals are rentals with returned_on - booked_on over 40"], "How many slow rentals are there?", "SELECT count(*) FROM rentals WHERE julianday(returned_on) - julianday(booked_on) > 40"),
        (["keeping = returned_on - booked_on"], "What is the average keeping of rentals per model?", "SELECT model, avg(julianday(returned_on) - julianday(booked_on)) FROM rentals JOIN bikes b ON b.id = bike_id GROUP BY 1"),
        (["expensive bikes are those with a price over 800"], "How many expensive bikes", "SELECT count(*) FROM bikes WHERE price > 800"),
        (["expensive bikes are those with a price over 800"], "average cost of expensive bikes by model", "SELECT model, avg(cost) FROM bikes WHERE price > 800 GROUP BY 1"),
        (["long rentals = days > 3"], "Which model has the most long rentals?", "SELECT model FROM rentals JOIN bikes b ON b.id = bike_id WHERE days > 3 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"),
        (["long rentals = days > 3"], "long rentals per city", "SELECT city, count(*) FROM rentals JOIN clients c ON c.id = client_id WHERE days > 3 GROUP BY 1"),
        (["regulars are clients in Rome"], "How many regulars are there?", "SELECT count(*) FROM clients WHERE city = 'Rome'"),
        (["reachable clients are those with an email"], "How many reachable clients are there?", "SELECT count(*) FROM clients WHERE email IS NOT NULL"),
        (["busy clients have more than 10 rentals"], "How many busy clients are there?", "SELECT count(*) FROM clients WHERE id IN (SELECT client_id FROM rentals GROUP BY 1 HAVING count(*) > 10)"),
        (["Busy clients are clients with more than 10 rentals"], "names of the busy clients in Rome", "SELECT name FROM clients WHERE city = 'Rome' AND id IN (SELECT client_id FROM rentals GROUP BY 1 HAVING count(*) > 10)"),
        (["A busy client is one with at least 12 rentals"], "How many clients are not busy?", "SELECT count(*) FROM clients WHERE NOT id IN (SELECT client_id FROM rentals GROUP BY 1 HAVING count(*) >= 12)"),
        (["busy clients have more than 10 rentals", PROFIT], "What is the total profit of busy clients?", "SELECT sum(fee - expenses) FROM rentals WHERE client_id IN (SELECT client_id FROM rentals GROUP BY 1 HAVING count(*) > 10)"),
        (["Roman rentals are rentals of clients in Rome"], "total fee of Roman rentals", "SELECT sum(fee) FROM rentals JOIN clients c ON c.id = client_id WHERE city = 'Rome'"),
        (["Revenue is the sum of fee times days of rentals"], "What is the revenue per city?", "SELECT city, sum(fee * days) FROM rentals JOIN clients c ON c.id = client_id GROUP BY 1"),
        (["earnings = the fee of rentals"], "What are the total earnings?", "SELECT sum(fee) FROM rentals"),
        (["commission is 5% of the fee of rentals"], "total commission per city", "SELECT city, sum(0.05 * fee) FROM rentals JOIN clients c ON c.id = client_id GROUP BY 1"),
        (["our share is 12.5 percent of fee minus expenses"], "What is our share?", "SELECT sum(0.125 * fee - expenses) FROM rentals"),
        (["guests are clients"], "How many guests are there?", "SELECT count(*) FROM clients"),
        (["sales date = rentals.paid_on"], "How many rentals were there in March 2024?", "SELECT count(*) FROM rentals WHERE paid_on LIKE '2024-03%'"),
        (["rentals are dated by paid_on"], "How many rentals were booked in March 2024?", "SELECT count(*) FROM rentals WHERE booked_on LIKE '2024-03%'"),
        (["rentals are dated by paid_on"], "total fee per month", "SELECT strftime('%Y-%m', paid_on), sum(fee) FROM rentals GROUP BY 1"),
        (["Cancelled rentals don't count"], "How many rentals are there?", "SELECT count(*) FROM rentals WHERE status IS NOT 'cancelled'"),
        (["Cancelled rentals don't count"], "How many rentals were cancelled?", "SELECT count(*) FROM rentals WHERE status = 'cancelled'"),
        ([PROFIT, "Profit leaves out cancelled rentals"], "What is the total profit?", "SELECT sum(fee - expenses) FROM rentals WHERE status IS NOT 'cancelled'"),
        ([PROFIT, "Exclude cancelled rentals from profit"], "How many rentals are there?", "SELECT count(*) FROM rentals"),
        (["Don't count rentals with a fee under 50"], "How many rentals are there?", "SELECT count(*) FROM rentals WHERE fee >= 50"),
        (["Leave out closed clients"], "How many clients are there in Rome?", "SELECT count(*) FROM clients WHERE city = 'Rome' AND closed = 0"),
    ],
)  # fmt: skip
def test_a_rule_is_in_the_next_answer(old, rows, rules, question, sql):
    for rule in rules:
        old.rules.add(rule)
    answer = old.ask(question)
    assert not answer.abstained, answer.text
    same(answer.rows, rows(sql))


def test_answers_call_a_measure_by_its_name(old):
    old.rules.add(MARGIN)
    answer = old.ask("average margin per model")
    assert answer.columns == ("model", "average_margin")
    assert answer.text.startswith("Average margin by model: ")
    old.rules.add("commission is 5% of fee times days")
    assert "By total commission: " in old.ask("Which model brought the most commission?").text


def test_an_answer_says_by_whose_rule_rows_were_left_out(old):
    old.people.name(owner="ana")
    old.rules.add("Cancelled rentals don't count", rater="ana")
    notes = old.ask("How many rentals are there?").notes
    assert "By a rule of ana: rentals with status = 'cancelled' are left out from every question." in notes  # fmt: skip


def test_a_confirmed_answer_that_a_rule_would_change_says_so_and_so_does_the_review(old):
    answer = old.ask("How many rentals are there?")
    old.feedback(answer, rating=1)
    assert old.memories.flaws() == ()
    old.rules.add("Cancelled rentals don't count")
    again = old.ask("How many rentals are there?")
    assert again.rows == answer.rows
    assert any(one.startswith("Not changed, since this very answer was confirmed, by a rule of the owner: ") for one in again.notes)  # fmt: skip
    (found,) = old.memories.flaws()
    assert found.flaw == "disagreeing"
    assert "'How many rentals are there?'" in found.why


def test_of_two_rules_that_would_change_a_confirmed_answer_each_is_named_by_what_it_says(old):
    old.feedback(old.ask("How many rentals are there?"), rating=1)
    old.rules.add("Cancelled rentals don't count")
    old.rules.add("Rentals below 50 don't count")
    found = old.memories.flaws()
    assert len({one.rule for one in found}) == len(found) == 2
    assert not any(one.lesson_id for one in found)
    assert all(old.rules.remove(one.rule) for one in found)


def test_a_rule_that_changes_no_confirmed_answer_disagrees_with_none(old):
    old.feedback(old.ask("How many rentals are there?"), rating=1)
    old.rules.add("Cancelled rentals don't count")
    old.rules.add("clients from Rome don't count")
    (found,) = old.memories.flaws()
    assert found.rule == "rentals with status = 'cancelled' are left out from every question"


@pytest.mark.parametrize(
    ("rule", "question", "condition"),
    [
        ("rentals that did not take place have status cancelled", "How many rentals did not take place?", "status = 'cancelled'"),
        ("rentals that were never paid have status cancelled", "How many rentals were never paid?", "status = 'cancelled'"),
        ("rentals that were never paid have status cancelled", "How many unpaid rentals are there?", "status = 'cancelled'"),
        ("clients who never rented count as dormant", "How many dormant clients are there?", "id NOT IN (SELECT client_id FROM rentals)"),
        ("clients who never rented count as dormant", "How many clients are not dormant?", "id IN (SELECT client_id FROM rentals)"),
    ],
)  # fmt: skip
def test_what_is_denied_means_what_was_said_of_it(old, rows, rule, question, condition):
    old.rules.add(rule)
    things = "rentals" if "rentals" in question else "clients"
    assert list(old.ask(question).rows) == rows(f"SELECT COUNT(*) FROM {things} WHERE {condition}")


def test_a_follow_up_may_speak_of_what_is_left_out(old):
    old.rules.add("Cancelled rentals don't count")
    schemas = old.databases.schemas()
    plain = lift("SELECT count(*) FROM rentals", schemas[0])
    without = lift("SELECT count(*) FROM rentals WHERE status <> 'cancelled' OR status IS NULL", schemas[0])  # fmt: skip
    assert freed(without, "and with the cancelled ones?", (), schemas)[0] == plain
    assert freed(without, "and in Berlin?", (), schemas)[0] == without


def test_a_rule_is_read_back_and_tried_before_it_is_in_force(old):
    old.ask("active clients in Rome")
    old.ask("How many bikes are there?")
    preview = old.rules.add(ACTIVE, dry_run=True)
    assert preview.reads_back == "'active client' means clients with closed = 0; 'not active client' are the others"  # fmt: skip
    assert preview.tried == 1  # bikes have nothing to do with it
    (change,) = preview.changes
    assert (change.question, change.before) == ("active clients in Rome", "")
    assert change.after.startswith("name of clients")
    assert old.rules.list() == ()


def test_a_rule_takes_the_place_of_one_with_its_name_and_can_be_removed(old):
    old.rules.add(PROFIT)
    stated = old.rules.add("profit = fee - 2 * expenses")
    assert stated.replaces == ("'profit' is fee - expenses of each row of rentals",)
    assert [one.rule.formula for one in old.rules.list()] == ["fee - 2 * expenses"]
    assert [one.name for one in old.rules.remove("Profit")] == ["profit"]
    assert old.rules.list() == ()


def test_who_has_no_say_states_nothing(old):
    with pytest.raises(UsageError, match="mallory is neither the owner nor an expert"):
        old.rules.add(PROFIT, rater="mallory")
    assert old.rules.list() == ()


def test_language_models_read_the_rules_beside_the_schema(old):
    old.rules.add(PROFIT)
    told = "'profit' is fee - expenses of each row of rentals"
    assert told in schema_text(old.databases.schemas())
