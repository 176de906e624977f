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


def replied_at_once(said: str, history: Sequence[EarlierTurn] = ()) -> str | None:
    """The reply to a calculation, to thanks, a farewell or an `ok`; empty or None for all that asks something.

    Where something was asked back just before, an `ok` answers that.

    >>> [replied_at_once(said) for said in ("2 + 3", "Thanks a lot!", "ok", "ok, and in Rome?")]
    ['2 + 3 = 5', "You're welcome.", 'Good. Ask on whenever you like.', None]
    """
    spoken = re.findall(r"[\w']+", said.casefold())
    kinds = {_CIVIL[word] for word in spoken if word in _CIVIL}
    asks = "?" in said or not {*spoken} <= _CIVIL.keys() | _BESIDE
    asked_back = any(turn.outcome in ASKING_BACK for turn in history[-1:])
    asks = asks or (asked_back and "agreement" in kinds)
    civil = "" if asks else next((text for kind, text in _COURTESIES.items() if kind in kinds), "")
    return civil or computed(said)
