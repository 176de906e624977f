import pytest

from oldhand.agent.analysis.mind import MAX_STEPS, PlanStep, plan_fault
from oldhand.record.answer import WORKSPACE


def step(number: int, database: str = "shop", *after: int, hidden: bool = False) -> PlanStep:
    return PlanStep(
        number=number, purpose="count", database=database, depends_on=after, hidden=hidden
    )


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ([], "no steps"),
        ([step(1, "bank")], "no database at hand"),
        ([step(1, WORKSPACE)], "depends on no earlier step"),
        ([step(1, "shop", 2), step(2)], "depends on step 2, which does not come before it"),
        ([step(1, "shop", 1)], "depends on step 1"),
        ([step(1, "shop", 0)], "depends on step 0"),
        ([step(1), step(3)], "numbered 1, 3"),
        ([step(2), step(1)], "numbered 2, 1"),
        ([step(1, hidden=True)], "can't be hidden"),
        ([step(n) for n in range(1, MAX_STEPS + 2)], "are the most"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_named(steps: list[PlanStep], fault: str) -> None:
    assert fault in (plan_fault(steps, {"shop"}) or "")


def test_a_plan_that_can_be_carried_out_has_no_fault() -> None:
    steps = [step(1, hidden=True), step(2, "crm", hidden=True), step(3, WORKSPACE, 1, 2)]
    assert plan_fault(steps, {"shop", "crm"}) is None
