"""What things cost: `orders that cost more than 100` does not speak of what their shipping costs."""

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.links import Mention, Option
from oldhand.lexicon.tokens import word_stems

_MONEY = word_stems("money.prices")
_PLAIN = word_stems("money.plain")


def may_be_the_cost(asked: Asked, mention: Mention, option: Option) -> bool:
    """False for a column that does not hold what the thing before the verb `cost` costs itself."""
    span = mention.span
    if span.end != span.start + 1 or asked.word(span.start) not in ("cost", "costs", "costing"):
        return True
    before = [m for m in asked.links.tables if 0 <= span.start - m.span.end <= 1]
    verb = asked.word(span.start - 1) in ("that", "which") or bool(before)
    if not before or not verb:
        return True
    entry = asked.column(option.id)
    own = {word for form in asked.vocabulary.tables[entry.table].forms for word in form}
    rest = set(entry.forms[0]) - _PLAIN - own
    return entry.table == before[-1].best.id and len(rest) == 1 and rest <= _MONEY
