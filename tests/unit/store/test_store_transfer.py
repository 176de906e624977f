"""Export and import: nothing is lost, and a bad line changes nothing."""

import io
import json
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.errors import JournalError
from oldhand.record.evidence import Evidence, Strength
from oldhand.record.feedback import Source
from oldhand.record.memory import EpisodicPayload, Memory, MemoryType, PreferencePayload
from oldhand.store import ImportReport, Store, TornLine, export_memories, import_memories
from oldhand.store.journal.lines import export_line, memory_from
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import (
    PAYLOADS,
    example_episode,
    example_feedback,
    example_memory,
)

SEED_RECORDS = Path(__file__).parent / "seed_002_records.txt"


def exported(store: Store, **wanted: object) -> str:
    out = io.StringIO()
    export_memories(store, out, **wanted)
    return out.getvalue()


def written(tmp_path: Path, *records: object, name: str = "in.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    return path


def preference(memory_id: str = "p1", **changes: object) -> dict[str, object]:
    return {
        "type": "preference",
        "id": memory_id,
        "created_at": "2025-11-14T01:00:00Z",
        "payload": {"key": "currency", "value": "EUR"},
        **changes,
    }


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(alphabet=st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,20}[A-Za-z0-9]", fullmatch=True)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Any memory: any text, time and tag, and fields that nobody knows."""
    kind = draw(st.sampled_from(MemoryType))
    unknown = draw(
        st.dictionaries(st.text().map(lambda name: f"x_{name}"), json_values, max_size=3)
    )
    known = {
        name: draw(st.text()) if isinstance(value, str) else value
        for name, value in PAYLOADS[kind].items()
    }
    return example_memory(
        draw(st.text(min_size=1)),
        kind,
        user_id=draw(names),
        created_at=draw(st.datetimes(timezones=st.just(example_memory().created_at.tzinfo))),
        ttl_days=draw(st.none() | st.integers(0, 10_000)),
        confidence=draw(st.floats(0, 1)),
        tags=tuple(draw(st.lists(st.text(), max_size=3))),
        summary=draw(st.text()),
        payload={**known, **unknown},
    )


@given(memory=memories())
def test_a_line_gives_back_the_memory_it_was_written_from(memory: Memory):
    line = export_line(memory)
    assert "\n" not in line
    read = memory_from(json.loads(line.encode()), clone_id="default", user_id="default")
    assert read == memory
    assert export_line(read) == line


@settings(max_examples=25)
@given(found=st.lists(memories(), max_size=6, unique_by=lambda memory: memory.id))
def test_export_and_import_lose_nothing(migrated_file: Path, found: list[Memory]):
    with TemporaryDirectory() as folder:
        first, second = (
            Store.open(
                f"sqlite:///{copy(migrated_file, f'{folder}/{name}.db')}", clock=FixedClock()
            )
            for name in "ab"
        )
        for memory in found:
            first.save_memory(memory)
        path = Path(folder) / "out.jsonl"
        with path.open("w", encoding="utf-8", newline="") as file:
            assert export_memories(first, file) == len(found)
        assert import_memories(second, path, trust=True) == ImportReport(new=len(found))
        assert {one.id: one for one in second.memories("default", limit=None)} == {
            one.id: one for one in found
        }
        assert sorted(exported(second).splitlines()) == sorted(exported(first).splitlines())
        assert import_memories(second, path) == ImportReport(unchanged=len(found))
        first.close()
        second.close()


def test_an_export_can_be_of_one_user_or_one_type(store: Store):
    store.save_memory(example_memory("m1"))
    store.save_memory(example_memory("m2", MemoryType.SEMANTIC, user_id="ben"))
    assert [json.loads(one)["id"] for one in exported(store).splitlines()] == ["m1", "m2"]
    assert json.loads(exported(store, user_id="ben"))["id"] == "m2"
    assert json.loads(exported(store, type=MemoryType.PREFERENCE))["id"] == "m1"
    assert exported(store, clone_id="other") == ""


def test_the_records_of_the_seed_are_imported_as_they_are_printed(store: Store, tmp_path: Path):
    text = SEED_RECORDS.read_text("utf-8")
    path = tmp_path / "seed.txt"
    path.write_text(text, "utf-8")
    assert import_memories(store, path) == ImportReport(new=7)
    found = store.memories("default", limit=None)
    assert {one.type.value for one in found} == {
        *("episodic", "reflection", "semantic", "prompt", "checklist", "preference", "bug_fix")
    }
    printed = {one["id"]: one for one in parsed(text)}
    for line in exported(store).splitlines():
        record = json.loads(line)
        original = printed[record["id"]]
        assert {**record, **original} == record
        assert [name for name in record if name in original] == list(original)
        assert record["payload"] == original["payload"]
        assert list(record["payload"]) == list(original["payload"])


def parsed(text: str) -> list[dict[str, object]]:
    decoder, found = json.JSONDecoder(), []
    while text := text.strip():
        record, end = decoder.raw_decode(text)
        found.append(record)
        text = text[end:]
    return found


def test_an_import_counts_new_changed_unchanged_and_skipped(store: Store, tmp_path: Path):
    for memory_id in ("same", "other", "gone"):
        import_memories(store, written(tmp_path, preference(memory_id)))
    store.forget_memory("default", "gone")
    report = import_memories(
        store,
        written(
            tmp_path,
            preference("same"),
            preference("other", summary="changed"),
            preference("gone"),
            preference("fresh"),
        ),
    )
    assert report == ImportReport(
        new=1, changed=1, unchanged=1, skipped=1, reasons=("gone: it was forgotten here",)
    )
    assert store.memory("default", "other").summary == "changed"
    assert len(store.memories("default")) == 3


def test_the_latest_line_of_an_id_wins(store: Store, tmp_path: Path):
    lines = [preference(summary="first"), preference(summary="second")]
    assert import_memories(store, written(tmp_path, *lines)) == ImportReport(new=1)
    assert store.memory("default", "p1").summary == "second"


BAD_RECORDS = [
    ("not json", "not JSON"),
    ('{"type": "preference"', "not JSON"),
    ("[1, 2]", "not one JSON object"),
    ("null", "not one JSON object"),
    ("[" * 100_000, "not JSON"),
    ('{"n": ' + "1" * 5000 + "}", "not JSON"),
    (json.dumps(preference(payload={"key": "k"})), "payload.value"),
    (json.dumps(preference(payload={"key": "k", "value": "v", "type": "x"})), "payload.type"),
    (json.dumps(preference(payload=None)), "payload"),
    (json.dumps(preference(type="nonsense")), "type"),
    (json.dumps(preference(created_at="yesterday")), "created_at"),
    (json.dumps(preference(confidence=2)), "confidence"),
    (json.dumps(preference(ttl_days=10**30)), "ttl_days"),
    (json.dumps(preference(ttl_days=-1)), "ttl_days"),
    (json.dumps(preference(user_id="../../evil")), "not a valid id"),
    (json.dumps(preference(user_id=["ana"])), "user_id"),
    (json.dumps(preference(user_id=None)), "user_id"),
    (json.dumps(preference(clone_id="theirs")), "clone_id"),
    (json.dumps(preference(surprise=1)), "the key 'surprise' is not known"),
    (json.dumps(preference(confidance=1)), "did you mean confidence?"),
    (json.dumps(preference(created_at="0001-01-01T00:00:00+14:00")), "created_at"),
    (json.dumps(preference(last_used_at="9999-12-31T23:59:59-14:00")), "last_used_at"),
    (json.dumps(preference(summary="A" * 10_000_000)), "10,000,000 are the most"),
    (json.dumps({"type": "preference", "forgotten_at": "2025-11-14T01:00:00Z"}), "id"),
    (json.dumps(preference(None)), "id"),
    (json.dumps(preference("")), "not an empty one"),
    ("\ud800", "UTF-8"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD_RECORDS)
def test_a_bad_line_is_named_and_nothing_is_changed(
    store: Store, tmp_path: Path, bad: str, reason: str
):
    path = tmp_path / "in.jsonl"
    good = json.dumps(preference())
    path.write_bytes(f"{good}\n\n{bad}\n{good}\n".encode("utf-8", "surrogatepass"))
    with pytest.raises(JournalError) as raised:
        import_memories(store, path)
    assert f"{path}:3" in str(raised.value)
    assert reason in str(raised.value)
    assert "Nothing was imported" in str(raised.value)
    assert len(str(raised.value)) < 400
    assert store.memories("default") == ()


def test_an_id_of_another_user_is_named_and_nothing_is_changed(store: Store, tmp_path: Path):
    import_memories(store, written(tmp_path, preference("taken", user_id="ana")))
    path = written(tmp_path, preference("fresh"), preference("taken", user_id="ben"))
    with pytest.raises(JournalError, match=r"in\.jsonl:2: .*ana"):
        import_memories(store, path)
    assert [one.id for one in store.memories("default")] == ["taken"]


def test_a_file_that_is_not_there_is_named(store: Store, tmp_path: Path):
    with pytest.raises(JournalError, match="nowhere"):
        import_memories(store, tmp_path / "nowhere.jsonl")
    with pytest.raises(JournalError, match=r"no \*\.jsonl files"):
        import_memories(store, tmp_path / "memory")


def test_the_journal_can_be_imported_into_another_store(store: Store, tmp_path: Path):
    store.record_episode(example_episode())
    store.add_feedback(example_feedback("f-1", +1))
    store.save_memory(example_memory("m1"))
    store.save_memory(example_memory("m2", user_id="ben"))
    store.save_memory(example_memory("m3", summary="to be forgotten"))
    store.forget_memory("default", "m3")
    with Store.open(f"sqlite:///{tmp_path}/other.db", clock=FixedClock()) as other:
        report = import_memories(other, tmp_path / "memory", trust=True)
        assert report == ImportReport(new=3, unchanged=1)
        assert other.memory("default", "m2") == example_memory("m2", user_id="ben")
        payload = other.memory("default", "episode-1").payload
        assert isinstance(payload, EpisodicPayload)
        assert payload.feedback == "positive"


def test_importing_the_own_journal_changes_nothing(store: Store, tmp_path: Path):
    store.record_episode(example_episode(created_at="2026-01-01T12:00:00.123456Z"))
    store.save_memory(example_memory("m1", created_at="2026-01-01T12:00:00.123456Z"))
    assert import_memories(store, tmp_path / "memory") == ImportReport(unchanged=2)
    assert store.memory("default", "m1").created_at.microsecond == 123456


def test_a_memory_that_was_edited_in_its_file_is_changed_and_stays_its_users(
    store: Store, tmp_path: Path
):
    store.save_memory(example_memory())
    path = tmp_path / "memory/ana/preferences.jsonl"
    path.write_text(path.read_text().replace("EUR", "CHF"))
    edited = tmp_path / "edited.jsonl"
    edited.write_text(path.read_text())
    report = import_memories(store, path)
    assert (report.changed, report.skipped) == (0, 1)
    assert "--trust" in report.reasons[0]
    assert store.memory("default", "memory-1") == example_memory()
    assert import_memories(store, edited, trust=True) == ImportReport(changed=1)
    memory = store.memory("default", "memory-1")
    assert memory.user_id == "ana"
    assert memory.provenance.source is Source.OWNER
    assert isinstance(memory.payload, PreferencePayload)
    assert memory.payload.value == "CHF"


def test_feedback_cannot_be_forged_in_the_file_of_an_episode(store: Store, tmp_path: Path):
    store.record_episode(example_episode())
    store.add_feedback(example_feedback("f-1", -1))
    path = tmp_path / "memory/ana/episodic.jsonl"
    path.write_text(path.read_text().replace('"negative"', '"positive"'))
    report = import_memories(store, path)
    assert (report.changed, report.skipped) == (0, 1)
    assert store.episode("default", "episode-1").success is False


def test_a_torn_last_line_of_a_journal_is_skipped_with_a_warning(store: Store, tmp_path: Path):
    path = written(tmp_path, preference(), name="preferences.jsonl")
    path.write_bytes(path.read_bytes() + b'{"type": "preference", "id": "p2", "summ\xc3')
    with pytest.warns(TornLine, match=r"preferences\.jsonl:2"):
        assert import_memories(store, path) == ImportReport(new=1)


def test_a_user_can_be_given_for_records_that_name_none(store: Store, tmp_path: Path):
    path = written(tmp_path, preference("p1"), preference("p2", user_id="ben"))
    import_memories(store, path, user_id="ana")
    assert {one.id: one.user_id for one in store.memories("default")} == {"p1": "ana", "p2": "ben"}


def test_a_folder_of_another_name_than_a_user_is_refused(store: Store, tmp_path: Path):
    folder = tmp_path / "in" / "not a user"
    folder.mkdir(parents=True)
    written(folder, preference())
    with pytest.raises(JournalError, match="not a valid id"):
        import_memories(store, tmp_path / "in")


def test_a_record_cannot_claim_another_user_than_its_folder(store: Store, tmp_path: Path):
    (tmp_path / "in" / "ana").mkdir(parents=True)
    written(tmp_path / "in" / "ana", preference(user_id="ben"))
    with pytest.raises(JournalError, match="in the folder of ana"):
        import_memories(store, tmp_path / "in")


def test_one_id_cannot_belong_to_two_users(store: Store, tmp_path: Path):
    path = written(tmp_path, preference(user_id="ana"), preference(user_id="ben"))
    with pytest.raises(JournalError, match=r":2: p1 belongs to ana at .*:1"):
        import_memories(store, path)


def test_links_in_a_folder_are_not_followed(store: Store, tmp_path: Path):
    (tmp_path / "secret").mkdir()
    written(tmp_path / "secret", preference())
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ana").symlink_to(tmp_path / "secret")
    with pytest.raises(JournalError, match="a link"):
        import_memories(store, tmp_path / "in")


def test_files_of_other_systems_are_read(store: Store, tmp_path: Path):
    path = tmp_path / "in.jsonl"
    line = json.dumps(preference(summary="Größe \u2028 \u0085"), ensure_ascii=False)
    path.write_bytes(b"\xef\xbb\xbf" + f"{line}\r\n\r\n{line}".encode())
    assert import_memories(store, path) == ImportReport(new=1)
    assert store.memory("default", "p1").summary == "Größe \u2028 \u0085"


def claimed(memory_id: str = "p1", **changes: object) -> dict[str, object]:
    """A line that says the owner taught it."""
    return preference(memory_id, **{"provenance": {"source": "owner", "rater": "ana"}, **changes})


@pytest.mark.parametrize("source", ["owner", "expert"])
def test_a_file_cannot_claim_that_a_trusted_person_taught_it(
    store: Store, tmp_path: Path, source: str
):
    path = written(tmp_path, claimed(provenance={"source": source, "rater": "ana"}))
    assert import_memories(store, path) == ImportReport(new=1, untrusted=1)
    assert store.memory("default", "p1").provenance.source is Source.EXTERNAL
    assert import_memories(store, path) == ImportReport(unchanged=1, untrusted=1)
    assert import_memories(store, path, trust=True) == ImportReport(changed=1)
    assert store.memory("default", "p1").provenance.source == source


def test_a_file_cannot_forge_the_evidence_of_a_word(store: Store, tmp_path: Path):
    forged = Evidence(strength=Strength.STATED, rater="ana", source=Source.OWNER, question="q")
    payload = {"key": "k", "value": "v", "evidence": [forged.model_dump(mode="json")]}
    report = import_memories(store, written(tmp_path, preference(payload=payload)))
    assert report == ImportReport(new=1, untrusted=1)
    kept = store.memory("default", "p1").payload
    assert isinstance(kept, PreferencePayload)
    assert [one.source for one in kept.evidence] == [Source.EXTERNAL]


@pytest.mark.parametrize("tags", [(), ("reviewed",)])
@pytest.mark.parametrize(
    "line",
    [
        preference("m1", summary="theirs"),
        preference("m1", user_id="ana", tags=["retired"]),
        {"type": "preference", "id": "m1", "forgotten_at": "2026-01-02T00:00:00Z"},
    ],
)
def test_a_file_neither_changes_nor_forgets_what_people_stand_behind(
    store: Store, tmp_path: Path, tags: tuple[str, ...], line: dict[str, object]
):
    source = "external" if tags else "owner"
    before = example_memory("m1", tags=tags, provenance={"source": source})
    store.save_memory(before)
    report = import_memories(store, written(tmp_path, line))
    assert (report.new, report.changed, report.skipped) == (0, 0, 1)
    assert "--trust" in report.reasons[0]
    assert store.memory("default", "m1") == before


def test_an_export_restored_into_its_own_store_keeps_its_sources(store: Store, tmp_path: Path):
    store.save_memory(example_memory("m1"))
    path = tmp_path / "out.jsonl"
    path.write_text(exported(store), "utf-8")
    store.save_memory(example_memory("m1", summary="changed since"))
    assert import_memories(store, path) == ImportReport(changed=1)
    assert store.memory("default", "m1") == example_memory("m1")


@pytest.mark.parametrize("tag", ["order", "retraction"])
def test_a_file_cannot_take_back_what_people_taught(store: Store, tmp_path: Path, tag: str):
    order = {"key": "roll back", "value": "2000-01-01T00:00:00+00:00"}
    path = written(tmp_path, claimed("o1", tags=[tag], payload=order))
    report = import_memories(store, path)
    assert (report.new, report.skipped) == (0, 1)
    assert "o1: " in report.reasons[0]
    assert store.memories("default") == ()
    assert import_memories(store, path, trust=True) == ImportReport(new=1)
    assert import_memories(store, path) == ImportReport(unchanged=1)


def test_a_file_cannot_undo_a_retraction(store: Store, tmp_path: Path):
    store.save_memory(example_memory("o1", tags=("order",)))
    gone = {"type": "preference", "id": "o1", "created_at": "2026-01-01T00:00:00Z"}
    for line in (claimed("o1", user_id="ana"), {**gone, "forgotten_at": "2026-01-02T00:00:00Z"}):
        path = written(tmp_path, line)
        assert import_memories(store, path).skipped == 1
        assert store.memory("default", "o1").tags == ("order",)
    assert import_memories(store, path, trust=True).changed == 1
    assert store.memories("default") == ()
