"""A language model's sentence is heard while it is written, but no word that the rows do not bear out."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import Oldhand
from oldhand.record.progress import Progress, TextDelta, TextDraft
from oldhand.testing import FakeServer, PromptReader
from oldhand.testing.fake_server import Fault, Reply, Request

QUESTION = "Which towns are there?"
READER = PromptReader({QUESTION: "SELECT name FROM towns ORDER BY name"})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE towns (name TEXT)")
        connection.execute("INSERT INTO towns VALUES ('Basel'), ('Bern'), ('Chur')")
    return tmp_path / "home"


def heard(home: Path, summary: Reply, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], str]:
    """What was told of the sentence while it was written, and the sentence in the end."""

    def reply(request: Request) -> Reply:
        return summary if request.stage == "summarise" else READER.reply(request)

    seen: list[Progress] = []
    with FakeServer(reply) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        with Oldhand(home, model="openai:fake") as old:
            old.databases.add(f"sqlite:///{home.parent / 'shop.db'}", name="shop")
            answer = old.ask(QUESTION, observe=seen.append)
    drafts = [event.text for event in seen if isinstance(event, TextDraft)]
    last = [event.text for event in seen if isinstance(event, TextDelta)]
    assert last == [answer.text]
    assert answer.rows == (("Basel",), ("Bern",), ("Chur",))
    return drafts, answer.text


def test_a_sentence_is_heard_word_by_word(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "There are three of them in all: Basel, Bern and Chur."
    drafts, said = heard(home, Reply(data={"text": text}), monkeypatch)
    assert said == text
    assert len(drafts) > 3
    assert all(text.startswith(draft) for draft in drafts)


@pytest.mark.parametrize("text", ["It is Basel and Geneva, and also Bern, among the others.", "There are 17 of them here in all, as far as I can see."])  # fmt: skip
def test_what_no_row_holds_is_never_heard(
    home: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    drafts, said = heard(home, Reply(data={"text": text}), monkeypatch)
    assert said == "3 rows: name."
    assert not any("Geneva" in draft or "17" in draft for draft in drafts)


@pytest.mark.parametrize(
    ("summary", "said"),
    [
        (Reply(text="There are three towns."), "There are three towns."),
        (Reply(text="{'text': 'There are three towns.',}"), "There are three towns."),
        (Reply(data={"text": "There are three towns."}, fault=Fault.CUT), "3 rows: name."),
        (Reply(data={"text": "There are three towns."}, fault=Fault.BREAK), "3 rows: name."),
        (Reply(text="{no summary}"), "3 rows: name."),
    ],
)
def test_a_sentence_that_goes_wrong_costs_the_wording_only(
    home: Path, monkeypatch: pytest.MonkeyPatch, summary: Reply, said: str
) -> None:
    assert heard(home, summary, monkeypatch)[1] == said
