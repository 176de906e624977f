"""How an answer was put, as people complain of it: too long, too short. That says nothing of whether it was right."""

import re

from oldhand.record.feedback import Feedback

TOO_LONG = re.compile(
    r"\b(?:too|so|very|overly) (?:verbose|long|wordy|lengthy|detailed|chatty)\b|\bverbose\b|\blong-winded\b"
    r"|\b(?:be |more |please )concise\b|\b(?:be |keep it |make it )?(?:shorter|briefer)\b|\btoo many words\b",
    re.IGNORECASE,
)
TOO_SHORT = re.compile(
    r"\b(?:too|so|very|overly) (?:short|brief|terse|concise)\b|\bmore details?\b|\bmore detailed\b|\btoo few words\b",
    re.IGNORECASE,
)
_FILLERS = frozenset(
    ["a", "and", "answer", "answers", "be", "been", "bit", "but", "can", "correct", "could", "explanation", "far", "fine", "for", "good", "i", "is", "it", "its", "just", "keep", "like", "little", "make", "me", "much", "need", "please", "prefer", "rather", "reply", "response", "responses", "right", "should", "still", "text", "that", "the", "this", "true", "want", "was", "way", "were", "would", "your"]
)  # fmt: skip


def words_of(feedback: Feedback) -> str:
    """What was said in words and tags, those as words."""
    tags = " ".join(re.sub(r"[-_#]+", " ", tag) for tag in feedback.tags)
    return f"{feedback.text or ''} {tags}"


def is_about_style(feedback: Feedback) -> bool:
    """Whether it complains of how the answer was put, and of nothing else: its SQL is not called wrong then.

    >>> from oldhand.testing.records import example_feedback
    >>> said = ("Right, but too verbose.", "Too long, and it counted cancelled orders.", None)
    >>> [is_about_style(example_feedback("f", -1, text=text)) for text in said]
    [True, False, False]
    """
    if feedback.rating != -1 or feedback.correction:
        return False
    words = words_of(feedback)
    rest, found = TOO_LONG.subn(" ", words)
    rest, more = TOO_SHORT.subn(" ", rest)
    left = re.findall(r"[^\W_]+", rest.casefold())
    return found + more > 0 and _FILLERS.issuperset(left)
