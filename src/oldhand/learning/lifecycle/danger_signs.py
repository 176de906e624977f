"""How orders to a model, secrets and personal data are written, as `danger_signs.yaml` lists it."""

import re
from functools import cache
from typing import Any, cast

from oldhand.lexicon.entries import shipped

_FLAGS = {"orders": re.IGNORECASE | re.MULTILINE, "secrets": re.IGNORECASE}


@cache
def danger_sign(name: str) -> re.Pattern[str]:
    """What finds the signs of one kind.

    >>> danger_sign("card").findall("4111 1111 1111 1111, 2024-01-05")
    ['4111 1111 1111 1111']
    """
    parts, signs = _written()
    joined = "|".join(f"(?:{one})" for one in signs[name])
    for part, pattern in parts.items():
        joined = joined.replace(f"<{part.upper()}>", pattern)
    return re.compile(joined, _FLAGS.get(name, 0))


@cache
def _written() -> tuple[dict[str, str], dict[str, list[str]]]:
    found = cast(
        "dict[str, dict[str, Any]]", shipped("oldhand.learning.lifecycle", "danger_signs.yaml")
    )
    return found["parts"], found["signs"]
