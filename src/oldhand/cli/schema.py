"""`oldhand schema`: what is known of each database."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import exits, options
from oldhand.cli.commands import CommandResult, with_catalog
from oldhand.cli.opening import introspected, name_of, opened_catalog
from oldhand.cli.screen import Listing, make_console, one_line, some
from oldhand.errors import OldhandError

if TYPE_CHECKING:
    from oldhand.sources.databases import Catalog, Drift


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
@with_catalog
def check(catalog: "Catalog", name: _NameOrAll = None) -> CommandResult:
    """Compare the schema files with the live databases.

    The exit code is 4 when they differ.
    """
    names = [name] if name else [entry.name for entry in catalog.list()]
    found = {each: catalog.check(each) for each in names}
    objects = {each: [str(it) for it in found[each]] for each in found}
    code = exits.Exit.DATABASE if any(found.values()) else exits.Exit.OK
    return CommandResult(objects, _checked_lines(found), code)


def _checked_lines(found: "Mapping[str, Sequence[Drift]]") -> Iterator[str]:
    for each, differences in found.items():
        yield f"{each}: {'does not fit' if differences else 'fits'}"
        for difference in differences:
            yield f"  {one_line(str(difference))}"
        if differences:
            yield f"  → oldhand schema introspect {each}"


@app.command("list", epilog=options.examples("oldhand schema list"))
@with_catalog
def list_schemas(catalog: "Catalog") -> CommandResult:
    """List the schemas: how many tables there are, and where the files lie.

    A file that does not hold is named on standard error; the others are listed all the same.
    """
    from oldhand.cli.schemas import none_registered

    columns = ("name", "dialect", "tables", "file")
    rows: list[tuple[str, str, int, str]] = []
    bad: list[OldhandError] = []
    entries = catalog.list()
    for entry in entries:
        try:
            schema = catalog.schema(entry.name)
        except OldhandError as error:
            bad.append(error)
            exits.report(error)
        else:
            path = str(catalog.schema_path(entry.name))
            rows.append((schema.name, schema.dialect, len(schema.tables), path))
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    listed = [Listing(columns, rows, none_registered())] if rows or not entries else []
    return CommandResult(objects, listed, exits.exit_code(bad[0]) if bad else exits.Exit.OK)


@app.command(
    epilog=options.examples("""
oldhand schema show shop
oldhand schema show shop --as-sent
oldhand schema show shop --json
""")
)
@with_catalog
def show(
    catalog: "Catalog",
    name: options.DatabaseArgument,
    *,
    as_sent: Annotated[
        bool, Option("--as-sent", help="Exactly what a language model may get to see of it.")
    ] = False,
) -> CommandResult:
    """Show tables, columns and keys of one database."""
    from rich.text import Text

    from oldhand.cli.schemas import schema_lines
    from oldhand.models.schema_text import schema_text

    schema = catalog.schema(name)
    if as_sent:
        text = schema_text([schema])
        return CommandResult({"database": name, "text": text}, [Text(text)])
    return CommandResult(schema, schema_lines(schema, make_console().width))


@app.command(
    epilog=options.examples("""
oldhand schema link
oldhand schema link --write
oldhand schema link --reject shop.orders.customer_id
""")
)
@with_catalog
def link(
    catalog: "Catalog",
    write: Annotated[
        bool, Option("--write", help="Confirm them: write them into the schema files.")
    ] = False,
    reject: Annotated[
        list[str] | None,
        Option("--reject", metavar="NAME.TABLE.COLUMN", help="Never infer a key of this column."),
    ] = None,
) -> Iterator[str]:
    """Suggest foreign keys that no database declares, by names and shared values.

    Keys within a database are inferred when it is added, and used with less confidence until they are confirmed here.
    """
    from oldhand.cli.schemas import key_line, split_place

    for place in reject or ():
        name, _, column = place.partition(".")
        key = catalog.reject_key(name, *split_place(column, place))
        yield one_line(f"Rejected: {place} does not refer to {key.table}.")
    if reject:
        return
    found = catalog.link_keys(write=write)
    for key in found:
        yield one_line(key_line(key.database, key.table, key.key))
    if not found:
        yield "No further keys were found."
    elif write:
        yield f"Confirmed: {some(len(found), 'key')}."
    else:
        yield "Confirm them with --write, or refuse single ones with --reject NAME.TABLE.COLUMN."
