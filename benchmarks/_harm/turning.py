"""Turns a question round, so that it asks for the opposite in nearly the same words."""

import re

_TURNS: tuple[tuple[str, str], ...] = (
    (r"\bmost\b", "least"), (r"(?<!at )\bleast\b", "most"), (r"\bfewest\b", "most"), (r"\bhighest\b", "lowest"), (r"\blowest\b", "highest"),
    (r"\blargest\b", "smallest"), (r"\bsmallest\b", "largest"), (r"\boldest\b", "youngest"), (r"\byoungest\b", "oldest"),
    (r"\blongest\b", "shortest"), (r"\bearliest\b", "latest"), (r"\bmaximum\b", "minimum"), (r"\bminimum\b", "maximum"),
    (r"\bmore than\b", "less than"), (r"\b(?:less|fewer) than\b", "more than"), (r"\bat least\b", "at most"), (r"\bat most\b", "at least"),
    (r"\bolder than\b", "younger than"), (r"\babove\b", "below"), (r"\bbelow\b", "above"), (r"\bbefore\b", "after"), (r"\bafter\b", "before"),
    (r"\bascending\b", "descending"), (r"\bdescending\b", "ascending"), (r"\baverage\b", "total"), (r"\btotal\b(?! number)", "average"),
    (r"\b(?:do|does|did) not\b", "do"), (r"\b(is|are|was|were|have|has) not\b", r"\1"), (r"\b(that|who|which) (are|were|have|had|is|was)\b(?! not| no\b| both\b)", r"\1 \2 not"),
    (r"\bwithout\b", "with"), (r"\bhave no\b", "have"), (r"\b(?:in|from) (?=[A-Z'\"])", "outside "), (r"\bnever\b", ""), (r"\bexcept\b", "in"),
)  # fmt: skip
_DOUBLE = re.compile(r"\s+")


def opposites(question: str) -> tuple[str, ...]:
    """The question with one of its turns taken, for each that it has.

    >>> opposites("Who is the oldest singer from Rome?")
    ('Who is the youngest singer from Rome?', 'Who is the oldest singer outside Rome?')
    """
    made = (
        _DOUBLE.sub(" ", re.sub(said, other, question, count=1))
        for said, other in _TURNS
        if len(re.findall(said, question)) == 1
    )
    return tuple(dict.fromkeys(text for text in made if text != question))
