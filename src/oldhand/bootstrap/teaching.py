"""What takes up what people say, wired to what it needs; imported when somebody says something."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from oldhand.bootstrap.ground import Ground
from oldhand.bootstrap.nights import exam_of
from oldhand.learning.aliases import Aliases
from oldhand.learning.cases import Cases
from oldhand.learning.corrections import Corrections
from oldhand.learning.endless_statements import EndlessStatements
from oldhand.learning.learner import Learner
from oldhand.learning.wording import Wording
from oldhand.loop.cited import CitedPassages
from oldhand.loop.critique import FeedbackIntake
from oldhand.loop.fixing import PuttingRight
from oldhand.loop.foreseeing import Foreseeing
from oldhand.loop.memories import MemoryCare
from oldhand.loop.night import Night
from oldhand.loop.people import CloneRoles
from oldhand.loop.reflecting import Reflecting
from oldhand.loop.rehearsing import Rehearsal
from oldhand.loop.sayings import Sayings
from oldhand.loop.stating import HomeRules
from oldhand.loop.turn import Turn
from oldhand.loop.word_sense import WordSense
from oldhand.record.memory import Memory, MemoryType


def critique_of(
    ground: Ground,
    learner: Learner,
    rules: HomeRules,
    night: Night,
    reflecting: Reflecting,
    credit: Callable[[str], object],
) -> FeedbackIntake:
    """What takes the feedback of a home."""

    def distil(episode_id: str) -> Sequence[Memory]:
        return night.distiller.take_up(asyncio.run(reflecting.by_rules(episode_id)))

    return FeedbackIntake(
        ground.clone_id,
        ground.store,
        reflecting.people,
        learner,
        ground.mishaps,
        ground.clock,
        ground.new_id,
        Foreseeing(ground.clone_id, ground.store, rules.rehearsal, ground.clock),
        distil,
        Sayings(ground.catalog, ground.indexes, ground.settings.query),
        CitedPassages(ground.clone_id, ground.store, reflecting.people, rules.rehearsal.turn.shelf),
        rules.put,
        credit,
        # Without a language model nobody else reads the words of a correction.
        keeps_words=bool(ground.lms),
    )


def learner_of(ground: Ground, sense: WordSense) -> Learner:
    """What turns the feedback of a home into memories."""
    store = ground.store
    endless = EndlessStatements(ground.path / ".endless-statements")
    corrections = Corrections(ground.catalog, ground.settings.query, endless)
    cases = Cases(ground.clone_id, store, corrections)
    places = partial(store.feedback_places, ground.clone_id)
    wording = Wording(ground.clone_id, store, sense.propose, sense.helps, places, sense.explains)
    return Learner(ground.clone_id, store, cases, wording)


def memories_of(
    ground: Ground,
    people: CloneRoles,
    learner: Learner,
    sense: WordSense,
    credit: Callable[[], object],
) -> MemoryCare:
    """What people do with memories; aliases are read as they are in the store."""
    kept = partial(ground.store.memories, ground.clone_id, type=MemoryType.PREFERENCE, limit=None)
    return MemoryCare(
        ground.clone_id,
        ground.store,
        people,
        ground.catalog,
        learner,
        Aliases(ground.clone_id, kept, sense.propose, sense.helps, ground.clock),
        ground.clock,
        ground.new_id,
        credit,
    )


def rules_of(ground: Ground, people: CloneRoles, rehearsal: Rehearsal) -> HomeRules:
    """The rules that people state."""
    return HomeRules(
        ground.clone_id,
        ground.store,
        people,
        ground.catalog,
        ground.indexes,
        rehearsal,
        lambda rules: exam_of(ground, rehearsal).result_of_rules(rules),
        ground.clock,
    )


def putting_right_of(ground: Ground, turn: Turn) -> PuttingRight:
    """What puts answers right that people pick from."""
    return PuttingRight(
        ground.clone_id,
        ground.store,
        ground.catalog,
        ground.indexes,
        turn.recalling,
        ground.settings.query,
        ground.clock,
    )
