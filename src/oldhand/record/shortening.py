"""Long texts where there is little room."""


def shortened(text: str, limit: int) -> str:
    """`text`, cut at `limit` characters, with an ellipsis when something is missing.

    >>> shortened("Constantinople", 8), shortened("Istanbul", 8)
    ('Constan…', 'Istanbul')
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"
