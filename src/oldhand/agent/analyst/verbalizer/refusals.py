"""Puts into words why a question is not answered, and what would help."""

import re
from collections.abc import Iterator, Sequence

from rapidfuzz.fuzz import ratio

from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wording import counted, human, listed, plural
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.schema import DatabaseSchema

NEAR = 80
"""Likeness of two words, of 100, from which they may be meant for each other."""
SHOWN_NEAR = 3
SHOWN_TABLES = 8
_SQL = re.compile(
    r"\s*(SELECT\s.+\sFROM\s|WITH\s+\w+\s+AS\s*\(|(?i:select\s+(\*|\w+\s*\(|[\w.]+\s*,).*\sfrom\s"
    r"|insert\s+into\s|delete\s+from\s|update\s+\w+\s+set\s|(drop|create|alter)\s+table\s))",
    re.DOTALL,
)
_ABOUT_ME = re.compile(
    r"(hi|hello|hey|help|good (morning|evening|day)|who are you|what (can|do) you (do|know)( about)?"
    r"|what can i ask( you)?|how does this work"
    r"|(what|which) (tables|data|databases)( are there| is there| do you (have|know)| exist)?"
    r"|describe (the |this |your )?(databases?|data|schema)|(show|list)( me)?( all)?( the)? (tables|databases))( there)?",
)
_OF_TABLE = re.compile(
    r"(?:(?:what|which) (?:columns|fields) (?:does|do|are(?: there)? in|has)|(?:show|list)(?: me)? the columns of"
    r"|describe|what do you know about) (?:the )?(?:table )?(?P<table>.+?)(?: table)?(?: have| has)?",
)
SQL_ASKED = "That is SQL; ask in plain words, such as: How many {} are there?"
CUT = (
    "Only {} could be read, so any number made of them would be wrong. "
    "Ask about fewer rows, such as those of one month, or raise the setting query.workspace_rows."
)
"""Where a number would be made of rows that were cut."""
UNTOLD = "I cannot tell what this refers to: please ask the whole question."
UNSPLIT = "I cannot split this query between {}: it holds something that one database must do with the rows of all."


def off_topic(question: str, schemas: Sequence[DatabaseSchema]) -> str:
    """The reply to what is no question about the data: SQL, a greeting, a call for help; else empty.

    >>> off_topic("SELECT * FROM orders", ())
    'That is SQL; ask in plain words, such as: How many rows are there?'
    >>> off_topic("How many orders are there?", ())
    ''
    """
    if _SQL.match(question):
        return SQL_ASKED.format(_example(schemas))
    words = " ".join(question.casefold().split()).strip("?!. ")
    if _ABOUT_ME.fullmatch(words):
        return overview(schemas)
    asked = _OF_TABLE.fullmatch(words)
    return _columns(asked["table"], schemas) if asked else ""


def _columns(called: str, schemas: Sequence[DatabaseSchema]) -> str:
    """What the tables of a name hold; empty where there is none."""
    said = (
        f"{schema.name}.{table.name} has {counted(len(table.columns), 'column')}: "
        f"{', '.join(column.name for column in table.columns)}."
        for schema in schemas
        for table in schema.tables
        if called in {table.name.casefold(), human(table.name), plural(human(table.name))}
    )
    return " ".join(said)


def overview(schemas: Sequence[DatabaseSchema]) -> str:
    """What can be asked about."""
    names = list(dict.fromkeys(plural(human(t.name)) for s in schemas for t in s.tables))
    if not names:
        return "No database has been added yet."
    shown = names[:SHOWN_TABLES]
    left = len(names) - len(shown)
    more = f" and {left} more" if left > 1 else ""
    said = f"{', '.join(shown)}{more}" if more else listed(names)
    return f"I answer questions about {said}. Try: How many {_example(schemas)} are there?"


def refusal(reason: str, unknown: Sequence[str], schemas: Sequence[DatabaseSchema]) -> str:
    """Why there is no answer, and what would help.

    Args:
        reason: as it was decided, with or without the tables that are known.
        unknown: the words of the question that nothing answers to.
        schemas: the databases at hand.
    """
    why = reason.partition(" I know ")[0]
    if why.startswith("I found nothing"):
        return (
            f"I found nothing in the question that the databases could answer. {overview(schemas)}"
        )
    if not why.startswith("I find nothing about") or not unknown:
        return why
    near = list(dict.fromkeys(name for word in unknown for name in _near(word, schemas)))
    if near:
        meant = near[0].partition(".")[2]
        why += f" The nearest is {listed(near[:SHOWN_NEAR], 'or')}; if that is meant"
    else:
        why, meant = f"{why} Say what it means", "…"
    return f'{why}: `oldhand rule add "{unknown[0]} means {meant}"`.'


def _near(word: str, schemas: Sequence[DatabaseSchema]) -> Iterator[str]:
    """Columns, as `database.table.column`, whose name is like `word`, or whose description holds it."""
    root = stem(word.lower())
    alike = {root, *word_lists().synonyms.get(root, ())}
    for schema in schemas:
        for table in schema.tables:
            for column in table.columns:
                named = {stem(part) for part in split_name(column.name)}
                said = {stem(part) for part in re.findall(r"[a-z]+", column.description.lower())}
                if alike & (named | said) or any(_alike(root, part) for part in named):
                    yield f"{schema.name}.{table.name}.{column.name}"


def _alike(one: str, two: str) -> bool:
    return min(len(one), len(two)) > 3 and ratio(one, two) >= NEAR


def _example(schemas: Sequence[DatabaseSchema]) -> str:
    names = [plural(human(t.name)) for s in schemas for t in s.tables]
    return names[0] if names else "rows"
