"""An embedding server that fails, or changes what it gives, costs the meaning of passages and nothing else; the answer says so."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.embedding_server import embedding_server, vectors

from oldhand import Oldhand
from oldhand.testing.embedding import HashingEmbedder

ASKED = "When does the harbour gate close?"
FAULTS = {
    "dies": lambda rows: (500, {"error": "gone"}),
    "no numbers": lambda rows: (200, vectors([[float("nan")] * len(one) for one in rows])),
    "endless numbers": lambda rows: (200, vectors([[1e400] * len(one) for one in rows])),
    "another size": lambda rows: (200, vectors([one + one for one in rows])),
    "one too few": lambda rows: (200, vectors(rows[:-1])),
    "another page": lambda rows: (200, "<html>"),
}


class Server:
    """Gives vectors until it is told to fail."""

    def __init__(self) -> None:
        self.made = HashingEmbedder()
        self.fault: str | None = None
        self.good_answers = 10_000

    def __call__(self, texts: Sequence[str]) -> tuple[int, object]:
        rows = self.made.embed(list(texts)).tolist()
        self.good_answers -= 1
        if self.fault is not None and self.good_answers < 0:
            return FAULTS[self.fault](rows)
        return 200, vectors(rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    for number in range(3):
        parts = (f"## Part {n}\n\nBerth {number}-{n} is let for {n} days.\n" for n in range(40))
        (tmp_path / "rules" / f"{number}.md").write_text(f"# Rules {number}\n\n" + "\n".join(parts))
    (tmp_path / "rules" / "gate.md").write_text("# Gate\n\nThe harbour gate closes at 21:30.\n")
    return tmp_path


def opened(folder: Path, url: str) -> Oldhand:
    (folder / "home").mkdir(exist_ok=True)
    lines = f"documents:\n  embedder: openai:hashing\n  embedder_url: {url}\n"
    (folder / "home" / "settings.yaml").write_text(lines)
    return Oldhand(folder / "home")


@pytest.mark.parametrize("fault", FAULTS)
def test_it_fails_while_documents_are_added_and_the_rest_is_made_later(folder: Path, fault: str):
    server = Server()
    with embedding_server(server) as (url, _), opened(folder, url) as old:
        server.fault, server.good_answers = fault, 1
        added = old.documents.add(folder / "rules")
        assert {one.document.state for one in added} == {"ready"}
        found = old.documents.found_by()
        assert 0 < found.vectors < found.passages
        server.fault = None
        assert "21:30" in old.ask(ASKED).text
        old.documents.refresh()
        found = old.documents.found_by()
        assert found.vectors == found.passages


@pytest.mark.parametrize("fault", FAULTS)
def test_it_fails_while_a_question_is_asked_and_the_answer_says_so(folder: Path, fault: str):
    server = Server()
    with embedding_server(server) as (url, _), opened(folder, url) as old:
        old.documents.add(folder / "rules")
        assert old.ask(ASKED).notes == ()
        server.fault, server.good_answers = fault, 0
        answer = old.ask(ASKED)
        assert "21:30" in answer.text
        (note,) = answer.notes
        assert note.startswith("Passages were looked for by words alone: ")
        assert old.episodes.get(answer).answer.notes == (note,)
