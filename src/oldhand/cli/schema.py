"""`oldhand schema`: what is known of each database."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from oldhand.cli import exits, options
from oldhand.cli.opening import introspected, name_of, opened_catalog
from oldhand.cli.screen import fitted, make_console, one_line, print_json
from oldhand.errors import OldhandError

if TYPE_CHECKING:
    from oldhand.sources.databases import Difference, SuggestedKey


EXAMPLES = options.examples("""
oldhand schema show shop
oldhand schema check
oldhand schema link --write
""")

app = options.group("Read, check and show the schemas of databases.", EXAMPLES)

_NameOrAll = Annotated[str | None, Argument(help="A database's name; all when left out.")]


@app.command(
    epilog=options.examples("""
oldhand schema introspect sqlite:///shop.db
oldhand schema introspect postgresql://ana@db/sales --name sales --out sales.yaml
oldhand schema introspect shop
""")
)
def introspect(
    source: Annotated[str, Argument(metavar="URL|NAME", help="A URL, or a registered database.")],
    *,
    name: Annotated[
        str | None,
        Option(
            "--name", "-n", metavar="NAME", help="Its name in the file; by default out of the URL."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Option("--out", "-o", metavar="FILE", help="Write it here, not to standard output."),
    ] = None,
    home: options.HomeOption = None,
) -> None:
    """Read a live database and write down its schema as YAML.

    Of a registered database, the file in the home is written anew; what people wrote into it is kept.
    """
    from oldhand.sources.databases import save_schema
    from oldhand.sources.databases.schema_text import schema_text

    if "://" in source:
        schema = introspected(source, name or name_of(source, ()))
        if out is None:
            print(schema_text(schema), end="")
            return
    else:
        with opened_catalog(home) as catalog:
            schema = catalog.introspect(source)
            written = catalog.schema_path(source)
        if out is None:
            print(f"Written: {written}")
            return
    save_schema(schema, out)
    print(f"Written: {out}")


@app.command(epilog=options.examples("oldhand schema check\noldhand schema check shop --json"))
def check(
    name: _NameOrAll = None,
    *,
    home: options.HomeOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Compare the schema files with the live databases.

    The exit code is 4 when they differ.
    """
    with opened_catalog(home) as catalog:
        names = [name] if name else [entry.name for entry in catalog.entries()]
        found: dict[str, tuple[Difference, ...]] = {each: catalog.check(each) for each in names}
    if as_json:
        print_json({each: [str(it) for it in found[each]] for each in found})
    for each, differences in () if as_json else found.items():
        print(f"{each}: {'does not fit' if differences else 'fits'}")
        for difference in differences:
            print(f"  {one_line(str(difference))}")
        if differences:
            print(f"  → oldhand schema introspect {each}")
    if any(found.values()):
        raise Exit(exits.Exit.DATABASE)


@app.command("list", epilog=options.examples("oldhand schema list"))
def list_schemas(*, home: options.HomeOption = None, as_json: options.JsonOption = False) -> None:
    """List the schemas: how many tables there are, and where the files lie.

    A file that does not hold is named on standard error; the others are listed all the same.
    """
    from oldhand.cli.schemas import none_registered

    columns = ("name", "dialect", "tables", "file")
    rows: list[tuple[str, str, int, str]] = []
    bad: list[OldhandError] = []
    with opened_catalog(home) as catalog:
        names = [entry.name for entry in catalog.entries()]
        for name in names:
            try:
                schema = catalog.schema(name)
            except OldhandError as error:
                bad.append(error)
            else:
                path = str(catalog.schema_path(name))
                rows.append((schema.name, schema.dialect, len(schema.tables), path))
    if as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif rows:
        console = make_console()
        console.print(*fitted(console, columns, rows), sep="\n")
    elif not names:
        print(none_registered())
    for error in bad:
        exits.report(error)
    if bad:
        raise Exit(exits.exit_code(bad[0]))


@app.command(epilog=options.examples("oldhand schema show shop\noldhand schema show shop --json"))
def show(
    name: Annotated[str, Argument(help="The database's name.")],
    *,
    home: options.HomeOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Show tables, columns and keys of one database."""
    from oldhand.cli.schemas import schema_lines

    with opened_catalog(home) as catalog:
        schema = catalog.schema(name)
    if as_json:
        print(schema.model_dump_json())
    else:
        console = make_console()
        console.print(*schema_lines(schema, console.width), sep="\n")


@app.command(epilog=options.examples("oldhand schema link\noldhand schema link --write"))
def link(
    *,
    write: Annotated[bool, Option("--write", help="Add them to the schema files.")] = False,
    home: options.HomeOption = None,
) -> None:
    """Suggest foreign keys from one database into another, by names and shared values."""
    with opened_catalog(home) as catalog:
        found = catalog.link_keys(write=write)
    for key in found:
        print(one_line(_arrow(key)))
    if not found:
        print("No further keys were found.")
    elif not write:
        print("Add them with --write.")


def _arrow(found: "SuggestedKey") -> str:
    key = found.key
    start = f"{found.database}.{found.table}.{'+'.join(key.columns)}"
    end = f"{key.database}.{key.table}.{'+'.join(key.target_columns)}"
    return f"{start} → {end}  ({found.overlap:.0%} of {found.values} values)"
