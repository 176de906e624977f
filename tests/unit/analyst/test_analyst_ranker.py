"""The weights of the ranker can be made again, from what people set and from questions with their answers."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks._generated_questions import generated
from benchmarks.train_ranker import Example, accuracy, example, trained

from oldhand.agent.analyst import candidates
from oldhand.agent.analyst.candidates.ranking import learned, priors, score


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> tuple[Example, ...]:
    """Examples of a small library, made under the weights before training."""
    questions, databases = generated(tmp_path_factory.mktemp("library"))
    made = (
        example(question, text, databases[question.database], priors().weights)
        for question in questions
        for text in (question.text, question.synonyms)
    )
    return tuple(one for one in made if one is not None and one.features)


@pytest.fixture(scope="module")
def found(sample) -> dict[str, float]:
    """What training finds on the sample."""
    return trained(lambda fewer, _: sample[::fewer])[0]


def test_training_twice_finds_the_same_weights(sample, found):
    again, made = trained(lambda fewer, _: sample[::fewer])
    assert again == found
    assert tuple(made) == sample


def test_training_leaves_alone_what_people_keep_and_moves_the_others(found):
    kept = priors().kept
    assert {name: found[name] for name in kept} == kept
    start = priors().weights
    moved = [name for name, weight in found.items() if abs(weight - start.get(name, 0.0)) > 0.001]
    assert len(moved) > 50


def test_training_ranks_the_sample_at_least_as_well_as_what_it_starts_with(sample, found):
    assert accuracy(sample, found) >= accuracy(sample, priors().weights) > 0.5


def test_weights_made_again_choose_what_those_that_ship_choose(sample, found):
    same = [_best(one, found) == _best(one, learned().weights) for one in sample]
    assert sum(same) >= 0.9 * len(same) > 50


def test_the_weights_that_ship_keep_what_people_set():
    shipped, kept = learned().weights, priors().kept
    assert {name: shipped[name] for name in kept} == kept


def test_the_weights_that_ship_stay_near_to_where_training_starts():
    start = priors().weights
    apart = [abs(w - start.get(name, 0.0)) for name, w in learned().weights.items()]
    assert sum(apart) / len(apart) < 0.3
    assert max(apart) < 2.0


@pytest.mark.parametrize("weights", [learned().weights, priors().weights], ids=["ship", "priors"])
def test_no_weight_is_of_a_feature_that_the_code_does_not_know(weights):
    known = re.compile(f"({'|'.join(_features())})" + r"(\.or|\.both)?")
    assert [name for name in weights if not known.fullmatch(name)] == []


def test_each_weight_that_people_set_has_a_reason_and_is_set_once():
    reasons = [kept.because for kept in priors().keep.values()]
    reasons += [family.because for family in priors().start.values()]
    assert all(len(reason.split()) > 3 and reason.endswith(".") for reason in reasons)
    named = [*priors().keep, *(n for family in priors().start.values() for n in family.weights)]
    assert len(named) == len(set(named)) == len(priors().weights)


def _best(one: Example, weights: dict[str, float]) -> int:
    """The meaning of the best candidate."""
    scores = [score(features, weights) for features in one.features]
    return one.meanings[scores.index(max(scores))]


def _features() -> Iterator[str]:
    """Patterns of the names of features: the texts with a dot in the code, what is put into them being any word."""
    yield "covered"
    for file in Path(candidates.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if re.fullmatch(r"[a-z_]+\.[a-z_0-9.]+", node.value):
                    yield re.escape(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w<>=]+"
                    for part in node.values
                ]
                if re.match(r"[a-z_]+\\\.", parts[0]):
                    yield "".join(parts)
