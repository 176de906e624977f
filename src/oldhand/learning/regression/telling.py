"""What a spec expects, in words."""

from collections.abc import Iterator

from oldhand.learning.regression.spec import Expected


def expectations(expected: Expected) -> tuple[str, ...]:
    """What is expected of an answer, one phrase for each thing.

    >>> expectations(Expected(model_used="granite-local", cost=0.0, tools_used=(), response_contains=("4",)))
    ('the model granite-local', 'a cost of at most 0.0 dollars', 'no tools', "a text with '4'")
    """
    return (*_of_the_route(expected), *_of_the_text(expected), *_of_the_queries(expected))


def _of_the_route(expected: Expected) -> Iterator[str]:
    if expected.outcome is not None:
        yield f"the outcome {expected.outcome.value}"
    if expected.model_used is not None:
        yield f"the model {expected.model_used}"
    if expected.cost is not None:
        yield f"a cost of at most {expected.cost} dollars"
    if expected.tools_used is not None:
        yield (
            f"the tools {', '.join(expected.tools_used)} only"
            if expected.tools_used
            else "no tools"
        )
    for tool in expected.tools_not_used:
        yield f"not the tool {tool}"


def _of_the_text(expected: Expected) -> Iterator[str]:
    for text in expected.response_contains:
        yield f"a text with {text!r}"
    for text in expected.response_not_contains:
        yield f"a text without {text!r}"


def _of_the_queries(expected: Expected) -> Iterator[str]:
    if expected.sql is not None:
        yield f"the rows of {expected.database}: {' '.join(expected.sql.split())}"
    elif expected.database is not None:
        yield f"the database {expected.database}"
    if expected.rows is not None:
        yield f"{len(expected.rows):,} given rows"
    for sql in expected.sql_not_contains:
        yield f"SQL without {' '.join(sql.split())}"
    for sql in expected.sql_not_equals:
        yield f"other SQL than {' '.join(sql.split())}"
