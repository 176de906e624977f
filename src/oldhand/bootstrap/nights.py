"""What learns from answers after they were given, wired to what it needs; imported when that is done."""

import asyncio
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from oldhand.bootstrap.minds import turn_with
from oldhand.learning.distillation.distilling import Distiller
from oldhand.learning.evidence import Weighing
from oldhand.learning.hygiene import Hygiene
from oldhand.learning.lifecycle.upkeep import Upkeep
from oldhand.learning.prompts.evolving import Evolving
from oldhand.learning.regression import Gate
from oldhand.learning.regression.checking import SpecQueries
from oldhand.learning.regression.exam import Exam
from oldhand.learning.regression.spec_files import SpecFolders
from oldhand.learning.routing import situation_for
from oldhand.loop.erasing import UserErasing
from oldhand.loop.examining import Examining, RehearsedExaminee
from oldhand.loop.guarding import Guarding
from oldhand.loop.night import Night
from oldhand.loop.rebuilding import Rebuilding, parts_of
from oldhand.loop.rehearsing import Rehearsal
from oldhand.loop.reviewing import Reviewing
from oldhand.loop.why import Explaining
from oldhand.record.episode import Message
from oldhand.record.memory import Memory
from oldhand.record.rehearsal import RehearsalSetup
from oldhand.record.route import RouteResponse
from oldhand.record.stage import DISTILLED

if TYPE_CHECKING:
    from oldhand.bootstrap.home import Home


def night_of(home: "Home") -> Night:
    """What learns from answers after they were given."""
    gate = _gate_of(home)
    store, settings, clock = home.store, home.settings, home.clock
    exam = exam_of(home)
    evolving = Evolving(home.shelf, clock, gate, bool(home.lms), exam.result)
    return Night(
        home,
        reflect=partial(home.reflecting.run, over=True),
        distiller=Distiller(
            home.clone_id, store, gate.broken_by, exam.result, settings.night.batch
        ),
        trials=Weighing(home.clone_id, store, settings.trial, clock, gate.broken_by, exam.result),
        evolving=evolving,
        guarding=_guarding_of(home, evolving),
        examining=Examining(
            home.clone_id,
            store,
            exam,
            0 if exam.examinee.foresees else settings.trial.shadows_by_model,
        ),
        upkeep=Upkeep(home.clone_id, store, DISTILLED, settings.night.batch),
        settings=settings.night,
        documents=home.refresh_documents,
    )


def exam_of(home: "Home") -> Exam:
    """What examines lessons by confirmed questions."""
    limits = home.settings.trial
    most = limits.exam if home.turn.mind.foresees else limits.exam_by_model
    queries = SpecQueries(home.catalog, home.settings.query)
    examinee = RehearsedExaminee(home.rehearsal, home.lms)
    return Exam(home.clone_id, home.store, examinee, queries.rows, most, home.clock)


def reviewing_of(home: "Home") -> Reviewing:
    """How people look after the lessons of a home."""
    night = home.night
    return Reviewing(
        home,
        hygiene=Hygiene(night.clone_id, night.store, night.settings.stale_days),
        upkeep=night.upkeep,
        faults=night.distiller.faults,
        examined=night.examining.exam.examined,
        disagreeing=home.rules.disagreeing,
    )


def _guarding_of(home: "Home", evolving: Evolving) -> Guarding:
    """What looks after the specs of a home."""
    return Guarding(
        home,
        gate=evolving.gate,
        known=lambda spec: home.rehearsal.recalled(spec.input.messages),
        evolving=evolving,
        mind=", ".join((home.turn.mind.name, *home.models)),
        file=home.path / "index" / "specs_seen.json",
        most=home.settings.night.specs,
    )


def rehearsal_of(home: "Home") -> Rehearsal:
    """What answers without a trace, by the model that would most likely be chosen for each question."""
    each = {name: Rehearsal(turn_with(home.turn, one)) for name, one in home.models.items()}

    def fitting_one(question: str) -> Rehearsal:
        return each[home.chooser.best(situation_for(question))]

    return Rehearsal(home.turn, fitting_one if home.models else None)


def _gate_of(home: "Home") -> Gate:
    """What keeps lessons back that break a spec of the home; it blocks, so it is asked in a thread."""

    def answer(
        messages: Sequence[Message], *, shown: Sequence[Memory] = (), hidden: Collection[str] = ()
    ) -> RouteResponse:
        return asyncio.run(rehearsed(messages, RehearsalSetup(tuple(shown), frozenset(hidden))))

    async def rehearsed(messages: Sequence[Message], trial: RehearsalSetup) -> RouteResponse:
        try:
            return await home.rehearsal.answer(messages, trial=trial)
        finally:
            for lm in home.lms:
                await lm.aclose()  # of this loop's connections only

    queries = SpecQueries(home.catalog, home.settings.query)
    return Gate(
        lambda: [one for one in SpecFolders(home.path).specs() if not one.databases],
        answer,
        queries.rows,
        lambda memory, spec: home.rehearsal.may_use(memory, spec.input.messages),
    )


def explaining_of(home: "Home") -> Explaining:
    """What tells where answers come from."""
    return Explaining(home, home.trials)


def rebuilding_of(home: "Home") -> Rebuilding:
    """What makes anew what follows from the logs."""
    parts = parts_of(home.store, home.learner, home.night, lambda: home.crediting.rebuild())  # noqa: PLW0108
    return Rebuilding(home, parts)


def erasing_of(home: "Home") -> UserErasing:
    """What leaves nothing of a user."""
    return UserErasing(
        home,
        home.path,
        partial(home.reflecting.run, models=False, over=True),
        home.learner,
        home.night.distiller,
        lambda: home.crediting.rebuild(),  # noqa: PLW0108
    )
