"""Which columns of a result hold what models must not see."""

import pytest

from oldhand.lexicon.privacy import looks_private
from oldhand.record.schema import Column, DatabaseSchema, Disclosure, Kind, Table
from oldhand.sources.databases.withholding import reads_kept_back, withheld


def column(name: str, **more: object) -> Column:
    return Column.model_validate({"name": name, "type": "TEXT", "kind": Kind.TEXT} | more)


PEOPLE = Table(name="people", schema_name="public", columns=tuple(map(column, ("id", "town", "email", "born"))))  # fmt: skip
NOTES = Table(
    name="notes",
    schema_name="public",
    columns=(column("id"), column("person"), column("body", to_models=Disclosure.NAMES)),
)
SCHEMA = DatabaseSchema(name="crm", dialect="postgres", tables=(PEOPLE, NOTES))

CASES = {
    "SELECT town, email FROM people": {1},
    "SELECT * FROM people": {2, 3},
    "SELECT p.* FROM people p": {2, 3},
    "SELECT COUNT(email), COUNT(DISTINCT email) FROM people": set[int](),
    "SELECT town FROM people WHERE email = 'x'": set[int](),
    "SELECT town, MAX(born) FROM people GROUP BY town": {1},
    "SELECT upper(email) AS e, town FROM people": {0},
    "SELECT e FROM (SELECT email AS e FROM people) AS x": {0},
    "SELECT x.c FROM (SELECT lower(email) FROM people) AS x(c)": {0},
    "WITH m AS (SELECT town AS a, email AS b FROM people) SELECT b, a FROM m": {0},
    "WITH m(a, b) AS (SELECT town, email FROM people) SELECT b FROM m": {0},
    "SELECT * FROM (SELECT id, email FROM people) AS x": {1},
    "SELECT town FROM people UNION SELECT email FROM people": {0},
    "SELECT town || ' ' || email AS both_of_them FROM people": {0},
    "SELECT string_agg(email, ',') FROM people": {0},
    "SELECT CASE WHEN town = 'x' THEN email END FROM people": {0},
    "SELECT (SELECT email FROM people LIMIT 1) AS one": {0},
    "SELECT row_to_json(p) FROM people p": {0},
    "SELECT people FROM people": {0},
    "SELECT body FROM notes": {0},
    "SELECT n.id, p.town FROM notes n JOIN people p ON p.id = n.person AND p.email = n.body": set[int](),
    "SELECT most_common_vals FROM pg_stats": {0},
    "SELECT email FROM somewhere_else": {0},
    "SELECT town, ROW_NUMBER() OVER (ORDER BY town) FROM people": set[int](),
}  # fmt: skip


@pytest.mark.parametrize(("sql", "places"), CASES.items())
def test_what_is_made_of_a_column_that_is_kept_back_is_withheld(sql: str, places: set[int]) -> None:
    width = (
        4
        if "*" in sql and "(" not in sql
        else max(len(sql.split(" FROM ", maxsplit=1)[0].split(", ")), 1)
    )
    width = {"SELECT * FROM (SELECT id, email FROM people) AS x": 2}.get(sql, width)
    if sql.startswith("WITH"):
        width = 2 if "SELECT b, a" in sql else 1
    if "string_agg" in sql or "||" in sql:
        width = 1
    assert withheld(sql, SCHEMA, width) == places


def test_what_cannot_be_read_is_withheld_whole():
    assert withheld("SELEC email", SCHEMA, 2) == {0, 1}


def test_nothing_is_withheld_where_nothing_is_kept_back():
    plain = DatabaseSchema(
        name="crm",
        dialect="postgres",
        tables=(PEOPLE.model_copy(update={"columns": (column("town"),)}),),
    )
    assert withheld("SELECT * FROM people", plain, 1) == frozenset()
    opened = PEOPLE.model_copy(
        update={
            "columns": tuple(
                c.model_copy(update={"to_models": Disclosure.SAMPLES}) for c in PEOPLE.columns
            )
        }
    )
    shown = DatabaseSchema(name="crm", dialect="postgres", tables=(opened,))
    assert withheld("SELECT email FROM people", shown, 1) == frozenset()


def test_a_statement_that_names_or_may_hold_a_private_column_reads_it():
    assert reads_kept_back("SELECT CAST(email AS int) FROM people", SCHEMA)
    assert reads_kept_back("SELECT * FROM people", SCHEMA)
    assert not reads_kept_back("SELECT town FROM people", SCHEMA)
    assert not reads_kept_back("SELECT COUNT(*) FROM people", SCHEMA)


PRIVATE = (
    "tax_id", "taxid", "TaxId", "nationalid", "passportid",
    "birth_date", "dateOfBirth", "DOB", "born", "born_on", "birthday", "geburtsdatum", "Geb_Datum", "birth_year",
    "email", "E-Mail", "customer_email", "EmailAddress", "mail", "contact_email_1", "correo", "phone", "PhoneNumber",
    "mobile", "home_phone", "tel", "telefon", "fax_no", "cell_phone", "password", "pwd_hash", "api_key", "iban",
    "ssn", "social_security_number", "credit_card_number", "passport_no", "card_number",
)  # fmt: skip
PLAIN = (
    "id", "name", "birth_place", "birth_country", "born_state", "email_status", "phone_model", "phone_id", "tax_rate",
    "created_at", "order_date", "mailing_list_id", "secretary", "date", "year", "town", "newborn_count", "emails_sent", "stock",
)  # fmt: skip


@pytest.mark.parametrize("name", PRIVATE)
def test_names_of_private_columns_are_known(name: str) -> None:
    assert looks_private(name)


@pytest.mark.parametrize("name", PLAIN)
def test_names_of_other_columns_are_not_private(name: str) -> None:
    assert not looks_private(name)
