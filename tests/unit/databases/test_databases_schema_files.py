from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import DanglingForeignKey, DuplicateTable, InvalidId, SchemaError, UnknownType
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases import load_schema, save_schema
from oldhand.sources.databases.schema_text import schema_text

GOOD = """\
database: customer_db
dialect: postgres
description: Who our customers are
tables:
- name: customers
  description: Customer personal information
  columns:
  - name: customer_id
    type: VARCHAR(50)
    nullable: false
    primary_key: true
    description: Unique customer identifier
    samples: [C001, 0042, NO, 2024-01-31, 7, 1.5, true, null]
  - {name: date_of_birth, type: DATE, references: accounts_db.public.customer_master.customer_id}
  - name: mood
    type: mood_of_day
    kind: text
    references: moods.name
- name: moods
  columns:
  - {name: name, type: text, primary_key: true}
  - {name: day, type: date, primary_key: true}
- name: diary
  schema: private
  columns:
  - {name: mood, type: text}
  - {name: day, type: date}
  foreign_keys:
  - columns: [mood, day]
    references: {schema: public, table: moods, columns: [name, day]}
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "customer_db.yaml"


def load(path, text):
    path.write_text(text, "utf-8")
    return load_schema(path)


def test_a_file_written_by_hand_is_read(path):
    schema = load(path, GOOD)
    customers, _, diary = schema.tables
    assert (customers.schema_name, diary.schema_name) == ("public", "private")
    key = customers.columns[0]
    assert (key.kind, key.nullable, key.primary_key, key.unique) == (Kind.TEXT, False, True, True)
    assert key.samples == ("C001", "0042", "NO", "2024-01-31", 7, 1.5, True, None)
    assert customers.columns[2].kind is Kind.TEXT
    assert [
        (k.database, k.schema_name, k.table, k.target_columns) for k in customers.foreign_keys
    ] == [
        ("accounts_db", "public", "customer_master", ("customer_id",)),
        ("customer_db", "public", "moods", ("name",)),
    ]
    assert diary.foreign_keys[0].columns == ("mood", "day")
    assert diary.foreign_keys[0].target_columns == ("name", "day")


@pytest.mark.parametrize(
    ("before", "after", "error", "said"),
    [
        ("type: VARCHAR(50)", "type: VARCHRA(50)", UnknownType, "line 9: .*VARCHRA.*did you mean VARCHAR"),
        ("type: mood_of_day\n    kind: text", "type: qqq", UnknownType, "line 16: .*'qqq'.*`kind:`"),
        ("kind: text", "kind: txt", SchemaError, "line 17: .*kind"),
        ("references: moods.name", "references: moods.nam", DanglingForeignKey, "line 18: .*did you mean name"),
        ("references: moods.name", "references: mods.name", DanglingForeignKey, "line 18: .*did you mean moods"),
        ("references: moods.name", "references: name", SchemaError, "line 18: .*database.schema.table.column"),
        ("columns: [mood, day]", "columns: [mood, dy]", DanglingForeignKey, "no column dy"),
        ("columns: [mood, day]", "columns: [mood]", SchemaError, "1 columns cannot refer to 2"),
        ("- name: diary\n  schema: private", "- name: MOODS", DuplicateTable, "line 23: table MOODS is described twice"),
        ("{name: day, type: date, primary", "{name: NAME, type: date, primary", SchemaError, "NAME is described twice"),
        ("nullable: false", "nulable: false", SchemaError, r"line 10: the key 'nulable' is not known \(did you mean nullable\?\)\.$"),
        ("- name: diary\n", "- nme: diary\n", SchemaError, "line 23: the key 'nme' is not known"),
        ("nullable: false", "nullable: perhaps", SchemaError, "line 10: .*nullable"),
        ("- name: diary\n  schema", "- schema", SchemaError, "line 23: 'name' is missing"),
        ("dialect: postgres", "dialect: oracle", SchemaError, "line 2: the dialect must be one of"),
        ("database: customer_db", "database: ../evil", InvalidId, "not a valid id"),
        ("dialect: postgres\n", "", SchemaError, "'dialect' is missing"),
        ("columns: [mood, day]\n    references: {schema", "columns: &a [mood, day]\n    references: {schema", SchemaError, "anchors"),
        ("description: Who", "description: !!python/object/apply:os.system ['ls']\nx: Who", SchemaError, "line 3: tags"),
        ("- name: moods", "- name: moods\n  name: again", SchemaError, "line 20: the key 'name' stands here twice"),
        ("- name: moods", "- name: moods\n - x", SchemaError, r"line \d+: "),
        ("samples: [C001", "samples: [[C001]", SchemaError, "samples"),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_named_with_its_line(path, before, after, error, said):
    assert before in GOOD
    with pytest.raises(error, match=said):
        load(path, GOOD.replace(before, after, 1))


@pytest.mark.parametrize("end", range(20, len(GOOD) - 2, 37))
def test_half_a_file_is_a_schema_error_or_a_smaller_schema(path, end):
    path.write_text(GOOD[:end], "utf-8")
    try:
        read = len(load_schema(path).tables)
    except SchemaError:
        read = 0
    assert read <= 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just text",
        "[1, 2]",
        "{unclosed: [",
        "a: b: c",
        "\ttabs: bad",
        "--- a\n--- b",
        "? [a]\n: b",
        "\x00",
        "a: *nowhere",
        "[" * 5000,
        "a: &a [x,x,x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]",
        "database: x\ndialect: sqlite\ntables: null",
        "database: x\ndialect: sqlite\ntables: [{name: t, columns: []}]",
    ],
)
def test_what_is_no_schema_is_a_schema_error(path, text):
    with pytest.raises(SchemaError, match=r"customer_db\.yaml"):
        load(path, text)


def test_bytes_that_are_not_text_and_missing_or_huge_files_are_schema_errors(path):
    path.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(SchemaError):
        load_schema(path)
    with path.open("wb") as file:
        file.truncate(25_000_000)
    with pytest.raises(SchemaError, match="larger than 20 MB"):
        load_schema(path)
    path.unlink()
    with pytest.raises(SchemaError):
        load_schema(path)


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
cells = st.one_of(
    words, st.integers(), st.booleans(), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["NO", "1e5", "0x1F", "~", "null", "12:30", "2024-01-31", "=", "<<", "!x", "&a", "*a", ".5", "+1"]),
)  # fmt: skip


@st.composite
def schemas(draw: st.DrawFn) -> DatabaseSchema:
    def distinct(least: int) -> list[str]:
        return draw(st.lists(words, min_size=least, max_size=3, unique_by=str.casefold))

    tables = tuple(
        Table(
            name=name,
            schema_name=draw(words),
            description=draw(st.just("") | words),
            row_count=draw(st.none() | st.integers(0)),
            columns=tuple(
                Column(
                    name=column,
                    type=draw(st.sampled_from(["INTEGER", "varchar(20)", "mood", ""])),
                    kind=draw(st.sampled_from(Kind)),
                    nullable=draw(st.booleans()),
                    description=draw(st.just("") | words),
                    samples=tuple(draw(st.lists(cells, max_size=3))),
                )
                for column in distinct(1)
            ),
        )
        for name in distinct(0)
    )
    keyed = tuple(
        table.model_copy(
            update={
                "foreign_keys": tuple(
                    ForeignKey(
                        columns=(table.columns[0].name,),
                        database=database,
                        schema_name=draw(words),
                        table=draw(words),
                        target_columns=(draw(words),),
                    )
                    for database in draw(st.lists(st.sampled_from(["other", "b.c"]), max_size=2))
                )
            }
        )
        for table in tables
    )
    return DatabaseSchema(name="shop", dialect="sqlite", description=draw(words), tables=keyed)


@given(schemas())
def test_a_schema_survives_being_written_and_read(tmp_path_factory, schema):
    path = tmp_path_factory.mktemp("schemas") / "shop.yaml"
    save_schema(schema, path)
    unkeyed = [table.model_copy(update={"foreign_keys": ()}) for table in load_schema(path).tables]
    assert unkeyed == [table.model_copy(update={"foreign_keys": ()}) for table in schema.tables]
    for read, written in zip(load_schema(path).tables, schema.tables, strict=True):
        assert set(read.foreign_keys) == set(written.foreign_keys)


def test_the_file_reads_pleasantly():
    text = schema_text(
        DatabaseSchema(
            name="shop",
            dialect="sqlite",
            tables=(
                Table(
                    name="orders",
                    schema_name="main",
                    description="What was bought",
                    row_count=2,
                    columns=(
                        Column(name="id", type="INTEGER", kind=Kind.INTEGER, nullable=False, primary_key=True, unique=True),
                        Column(name="day", type="TEXT", kind=Kind.DATE, samples=("2024-01-31",)),
                    ),
                    foreign_keys=(
                        ForeignKey(columns=("id",), database="crm", schema_name="public", table="deals", target_columns=("id",)),
                    ),
                ),
            ),
        )
    )  # fmt: skip
    assert text.partition("\n\n")[2] == (
        "database: shop\ndialect: sqlite\ndescription: ''\n\ntables:\n- name: orders\n  schema: main\n"
        "  description: What was bought\n  row_count: 2\n  columns:\n  - name: id\n    type: INTEGER\n"
        "    nullable: false\n    primary_key: true\n    references: crm.public.deals.id\n"
        "  - name: day\n    type: TEXT\n    kind: date\n    samples: ['2024-01-31']\n"
    )


def test_a_full_disk_leaves_the_old_file(path):
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    schema = load(path, GOOD)
    with pytest.raises(OSError, match="No space"), full.open("w") as file:
        file.write(schema_text(schema) * 100)
    assert load_schema(path) == schema
