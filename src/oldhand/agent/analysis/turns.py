"""Events of steps that run side by side, told as if one had followed the other."""

from collections import deque
from collections.abc import Sequence

from oldhand.record.ports import Observer
from oldhand.record.progress import Progress


class Turns:
    """Whose events are told: those of the first step that has not ended, those of later steps afterwards.

    >>> told: list[object] = []
    >>> turns = Turns(told.append, [1, 2])
    >>> turns.tell(2, "two begins"), turns.tell(1, "one begins"), told
    (None, None, ['one begins'])
    >>> turns.end(2), turns.end(1), told
    (None, None, ['one begins', 'two begins'])
    """

    def __init__(self, observe: Observer, numbers: Sequence[int]) -> None:
        self._observe = observe
        self._waiting = deque(numbers)
        self._held: dict[int, list[Progress]] = {number: [] for number in numbers}
        self._ended: set[int] = set()

    def tell(self, number: int, event: Progress) -> None:
        """Tell an event of a step, now or when its turn has come."""
        if self._waiting and self._waiting[0] == number:
            self._observe(event)
        else:
            self._held[number].append(event)

    def end(self, number: int) -> None:
        """A step has ended: the next one has its turn, once all before it have ended."""
        self._ended.add(number)
        while self._waiting and self._waiting[0] in self._ended:
            self._waiting.popleft()
            for event in self._held[self._waiting[0]] if self._waiting else ():
                self._observe(event)
