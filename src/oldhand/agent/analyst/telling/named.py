"""Sentences about one thing that the question names, and names that stand in two columns."""

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import conjuncts, sources
from oldhand.agent.analyst.rendering.roles import role_of
from oldhand.agent.analyst.telling.found import Rows
from oldhand.agent.analyst.telling.happening import DAY, acts, happened
from oldhand.agent.analyst.telling.operands import column_name, literal
from oldhand.agent.analyst.words.naming import name_words
from oldhand.lexicon.wording import human, singular

_NAMES = ("first name", "name", "full name", "title", "last name")
"""Columns that name a thing, in the order in which names are said."""
_PARTS = ("first name", "last name")


def named_thing(select: exp.Select) -> str:
    """The name by which all conditions of `select` tell one thing; empty when they say anything else.

    >>> from sqlglot import parse_one
    >>> named_thing(parse_one("SELECT hired_on FROM staff WHERE first_name = 'Ann' AND last_name = 'Lee'"))
    'Ann Lee'
    >>> named_thing(parse_one("SELECT hired_on FROM staff WHERE city = 'Rome'"))
    ''
    """
    where = select.args.get("where")
    if not isinstance(where, exp.Where):
        return ""
    found: dict[str, str] = {}
    owners: set[str] = set()
    for part in conjuncts(where.this):
        column = column_name(part.this) if isinstance(part, exp.EQ) else None
        value = literal(part.expression) if column is not None else None
        if column is None or not isinstance(value, str) or human(column) not in _NAMES:
            return ""
        found[human(column)] = value
        owners |= {node.table for node in part.find_all(exp.Column)}
    name = " ".join(found[name] for name in _NAMES if name in found)
    return f"{_of_another(select, owners)}{name}"


def _of_another(select: exp.Select, owners: set[str]) -> str:
    """`the store of`, where what is shown is not of the thing itself, but of what it belongs to."""
    shown = {node.table for output in select.selects for node in output.find_all(exp.Column)}
    other = next((s for s in sources(select) if s.alias in shown - owners), None)
    if other is None or other.table is None:
        return ""
    return f"the {role_of(other.alias, select) or singular(human(other.table.name))} of "


def named_in(select: exp.Select, found: Rows) -> bool:
    """True when all that the first row holds is already said in the conditions."""
    where = select.args.get("where")
    said = (
        {node.name for node in where.find_all(exp.Literal)} if isinstance(where, exp.Where) else ()
    )
    return all(str(cell) in said for cell in found.rows[0])


def about_named(thing: str, column: str, value: str) -> str:
    """What is known of a thing.

    >>> about_named("Ann Lee", "hired_on", "2024-05-01"), about_named("Ann Lee", "left_on", "2024-05-01")
    ('Ann Lee was hired on 2024-05-01.', 'Ann Lee left on 2024-05-01.')
    >>> about_named("Ann Lee", "city", "Rome")
    'The city of Ann Lee is Rome.'
    """
    event = happened(column)
    if event is None or not DAY.match(value):
        return f"The {human(column)} of {thing} is {value}."
    verb, link = event
    return f"{thing[:1].upper()}{thing[1:]} {verb if acts(verb) else f'was {verb}'} {link} {value}."


def with_whole_names(select: exp.Select, found: Rows) -> tuple[exp.Select, Rows]:
    """First and last name, when nothing else is shown, as one column `name`."""
    outputs = [output.unalias() for output in select.selects]
    words = [set(name_words(o.name)) for o in outputs if isinstance(o, exp.Column)]
    if len(words) != len(_PARTS) or any(not {*part.split()} <= own for part, own in zip(_PARTS, words, strict=True)):  # fmt: skip
        return select, found
    if len(outputs) != len(_PARTS) or len(found.columns) != len(_PARTS):
        return select, found
    whole = select.copy()
    column = outputs[0].copy()
    column.set("this", exp.to_identifier("name"))
    whole.set("expressions", [column])
    rows = tuple((" ".join(str(cell) for cell in row if cell is not None),) for row in found.rows)
    return whole, Rows(("name",), rows, found.row_count, found.truncated)
