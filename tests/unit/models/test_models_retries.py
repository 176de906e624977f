"""How long is waited between attempts."""

import asyncio
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import (
    ModelRefused,
    ModelServerError,
    ModelTimedOut,
    ModelUnavailable,
    RateLimited,
)
from oldhand.models.retries import Retries
from oldhand.settings import ModelSettings
from oldhand.testing import SkippingLoop


async def no_wait(seconds: float) -> None:
    pass


@given(st.integers(0, 5000), st.integers(0, 1000), st.floats(0, 10), st.floats(0, 60))
def test_the_wait_grows_with_full_jitter_up_to_a_bound(
    number: int, seed: int, base: float, longest: float
) -> None:
    settings = ModelSettings(backoff_seconds=base, max_backoff_seconds=longest)
    wait = Retries(settings, Random(seed), no_wait).wait(number, ModelServerError())
    assert 0 <= wait <= longest
    assert number > 60 or wait <= base * 2**number


def test_jitter_is_drawn_from_the_whole_range() -> None:
    retries = Retries(ModelSettings(backoff_seconds=1.0), Random(3), no_wait)
    waits = [retries.wait(0, ModelServerError()) for _ in range(200)]
    assert min(waits) < 0.1
    assert max(waits) > 0.9


@pytest.mark.parametrize(("asked", "waited"), [(0.0, 0.0), (7.0, 7.0), (3600.0, 20.0)])
def test_the_provider_s_word_counts_within_the_bound(asked: float, waited: float) -> None:
    retries = Retries(ModelSettings(), Random(1), no_wait)
    assert retries.wait(0, RateLimited(retry_after=asked)) == waited


async def test_the_last_error_is_raised_when_all_attempts_fail() -> None:
    tried: list[int] = []

    async def attempt() -> None:
        tried.append(1)
        raise ModelUnavailable(f"attempt {len(tried)}")

    with pytest.raises(ModelUnavailable, match="attempt 3"):
        await Retries(ModelSettings(retries=2), Random(1), no_wait).run(attempt)


async def test_other_errors_are_raised_at_once() -> None:
    tried: list[int] = []

    async def attempt() -> None:
        tried.append(1)
        raise ModelRefused

    with pytest.raises(ModelRefused):
        await Retries(ModelSettings(), Random(1), no_wait).run(attempt)
    assert len(tried) == 1


def test_all_attempts_together_have_a_limit() -> None:
    tried: list[int] = []

    async def attempt() -> None:
        tried.append(1)
        if len(tried) == 1:
            raise ModelUnavailable
        await asyncio.Event().wait()

    asking = Retries(ModelSettings(total_seconds=90), Random(1), no_wait).run(attempt)
    with (
        asyncio.Runner(loop_factory=SkippingLoop) as runner,
        pytest.raises(ModelTimedOut, match="90 seconds, repetitions included"),
    ):
        runner.run(asking)
    assert len(tried) == 2


async def test_a_wait_beyond_the_limit_is_not_begun() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def attempt() -> None:
        raise RateLimited(retry_after=15.0)

    settings = ModelSettings(timeout_seconds=10.0, total_seconds=10.0)
    with pytest.raises(RateLimited):
        await Retries(settings, Random(1), sleep).run(attempt)
    assert waits == []


async def test_a_single_request_keeps_the_time_that_it_was_given() -> None:
    async def attempt() -> str:
        await asyncio.sleep(0)
        return "here"

    settings = ModelSettings(timeout_seconds=300.0, total_seconds=1e-9)
    assert await Retries(settings, Random(1), no_wait).run(attempt) == "here"
