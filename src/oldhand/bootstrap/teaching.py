"""What takes up what people say, wired to what it needs; imported when somebody says something."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from oldhand.bootstrap.nights import exam_of
from oldhand.learning.aliases import Aliases
from oldhand.learning.cases import Cases
from oldhand.learning.corrections import Corrections
from oldhand.learning.endless_statements import EndlessStatements
from oldhand.learning.learner import Learner
from oldhand.learning.wording import Wording
from oldhand.loop.cited import CitedPassages
from oldhand.loop.critique import FeedbackIntake
from oldhand.loop.editing import MemoryEditing
from oldhand.loop.fixing import PuttingRight
from oldhand.loop.foreseeing import Foreseeing
from oldhand.loop.learned_rules import LearnedRules
from oldhand.loop.memories import MemoryCare
from oldhand.loop.overruling import Overruling
from oldhand.loop.sayings import Sayings
from oldhand.loop.standing import StandingAnswers
from oldhand.loop.stating import HomeRules
from oldhand.loop.tried_rules import TriedRules
from oldhand.loop.word_sense import WordSense
from oldhand.record.effect import DefaultFilter
from oldhand.record.feedback import Feedback
from oldhand.record.memory import Memory, MemoryType

if TYPE_CHECKING:
    from oldhand.bootstrap.home import Home


def critique_of(home: "Home") -> FeedbackIntake:
    """What takes the feedback of a home."""
    night, reflecting, rules = home.night, home.reflecting, home.rules

    def distil(feedback: Feedback) -> Sequence[Memory]:
        return night.distiller.take_up(asyncio.run(reflecting.by_rules(feedback.episode_id)))

    def would_distil(feedback: Feedback) -> Sequence[Memory]:
        return night.distiller.planned(asyncio.run(reflecting.foreseen(feedback)))

    def credit(episode_id: str) -> bool:
        """Credit the passages that an answer was made of; most answers were made of none."""
        made = home.store.credit.has_passages(home.clone_id, episode_id)
        return made and home.crediting.learn(episode_id)

    return FeedbackIntake(
        home,
        home.learner,
        Foreseeing(home, home.rehearsal, night.examining.exam.breaks),
        distil,
        would_distil,
        Sayings(home.catalog, home.indexes, home.settings.query),
        CitedPassages(home, home.rehearsal.turn.shelf),
        rules.put,
        rules.stays,
        credit,
        # Without a language model nobody else reads the words of a correction.
        keeps_words=bool(home.lms),
    )


def sense_of(home: "Home") -> WordSense:
    """What tells what words may mean."""
    rules = Overruling(home, home.indexes)
    return WordSense(
        home.catalog,
        home.indexes,
        home.clock,
        lambda: (it.effect for it in rules.learned() if isinstance(it.effect, DefaultFilter)),
    )


def learner_of(home: "Home") -> Learner:
    """What turns the feedback of a home into memories."""
    store, sense = home.store, home.sense
    endless = EndlessStatements(home.path / ".endless-statements")
    corrections = Corrections(home.catalog, home.settings.query, endless)
    cases = Cases(home.clone_id, store, corrections)
    places = partial(store.feedback_places, home.clone_id)
    wording = Wording(home.clone_id, store, sense.propose, sense.helps, places, sense.explains)
    return Learner(home.clone_id, store, cases, wording)


def memories_of(home: "Home") -> MemoryCare:
    """What people do with memories; aliases are read as they are in the store."""
    kept = partial(home.store.memories, home.clone_id, type=MemoryType.PREFERENCE, limit=None)
    return MemoryCare(
        home,
        home.learner,
        Aliases(home.clone_id, kept, home.sense.propose, home.sense.helps, home.clock.now),
        lambda: home.crediting.bring_in_line(),  # noqa: PLW0108
    )


def editing_of(home: "Home") -> MemoryEditing:
    """What puts memories into other words."""
    return MemoryEditing(home.memories, home.reviewing, home.critique, home.rules)


def rules_of(home: "Home") -> HomeRules:
    """The rules that people state."""
    return HomeRules(
        home,
        home.indexes,
        TriedRules(home, home.rehearsal),
        lambda rules: exam_of(home).result_of_rules(rules),
        StandingAnswers(
            home,
            home.indexes,
            lambda rules: exam_of(home).otherwise(rules),
            lambda database, free, rules: exam_of(home).broken_by(database, free, rules),
        ),
        Overruling(home, home.indexes),
        LearnedRules(home),
    )


def putting_right_of(home: "Home") -> PuttingRight:
    """What puts answers right that people pick from."""
    return PuttingRight(home, home.indexes, home.turn.recalling, home.settings.query)
