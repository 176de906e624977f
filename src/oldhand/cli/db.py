"""`oldhand db`: the databases that may be asked."""

from collections.abc import Sequence
from typing import Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.opening import existing_home, free_name, known_name, opened_catalog
from oldhand.cli.screen import make_console, one_line, print_json, some

EXAMPLES = options.examples("""
oldhand db add sqlite:///shop.db --name shop
oldhand db list
oldhand db remove shop
""")

app = options.group("Register the databases that may be asked.", EXAMPLES)
_NAMED = 12
"""Tables that are named when a database is added; `oldhand schema show` has all."""

_Name = Annotated[str, Argument(help="The database's name.")]


@app.command(
    epilog=options.examples("""
oldhand db add sqlite:///shop.db
oldhand db add 'postgresql://ana:${PGPASSWORD}@db/sales' --name sales --description "Orders since 2019"
oldhand db add duckdb:///warehouse.duckdb --name warehouse
""")
)
def add(
    url: Annotated[
        str,
        Argument(
            help="sqlite:///FILE, duckdb:///FILE, postgresql://…, mysql://… or mariadb://…; "
            "${NAME} stands for a variable of the environment."
        ),
    ],
    name: Annotated[
        str | None, Option("--name", "-n", metavar="NAME", help="By default out of the URL.")
    ] = None,
    description: Annotated[
        str, Option("--description", metavar="TEXT", help="What is in it.")
    ] = "",
    home: options.HomeOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Register a database.

    Its schema is read at once, and written to knowledge/data_schemas in the home. A URL that is registered already is left as it is, unless another name is given.
    """
    with opened_catalog(home, create=True) as catalog:
        known = known_name(catalog, url)
        if known is None or name or description:
            called = name or known or free_name(catalog, url)
            catalog.add(url, name=called, description=description)
        else:
            called = known
        schema = catalog.schema(called)
    tables = [table.name for table in schema.tables]
    if as_json:
        found = {"name": called, "dialect": schema.dialect, "tables": tables}
        print_json(found)
    else:
        there = "Already registered as" if called == known else "Registered"
        make_console().print(
            one_line(f"{there} {called} ({schema.dialect}) {_with_tables(tables)}")
        )


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
def remove(name: _Name, home: options.HomeOption = None) -> None:
    """Forget a database.

    The database itself is not touched.
    """
    with opened_catalog(home) as catalog:
        catalog.remove(name)
    for indexed in (existing_home(home) / "index").glob(f"{name}.sqlite*"):
        indexed.unlink(missing_ok=True)
    print(f"Removed {name}.")


@app.command("list", epilog=options.examples("oldhand db list --json"))
def list_databases(home: options.HomeOption = None, as_json: options.JsonOption = False) -> None:
    """List the registered databases."""
    from oldhand.cli.schemas import databases_table
    from oldhand.sources.databases.address import shown_url

    with opened_catalog(home) as catalog:
        entries = catalog.entries()
    if as_json:
        shown = [{**entry.model_dump(), "url": shown_url(entry.url)} for entry in entries]
        print_json(shown)
    else:
        console = make_console()
        console.print(*databases_table(console, entries), sep="\n")
