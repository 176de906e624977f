"""From what an evaluator says to a record: nonsense is refused by name, huge texts are cut."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from pydantic import JsonValue

from oldhand.errors import InvalidEvaluation
from oldhand.record.shortening import shortened

MAX_ISSUES = 50
MAX_CHARACTERS = 2_000
"""Of one issue."""
MAX_SQL = 20_000
MAX_DETAILS = 20_000
"""Characters that everything else may take."""

_READABLE = (str, int, float, list, tuple, Mapping)
"""What `evaluate` may return; numbers and truth values hold no issue, but are no mistake."""
_ENVELOPE = frozenset({"evaluator_type", "query_idx", "timestamp"})
_KNOWN = frozenset({"issues", "is_valid", "score", "sql_query", "error_type"})


class EvaluatorVerdict(NamedTuple):
    """What an evaluator says, checked."""

    issues: tuple[str, ...]
    is_valid: bool | None
    score: float | None
    sql_query: str | None
    error_type: str | None
    details: dict[str, JsonValue]


def checked_verdict(result: object) -> EvaluatorVerdict:
    """What `result` says.

    >>> checked_verdict({"issues": ["No join condition"], "score": 0.7}).issues
    ('No join condition',)
    >>> checked_verdict({"issues": 7})
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidEvaluation: issues: a list of texts is expected, not int.

    Raises:
        InvalidEvaluation: it has not the form of a result; the message says where.
    """
    if not isinstance(result, Mapping):
        raise InvalidEvaluation(f"A result is a dict with 'issues', not {_kind(result)}.")
    given = {str(key): value for key, value in cast("Mapping[object, object]", result).items()}
    others = {name: value for name, value in given.items() if name not in _KNOWN | _ENVELOPE}
    return EvaluatorVerdict(
        issues=checked_texts("issues", given.get("issues"))[:MAX_ISSUES],
        is_valid=_is_valid(given.get("is_valid")),
        score=_score(given.get("score")),
        sql_query=_text("sql_query", given.get("sql_query"), MAX_SQL),
        error_type=_text("error_type", given.get("error_type"), MAX_CHARACTERS),
        details=_details(others),
    )


def checked_answer(answer: object) -> object:
    """Return what `evaluate` returned, when an issue could be in it.

    >>> checked_answer(["No join condition", None])
    ['No join condition', None]
    >>> checked_answer(iter(["No join condition"]))
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidEvaluation: evaluate returned list_iterator: an issue, several, a result, or None is expected.

    Raises:
        InvalidEvaluation: it is something else, such as a generator.
    """
    if answer is not None and not isinstance(answer, _READABLE) and not hasattr(answer, "issues"):
        raise InvalidEvaluation(
            f"evaluate returned {_kind(answer)}: an issue, several, a result, or None is expected."
        )
    return cast("object", answer)


def checked_texts(name: str, value: object) -> tuple[str, ...]:
    """Texts, each cut; a single one may stand for a list, empty ones are left out.

    Raises:
        InvalidEvaluation: it is something else.
    """
    if value is None:
        return ()
    several: object = [value] if isinstance(value, str) else value
    if not isinstance(several, list | tuple):
        raise InvalidEvaluation(f"{name}: a list of texts is expected, not {_kind(value)}.")
    items = cast("Iterable[object]", several)
    texts = [_text(f"{name}[{n}]", one, MAX_CHARACTERS) for n, one in enumerate(items)]
    return tuple(one for one in texts if one and one.strip())


def _kind(value: object) -> str:
    return type(value).__name__


def _is_valid(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise InvalidEvaluation(f"is_valid: true or false is expected, not {_kind(value)}.")


def _score(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidEvaluation("score: a number from 0 to 1 is expected.")
    if not 0 <= value <= 1:
        raise InvalidEvaluation(f"score: a number from 0 to 1 is expected, not {value:.4g}.")
    return float(value)


def _text(name: str, value: object, most: int) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else shortened(value, most)
    raise InvalidEvaluation(f"{name}: a text is expected, not {_kind(value)}.")


def _details(others: dict[str, object]) -> dict[str, JsonValue]:
    try:
        text = json.dumps(others, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidEvaluation(f"A result holds only what JSON can: {error}.") from error
    if len(text) > MAX_DETAILS:
        raise InvalidEvaluation(
            f"A result may hold {MAX_DETAILS:,} characters beside its issues, not {len(text):,}."
        )
    return json.loads(text)
