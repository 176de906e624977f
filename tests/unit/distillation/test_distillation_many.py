"""What is found among many lessons by what they have in common is what comparing all pairs would find."""

import random
from itertools import combinations

import pytest

from oldhand.learning.distillation.likeness import alike, gist_of, opposite
from oldhand.learning.distillation.opponents import Opponents, stand_of_effect, stands_of_claim
from oldhand.learning.distillation.places import contradict
from oldhand.learning.distillation.texts import Texts
from oldhand.record.effect import DefaultFilter, Effect, ValueMapping

_WORDS = ("margin", "margins", "marign", "weight", "weights", "supplier", "suppliers", "supplyer", "aggregate", "country", "price", "Berlin", "thing7", "thing8")  # fmt: skip
_WAYS = ("Always round {}", "Never round {}", "Round {} if it is large", "Show the top {amount} of {}", "Use {}, not {other}", "Use {other} instead of {}")  # fmt: skip


def _texts(number: int, seed: int) -> list[str]:
    source = random.Random(seed)

    def said() -> str:
        words = source.sample(_WORDS, source.randint(1, 6))
        way, amount = source.choice(_WAYS), source.choice((5, 10))
        return way.format(" and the ".join(words), amount=amount, other=source.choice(_WORDS))

    return [said() for _ in range(number)]


@pytest.mark.parametrize("seed", range(6))
def test_a_text_that_says_the_same_is_found_wherever_there_is_one(seed: int) -> None:
    texts, known = Texts(), dict[str, str]()
    found = 0
    for number, said in enumerate(_texts(400, seed)):
        gist = gist_of(said)
        same = [name for name, text in known.items() if alike(gist_of(text), gist)]
        one = texts.same("rules", gist)
        assert one in same if same else one is None, said
        found += one is not None
        texts.add(f"rule-{number}", "rules", gist)
        known[f"rule-{number}"] = said
    assert 20 < found < 380


@pytest.mark.parametrize("seed", range(6))
def test_texts_that_have_to_give_way_are_those_that_a_weightier_one_contradicts(seed: int) -> None:
    gists = [gist_of(one) for one in _texts(300, seed)]
    opponents = Opponents()
    losers = 0
    for number, gist in enumerate(gists):
        stands = [stand for claim in gist.claims for stand in stands_of_claim(claim)]
        against = [str(n) for n in range(number) if opposite(gists[n], gist)]
        one = opponents.taken(str(number), stands)
        assert one in against if against else one is None
        losers += one is not None
    assert 20 < losers < 280


def _effects() -> list[Effect]:
    conditions = ("{} = 1", "{} = 2", "{} <> 1", "{} <> 2", "NOT {} = 3", "{} > 1 OR {} < 0")
    filters = [
        DefaultFilter(database="shop", table="orders", condition=one.format(column, column))
        for one in conditions
        for column in ("status", "total")
    ]
    values = [
        ValueMapping(database="shop", table="t", column="c", spoken=spoken, value=value)
        for spoken in ("red", "blue")
        for value in ("R", "B", "X")
    ]
    return [*filters, *values]


@pytest.mark.parametrize("seed", range(6))
def test_effects_that_have_to_give_way_are_those_that_a_weightier_one_contradicts(seed: int) -> None:  # fmt: skip
    effects = [*_effects(), *_effects()]
    random.Random(seed).shuffle(effects)
    opponents = Opponents()
    for number, effect in enumerate(effects):
        against = [str(n) for n in range(number) if contradict(effects[n], effect)]
        one = opponents.taken(str(number), [stand_of_effect(effect)])
        assert one in against if against else one is None
    assert any(contradict(one, other) for one, other in combinations(effects, 2))
