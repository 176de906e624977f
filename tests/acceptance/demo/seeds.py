"""The companies that the tests of the demo look at."""

import pytest


def trials(*seeds: int) -> list[object]:
    """Those that only `make trials` looks at."""
    return [pytest.param(seed, marks=pytest.mark.trial) for seed in seeds]
