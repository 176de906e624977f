"""First and last names that stand in two columns, as the one name that people say."""

from collections.abc import Sequence

_FIRST, _LAST = "with first name ", "with last name "


def with_joined_names(conditions: Sequence[str]) -> list[str]:
    """Conditions in words, those on a first and a last name as one.

    >>> with_joined_names(["in Rome", "with first name Ann", "with last name Lee"])
    ['in Rome', 'named Ann Lee']
    """
    first = [words for words in conditions if words.startswith(_FIRST)]
    last = [words for words in conditions if words.startswith(_LAST)]
    if len(first) != 1 or len(last) != 1:
        return list(conditions)
    rest = [words for words in conditions if words not in (*first, *last)]
    return [*rest, f"named {first[0].removeprefix(_FIRST)} {last[0].removeprefix(_LAST)}"]
