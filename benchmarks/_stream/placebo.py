"""Memories whose contents are shuffled: what is left when a loop learns something, but the wrong thing."""

from random import Random

from oldhand.record.memory import ExamplePayload, IssuePayload, Memory
from oldhand.testing import MemoryIndex


class Shuffled:
    """Keeps the same memories, but each one answers with what another one of its type learned.

    The SQL of examples and of rejected pairs, and the targets of aliases, move along one cycle through all
    memories of a type, drawn anew at each step (Sattolo's algorithm, grown one memory at a time); the first
    memory of a type waits until there is a second one.
    """

    def __init__(self, index: MemoryIndex, seed: str) -> None:
        self._index = index
        self._random = Random(seed)
        self._true: dict[str, Memory] = {}
        self._donors: dict[str, str] = {}

    def save(self, memory: Memory) -> None:
        """Take in a memory, and give it the contents of another one."""
        known = memory.id in self._true
        self._true[memory.id] = memory
        if not known:
            others = [i for i in self._donors if self._true[i].type is memory.type]
            partner = self._random.choice(others) if others else memory.id
            self._donors[memory.id] = self._donors.get(partner, memory.id)
            self._donors[partner] = memory.id
        for one, donor in self._donors.items():
            if memory.id in (one, donor):
                self._put(one)

    def forget(self, memory_id: str) -> None:
        """Drop a memory; who had its contents gets those that it had."""
        donor = self._donors.pop(memory_id, None)
        self._true.pop(memory_id, None)
        self._index.forget(memory_id)
        for one, other in self._donors.items():
            if other == memory_id and donor is not None:
                self._donors[one] = donor
                self._put(one)

    def _put(self, memory_id: str) -> None:
        donor = self._donors[memory_id]
        if donor == memory_id:
            self._index.forget(memory_id)
        else:
            self._index.save(_with_contents(self._true[memory_id], self._true[donor]))


def _with_contents(memory: Memory, donor: Memory) -> Memory:
    if memory.effect is not None and donor.effect is not None:
        effect = donor.effect.model_copy(update={"phrase": memory.effect.phrase})
        return memory.model_copy(update={"effect": effect})
    match memory.payload, donor.payload:
        case (ExamplePayload(), ExamplePayload(sql=sql, database=database)):
            changed = {"sql": sql, "database": database}
        case (IssuePayload(), IssuePayload(sql_query=sql, database=database)):
            changed = {"sql_query": sql, "database": database}
        case _:
            return memory
    return memory.model_copy(update={"payload": memory.payload.model_copy(update=changed)})
