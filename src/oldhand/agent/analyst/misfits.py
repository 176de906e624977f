"""Readings whose parts contradict the words beside them: another date than the one named, a group of one, an average of all."""

from collections.abc import Mapping
from itertools import pairwise

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.ladders import led_elsewhere
from oldhand.agent.analyst.candidates.sketch import ROWS, Sketch
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import word_stems
from oldhand.record.schema import Kind

_TIMES = word_stems("time.asked")
_TAKING = words("verbs.taking")
_OWN = words("function_words.determiners")
_INTO = words("places.prepositions")
_PIECES = word_stems("money.pieces")
_AMOUNTS = _PIECES | {"amount", "total"}


def misfits(asked: Asked, sketch: Sketch, features: Mapping[str, float]) -> int:
    """The tokens that a query answers to by something that they do not mean, as bits.

    Args:
        asked: the question.
        sketch: the query.
        features: what speaks for the query.
    """
    own = "average.own_group" in features
    mask = (
        (0 if own else _average_of_group(asked))
        | _other_date(asked, sketch)
        | _groups_of_one(asked, sketch)
    )
    mask |= led_elsewhere(asked, sketch.tree.tables)
    mask |= (
        _groups_of_moments(asked, sketch)
        | _unsorted(asked, sketch)
        | _without_things(asked, sketch)
    )
    mask |= _by_one_row(asked, sketch) | _other_head(asked, sketch)
    mask |= _durations(asked, sketch) | _added_for_counted(asked, sketch)
    return mask | _counted_amounts(asked, sketch) | _undone(asked, features)


def _average_of_group(asked: Asked) -> int:
    """`More than the average of their department`: the average of all is another one."""
    mask = 0
    for cue in asked.links.cues_of("than_average"):
        words = asked.words(cue.span.end, cue.span.end + 2)
        if len(words) == 2 and words[0] in _INTO and words[1] in _OWN:
            following = [
                m
                for m in (*asked.links.tables, *asked.links.columns)
                if 0 <= m.span.start - cue.span.end - 2 <= 1 and m.best.score >= 0.5
            ]
            grouped = words[1] in ("their", "its", "his", "her", "each", "same", "own")
            mask |= sum({m.span.mask for m in following}) if grouped else 0
    return mask


def _other_date(asked: Asked, sketch: Sketch) -> int:
    """`Certifications expired before 2009` by the day on which they were made."""
    mask = 0
    used = {c.term.column for c in sketch.where}
    for date in asked.links.dates:
        for mention in asked.columns_before(date.span.start, 1):
            entry = asked.column(mention.best.id)
            table = {asked.column(c).table for c in used if asked.column(c).temporal}
            named = entry.temporal and mention.best.score >= 0.9
            if named and entry.table in table and mention.best.id not in used:
                mask |= date.span.mask
    return mask


def _groups_of_one(asked: Asked, sketch: Sketch) -> int:
    """`Which city has the most customers per store`: each store has one city, so that none is the first of several."""
    shown = {
        asked.column(t.column).table for t in sketch.select if t.column != ROWS and not t.aggregate
    }
    keyed = {asked.column(t.column).table for t in sketch.each if asked.column(t.column).column.primary_key}  # fmt: skip
    if not keyed or shown != keyed:
        return 0
    return sum({cue.span.mask for cue in asked.links.cues_of("per", "group")})


def _counted_amounts(asked: Asked, sketch: Sketch) -> int:
    """`How many units`, of a column of quantities: not how many different ones there are."""
    for term in sketch.select:
        if term.aggregate != "count" or term.column == ROWS:
            continue
        if set(asked.column(term.column).forms[0]) & _AMOUNTS:
            return sum({cue.span.mask for cue in asked.links.cues_of("count", "how_much")})
    return 0


def _undone(asked: Asked, features: Mapping[str, float]) -> int:
    """`Never performed a surgery`: that there is no row of some other kind says nothing of it."""
    if "not.related" not in features or "not.verb" in features:
        return 0
    return sum(
        {
            cue.span.mask
            for cue in asked.links.cues_of("not")
            if asked.word(cue.span.end).endswith("ed")
            and not asked.vocabulary.hits(asked.links.tokens[cue.span.end].stem)
        }
    )


def _groups_of_moments(asked: Asked, sketch: Sketch) -> int:
    """`Tickets that each agent has open`, for each moment at which one was opened: nobody asked for moments."""
    moments = [
        asked.column(t.column)
        for t in sketch.group
        if t.column != ROWS and not t.part and asked.column(t.column).column.kind is Kind.DATETIME
    ]
    counted = any(t.aggregate == "count" for t in (*sketch.select, *(o.term for o in sketch.order)))
    if not moments or not counted or _TIMES & {token.stem for token in asked.links.tokens}:
        return 0
    return sum({cue.span.mask for cue in asked.links.cues_of("per", "group", "by", "count")})


def _unsorted(asked: Asked, sketch: Sketch) -> int:
    """`The youngest student`, where the word only names the column of ages and nothing is sorted."""
    inner = [c.query for c in sketch.where if c.query is not None]
    terms = [*sketch.select, *(t for query in inner for t in query.select)]
    extreme = any(t.aggregate in ("max", "min", "avg") for t in terms)
    if sketch.order or sketch.each or extreme or any(q.order for q in inner):
        return 0
    own = {w for c in asked.links.columns for o in c.options[:1] for form in asked.column(o.id).forms for w in form}  # fmt: skip
    return sum(
        {
            cue.span.mask
            for cue in asked.links.cues_of("superlative")
            if not own & {token.stem for token in asked.links.tokens[cue.span.start : cue.span.end]}
            and asked.cue_before(cue.span.start, 1, "order") is None
            and not any(value.span.overlaps(cue.span) for value in asked.links.values)
        }
    )


def _without_things(asked: Asked, sketch: Sketch) -> int:
    """`List all suppliers with their lead times` by the times alone: nobody knows whose they are."""
    shown = [asked.column(t.column) for t in sketch.select if t.column != ROWS]
    for mention in asked.links.tables:
        rest = asked.words(mention.span.end, len(asked.links.tokens))
        their = any(one in ("with", "and") and two in ("their", "its") for one, two in pairwise(rest))  # fmt: skip
        asking = asked.region(mention.span) == "S" and mention.best.score >= 0.9
        owned = [e for e in shown if e.table == mention.best.id]
        named = any(e.name_like or e.key_like or e.id == asked.labels(e.table)[0] for e in owned)
        plain = not any(t.aggregate for t in sketch.select)
        if asking and their and owned and plain and not named:
            return mention.span.mask
    return 0


def _by_one_row(asked: Asked, sketch: Sketch) -> int:
    """`The best rated movie` by a single one of its ratings."""
    if sketch.limit is None or sketch.group:
        return 0
    shown = {asked.column(t.column).table for t in sketch.select if t.column != ROWS}
    by = {asked.column(o.term.column).table for o in sketch.order if o.term.column != ROWS}
    many = any(e.left in by and e.right in shown and e.left not in shown for e in sketch.tree.edges)
    return sum(
        {
            cue.span.mask
            for cue in asked.links.cues_of("superlative")
            if many and asked.word(cue.span.end).endswith("ed")
        }
    )


def _durations(asked: Asked, sketch: Sketch) -> int:
    """`Tickets that took the longest to close`: the day on which they were closed is no duration."""
    days = any(o.term.column != ROWS and asked.column(o.term.column).temporal for o in sketch.order)
    if not days or not _TAKING & {token.lower for token in asked.links.tokens}:
        return 0
    return sum({cue.span.mask for cue in asked.links.cues_of("superlative")})


def _added_for_counted(asked: Asked, sketch: Sketch) -> int:
    """`How many members`, where a table is called so: their levels of membership are not added up.

    Pieces are: `How many products have been sold` asks for their quantities.
    """
    added = [t.column for t in sketch.select if t.aggregate == "sum" and t.column != ROWS]
    if all(set(asked.column(one).forms[0]) & _PIECES for one in added):
        return 0
    mask = 0
    for cue in asked.links.cues_of("count"):
        things = [m for m in asked.tables_after(cue.span.end, 3) if m.best.score >= 0.95]
        named = [m for m in asked.columns_after(cue.span.end, 3) if m.best.score >= 0.95]
        if things and not named and asked.word(cue.span.start + 1) == "many":
            mask |= cue.span.mask
    return mask


def _other_head(asked: Asked, sketch: Sketch) -> int:
    """`Which buildings` by their apartments, where a table of buildings is there."""
    shown = {asked.column(t.column).table for t in sketch.select if t.column != ROWS}
    tables = asked.vocabulary.tables
    mask = 0
    for mention in asked.links.tables:
        last = asked.links.tokens[mention.span.end - 1].stem
        if asked.region(mention.span) != "S" or asked.word(mention.span.end - 1).endswith("ed"):
            continue
        called = {o.id for o in mention.options if tables[o.id].forms[0][-1] == last}
        words = {word for form in tables[mention.best.id].forms for word in form}
        if called and last not in words and mention.best.id in shown and not called & shown:
            mask |= mention.span.mask
    return mask
