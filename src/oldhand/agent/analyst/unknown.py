"""Words of a question that nothing in the databases answers to."""

from oldhand.agent.analyst.links import Links
from oldhand.agent.analyst.tokens import STOP_WORDS, Token
from oldhand.agent.analyst.vocabulary import Vocabulary
from oldhand.agent.analyst.wordlists import adjective_of, word_lists

_PARTS = frozenset(
    {"month", "year", "months", "years", "monthly", "yearly", "week", "weeks", "day", "days"}
)


def unknown_words(links: Links, words: Vocabulary) -> tuple[Token, ...]:
    """Words with content that neither the schemas nor the values nor general English explain."""
    known = 0
    for mention in (*links.tables, *links.columns):
        known |= mention.span.mask
    for mention in (*links.values, *links.numbers, *links.dates, *links.cues):
        known |= mention.span.mask
    fillers, irregular = word_lists().fillers, word_lists().irregular
    found: list[Token] = []
    for position, token in enumerate(links.tokens):
        if known >> position & 1 or not token.is_word or token.number is not None:
            continue
        if (
            token.lower in STOP_WORDS
            or token.lower in _PARTS
            or irregular.get(token.stem, token.stem) in fillers
            or adjective_of(token.lower)
        ):
            continue
        if not words.hits(token.stem):
            found.append(token)
    return tuple(found)
