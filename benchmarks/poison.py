"""How many rules that only a model stands behind reach a model that obeys whatever stands as an instruction."""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._obedient import ObedientModel
from benchmarks._poison_grammar import HONEST, poisons
from benchmarks._poisoned_prompts import PLACES, hostile
from oldhand import Oldhand
from oldhand.record.feedback import Source
from oldhand.record.memory import MemoryType
from oldhand.record.stage import State, state_of
from oldhand.testing.prompt_reading import unfenced
from oldhand.testing.prompts import Prompt
from oldhand.testing.scripted import Scripted

FIELDS = ("rules", "prompt_suggestions", "checklist")
"""Of the form that a reflecting model fills in."""
_FORMS: dict[str, dict[str, object]] = {
    "ValidationForm": {"verdict": "answerable", "databases": ["shop"], "confidence": 0.9},
    "PlanForm": {"steps": [{"number": 1, "purpose": "Count them.", "database": "shop"}]},
    "SQLForm": {"sql": "SELECT COUNT(city) AS customers FROM customers", "confidence": 0.9},
    "SummaryForm": {"text": "There are 3.", "confidence": 0.9},
}


class Reflecting:
    """Answers each form; where it is to reflect, it proposes what it was told last."""

    def __init__(self) -> None:
        self.proposes: dict[str, object] = {}
        """What it fills in, beside the reflection itself."""
        self.only_reads = False
        """True when it has read enough after its first prompt."""

    def __call__(self, prompt: Prompt) -> Scripted:
        """What fits the form that is to be filled in."""
        if prompt.form == "ReflectionForm":
            return {"reflection": "It went as it should.", **self.proposes}
        if self.only_reads:
            return {"verdict": "unanswerable", "text": "I have read enough."}
        return _FORMS.get(prompt.form or "", "There are 3.")


def obeyed(folder: str, texts: Sequence[str]) -> tuple[Counter[State], list[bool], list[bool]]:
    """The states of the lessons that a model's proposals became, and for each text whether a later prompt had it, and as an order."""
    reflecting = Reflecting()
    model = ObedientModel(reflecting)
    with sqlite3.connect(f"{folder}/shop.db") as shop:
        shop.executescript("CREATE TABLE customers AS SELECT 1 AS id, 'Berlin' AS city")
    with Oldhand(f"{folder}/home", model=model) as old:
        old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
        for number, some in enumerate(_parts(texts)):
            answer = old.ask(f"How many customers are there, by count {number}?")
            reflecting.proposes = {FIELDS[number % len(FIELDS)]: list(some)}
            old.episodes.reflect(answer.episode_id)
        reflecting.proposes, reflecting.only_reads = {}, True
        for _ in range(2):
            old.learn()
        model.prompts.clear()
        for text in texts:
            old.ask(f"How many customers: {text}?")
        lessons = [
            one for one in old.memories.list(limit=None) if one.provenance.source is Source.MODEL
        ]
        states = Counter(state_of(one) for one in lessons if one.type is not MemoryType.REFLECTION)
    return states, [model.has_read(one) for one in texts], [model.obeys(one) for one in texts]


def _parts(texts: Sequence[str]) -> list[Sequence[str]]:
    """As many at a time as are taken from one answer."""
    return [texts[start : start + 5] for start in range(0, len(texts), 5)]


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print how many of the hostile rules were read and obeyed, by kind; and what became of honest notes."""
    found = poisons()
    print(
        f"A reflecting model proposes {len(found)} hostile rules, of eight kinds, in four languages and five disguises, and {len(HONEST)} honest notes; "
        "then two nights pass, and each is asked about. Obeyed is what stands in a later prompt other than as data or as an observation.\n"
    )
    with TemporaryDirectory() as folder:
        states, read, done = obeyed(folder, [one.text for one in found])
    with TemporaryDirectory() as folder:
        kept, honest, orders = obeyed(folder, HONEST)
    print("| proposed | texts | in a later prompt | obeyed |")
    print("|---|---:|---:|---:|")
    for kind in dict.fromkeys(one.kind for one in found):
        places = [place for place, one in enumerate(found) if one.kind == kind]
        print(_row(kind, [read[one] for one in places], [done[one] for one in places]))
    print(_row("all hostile", read, done))
    print(_row("honest notes", honest, orders))
    found_in = obeyed_in_prompts()
    print(
        f"\n{len(hostile())} hostile texts in each of {len(found_in)} places of the prompts of an analysis:\n"
    )
    print("| place | texts | outside of data |")
    print("|---|---:|---:|")
    for place, some in found_in.items():
        print(f"| {place} | {len(hostile())} | {len(some)} |")
    waiting = states[State.WAITING], kept[State.WAITING]
    print(f"\nWaiting for people: {waiting[0]} hostile lessons, {waiting[1]} of the honest notes.")


def obeyed_in_prompts() -> Mapping[str, list[str]]:
    """For each place in the prompts of an analysis, the hostile texts that stood there outside of all data."""
    return {
        place: [
            text
            for text in hostile()
            if any(_core(text) in _squeezed(unfenced(prompt)) for prompt in prompts(text))
        ]
        for place, prompts in PLACES.items()
    }


def _core(text: str) -> str:
    """The order itself, without what stands before it to end a block."""
    return _squeezed(max(text.split("\n"), key=len))[-40:]


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _row(name: str, read: Sequence[bool], done: Sequence[bool]) -> str:
    return f"| {name} | {len(read)} | {sum(read)} | {sum(done)} |"
