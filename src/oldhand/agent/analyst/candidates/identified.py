"""Things that are told by their number: `order 17`, `ticket number 12`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features
from oldhand.agent.analyst.candidates.yes_no import is_yes_no
from oldhand.agent.analyst.words.links import NumberMention
from oldhand.lexicon.entries import words
from oldhand.query.form import Comparison

_BETWEEN = words("function_words.before_identifiers")


def with_number(asked: Asked, number: NumberMention) -> Iterator[Choice]:
    """The row whose key is the number right after the name of one thing."""
    if not number.text.isdigit():
        return
    for mention in asked.links.tables:
        between = asked.words(mention.span.end, number.span.start)
        one = not asked.word(mention.span.end - 1).endswith("s") and mention.best.score >= 0.9
        if mention.span.end > number.span.start or not one or not set(between) <= _BETWEEN:
            continue
        used = number.span.mask | mention.span.mask
        for place in range(mention.span.end, number.span.start):
            used |= 1 << place
        for option in mention.options[:2]:
            keys = asked.key(option.id)
            if len(keys) == 1 and asked.column(keys[0]).numeric:
                features: Features = (("num.identity", option.score),)
                condition = Comparison(asked.ref(keys[0]), "=", (number.value,))
                bit = 1 << option.id
                shown = Choice("select", (), 0, bit, mention.span.start, (asked.ref(keys[0]),), table=option.id)  # fmt: skip
                along = (shown,) if is_yes_no(asked) else ()
                yield Choice("where", features, used, bit, number.span.start, condition=condition, along=along)  # fmt: skip
