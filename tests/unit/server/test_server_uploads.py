"""Documents, databases and settings over the network: what may come in, and what may not."""

from pathlib import Path

import pytest
from tests.unit.server.conftest import Served, customers

from oldhand import Client, Oldhand
from oldhand.errors import InvalidDatabaseUrl, InvalidSetting, NameTaken, NotAllowed, UsageError

LEAVE = b"# Leave\n\nParental leave is requested seven weeks before it begins.\n"


@pytest.fixture
def far(served: Served):
    with Client(served.url, served.keys["owner"]) as opened:
        yield opened


def test_a_document_is_uploaded_read_and_removed_with_its_file(far: Oldhand, served: Served):
    (noted,) = far.documents.upload("../../Parental leave.md", LEAVE, readers="members")
    place = served.home / "uploads/Parental leave.md"
    assert noted.document.source == str(place)
    assert place.read_bytes() == LEAVE
    assert [one.change for one in far.documents.refresh()] == ["read"] or place.exists()
    assert far.ask("When is parental leave requested?").text.startswith("Parental leave is")
    assert far.activity().documents["ready"] >= 1
    name = noted.document.id
    assert far.documents.passages(name, start=0, limit=1) == far.documents.passages(name)
    assert far.documents.passages(name, start=1) == ()
    far.documents.remove(name)
    assert not place.exists()


def test_a_file_of_rows_or_of_sqlite_becomes_a_database(far: Oldhand, served: Served, tmp_path: Path):  # fmt: skip
    added = far.databases.upload("ships.csv", b"name,tons\nAda,5\nBo,7\n", name="ships")
    assert (added.name, added.url) == ("ships", "files://")
    with pytest.raises(NameTaken):
        far.databases.upload("ships.csv", b"name\n")
    customers(tmp_path / "boats.db", "Rome")
    far.databases.upload("boats.db", (tmp_path / "boats.db").read_bytes())
    assert far.databases.check("boats") == ()
    with pytest.raises(InvalidDatabaseUrl):
        far.databases.upload("evil.sh", b"#!/bin/sh\n")
    for name in ("ships", "boats"):
        far.databases.remove(name)
    assert [*(served.home / "uploads/databases").iterdir()] == []


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////etc/passwd",
        "/etc/passwd",
        "files:////etc",
        "pgserver:////tmp/x",
        "postgresql://ana:${OPENAI_API_KEY}@evil/shop",
        "postgresql:///shop",
        "postgresql://ana@db/shop?passfile=/etc/passwd",
        "postgresql://%2Fvar%2Frun/shop",
        "mysql://ana@db/shop?read_default_file=/etc/my.cnf",
    ],
)
def test_addresses_lead_nowhere_but_where_the_operator_allows(far: Oldhand, url: str):
    for call in (far.databases.test, lambda it: far.databases.add(it, name="evil")):
        with pytest.raises(NotAllowed):
            call(url)
    assert "evil" not in [one.name for one in far.databases.list()]


def test_files_of_a_named_folder_may_be_added(served: Served, far: Oldhand, tmp_path: Path):
    url = customers(tmp_path / "in.db", "Rome")
    with pytest.raises(NotAllowed, match="Upload the file"):
        far.databases.test(url)
    with pytest.raises(NotAllowed):
        far.documents.add("/etc/passwd")


def test_settings_are_changed_and_hold_at_once(far: Oldhand, served: Served):
    file = served.home / "settings.yaml"
    file.write_text("# ours\nrecall:\n  examples: 7  # few\n", "utf-8")
    assert far.settings.change({"recall.examples": 6, "max_question_chars": 50}).max_question_chars == 50  # fmt: skip
    assert file.read_text("utf-8") == "# ours\nrecall:\n  examples: 6  # few\nmax_question_chars: 50\n"  # fmt: skip
    with pytest.raises(Exception, match="50"):
        far.ask("How many customers are there " + "really " * 10 + "?")
    for changes in ({"recall.examples": -1}, {"no.such": 1}):
        with pytest.raises(InvalidSetting):
            far.settings.change(changes)
    for name in (
        "server.burst",
        "server",
        "models.base_url",
        "models",
        "store",
        "documents.inside",
    ):
        with pytest.raises(UsageError, match="who runs the server"):
            far.settings.change({name: {}})
    far.settings.change({"max_question_chars": 4000})
    assert far.ask("How many customers are there?").rows == ((3,),)
