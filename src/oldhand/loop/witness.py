"""What is seen of a turn while it goes on."""

from collections.abc import Callable

from oldhand.record.answer import QueryStep
from oldhand.record.ports import Observer
from oldhand.record.progress import Progress, StepDone, TextDraft


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

    @property
    def heard(self) -> Callable[[str], None] | None:
        """What is told of a text while it is written; None when nobody watches."""
        observe = self._observe
        return None if observe is None else lambda text: observe(TextDraft(text=text))
