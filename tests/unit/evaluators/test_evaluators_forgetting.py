"""What is forgotten, edited or pruned leaves the notes; what a note prevents does not."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from oldhand.evaluators import JudgedRun, Results, VerbalEvaluator, results_path
from oldhand.evaluators.judging import judge, recall_notes
from oldhand.evaluators.result_files import import_results
from oldhand.record.step import Step
from oldhand.settings import EvaluationSettings, Settings
from oldhand.store import Store, TallyFilter, home_store
from oldhand.testing import FixedClock

MODEL, TASK = "gpt-4", "qa"


class Says(VerbalEvaluator):
    """Finds whatever it is to find."""

    issues: tuple[str, ...] = ()

    def evaluate(self, step: object, **kwargs: object) -> None:
        """Save it, or nothing."""
        result = {"issues": list(self.issues), "score": 0.5}
        self._save_eval(result if self.issues else {"issues": []}, 1, MODEL, TASK)


class Kept:
    """A home whose evaluator finds what it is told to find."""

    def __init__(self, home: Path, settings: EvaluationSettings | None = None) -> None:
        self.clock = FixedClock()
        self.home = home
        self.store: Store = home_store(home, Settings(), clock=self.clock)
        self.settings = settings or EvaluationSettings()
        results = Results(self.store, self.settings, clock=self.clock)
        self.evaluator = Says(results=results)
        self.file = results_path(MODEL, TASK, home)
        self.number = 0

    def finds(self, *issues: str) -> None:
        """In a step outside of any run."""
        self.evaluator.issues = issues
        self.evaluator.evaluate(None)

    def run(self, *issues: str) -> str:
        """One run of an agent: its notes before, and what is found in it."""
        self.number += 1
        run = JudgedRun(MODEL, TASK, "How many?", episode_id=f"run-{self.number}")
        notes = recall_notes([self.evaluator], run, self.settings).text
        self.evaluator.issues = issues
        judge([self.evaluator], Step(number=1), run, self.settings)
        return notes

    @property
    def notes(self) -> str:
        return self.evaluator.load_eval_as_prompt(MODEL, TASK)

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def write(self, *records: object) -> None:
        self.file.write_text("".join(f"{json.dumps(one)}\n" for one in records))

    def reimport(self):
        return import_results(self.store.results, "default", self.file)


@pytest.fixture
def kept(tmp_path: Path):
    found = Kept(tmp_path)
    yield found
    found.store.close()


def issue_called(kept: Kept, text: str) -> str:
    (one,) = [
        one for one in kept.store.results.tallies("default", TallyFilter()) if one.text == text
    ]
    return one.id


def test_a_forgotten_issue_leaves_notes_records_and_files(kept: Kept):
    kept.finds("Slow", "Wrong units")
    kept.finds("Slow")
    kept.finds("No join")
    wanted = TallyFilter(id=issue_called(kept, "Slow"))
    assert kept.store.results.forget("default", wanted) == 1
    assert "Slow" not in kept.notes
    assert "Wrong units" in kept.notes
    assert [one["issues"] for one in kept.lines()] == [["Wrong units"], ["No join"]]
    assert kept.reimport() == (0, 2, (), 0)
    assert "Slow" not in kept.notes


def test_all_of_a_kind_are_forgotten_and_others_stay(kept: Kept):
    kept.finds("Slow")
    other = type("Other", (Says,), {})(results=kept.evaluator.results)
    other.issues = ("Late",)
    other.evaluate(None)
    assert kept.store.results.forget("default", TallyFilter(evaluator_type="says")) == 1
    assert kept.notes == ""
    assert "Late" in other.load_eval_as_prompt(MODEL, TASK)
    assert [one["evaluator_type"] for one in kept.lines()] == ["other"]


def test_an_issue_in_other_words_is_forgotten_with_it(kept: Kept):
    kept.finds("Using degrees as meters in ST_DWithin.")
    kept.finds("In ST_DWithin, using degrees as metres.")
    (one,) = kept.store.results.tallies("default", TallyFilter())
    kept.store.results.forget("default", TallyFilter(id=one.id))
    assert kept.lines() == []
    assert kept.reimport().new == 0


def test_what_comes_again_counts_anew(kept: Kept):
    for _ in range(3):
        kept.finds("Slow")
    kept.store.results.forget("default", TallyFilter())
    kept.finds("Slow")
    assert kept.notes.endswith("1. Slow")


def test_an_edited_record_says_what_the_edit_says(kept: Kept):
    kept.finds("Slow")
    kept.finds("No join")
    first, second = kept.lines()
    kept.write({**first, "issues": ["Use an index"], "score": 0.1}, second)
    assert kept.reimport() == (1, 1, (), 1)
    assert "Slow" not in kept.notes
    assert "Use an index" in kept.notes
    assert "No join" in kept.notes
    assert kept.reimport() == (0, 2, (), 0)


def test_an_emptied_file_empties_the_notes(kept: Kept):
    kept.finds("Slow")
    kept.write()
    assert kept.reimport() == (0, 0, (), 1)
    assert kept.notes == ""
    assert kept.evaluator.load_results(MODEL, TASK) == []


def test_a_record_that_was_taken_out_is_gone(kept: Kept):
    kept.finds("Slow")
    kept.finds("No join")
    kept.write(kept.lines()[1])
    assert kept.reimport().removed == 1
    assert kept.notes.endswith("1. No join")


def test_a_file_that_cannot_be_read_deletes_nothing(kept: Kept):
    kept.finds("Slow")
    kept.file.write_text("{broken\n")
    done = kept.reimport()
    assert (done.removed, len(done.bad)) == (0, 1)
    assert "Slow" in kept.notes


def test_a_file_from_elsewhere_only_adds(kept: Kept, tmp_path: Path):
    kept.finds("Slow")
    other = tmp_path / kept.file.name
    other.write_text("")
    assert import_results(kept.store.results, "default", other) == (0, 0, (), 0)
    assert "Slow" in kept.notes


def test_records_in_a_file_that_was_put_aside_stay(kept: Kept):
    kept.finds("Slow")
    kept.file.rename(kept.file.with_name(f"{kept.file.name}.1"))
    kept.finds("No join")
    kept.write()
    assert kept.reimport().removed == 1
    assert kept.notes.endswith("1. Slow")


def test_pruning_takes_notes_along(kept: Kept):
    kept.finds("Slow")
    kept.clock.advance(timedelta(days=100).total_seconds())
    kept.finds("No join")
    before = kept.clock.now() - timedelta(days=90)
    assert kept.store.results.prune("default", before) == 1
    assert kept.notes.endswith("1. No join")


def test_a_note_that_is_always_shown_never_fades(tmp_path: Path):
    kept = Kept(tmp_path, EvaluationSettings(chance=1.0, fading_runs=4))
    kept.run("Degrees as metres")
    assert all("Degrees as metres" in kept.run() for _ in range(12))
    kept.store.close()


def test_one_that_stayed_away_without_its_note_fades(tmp_path: Path):
    kept = Kept(tmp_path, EvaluationSettings(notes=0, fading_runs=4))
    kept.run("Degrees as metres")
    for _ in range(5):
        kept.run()
    kept.settings = kept.evaluator.results.settings = EvaluationSettings(chance=1.0, fading_runs=4)
    assert "Degrees as metres" not in kept.run()
    kept.store.close()


def test_one_that_came_back_without_its_note_starts_anew(tmp_path: Path):
    kept = Kept(tmp_path, EvaluationSettings(notes=0, fading_runs=4))
    kept.run("Degrees as metres")
    for _ in range(2):
        kept.run()
    kept.run("Degrees as metres")
    kept.settings = kept.evaluator.results.settings = EvaluationSettings(chance=1.0, fading_runs=4)
    assert all("Degrees as metres" in kept.run() for _ in range(8))
    kept.store.close()
