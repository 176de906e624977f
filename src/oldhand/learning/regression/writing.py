"""Writing the test that an answer became, without overwriting what somebody wrote."""

import re
from pathlib import Path
from typing import NamedTuple

from oldhand.errors import OutputExists
from oldhand.learning.regression.pytest_file import pytest_text
from oldhand.learning.regression.spec import BehaviourSpec, Fix
from oldhand.learning.regression.spec_files import spec_text
from oldhand.sources.databases.files import write_atomically

_READABLE = 0o644


class Written(NamedTuple):
    """A spec as it was written, and where."""

    spec: BehaviourSpec
    files: tuple[Path, ...]


def write_spec(
    spec: BehaviourSpec, folder: Path, *, as_python: bool = False, force: bool = False
) -> Written:
    """Write `episode_<id>.yaml` into a folder, which is made if needed.

    With `as_python`, `test_episode_<id>.py` is written, too, and named in the spec.

    Raises:
        OutputExists: one of them is there already; nothing was written.
        StoreError: the folder cannot be written.
    """
    name = f"episode_{re.sub(r'[^A-Za-z0-9]+', '_', spec.episode_id)[:8]}"
    module = folder / f"test_{name}.py"
    if as_python:
        fix = (spec.fix or Fix()).model_copy(update={"test_created": module.as_posix()})
        spec = spec.model_copy(update={"fix": fix})
    texts = {folder / f"{name}.yaml": spec_text(spec)}
    if as_python:
        texts[module] = pytest_text(spec)
    for file in texts:
        if not force and (file.exists() or file.is_symlink()):
            raise OutputExists(f"{file} is there already: --force overwrites it.")
    for file, text in texts.items():
        write_atomically(file, text)
        file.chmod(_READABLE)
    return Written(spec, tuple(texts))
