"""The readable files: where they lie, that no line is lost, torn or twice, and that nothing gets out."""

import json
import os
import sys
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.errors import InvalidId, JournalError
from oldhand.record.memory import MemoryType
from oldhand.store import Journal, JournalPlace, Store
from oldhand.store.journal.journal import PendingLine
from oldhand.store.journal.lines import JOURNAL_FILES
from oldhand.testing.clock import CountingIds, FixedClock
from oldhand.testing.records import example_episode, example_feedback, example_memory

PREFERENCES = JournalPlace("default", "ana", MemoryType.PREFERENCE)


def append(journal: Journal, *lines: str, place: JournalPlace = PREFERENCES) -> tuple[int, ...]:
    pending = [PendingLine(n, place, line) for n, line in enumerate(lines, start=1)]
    with journal.locked():
        return journal.append(pending)


def test_the_files_are_those_of_the_seed_and_two_of_our_own(journal: Journal):
    names = [journal.path(JournalPlace("default", "ana", kind)).name for kind in MemoryType]
    assert names == [
        "episodic.jsonl",
        "reflections.jsonl",
        "semantic.jsonl",
        "prompts.jsonl",
        "checklists.jsonl",
        "preferences.jsonl",
        "bugs.jsonl",
        "issues.jsonl",
        "examples.jsonl",
    ]


def test_the_line_of_an_episode_has_the_seeds_fields_in_their_order(store: Store, journal: Journal):
    store.record_episode(example_episode(success=True))
    store.add_feedback(example_feedback("f-1", +1))
    path = journal.path(JournalPlace("default", "ana", MemoryType.EPISODIC))
    assert path == journal.folder / "ana" / "episodic.jsonl"
    record = json.loads(path.read_text("utf-8").split("\n")[-2])
    assert record == {
        "type": "episodic",
        "id": "episode-1",
        "created_at": "2026-01-01T12:00:00Z",
        "last_used_at": "2026-01-01T12:00:00Z",
        "ttl_days": 90,
        "confidence": 1.0,
        "tags": ["geography"],
        "summary": "How many customers live in Berlin?",
        "payload": {
            "session_id": "session-1",
            "user_text": "How many customers live in Berlin?",
            "assistant_text": "42 customers live in Berlin.",
            "model_used": "openai:gpt-4o",
            "tools_used": ["sql"],
            "cost": 0.002,
            "latency_ms": 743,
            "success": True,
            "feedback": "positive",
        },
    }
    assert list(record) == [
        *("type", "id", "created_at", "last_used_at", "ttl_days"),
        *("confidence", "tags", "summary", "payload"),
    ]
    assert list(record["payload"]) == [
        *("session_id", "user_text", "assistant_text", "model_used", "tools_used"),
        *("cost", "latency_ms", "success", "feedback"),
    ]


def test_lines_are_readable_in_any_language_and_stay_on_one_line(store: Store, journal: Journal):
    store.save_memory(example_memory(summary="Größe\nin 東京 \u2028 \ud83d"))
    text = journal.path(PREFERENCES).read_bytes().decode("utf-8")
    assert "Größe\\nin 東京" in text
    assert text.count("\n") == 1


def test_the_files_belong_to_their_owner_alone(store: Store, journal: Journal):
    store.save_memory(example_memory())
    assert journal.path(PREFERENCES).stat().st_mode & 0o777 == 0o600
    assert journal.path(PREFERENCES).parent.stat().st_mode & 0o777 == 0o700


def test_lines_that_are_there_already_are_not_appended_again(journal: Journal):
    append(journal, '{"id": 1}', '{"id": 2}')
    assert append(journal, '{"id": 1}', '{"id": 2}', '{"id": 3}') == (1, 2, 3)
    assert journal.path(PREFERENCES).read_text() == '{"id": 1}\n{"id": 2}\n{"id": 3}\n'


def test_lines_without_ids_that_say_the_same_are_each_appended(tmp_path: Path):
    journal = Journal(tmp_path / "results", synced=False)
    for _ in range(2):
        with journal.locked():
            journal.append([PendingLine(1, PREFERENCES, "{}"), PendingLine(2, PREFERENCES, "{}")])
            journal.settled()
    assert journal.path(PREFERENCES).read_text() == "{}\n" * 4


def test_lines_without_ids_are_not_appended_again_after_a_crash(tmp_path: Path):
    append(Journal(tmp_path / "results", synced=False), "{}", "{}")
    after_the_crash = Journal(tmp_path / "results", synced=False)
    append(after_the_crash, "{}", "{}", '{"later": true}')
    after_the_crash.settled()
    assert after_the_crash.path(PREFERENCES).read_text() == '{}\n{}\n{"later": true}\n'


@given(
    lines=st.lists(st.sampled_from(["{}", '{"a": 1}', '{"ö": "\\n"}']), min_size=1), data=st.data()
)
def test_a_crash_at_any_byte_loses_and_repeats_nothing(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], data: st.DataObject
):
    journal = Journal(tmp_path_factory.mktemp("journal"))
    append(journal, '{"earlier": true}')
    path = journal.path(PREFERENCES)
    before = path.read_bytes()
    whole = "".join(f"{line}\n" for line in lines).encode()
    written = data.draw(st.integers(0, len(whole)))
    path.write_bytes(before + whole[:written])
    append(journal, *lines)
    assert path.read_bytes() == before + whole


def test_a_torn_last_line_is_cut_off_before_the_next(
    journal: Journal, caplog: pytest.LogCaptureFixture
):
    append(journal, '{"id": 1}')
    path = journal.path(PREFERENCES)
    path.write_bytes(path.read_bytes() + b'{"id": 2, "summ\xc3')
    append(journal, '{"id": 3}')
    assert path.read_text() == '{"id": 1}\n{"id": 3}\n'
    assert "journal_torn" in caplog.text


def test_a_last_line_that_only_lacks_its_end_is_kept(journal: Journal):
    journal.path(PREFERENCES).parent.mkdir(parents=True)
    journal.path(PREFERENCES).write_text('{"id": "written by hand"}')
    append(journal, '{"id": 1}')
    assert journal.path(PREFERENCES).read_text() == '{"id": "written by hand"}\n{"id": 1}\n'


def test_a_very_long_torn_line_is_cut_off_where_it_begins(journal: Journal):
    append(journal, '{"id": 1}')
    path = journal.path(PREFERENCES)
    path.write_bytes(path.read_bytes() + b'{"x": "' + b"y" * 200_000)
    append(journal, '{"id": 2}')
    assert path.read_text() == '{"id": 1}\n{"id": 2}\n'


HOSTILE = st.one_of(
    st.sampled_from(
        ["../../evil", "..", ".", "", "/etc", "a/b", "a\\b", "_clones", ".journal", "a\x00b", "a\n"]
    ),
    st.text(max_size=20),
    st.text(alphabet="./\\_-a", max_size=200),
)


@settings(max_examples=300)
@given(clone=HOSTILE, user=HOSTILE, kind=st.sampled_from(MemoryType))
def test_no_id_leads_out_of_its_folder(tmp_path: Path, clone: str, user: str, kind: MemoryType):
    journal = Journal(tmp_path / "home" / "memory")
    try:
        path = journal.path(JournalPlace(clone, user, kind))
    except InvalidId:
        with pytest.raises(InvalidId):
            append(journal, "{}", place=JournalPlace(clone, user, kind))
        return
    parts = (user,) if clone == "default" else ("_clones", clone, user)
    assert path.relative_to(journal.folder).parts == (*parts, JOURNAL_FILES[kind])
    assert Path(os.path.normpath(path)) == path


@given(
    clones=st.tuples(
        st.sampled_from(["default", "a", "b"]), st.sampled_from(["default", "a", "b"])
    ),
    users=st.tuples(st.sampled_from(["default", "a", "b"]), st.sampled_from(["default", "a", "b"])),
)
def test_different_users_and_clones_never_share_a_file(
    clones: tuple[str, str], users: tuple[str, str]
):
    journal = Journal(Path("memory"))
    one, other = (
        journal.path(JournalPlace(clone, user, MemoryType.ISSUE))
        for clone, user in zip(clones, users, strict=True)
    )
    assert (one == other) == (clones[0] == clones[1] and users[0] == users[1])


@pytest.mark.parametrize("part", ["ana", "ana/preferences.jsonl", "_clones", "_clones/shop"])
def test_a_link_in_the_way_is_not_followed(
    store: Store, journal: Journal, tmp_path: Path, part: str
):
    clone = "shop" if part.startswith("_clones") else "default"
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "preferences.jsonl").write_text("")
    link = journal.folder / part
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside / "preferences.jsonl" if part.endswith("jsonl") else outside)
    store.save_memory(example_memory(clone_id=clone))
    assert store.memory(clone, "memory-1") == example_memory(clone_id=clone)
    assert store.pending_journal_lines() == 1
    assert [one.name for one in outside.iterdir()] == ["preferences.jsonl"]
    assert (outside / "preferences.jsonl").read_text() == ""


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_something_else_in_the_place_of_a_file_holds_up_only_its_own_lines(
    store: Store, journal: Journal, make: object
):
    assert callable(make)
    journal.path(PREFERENCES).parent.mkdir()
    make(journal.path(PREFERENCES))
    store.save_memory(example_memory("m1"))
    store.save_memory(example_memory("m2", MemoryType.SEMANTIC))
    assert store.pending_journal_lines() == 1
    assert (
        journal.path(JournalPlace("default", "ana", MemoryType.SEMANTIC)).read_text().count("\n")
        == 1
    )


def test_lines_that_waited_keep_their_order(store: Store, journal: Journal):
    path = journal.path(PREFERENCES)
    path.parent.mkdir()
    path.mkdir()
    for n in range(3):
        store.save_memory(example_memory(summary=f"version {n}"))
    path.rmdir()
    store.save_memory(example_memory(summary="version 3"))
    found = [json.loads(line)["summary"] for line in path.read_text().splitlines()]
    assert found == [f"version {n}" for n in range(4)]


def test_a_journal_that_cannot_be_written_at_all_is_an_error_at_once(url: str, tmp_path: Path):
    (tmp_path / "memory").write_text("a file")
    with pytest.raises(JournalError, match="memory"):
        Store.open(url, clock=FixedClock(), journal=Journal(tmp_path / "memory"))


def test_a_journal_keeps_its_name(tmp_path: Path):
    first = Journal(tmp_path, new_id=CountingIds("j")).id()
    assert first == "j-1"
    assert Journal(tmp_path, new_id=CountingIds("other")).id() == first


def test_two_homes_on_one_store_each_get_their_own_lines(url: str, tmp_path: Path):
    for user in ("ana", "ben"):
        journal = Journal(tmp_path / user)
        with Store.open(url, clock=FixedClock(), journal=journal) as store:
            store.save_memory(example_memory(f"of-{user}", user_id=user))
    assert [one.name for one in (tmp_path / "ana").iterdir() if one.is_dir()] == ["ana"]
    assert [one.name for one in (tmp_path / "ben").iterdir() if one.is_dir()] == ["ben"]


def test_a_store_without_a_journal_leaves_no_lines_behind(url: str):
    with Store.open(url, clock=FixedClock()) as store:
        store.save_memory(example_memory())
        assert store.pending_journal_lines() == 0


def test_feedback_on_an_episode_whose_memory_was_forgotten_writes_no_line(
    store: Store, journal: Journal
):
    store.record_episode(example_episode())
    store.forget_memory("default", "episode-1")
    store.add_feedback(example_feedback("f-1", +1))
    path = journal.path(JournalPlace("default", "ana", MemoryType.EPISODIC))
    assert "forgotten_at" in path.read_text().splitlines()[-1]
    assert store.episode("default", "episode-1").success is True


def test_lines_are_synced_to_the_disk_before_they_count_as_written(journal: Journal):
    calls: list[str] = []

    def note(frame: FrameType, event: str, called: object) -> None:
        if event == "c_call":
            calls.append(getattr(called, "__name__", ""))

    with journal.locked():
        sys.setprofile(note)
        try:
            done = journal.append([PendingLine(1, PREFERENCES, '{"n": 1}')])
        finally:
            sys.setprofile(None)
    assert done == (1,)
    assert calls.index("write") < calls.index("fdatasync")
