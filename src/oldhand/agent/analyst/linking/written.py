"""Which of several names of one stem the very word of a question is: a `translator` is no translation."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.index import DERIVED
from oldhand.agent.analyst.words.links import Links, Mention, bits
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import Token, stem
from oldhand.lexicon.wording import is_past_form, singular


def written(token: Token, name: str) -> bool | None:
    """True where a name has the word itself, whatever its number, False where only others of its stem, None where none."""
    alike = [word for word in split_name(name) if stem(word) == token.stem]
    return singular(token.lower) in map(singular, alike) if alike else None


def meant_by(
    token: Token, entry: ColumnEntry, plurals: AbstractSet[str], *, is_thing: bool
) -> float:
    """How much a column is meant by a word, against one that is called by nothing else.

    Args:
        token: the word.
        entry: the column.
        plurals: the names of columns that are plurals.
        is_thing: whether a table is called by the very word.
    """
    name = entry.column.name
    other = not (written(token, name) or (entry.measures and written(token, name) is None))
    outdone = token.lower in plurals and name.lower() != token.lower
    if not (outdone or (is_thing and other)):
        return 1.0
    # Buildings are no year in which one was built.
    return DERIVED**2 if entry.holds_years else DERIVED


def but_deeds(mention: Mention, vocabulary: Vocabulary, tokens: Sequence[Token]) -> Mention:
    """Without ends of keys where a deed is said, as in `approved documents` beside an approver, or where a table is called so.

    Of words of one stem the very one is meant: a `translator` is no translation.
    """
    last = tokens[mention.span.end - 1]
    tables = {option: vocabulary.tables[option.id] for option in mention.options}
    exactly = {o: written(last, t.role or t.table.name) for o, t in tables.items()}
    ends = [o for o in mention.options if tables[o].is_end and not is_past_form(last.lower)]
    if not any(exactly[one] for one in mention.options if not tables[one].role):
        ends = [one for one in ends if exactly[one] is not False]
        if exact := [one for one in ends if exactly[one]]:
            others = (o for o in mention.options if not tables[o].role and exactly[o] is None)
            return replace(mention, options=(*exact, *others))
    plain = max((o.score for o in mention.options if not tables[o].role), default=0.0)
    kept = {one for one in ends if one.score >= plain and exactly[one] is not False}
    options = tuple(o for o in mention.options if not tables[o].is_end or o in kept)
    return replace(mention, options=options)


def but_told_deeds(links: Links) -> Links:
    """Without tables and columns for verbs that tell an end: no translator of `texts translated into Polish`."""
    told = bits(end.used for end in links.ends if end.of is not None)
    deeds = bits(1 << at for at, one in enumerate(links.tokens) if is_past_form(one.lower)) & told
    tables = tuple(m for m in links.tables if m.span.mask & ~deeds)
    columns = tuple(m for m in links.columns if m.span.mask & ~deeds)
    return replace(links, tables=tables, columns=columns) if tables != links.tables else links
