"""Which sentences are understood, and what is said of the others."""

import pytest

from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.errors import SchemaError, UnclearRule
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.record.semantics import Measure
from oldhand.sources.databases.values import ValueIndex


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("profit = fee \N{MINUS SIGN} expenses", "'profit' is fee - expenses of each row of rentals"),
        ("the VAT is fee * 0.19", "'vat' is fee * 0.19 of each row of rentals"),
        ("average ticket = sum of fee / count(*)", "'average ticket' is SUM(fee) / COUNT(*) of all rows of rentals"),
        ("loss = fee < expenses", "'loss' means rentals with fee < expenses"),
        ("settled = status is done or status is cancelled", "'settled' means rentals with status = 'done' OR status = 'cancelled'"),
        ("rentals that did not take place have status cancelled", "'take place' means rentals with status <> 'cancelled'"),
        ("Rentals which haven't been settled yet are those without a paid date.", "'settled' means rentals with NOT paid_on IS NULL"),
        ("a rental that is not open has status done", "'open' means rentals with status <> 'done'"),
        ("clients who never rented count as dormant", "'dormant' means clients without any rentals"),
        ("rentals that were never returned are called lost", "'lost' means rentals with returned_on IS NULL"),
        ("rentals not returned yet are pending", "'pending' means rentals with returned_on IS NULL"),
        ("rentals that were not cancelled don't count", "rentals with status = 'cancelled' OR status IS NULL alone count in every question"),
        ("rentals that are not cancelled are left out of revenue", "rentals with status = 'cancelled' OR status IS NULL alone count whenever 'revenue' is asked for"),
        ("unreachable clients are clients without an email", "'unreachable clients' means clients with email IS NULL"),
        ("open rental = returned_on is missing", "'open rental' means rentals with returned_on IS NULL"),
        ("cheap bike = price under 700", "'cheap bike' means bikes with price < 700"),
        ("reachable clients are those with an email", "'reachable clients' means clients with NOT email IS NULL"),
        ("busy clients have more than 10 rentals", "'busy clients' means clients with more than 10 rentals"),
        ("A busy client is one with at least 12 rentals", "'busy client' means clients with at least 12 rentals"),
        ("idle clients have no rentals", "'idle clients' means clients without any rentals"),
        ("By busy client we mean a client with more than 10 rentals", "'busy client' means clients with more than 10 rentals"),
        ("Roman rentals are rentals of clients in Rome", "'roman rentals' means rentals with clients.city = 'Rome'"),
        ("Revenue is the sum of fee times days of rentals", "'revenue' is SUM(fee * days) of all rows of rentals"),
        ("customers means clients", "'customers' means clients"),
        ("clients are called customers", "'customers' means clients"),
        ("turnover = fee", "'turnover' means rentals.fee"),
        ("rental date = booked on", 'times of rentals, such as "in March", are those of booked_on'),
        ("Revenue does not include cancelled rentals.", "rentals with status = 'cancelled' are left out whenever 'revenue' is asked for"),
        ("cancelled rentals are left out of revenue", "rentals with status = 'cancelled' are left out whenever 'revenue' is asked for"),
        ("Never count cancelled rentals in profit", "rentals with status = 'cancelled' are left out whenever 'profit' is asked for"),
        ("Leave the cancelled rentals out of revenue", "rentals with status = 'cancelled' are left out whenever 'revenue' is asked for"),
        ("Strip out cancelled rentals from revenue", "rentals with status = 'cancelled' are left out whenever 'revenue' is asked for"),
        ("Cancelled rentals no longer count", "rentals with status = 'cancelled' are left out from every question"),
        ("None of the cancelled rentals count", "rentals with status = 'cancelled' are left out from every question"),
        ("Forget about cancelled rentals", "rentals with status = 'cancelled' are left out from every question"),
        ("Don't take cancelled rentals into account", "rentals with status = 'cancelled' are left out from every question"),
        ("Get rid of clients from Rome", "clients with city = 'Rome' are left out from every question"),
        ("Cancelled rentals should be kept out of revenue", "rentals with status = 'cancelled' are left out whenever 'revenue' is asked for"),
        ("Don't forget to leave out cancelled rentals", "rentals with status = 'cancelled' are left out from every question"),
        ("Rentals that are not done are left out", "rentals with status = 'done' OR status IS NULL alone count in every question"),
        ("Rentals that are not done don't count", "rentals with status = 'done' OR status IS NULL alone count in every question"),
        ("Only count done rentals", "rentals with status = 'done' alone count in every question"),
        ("Leave out rentals with paid_on missing", "rentals with paid_on IS NULL are left out from every question"),
        ("Leave out rentals with booked on missing", "rentals with booked_on IS NULL are left out from every question"),
        ("Exclude clients without an email", "clients with email IS NULL are left out from every question"),
        ("Only count rentals from 2024 on", "rentals with booked_on >= '2024-01-01' alone count in every question"),
        ("Leave out clients from Rome", "clients with city = 'Rome' are left out from every question"),
        ("old rentals are older than March 2024", "'old rentals' means rentals with booked_on < '2024-03-01'"),
        ("big spenders are clients with a total fee of rentals over 900", "'big spenders' means clients with total fee of rentals above 900"),
        ("dear rentals have a fee above the average", "'dear rentals' means rentals with fee above the average fee of rentals"),
        ("rental count is the number of rentals", "'rental count' is COUNT(*) of all rows of rentals"),
        ("lost rentals have returned_on missing", "'lost rentals' means rentals with returned_on IS NULL"),
        ("lost rentals: returned_on not set", "'lost rentals' means rentals with returned_on IS NULL"),
        ("safe rentals are rentals whose returned_on is not empty", "'safe rentals' means rentals with NOT returned_on IS NULL"),
        ("long rentals are rentals with returned_on - booked_on over 30", "'long rentals' means rentals with days from booked to returned above 30"),
        ("keeping = the number of days between booked_on and returned_on", "'keeping' is (DATEDIFF(returned_on, booked_on, DAY)) of each row of rentals"),
        ("keeping hours is (returned on minus booked on) times 24", "'keeping hours' is (DATEDIFF(returned_on, booked_on, DAY)) * 24 of each row of rentals"),
        ("paid rentals are rentals with a paid date", "'paid rentals' means rentals with NOT paid_on IS NULL"),
        ("The loss rate is the share of cancelled rentals among all rentals", "'loss rate' is the percentage with status 'cancelled' among rentals"),
        ("payment rate: rentals with a paid date as a percentage of all rentals", "'payment rate' is the percentage paid among rentals"),
        ("the late rate is the number of rentals without a return date over the number of rentals", "'late rate' is the percentage not returned among rentals"),
        ("done rate = done rentals / (done rentals + cancelled rentals)", "'done rate' is the number with status 'done' among rentals as a percentage of number with status 'done' among rentals plus number with status 'cancelled' among rentals, from rentals"),
        ("Roman share is the proportion of the fee of rentals of clients in Rome", "'roman share' is the percentage of fee of clients with city 'Rome' among rentals"),
        ("cost share = expenses as a percentage of the fee", "'cost share' is 100.0 * expenses / fee of each row of rentals"),
        ("ticket is the ratio of fee to days", "'ticket' is fee / days of each row of rentals"),
        ("left rentals are rentals with a leaving status of done", "'left rentals' means rentals with status = 'done'"),
    ],
)  # fmt: skip
def test_a_sentence_is_understood(unruled, sentence, told):
    assert unruled.rules.add(sentence, dry_run=True).told == told


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        ("profit = fee - tax", "No column is called 'tax'"),
        ("pricey = cost > banana", "bikes.cost holds numbers, and 'banana' is neither one nor a column"),
        ("sum = id + 1", "'id' is in clients and bikes and rentals: write which, as in clients.id"),
        ("status = fee - expenses", "rentals has a column status already"),
        ("Revenue leaves out purple rentals", "I don't understand which rows 'purple rentals' are"),
        ("expensive bikes are those over 800 euros", "may be one of: bikes.cost, bikes.price"),
        ("heavy bikes are those over 20 kg", "Which column is 'over 20 kg' about? Name it"),
        ("bikes are dated by colour", "bikes has no column 'colour'"),
        ("rentals are dated by fee", "rentals.fee holds no dates"),
        ("busy clients have more than 10 gizmos", "No table, column or value here is called 'gizmos'. Understood would be, for example: busy clients have more than 3 rentals; "),
        ("busy clients have more than 10 orders", "what '10 orders' says of clients"),
        ("Leave out clients without rentals", "name them, as in: unwanted clients are clients without rentals"),
        ("visits are the number of rentals of a client", "A number is stated of all rows of a table"),
        ("make it nicer", "I can't tell what 'make it nicer' is to change"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_said_with_examples(unruled, sentence, part):
    with pytest.raises(UnclearRule) as raised:
        unruled.rules.add(sentence, dry_run=True)
    assert part in str(raised.value)


def test_the_file_is_readable_and_may_be_edited(old):
    old.rules.add("profit = fee - expenses")
    path = old.databases.semantics_path("hire")
    text = path.read_text()
    assert "- name: profit\n  table: rentals\n  formula: fee - expenses\n" in text
    assert "  says: profit = fee - expenses\n  by: default\n" in text
    path.write_text(text.replace("formula: fee - expenses", "formula: fee - 1"))
    assert [one.rule.formula for one in old.rules.list()] == ["fee - 1"]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("measures:\n- name: profit\n  table: rentals\n  formula: fee - tax\n", 4, "rentals has no column tax"),
        ("measures:\n- name: profit\n  table: rental\n  formula: fee\n", 3, "hire has no table rental (did you mean rentals?)"),
        ("measures:\n- name: profit\n  table: rentals\n  formula: fee > 3\n", 4, "A formula computes with columns and numbers"),
        ("measures:\n- name: profit\n  tabel: rentals\n  formula: fee\n", 3, "the key 'tabel' is not known (did you mean table?)"),
        ("conditions:\n- name: x\n  table: rentals\n  condition: fee\n", 4, "A condition compares columns"),
        ("dates:\n- table: rentals\n  column: fee\n", 3, "rentals.fee holds no dates"),
        ("filters:\n- table: rentals\n  condition: fee > expenses\n", 3, "A rule compares columns with literals"),
        ("meaures: []\n", 1, "the key 'meaures' is not known (did you mean measures?)"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_file_is_named_with_its_line(old, text, line, problem):
    path = old.databases.semantics_path("hire")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    with pytest.raises(SchemaError) as raised:
        old.rules.list()
    assert f"hire.yaml, line {line}: " in str(raised.value)
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    "sentence",
    [
        "Never leave out cancelled rentals",
        "Don't ignore cancelled rentals",
        "We should not exclude cancelled rentals",
        "Stop leaving out cancelled rentals",
        "Cancelled rentals must not be left out",
        "No cancelled rentals are left out",
        "Revenue doesn't leave out cancelled rentals",
        "Cancelled rentals are no longer left out",
        "We no longer leave out cancelled rentals",
    ],
)
def test_rows_that_are_not_to_be_left_out_are_never_left_out_for_that(unruled, sentence):
    with pytest.raises(UnclearRule, match="oldhand rule remove NAME"):
        unruled.rules.add(sentence, dry_run=True)


@pytest.mark.parametrize(
    "sentence",
    [
        "Rentals don't count unless they are done",
        "Sometimes leave out cancelled rentals",
        "Leave out everything but done rentals",
        "Everything except cancelled rentals is left out",
        "It's wrong to leave out cancelled rentals",
        "Rentals with no fee count",
    ],
)
def test_what_turns_a_rule_round_is_no_rule(unruled, sentence):
    with pytest.raises(UnclearRule):
        unruled.rules.add(sentence, dry_run=True)


def test_a_name_in_full_is_no_part_of_another_name() -> None:
    """`stems` are those of the deliveries, whatever a `stem_price` is."""
    columns = {"sales": ("stem_price", "pieces"), "deliveries": ("stems",)}
    tables = tuple(
        Table(name=name, schema_name="main", columns=tuple(Column(name=one, type="REAL", kind=Kind.NUMBER) for one in holds))
        for name, holds in columns.items()
    )  # fmt: skip
    shop = DatabaseSchema(name="shop", dialect="sqlite", tables=tables)
    values = ValueIndex.in_memory("shop", [])
    with pytest.raises(UnclearRule, match="No table holds 'stems' and 'pieces'"):
        read_rule("takings are the sum of stems times pieces", (shop,), values)
    told = read_rule("takings are the sum of stems", (shop,), values).rule
    assert isinstance(told, Measure)
    assert told.table == "deliveries"
    assert read_rule("takings are the sum of stem price", (shop,), values).rule.told == "'takings' is SUM(stem_price) of all rows of sales"  # fmt: skip
