"""What is replied at once, without a database: the value of a calculation, and a word to thanks and farewells."""

import re
from collections.abc import Sequence

from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.arithmetic import computed
from oldhand.lexicon.entries import meanings, words
from oldhand.record.answer import ASKING_BACK

_CIVIL, _BESIDE = meanings("replies.civil"), words("replies.beside_civil")
_COURTESIES = {
    "thanks": "You're welcome.",
    "leaving": "Goodbye.",
    "agreement": "Good. Ask on whenever you like.",
}


_AGREEING, _REFUSING = words("replies.agreeing"), words("replies.refusing")
_NOTHING_WAITS = "Nothing waits for a yes or a no here: ask a question."
_REFUSED = "Then I have read it wrongly. Choose another reading, or ask in other words."


def bare_reply(said: str) -> bool | None:
    """Whether words are no more than a yes, or no more than a no; None where they say both, or anything else.

    >>> [bare_reply(said) for said in ("Yes, please!", "That is right.", "nope", "No, that is wrong", "yes, and in Rome?")]
    [True, True, False, False, None]
    """
    told = {*without_courtesies(said)}
    if not told or "?" in said:
        return None
    return True if told <= _AGREEING else False if told <= _REFUSING else None


def without_courtesies(said: str) -> list[str]:
    """The words of a reply, in small letters, that are more than polite.

    >>> without_courtesies("2, please"), without_courtesies("Yes, thanks")
    (['2'], ['yes'])
    """
    polite = (_BESIDE | _CIVIL.keys()) - _AGREEING - _REFUSING
    spoken = re.findall(r"[\w']+", said.replace("\u2019", "'").casefold())
    return [one for one in spoken if one not in polite]


def replied_at_once(said: str, history: Sequence[EarlierTurn] = ()) -> str | None:
    """The reply to a calculation, to thanks, a farewell or an `ok`; empty or None for all that asks something.

    Where something was asked back just before, an `ok` answers that.

    >>> [replied_at_once(said) for said in ("2 + 3", "Thanks a lot!", "ok", "ok, and in Rome?")]
    ['2 + 3 = 5', "You're welcome.", 'Good. Ask on whenever you like.', None]
    >>> replied_at_once("Yes")
    'Nothing waits for a yes or a no here: ask a question.'
    """
    spoken = re.findall(r"[\w']+", said.casefold())
    kinds = {_CIVIL[word] for word in spoken if word in _CIVIL}
    asks = "?" in said or not {*spoken} <= _CIVIL.keys() | _BESIDE
    asked_back = any(turn.outcome in ASKING_BACK for turn in history[-1:])
    asks = asks or (asked_back and "agreement" in kinds)
    told = bare_reply(said)
    if asks and (told is False or (told and not asked_back)):
        return _REFUSED if asked_back else _NOTHING_WAITS
    civil = "" if asks else next((text for kind, text in _COURTESIES.items() if kind in kinds), "")
    return civil or computed(said)
