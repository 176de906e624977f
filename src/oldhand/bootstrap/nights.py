"""What looks after lessons, wired."""

from functools import partial

from oldhand.learning.distillation.distilling import Distiller
from oldhand.learning.evidence import Weighing
from oldhand.learning.hygiene import Hygiene
from oldhand.learning.lifecycle.upkeep import Upkeep
from oldhand.loop.guarding import Guarding
from oldhand.loop.night import Night
from oldhand.loop.reflecting import Reflecting
from oldhand.loop.reviewing import Reviewing
from oldhand.record.stage import DISTILLED
from oldhand.settings import NightSettings


def night_of(
    reflecting: Reflecting,
    trials: Weighing,
    guarding: Guarding,
    limits: NightSettings,
) -> Night:
    """The work of the nights of a home."""
    clone_id, store = reflecting.clone_id, reflecting.store
    return Night(
        clone_id=clone_id,
        store=store,
        people=reflecting.people,
        reflect=partial(reflecting.run, over=True),
        distiller=Distiller(clone_id, store, guarding.gate.broken_by, limits.batch),
        trials=trials,
        evolving=guarding.evolving,
        guarding=guarding,
        upkeep=Upkeep(clone_id, store, DISTILLED, limits.batch),
        settings=limits,
        clock=reflecting.clock,
    )


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
