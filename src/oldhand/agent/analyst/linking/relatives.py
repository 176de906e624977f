"""Words that say what somebody is to somebody else, where a value is called so, too."""

from oldhand.agent.analyst.words.links import Links, ValueMention
from oldhand.agent.analyst.words.vocabulary import Vocabulary


def is_of_another(value: ValueMention, links: Links, words: Vocabulary) -> bool:
    """True for the manager of `Ann's manager`, where rows refer to their managers: no row is meant that is called manager."""
    start, end = value.span.start, value.span.end
    said = {token.stem for token in links.tokens[start:end]}
    referring = {
        t.of for t in words.tables if t.role and said <= t.words - words.tables[t.of].words
    }
    around = ["", *(token.lower for token in links.tokens), ""]
    before = {start, start - 1} if around[start] == "s" else set[int]()
    after = {end + 1, end + 2} if around[end + 1] == "of" else set[int]()
    named = [(m.span, m.best.id) for m in links.tables]
    named += [(v.span, words.columns[o.column].table) for v in links.values for o in v.options]
    return any(
        table in referring and (span.end in before or span.start in after) for span, table in named
    )
