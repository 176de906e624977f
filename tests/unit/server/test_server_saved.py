"""Saved questions over the network: the same as in the process, and what somebody from outside sees."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx2 as http
import pytest
from tests.patience import PATIENCE
from tests.unit.saved.receivers import program
from tests.unit.server.conftest import Served, customers, running

from oldhand import Oldhand
from oldhand.errors import NotAllowed, UnknownSaved, UsageError
from oldhand.face.remote import Client
from oldhand.models.clock import SystemClock
from oldhand.settings import load_settings
from oldhand.store import home_store


@pytest.fixture(params=["embedded", "over the network"])
def old(request: pytest.FixtureRequest, served: Served) -> Iterator[Oldhand]:
    near = request.param == "embedded"
    with Oldhand(served.home) if near else Client(served.url, served.keys["owner"]) as opened:
        yield opened


def test_a_question_is_saved_run_put_on_a_board_and_removed(old: Oldhand):
    me = {} if isinstance(old, Client) else {"user": "ana"}
    saved = old.saved.add("Customers", old.ask("How many customers are there?"), **me)
    assert (saved.user_id, saved.latest.rows) == ("ana", ((3,),))
    assert old.saved.run("customers", **me).latest.change == ""
    assert old.saved.change("Customers", pinned=True, **me).pinned
    planned = old.saved.schedule("Customers", "daily at 8:00", zone="Europe/Berlin", **me)
    assert str(planned.schedule) == "daily at 08:00 (Europe/Berlin)"
    assert old.saved.secret("Customers", **me).startswith("whsec_")
    with pytest.raises(UsageError, match=r"saved\.inside"):
        old.saved.schedule("Customers", "daily at 8:00", targets="http://127.0.0.1/x", **me)
    assert old.saved.schedule("Customers", None, **me).due_at is None
    assert [one.name for one in old.boards.put("All", ["Customers"], **me).questions] == ["Customers"]  # fmt: skip
    assert len(old.saved.answers("Customers", **me)) == 2
    old.saved.remove("Customers", **me)
    assert old.boards.run("All", **me).questions == ()
    old.boards.remove("All", **me)
    with pytest.raises(UnknownSaved):
        old.saved.get("Customers", **me)


def test_others_see_what_is_theirs_to_see(served: Served):
    with Client(served.url, served.keys["owner"]) as ana, Client(served.url, served.keys["member"]) as mo:  # fmt: skip
        answer = ana.ask("How many customers live in Berlin?")
        ana.saved.add("Open", answer)
        ana.saved.add("Closed", answer, readers="ana")
        assert [one.name for one in mo.saved.list()] == ["Open"]
        assert mo.saved.run("Open").latest.rows == ((2,),)
        with pytest.raises(UnknownSaved):
            mo.saved.get("Closed")
        with pytest.raises(NotAllowed):
            mo.saved.remove("Open")
        link = ana.saved.share("Closed")
        seen = http.get(f"{served.url}/api/shared/{link.token}").json()
        assert (seen["name"], seen["rows"]) == ("Closed", [[2]])
        assert not {"reading", "steps", "notes", "user_id"} & seen.keys()
        key = {"Authorization": f"Bearer {link.token}"}
        assert http.get(f"{served.url}/api/clones/default/saved", headers=key).status_code == 401
        ana.saved.unshare("Closed")
        for token in (link.token, "nonsense"):
            gone = http.get(f"{served.url}/api/shared/{token}")
            assert (gone.status_code, gone.json()["type"]) == (404, "UnknownSaved")
        for name in ("Open", "Closed"):
            ana.saved.remove(name)


def test_what_was_due_while_the_server_was_down_is_asked_when_it_starts(tmp_path: Path):
    home = tmp_path / "home"
    with program() as hook:
        with Oldhand(home) as old:
            old.databases.add(customers(tmp_path / "shop.db", "Berlin"), name="shop")
            saved = old.saved.add("All", old.ask("How many customers are there?"))
            home.joinpath("settings.yaml").write_text("saved:\n  inside: ['127.0.0.1']\n", "utf-8")
        with Oldhand(home) as old:
            old.saved.schedule(saved.id, "daily at 08:00", targets=hook.url)
        missed = {"due_at": datetime(2020, 1, 1, tzinfo=UTC)}
        with home_store(home, load_settings(home), clock=SystemClock()) as store:
            known = store.saved.get("default", "All").model_copy(update=missed)
            store.saved.change("default", known, "due_at")
        with running(home):
            assert hook.came.wait(PATIENCE)
        assert len(hook.posted) == 1
        with Oldhand(home) as old:
            assert len(old.saved.answers("All")) == 2
            assert old.saved.get("All").due_at > datetime.now(UTC)
