"""Readings whose parts contradict the words beside them: another date than the one named, a group of one, an average of all."""

from collections.abc import Mapping

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.ladders import led_elsewhere
from oldhand.agent.analyst.candidates.sketch import ROWS, Sketch
from oldhand.agent.analyst.words.tokens import stem

_OWN = frozenset({"their", "its", "his", "her", "the", "each", "same", "that", "own"})
_INTO = frozenset({"of", "in", "for", "within", "at"})
_AMOUNTS = frozenset(map(stem, ("quantity", "amount", "qty", "total", "units", "pieces")))


def misfits(asked: Asked, sketch: Sketch, features: Mapping[str, float]) -> int:
    """The tokens that a query answers to by something that they do not mean, as bits.

    Args:
        asked: the question.
        sketch: the query.
        features: what speaks for the query.
    """
    mask = _average_of_group(asked) | _other_date(asked, sketch) | _groups_of_one(asked, sketch)
    mask |= led_elsewhere(asked, sketch.tree.tables)
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
            or asked.word(cue.span.end - 1).endswith("ed")
        }
    )
