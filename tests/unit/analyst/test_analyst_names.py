"""Names of tables and columns that are no plain English words."""

from datetime import date

import pytest

from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.languages import in_english, language_of
from oldhand.lexicon.naming import name_words
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.values import ValueIndex

TODAY = date(2024, 6, 15)
GERMAN = {
    "Kunden": "KundenNr Vorname Name Land",
    "Bestellungen": "BestellNr KundenNr Bestelldatum",
    "Bestellpositionen": "PositionsNr BestellNr Menge Gesamtbetrag",
}
FRENCH = {
    "clients": "id_client prenom nom pays date_de_naissance",
    "commandes": "id_commande id_client date_commande",
    "lignes_commande": "id_ligne id_commande quantite montant",
}
TYPED = {"tCustomer": "nCustomerID sFirstName sLastName", "tOrder": "nOrderID dOrderDate fTotal"}
CUT = {"cus": "cus_id fir_nam las_nam cou", "ord": "ord_id cus_id ord_dat tot", "pro": "pro_id nam"}
CONSONANTS = {"t_cst": "cst_id cst_cty", "t_prd": "prd_id prd_prc", "t_dpt": "dpt_id ttl"}


def _schema(tables: dict[str, str]) -> DatabaseSchema:
    made = tuple(
        Table(
            name=name,
            schema_name="main",
            columns=tuple(Column(name=c, type="TEXT", kind=Kind.TEXT) for c in columns.split()),
        )
        for name, columns in tables.items()
    )
    return DatabaseSchema(name="it", dialect="sqlite", tables=made)


def _named(tables: dict[str, str], words: str) -> set[str]:
    """The best tables and columns for some words."""
    known = vocabulary((_schema(tables),))
    found = link(words, known, ValueIndex.in_memory("it", []), TODAY)
    read = {known.tables[m.best.id].table.name for m in found.tables}
    return read | {known.columns[m.best.id].column.name for m in found.columns}


@pytest.mark.parametrize(
    ("tables", "words", "meant"),
    [
        (GERMAN, "How many customers are there?", "Kunden"),
        (GERMAN, "number of Kunden", "Kunden"),
        (GERMAN, "customers per country", "Land"),
        (GERMAN, "their order dates", "Bestelldatum"),
        (GERMAN, "first name and last name of the customers", "Name"),
        (GERMAN, "How many order items are there?", "Bestellpositionen"),
        (FRENCH, "How many customers are there?", "clients"),
        (FRENCH, "customers per country", "pays"),
        (FRENCH, "birth dates of customers", "date_de_naissance"),
        (FRENCH, "last names of the customers", "nom"),
        (FRENCH, "What is the total quantity of order items?", "quantite"),
        (TYPED, "What is the total of the orders?", "fTotal"),
        (CUT, "How many customers are there?", "cus"),
        (CUT, "customers per country", "cou"),
        (CONSONANTS, "How many customers are there?", "t_cst"),
        (CONSONANTS, "the price of each product", "prd_prc"),
        (CONSONANTS, "the price of each product", "t_prd"),
        (CONSONANTS, "the total", "ttl"),
        (CONSONANTS, "the ttl", "ttl"),
        (CONSONANTS, "How many cst per cty are there?", "cst_cty"),
    ],
)
def test_a_name_is_found_by_the_word_that_it_stands_for(tables, words, meant):
    assert meant in _named(tables, words)


def test_only_names_of_which_most_are_cut_are_read_by_three_letters():
    assert not _named({"pro": "product_id title", "customers": "name country"}, "the programs")


@pytest.mark.parametrize("name", ["land", "art", "orders", "employees", "artist", "position"])
def test_english_words_are_english_words(name):
    assert in_english(name) == ()


def test_a_word_that_is_english_as_well_is_read_in_the_language_of_the_schema():
    assert language_of([*GERMAN, *" ".join(GERMAN.values()).split()]) == "german"
    assert name_words("Land", language="german") == ("countri",)
    assert name_words("Land") == ("land",)
