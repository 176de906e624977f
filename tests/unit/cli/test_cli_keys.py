"""Keys that were inferred are shown when a database is added, confirmed, refused and told by the doctor."""

import json
import random

import pytest
from benchmarks._generated_keys import fill_shop


@pytest.fixture
def url(tmp_path) -> str:
    fill_shop(tmp_path / "bare.db", random.Random(3), keyed=False)
    return f"sqlite:///{tmp_path / 'bare.db'}"


def test_inferred_keys_are_shown_with_their_evidence_and_wait_for_a_word(oldhand, url):
    told = oldhand("db", "add", url).stdout
    assert "0 foreign keys declared, 7 inferred" in told
    assert "bare.tblOrders.CustID → bare.tblCustomers.CustID" in told
    assert "60 of 60 values are there; the same name" in told
    assert "(inferred)" in oldhand("schema", "show", "bare").stdout
    checked = json.loads(oldhand("doctor", "--json").stdout)
    (found,) = [check for check in checks_of(checked) if check["subject"] == "database bare"]
    assert "7 more inferred and not confirmed" in found["found"]
    assert "schema link" in found["advice"]


def test_a_yes_in_a_script_confirms_them(oldhand, url):
    assert oldhand("db", "add", url, "--yes").stdout.endswith("Confirmed.\n")
    assert "(inferred)" not in oldhand("schema", "show", "bare").stdout
    assert oldhand("schema", "link").stdout == "No further keys were found.\n"


def test_they_are_confirmed_or_refused_later(oldhand, url):
    oldhand("db", "add", url)
    refused = oldhand("schema", "link", "--reject", "bare.tblOrders.CustID").stdout
    assert refused == "Rejected: bare.tblOrders.CustID does not refer to tblCustomers.\n"
    assert "tblOrders.CustID" not in oldhand("schema", "link").stdout
    assert oldhand("schema", "link", "--write").stdout.endswith("Confirmed: 6 keys.\n")
    again = oldhand("schema", "link", "--reject", "tblOrders")
    assert again.exit_code == 2
    assert "NAME.TABLE.COLUMN" in again.stderr


def test_tables_that_no_key_joins_are_not_joined(oldhand, url):
    oldhand("db", "add", url)
    oldhand("schema", "link", "--reject", "bare.tblOrders.CustID")
    asked = oldhand("ask", "How many orders were placed by customers in Rome?")
    assert asked.exit_code == 3
    assert "no key joins them" in asked.stdout


def checks_of(told: object) -> list[dict[str, str]]:
    assert isinstance(told, list)
    return told
