"""Puts the rows of an answer into a sentence, and says no more than the rows do."""

from collections.abc import Sequence

from sqlglot import exp

from oldhand.agent.analyst.telling.about import About
from oldhand.agent.analyst.telling.comparing import changed, compared
from oldhand.agent.analyst.telling.extremes import (
    AGGREGATES,
    among,
    extreme,
    last_or_first,
    superlative,
)
from oldhand.agent.analyst.telling.found import Rows, cell_text, size_of
from oldhand.agent.analyst.telling.grouped import groups_sentence
from oldhand.agent.analyst.telling.happening import happened, part_of_date
from oldhand.agent.analyst.telling.named import (
    about_named,
    named_in,
    named_thing,
    with_whole_names,
)
from oldhand.agent.analyst.telling.operands import is_worth, plain_column
from oldhand.agent.analyst.telling.ratios import (
    added_up,
    extreme_count,
    mean_sentence,
    one_of,
    part_of,
    said_part,
    share_sentence,
)
from oldhand.agent.analyst.telling.yes_no import asks_yes_no, shows_things, with_yes_or_no
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import counted, human, listed, plural, singular, value_text
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.base import Cell
from oldhand.record.schema import DatabaseSchema

SHOWN = 10
"""Values of a list that are written out."""
_NAMES = words("names.titles")


def phrase(
    question: str,
    query: exp.Expr | None,
    found: Rows,
    schemas: Sequence[DatabaseSchema] = (),
) -> str:
    """A sentence or two for the rows that `query` brought.

    Args:
        question: as it was asked; it only decides what the rows are called.
        query: what was asked of the databases; None when it is not known.
        found: the rows.
        schemas: tell by their foreign keys what joined rows are.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT COUNT(*) FROM crm.main.customers AS c WHERE c.city = 'Berlin'")
    >>> phrase("How many customers live in Berlin?", query, Rows(("n",), ((42,),), 1))
    'There are 42 customers in Berlin.'
    """
    select = query if isinstance(query, exp.Select) else None
    if select is None:
        return _plain(found)
    said = _said(question, select, found, schemas)
    if asks_yes_no(question) and select.args.get("group"):
        about = About.of(select, question, schemas)
        return compared(question, select, found, about.counted, said)
    if not asks_yes_no(question) or not shows_things(select):
        return changed(question, select, found, said) if select.args.get("group") else said
    if found.rows:
        about = About.of(select, question, schemas)
        said = _existing(about, select, found) or said
    return with_yes_or_no(said, found=bool(found.rows))


def _existing(about: About, select: exp.Select, found: Rows) -> str:
    """That there are such rows, where to show them would tell nobody anything; else empty."""
    keyed = human(found.columns[0]).endswith("id") and len(found.columns) == 1
    named = found.row_count == 1 and named_in(select, found)
    if not keyed and not named:
        return ""
    there = "is" if found.row_count == 1 else "are"
    return f"There {there} {counted(found.row_count, about.noun)}{about.after}."


def _said(question: str, select: exp.Select, found: Rows, schemas: Sequence[DatabaseSchema]) -> str:
    """What the rows say, without yes or no."""
    select, found = with_whole_names(select, found)
    about = About.of(select, question, schemas)
    if not found.rows:
        return _nothing(select, about)
    if len(found.columns) == 1 and found.row_count == 1:
        return _one_value(select, about, found)
    if len(found.columns) == 1:
        return _list(select, about, found)
    if len(found.columns) == 2 and select.args.get("group"):
        return groups_sentence(select, about.counted, found, schemas) or _plain(found)
    own = not select.args.get("group") and not about.repeats
    return _plain(found, about.noun if own else "rows")


def _nothing(select: exp.Select, about: About) -> str:
    if about.conditions:
        return f"None found: there are no {about.things}."
    filtered = select.args.get("where") or select.args.get("having")
    return f"None found: no {about.noun} match." if filtered else f"There are no {about.noun}."


def _one_value(select: exp.Select, about: About, found: Rows) -> str:
    cell = found.rows[0][0]
    output = select.selects[0].unalias()
    if found.columns[0].startswith("median_"):
        return _aggregate("median", found.columns[0], about, cell)
    if isinstance(output, exp.Count) and isinstance(cell, int):
        most = extreme_count(select, about.things, cell) if select.args.get("group") else ""
        return most or _count(output, about, cell)
    if said := _computed(select, output, about, cell):
        return said
    word = AGGREGATES.get(type(output))
    column = plain_column(output.this if word else output)
    name = column.name if column is not None else part_of_date(output)
    if word is not None and column is not None and not select.args.get("group"):
        return _aggregate(word, name, about, cell)
    return _column_value(select, about, name or _own_heading(found), cell)


def _own_heading(found: Rows) -> str:
    """What was computed, where its heading says so."""
    return "" if found.columns[0] in ("result", "") else found.columns[0]


def _computed(select: exp.Select, output: exp.Expr, about: About, cell: Cell) -> str:
    """Revenue, a percentage, or a mean for each; empty for anything else."""
    if is_worth(output):
        return _worth(about, cell)
    if (part := part_of(output)) is not None:
        said = said_part(select, part, about.alias)
        return share_sentence(about.noun, said, about.things, cell)
    if one := one_of(select, output):
        return mean_sentence(about.things, one, cell, _added(output, about))
    return ""


def _added(output: exp.Expr, about: About) -> str:
    """What a mean is of; empty when things are counted."""
    total = added_up(output)
    column = plain_column(total.this) if total is not None else None
    if total is None or column is not None:
        return f"total {human(column.name)}" if column is not None else ""
    return "value" if about.values or not is_worth(total) else "revenue"


def _worth(about: About, cell: Cell) -> str:
    """What lines are worth altogether."""
    said, link = ("total value", "of") if about.values else ("revenue", "from")
    which = about.conditions or ""
    of = which.removeprefix("of ") if which.startswith("of ") else which and about.things
    of = f" {link} {of}" if of else ""
    if cell is None:
        return f"There is no {said}{of}: nothing was sold."
    return f"The {said}{of} is {value_text(cell)}."


def _column_value(select: exp.Select, about: About, name: str, cell: Cell) -> str:
    """The one value of a column."""
    said = human(name) or "answer"
    thing = named_thing(select) if said not in _NAMES else ""
    if cell is None:
        return f"The {said}{f' of {thing}' if thing else ''} is not recorded."
    best = superlative(select, about.counted, about.alias)
    if best:
        return _best(select, best, about, name, value_text(cell, name))
    if thing and name:
        return about_named(thing, name, value_text(cell, name))
    if said in _NAMES and about.role and about.after.startswith(" of "):
        return f"The {singular(about.noun)}{about.after} is {value_text(cell, name)}."
    if said in _NAMES and not about.repeats:
        return f"1 {singular(about.noun)}{about.after}: {value_text(cell, name)}."
    return f"The {said} is {value_text(cell, name)}."


def _aggregate(word: str, name: str, about: About, cell: Cell) -> str:
    """One number, or day, that was computed from all rows."""
    said = extreme(word, name)
    of = f" of {about.things}" if about.conditions is not None else ""
    if cell is None:
        return f"There is no {said}{of}: no row has a value."
    if of and (happening := last_or_first(word, name, about.things, value_text(cell, name))):
        return happening
    return f"The {said}{of} is {value_text(cell, name)}."


def _best(select: exp.Select, best: str, about: About, name: str, value: str) -> str:
    """The first row in an order; nothing is claimed when the conditions can't be told."""
    said = human(name) or "answer"
    thing = singular(about.noun)
    is_thing = said in _NAMES or said in {"id", f"{thing} id"}
    if about.conditions is None:
        return f"The {thing if is_thing else said} is {value}."
    if best.endswith(f" {said}"):
        return f"The {best.removeprefix('with the ')} of {about.things} is {value}."
    event, _, when = best.rpartition(" ")
    same = (happened(name) or ("",))[0] == event
    word = {"last": "highest", "first": "lowest"}.get(when, "") if same else ""
    if happening := last_or_first(word, name, about.things, value):
        return happening
    what = thing if is_thing else said
    if not is_thing and not select.args.get("group"):
        return (
            f"The {said} of the {thing} {best}{among(about.things, about.conditions)} is {value}."
        )
    return f"The {what} {best}{among(about.things, about.conditions)} is {value}."


def _count(output: exp.Count, about: About, number: int) -> str:
    there = "is" if number == 1 else "are"
    what = about.noun
    if isinstance(output.this, exp.Distinct) and len(output.this.expressions) == 1:
        column = output.this.expressions[0]
        what = _distinct_noun(column.name, about.noun)
        if what != about.noun and about.conditions is not None:
            all_of = among(about.things, about.conditions)
            said = f"{number:,} {what}" if " of " in what else counted(number, what)
            return f"There {there} {said}{all_of}."
    if about.conditions is None:
        return f"{counted(number, what)}.".capitalize() if number else f"No {what}."
    if number == 0:
        return f"There are no {what}{about.after}."
    return f"There {there} {counted(number, what)}{about.after}."


def _distinct_noun(column: str, noun: str) -> str:
    words = human(column)
    if words == "id":
        return noun
    if words.endswith(" id"):
        return plural(words.removesuffix(" id"))
    return f"different {_values(words)}"


def _values(words: str) -> str:
    """The values of a column in the plural; an adjective has none."""
    last = words.rpartition(" ")[2]
    return f"values of {words}" if last in word_lists().measures else plural(words)


def _list(select: exp.Select, about: About, found: Rows) -> str:
    output = select.selects[0].unalias()
    column = output.name if isinstance(output, exp.Column) else found.columns[0]
    values = [cell_text(row[0], column) for row in found.rows]
    words = human(column)
    things = about.noun if words in _NAMES else _values(words)
    best = superlative(select, about.counted, about.alias)
    own = things == about.noun or bool(select.args.get("group"))
    if best and own and not about.repeats and about.conditions is not None:
        size = f"The {found.row_count:,}" if not found.truncated else "The first"
        all_of = among(about.things, about.conditions)
        return f"{size} {things} {best}{all_of}: {_shown(values, found)}."
    if about.repeats:
        return f"{size_of(found)} rows; the first are {listed(values[:3])}."
    if things == about.noun and not best and not select.args.get("group"):
        things += about.after
    if found.row_count <= SHOWN and not found.truncated:
        return f"{found.row_count:,} {things}: {listed(values)}."
    return f"{size_of(found)} {things}; the first are {listed(values[:3])}."


def _shown(values: Sequence[str], found: Rows) -> str:
    if len(values) == found.row_count <= SHOWN:
        return listed(values)
    return f"{', '.join(values[:3])}, …"


def _plain(found: Rows, noun: str = "rows") -> str:
    """What the rows are when nothing better can be said."""
    if not found.rows:
        return "None found."
    first = _row(found)
    if found.row_count == 1 and len(found.columns) == 1 and found.columns[0]:
        name = found.columns[0]
        return f"The {human(name)} is {cell_text(found.rows[0][0], name)}."
    if found.row_count == 1:
        return f"{first[:1].upper()}{first[1:]}."
    return f"{size_of(found)} {noun}; the first is {first}."


def _row(found: Rows) -> str:
    """The first row: its name, if it begins with one, and what else it holds."""
    names = _names(found.columns)
    cells = zip(names, found.rows[0], strict=True)
    said = [(name, cell_text(cell, name)) for name, cell in cells]
    if names[0] in _NAMES and len(said) > 1:
        rest = ", ".join(f"{name} {text}" for name, text in said[1:])
        return f"{said[0][1]} ({rest})"
    return ", ".join(f"{name} {text}" for name, text in said)


def _names(columns: Sequence[str]) -> list[str]:
    return [human(name) if name else f"column {i}" for i, name in enumerate(columns, 1)]
