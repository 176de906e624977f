"""Words that say what somebody is to somebody else, where a value is called so, too."""

from dataclasses import replace

from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Links, Mention, ValueMention
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


def grouped_by_keys(links: Links, words: Vocabulary) -> Links:
    """`Cost per technician`, where a key is called after those who are: it tells the groups, and no row is narrowed to their job."""
    ends = {c.span.end for c in links.cues_of("per", "group", "by")}
    for value in (v for v in links.values if v.span.start in ends and not v.quoted):
        homes = {words.columns[o.column].table for o in value.options}
        roles = (m for m in links.tables if m.span == value.span)
        named = any(words.tables[m.best.id].of in homes for m in roles)
        key = next((m for m in links.columns if m.span == value.span), None)
        kept = _to(homes, key, words) if key is not None and not named else None
        if named or kept is not None:
            columns = tuple(kept if m is key and kept else m for m in links.columns)
            values = tuple(v for v in links.values if v is not value)
            links = replace(links, values=values, columns=columns)
    return links


def _to(homes: set[int], mention: Mention, words: Vocabulary) -> Mention | None:
    """The mention as that of the keys alone that lead to some tables; None where there is none."""
    options = [
        replace(option, score=WHOLE)
        for option in mention.options
        for edge in words.joins.edges(words.columns[option.id].table)
        if edge.left == words.columns[option.id].table and edge.right in homes
        if words.columns[option.id].column.name in [key for key, _ in edge.keys]
    ]
    return replace(mention, options=tuple(options)) if options else None
