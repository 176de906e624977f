"""The parts of an assistant, each wired to what it needs."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from oldhand.agent.analysis import PROMPTS_FOLDER
from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.bootstrap.minds import (
    ModelWithMind,
    fitting_for,
)
from oldhand.errors.mishaps import Mishaps
from oldhand.evaluators import Results, SQLErrorProfiler, SQLValidator
from oldhand.learning.aliases import Aliases
from oldhand.learning.cases import Cases
from oldhand.learning.corrections import Corrections
from oldhand.learning.distillation.distilling import Distiller
from oldhand.learning.endless_statements import EndlessStatements
from oldhand.learning.evidence import HoldOut, Weighing
from oldhand.learning.hygiene import Hygiene
from oldhand.learning.learner import Learner
from oldhand.learning.lifecycle.upkeep import Upkeep
from oldhand.learning.prompts import Evolving, PromptShelf
from oldhand.learning.reflection import LMReflector, Reflectors, RulesReflector
from oldhand.learning.regression import Gate
from oldhand.learning.regression.checking import SpecQueries
from oldhand.learning.regression.exam import Exam
from oldhand.learning.regression.spec_files import SpecFolders
from oldhand.learning.wording import Wording
from oldhand.loop.critique import FeedbackIntake
from oldhand.loop.examining import Examining, RehearsedExaminee
from oldhand.loop.fixing import PuttingRight
from oldhand.loop.foreseeing import Foreseeing
from oldhand.loop.guarding import Guarding
from oldhand.loop.judging import TurnJudges
from oldhand.loop.memories import MemoryCare
from oldhand.loop.night import Night
from oldhand.loop.people import CloneRoles
from oldhand.loop.prompting import Prompting
from oldhand.loop.recalling import Recalling
from oldhand.loop.reflecting import Reflecting
from oldhand.loop.rehearsing import Rehearsal, RehearsalSetup
from oldhand.loop.reviewing import Reviewing
from oldhand.loop.sayings import Sayings
from oldhand.loop.stating import HomeRules
from oldhand.loop.turn import Turn
from oldhand.loop.word_sense import WordSense
from oldhand.models import LanguageModel
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.episode import Message
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.ports import Clock, NewId
from oldhand.record.route import RouteResponse
from oldhand.record.stage import DISTILLED
from oldhand.settings import Settings
from oldhand.sources.databases import Catalog
from oldhand.store import Store


@dataclass(frozen=True)
class Ground:
    """What everything that works in a home stands on."""

    path: Path
    settings: Settings
    catalog: Catalog
    store: Store
    thinking: ModelWithMind
    """Who answers where no model is chosen for a question."""
    models: Mapping[str, ModelWithMind]
    """Those that are chosen from, by name."""
    indexes: Indexes
    clock: Clock
    new_id: NewId
    mishaps: Mishaps

    @property
    def lms(self) -> tuple[LanguageModel, ...]:
        """All language models that may be asked."""
        everyone = (self.thinking, *self.models.values())
        return tuple(one.lm for one in everyone if one.lm is not None)


def turn_of(ground: Ground, shelf: PromptShelf) -> Turn:
    """What answers questions."""
    settings, mishaps, thinking = ground.settings, ground.mishaps, ground.thinking
    hold_out = HoldOut(settings.trial, Random())  # noqa: S311 (no secret hangs on it)
    fits = fitting_for(thinking.lm, settings)
    recalling = Recalling(
        DEFAULT_CLONE, ground.store, settings.recall, ground.clock, mishaps, hold_out, fits
    )
    return Turn(
        DEFAULT_CLONE,
        thinking.mind,
        ground.catalog,
        ground.store,
        recalling,
        judging_of(ground),
        settings,
        ground.clock,
        ground.new_id,
        Prompting(shelf, mishaps, Random()),  # noqa: S311 (as above)
        thinking.roles,
    )


def putting_right_of(ground: Ground, turn: Turn) -> PuttingRight:
    """What puts answers right that people pick from."""
    return PuttingRight(
        DEFAULT_CLONE,
        ground.store,
        ground.catalog,
        ground.indexes,
        turn.recalling,
        ground.settings.query,
        ground.clock,
    )


def reflecting_of(ground: Ground, people: CloneRoles) -> Reflecting:
    """What looks back on answers: rules, and the language model where there is one."""
    lm, limits = ground.thinking.lm, ground.settings.reflection
    model = LMReflector(lm, limits, ground.path / PROMPTS_FOLDER) if lm and limits.models else None
    return Reflecting(
        DEFAULT_CLONE,
        ground.store,
        people,
        ground.catalog,
        Reflectors(RulesReflector(limits), model),
        limits,
        ground.clock,
        ground.mishaps,
    )


def night_of(
    ground: Ground, reflecting: Reflecting, shelf: PromptShelf, gate: Gate, rehearsal: Rehearsal
) -> Night:
    """What learns from answers after they were given."""
    store, settings, clock = ground.store, ground.settings, ground.clock
    evolving = Evolving(shelf, clock, gate, gate_reads=bool(ground.lms))
    exam = exam_of(ground, rehearsal)
    return Night(
        clone_id=DEFAULT_CLONE,
        store=store,
        people=reflecting.people,
        reflect=partial(reflecting.run, over=True),
        distiller=Distiller(
            DEFAULT_CLONE, store, gate.broken_by, exam.examined, settings.night.batch
        ),
        trials=Weighing(DEFAULT_CLONE, store, settings.trial, clock, breaks=gate.broken_by),
        evolving=evolving,
        guarding=guarding_of(ground, rehearsal, evolving),
        examining=Examining(
            DEFAULT_CLONE,
            store,
            exam,
            0 if exam.examinee.foresees else settings.trial.shadows_by_model,
        ),
        upkeep=Upkeep(DEFAULT_CLONE, store, DISTILLED, settings.night.batch),
        settings=settings.night,
        clock=clock,
    )


def exam_of(ground: Ground, rehearsal: Rehearsal) -> Exam:
    """What examines lessons by confirmed questions."""
    limits = ground.settings.trial
    most = limits.exam if rehearsal.turn.mind.foresees else limits.exam_by_model
    queries = SpecQueries(ground.catalog, ground.settings.query)
    examinee = RehearsedExaminee(rehearsal, ground.lms)
    return Exam(DEFAULT_CLONE, ground.store, examinee, queries.rows, most, ground.clock)


def reviewing_of(night: Night) -> Reviewing:
    """How people look after the lessons of a home."""
    return Reviewing(
        clone_id=night.clone_id,
        store=night.store,
        people=night.people,
        hygiene=Hygiene(night.clone_id, night.store, night.settings.stale_days),
        upkeep=night.upkeep,
        faults=night.distiller.faults,
        clock=night.clock,
    )


def guarding_of(ground: Ground, rehearsal: Rehearsal, evolving: Evolving) -> Guarding:
    """What looks after the specs of a home."""
    return Guarding(
        clone_id=DEFAULT_CLONE,
        store=ground.store,
        gate=evolving.gate,
        known=lambda spec: rehearsal.recalled(spec.input.messages),
        evolving=evolving,
        mind=", ".join((rehearsal.turn.mind.name, *ground.models)),
        file=ground.path / "index" / "specs_seen.json",
        most=ground.settings.night.specs,
    )


def memories_of(
    ground: Ground, people: CloneRoles, learner: Learner, sense: WordSense
) -> MemoryCare:
    """What people do with memories; aliases are read as they are in the store."""
    kept = partial(ground.store.memories, DEFAULT_CLONE, type=MemoryType.PREFERENCE, limit=None)
    return MemoryCare(
        DEFAULT_CLONE,
        ground.store,
        people,
        ground.catalog,
        learner,
        Aliases(DEFAULT_CLONE, kept, sense.propose, sense.helps, ground.clock),
        ground.clock,
        ground.new_id,
    )


def rules_of(ground: Ground, people: CloneRoles, rehearsal: Rehearsal) -> HomeRules:
    """The rules that people state."""
    return HomeRules(
        DEFAULT_CLONE,
        ground.store,
        people,
        ground.catalog,
        ground.indexes,
        rehearsal,
        ground.clock,
    )


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
        SpecFolders(home).specs,
        answer,
        queries.rows,
        lambda memory, spec: rehearsal.may_use(memory, spec.input.messages),
    )


def judging_of(ground: Ground) -> TurnJudges:
    """Who judges the turns of a home: rules; what they found is told to a mind that reads."""
    limits = ground.settings.evaluations
    results = Results(ground.store, limits, DEFAULT_CLONE, ground.clock)
    evaluators = (SQLValidator(), SQLErrorProfiler())
    for evaluator in evaluators:
        evaluator.bind(results)
        evaluator.know(ground.catalog.schemas)
    reads_notes = ground.thinking.lm is not None
    return TurnJudges(evaluators, limits, ground.mishaps, reads_notes)


def critique_of(
    ground: Ground, learner: Learner, rehearsal: Rehearsal, night: Night, reflecting: Reflecting
) -> FeedbackIntake:
    """What takes the feedback of a home."""

    def distil(episode_id: str) -> Sequence[Memory]:
        return night.distiller.take_up(asyncio.run(reflecting.by_rules(episode_id)))

    return FeedbackIntake(
        DEFAULT_CLONE,
        ground.store,
        reflecting.people,
        learner,
        ground.mishaps,
        ground.clock,
        ground.new_id,
        Foreseeing(DEFAULT_CLONE, ground.store, rehearsal, ground.clock),
        distil,
        Sayings(ground.catalog, ground.indexes, ground.settings.query),
        # Without a language model nobody else reads the words of a correction.
        keeps_words=bool(ground.lms),
    )


def learner_of(ground: Ground, sense: WordSense) -> Learner:
    """What turns the feedback of a home into memories."""
    store = ground.store
    endless = EndlessStatements(ground.path / ".endless-statements")
    corrections = Corrections(ground.catalog, ground.settings.query, endless)
    cases = Cases(DEFAULT_CLONE, store, corrections)
    places = partial(store.feedback_places, DEFAULT_CLONE)
    wording = Wording(DEFAULT_CLONE, store, sense.propose, sense.helps, places, sense.explains)
    return Learner(DEFAULT_CLONE, store, cases, wording)
