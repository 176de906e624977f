"""What the pages need is in the package that people install."""

from pathlib import Path

import pytest

wheel = pytest.importorskip("hatchling.builders.wheel", reason="install it with: make dev")

ROOT = Path(__file__).parents[3]


def test_a_wheel_holds_every_file_of_the_package():
    held = {one.distribution_path for one in wheel.WheelBuilder(str(ROOT)).recurse_included_files()}
    files = [one for one in (ROOT / "src/oldhand").rglob("*") if one.is_file()]
    wanted = {
        str(one.relative_to(ROOT / "src"))
        for one in files
        if "__pycache__" not in one.parts and one.name != ".DS_Store"
    }
    assert {
        "oldhand/server/web/templates/base.html",
        "oldhand/server/web/static/app.js",
        "oldhand/lexicon/words/units.yaml",
    } & wanted
    assert not wanted - held
