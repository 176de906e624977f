"""Stems are the same whoever else is stemming words at the moment."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import pytest

from oldhand.record.stemming import stemmed

WORDS = ("customers", "organizations", "relational", "happiness", "conditional", "electricity")


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("rules", ["english", "porter"])
@pytest.mark.usefixtures("hasty_threads")
def test_threads_that_stem_at_once_do_not_mix_up_their_words(
    rules: Literal["english", "porter"],
) -> None:
    def stem(number: int) -> str:
        return stemmed(WORDS[number % len(WORDS)], rules)

    expected = [stem(number) for number in range(len(WORDS))]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(stem, range(1_000 * len(WORDS))))
    assert found == expected * 1_000
