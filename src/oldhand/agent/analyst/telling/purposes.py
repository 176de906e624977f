"""What each step of a plan is for, in words."""

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import sources
from oldhand.agent.analyst.splitting.decompose import Piece
from oldhand.agent.analyst.telling.describing import described_conditions
from oldhand.lexicon.wording import human, listed, plural
from oldhand.record.answer import WORKSPACE


def purpose_of(piece: Piece) -> str:
    """One line for the plan.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT c.id FROM crm.main.customers AS c WHERE c.city = 'Berlin'")
    >>> purpose_of(Piece(1, "crm", query)), purpose_of(Piece(3, "workspace", query, (1, 2)))
    ('read customers in Berlin', 'join the rows of steps 1 and 2')
    """
    if piece.database == WORKSPACE:
        numbers = listed([str(number) for number in piece.depends_on])
        return f"join the rows of steps {numbers}" if piece.depends_on else "work out the answer"
    select = piece.query if isinstance(piece.query, exp.Select) else piece.query.find(exp.Select)
    if select is None:
        return "read rows"
    tables = sources(select)
    names = [plural(human(s.table.name)) for s in tables if s.table is not None]
    said = described_conditions(select, tables[0].alias) if len(tables) == 1 else None
    verb = "count" if select.find(exp.Count) and not piece.columns else "read"
    return f"{verb} {listed(list(dict.fromkeys(names)))} {said or ''}".rstrip()
