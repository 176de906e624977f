"""A home folder becomes an assistant that can take turns."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from uuid import uuid4

from oldhand.agent.analysis import PROMPTS_FOLDER
from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.bootstrap.minds import (
    Thinking,
    answering_of,
    chosen_mind,
    fitting_for,
    language_models,
    named_model,
    routed_models,
    routed_rehearsal,
    with_address,
)
from oldhand.bootstrap.nights import night_of, reviewing_of
from oldhand.errors.mishaps import Mishaps
from oldhand.evaluators import Results, SQLErrorProfiler, SQLValidator
from oldhand.learning.aliases import Aliases
from oldhand.learning.cases import Cases
from oldhand.learning.corrections import Corrections
from oldhand.learning.evidence import HoldOut, Weighing
from oldhand.learning.learner import Learner
from oldhand.learning.prompts import ANALYSIS_ROLES, Evolving, PromptShelf
from oldhand.learning.reflection import LMReflector, Reflectors, RulesReflector
from oldhand.learning.regression import Gate
from oldhand.learning.regression.folders import SpecFolders
from oldhand.learning.regression.queries import SpecQueries
from oldhand.learning.routing import Chooser
from oldhand.learning.wording import Wording
from oldhand.loop.background import Background
from oldhand.loop.critique import Critique
from oldhand.loop.erasing import UserErasing
from oldhand.loop.history import History
from oldhand.loop.judging import Judging
from oldhand.loop.memories import Memories
from oldhand.loop.night import Night
from oldhand.loop.people import People
from oldhand.loop.prompting import Prompting
from oldhand.loop.rebuilding import Rebuilding, parts_of
from oldhand.loop.recalling import Recalling
from oldhand.loop.reflecting import Reflecting
from oldhand.loop.rehearsing import Rehearsal, Trial
from oldhand.loop.reviewing import Reviewing
from oldhand.loop.routing import Answering
from oldhand.loop.serving import Serving
from oldhand.loop.trials import Trials
from oldhand.loop.turn import Turn
from oldhand.loop.versions import Versions
from oldhand.loop.why import Explaining
from oldhand.loop.word_sense import WordSense
from oldhand.models import LanguageModel
from oldhand.models.clock import SystemClock
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.episode import Message
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.ports import Clock, NewId
from oldhand.record.route import RouteResponse
from oldhand.settings import Settings, home_folder, load_settings
from oldhand.sources.databases import Catalog
from oldhand.store import Store, home_store, made_folder


def new_uuid() -> str:
    """A random id."""
    return str(uuid4())


@dataclass(frozen=True)
class Home:
    """One home folder at work."""

    path: Path
    settings: Settings
    catalog: Catalog
    store: Store
    lm: LanguageModel | None
    """The language model, when this home made it and so has to close it."""
    people: People
    turn: Turn
    answering: Answering
    chooser: Chooser
    serving: Serving
    routed: Mapping[str, Thinking]
    """The models that questions are given to, by name; none where one mind answers all."""
    critique: Critique
    reflecting: Reflecting
    background: Background
    history: History
    memories: Memories
    trials: Trials
    night: Night
    reviewing: Reviewing
    explaining: Explaining
    erasing: UserErasing
    rebuilding: Rebuilding
    rehearsal: Rehearsal
    gate: Gate
    prompting: Prompting
    versions: Versions

    async def close(self) -> None:
        """Let go of databases and store."""
        async with AsyncExitStack() as stack:  # each is closed, whatever happens to the others
            if self.lm is not None:
                stack.push_async_callback(self.lm.aclose)
            stack.push_async_callback(asyncio.to_thread, self.store.close)
            stack.push_async_callback(asyncio.to_thread, self.catalog.close)
            stack.push_async_callback(asyncio.to_thread, self.background.stop)
            for lm in language_models(self.routed):
                stack.push_async_callback(lm.aclose)
            await self.turn.settled()


def open_home(
    home: str | Path | None = None,
    *,
    store: str | None = None,
    model: str | LanguageModel | None = None,
    base_url: str | None = None,
    clock: Clock | None = None,
    new_id: NewId = new_uuid,
) -> Home:
    """Open a home folder, making it if needed, and wire everything that works in it."""
    path = made_folder(home_folder(home))
    settings = load_settings(path)
    clock = clock or SystemClock()
    catalog = Catalog(path)
    routes = model is None
    model = model or settings.model
    lm = named_model(model, with_address(settings, base_url)) if isinstance(model, str) else model
    indexes = Indexes(catalog, path / "index")
    mind = chosen_mind(lm, indexes, path)
    models = routed_models(settings, indexes, path) if routes else {}
    opened = home_store(path, settings, clock=clock, new_id=new_id, store=store)
    people, mishaps = People(DEFAULT_CLONE, opened, clock), Mishaps()
    sense = WordSense(catalog, indexes, clock)
    corrections = Corrections(catalog, settings.query)
    learner = learner_of(DEFAULT_CLONE, opened, corrections, sense)
    aliases = aliases_of(DEFAULT_CLONE, opened, sense, clock)
    hold_out = HoldOut(settings.trial, Random())  # noqa: S311 (no secret hangs on it)
    fits = fitting_for(lm, settings)
    recalling = Recalling(DEFAULT_CLONE, opened, settings.recall, clock, mishaps, hold_out, fits)
    roles = () if lm is None else ANALYSIS_ROLES
    shelf = PromptShelf(DEFAULT_CLONE, opened, settings.prompts)
    prompting = Prompting(shelf, mishaps, Random())  # noqa: S311 (as above)
    rehearsal = Rehearsal(mind, catalog, recalling, settings, clock, prompting, roles)
    chooser = Chooser(DEFAULT_CLONE, opened, settings.routing)
    rehearsal = routed_rehearsal(rehearsal, models, chooser)
    lms = (*language_models(models), *([lm] if lm else ()))
    gate = gate_of(path, rehearsal, lms)
    judging = judging_of(opened, catalog, settings, clock, mishaps, lm)
    weighing = Weighing(DEFAULT_CLONE, opened, settings.trial, clock, breaks=gate.broken_by)
    trials = Trials(opened, weighing)
    reflectors = reflectors_of(lm, settings, path)
    reflecting = Reflecting(
        DEFAULT_CLONE, opened, people, catalog, reflectors, settings.reflection, clock, mishaps
    )
    versions = Versions(opened, Evolving(shelf, clock, gate, gate_reads=bool(lms)))
    night = night_of(reflecting, trials, versions, gate, settings.night)
    turn = Turn(
        DEFAULT_CLONE,
        mind,
        catalog,
        opened,
        recalling,
        judging,
        settings,
        clock,
        new_id,
        prompting,
        roles,
    )
    answering = answering_of(turn, models, chooser, mishaps)
    critique = Critique(DEFAULT_CLONE, opened, people, learner, mishaps, clock, new_id)
    return Home(
        path=path,
        settings=settings,
        catalog=catalog,
        store=opened,
        lm=lm if isinstance(model, str) else None,
        people=people,
        turn=turn,
        answering=answering,
        chooser=chooser,
        serving=Serving(DEFAULT_CLONE, opened, answering, critique),
        routed=models,
        critique=critique,
        reflecting=reflecting,
        background=Background(reflecting, None if lm is None else lm.aclose, night),
        history=History(DEFAULT_CLONE, opened),
        memories=Memories(DEFAULT_CLONE, opened, people, catalog, learner, aliases, clock, new_id),
        trials=trials,
        night=night,
        reviewing=reviewing_of(night),
        explaining=Explaining(DEFAULT_CLONE, opened, trials),
        erasing=UserErasing(
            DEFAULT_CLONE,
            path,
            opened,
            people,
            partial(reflecting.run, models=False),
            learner,
            night.distiller,
        ),
        rebuilding=Rebuilding(DEFAULT_CLONE, opened, parts_of(opened, learner, night)),
        rehearsal=rehearsal,
        gate=gate,
        prompting=prompting,
        versions=versions,
    )


def reflectors_of(lm: LanguageModel | None, settings: Settings, home: Path) -> Reflectors:
    """Who looks back on answers: rules, and the language model where there is one."""
    limits = settings.reflection
    model = None if lm is None else LMReflector(lm, limits, home / PROMPTS_FOLDER)
    return Reflectors(RulesReflector(limits), model)


def gate_of(home: Path, rehearsal: Rehearsal, lms: Sequence[LanguageModel]) -> Gate:
    """What keeps lessons back that break a spec of the home; it blocks, so it is asked in a thread."""

    def answer(
        messages: Sequence[Message], *, shown: Sequence[Memory] = (), hidden: Collection[str] = ()
    ) -> RouteResponse:
        return asyncio.run(rehearsed(messages, Trial(tuple(shown), frozenset(hidden))))

    async def rehearsed(messages: Sequence[Message], trial: Trial) -> RouteResponse:
        try:
            return await rehearsal.answer(messages, trial=trial)
        finally:
            for lm in lms:
                await lm.aclose()  # of this loop's connections only

    queries = SpecQueries(rehearsal.catalog, rehearsal.settings.query)
    return Gate(SpecFolders(home).specs, answer, queries.rows)


def judging_of(
    store: Store,
    catalog: Catalog,
    settings: Settings,
    clock: Clock,
    mishaps: Mishaps,
    lm: LanguageModel | None,
) -> Judging:
    """Who judges the turns of a home: rules; what they found is told to a mind that reads."""
    results = Results(store, settings.evaluations, DEFAULT_CLONE, clock)
    evaluators = (SQLValidator(schemas=catalog.schemas), SQLErrorProfiler())
    for evaluator in evaluators:
        evaluator.bind(results)
    return Judging(evaluators, settings.evaluations, mishaps, reads_notes=lm is not None)


def learner_of(clone_id: str, store: Store, corrections: Corrections, sense: WordSense) -> Learner:
    """What turns the feedback of a clone into memories."""
    cases = Cases(clone_id, store, corrections)
    places = partial(store.feedback_places, clone_id)
    wording = Wording(clone_id, store, sense.propose, sense.helps, places)
    return Learner(clone_id, store, cases, wording)


def aliases_of(clone_id: str, store: Store, sense: WordSense, clock: Clock) -> Aliases:
    """The aliases of a clone, as they are in the store."""

    def kept() -> tuple[Memory, ...]:
        return store.memories(clone_id, type=MemoryType.PREFERENCE, limit=None)

    return Aliases(clone_id, kept, sense.propose, sense.helps, clock)
