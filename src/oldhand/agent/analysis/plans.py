"""What must hold of a plan, whoever made it."""

from collections.abc import Collection

from oldhand.agent.analysis.mind import PlanStep
from oldhand.record.answer import WORKSPACE

MAX_STEPS = 12
"""Steps of the longest plan."""


def plan_fault(steps: Collection[PlanStep], databases: Collection[str]) -> str | None:
    """The first thing that is wrong with the steps, in a sentence; None when they hold.

    >>> step = PlanStep(number=1, purpose="count", database="shop")
    >>> plan_fault([step], {"shop"})
    >>> plan_fault([step], {"bank"})
    "Step 1 runs on 'shop', which is no database at hand: there are bank and workspace."
    """
    if not steps:
        return "The plan has no steps."
    if len(steps) > MAX_STEPS:
        return f"The plan has {len(steps)} steps; {MAX_STEPS} are the most."
    numbers = [step.number for step in steps]
    if numbers != list(range(1, len(steps) + 1)):
        return f"The steps are numbered {', '.join(map(str, numbers))}, not 1, 2, 3, …"
    for step in steps:
        if fault := _step_fault(step, databases, last=step.number == len(steps)):
            return fault
    return None


def _step_fault(step: PlanStep, databases: Collection[str], *, last: bool) -> str | None:
    if step.database != WORKSPACE and step.database not in databases:
        known = ", ".join(sorted(databases))
        return (
            f"Step {step.number} runs on {step.database!r}, which is no database at hand: "
            f"there are {known} and {WORKSPACE}."
        )
    if late := [number for number in step.depends_on if not 1 <= number < step.number]:
        return f"Step {step.number} depends on step {late[0]}, which does not come before it."
    if step.database == WORKSPACE and not step.depends_on:
        return f"Step {step.number} runs on {WORKSPACE} but depends on no earlier step."
    if last and step.hidden:
        return (
            f"Step {step.number} is the last one, so its rows are the answer: it can't be hidden."
        )
    return None
