"""What it takes to choose the versions of prompts and the model for an answer, by the number of answers that are known."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks._own_process import alone, processor_seconds
from oldhand.learning.prompts import ANALYSIS_ROLES, PromptShelf, draw_prompts
from oldhand.learning.routing import Chooser
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.situation import situation_of
from oldhand.settings import PromptSettings, RoutedModel, RoutingSettings
from oldhand.store import Store
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import NOON, example_episode, example_feedback, example_memory

SIZES = (0, 300, 3_000)
AGAIN = 9
"""Choices after the first one."""
MODELS = ("ollama:granite4", "openai:gpt-4o")
_VERSIONS = ("orchestrator_v1", "orchestrator_v2")
_ASKED = ("How many {} are there?", "{} per month, by country", "Which {} have more {} than the average of all {} of their country?")  # fmt: skip
_THINGS = ("customers", "orders", "invoices", "products", "returns", "payments", "suppliers")


class Took(NamedTuple):
    """Processor milliseconds of one choice."""

    first: float
    """Of the first one in a process, as with a command."""
    later: float
    """Of later ones in the same process, as in a server: the shortest."""


def run(data: Path | None, sizes: tuple[int, ...] = SIZES) -> None:  # noqa: ARG001
    """Print the table."""
    print("Answers with votes, half of them made with a version on trial; processor time.\n")
    print("| answers | prompts, first choice | later ones | model, first choice | later ones |")
    print("|---:|---:|---:|---:|---:|")
    for size in sizes:
        with TemporaryDirectory() as folder:
            alone(partial(_filled, folder, size))
            prompts, model = alone(partial(_prompts, folder)), alone(partial(_model, folder))
        times = (f"{one:.1f} ms" for took in (prompts, model) for one in took)
        print(f"| {size:,} |", " | ".join(times), "|", flush=True)


def _filled(folder: str, size: int) -> None:
    chance = Random(1)
    with _store(folder) as store:
        store.save_memories(
            "default", [_version(_VERSIONS[0]), _version(_VERSIONS[1], "candidate")]
        )
        for number in range(size):
            name, tried = f"e{number}", chance.random() < 0.5
            things = chance.choices(_THINGS, k=3)
            episode = example_episode(
                name,
                created_at=NOON,
                session_id=name,
                question=chance.choice(_ASKED).format(*things),
                model=chance.choice(MODELS),
            )
            items = tuple(
                Recalled(kind="prompt", item_id=one, rank=rank, score=0.9, shown=shown, chance=0.5, used=shown)
                for rank, (one, shown) in enumerate(zip(_VERSIONS, (not tried, tried), strict=True), 1)
            )  # fmt: skip
            store.record_episode(episode, Recollection(episode_id=name, items=items))
            rating = 1 if chance.random() < 0.85 else -1
            store.add_feedback(example_feedback(f"f{number}", rating, episode_id=name))


def _version(name: str, *tags: str) -> Memory:
    said = {"version": name[-2:], "text": f"Text of {name}."}
    return example_memory(
        name, MemoryType.PROMPT, confidence=0.9, tags=("orchestrator", *tags), payload=said, user_id="default"
    )  # fmt: skip


def _prompts(folder: str) -> Took:
    with _store(folder) as store:
        shelf = PromptShelf("default", store, PromptSettings())
        times = [_milliseconds(lambda: draw_prompts(shelf, ANALYSIS_ROLES, Random(1))) for _ in range(1 + AGAIN)]  # fmt: skip
    return Took(times[0], min(times[1:]))


def _model(folder: str) -> Took:
    limits = RoutingSettings(models=tuple(RoutedModel(name=one, cost=0.01 * rank) for rank, one in enumerate(MODELS)))  # fmt: skip
    asked = situation_of("Revenue per country over the last year, compared with the year before")
    with _store(folder) as store:
        chooser = Chooser("default", store, limits)
        times = [_milliseconds(lambda: chooser.draw(asked, Random(1))) for _ in range(1 + AGAIN)]
    return Took(times[0], min(times[1:]))


def _milliseconds(work: Callable[[], object]) -> float:
    return 1000 * processor_seconds(work)


def _store(folder: str) -> Store:
    return Store.open(f"sqlite:///{folder}/oldhand.db", clock=FixedClock(NOON))
