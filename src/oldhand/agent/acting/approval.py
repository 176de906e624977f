"""Asking somebody before a tool is called: yes, no with a reason, or with other arguments."""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, cast

from pydantic import JsonValue, TypeAdapter, ValidationError

from oldhand.agent.tools.threads import done_beside
from oldhand.record.step import Action, AgentState, Observation

_LOG = logging.getLogger(__name__)
_ARGUMENTS = TypeAdapter(dict[str, JsonValue])

Decision: TypeAlias = bool | str | Mapping[str, JsonValue]
"""True: call it. False, or a text that says why: don't. A dict: call it with these arguments."""
Approve: TypeAlias = Callable[[Action, AgentState], Decision | Awaitable[Decision]]
"""Decides on one call of a tool; it may block for as long as the run may take, or be asynchronous."""


async def decided(approve: Approve, action: Action, state: AgentState) -> Action | Observation:
    """The call as it is to be made, or what the model is told because it is not made.

    Whatever the hook raises, and a decision that is none, counts as no.

    >>> import asyncio
    >>> state, action = AgentState(run_id="r", query="?"), Action(id="1", tool="pay", arguments={"euros": 500})
    >>> asyncio.run(decided(lambda action, state: {"euros": 5}, action, state)).arguments
    {'euros': 5}
    >>> print(asyncio.run(decided(lambda action, state: "too much", action, state)).text)
    pay was not called, for it was not allowed: too much.
    Next: do without it, or do something else.
    """
    try:
        found: object = await done_beside(lambda: approve(action, state), name="approve")
        if isinstance(found, Mapping):
            given = _ARGUMENTS.validate_python(dict(cast("Mapping[str, object]", found)))
            return action.model_copy(update={"arguments": given})
    except ValidationError:
        found = "the arguments that were given instead are no JSON"
    except Exception as error:  # noqa: BLE001 - other people's code: what it raises must not mean yes
        _LOG.warning("approval_failed: %s: %r", action.tool, error)
        found = "nobody could be asked"
    if found is True:
        return action
    why = f": {found.strip().rstrip('.')}" if isinstance(found, str) and found.strip() else ""
    return _not_called(
        action, f"it was not allowed{why}.\nNext: do without it, or do something else."
    )


def vetoed(action: Action, issues: tuple[str, ...]) -> Observation:
    """For a call that evaluators object to, before it is made."""
    said = "\n".join(f"- {issue}" for issue in issues)
    return _not_called(action, f"a check found:\n{said}\nNext: correct it, and call it again.")


def edited(action: Action, asked: Action, seen: Observation) -> Observation:
    """The observation, saying with which other arguments the call was made."""
    if action.arguments == asked.arguments:
        return seen
    given = json.dumps(action.arguments, ensure_ascii=False)
    text = f"(It was called with other arguments, as a person wished: {given})\n{seen.text}"
    return seen.model_copy(update={"text": text})


def _not_called(action: Action, why: str) -> Observation:
    text = f"{action.tool} was not called, for {why}"
    return Observation(action_id=action.id, text=text, is_error=True, not_called=True)
