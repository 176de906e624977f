"""Questions for yes or no about one thing that is named: `Is Ann Lee from Rome?`."""

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot
from oldhand.agent.analyst.candidates.sketch import Term
from oldhand.lexicon.entries import words

_ASKING = words("verbs.auxiliary")
_ALL = words("people.everybody")


def is_yes_no(asked: Asked) -> bool:
    """True for questions that begin with a verb."""
    return asked.word(0) in _ASKING


def asks_of_all(asked: Asked) -> int:
    """The tokens of `all` in a question for yes or no: rows that are found don't answer it."""
    words = [token.lower for token in asked.links.tokens]
    found = (1 << place for place, word in enumerate(words) if word in _ALL)
    return sum(found) if is_yes_no(asked) else 0


def yes_no_slots(asked: Asked) -> list[Slot]:
    """The one thing that is named, where nothing else says what is to be shown: it is there, or it is not."""
    if not is_yes_no(asked) or asked.links.tables:
        return []
    choices: list[Choice] = []
    for mention in asked.links.values:
        for option in mention.options[:3]:
            entry = asked.column(option.column)
            if not entry.name_like:
                continue
            shown = asked.full_name(entry.table) or (option.column,)
            features: Features = (("yes.thing", option.score),)
            terms = tuple(Term(column) for column in shown)
            choices.append(Choice("select", features, 1, 1 << entry.table, 0, terms))
    return [Slot(1, (*choices, Choice("skip")))] if choices else []
