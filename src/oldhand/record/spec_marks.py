"""By what a behaviour spec is told from other YAML files; imports nothing, because every run of pytest may ask."""

import re
from pathlib import Path

_SUFFIXES = {".yaml", ".yml"}
_MAX_BYTES = 5_000_000
_KEY = re.compile(
    r"""^["']?(episode_id|failure_type|input|expected|actual)["']?\s*:""", re.MULTILINE
)
_ENOUGH = 2


def is_spec(path: Path) -> bool:
    r"""Whether a file is meant as a behaviour spec, be it right or not; other YAML files are none of ours.

    >>> folder = getfixture("tmp_path")
    >>> _ = (folder / "a.yaml").write_text("episode_id: e1\nexpected: {")
    >>> _ = (folder / "b.yaml").write_text("input: 1\noutput: 2")
    >>> is_spec(folder / "a.yaml"), is_spec(folder / "b.yaml")
    (True, False)
    """
    if path.suffix not in _SUFFIXES or not path.is_file() or path.stat().st_size > _MAX_BYTES:
        return False
    try:
        text = path.read_text("utf-8-sig", errors="replace")
    except OSError:
        return False
    found = set(_KEY.findall(text))
    return len(found) >= _ENOUGH and bool(found & {"episode_id", "failure_type"})
