"""What learns from answers after they were given, wired to what it needs; imported when that is done."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from oldhand.bootstrap.ground import Ground
from oldhand.bootstrap.minds import ModelWithMind, turn_with
from oldhand.learning.distillation.bookmark import last_night
from oldhand.learning.distillation.distilling import Distiller
from oldhand.learning.evidence import Weighing
from oldhand.learning.hygiene import Hygiene
from oldhand.learning.lifecycle.upkeep import Upkeep
from oldhand.learning.prompts import PromptShelf
from oldhand.learning.prompts.evolving import Evolving
from oldhand.learning.regression import Gate
from oldhand.learning.regression.checking import SpecQueries
from oldhand.learning.regression.exam import Exam
from oldhand.learning.regression.spec_files import SpecFolders
from oldhand.learning.routing import Chooser, situation_for
from oldhand.loop.background import Background
from oldhand.loop.due_nights import DueNights
from oldhand.loop.examining import Examining, RehearsedExaminee
from oldhand.loop.guarding import Guarding
from oldhand.loop.night import Night
from oldhand.loop.reflecting import Reflecting
from oldhand.loop.rehearsing import Rehearsal
from oldhand.loop.reviewing import Reviewing
from oldhand.loop.turn import Turn
from oldhand.models import LanguageModel
from oldhand.record.activity import Activity
from oldhand.record.episode import Message
from oldhand.record.memory import Memory
from oldhand.record.rehearsal import RehearsalSetup
from oldhand.record.route import RouteResponse
from oldhand.record.stage import DISTILLED


def night_of(
    ground: Ground,
    reflecting: Reflecting,
    shelf: PromptShelf,
    gate: Gate,
    rehearsal: Rehearsal,
    documents: Callable[[Callable[[], bool]], int],
) -> Night:
    """What learns from answers after they were given."""
    store, settings, clock = ground.store, ground.settings, ground.clock
    exam = exam_of(ground, rehearsal)
    evolving = Evolving(shelf, clock, gate, bool(ground.lms), exam.result)
    return Night(
        clone_id=ground.clone_id,
        store=store,
        people=reflecting.people,
        reflect=partial(reflecting.run, over=True),
        distiller=Distiller(
            ground.clone_id, store, gate.broken_by, exam.result, settings.night.batch
        ),
        trials=Weighing(ground.clone_id, store, settings.trial, clock, gate.broken_by, exam.result),
        evolving=evolving,
        guarding=guarding_of(ground, rehearsal, evolving),
        examining=Examining(
            ground.clone_id,
            store,
            exam,
            0 if exam.examinee.foresees else settings.trial.shadows_by_model,
        ),
        upkeep=Upkeep(ground.clone_id, store, DISTILLED, settings.night.batch),
        settings=settings.night,
        clock=clock,
        documents=documents,
    )


def exam_of(ground: Ground, rehearsal: Rehearsal) -> Exam:
    """What examines lessons by confirmed questions."""
    limits = ground.settings.trial
    most = limits.exam if rehearsal.turn.mind.foresees else limits.exam_by_model
    queries = SpecQueries(ground.catalog, ground.settings.query)
    examinee = RehearsedExaminee(rehearsal, ground.lms)
    return Exam(ground.clone_id, ground.store, examinee, queries.rows, most, ground.clock)


def reviewing_of(night: Night) -> Reviewing:
    """How people look after the lessons of a home."""
    return Reviewing(
        clone_id=night.clone_id,
        store=night.store,
        people=night.people,
        hygiene=Hygiene(night.clone_id, night.store, night.settings.stale_days),
        upkeep=night.upkeep,
        faults=night.distiller.faults,
        examined=night.examining.exam.examined,
        clock=night.clock,
    )


def guarding_of(ground: Ground, rehearsal: Rehearsal, evolving: Evolving) -> Guarding:
    """What looks after the specs of a home."""
    return Guarding(
        clone_id=ground.clone_id,
        store=ground.store,
        gate=evolving.gate,
        known=lambda spec: rehearsal.recalled(spec.input.messages),
        evolving=evolving,
        mind=", ".join((rehearsal.turn.mind.name, *ground.models)),
        file=ground.path / "index" / "specs_seen.json",
        most=ground.settings.night.specs,
    )


def rehearsal_of(turn: Turn, models: Mapping[str, ModelWithMind], chooser: Chooser) -> Rehearsal:
    """What answers without a trace, by the model that would most likely be chosen for each question."""
    each = {name: Rehearsal(turn_with(turn, one)) for name, one in models.items()}

    def fitting_one(question: str) -> Rehearsal:
        return each[chooser.best(situation_for(question))]

    return Rehearsal(turn, fitting_one if models else None)


def gate_of(home: Path, rehearsal: Rehearsal, lms: Sequence[LanguageModel]) -> Gate:
    """What keeps lessons back that break a spec of the home; it blocks, so it is asked in a thread."""

    def answer(
        messages: Sequence[Message], *, shown: Sequence[Memory] = (), hidden: Collection[str] = ()
    ) -> RouteResponse:
        return asyncio.run(rehearsed(messages, RehearsalSetup(tuple(shown), frozenset(hidden))))

    async def rehearsed(messages: Sequence[Message], trial: RehearsalSetup) -> RouteResponse:
        try:
            return await rehearsal.answer(messages, trial=trial)
        finally:
            for lm in lms:
                await lm.aclose()  # of this loop's connections only

    queries = SpecQueries(rehearsal.turn.catalog, rehearsal.turn.settings.query)
    return Gate(
        lambda: [one for one in SpecFolders(home).specs() if not one.databases],
        answer,
        queries.rows,
        lambda memory, spec: rehearsal.may_use(memory, spec.input.messages),
    )


def activity_of(ground: Ground, background: Background, nights: DueNights) -> Activity:
    """How far the work of a home is that nobody waits for."""
    store, of = ground.store, ground.clone_id
    return Activity(
        is_under_way=background.is_under_way,
        reflections_waiting=store.reflections.waiting(of),
        documents=store.documents.counts(of),
        last_night=last_night(store, of),
        is_night_due=nights.is_due(),
        failures=dict(ground.mishaps.counts),
    )
