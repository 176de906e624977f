"""`Not`, `never` and `without` that leave out nothing, or something else."""

from oldhand.agent.analyst.candidates.conditions import is_plain
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.query.form import Comparison, Has


def exclusion_of_things_not_rows(one: Hypothesis) -> int:
    """`Customers who ordered in 2024 but not in 2025`: each order is of one day, the customers are the ones meant."""
    asked = one.asked
    several = sum(entry.temporal for entry in one.compared()) > 1
    edges = asked.edges(one.query.rows)
    for entry in one.compared("not within", "not between"):
        many = any(e.left == entry.table and e.right in one.shown for e in edges)
        if many or several:
            return one.cues("not")
    return 0


def exclusion_leaves_something_out(one: Hypothesis) -> int:
    """`Sick leave but no vacation` of single rows: none that is the one is the other, so that nothing is left out."""
    both = [c for c in one.query.where if isinstance(c, Comparison | Has)]
    equal = [c.left for c in both if c.operator in ("=", "in")]
    vain = any(c.left in equal for c in both if c.operator in ("!=", "not in") and is_plain(c))
    return one.cues("not") if vain else 0


def deed_that_was_never_done(one: Hypothesis) -> int:
    """`Never been borrowed`, of books, by loans that were never fined: it is the loans that there are none of.

    Nor says it anything of `never performed a surgery` that there is no row of some other kind.
    """
    asked = one.asked
    excluded = [c.rows for c in one.conditions if isinstance(c, Has) and c.none]
    without = {table for rows in excluded for table in asked.inside(rows.rows)}
    inside = set(asked.inside(one.query.rows))
    unnamed = one.rests_on("not.related") and not one.rests_on("not.verb")
    mask = 0
    for cue in asked.links.cues_of("not"):
        place = cue.span.end + (asked.word(cue.span.end) == "been")
        if not asked.word(place).endswith("ed"):
            continue
        hits = asked.vocabulary.hits(asked.links.tokens[place].stem)
        deeds = {hit.table for hit in hits if hit.table >= 0 and hit.strength >= 0.6}
        of_others = bool(excluded and deeds & inside) and not deeds & without
        unknown = unnamed and not hits and place == cue.span.end
        mask |= cue.span.mask if of_others or unknown else 0
    return mask
