"""Which phrases are never learned as an alias, whatever speaks for them."""

from oldhand.agent.analyst.linking.spoken import target_ids
from oldhand.agent.analyst.linking.unknown import is_general
from oldhand.agent.analyst.words.cues import find_cues
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.tokens import tokenise, word_stems
from oldhand.record.effect import Alias

_KINDS_OF_NAMES = word_stems("names.general")


def may_be_learned(alias: Alias, words: Vocabulary) -> bool:
    """False for everyday words, for words that tell the form of a query, and for names of something else.

    >>> from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
    >>> columns = tuple(Column(name=n, type="TEXT", kind=Kind.TEXT) for n in ("name", "tier"))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=columns),))
    >>> said = ("clients", "top", "most", "total", "number", "tier", "order by", "2024")
    >>> aliases = [Alias(phrase=text, database="shop", table="customers") for text in said]
    >>> [alias.phrase for alias in aliases if may_be_learned(alias, Vocabulary((shop,)))]
    ['clients']
    """
    target = target_ids(alias, words)
    tokens = tokenise(alias.phrase)
    if target is None or not tokens or not all(token.is_word for token in tokens):
        return False
    telling = [token for token in tokens if not is_general(token) and token.number is None]
    if not telling or all(token.stem in _KINDS_OF_NAMES for token in telling):
        return False
    cued = 0
    for cue in find_cues(tokens):
        cued |= cue.span.mask
    if cued == (1 << len(tokens)) - 1:
        return False
    return not _is_known(tuple(token.stem for token in tokens), target, words)


def _is_known(stems: tuple[str, ...], target: tuple[int, int], words: Vocabulary) -> bool:
    """True when the phrase is a name in the schemas, or a word that fits other things as well as this one."""
    if len(stems) == 1:
        own = (-1, target[1]) if target[1] >= 0 else (target[0], -1)
        hits = [hit for hit in words.hits(stems[0]) if hit.word >= 0]
        others = [hit.strength for hit in hits if (hit.table, hit.column) != own]
        here = [hit.strength for hit in hits if (hit.table, hit.column) == own]
        return max(others, default=0.0) >= max(here, default=1.0)
    names = {form for entry in words.tables for form in entry.forms}
    names |= {form for entry in words.columns for form in entry.forms}
    return stems in names
