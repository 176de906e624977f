"""How a reflection is shown: what went well, what could be better and why, and what follows from it."""

from collections.abc import Iterator

from rich.text import Text

from oldhand.cli.screen import one_line
from oldhand.record.memory import Memory, ReflectionPayload


def reflection_lines(memory: Memory) -> Iterator[Text]:
    """A reflection for people.

    >>> from oldhand.record.memory import MemoryType
    >>> from oldhand.testing.records import example_memory
    >>> for line in reflection_lines(example_memory(kind=MemoryType.REFLECTION)):
    ...     print(line)
    Reflection: The city was matched by name; customers who moved were counted twice.
      Rule: Count customers by id, not by address
    """
    payload = memory.payload
    assert isinstance(payload, ReflectionPayload), "only reflections are shown so"
    yield Text.assemble(("Reflection: ", "bold"), one_line(payload.reflection))
    learnings = payload.learnings
    for label, texts in (
        ("Went well", learnings.what_went_well),
        ("Could be better", learnings.improvements),
        ("Why", (payload.root_cause,) if payload.root_cause else ()),
        ("Rule", learnings.rules),
        ("For the prompt", learnings.prompt_suggestions),
        ("To test", tuple(one.test for one in payload.proposals if one.test)),
    ):
        for text in texts:
            yield Text(f"  {label}: {one_line(text)}", "dim")
