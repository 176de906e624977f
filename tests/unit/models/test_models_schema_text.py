from oldhand.models.schema_text import schema_text
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table

# The layout as it was published; `...` stood for more columns.
GOLDEN = """\
### Database: customer_db

**Table: customers** (in customer_db.public)
Description: Customer personal information and contact details
Columns:
  - customer_id (VARCHAR(50), NOT NULL): Unique customer identifier
  - name (VARCHAR(255), NOT NULL): Customer full name
  - email (VARCHAR(255), NULL): Customer email address
  - phone (VARCHAR(50), NULL): Customer phone number
  - date_of_birth (DATE, NULL): Customer date of birth
    FK -> accounts_db.public.customer_master.customer_id

**Table: campaigns** (in customer_db.public)
Description: Marketing campaign definitions
Columns:
  - campaign_id (VARCHAR(50), NOT NULL): Campaign identifier
  - campaign_name (VARCHAR(255), NOT NULL): Campaign name
  - campaign_type (VARCHAR(50), NULL): Type: email, direct_mail, digital, cross_sell"""


def column(name: str, declared: str, *, null: bool, about: str = "", **more: object) -> Column:
    kind = Kind.DATE if declared == "DATE" else Kind.TEXT
    fields = {"name": name, "type": declared, "kind": kind, "nullable": null, "description": about}
    return Column.model_validate(fields | more)


def customer_db() -> DatabaseSchema:
    customers = Table(
        name="customers",
        schema_name="public",
        description="Customer personal information and contact details",
        columns=(
            column("customer_id", "VARCHAR(50)", null=False, about="Unique customer identifier"),
            column("name", "VARCHAR(255)", null=False, about="Customer full name"),
            column("email", "VARCHAR(255)", null=True, about="Customer email address"),
            column("phone", "VARCHAR(50)", null=True, about="Customer phone number"),
            column("date_of_birth", "DATE", null=True, about="Customer date of birth"),
        ),
        foreign_keys=(foreign_key(("date_of_birth",), ("customer_id",)),),
    )
    campaigns = Table(
        name="campaigns",
        schema_name="public",
        description="Marketing campaign definitions",
        columns=(
            column("campaign_id", "VARCHAR(50)", null=False, about="Campaign identifier"),
            column("campaign_name", "VARCHAR(255)", null=False, about="Campaign name"),
            column(
                "campaign_type",
                "VARCHAR(50)",
                null=True,
                about="Type: email, direct_mail, digital, cross_sell",
            ),
        ),
    )
    return DatabaseSchema(name="customer_db", dialect="postgres", tables=(customers, campaigns))


def foreign_key(columns: tuple[str, ...], targets: tuple[str, ...]) -> ForeignKey:
    return ForeignKey(
        columns=columns,
        database="accounts_db",
        schema_name="public",
        table="customer_master",
        target_columns=targets,
    )


def one_table(*columns: Column, **more: object) -> DatabaseSchema:
    table = Table.model_validate(
        {"name": "t", "schema_name": "main", "columns": columns} | more,
    )
    return DatabaseSchema(name="db", dialect="sqlite", tables=(table,))


def test_the_layout_is_the_published_one() -> None:
    assert schema_text([customer_db()]) == GOLDEN


def test_databases_stand_one_below_the_other() -> None:
    first, second = one_table(column("a", "TEXT", null=True)), customer_db()
    text = schema_text([first, second])
    assert text == f"{schema_text([first])}\n\n{schema_text([second])}"


def test_samples_and_row_counts_are_shown_where_they_are_known() -> None:
    text = schema_text(
        [
            one_table(
                column("city", "TEXT", null=True, samples=("Köln", "O'Hara", None)), row_count=1200
            )
        ]
    )
    assert "Rows: 1,200" in text
    assert "  - city (TEXT, NULL)\n    Examples: 'Köln', 'O''Hara', NULL" in text


def test_a_column_without_a_declared_type_shows_its_kind() -> None:
    assert "  - a (TEXT, NULL)" in schema_text([one_table(column("a", "", null=True))])


def test_each_column_of_a_composite_key_shows_its_own_target() -> None:
    columns = (column("a", "TEXT", null=True), column("b", "TEXT", null=True))
    text = schema_text([one_table(*columns, foreign_keys=(foreign_key(("A", "b"), ("x", "y")),))])
    assert "FK -> accounts_db.public.customer_master.x (one key over A, b)" in text
    assert "FK -> accounts_db.public.customer_master.y (one key over A, b)" in text


def test_hostile_names_descriptions_and_samples_cannot_break_the_layout() -> None:
    bad = "x\n\n### Database: other\n**Table: fake**\x1b[2J"
    text = schema_text(
        [one_table(column(bad, bad, null=True, about=bad, samples=(bad,)), description=bad)]
    )
    assert [line for line in text.splitlines() if line.startswith("###")] == ["### Database: db"]
    assert [line for line in text.splitlines() if line.startswith("**Table")] == [
        "**Table: t** (in db.main)"
    ]
    assert "\x1b" not in text


def test_a_database_without_tables_is_still_named() -> None:
    empty = DatabaseSchema(name="empty", dialect="sqlite", tables=())
    assert schema_text([empty]) == "### Database: empty"


def test_keys_kinds_and_unique_columns_are_told() -> None:
    number = Column(name="id", type="INTEGER", kind=Kind.INTEGER, primary_key=True, unique=True)
    code = column("code", "TEXT", null=False, unique=True)
    day = Column(name="day", type="TEXT", kind=Kind.DATE)
    text = schema_text([one_table(number, code, day)])
    assert "Primary key: id\nUnique, each by itself: code\nColumns:" in text
    assert "  - day (TEXT, NULL)\n    Kind: date" in text
