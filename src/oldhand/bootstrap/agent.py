"""Tools and evaluators become an agent that works in a home: its runs are recalled for, judged and recorded there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from oldhand.agent.acting import (
    ACTING_PROMPTS,
    Approve,
    BuiltinPolicy,
    Learning,
    LMPolicy,
    LoopDependencies,
    OutputType,
    Policy,
    TextPolicy,
    Transition,
)
from oldhand.agent.analysis import PROMPTS_FOLDER
from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.agent.analyst.mind import BuiltinMind
from oldhand.agent.tools import Tool, Tools, sql_tools
from oldhand.agent.tools.documents import documents_tool
from oldhand.agent.tools.sql import Databases, databases_behind
from oldhand.bootstrap.home import Home
from oldhand.errors import UsageError
from oldhand.evaluators import Results, VerbalEvaluator
from oldhand.evaluators.sql_evaluator import SqlEvaluator
from oldhand.evaluators.workplace import Workplace
from oldhand.learning.confirmation import spelled_alike
from oldhand.learning.prompts import AGENT_ROLES
from oldhand.loop.agent_runs import AgentRuns
from oldhand.loop.consultations.tool import ExpertTool
from oldhand.models import LanguageModel
from oldhand.models.templates import Prompts
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.episode import Message
from oldhand.record.memory import MemoryType
from oldhand.record.schema import DatabaseSchema
from oldhand.record.stage import may_be_shown
from oldhand.settings.experts import AsksPeople
from oldhand.sources.databases.address import absolute_url, portable_url

ToolCalls = Literal["native", "text"]
"""How a model calls tools: as its provider does it, or written out as text."""


@dataclass(frozen=True)
class AgentWanted:
    """What somebody wants of an agent."""

    tools: Iterable[Tool | Callable[..., object]] | None
    """Those over the home's databases when None."""
    lm: LanguageModel | None
    """The built-in mind when None."""
    task_type: str
    step_evaluators: tuple[VerbalEvaluator, ...] = ()
    trajectory_evaluators: tuple[VerbalEvaluator, ...] = ()
    user: str = DEFAULT_USER
    tool_calls: ToolCalls = "native"
    instructions: str = ""
    history: tuple[Message, ...] = ()
    output: OutputType | None = None
    approve: Approve | None = None
    limits: Mapping[str, int] = field(default_factory=dict[str, int])
    """Settings of the agent that are other than the home's, such as `steps`."""


def agent_parts(
    home: Home, wanted: AgentWanted
) -> tuple[Policy, Transition, Learning, LoopDependencies]:
    """Wire what the loop of an agent is made of.

    Raises:
        InvalidTool: two tools have the same name, or one can't be a tool.
    """
    settings, clock = home.settings.agent.model_copy(update=wanted.limits), home.turn.clock
    tools = Tools(home_tools(home, wanted.user) if wanted.tools is None else wanted.tools)
    for tool in tools:
        if callable(set_desk := getattr(tool, "set_desk", None)):
            _ = set_desk(home.desk, wanted.user, home.path / "xmpp")
    if wanted.output is not None:
        tools = Tools([*tools, wanted.output])
    databases = databases_behind(tools)
    place = _workplace(home, databases)
    policy = _policy(home, wanted, tools, databases, place.results)
    told = wanted.output.TOLD if wanted.output is not None else ""
    policy.instructions = "\n\n".join(filter(None, (wanted.instructions, told)))
    policy.output = wanted.output
    runs = replace(_runs(home, wanted, tools, databases, policy.model_name), workplace=place)
    _bind(place, wanted)
    learning = Learning(
        step_evaluators=wanted.step_evaluators,
        trajectory_evaluators=wanted.trajectory_evaluators,
        policy_model_name=policy.model_name,
        task_type=wanted.task_type,
        judge=runs.judge,
        recall=runs.recall,
    )
    dependencies = LoopDependencies(
        settings=settings,
        clock=clock,
        new_id=home.turn.new_id,
        checkpoints=home.store.checkpoints(home.clone_id, wanted.user),
        keeper=runs,
        approve=wanted.approve,
        history=wanted.history,
    )
    return policy, Transition(tools, settings=settings, clock=clock), learning, dependencies


def home_tools(home: Home, user: str = DEFAULT_USER) -> tuple[Tool, ...]:
    """The tools over the databases and documents of a home; the whole analysis is one of them, and people are, where they may be asked.

    Passages are found for `user`: what that person may not read, no agent of theirs sees.
    """
    turn = home.turn
    look_up = partial(turn.look_up, user=user)
    tools: tuple[Tool, ...] = sql_tools(home.catalog, limits=home.settings.query, analyse=look_up)
    if home.settings.experts.asks is not AsksPeople.NEVER:
        tools = (*tools, ExpertTool(home.desk, user))
    if turn.search is None or not home.store.passages.is_any(home.clone_id):
        return tools
    search, member = turn.search(), home.people.is_member(user)
    return (*tools, documents_tool(lambda question: search.search(question, user, member).passages))


def sorted_evaluators(
    either: Iterable[VerbalEvaluator] | None,
    of_steps: Iterable[VerbalEvaluator] | None,
    of_runs: Iterable[VerbalEvaluator] | None,
) -> tuple[tuple[VerbalEvaluator, ...], tuple[VerbalEvaluator, ...]]:
    """Evaluators of steps, and of whole runs; each once.

    Raises:
        UsageError: one is no evaluator, or was given as the other kind.
    """
    either, of_steps, of_runs = map(_evaluators, (either, of_steps, of_runs))
    for given, kind in ((of_steps, "step"), (of_runs, "trajectory")):
        for one in given:
            if one.granularity != kind:
                raise UsageError(
                    f"{type(one).__name__} judges a {one.granularity}, not a {kind}: "
                    f"give it as one of {one.granularity}_evaluators, or of evaluators."
                )
    everyone = tuple(dict.fromkeys((*either, *of_steps, *of_runs)))
    steps = tuple(one for one in everyone if one.granularity == "step")
    return steps, tuple(one for one in everyone if one.granularity == "trajectory")


def _evaluators(given: Iterable[VerbalEvaluator] | None) -> tuple[VerbalEvaluator, ...]:
    if given is None:
        return ()
    if isinstance(given, VerbalEvaluator):
        raise UsageError(f"{type(given).__name__} stands alone: put brackets around it.")
    evaluators = tuple(given)
    for one in evaluators:
        if isinstance(one, type) and issubclass(one, VerbalEvaluator):
            raise UsageError(f"{one.__name__} is a class: write {one.__name__}().")
        if not isinstance(one, VerbalEvaluator):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError(f"{one!r} is no evaluator: make a subclass of VerbalEvaluator.")
    return evaluators


def _runs(
    home: Home, wanted: AgentWanted, tools: Tools, databases: Databases | None, model: str
) -> AgentRuns:
    """Who records the runs of an agent."""
    return AgentRuns(
        home,
        recalling=home.turn.recalling,
        settings=home.settings.evaluations,
        prompting=home.turn.prompting,
        model=model,
        databases=() if databases is None else tuple(one.name for one in databases.list()),
        addresses=_addresses(home, databases),
        tools=tuple(name for name in tools.names if name != OutputType.NAME),
        user=wanted.user,
        recorded=home.background.soon,
        roles=() if wanted.lm is None else AGENT_ROLES,
    )


def _addresses(home: Home, databases: Databases | None) -> dict[str, str]:
    """Where databases are that the home has not registered."""
    known = set(home.catalog.list())
    entries = () if databases is None or databases is home.catalog else databases.list()
    return {
        one.name: portable_url(absolute_url(one.url), one.name)
        for one in entries
        if one not in known
    }


def _workplace(home: Home, databases: Databases | None) -> Workplace:
    """Where evaluators save what they find in this agent's runs, and the databases that its tools can ask."""
    new_id, clock = home.turn.new_id, home.turn.clock
    results = Results(home.store, home.settings.evaluations, home.clone_id, clock, new_id=new_id)
    return Workplace(results, partial(_schemas, databases), home.path)


def _bind(place: Workplace, wanted: AgentWanted) -> None:
    """Let the evaluators be asked for what they found here, also outside of runs."""
    for evaluator in (*wanted.step_evaluators, *wanted.trajectory_evaluators):
        evaluator.bind(place.results, place.home)
        if isinstance(evaluator, SqlEvaluator):
            evaluator.know(place.schemas)


def _policy(
    home: Home, wanted: AgentWanted, tools: Tools, databases: Databases | None, results: Results
) -> Policy:
    seconds = home.settings.agent.callback_seconds
    if wanted.lm is not None:
        prompts = Prompts(home.path / PROMPTS_FOLDER, ACTING_PROMPTS)
        kind = TextPolicy if wanted.tool_calls == "text" else LMPolicy
        return kind(wanted.lm, tools, prompts=prompts, callback_seconds=seconds)
    mind = home.turn.mind
    if databases is not None and databases is not home.catalog:
        mind = BuiltinMind(Indexes(databases, _index_folder(home.path, databases)))
    clock = home.turn.clock
    schemas = partial(_schemas, databases)
    against = _unless_confirmed(home, partial(results.objections, mind.name, wanted.task_type))
    return BuiltinPolicy(
        mind, tools, schemas=schemas, clock=clock, objections=against, callback_seconds=seconds
    )


def _unless_confirmed(
    home: Home, objections: Callable[[str], Sequence[str]]
) -> Callable[[str], Sequence[str]]:
    """What evaluators say against a statement; nothing where people have confirmed that very statement."""

    def heeded(sql: str) -> Sequence[str]:
        found = objections(sql)
        if not found:
            return ()
        pairs = home.store.memories(home.clone_id, type=MemoryType.EXAMPLE, limit=None)
        known = (getattr(one.payload, "sql", None) for one in pairs if may_be_shown(one))
        alike = spelled_alike(sql)
        return () if any(one and spelled_alike(one) == alike for one in known) else found

    return heeded


def _index_folder(home: Path, databases: Databases) -> Path:
    """Where the values of databases are indexed that the home has not registered."""
    entries = sorted(databases.list(), key=lambda entry: entry.name)
    names = "-".join(entry.name for entry in entries)
    addresses = "\n".join(f"{entry.name} {entry.url}" for entry in entries)
    # Others of the same names, such as those of a test system, have other values.
    digest = blake2b(addresses.encode(), digest_size=8).hexdigest()
    return home / "index" / "tools" / f"{names[:60]}-{digest}"


def _schemas(databases: Databases | None) -> Sequence[DatabaseSchema]:
    if databases is None:
        return ()
    return tuple(databases.schema(entry.name) for entry in databases.list())
