"""What was not done, where a value says so by itself: who `did not show up` is a no-show."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.words.links import Cue, Span, ValueMention, ValueOption
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import Token
from oldhand.sources.databases.values import Values

_VERBS = words("verbs.denied")
_AUXILIARY = words("verbs.beside_denied")
_ATTENDING, _ABSENT = words("verbs.attending"), tuple(sorted(words("states.absent")))
_NONE = words("negation.nothing_held")
_LIKE = 0.9
"""How well a state fits that says the same in other words."""


def denied_deed(tokens: Sequence[Token], cue: Cue) -> int | None:
    """Where the verb stands that a negation denies: `show` of `did not show up`; None where it denies no verb.

    >>> from oldhand.agent.analyst.words.cues import find_cues
    >>> from oldhand.lexicon.tokens import tokenise
    >>> said = tokenise("guests who have never been seen")
    >>> [denied_deed(said, cue) for cue in find_cues(said) if cue.kind == "not"]
    [5]
    """
    said = [token.lower for token in tokens]
    place = cue.span.end
    if cue.kind != "not" or not (said[cue.span.start] in _VERBS or said[place - 1] == "never"):
        return None
    while place < len(said) and said[place] in _AUXILIARY:
        place += 1
    return place if place < len(said) and tokens[place].is_word else None


def absent_values(
    question: str,
    tokens: Sequence[Token],
    cues: Sequence[Cue],
    vocabulary: Vocabulary,
    values: Values,
) -> Iterator[ValueMention]:
    """The values that say what was not done: `no-show`, of who did not show up."""
    for cue in cues:
        place = denied_deed(tokens, cue)
        if place is None:
            continue
        verb = tokens[place].lower
        own = [f"{no} {verb}" for no in sorted(_NONE)] + [f"{no}{verb}" for no in sorted(_NONE)]
        found = [(match, 1.0) for match in values.exact(own)]
        rest = tokens[place + 1 :]
        if verb in _ATTENDING and (not rest or rest[0].lower == "up" or not rest[0].is_word):
            found += [(match, _LIKE) for match in values.exact(_ABSENT)]
        by_column: dict[int, list[tuple[float, str]]] = defaultdict(list)
        for match, score in found:
            key = (match.database, match.schema_name, match.table, match.column)
            if (column := vocabulary.column_ids.get(key)) is not None:
                by_column[column].append((score, match.value))
        if by_column:
            up = place + 1 < len(tokens) and tokens[place + 1].lower == "up"
            span = Span(cue.span.start, place + 1 + up)
            text = question[tokens[span.start].start : tokens[span.end - 1].end]
            best = {column: max(score for score, _ in held) for column, held in by_column.items()}
            options = (
                ValueOption(c, tuple(dict.fromkeys(v for s, v in held if s == best[c])), best[c])
                for c, held in sorted(by_column.items())
            )
            yield ValueMention(span, text, False, tuple(options))
