"""What a model gets to see when the schemas are longer than its prompt."""

import time
from collections.abc import Sequence
from datetime import date
from random import Random

import pytest

from oldhand.agent.analysis.mind import EarlierTurn, Inquiry
from oldhand.agent.analysis.view import SchemaView
from oldhand.agent.analyst.linking.indexes import IndexLookup
from oldhand.agent.viewing.viewer import LinkedViewer
from oldhand.errors import ViewTooSmall
from oldhand.models.schema_text import schema_text
from oldhand.models.tokens import estimate_tokens
from oldhand.record.answer import QueryStep
from oldhand.record.lesson import Lesson
from oldhand.record.memory import MemoryType
from oldhand.record.schema import Column, DatabaseSchema, Disclosure, ForeignKey, Kind, Table
from oldhand.sources.databases.values import ValueIndex
from oldhand.testing.records import example_memory

DAY = date(2026, 3, 1)
FILLERS = [
    "ledger",
    "parcel",
    "vessel",
    "permit",
    "harbour",
    "sensor",
    "turbine",
    "orchard",
    "clinic",
    "museum",
    "tariff",
    "quarry",
]


class Held:
    """The values of the town of a customer."""

    def lookup(self, schemas: Sequence[DatabaseSchema], today: date) -> IndexLookup:
        name = schemas[0].name
        towns = (name, [("main", "customers", "town", ["Basel", "Bern"])])
        mails = [("main", "customers", "email", ["ada@x.org"])]
        return IndexLookup(ValueIndex.in_memory(name, [*towns[1], *mails]))


def column(
    name: str, *, key: bool = False, samples: tuple[str, ...] = (), **more: object
) -> Column:
    kind = Kind.INTEGER if key or name.endswith("_id") else Kind.TEXT
    fields = {"name": name, "type": kind.upper(), "kind": kind, "primary_key": key}
    return Column.model_validate(fields | {"samples": samples} | more)


def key_to(table: str, columns: tuple[str, ...]) -> ForeignKey:
    return ForeignKey(
        columns=columns, database="shop", schema_name="main", table=table, target_columns=("id",)
    )


def table(name: str, *columns: Column, keys: tuple[ForeignKey, ...] = (), about: str = "") -> Table:
    own = (column("id", key=True), *columns)
    return Table(name=name, schema_name="main", columns=own, foreign_keys=keys, description=about)


CUSTOMERS = table("customers", column("town", samples=("Basel",)), column("email"))
ORDERS = table("orders", column("placed"), column("customer_id"), keys=(key_to("customers", ("customer_id",)),))  # fmt: skip
LINES = table("positions", column("order_id"), column("article_id"), keys=(key_to("orders", ("order_id",)), key_to("articles", ("article_id",))))  # fmt: skip
ARTICLES = table("articles", column("label"))
OWN = (CUSTOMERS, ORDERS, LINES, ARTICLES)


def large(tables: int = 300, columns: int = 20) -> DatabaseSchema:
    """The four tables among many others."""
    chance = Random(1)
    others = [
        table(
            f"{chance.choice(FILLERS)}_{chance.choice(FILLERS)}_{number}",
            *(column(f"{chance.choice(FILLERS)}_{n}", samples=("abc", "def")) for n in range(columns - 1)),
        )
        for number in range(tables - len(OWN))
    ]  # fmt: skip
    return DatabaseSchema(
        name="shop", dialect="sqlite", tables=(*others[:150], *OWN, *others[150:])
    )


LARGE = large()


def seen(
    question: str, schema: DatabaseSchema = LARGE, room: int = 8_000, **more: object
) -> SchemaView:
    wanted = frozenset(str(more.pop("wanted", "")).split())
    inquiry = Inquiry(question, (schema,), DAY, **more)  # pyright: ignore[reportArgumentType]
    return LinkedViewer(Held(), room).of(inquiry).view(wanted=wanted)


def names(view: SchemaView) -> set[str]:
    return {table.name for schema in view.schemas for table in schema.tables}


def test_a_schema_that_fits_is_shown_whole_and_as_it_always_was():
    small = DatabaseSchema(name="shop", dialect="sqlite", tables=OWN)
    view = seen("How many customers are there?", small)
    assert view.text == schema_text([small])
    assert (view.left_out, view.note) == (frozenset(), "")


def test_three_hundred_tables_fit_into_eight_thousand_tokens():
    view = seen("How many orders were placed by customers from Basel?")
    assert estimate_tokens(view.text) <= 8_000
    assert {"customers", "orders"} <= names(view)
    assert "of 300 tables" in view.note


def test_a_view_is_made_quickly():
    viewer = LinkedViewer(Held(), 8_000)
    viewer.of(Inquiry("How many customers?", (LARGE,), DAY)).view()
    began = time.process_time()
    viewer.of(Inquiry("How many orders of customers from Basel?", (LARGE,), DAY)).view()
    assert time.process_time() - began < 0.3


def test_what_is_left_out_is_named_in_one_line():
    view = seen("How many customers are there?")
    (line,) = [one for one in view.text.splitlines() if one.startswith("Left out here: ")]
    assert "and" in line
    assert "more" in line
    gone = {t.name for t in LARGE.tables} - names(view)
    assert gone <= view.left_out


def test_a_table_whose_values_match_is_shown():
    assert "customers" in names(seen("Who lives in Basel?", room=1_500))


def test_tables_that_only_join_are_shown():
    view = seen("Which articles did customers from Bern order?", room=2_000)
    assert {"customers", "orders", "positions", "articles"} <= names(view)


def test_what_was_asked_for_is_shown():
    some = next(t.name for t in LARGE.tables if t.name not in names(seen("How many customers?")))
    assert some in names(seen("How many customers?", wanted=some))


def test_what_confirmed_answers_and_the_conversation_used_is_shown():
    shown = names(seen("What about those?", room=1_000))
    others = [t.name for t in LARGE.tables if t.name not in shown]
    lesson = Lesson(memory=_example(f"SELECT COUNT(*) FROM {others[0]}"))
    step = QueryStep(number=1, purpose="x", database="shop", sql=f"SELECT id FROM {others[1]}")
    turn = EarlierTurn(question="And this?", text="7", steps=(step,))
    assert others[0] in names(seen("What about those?", room=1_000, lessons=(lesson,)))
    assert others[1] in names(seen("What about those?", room=1_000, history=(turn,)))


def _example(sql: str):
    memory = example_memory(kind=MemoryType.EXAMPLE)
    return memory.model_copy(update={"payload": memory.payload.model_copy(update={"sql": sql})})


def test_of_a_wide_table_the_columns_that_matter_are_shown_and_the_rest_is_named():
    wide = table(
        "readings", *(column(f"{FILLERS[n % 12]}_{n}") for n in range(200)), column("humidity")
    )
    view = seen(
        "What is the humidity?", DatabaseSchema(name="shop", dialect="sqlite", tables=(wide,)), 600
    )
    (shown,) = view.schemas[0].tables
    assert {"id", "humidity"} <= {one.name for one in shown.columns}
    assert "(left out here: ledger_16" in view.text or "(left out here: " in view.text
    assert estimate_tokens(view.text) <= 600


def test_no_room_for_one_table_is_a_named_error():
    with pytest.raises(ViewTooSmall, match=r"raise models\.context_tokens"):
        seen("How many customers?", room=20)


def test_what_the_words_of_the_question_match_is_told_unless_it_is_kept_back():
    small = DatabaseSchema(name="shop", dialect="sqlite", tables=OWN)
    assert seen("Customers from basel?", small).values == ("customers.town holds 'Basel'",)
    assert seen("Who has the address 'ada@x.org'?", small).values == ()
    shut = small.model_copy(update={"to_models": Disclosure.NAMES})
    assert seen("Customers from basel?", shut).values == ()


def test_databases_without_a_table_in_view_are_named():
    other = DatabaseSchema(
        name="mine", dialect="sqlite", tables=(table("shafts", column("depth")),)
    )
    inquiry = Inquiry("How many customers from Basel?", (LARGE, other), DAY)
    view = LinkedViewer(Held(), 700).of(inquiry).view()
    assert "Databases left out: mine (1 table)" in view.text
    assert "mine" in view.left_out
