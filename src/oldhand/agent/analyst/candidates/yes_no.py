"""Questions for yes or no about one thing that is named: `Is Ann Lee from Rome?`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, slot
from oldhand.lexicon.entries import words

_ASKING = words("verbs.auxiliary")
_ALL = words("people.everybody")


def is_yes_no(asked: Asked) -> bool:
    """True for questions that begin with a verb."""
    return asked.word(0) in _ASKING


def asks_of_all(asked: Asked) -> int:
    """The tokens of `all` in a question for yes or no: rows that are found don't answer it."""
    return asked.marked(_ALL) if is_yes_no(asked) else 0


def yes_no_slots(asked: Asked) -> Iterator[Slot]:
    """The one thing that is named, where nothing else says what is to be shown: it is there, or it is not."""
    choices: list[Choice] = []
    alone = is_yes_no(asked) and not asked.links.tables
    for mention in asked.links.values if alone else ():
        for option in mention.options[:3]:
            entry = asked.column(option.column)
            if not entry.name_like:
                continue
            shown = asked.full_name(entry.table) or (option.column,)
            features: Features = (("yes.thing", option.score),)
            choices.append(select(asked, 0, 1, features, *map(asked.ref, shown)))
    yield from slot(1, choices)
