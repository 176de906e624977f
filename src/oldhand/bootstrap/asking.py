"""What answers questions, wired to what it needs."""

from random import Random
from typing import TYPE_CHECKING

from oldhand.agent.analysis import PROMPTS_FOLDER
from oldhand.bootstrap.minds import fitting_for, turn_with
from oldhand.evaluators import Results, SQLErrorProfiler, SQLValidator
from oldhand.learning.evidence import HoldOut
from oldhand.learning.prompts import PromptShelf
from oldhand.learning.reflection import LMReflector, Reflectors, RulesReflector
from oldhand.loop.consultations.asking import AskingPeople
from oldhand.loop.judging import TurnJudges
from oldhand.loop.prompting import Prompting
from oldhand.loop.recalling import Recalling
from oldhand.loop.reflecting import Reflecting
from oldhand.loop.routing import Answering, OneMind, Routing
from oldhand.loop.turn import Turn
from oldhand.settings.experts import AsksPeople

if TYPE_CHECKING:
    from oldhand.bootstrap.home import Home
    from oldhand.bootstrap.retrieval import PassageFinding


def turn_of(home: "Home") -> Turn:
    """What answers questions."""
    settings, mishaps, thinking = home.settings, home.mishaps, home.thinking
    asks = settings.experts.asks
    hold_out = HoldOut(settings.trial, Random())  # noqa: S311 (no secret hangs on it)
    fits = fitting_for(thinking.lm, settings)
    recalling = Recalling(home, settings.recall, hold_out, fits)
    return Turn(
        home.clone_id,
        thinking.mind,
        home.catalog,
        home.store,
        recalling,
        judging_of(home),
        settings,
        home.clock,
        home.new_id,
        Prompting(home.shelf, mishaps, Random()),  # noqa: S311 (as above)
        thinking.roles,
        deliberation=thinking.deliberation,
        consulting=thinking.consulting,
        search=lambda: home.finding.retriever,
        people=None
        if asks is AsksPeople.NEVER
        else AskingPeople(lambda: home.desk, asks, mishaps).asked,
    )


def judging_of(home: "Home") -> TurnJudges:
    """Who judges the turns of a home: rules; what they found is told to a mind that reads."""
    limits = home.settings.evaluations
    results = Results(home.store, limits, home.clone_id, home.clock)
    evaluators = (SQLValidator(), SQLErrorProfiler())
    for evaluator in evaluators:
        evaluator.bind(results)
        evaluator.know(home.catalog.schemas)
    reads_notes = home.thinking.lm is not None
    return TurnJudges(evaluators, limits, home.mishaps, reads_notes)


def reflecting_of(home: "Home") -> Reflecting:
    """What looks back on answers: rules, and the language model where there is one."""
    lm, limits = home.thinking.lm, home.settings.reflection
    model = LMReflector(lm, limits, home.path / PROMPTS_FOLDER) if lm and limits.models else None
    return Reflecting(home, Reflectors(RulesReflector(limits), model), limits)


def finding_of(home: "Home") -> "PassageFinding":
    """What finds passages; imported when there is a document."""
    from oldhand.bootstrap.retrieval import PassageFinding

    return PassageFinding(home, lambda: home.crediting)


def shelf_of(home: "Home") -> PromptShelf:
    """The versions of prompts of a home."""
    return PromptShelf(home.clone_id, home.store, home.settings.prompts)


def answering_of(home: "Home") -> Answering:
    """Whoever answers: the mind of the turn, or the models that there are to choose from."""
    if not home.models:
        return OneMind(home.turn)
    turns = {name: turn_with(home.turn, one) for name, one in home.models.items()}
    return Routing(turns, home.chooser, home.mishaps, Random())  # noqa: S311 (no secret hangs on it)
