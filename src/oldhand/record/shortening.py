"""Long texts where there is little room."""

SHOWN_ID = 16
"""Characters of a memory's id that are shown; enough to name it."""


def shortened(text: str, limit: int) -> str:
    """`text`, cut at `limit` characters, with an ellipsis when something is missing.

    >>> shortened("Constantinople", 8), shortened("Istanbul", 8)
    ('Constan…', 'Istanbul')
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"
