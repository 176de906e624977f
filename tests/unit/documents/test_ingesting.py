"""Documents are added, read again when they changed, and removed with all that followed from them."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from oldhand import Oldhand
from oldhand.cli.learned import receipt_lines
from oldhand.errors import UnknownDatabase, UnknownDocument, UsageError
from oldhand.record.document import DocumentState
from oldhand.store.work_tables import chunk_scores, documents, passage_vectors, passages


def changes(done) -> list[str]:
    return [one.change.value for one in done]


def test_a_folder_is_added_with_what_is_in_it(old: Oldhand, papers: Path):
    done = old.documents.add(papers)
    assert [(one.document.name, one.document.state.value) for one in done] == [
        ("Returns", "ready"),
        ("minutes", "ready"),
    ]
    assert [one.passages for one in old.documents.list()] == [2, 1]
    assert [one.text for one in old.documents.passages("Returns")] == [
        "Within 30 days.",
        "Two weeks.",
    ]


def test_the_same_bytes_are_not_read_again(old: Oldhand, papers: Path):
    old.documents.add(papers)
    read_at = old.documents.get("Returns").read_at
    assert changes(old.documents.refresh()) == ["unchanged", "unchanged"]
    assert changes(old.documents.add(papers)) == ["unchanged", "unchanged"]
    assert old.documents.get("Returns").read_at == read_at
    assert changes(old.documents.refresh("Returns", again=True)) == ["read"]


def test_what_did_not_change_in_a_document_keeps_its_hash(old: Oldhand, papers: Path):
    old.documents.add(papers)
    before = [one.chunk for one in old.documents.passages("Returns")]
    (papers / "returns.md").write_text("# Returns\n\nWithin 14 days.\n\n# Repairs\n\nTwo weeks.\n")
    assert changes(old.documents.refresh()) == ["read", "unchanged"]
    after = [one.chunk for one in old.documents.passages("Returns")]
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_a_document_that_is_gone_is_not_found_any_longer_and_comes_back(old: Oldhand, papers: Path):
    old.documents.add(papers)
    text = (papers / "returns.md").read_text()
    (papers / "returns.md").unlink()
    assert changes(old.documents.refresh()) == ["gone", "unchanged"]
    gone = old.documents.get("Returns")
    assert (gone.state, gone.passages) == (DocumentState.FAILED, 0)
    assert "no longer there" in gone.note
    (papers / "returns.md").write_text(text)
    assert changes(old.documents.refresh()) == ["read", "unchanged"]
    assert old.documents.get("Returns").passages == 2


def test_what_was_read_stays_when_its_folder_is_not_there_or_it_is_broken(
    old: Oldhand, papers: Path
):
    old.documents.add(papers)
    (papers / "returns.md").write_bytes(bytes(range(256)) * 10)
    papers.joinpath("deep").rename(papers.parent / "away")
    assert changes(old.documents.refresh()) == ["failed", "failed"]
    assert [one.passages for one in old.documents.list()] == [2, 1]
    assert all(
        one.note.startswith("What is found is how it was before") for one in old.documents.list()
    )


def test_removing_removes_all_that_was_derived(old: Oldhand, papers: Path):
    old.documents.add(papers)
    copied = papers / "copy.md"
    copied.write_text((papers / "returns.md").read_text().replace("Two", "Three"))
    old.documents.add(copied)
    shared, own = [one.chunk for one in old.documents.passages(str(papers / "returns.md"))]
    store = old._async._opened.home.store
    with store._transactions.writing("default") as connection:
        for chunk in (shared, own):
            at = sa.func.current_timestamp()
            given = {"clone_id": "default", "chunk_hash": chunk}
            connection.execute(sa.insert(passage_vectors).values(**given, model="m", vector=b"1"))
            score = {"intent": "", "score": 0.1, "hit_count": 1, "updated_at": at}
            connection.execute(sa.insert(chunk_scores).values(**given, **score))
    old.documents.remove(str(papers / "returns.md"))
    with store._transactions.reading() as connection:
        # A model on this machine may have made vectors of its own.
        given = sa.select(passage_vectors.c.chunk_hash).where(passage_vectors.c.model == "m")
        for kept in (given, sa.select(chunk_scores.c.chunk_hash)):
            assert connection.scalars(kept).all() == [shared]
        assert own not in connection.scalars(sa.select(passages.c.chunk_hash)).all()
        assert len(connection.execute(sa.select(documents)).all()) == 2
    with pytest.raises(UnknownDocument):
        old.documents.get(str(papers / "returns.md"))


def test_who_may_see_a_document_is_said_when_it_is_added_and_can_be_changed(
    old: Oldhand, papers: Path
):
    old.documents.add(papers, readers="members")
    assert {one.readers for one in old.documents.list()} == {("members",)}
    old.documents.add(papers / "returns.md", readers=["ana", "bo"])
    assert old.documents.get("Returns").readers == ("ana", "bo")


@pytest.mark.parametrize("source", ["nowhere.md", "empty", ""])
def test_what_is_not_there_is_not_added(old: Oldhand, tmp_path: Path, source: str, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    with pytest.raises(UsageError):
        old.documents.add(tmp_path / source if source else "")
    assert old.documents.list() == ()


def test_strangers_add_nothing(old: Oldhand, papers: Path):
    with pytest.raises(UsageError, match="cy is neither owner nor expert"):
        old.documents.add(papers, user="cy")
    assert old.documents.list() == ()


def test_what_was_noted_and_not_read_is_read_by_the_next_one(old: Oldhand, papers: Path):
    def dies(done: int, *_: object) -> None:
        if done == 1:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        old.documents.add(papers, watch=dies)
    assert [one.state.value for one in old.documents.list()] == ["ready", "waiting"]
    assert changes(old.documents.refresh()) == ["unchanged", "read"]


def test_the_same_bytes_elsewhere_are_a_document_of_their_own_and_said_to_be(
    old: Oldhand, papers: Path
):
    (papers / "copy.md").write_bytes((papers / "returns.md").read_bytes())
    old.documents.add(papers)
    copy, other = (
        old.documents.get(str(papers / "copy.md")),
        old.documents.get(str(papers / "returns.md")),
    )
    assert (copy.passages, other.passages) == (2, 2)
    assert "holds the same as" in f"{copy.note}{other.note}"
    old.documents.remove(other.id)
    assert old.documents.get(copy.id).passages == 2


def test_a_folder_is_looked_at_for_new_documents_and_removed_as_one(old: Oldhand, papers: Path):
    old.documents.add(papers, readers="members")
    (papers / "new.md").write_text("# New\n\nBy agreement.\n")
    assert sorted(changes(old.documents.refresh())) == ["read", "unchanged", "unchanged"]
    assert old.documents.get("New").readers == ("members",)
    assert len(old.documents.list(str(papers))) == 3
    assert len(old.documents.remove(str(papers))) == 3
    assert changes(old.documents.refresh()) == []


def test_documents_are_noted_and_read_in_the_background_or_at_night(old: Oldhand, papers: Path):
    ingesting = old._async._opened.home.documents
    done = ingesting.add([str(papers)], user="default", later=True)
    assert changes(done) == ["noted", "noted"]
    assert ingesting.read_waiting(lambda: False) == 0
    assert {one.state.value for one in old.documents.list()} == {"waiting"}
    with pytest.raises(UnknownDatabase, match="not read yet: `oldhand docs refresh`"):
        old.ask("What is said of returns?")
    old.learn()
    assert {one.state.value for one in old.documents.list()} == {"ready"}
    (papers / "returns.md").write_text("# Returns\n\nNever.\n")
    assert old.learn().documents == 1
    assert old.learn().documents == 0


def test_a_user_who_is_erased_leaves_the_documents_without_their_name(old: Oldhand, papers: Path):
    old.people.name(owner="default", experts=["ana", "bo"])
    old.documents.add(papers / "returns.md", user="ana", readers=["ana", "bo"])
    old.documents.add(papers / "deep", user="ana", readers="ana")
    old.people.erase("ana")
    (left,) = old.documents.list()
    assert (left.name, left.added_by, left.readers) == ("Returns", "default", ("bo",))
    assert old._async._opened.home.store.documents.sources("default") == ()


@pytest.mark.parametrize(
    "called", ["Returns", "RETURNS", "returns", "returns.md", "{folder}/returns"]
)
def test_a_document_is_found_by_its_title_and_by_its_file(old: Oldhand, papers: Path, called: str):
    old.documents.add(papers)
    assert old.documents.get(called.format(folder=papers.name)).name == "Returns"


def test_a_name_that_several_files_have_is_not_guessed(old: Oldhand, papers: Path):
    (papers / "old").mkdir()
    (papers / "old" / "minutes.md").write_text("Nobody came.")
    old.documents.add(papers)
    with pytest.raises(UsageError, match="2 documents are called"):
        old.documents.get("minutes")


def test_who_may_see_a_document_stays_as_it_was_where_nobody_says_otherwise(
    old: Oldhand, papers: Path
):
    def readers() -> dict[str, tuple[str, ...]]:
        return {one.name: one.readers for one in old.documents.list()}

    old.documents.add(papers / "returns.md", readers="members")
    old.documents.add(papers)
    old.documents.add(papers / "returns.md", later=True)
    assert readers() == {"Returns": ("members",), "minutes": ("everyone",)}
    old.documents.add(papers, readers="ana")
    old.documents.add(papers)
    (papers / "new.md").write_text("# New\n\nSoon.\n")
    old.documents.refresh()
    (papers / "newer.md").write_text("# Newer\n\nSooner.\n")
    old.documents.add(papers)
    assert "Newer" in readers()
    assert set(readers().values()) == {("ana",)}
    old.documents.add(papers, readers="everyone")
    assert set(readers().values()) == {("everyone",)}


def test_a_new_document_is_seen_by_whom_the_innermost_folder_is_that_it_lies_in(
    old: Oldhand, papers: Path
):
    inner = papers / "inner"
    inner.mkdir()
    (inner / "old.md").write_text("# Old\n\nLong ago.\n")
    old.documents.add(papers, readers="members")
    old.documents.add(inner, readers="ana")
    (papers / "alone.md").write_text("# Alone\n\nSoon.\n")
    (inner / "named.md").write_text("# Named\n\nSooner.\n")
    old.documents.add([papers / "alone.md", inner / "named.md"])
    (inner / "found.md").write_text("# Found\n\nLater.\n")
    old.documents.refresh()
    (papers / "again.md").write_text("# Again\n\nLast.\n")
    old.documents.add(papers)
    assert {one.name: one.readers for one in old.documents.list()} == {
        "Returns": ("members",),
        "minutes": ("members",),
        "Alone": ("members",),
        "Again": ("members",),
        "Old": ("ana",),
        "Named": ("ana",),
        "Found": ("ana",),
    }


def test_a_thumb_on_a_passage_is_not_said_to_have_taught_nothing(old: Oldhand, papers: Path):
    old.documents.add(papers / "returns.md")
    answer = old.ask("What is said of returns?")
    receipt = old.feedback(answer, rating=1, passage=1)
    assert next(receipt_lines(receipt)).startswith("It counts for this passage")
