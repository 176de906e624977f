"""The choice of a model: cheap where that is good enough, with a floor of quality."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest

from oldhand.learning.routing import Chooser, situation_for
from oldhand.learning.routing.share import BetaEstimate
from oldhand.record.answer import Outcome
from oldhand.record.situation import Situation
from oldhand.settings import RoutedModel, RoutingSettings
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON, example_episode, example_feedback

FREE = RoutedModel(name="granite-local", free=True, local=True)
MIDDLE = RoutedModel(name="gpt-4o-mini", cost=0.002)
STRONG = RoutedModel(name="claude-opus", cost=0.03)
HARD = Situation(intent="comparison", complexity=0.8)
SIMPLE = Situation(intent="aggregation", complexity=0.1)
QUESTIONS = {
    "hard": "Compare customers in Berlin versus Oslo by year, but not those above average before 2020 and also after?",
    "simple": "How many customers?",
}


@pytest.fixture
def store(sqlite_store_url: str) -> Iterator[Store]:
    with Store.open(sqlite_store_url, clock=FixedClock()) as opened:
        yield opened


def chooser(store: Store, *models: RoutedModel, **limits: float) -> Chooser:
    named = models or (STRONG, FREE, MIDDLE)
    return Chooser("default", store, RoutingSettings(models=named, **limits))


def seen(store: Store, model: str, kind: str, good: int, bad: int = 0, **changes: object) -> None:
    for number in range(good + bad):
        name = f"{model}-{kind}-{number}-{good}-{bad}"
        store.record_episode(
            example_episode(
                name, model=model, question=QUESTIONS[kind], session_id=name, user_id="ana", **changes
            )
        )  # fmt: skip
        at = NOON + timedelta(minutes=1)
        rating = 1 if number < good else -1
        store.add_feedback(example_feedback(f"f-{name}", rating, episode_id=name, rater="ana", created_at=at))  # fmt: skip


def chances(found: Chooser, situation: Situation) -> dict[str, float]:
    return {one.model: one.chance for one in found.options(situation)}


def test_chances_add_up_to_one(store):
    for complexity in (0.0, 0.3, 0.9):
        situation = Situation(intent="ranking", complexity=complexity)
        assert sum(chances(chooser(store), situation).values()) == pytest.approx(1, abs=1e-5)


def test_before_anything_is_known_simple_questions_go_to_the_cheap_and_hard_ones_to_the_strong(store):  # fmt: skip
    found = chooser(store)
    assert max(chances(found, SIMPLE).items(), key=lambda one: one[1])[0] == "granite-local"
    assert max(chances(found, HARD).items(), key=lambda one: one[1])[0] == "claude-opus"
    assert found.best(HARD) == "claude-opus"


@pytest.mark.parametrize("question", ["What's 2 + 2?", "2+2", "Hello", "Thanks a lot!"])
def test_trivial_questions_go_to_the_free_local_model(store, question):
    seen(store, "granite-local", "hard", 0, 30)
    assert chances(chooser(store), situation_for(question))["granite-local"] == 1


@pytest.mark.parametrize(
    "question", ["And in Oslo?", "churn", "customers in Berlin", "2 + 2 orders", "no"]
)
def test_few_words_are_no_small_talk_and_what_is_said_of_their_answers_counts(store, question):
    situation = situation_for(question)
    for number in range(30):
        name = f"wrong-{number}"
        store.record_episode(
            example_episode(name, model="granite-local", question=question, session_id=name)
        )
        store.add_feedback(example_feedback(f"f-{name}", -1, episode_id=name))
    assert chances(chooser(store), situation)["granite-local"] == 0


def test_without_a_free_local_model_trivial_questions_go_to_the_cheapest(store):
    situation = Situation(intent="calculation")
    assert chooser(store, STRONG, MIDDLE).best(situation) == "gpt-4o-mini"
    remote = RoutedModel(name="free-remote", free=True)
    assert chooser(store, remote, FREE).best(situation) == "granite-local"


def test_the_builtin_mind_is_a_free_local_model(store):
    builtin = RoutedModel(name="builtin")
    assert chooser(store, STRONG, builtin).best(Situation(intent="calculation")) == "builtin"


def test_a_cheap_model_that_does_well_gets_the_questions(store):
    seen(store, "granite-local", "hard", 40, 2)
    seen(store, "claude-opus", "hard", 40, 0)
    assert chances(chooser(store), HARD)["granite-local"] > 0.95


def test_a_model_that_is_surely_below_the_floor_is_never_tried(store):
    seen(store, "granite-local", "hard", 10, 20)
    found = chances(chooser(store), HARD)
    assert found["granite-local"] == 0
    _, items = chooser(store).draw(HARD, Random(1))
    assert "granite-local" not in {one.item_id for one in items}


def test_what_happens_with_hard_questions_hardly_counts_for_simple_ones(store):
    seen(store, "granite-local", "hard", 10, 20)
    seen(store, "granite-local", "simple", 30, 0)
    assert chances(chooser(store), SIMPLE)["granite-local"] > 0.9


def test_when_all_are_below_the_floor_the_best_one_answers(store):
    seen(store, "granite-local", "hard", 0, 30)
    seen(store, "gpt-4o-mini", "hard", 12, 20)
    seen(store, "claude-opus", "hard", 15, 20)
    assert chances(chooser(store), HARD) == {"granite-local": 0, "gpt-4o-mini": 0, "claude-opus": 1}


def test_a_dear_model_that_does_no_better_gets_no_questions(store):
    seen(store, "gpt-4o-mini", "simple", 40, 1, seconds=2.0)
    seen(store, "claude-opus", "simple", 40, 1, seconds=60.0)
    assert chances(chooser(store, MIDDLE, STRONG), SIMPLE)["claude-opus"] < 0.01


def test_who_waits_long_for_a_free_model_pays_as_well(store):
    seen(store, "granite-local", "simple", 30, 0, seconds=90.0)
    seen(store, "gpt-4o-mini", "simple", 30, 0, seconds=2.0, usage={"cost": 0.002})
    assert chooser(store).best(SIMPLE) == "gpt-4o-mini"
    assert chooser(store, second=0).best(SIMPLE) == "granite-local"


def test_a_model_that_was_down_is_no_worse_for_it(store):
    for number in range(30):
        store.record_episode(
            example_episode(
                f"down-{number}", model="granite-local", question=QUESTIONS["simple"], outcome=Outcome.FAILED,
                success=None, usage={"requests": 0}, ledger=(), session_id=f"down-{number}",
            )
        )  # fmt: skip
    assert chooser(store).best(SIMPLE) == "granite-local"
    assert [one.answers for one in chooser(store).routes()] == []


def test_models_that_cannot_be_asked_now_have_no_chance(store):
    found = chooser(store).options(SIMPLE, without={"granite-local"})
    assert {one.model for one in found} == {"gpt-4o-mini", "claude-opus"}
    assert sum(one.chance for one in found) == pytest.approx(1, abs=1e-5)
    trivial = chooser(store).options(situation_for("2+2"), without={"granite-local"})
    assert next(one.model for one in trivial if one.chance == 1) == "gpt-4o-mini"


def test_an_answer_that_was_none_counts_against_its_model_unless_somebody_likes_it(store):
    for number in range(30):
        name = f"none-{number}"
        store.record_episode(
            example_episode(
                name, model="granite-local", question=QUESTIONS["hard"], outcome=Outcome.ABSTAINED, session_id=name,
                success=None,
            )
        )  # fmt: skip
    (route,) = [one for one in chooser(store, FREE).routes() if one.answers]
    assert (route.success, route.judged) == (0.0, 30)
    store.add_feedback(example_feedback("f", 1, episode_id="none-3", rater="ana"))
    (route,) = [one for one in chooser(store, FREE).routes() if one.answers]
    assert route.success == pytest.approx(1 / 30, abs=1e-4)


def test_models_are_drawn_by_the_chances_that_are_put_on_record(store):
    found, random = chooser(store), Random(1)
    wanted = chances(found, HARD)
    drawn = Counter(found.draw(HARD, random)[0] for _ in range(600))
    for model, chance in wanted.items():
        assert drawn[model] / 600 == pytest.approx(chance, abs=0.06)
    model, items = found.draw(HARD, random)
    assert [one.item_id for one in items if one.shown] == [model]
    assert {one.item_id: one.chance for one in items} == {k: v for k, v in wanted.items() if v}


def test_costs_as_seen_decide_which_model_is_the_cheaper_one(store):
    dear = RoutedModel(name="said-to-be-cheap", cost=0.001)
    usage = example_episode().answer.usage.model_copy(update={"cost": 1.0})
    seen(store, "said-to-be-cheap", "hard", 30, usage=usage)
    assert chooser(store, dear, MIDDLE).options(HARD)[0].model == "gpt-4o-mini"


def test_questions_learn_which_model_is_good_enough(store):
    """Simulated: the cheap model is right in 95 % of simple questions and in 40 % of hard ones, the strong one in 92 %."""
    right = {("granite-local", "simple"): 0.95, ("granite-local", "hard"): 0.4}
    found, random = chooser(store, FREE, STRONG), Random(4)
    used: dict[str, list[str]] = {"simple": [], "hard": []}
    for number in range(200):
        kind = "simple" if number % 2 else "hard"
        model, _ = found.draw(SIMPLE if kind == "simple" else HARD, random)
        used[kind].append(model)
        good = random.random() < right.get((model, kind), 0.92)
        _one(store, number, model, kind, good=good)
    assert Counter(used["hard"][50:])["claude-opus"] >= 48
    assert Counter(used["simple"][50:])["granite-local"] >= 42


def _one(store: Store, number: int, model: str, kind: str, *, good: bool) -> None:
    name = f"sim-{number}"
    store.record_episode(
        example_episode(name, model=model, question=QUESTIONS[kind], session_id=name)
    )
    vote = example_feedback(f"f-{name}", 1 if good else -1, episode_id=name, rater="ana")
    store.add_feedback(vote)


@pytest.mark.parametrize(("good", "bad", "limit"), [(3, 5, 0.4), (46, 4, 0.8), (1, 1, 0.3), (2.5, 7.25, 0.2)])  # fmt: skip
def test_the_chance_to_be_below_a_limit_is_that_of_draws(good, bad, limit):
    random = Random(1)
    below = sum(random.betavariate(good, bad) < limit for _ in range(20_000)) / 20_000
    assert BetaEstimate(good, bad).below(limit) == pytest.approx(below, abs=0.012)


def test_the_chance_to_be_below_a_limit_is_one_at_the_end():
    assert [BetaEstimate(3, 4).below(limit) for limit in (-1, 0, 1, 2)] == [0, 0, 1, 1]
    assert BetaEstimate(1_800, 200).below(0.8) < 1e-12
