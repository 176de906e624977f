"""`oldhand db`: the databases that may be asked."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_catalog
from oldhand.cli.opening import existing_home, free_name, known_name, opened_catalog
from oldhand.cli.screen import one_line, program, some

if TYPE_CHECKING:
    from oldhand.record.schema import DatabaseSchema, ForeignKey
    from oldhand.sources.databases import Catalog

EXAMPLES = options.examples("""
oldhand db add sqlite:///shop.db --name shop
oldhand db list
oldhand db remove shop
""")

app = options.group("Register the databases that may be asked.", EXAMPLES)
_NAMED = 12
"""Tables that are named when a database is added; `oldhand schema show` has all."""


@app.command(
    epilog=options.examples("""
oldhand db add sqlite:///shop.db
oldhand db add 'postgresql://ana:${PGPASSWORD}@db/sales' --name sales --description "Orders since 2019"
oldhand db add duckdb:///warehouse.duckdb --name warehouse
oldhand db add sales ./folder-of-csv-files
""")
)
def add(
    url: Annotated[
        str,
        Argument(
            help="sqlite:///FILE, duckdb:///FILE, postgresql://…, mysql://… or mariadb://…, or the path of a file or folder "
            "(CSV, Parquet, JSON, Excel); ${NAME} stands for a variable of the environment."
        ),
    ],
    path: Annotated[
        str | None, Argument(help="The URL or path, where the name comes first: sales ./folder.")
    ] = None,
    *,
    name: Annotated[
        str | None, Option("--name", "-n", metavar="NAME", help="By default out of the URL.")
    ] = None,
    description: Annotated[
        str, Option("--description", metavar="TEXT", help="What is in it.")
    ] = "",
    yes: Annotated[
        bool,
        Option("--yes", "-y", help="Confirm the keys that were inferred, without being asked."),
    ] = False,
    home: options.HomeOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Register a database.

    Its schema is read at once, and written to knowledge/data_schemas in the home. Keys that it does not declare are inferred from names and values, and used with less confidence until somebody confirms them. A URL that is registered already is left as it is, unless another name is given.
    """
    from oldhand.cli.schemas import keys_of

    if path is not None:
        name, url = url, path
    with opened_catalog(home, create=True) as catalog:
        known = known_name(catalog, url)
        if known is None or name or description:
            called = name or known or free_name(catalog, url)
            catalog.add(url, name=called, description=description)
        else:
            called = known
        schema = catalog.schema(called)
        declared, inferred = keys_of(schema)
        tables = [table.name for table in schema.tables]
        there = "Already registered as" if called == known else "Registered"
        lines = [one_line(f"{there} {called} ({schema.dialect}) {_with_tables(tables)}")]
        if known not in (None, called):
            lines.append(
                f"It is registered as {known}, too, so questions will ask back which one is meant: {program()} db remove {known}"
            )
        lines += [one_line(each) for each in _broken_lines(schema, url)]
        lines += [one_line(key) for key in _key_lines(schema, declared, inferred)]
        told: dict[str, object] = {"name": called, "dialect": schema.dialect, "tables": tables}
        told["keys"] = {"declared": declared, "inferred": [key for _, key in inferred]}
        CommandResult(told, lines).say(as_json=as_json)
        if inferred and (yes or (sys.stdin.isatty() and not as_json and _agreed())):
            catalog.confirm_keys(called)
            if not as_json:
                print("Confirmed.")


def _key_lines(
    schema: "DatabaseSchema", declared: int, inferred: "Sequence[tuple[str, ForeignKey]]"
) -> Iterator[str]:
    """How the tables hang together, and what speaks for the keys that no database declares."""
    from oldhand.cli.schemas import key_line, untold_columns

    if len(schema.tables) > 1:
        yield f"{some(declared, 'foreign key')} declared, {len(inferred)} inferred"
    for table, key in inferred:
        yield f"  {key_line(schema.name, table, key)}"
    if inferred:
        yield f"Inferred keys count less until they are confirmed: {program()} schema link --write"
    elif not declared and len(schema.tables) > 1:
        yield "How the tables hang together is not known: add references to the schema file."
    if untold := len(list(untold_columns(schema))):
        yield f"{some(untold, 'column')} without a telling name: {program()} schema show {schema.name} names them"


def _agreed() -> bool:
    import typer

    return typer.confirm("Are the inferred keys right?", default=False, err=True)


def _broken_lines(schema: "DatabaseSchema", url: str) -> Iterator[str]:
    """Of files of rows: what could not be read of them stands with their tables."""
    from oldhand.sources.databases.address import absolute_url

    for table in schema.tables if absolute_url(url).startswith("files:") else ():
        if table.description:
            yield f"{table.name}: {table.description}"


def _with_tables(tables: Sequence[str]) -> str:
    """The tables of a database in one line.

    >>> _with_tables(["customers", "orders"]), _with_tables([])
    ('with 2 tables: customers, orders', 'without any table')
    """
    if not tables:
        return "without any table"
    more = f" and {len(tables) - _NAMED:,} more" if len(tables) > _NAMED else ""
    return f"with {some(len(tables), 'table')}: {', '.join(tables[:_NAMED])}{more}"


@app.command(epilog=options.examples("oldhand db remove shop"))
def remove(name: options.DatabaseArgument, home: options.HomeOption = None) -> None:
    """Forget a database.

    The database itself is not touched.
    """
    with opened_catalog(home) as catalog:
        catalog.remove(name)
    for indexed in (existing_home(home) / "index").glob(f"{name}.sqlite*"):
        indexed.unlink(missing_ok=True)
    print(f"Removed {name}.")


@app.command("list", epilog=options.examples("oldhand db list --json"))
@with_catalog
def list_databases(catalog: "Catalog") -> CommandResult:
    """List the registered databases."""
    from oldhand.cli.schemas import databases_table
    from oldhand.sources.databases.address import shown_url

    entries = catalog.list()
    shown = [{**entry.model_dump(), "url": shown_url(entry.url)} for entry in entries]
    return CommandResult(shown, [databases_table(entries)])
