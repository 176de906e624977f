"""Conversations over companies of their own: what goes on from the answer before, and what must be asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, RootModel
from tests.unit.analyst.worlds import World, are_right

from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.query.compiling.compile import spelled


class _Step(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    q: str
    sql: str
    """Empty where it must be asked what is meant."""


_Chats = RootModel[dict[str, tuple[tuple[_Step, ...], ...]]]


def _chats() -> Iterator[object]:
    text = Path(__file__).with_name("chats.yaml").read_text("utf-8")
    for world, chats in _Chats.model_validate(yaml.safe_load(text)).root.items():
        for chat in chats:
            yield pytest.param(world, chat, id=f"{world}: {'; '.join(step.q for step in chat)}")


@dataclass
class _Chat:
    world: World

    def __post_init__(self) -> None:
        self.history: list[EarlierTurn] = []

    def check(self, step: _Step) -> None:
        world = self.world
        reading = QuestionReader(world.schemas, world.values, world.today).read(step.q, self.history)  # fmt: skip
        if not step.sql:
            assert not reading.answers, [spelled(one) for one in reading.queries]
            return
        assert reading.answers, reading.decision
        (query, *_) = reading.queries
        assert are_right(world.rows(step.sql), world.rows(query), ordered=False), spelled(query)
        self.history.append(EarlierTurn(question=step.q, text="", standalone=reading.standalone))


@pytest.mark.parametrize(("world", "chat"), tuple(_chats()))
def test_a_conversation_goes_on_from_what_was_meant(worlds, world, chat):
    held = _Chat(worlds[world])
    for step in chat:
        held.check(step)
