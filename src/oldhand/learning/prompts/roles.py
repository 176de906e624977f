"""The roles of prompts, each with versions of its own."""

from oldhand.errors import UsageError
from oldhand.record.instructions import ORCHESTRATOR

ROLES: dict[str, str] = {
    ORCHESTRATOR: "every prompt",
    "validate_question": "can it be answered, and from which databases",
    "write_directly": "reading and statement in one call, where one database answers",
    "decide_answer": "which of two answers is right",
    "create_plan": "the steps to the answer",
    "generate_sql": "the statement of one step",
    "analyze_error": "another statement after one that failed",
    "summarize_results": "the answer in words",
    "answer_directly": "a calculation, for which no database is needed",
    "use_tools": "the agent that calls tools",
}
"""What the prompt of each role is for; all but the first are the names of templates."""

ANALYSIS_ROLES = tuple(role for role in ROLES if role != "use_tools")
"""Those that an answer by a language model is made with."""
AGENT_ROLES = (ORCHESTRATOR, "use_tools")
"""Those that a run of a tool-use agent is made with."""

_STAGES = {
    "validate": "validate_question",
    "direct": "write_directly",
    "decide": "decide_answer",
    "plan": "create_plan",
    "generate_sql": "generate_sql",
    "analyze_error": "analyze_error",
    "summarise": "summarize_results",
    "answer": "answer_directly",
    "act": "use_tools",
}
"""The role of the prompt by the stage under which a call is booked."""


def checked_role(role: str) -> str:
    """Return `role` if it is one.

    Raises:
        UsageError: it is none; the message names them.
    """
    if role not in ROLES:
        raise UsageError(f"No prompt has the role {role!r}: use {', '.join(ROLES)}.")
    return role


def roles_asked(stages: frozenset[str]) -> frozenset[str]:
    """The roles whose prompts were asked, by the stages that calls were booked under.

    >>> sorted(roles_asked(frozenset({"plan", "chat"})))
    ['create_plan', 'orchestrator']
    """
    asked = {role for stage, role in _STAGES.items() if stage in stages}
    return frozenset({ORCHESTRATOR, *asked}) if stages else frozenset()
