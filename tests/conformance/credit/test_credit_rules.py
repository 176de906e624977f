"""What every rule promises that learns from votes which passages to show."""

import importlib
import inspect
import pkgutil
import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest

import oldhand.learning.credit as room
from oldhand.learning.credit.events import CreditEvent, CreditRule, NoRule, ShownPassage
from oldhand.learning.credit.kernel import KernelRule, features_of
from oldhand.learning.credit.scores import IntentScores, NearestVotes, PassageScores
from oldhand.record.retrieval import AskedPoint, PassageCandidate
from oldhand.settings.documents import KernelSettings, ScoreSettings

WIDE = 16
LAST_WORD = ScoreSettings(first_vote_only=False)
RULES: dict[str, Callable[[], CreditRule]] = {
    "none": NoRule,
    "ema": lambda: PassageScores(LAST_WORD),
    "intents": lambda: IntentScores(LAST_WORD),
    "nearest": lambda: NearestVotes(LAST_WORD),
    "kernel": lambda: KernelRule(KernelSettings()),
}
LEARNING = [name for name in RULES if name != "none"]


@pytest.fixture(params=RULES)
def made(request: pytest.FixtureRequest) -> Callable[[], CreditRule]:
    return RULES[request.param]


@pytest.fixture(params=LEARNING)
def learning(request: pytest.FixtureRequest) -> Callable[[], CreditRule]:
    return RULES[request.param]


def vector(seed: int) -> np.ndarray:
    found = np.random.default_rng(seed).normal(size=WIDE).astype(np.float32)
    return found / np.linalg.norm(found)


TEXTS = (
    "How do I return a bike?",
    "What does a helmet cost?",
    "Who signs contracts?",
    "Hello there",
)


def asked(number: int, *, embedded: bool = True) -> AskedPoint:
    return AskedPoint(f"{TEXTS[number % 4]} number {number}", vector(number) if embedded else None)


def candidates(number: int, *, embedded: bool = True) -> list[PassageCandidate]:
    """Twelve passages, the best first; the same ones in another order for each question."""
    chunks = [f"c{n}" for n in range(12)]
    random.Random(number).shuffle(chunks)
    return [
        PassageCandidate(
            chunk,
            1.0 - n / 12,
            0.9 - n / 20 if embedded else None,
        )
        for n, chunk in enumerate(chunks)
    ]


def event(
    number: int,
    *,
    question: int = 1,
    rating: int = 1,
    rater: str = "ana",
    episode: str | None = None,
    passage: str | None = None,
    embedded: bool = True,
) -> CreditEvent:
    found = candidates(question, embedded=embedded)
    shown, top = features_of(found)
    return CreditEvent(
        f"f{number}",
        number,
        rater,
        episode or f"e{number}",
        asked(question, embedded=embedded),
        tuple(shown[:5]),
        rating,
        top=top,
        passage=passage,
    )


def seen(rule: CreditRule) -> list[object]:
    """All that can be seen of what a rule has learned."""
    return [
        (tuple(rule.evident(asked(n))), tuple(rule.rank(asked(n), candidates(n)))) for n in range(9)
    ]


def taught(rule: CreditRule, events: Sequence[CreditEvent]) -> CreditRule:
    for one in events:
        rule.learn(one)
    return rule


def log(seed: int, count: int = 30) -> list[CreditEvent]:
    chance = random.Random(seed)
    return [
        event(
            n,
            question=chance.randrange(6),
            rating=chance.choice((1, 1, -1)),
            rater=chance.choice(("ana", "bo", "cy")),
            passage=chance.choice((None, None, None, "c3")),
        )
        for n in range(count)
    ]


def test_every_rule_of_the_room_is_here():
    found = set[str]()
    for module in pkgutil.iter_modules(room.__path__):
        for _, kind in inspect.getmembers(
            importlib.import_module(f"{room.__name__}.{module.name}")
        ):
            is_rule = inspect.isclass(kind) and isinstance(getattr(kind, "name", None), str)
            if is_rule and kind.__module__.startswith(room.__name__) and hasattr(kind, "learn"):
                found.add(kind.name)
    assert found == set(RULES)
    assert len(found) == 5


def test_without_feedback_nothing_changes(made):
    for number in range(9):
        found = candidates(number)
        ranked = made().rank(asked(number), found)
        assert [(one.chunk, one.score, one.boost) for one in ranked] == [
            (one.chunk, one.base, 0.0) for one in found
        ]
        assert tuple(made().evident(asked(number))) == ()


def test_no_candidates_are_no_trouble(made):
    assert list(taught(made(), log(1)).rank(asked(1), [])) == []


def test_no_passage_is_lost_or_doubled(made):
    ranked = taught(made(), log(2)).rank(asked(2), candidates(2))
    assert sorted(one.chunk for one in ranked) == sorted(one.chunk for one in candidates(2))


def test_votes_lift_what_they_approve_of_and_lower_what_they_don_t(learning):
    last = candidates(1)[4].chunk
    for rating, better in ((1, True), (-1, False)):
        rule = taught(
            learning(), [event(n, rating=rating, rater=f"r{n}", passage=last) for n in range(6)]
        )
        boost = next(one.boost for one in rule.rank(asked(1), candidates(1)) if one.chunk == last)
        assert (boost > 0) is better
        assert boost != 0


@pytest.mark.parametrize("rating", [1, -1])
def test_no_number_of_votes_goes_beyond_a_bound(made, rating):
    few, many = (
        taught(made(), [event(n, rating=rating, rater=f"r{n}") for n in range(count)])
        for count in (600, 900)
    )
    for one, other in zip(
        few.rank(asked(1), candidates(1)), many.rank(asked(1), candidates(1)), strict=True
    ):
        assert abs(one.boost) <= 1
        assert one.boost == pytest.approx(other.boost, abs=0.02)
        assert np.isfinite(one.score)


def test_a_rater_counts_once_for_an_answer(made):
    once = taught(made(), [event(1)])
    often = taught(made(), [event(n, episode="e1") for n in range(1, 200)])
    assert seen(once) == seen(often)


def test_thousands_of_votes_of_one_rater_on_one_passage_count_once(made):
    rule = made()
    for number in range(3_000):
        rule.learn(event_like(number))
    assert len(rule.learned()) == 1
    assert seen(rule) == seen(taught(made(), [event_like(1)]))


_ONE = event(1, passage="c3", question=3)


def event_like(number: int) -> CreditEvent:
    return CreditEvent(
        f"f{number}", number, "ana", "e1", _ONE.asked, _ONE.shown, 1, top=_ONE.top, passage="c3"
    )


def test_a_changed_vote_takes_the_place_of_the_first(made):
    events = log(3)
    rule = taught(made(), events)
    changed = event(99, question=2, rating=-1, rater=events[4].rater, episode=events[4].episode_id)
    changed = CreditEvent(**{**changed.__dict__, "passage": events[4].passage})
    rule.learn(changed)
    assert seen(rule) == seen(taught(made(), [*events[:4], *events[5:], changed]))


def test_a_vote_that_is_withdrawn_was_never_given(made):
    events = log(4)
    rule = taught(made(), events)
    for one in (events[0], events[17], events[-1]):
        rule.forget(one.id)
    rule.forget("unknown")
    left = [*events[1:17], *events[18:-1]]
    assert seen(rule) == seen(taught(made(), left))


def test_the_order_of_calls_does_not_matter(made):
    events = log(5)
    shuffled = random.Random(5).sample(events, len(events))
    assert seen(taught(made(), shuffled)) == seen(taught(made(), events))


def test_what_was_worked_out_is_taken_in_again_as_it_was(made):
    rule = taught(made(), log(6))
    other = made()
    other.restore(rule.learned())
    assert seen(other) == seen(rule)
    late = event(50, question=3, rater="dee")
    assert seen(taught(other, [late])) == seen(taught(rule, [late]))


def test_it_learns_without_an_embedder(learning):
    rule = taught(
        learning(),
        [event(n, rater=f"r{n}", passage="c3", question=3, embedded=False) for n in range(5)],
    )
    found = candidates(3, embedded=False)
    before = [one.chunk for one in found].index("c3")
    after = [one.chunk for one in rule.rank(asked(3, embedded=False), found)].index("c3")
    boosts = [one.boost for one in rule.rank(asked(3, embedded=False), found) if one.chunk == "c3"]
    assert after <= before
    assert before >= 10 or boosts[0] > 0


@pytest.mark.parametrize("strange", [np.full(WIDE, np.nan, np.float32), vector(1)[:8]])
def test_strange_vectors_break_nothing(made, strange):
    rule = taught(made(), log(7))
    before = seen(rule)
    odd = AskedPoint("strange", strange)
    shown = (ShownPassage("c1", 0.0, 1),)
    rule.learn(CreditEvent("odd", 98, "bo", "odd", odd, shown, 1))
    ranked = rule.rank(odd, candidates(1))
    assert len(ranked) == 12
    assert all(np.isfinite(one.score) for one in ranked)
    rule.forget("odd")
    assert seen(rule) == before


def test_two_opposite_votes_leave_little(learning):
    rule = taught(learning(), [event(1, rater="bo"), event(2, rating=-1, rater="cy")])
    assert all(abs(one.boost) < 0.25 for one in rule.rank(asked(1), candidates(1)))
