"""What a language model answered is answered again at night, a few at a time, with the opposite draw."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from oldhand.errors import ModelUnavailable
from oldhand.learning.evidence import Weighing
from oldhand.learning.regression.exam import Exam
from oldhand.loop.examining import Examining
from oldhand.record.base import Row
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.memory import MemoryType
from oldhand.record.rehearsal import RehearsalSetup
from oldhand.settings import TrialSettings
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.records import example_episode, example_memory


@dataclass
class Model:
    """Answers 3 with the rule and 4 without it, whatever is asked."""

    is_there: bool = True
    asked: list[tuple[list[str], list[str]]] = field(default_factory=list)
    foresees: bool = False

    def foreseen(self, question: str, setup: RehearsalSetup) -> object:
        raise AssertionError(f"{question} {setup}: it does not foresee")

    def rows(self, question: str, setup: RehearsalSetup) -> tuple[Row, ...]:
        if not self.is_there:
            raise ModelUnavailable(f"away: {question}")
        self.asked.append((sorted(one.id for one in setup.shown), sorted(setup.hidden)))
        return ((3,),) if any(one.id == "rule" for one in setup.shown) else ((4,),)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path}/oldhand.db", clock=FixedClock()) as opened:
        yield opened


def examining(store: Store, model: Model, shadows: int = 5) -> Examining:
    exam = Exam("default", store, model, lambda *_: (), 5, FixedClock())
    return Examining("default", store, exam, shadows)


def answered(store: Store, name: str, rows: tuple[Row, ...], *, shown: bool, **changes: object) -> None:  # fmt: skip
    drawn = {"rule": (shown, 0.5), "idle": (True, 0.5), "owner": (True, 1.0)}
    items = tuple(
        Recalled(kind="memory", item_id=one, rank=rank, score=1, shown=is_shown, chance=chance)
        for rank, (one, (is_shown, chance)) in enumerate(drawn.items(), 1)
    )
    question = "How many orders are there?"
    said = {"question": question, "standalone": question, "rows": rows, **changes}
    episode = example_episode(name, session_id=name, **said)
    store.record_episode(episode, Recollection(episode_id=name, items=items))


def lessons(store: Store) -> None:
    found = {"source": "execution"}
    for name in ("rule", "idle", "owner"):
        memory = example_memory(name, MemoryType.SEMANTIC, user_id="default", provenance=found)
        store.save_memory(memory)


def go_on() -> bool:
    return True


def test_the_opposite_draw_is_answered_with_the_other_lessons_as_they_were(store: Store) -> None:
    lessons(store)
    answered(store, "e1", ((4,),), shown=False)
    model = Model()
    assert examining(store, model).shadow(go_on=go_on) == 2
    assert model.asked == [(["idle", "owner", "rule"], []), (["owner"], ["idle", "rule"])]
    found = Weighing("default", store, TrialSettings(), FixedClock()).evidence()
    told = {one.lesson_id: (one.shadows.same, one.shadows.differing) for one in found}
    assert told == {"rule": (0, 1), "idle": (1, 0)}
    assert examining(store, model).shadow(go_on=go_on) == 0


def test_no_more_is_spent_in_a_night_than_the_settings_allow(store: Store) -> None:
    lessons(store)
    for number in range(4):
        answered(store, f"e{number}", ((3,),), shown=True)
    model = Model()
    assert examining(store, model, shadows=3).shadow(go_on=go_on) == 3
    assert len(model.asked) == 3
    assert examining(store, model, shadows=0).shadow(go_on=go_on) == 0


def test_what_leans_on_a_conversation_or_was_cut_is_left_alone(store: Store) -> None:
    lessons(store)
    answered(store, "e1", ((3,),), shown=True, standalone="How many orders are there in Rome?")
    answered(store, "e2", ((3,),), shown=True, truncated=True)
    assert examining(store, Model()).shadow(go_on=go_on) == 0


def test_a_model_that_is_away_costs_nothing_but_the_shadow(store: Store) -> None:
    lessons(store)
    answered(store, "e1", ((3,),), shown=True)
    assert examining(store, Model(is_there=False)).shadow(go_on=go_on) == 0
    assert examining(store, Model()).shadow(go_on=go_on) == 2
