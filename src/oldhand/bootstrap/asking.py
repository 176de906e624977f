"""What answers questions, wired to what it needs."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from oldhand.agent.analysis import PROMPTS_FOLDER
from oldhand.bootstrap.ground import Ground
from oldhand.bootstrap.minds import fitting_for
from oldhand.evaluators import Results, SQLErrorProfiler, SQLValidator
from oldhand.learning.evidence import HoldOut
from oldhand.learning.prompts import PromptShelf
from oldhand.learning.reflection import LMReflector, Reflectors, RulesReflector
from oldhand.loop.consultations.asking import AskingPeople
from oldhand.loop.judging import TurnJudges
from oldhand.loop.people import CloneRoles
from oldhand.loop.prompting import Prompting
from oldhand.loop.recalling import Recalling
from oldhand.loop.reflecting import Reflecting
from oldhand.loop.shelf import PassageSearch
from oldhand.loop.turn import Turn
from oldhand.settings.experts import AsksPeople

if TYPE_CHECKING:
    from oldhand.loop.consultations.desk import ExpertDesk


def turn_of(
    ground: Ground,
    shelf: PromptShelf,
    search: Callable[[], PassageSearch],
    desk: Callable[[], "ExpertDesk"],
) -> Turn:
    """What answers questions."""
    settings, mishaps, thinking = ground.settings, ground.mishaps, ground.thinking
    asks = settings.experts.asks
    hold_out = HoldOut(settings.trial, Random())  # noqa: S311 (no secret hangs on it)
    fits = fitting_for(thinking.lm, settings)
    recalling = Recalling(
        ground.clone_id, ground.store, settings.recall, ground.clock, mishaps, hold_out, fits
    )
    return Turn(
        ground.clone_id,
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
        deliberation=thinking.deliberation,
        consulting=thinking.consulting,
        search=search,
        people=None if asks is AsksPeople.NEVER else AskingPeople(desk, asks, mishaps).asked,
    )


def judging_of(ground: Ground) -> TurnJudges:
    """Who judges the turns of a home: rules; what they found is told to a mind that reads."""
    limits = ground.settings.evaluations
    results = Results(ground.store, limits, ground.clone_id, ground.clock)
    evaluators = (SQLValidator(), SQLErrorProfiler())
    for evaluator in evaluators:
        evaluator.bind(results)
        evaluator.know(ground.catalog.schemas)
    reads_notes = ground.thinking.lm is not None
    return TurnJudges(evaluators, limits, ground.mishaps, reads_notes)


def reflecting_of(ground: Ground, people: CloneRoles) -> Reflecting:
    """What looks back on answers: rules, and the language model where there is one."""
    lm, limits = ground.thinking.lm, ground.settings.reflection
    model = LMReflector(lm, limits, ground.path / PROMPTS_FOLDER) if lm and limits.models else None
    return Reflecting(
        ground.clone_id,
        ground.store,
        people,
        ground.catalog,
        Reflectors(RulesReflector(limits), model),
        limits,
        ground.clock,
        ground.mishaps,
    )
