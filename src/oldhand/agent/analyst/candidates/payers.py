"""From whom money comes, where only a verb tells: `who spent the most`."""

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.agent.analyst.candidates.worth import line_amounts
from oldhand.lexicon.tokens import word_stems

_STAFF = word_stems("people.employees")


def payers(asked: Asked) -> frozenset[int]:
    """Where nothing is named, the people of whom each amount has one, the nearest; of the staff only where nobody else is."""
    if any(asked.named_tables.values()):
        return frozenset()
    found: list[tuple[bool, int, int]] = []
    for amount in line_amounts(asked.vocabulary) if asked.deals else ():
        for table in asked.vocabulary.tables:
            person = asked.is_person(asked.column(table.columns[0]))
            rows = asked.tree({amount.table, table.id}) if person and not table.role else None
            if rows is not None and not multiplies(asked, rows, amount.table):
                found.append((bool(table.words & _STAFF), len(rows.joins), table.id))
    return frozenset(table for *far, table in found if tuple(far) == min(found)[:2])
