"""Places: vectors that are near another one are found as by comparing all numbers of all of them."""

import numpy as np
import pytest

from oldhand.learning.credit.places import Places


def _in_all_directions(count: int, size: int) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((count, size))


def _about_topics(count: int, size: int) -> np.ndarray:
    drawn = np.random.default_rng(2)
    topics = drawn.standard_normal((40, size))
    return topics[drawn.integers(0, 40, count)] + 0.5 * drawn.standard_normal((count, size))


def _in_a_narrow_field(count: int, size: int) -> np.ndarray:
    weights = 1.0 / np.arange(1, size + 1)
    return _in_all_directions(count, size) * weights + weights


@pytest.mark.parametrize("spread", [_in_all_directions, _about_topics, _in_a_narrow_field])
@pytest.mark.parametrize("size", [1, 2, 7, 96])
@pytest.mark.parametrize("count", [3, 256, 1_300])
def test_near_vectors_are_those_of_a_full_product(spread, size, count):
    rows = spread(count + 20, size)
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    places = Places(size)
    assert [places.add(row) for row in rows[:count]] == list(range(count))
    assert len(places) == count
    for asked in rows[count:]:
        product = rows[:count] @ asked
        for least in (0.6, 0.97):
            near, likeness = places.near(asked, least)
            surely = np.flatnonzero(product > least + 1e-5)
            assert set(surely) <= set(near.tolist())
            assert np.all(np.diff(near) > 0)
            np.testing.assert_allclose(likeness, product[near], atol=1e-5)
            assert np.all(likeness > least)


def test_nothing_is_near_where_nothing_is():
    near, likeness = Places(5).near(np.ones(5, dtype=np.float32), 0.6)
    assert not len(near)
    assert not len(likeness)


def test_vectors_of_any_length_are_compared_by_their_product():
    places = Places(3)
    places.add(np.array([0, 0, 0], dtype=np.float32))
    places.add(np.array([0, 0, 4], dtype=np.float32))
    near, likeness = places.near(np.array([0, 1, 1], dtype=np.float32), 2.0)
    assert near.tolist() == [1]
    assert likeness.tolist() == [4.0]
