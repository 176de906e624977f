import json
import logging
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa
import pytest

from oldhand.errors import InvalidEvaluation, UsageError
from oldhand.evaluators import ResultContext, Results, VerbalEvaluator
from oldhand.models import get_clean_model_name
from oldhand.settings import Settings
from oldhand.store import Store, home_store
from oldhand.testing import CountingIds, FixedClock

VALIDATED = {
    "issues": ["Mixing geographic coordinates with planar distance", "Degrees as metres"],
    "is_valid": False,
    "score": 0.7,
    "sql_query": "SELECT * FROM enviro_audit_point",
}
PROFILED = {"error_type": "CRS mismatch errors", "issues": ["ST_Transform is required"]}


class Saying(VerbalEvaluator):
    """Saves what it is given."""

    def evaluate(self, step: object, **kwargs: object) -> object:
        self._save_eval(step, kwargs["query_idx"], kwargs["policy_model_name"], kwargs["task_type"])  # pyright: ignore[reportArgumentType]
        return step


class SQLValidator(Saying):
    notes_header = "Previous SQL Errors to Avoid:"


class SQLErrorProfiler(Saying):
    granularity = "trajectory"
    notes_header = "Previous SQL Error Patterns:"


class Bare(VerbalEvaluator):
    """Does not call our __init__."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def evaluate(self, step: object, **kwargs: object) -> object:
        self.seen.append(step)
        return self._save_eval({"issues": ["Seen"]}, 1, "gpt-4", "qa")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with home_store(home, Settings(), clock=FixedClock()) as opened:
        yield opened


@pytest.fixture
def results(store: Store) -> Results:
    return Results(store, clock=FixedClock(), new_id=CountingIds("v"))


def say(evaluator: VerbalEvaluator, result: object, query_idx: int | None = 11, **of: str) -> None:
    named = {"policy_model_name": "gpt-4", "task_type": "spatial_qa", **of}
    evaluator.evaluate(result, query_idx=query_idx, **named)


def results_file(home: Path, model: str = "gpt-4", task: str = "spatial_qa") -> Path:
    name = f"resultdicttojsonl_{get_clean_model_name(model)}_{task}.jsonl"
    return home / "verbal_evaluator" / name


def test_records_are_those_of_the_description(home: Path, results: Results):
    say(SQLValidator(results=results), VALIDATED)
    say(SQLErrorProfiler(results=results), PROFILED)
    expected = [
        {"evaluator_type": "sqlvalidator", "query_idx": 11, "timestamp": "2026-01-01 00:00:00", **VALIDATED},
        {"evaluator_type": "sqlerrorprofiler", "query_idx": 11, "timestamp": "2026-01-01 00:00:00", **PROFILED},
    ]  # fmt: skip
    lines = results_file(home).read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == expected
    assert [list(json.loads(line)) for line in lines] == [list(one) for one in expected]
    assert SQLValidator(results=results).load_results("gpt-4", "spatial_qa") == expected
    only = SQLValidator(results=results).load_results("gpt-4", "spatial_qa", "sqlerrorprofiler")
    assert only == expected[1:]


def test_fields_of_your_own_follow_after_the_known_ones(home: Path, results: Results):
    say(
        Saying(results=results),
        {"hint": {"a": [1, None]}, "issues": ["x"], "evaluator_type": "fake"},
    )
    [record] = Saying(results=results).load_results("gpt-4", "spatial_qa")
    assert list(record) == ["evaluator_type", "query_idx", "timestamp", "issues", "hint"]
    assert (record["evaluator_type"], record["hint"]) == ("saying", {"a": [1, None]})


def test_records_make_a_table(results: Results):
    for number in range(12):
        say(SQLValidator(results=results), VALIDATED, number)
        say(SQLErrorProfiler(results=results), PROFILED, number)
    table = pa.Table.from_pylist(SQLValidator(results=results).load_results("gpt-4", "spatial_qa"))
    sizes = table.group_by("evaluator_type").aggregate([("query_idx", "count")]).to_pylist()
    assert {one["evaluator_type"]: one["query_idx_count"] for one in sizes} == {
        "sqlvalidator": 12,
        "sqlerrorprofiler": 12,
    }
    assert table.select(["evaluator_type", "issues", "timestamp"]).slice(14).num_rows == 10


@pytest.mark.parametrize("chosen", ["argument", "variable"])
def test_an_evaluator_alone_saves_into_the_home(
    chosen: str, home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OLDHAND_HOME", str(home.parent / "other" if chosen == "argument" else home))
    evaluator = SQLValidator(base_model=None, home=home if chosen == "argument" else None)
    say(evaluator, VALIDATED)
    assert len(evaluator.load_results("gpt-4", "spatial_qa")) == 1
    assert results_file(home).exists()
    evaluator.close()


def test_a_subclass_need_not_call_our_init(results: Results):
    evaluator = Bare()
    evaluator.bind(results)
    evaluator.evaluate("step")
    assert evaluator.load_eval_as_prompt("gpt-4", "qa") == "Previous Issues from Bare:\n1. Seen"


def test_a_model_that_is_only_named_is_refused():
    with pytest.raises(UsageError, match=r"write get_lm\('gpt-4'\)"):
        Saying(base_model="gpt-4")  # pyright: ignore[reportArgumentType]


def test_binding_does_not_replace_a_place_that_was_given(results: Results, store: Store):
    own = Results(store, clone_id="own", clock=FixedClock())
    evaluator = Saying(results=own)
    evaluator.bind(results)
    assert evaluator.results is own


@pytest.mark.parametrize("missing", [{"policy_model_name": None}, {"task_type": ""}])
def test_without_a_model_or_task_nothing_is_saved_and_it_is_said(
    missing: dict[str, None], results: Results, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.WARNING):
        say(Saying(results=results), VALIDATED, **missing)
    assert "evaluation_unsaved" in caplog.text


@pytest.mark.parametrize(
    "nonsense",
    [
        "text",
        None,
        {"issues": 7},
        {"issues": [7]},
        {"issues": ["x"], "score": 7},
        {"issues": ["x"], "score": float("nan")},
        {"issues": ["x"], "score": "bad"},
        {"issues": ["x"], "is_valid": "no"},
        {"issues": ["x"], "sql_query": 5},
        {"issues": ["x"], "more": object()},
        {"issues": ["x"], "more": "y" * 100_000},
        {"issues": ["x"], "more": float("inf")},
    ],
    ids=range(12),
)
def test_nonsense_is_refused_by_name(nonsense: object, results: Results):
    with pytest.raises(InvalidEvaluation):
        say(Saying(results=results), nonsense)
    assert Saying(results=results).load_results("gpt-4", "spatial_qa") == []


def test_huge_results_are_cut(results: Results):
    evaluator = Saying(results=results)
    say(
        evaluator,
        {"issues": [f"{n} {'x' * 100_000}" for n in range(500)], "sql_query": "s" * 10**6},
    )
    [record] = evaluator.load_results("gpt-4", "spatial_qa")
    assert len(json.dumps(record)) < 200_000
    assert len(evaluator.load_eval_as_prompt("gpt-4", "spatial_qa", max_items=500)) < 10_000


HOSTILE = [
    "../../evil", "/etc/passwd", "a/b", "..", ".", "con", "a_b", "A_B", "a b", "x" * 5_000, "ü", "\x00", "a\nb", "\ud800",
    "a__b", "spatial_qa.jsonl", " spatial_qa", "",
]  # fmt: skip


def test_no_task_or_model_leaves_the_folder_or_shares_a_file(home: Path, results: Results):
    evaluator = Saying(results=results)
    names = [name for name in HOSTILE if name]
    for name in names:
        say(evaluator, {"issues": ["x"]}, task_type=name)
        say(evaluator, {"issues": ["x"]}, policy_model_name=name)
    files = list((home / "verbal_evaluator").glob("*.jsonl"))
    assert len(files) == 2 * len(names)
    assert all(len(one.read_text("utf-8").splitlines()) == 1 for one in files)
    assert sorted(one.name for one in home.iterdir()) == ["memory", "store.db", "store.db-shm", "store.db-wal", "verbal_evaluator"]  # fmt: skip
    assert all(len(evaluator.load_results("gpt-4", name)) == 1 for name in names)


def test_every_record_is_one_line(home: Path, results: Results):
    say(Saying(results=results), {"issues": ["a\nb\r\u2028c\x85\ud800"]})
    data = results_file(home).read_bytes()
    assert data.count(b"\n") == 1
    assert json.loads(data)["issues"] == ["a\nb\r\u2028c\x85\ud800"]


def test_results_that_say_the_same_in_one_second_are_each_a_line(home: Path, results: Results):
    evaluator = SQLValidator(results=results)
    for _ in range(3):
        say(evaluator, VALIDATED)
    lines = results_file(home).read_text("utf-8").splitlines()
    assert len(lines) == 3
    assert [json.loads(line) for line in lines] == evaluator.load_results("gpt-4", "spatial_qa")


@pytest.mark.parametrize("torn", [b'{"evaluator_type": "sqlva', b"\xff\xfe\x00", b'{"a": 1}'])
def test_half_a_line_does_not_spoil_the_next_one(torn: bytes, home: Path, results: Results):
    evaluator = Saying(results=results)
    say(evaluator, {"issues": ["first"]})
    with results_file(home).open("ab") as file:
        file.write(torn)
    say(evaluator, {"issues": ["second"]})
    last = results_file(home).read_bytes().splitlines()[-1]
    assert json.loads(last)["issues"] == ["second"]
    assert len(evaluator.load_results("gpt-4", "spatial_qa")) == 2


def test_what_cannot_be_written_waits_and_is_not_lost(
    home: Path, results: Results, store: Store, caplog: pytest.LogCaptureFixture
):
    results_file(home).mkdir(parents=True)
    evaluator = Saying(results=results)
    say(evaluator, {"issues": ["first"]})
    assert "journal_pending" in caplog.text
    assert store.pending_journal_lines() == 1
    results_file(home).rmdir()
    say(evaluator, {"issues": ["second"]})
    texts = [json.loads(line)["issues"][0] for line in results_file(home).open(encoding="utf-8")]
    assert texts == ["first", "second"]


def write_many(home: str, name: str) -> int:
    evaluator = SQLValidator(home=home)
    for number in range(40):
        say(evaluator, {"issues": [f"{name} found no. {number}", "Both found this"]}, number)
    evaluator.close()
    return 40


def test_two_agents_that_write_at_once_lose_nothing(home: Path):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert sum(pool.map(write_many, [str(home)] * 2, ["ana", "ben"])) == 80
    lines = results_file(home).read_text("utf-8").splitlines()
    assert len({json.dumps(json.loads(line)["issues"]) for line in lines}) == len(lines) == 80
    evaluator = SQLValidator(home=home)
    assert len(evaluator.load_results("gpt-4", "spatial_qa")) == 80
    notes = evaluator.load_eval_as_prompt("gpt-4", "spatial_qa", max_items=100)
    assert "Both found this (80 times)" in notes
    evaluator.close()


def test_large_files_are_put_aside_and_the_store_keeps_everything(home: Path):
    limits = Settings().evaluations.model_copy(update={"file_megabytes": 0.001, "files_kept": 2})
    settings = Settings(evaluations=limits)
    with home_store(home, settings, clock=FixedClock()) as store:
        evaluator = Saying(results=Results(store, limits, clock=FixedClock()))
        for number in range(40):
            say(evaluator, {"issues": [f"issue {number}"]}, number)
        assert len(evaluator.load_results("gpt-4", "spatial_qa")) == 40
    path = results_file(home)
    files = [path, path.with_name(f"{path.name}.1"), path.with_name(f"{path.name}.2")]
    assert sorted(path.parent.glob("*.jsonl*")) == sorted(files)
    assert all(file.stat().st_size <= 1_000 for file in files)
    numbers = [json.loads(line)["query_idx"] for file in reversed(files) for line in file.open()]
    assert numbers == list(range(40))[-len(numbers) :]


def test_advice_and_keys_stay_in_the_store(results: Results, store: Store):
    class Advising(VerbalEvaluator):
        def evaluate(self, step: object, **kwargs: object) -> object:
            about = ResultContext(keys=["degrees:wells"], advice=["Say LIMIT"], step_number=4)
            return self._save_eval({"issues": ["a"]}, 1, "gpt-4", "qa", about)

    evaluator = Advising(results=results)
    evaluator.evaluate("step")
    [record] = evaluator.load_results("gpt-4", "qa")
    assert list(record) == ["evaluator_type", "query_idx", "timestamp", "issues"]
    assert "LIMIT" not in evaluator.load_eval_as_prompt("gpt-4", "qa")
