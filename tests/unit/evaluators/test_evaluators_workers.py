"""Threads of evaluators."""

from threading import Event, get_ident

import pytest

from oldhand.evaluators import JudgedRun, VerbalEvaluator, recall_notes
from oldhand.evaluators.judging import Workers
from oldhand.evaluators.results import Results
from oldhand.settings import EvaluationSettings


def test_a_thread_that_has_ended_its_work_is_used_again():
    workers, threads = Workers(), list[int]()
    for _ in range(5):
        workers.start(lambda: threads.append(get_ident()), name="rules").wait()
    assert len(threads) == 5
    assert set(threads) == {threads[0]}
    assert threads[0] != get_ident()


def test_work_that_hangs_holds_up_no_other_work():
    workers, let_go = Workers(), Event()

    def hang() -> None:
        let_go.wait()

    hanging = workers.start(hang, name="hangs")
    assert workers.start(lambda: None, name="rules").wait(600)
    assert not hanging.is_set()
    let_go.set()
    assert hanging.wait(600)


class Interrupted(VerbalEvaluator):
    """Somebody presses Ctrl-C while its notes are looked up."""

    @property
    def results(self) -> Results:
        raise KeyboardInterrupt

    def evaluate(self, step: object, **kwargs: object) -> object:
        raise NotImplementedError


def test_an_interrupt_while_notes_are_recalled_reaches_the_caller():
    with pytest.raises(KeyboardInterrupt):
        recall_notes([Interrupted()], JudgedRun("gpt-4", "sql"), EvaluationSettings())
