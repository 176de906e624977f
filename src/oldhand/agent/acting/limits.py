"""How far a run may go."""

from oldhand.record.step import AgentState
from oldhand.settings import AgentSettings


def limit_reached(state: AgentState, settings: AgentSettings) -> str | None:
    """Which limit keeps a run from going on, and how to raise it; None when it may go on.

    >>> state = AgentState(run_id="r1", query="?", seconds=700)
    >>> print(limit_reached(state, AgentSettings()))
    The limit of 600 seconds for one run is reached. Raise agent.seconds in settings.yaml, or AgentSettings(seconds=…).
    """
    tokens = state.usage.input_tokens + state.usage.output_tokens
    checks = (
        ("steps", len(state.steps), settings.steps, f"{settings.steps} steps"),
        ("tokens", tokens, settings.tokens, f"{settings.tokens or 0:,} tokens"),
        ("cost", state.usage.cost, settings.cost, f"{settings.cost or 0:g} US dollars"),
        ("seconds", state.seconds, settings.seconds, f"{settings.seconds or 0:g} seconds"),
    )
    for name, used, limit, said in checks:
        if limit is not None and used >= limit:
            return _reached(name, said)
    return None


def time_is_up(settings: AgentSettings) -> str:
    """As `limit_reached`, for a run that was stopped in the middle of a step."""
    return _reached("seconds", f"{settings.seconds or 0:g} seconds")


def _reached(name: str, said: str) -> str:
    return (
        f"The limit of {said} for one run is reached. "
        f"Raise agent.{name} in settings.yaml, or AgentSettings({name}=…)."
    )
