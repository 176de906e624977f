import json
import sqlite3
from pathlib import Path

import pytest

from oldhand.cli.exits import Exit
from oldhand.evaluators import JudgedRun, Results, VerbalEvaluator, recall_notes
from oldhand.evaluators.running import EvaluatorCall, judging


class SQLValidator(VerbalEvaluator):
    def evaluate(self, step: object, **kwargs: object) -> object:
        result = {"issues": [step], "is_valid": False, "score": 0.7, "sql_query": "SELECT 1"}
        return self._save_eval(result, 11, "gpt-4", "spatial_qa")


@pytest.fixture
def judged(home: Path) -> Path:
    """A home in which an issue recurred in spite of its note, and another came once."""
    evaluator = SQLValidator(results=Results.of_home(home))
    run = JudgedRun("gpt-4", "spatial_qa", query="How far?", query_idx=11, episode_id="run-1")
    for number, issue in enumerate(["Degrees as metres", "No join condition", "Degrees as metres"]):
        with judging(EvaluatorCall(run, step_number=number)):
            evaluator.evaluate(issue)
        recall_notes([evaluator], run, evaluator.results.settings)
    evaluator.results.close()
    return home


def results_file(home: Path) -> Path:
    return home / "verbal_evaluator" / "resultdicttojsonl_gpt-4_spatial_qa.jsonl"


def objects(done: object) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_evaluations_are_listed_newest_first(oldhand, judged):
    done = oldhand("evaluations", "--limit", "2", "--json")
    assert [one["issues"] for one in objects(done)] == [
        ["Degrees as metres"],
        ["No join condition"],
    ]
    shown = oldhand("evaluations").stdout
    assert "No join condition" in shown
    assert "sqlvalidator" in shown


def test_options_before_a_command_are_refused_instead_of_forgotten(oldhand, judged, tmp_path):
    other = ("evaluations", "--home", str(tmp_path / "other"))
    refused = oldhand(*other, "prune", "--older-than", "0h", "--yes")
    assert refused.exit_code == Exit.USAGE
    assert "evaluations prune …" in refused.stderr
    assert len(objects(oldhand("evaluations", "--json"))) == 3


def test_an_empty_home_says_so(oldhand, home):
    assert oldhand("evaluations").stdout == "Nothing was evaluated yet.\n"
    assert oldhand("evaluations", "--by", "day", "--plot", "terminal").exit_code == 0
    assert oldhand("evaluations", "--recurring").stdout == "Nothing recurs in spite of its note.\n"


@pytest.mark.parametrize(
    ("by", "name"),
    [("evaluator", "sqlvalidator"), ("task", "gpt-4 · spatial_qa")],
)
def test_evaluations_are_counted(by, name, oldhand, judged):
    [one] = objects(oldhand("evaluations", "--by", by, "--json"))
    assert one == {by: name, "evaluations": 3, "invalid": 3, "score": pytest.approx(0.7)}


def test_issues_are_counted_and_those_that_recur_are_reported(oldhand, judged):
    counted = objects(oldhand("evaluations", "--by", "issue", "--json"))
    assert [(one["text"], one["count"]) for one in counted] == [
        ("Degrees as metres", 2),
        ("No join condition", 1),
    ]
    [recurring] = objects(oldhand("evaluations", "--recurring", "--json"))
    assert (recurring["text"], recurring["recurred"]) == ("Degrees as metres", 1)


def test_evidence_says_that_notes_are_not_examined_and_why(oldhand, judged):
    said = " ".join(oldhand("evidence").stdout.split())
    assert "models have read 2 notes. No exam tries them on confirmed questions" in said
    assert "would cost more than they tell: each is left out of some runs at random instead" in said
    assert "Of these, 1 came again in spite of it" in said


def test_filters_leave_others_out(oldhand, judged):
    for option in ("--model", "--task", "--evaluator"):
        assert objects(oldhand("evaluations", option, "other", "--json")) == []
        assert objects(oldhand("evaluations", "--by", "issue", option, "other", "--json")) == []
        assert oldhand("evaluations", option, "other").stdout == "Nothing of that kind was found.\n"


def test_options_that_ask_for_different_things_are_refused(oldhand, judged):
    done = oldhand("evaluations", "--recurring", "--by", "day")
    assert (done.exit_code, "counts by issue, not by day" in done.stderr) == (Exit.USAGE, True)
    done = oldhand("evaluations", "--plot", "terminal", "--json")
    assert (done.exit_code, "leave one of the two out" in done.stderr) == (Exit.USAGE, True)


def test_evaluators_that_leave_validity_open_are_drawn_and_counted_without_a_score(oldhand, home):
    class NoStar(VerbalEvaluator):
        def evaluate(self, step: object, **kwargs: object) -> object:
            return self._save_eval({"issues": ["Name the columns"]}, 1, "gpt-4", "spatial_qa")

    evaluator = NoStar(home=home)
    evaluator.evaluate("SELECT *")
    evaluator.close()
    assert "█" in oldhand("evaluations", "--plot", "terminal").stdout
    counted = oldhand("evaluations", "--by", "evaluator").stdout
    assert "nostar" in counted
    assert "NULL" not in counted


def test_bars_are_drawn_on_the_terminal_and_into_an_image(oldhand, judged, tmp_path):
    assert "█" in oldhand("evaluations", "--by", "issue", "--plot", "terminal").stdout
    pytest.importorskip("matplotlib")
    image = tmp_path / "issues.png"
    assert oldhand("evaluations", "--by", "issue", "--plot", str(image)).exit_code == 0
    assert image.read_bytes().startswith(b"\x89PNG")
    assert oldhand("evaluations", "--plot", str(tmp_path / "a.xyz")).exit_code == Exit.USAGE


def test_pruning_asks_and_takes_notes_along(oldhand, judged):
    refused = oldhand("evaluations", "prune", "--older-than", "0h", input="n\n")
    assert refused.exit_code != 0
    assert oldhand("evaluations", "prune", "--older-than", "soon", "-y").exit_code == Exit.USAGE
    done = oldhand("evaluations", "prune", "--older-than", "0h", "--yes")
    assert done.stdout == "3 evaluations deleted\n"
    assert objects(oldhand("evaluations", "--by", "issue", "--json")) == []


def test_an_issue_is_forgotten_by_its_id_or_with_all_of_its_kind(oldhand, judged):
    issues = objects(oldhand("evaluations", "--by", "issue", "--json"))
    assert {one["text"] for one in issues} == {"Degrees as metres", "No join condition"}
    first = str(issues[0]["id"])
    assert oldhand("evaluations", "forget").exit_code == Exit.USAGE
    assert oldhand("evaluations", "forget", "issue-nobody", "-y").exit_code == Exit.USAGE
    assert oldhand("evaluations", "forget", first, input="n\n").exit_code != 0
    done = oldhand("evaluations", "forget", first[:-2], "--yes")
    assert done.stdout == "1 issue forgotten\n"
    (left,) = objects(oldhand("evaluations", "--by", "issue", "--json"))
    assert left["text"] == issues[1]["text"]
    done = oldhand("evaluations", "forget", "--model", "openai:gpt-4", "--json", "-y")
    assert objects(done) == [{"forgotten": 1}]
    assert objects(oldhand("evaluations", "--json")) == []


def test_emptying_the_file_of_results_and_importing_it_empties_the_notes(oldhand, judged):
    (file,) = (judged / "verbal_evaluator").glob("*.jsonl")
    file.write_text("")
    done = oldhand("evaluations", "import", str(file))
    assert done.stdout == "0 new, 0 unchanged, 0 not read, 3 evaluations deleted\n"
    assert objects(oldhand("evaluations", "--by", "issue", "--json")) == []


def test_an_export_restores_everything_elsewhere(oldhand, judged, tmp_path):
    file = tmp_path / "all.jsonl"
    before = objects(oldhand("evaluations", "--json"))
    assert "3 evaluations" in oldhand("evaluations", "export", str(file)).stdout
    other = ("--home", str(tmp_path / "other"))
    assert oldhand("init", *other).exit_code == 0
    assert oldhand("evaluations", "import", str(file), *other).stdout.startswith("3 new, 0 un")
    assert objects(oldhand("evaluations", "--json", *other)) == before
    assert oldhand("evaluations", "import", str(file), *other).stdout.startswith("0 new, 3 un")


def test_edits_of_the_results_file_come_back_by_import_only(oldhand, judged):
    record = {"evaluator_type": "mine", "query_idx": 1, "timestamp": "2025-12-05 17:30:27", "issues": ["By hand"]}  # fmt: skip
    with results_file(judged).open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    assert len(objects(oldhand("evaluations", "--json"))) == 3
    for expected in ("1 new, 3 unchanged, 0 not read", "0 new, 4 unchanged, 0 not read"):
        done = oldhand("evaluations", "import", str(results_file(judged)))
        assert done.stdout.strip() == expected
    assert objects(oldhand("evaluations", "--json"))[0]["issues"] == ["By hand"]


def test_bad_lines_are_named_and_nothing_else_is_lost(oldhand, home, tmp_path):
    good = '{"evaluator_type": "x", "query_idx": 1, "timestamp": "2025-12-05 17:30:27", "issues": ["%s"]}'
    bad = [
        b'{"evaluator_type": "sqlva',
        "{\"evaluator_type\": \"gr\u00fc\u00df\"}".encode("latin-1"),
        b"[1]",
        b'{"evaluator_type": "x", "issues": 7, "timestamp": "2025-12-05 17:30:27"}',
        b'{"evaluator_type": "x", "issues": ["a"], "timestamp": "yesterday"}',
        b'{"issues": ["a"], "timestamp": "2025-12-05 17:30:27"}',
        b"[" * 100_000,
    ]  # fmt: skip
    file = tmp_path / "hand.jsonl"
    file.write_bytes(b"\n".join([(good % "first").encode(), *bad, (good % "last").encode()]))
    assert oldhand("evaluations", "import", str(file)).exit_code == Exit.USAGE
    done = oldhand(
        "evaluations", "import", str(file), "--model", "a/b:c.d", "--task", "qa", "--json"
    )
    assert done.exit_code == Exit.USAGE
    [report] = objects(done)
    assert (report["new"], report["unchanged"]) == (2, 0)
    named = [reason.removeprefix(f"{file}:").partition(":")[0] for reason in report["bad"]]
    assert named == [str(number) for number in range(2, 9)]
    kept = objects(oldhand("evaluations", "--json"))
    assert [one["issues"] for one in kept] == [["last"], ["first"]]


def test_a_missing_file_and_a_broken_store_are_named(oldhand, home, tmp_path):
    assert oldhand("evaluations", "import", str(tmp_path / "none")).exit_code == Exit.STORE
    sqlite3.connect(home / "store.db").close()
    for name in ("store.db", "store.db-wal", "store.db-shm"):
        (home / name).unlink(missing_ok=True)
    (home / "store.db").write_bytes(b"not a database" * 100)
    assert oldhand("evaluations").exit_code == Exit.STORE
