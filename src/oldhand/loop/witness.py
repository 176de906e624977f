"""What is seen of a turn while it goes on."""

from oldhand.record.answer import QueryStep
from oldhand.record.ports import Observer
from oldhand.record.progress import Progress, StepDone


class Witness:
    """Passes events on, and remembers the steps that were done."""

    def __init__(self, observe: Observer | None) -> None:
        self._observe = observe
        self.steps: list[QueryStep] = []

    def __call__(self, progress: Progress, /) -> None:
        """Take note of one event."""
        if isinstance(progress, StepDone):
            self.steps.append(progress.step)
        if self._observe is not None:
            self._observe(progress)
