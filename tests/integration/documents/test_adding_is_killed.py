"""Documents that are added by a program that is killed in between are read by the next one, each once."""

import signal
import subprocess
import sys
from pathlib import Path

import sqlalchemy as sa

from oldhand import Oldhand
from oldhand.record.document import DocumentState
from oldhand.store.search.index import PASSAGE_SEARCH
from oldhand.store.work_tables import passages

_DOCUMENTS, _SECTIONS = 10, 150


def held(old: Oldhand) -> list[list[tuple[object, ...]]]:
    """The passages of all documents, the words by which they are found, and how many there are to be found."""
    of, searched = passages.c, PASSAGE_SEARCH.documents.c
    scope = PASSAGE_SEARCH.scopes.c
    asked = (
        sa.select(of.document_id, of.position, of.chunk_hash, of.text),
        sa.select(of.chunk_hash, searched.terms).join_from(
            PASSAGE_SEARCH.documents, passages, of.seq == searched.seq
        ),
        sa.select(scope.memories, scope.words),
    )
    with old._async._opened.home.store._transactions.reading() as connection:
        return [sorted(map(tuple, connection.execute(one))) for one in asked]


def write_documents(folder: Path) -> None:
    folder.mkdir()
    for number in range(_DOCUMENTS):
        sections = (
            f"## Part {part}\n\nThe code of bay {number} is {part}.\n" for part in range(_SECTIONS)
        )
        (folder / f"{number}.md").write_text(f"# Hall {number}\n\n" + "\n".join(sections))


def a_home(path: Path) -> Path:
    path.mkdir()
    (path / "settings.yaml").write_text("documents: {embedder: none}\n")
    return path


def test_what_a_killed_program_was_adding_is_there_once(tmp_path: Path):
    write_documents(tmp_path / "halls")
    home, other = a_home(tmp_path / "home"), a_home(tmp_path / "other")
    program = [sys.executable, str(Path(__file__).with_name("adding_program.py"))]
    killed = subprocess.run([*program, str(home), str(tmp_path / "halls"), "8"], check=False)
    assert killed.returncode == -signal.SIGKILL
    with Oldhand(home) as old, Oldhand(other) as whole:
        states = {one.state for one in old.documents.list()}
        assert states == {DocumentState.READY, DocumentState.WAITING}  # some were kept, some not
        assert len(old.documents.list()) == _DOCUMENTS
        old.documents.refresh()
        whole.documents.add(tmp_path / "halls")
        assert held(old) == held(whole)
        assert len(held(whole)[0]) == _DOCUMENTS * _SECTIONS


def test_two_programs_that_add_the_same_folder_at_once_add_each_document_once(tmp_path: Path):
    write_documents(tmp_path / "halls")
    home, other = a_home(tmp_path / "home"), a_home(tmp_path / "other")
    program = [sys.executable, str(Path(__file__).with_name("adding_program.py"))]
    adding = [
        subprocess.Popen([*program, str(home), str(tmp_path / "halls"), "1000"]) for _ in range(2)
    ]
    assert [one.wait() for one in adding] == [0, 0]
    with Oldhand(home) as old, Oldhand(other) as whole:
        assert {one.state for one in old.documents.list()} == {DocumentState.READY}
        whole.documents.add(tmp_path / "halls")
        assert held(old) == held(whole)
