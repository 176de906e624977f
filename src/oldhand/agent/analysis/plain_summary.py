"""The answer in words without any mind: what stands in the rows."""

from oldhand.agent.analysis.mind import StepResult
from oldhand.models.quoting import cell_text


def plain_summary(result: StepResult) -> str:
    """A sentence that says what the rows are, and the row itself when there is one.

    >>> from oldhand.agent.analysis.mind import PlanStep
    >>> step = PlanStep(number=1, purpose="count", database="shop")
    >>> plain_summary(StepResult(step=step, sql="…", columns=("n",), rows=((3,),), row_count=1))
    'n: 3.'
    """
    if not result.rows:
        return "Nothing was found."
    if result.row_count == 1:
        cells = zip(result.columns, result.rows[0], strict=True)
        return ", ".join(f"{name}: {cell_text(cell)}" for name, cell in cells) + "."
    first = "The first " if result.truncated else ""
    return f"{first}{result.row_count:,} rows: {', '.join(result.columns)}."
