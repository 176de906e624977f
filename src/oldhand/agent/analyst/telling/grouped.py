"""A sentence for a result with a value for each group."""

from collections.abc import Sequence

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import column_of, conjuncts, sources
from oldhand.agent.analyst.rendering.roles import role_of
from oldhand.agent.analyst.telling.extremes import AGGREGATES, extreme
from oldhand.agent.analyst.telling.found import Rows, cell_text, size_of
from oldhand.agent.analyst.telling.happening import part_of_date
from oldhand.agent.analyst.telling.operands import is_worth, literal, plain_column
from oldhand.agent.analyst.telling.ratios import part_of, said_part
from oldhand.lexicon.wording import human, singular
from oldhand.record.base import Cell
from oldhand.record.schema import DatabaseSchema, Kind

SHOWN_GROUPS = 6
"""Groups of a table that are written out."""


def groups_sentence(
    select: exp.Select, counted: str, found: Rows, schemas: Sequence[DatabaseSchema]
) -> str:
    """A value for each group, when the one column is the key and the other is computed; else empty."""
    keys = [i for i, output in enumerate(select.selects) if not output.find(exp.AggFunc)]
    if len(keys) != 1:
        return ""
    key, value = keys[0], 1 - keys[0]
    key_node = select.selects[key].unalias()
    key_column = key_node.find(exp.Column)
    key_name = key_column.name if key_column is not None else found.columns[key]
    known = column_of(key_column, schemas) if key_column is not None else None
    yes_no = known is not None and known.kind is Kind.BOOLEAN
    said = _measure(select, select.selects[value].unalias(), counted, found.columns[value])
    measured = select.selects[value].find(exp.Column)
    name = measured.name if measured is not None else ""
    groups = part_of_date(key_node) or _grouping(key_column, key_name, select)
    pairs = [
        (
            cell_text(bool(row[key]) if yes_no and row[key] in (0, 1) else row[key], key_name),
            row[value],
        )
        for row in found.rows
    ]
    written = [_pair(label, cell_text(cell, name)) for label, cell in pairs]
    if isinstance(select.selects[value].unalias(), exp.Count):
        known_labels = {label for label, _ in pairs}
        written += [
            _pair(text, "0") for text in asked_groups(select, key_node) if text not in known_labels
        ]
    start = f"{said[:1].upper()}{said[1:]} by {groups}"
    if found.row_count <= SHOWN_GROUPS and not found.truncated:
        return f"{start}: {', '.join(written)}."
    best = None if select.args.get("limit") else _highest(pairs, found)
    if best is None:
        return f"{start} ({size_of(found).lower()} rows), the first: {written[0]}."
    return f"{start} ({found.row_count:,} rows), highest: {written[best]}."


def asked_groups(select: exp.Select, key: exp.Expr) -> list[str]:
    """The groups that the question names: those without rows are not among the rows."""
    where = select.args.get("where")
    parts = conjuncts(where.this) if isinstance(where, exp.Where) else []
    named = [part for part in parts if isinstance(part, exp.In) and part.this == key]
    texts = [literal(node) for part in named for node in part.expressions]
    return [text for text in texts if isinstance(text, str)]


def _grouping(key: exp.Column | None, name: str, select: exp.Select) -> str:
    """What the groups are: a column's values, or the things that it names."""
    words = human(name)
    if key is None or words not in {"name", "title"}:
        return words
    if role := role_of(key.table, select):
        return role
    table = next((s.table for s in sources(select) if s.alias == key.table), None)
    return singular(human(table.name)) if table is not None else words


def _pair(label: str, value: str) -> str:
    """`Bonn 31.5`, but `3 (31.5)`, where two numbers would run together."""
    return f"{label} ({value})" if label[-1:].isdigit() else f"{label} {value}"


def _highest(pairs: Sequence[tuple[str, Cell]], found: Rows) -> int | None:
    """The place of the one highest value; None when not all rows are at hand, or several share it."""
    numbers = [cell for _, cell in pairs if isinstance(cell, int | float)]
    if found.truncated or len(pairs) != found.row_count or len(numbers) < len(pairs):
        return None
    most = max(numbers)
    return numbers.index(most) if numbers.count(most) == 1 else None


def _measure(select: exp.Select, output: exp.Expr, counted: str, fallback: str) -> str:
    """What each group's value is; what is counted is not said when it is only a part of it that counts."""
    if isinstance(output, exp.Count):
        whole = isinstance(output.this, exp.Star)
        return f"number of {counted}" if whole and counted != "rows" else "number"
    if fallback.startswith("median_"):
        return human(fallback)
    if is_worth(output):
        return "revenue"
    if (part := part_of(output)) is not None:
        column = next(part.find_all(exp.Column), None)
        alias = column.table if column is not None else ""
        return f"percentage of {counted} {said_part(select, part, alias) or ''}".rstrip()
    word = AGGREGATES.get(type(output))
    column = plain_column(output.this if word else output)
    return extreme(word, column.name) if word and column is not None else human(fallback)
