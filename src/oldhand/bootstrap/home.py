"""A home folder becomes an assistant that can take turns."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.bootstrap.minds import (
    ModelWithMind,
    answering_of,
    language_models,
    named_model,
    rehearsal_of,
    routed_models,
    thinking_of,
)
from oldhand.bootstrap.parts import (
    Ground,
    critique_of,
    gate_of,
    learner_of,
    memories_of,
    night_of,
    putting_right_of,
    reflecting_of,
    reviewing_of,
    rules_of,
    turn_of,
)
from oldhand.errors.mishaps import Mishaps
from oldhand.learning.evidence import Weighing
from oldhand.learning.prompts import Evolving, PromptShelf
from oldhand.learning.routing import Chooser
from oldhand.loop.background import Background
from oldhand.loop.critique import FeedbackIntake
from oldhand.loop.erasing import UserErasing
from oldhand.loop.fixing import PuttingRight
from oldhand.loop.memories import MemoryCare
from oldhand.loop.night import Night
from oldhand.loop.people import CloneRoles
from oldhand.loop.rebuilding import Rebuilding, parts_of
from oldhand.loop.reflecting import Reflecting
from oldhand.loop.rehearsing import Rehearsal
from oldhand.loop.reviewing import Reviewing
from oldhand.loop.routing import Answering
from oldhand.loop.serving import Serving
from oldhand.loop.stating import HomeRules
from oldhand.loop.turn import Turn
from oldhand.loop.undoing import Undoing
from oldhand.loop.why import Explaining
from oldhand.loop.word_sense import WordSense
from oldhand.models import LanguageModel
from oldhand.models.clock import SystemClock
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.ids import random_id
from oldhand.record.ports import Clock, NewId
from oldhand.settings import Settings, home_folder, load_settings
from oldhand.sources.databases import Catalog
from oldhand.store import Store, home_store, made_folder


@dataclass(frozen=True)
class Home:
    """One home folder at work."""

    path: Path
    settings: Settings
    catalog: Catalog
    store: Store
    lm: LanguageModel | None
    """The language model, when this home made it and so has to close it."""
    people: CloneRoles
    turn: Turn
    answering: Answering
    chooser: Chooser
    serving: Serving
    routed: Mapping[str, ModelWithMind]
    """The models that questions are given to, by name; none where one mind answers all."""
    critique: FeedbackIntake
    reflecting: Reflecting
    background: Background
    memories: MemoryCare
    rules: HomeRules
    trials: Weighing
    night: Night
    reviewing: Reviewing
    undoing: Undoing
    explaining: Explaining
    erasing: UserErasing
    rebuilding: Rebuilding
    rehearsal: Rehearsal
    evolving: Evolving
    putting_right: PuttingRight

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
    new_id: NewId = random_id,
) -> Home:
    """Open a home folder, making it if needed, and wire everything that works in it."""
    path = made_folder(home_folder(home))
    settings = load_settings(path)
    clock = clock or SystemClock()
    catalog = Catalog(path, settings.query.functions)
    catalog.start_ahead()
    chosen = model or settings.model
    lm = chosen
    if isinstance(chosen, str):
        lm = named_model(chosen, settings, base_url)
    assert not isinstance(lm, str), "a name was looked up"
    indexes = Indexes(catalog, path / "index")
    ground = Ground(
        path=path,
        settings=settings,
        catalog=catalog,
        store=home_store(path, settings, clock=clock, new_id=new_id, store=store),
        thinking=thinking_of(lm, indexes, path, settings),
        models=routed_models(settings, indexes, path) if model is None else {},
        indexes=indexes,
        clock=clock,
        new_id=new_id,
        mishaps=Mishaps(),
    )
    return home_on(ground, is_own_lm=isinstance(chosen, str))


def home_on(ground: Ground, *, is_own_lm: bool) -> Home:
    """Wire what works in a home."""
    store, settings, clock, lm = ground.store, ground.settings, ground.clock, ground.thinking.lm
    people = CloneRoles(DEFAULT_CLONE, store, clock)
    sense = WordSense(ground.catalog, ground.indexes, clock)
    learner = learner_of(ground, sense)
    shelf = PromptShelf(DEFAULT_CLONE, store, settings.prompts)
    chooser = Chooser(DEFAULT_CLONE, store, settings.routing)
    turn = turn_of(ground, shelf)
    answering = answering_of(turn, ground.models, chooser, ground.mishaps)
    rehearsal = rehearsal_of(turn, ground.models, chooser)
    gate = gate_of(ground.path, rehearsal, ground.lms)
    reflecting = reflecting_of(ground, people)
    night = night_of(ground, reflecting, shelf, gate, rehearsal)
    critique = critique_of(ground, learner, rehearsal, night, reflecting)
    memories, reviewing = memories_of(ground, people, learner, sense), reviewing_of(night)
    return Home(
        path=ground.path,
        settings=settings,
        catalog=ground.catalog,
        store=store,
        lm=lm if is_own_lm else None,
        people=people,
        turn=turn,
        answering=answering,
        chooser=chooser,
        serving=Serving(DEFAULT_CLONE, store, answering, critique),
        routed=ground.models,
        critique=critique,
        reflecting=reflecting,
        background=Background(reflecting, None if lm is None else lm.aclose, night),
        memories=memories,
        rules=rules_of(ground, people, rehearsal),
        trials=night.trials,
        night=night,
        reviewing=reviewing,
        undoing=Undoing(store, memories, reviewing),
        explaining=Explaining(DEFAULT_CLONE, store, night.trials),
        erasing=UserErasing(
            DEFAULT_CLONE,
            ground.path,
            store,
            people,
            partial(reflecting.run, models=False, over=True),
            learner,
            night.distiller,
        ),
        rebuilding=Rebuilding(DEFAULT_CLONE, store, parts_of(store, learner, night)),
        rehearsal=rehearsal,
        evolving=night.evolving,
        putting_right=putting_right_of(ground, turn),
    )
