"""Where pytest looks for examples in docstrings."""

from collections.abc import Generator
from pathlib import Path

import pytest

Found = list[pytest.Collector]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, Found, Found]:
    """Leave out modules without an example: importing and searching them takes longer than those with one."""
    found = yield
    if file_path.suffix != ".py" or b">>> " in file_path.read_bytes():
        return found
    return [one for one in found if type(one) is pytest.Module]
