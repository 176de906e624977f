"""How an answer was put, as people complain of it: too long, in another language, not rounded. That says nothing of whether it was right."""

import re

from oldhand.learning.wishes import preferences_in
from oldhand.lexicon.entries import words
from oldhand.record.feedback import OUR_TAGS, Feedback

TOO_LONG = re.compile(
    r"\b(?:too|so|very|overly) (?:verbose|long|wordy|lengthy|detailed|chatty)\b|\bverbose\b|\blong-winded\b"
    r"|\b(?:be |more |please )concise\b|\b(?:be |keep it |make it )?(?:shorter|briefer)\b|\btoo many words\b",
    re.IGNORECASE,
)
TOO_SHORT = re.compile(
    r"\b(?:too|so|very|overly) (?:short|brief|terse|concise)\b|\bmore details?\b|\bmore detailed\b|\btoo few words\b",
    re.IGNORECASE,
)
_WRONG = re.compile(r"\b(?:not|isn'?t|wasn'?t|never) (?:right|correct|true)\b", re.IGNORECASE)
_LANGUAGES = words("style.languages")
_NAMED = words("style.forms") | _LANGUAGES
_IN_LANGUAGE = re.compile(
    rf"\b(?:in(?:to)?|to|speak|use|language|translate\w*) (?:(?:\w+ )?(?:and|or) |\w+ )?(?:{'|'.join(sorted(_LANGUAGES))})\b",
    re.IGNORECASE,
)
"""A language by itself may as well be a value: `the Dutch and the French only`."""
_FILLERS = words("style.fillers")


def words_of(feedback: Feedback) -> str:
    """What was said in words and tags, those as words."""
    given = (tag for tag in feedback.tags if tag not in OUR_TAGS)
    tags = " ".join(re.sub(r"[-_#]+", " ", tag) for tag in given)
    return f"{feedback.text or ''} {tags}"


def is_style(said: str) -> bool:
    """Whether words speak of how an answer is put, and of nothing else.

    >>> [is_style(one) for one in ("Please round to thousands", "Answer in French please", "use a table", "too long")]
    [True, True, True, True]
    >>> [is_style(one) for one in ("Too long, and it counted cancelled orders.", "use the orders table", "2", "wrong")]
    [False, False, False, False]
    >>> [is_style(one) for one in ("in Dutch or French", "the Dutch and the French only")]
    [True, False]
    """
    if preferences_in(said):
        return True
    rest, found = TOO_LONG.subn(" ", said)
    rest, more = TOO_SHORT.subn(" ", rest)
    left = set(re.findall(r"[^\W\d_]+", rest.casefold()))
    named = _NAMED if _IN_LANGUAGE.search(said) else _NAMED - _LANGUAGES
    says_so = found + more > 0 or bool(left & named)
    return says_so and left <= _NAMED | _FILLERS and not _WRONG.search(said)


def is_about_style(feedback: Feedback) -> bool:
    """Whether a -1, or a comment, complains of how the answer was put, and of nothing else: its SQL is not called wrong then.

    >>> from oldhand.testing.records import example_feedback
    >>> said = ("Right, but too verbose.", "Too long, and it counted cancelled orders.", None)
    >>> [is_about_style(example_feedback("f", -1, text=text)) for text in said]
    [True, False, False]
    """
    if feedback.rating not in (None, -1) or feedback.correction:
        return False
    return is_style(words_of(feedback))
