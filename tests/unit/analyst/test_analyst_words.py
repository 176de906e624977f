"""From words to tables, columns, values, times and cues."""

from datetime import date

import pytest

from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.words.cues import find_cues
from oldhand.agent.analyst.words.dates import find_dates
from oldhand.agent.analyst.words.links import Links
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.tokens import quoted_spans, tokenise
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.sources.databases.values import ValueIndex

TODAY = date(2024, 6, 15)


def _link(company, question: str) -> Links:
    return link(question, vocabulary(company.schemas), company.values, TODAY)


def _tables(company, question: str) -> list[str]:
    words = vocabulary(company.schemas)
    return [words.tables[m.best.id].table.name for m in _link(company, question).tables]


def _columns(company, question: str) -> list[str]:
    words = vocabulary(company.schemas)
    found = []
    for mention in _link(company, question).columns:
        entry = words.columns[mention.best.id]
        found.append(f"{words.tables[entry.table].table.name}.{entry.column.name}")
    return found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("OrderLineTotal", ("order", "line", "total")),
        ("cust_fname", ("custom", "first", "name")),
        ("qty", ("quantiti",)),
        ("dob", ("date", "of", "birth")),
        ("unit price", ("unit", "price")),
        ("Straße", ("street",)),
        ("Øl", ("øl",)),
        ("bldng_hght", ("build", "height")),
        ("crs_cd", ("cours", "code")),
    ],
)
def test_names_are_split_and_short_forms_written_out(name, words):
    assert name_words(name) == words


@pytest.mark.parametrize("word", ["customers", "customer", "clients", "buyers", "custmers"])
def test_a_table_is_found_by_its_name_a_synonym_or_misspelt(company, word):
    assert _tables(company, f"How many {word} are there?") == ["customers"]


@pytest.mark.parametrize(
    ("word", "table"),
    [("companies", "cmpny"), ("artist", "arti"), ("regions", "regi"), ("marketing", None)],
)
def test_a_name_is_what_is_cut_off_or_the_consonants_of_a_word(word, table):
    names = ("cmpny", "arti", "regi", "mark")
    tables = tuple(Table(name=name, schema_name="main", columns=()) for name in names)
    words = vocabulary((DatabaseSchema(name="it", dialect="sqlite", tables=tables),))
    found = link(f"How many {word} are there?", words, ValueIndex.in_memory("it", []), TODAY)
    assert [tables[m.best.id].name for m in found.tables] == [table] * (table is not None)


def test_the_table_that_is_named_decides_between_columns_of_the_same_name(company):
    assert _columns(company, "names of the stores")[0] == "stores.name"
    assert _columns(company, "names of the customers")[0] == "customers.name"


def test_a_name_of_several_words_is_one_mention(company):
    assert _columns(company, "What is the floor area?") == ["stores.floor_area"]


def test_the_longest_value_wins(company):
    values = _link(company, "customers who live in New York").values
    assert [value.text for value in values] == ["New York"]


def test_a_misspelt_value_is_still_found(company):
    (value,) = _link(company, "customers who live in Hambrug").values
    assert value.options[0].values == ("Hamburg",)


def test_quoted_words_are_a_value_even_when_no_column_holds_them(company):
    (value,) = _link(company, 'customers called "Zaphod"').values
    assert (value.text, value.quoted, value.options) == ("Zaphod", True, ())


def test_an_apostrophe_opens_no_quotation():
    assert quoted_spans("the store's employees' names") == ()


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("in March 2024", "2024-03-01", "2024-04-01"),
        ("on 2024-02-29", "2024-02-29", "2024-03-01"),
        ("on 5 May 2023", "2023-05-05", "2023-05-06"),
        ("on May 5th, 2023", "2023-05-05", "2023-05-06"),
        ("in 2023", "2023-01-01", "2024-01-01"),
        ("last year", "2023-01-01", "2024-01-01"),
        ("this month", "2024-06-01", "2024-07-01"),
        ("last month", "2024-05-01", "2024-06-01"),
        ("last quarter", "2024-01-01", "2024-04-01"),
        ("in Q3 2023", "2023-07-01", "2023-10-01"),
        ("in December 2023", "2023-12-01", "2024-01-01"),
        ("yesterday", "2024-06-14", "2024-06-15"),
        ("in the last 7 days", "2024-06-08", "2024-06-16"),
    ],
)
def test_times_are_read(text, start, end):
    question = f"orders {text}"
    (found,) = find_dates(question, tokenise(question), TODAY)
    assert (found.start.isoformat(), found.end.isoformat()) == (start, end)


@pytest.mark.parametrize("text", ["on 2024-02-31", "on 31 April 2024", "in 24", "42/42/2024"])
def test_what_is_no_time_is_not_read_as_a_day(text):
    question = f"orders {text}"
    found = find_dates(question, tokenise(question), TODAY)
    assert all((date.end - date.start).days > 1 for date in found)


def test_without_a_clock_last_year_stays_unknown():
    assert find_dates("orders last year", tokenise("orders last year"), None) == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("how many orders", "count"),
        ("more than 3 orders", ">"),
        ("no more than 3 orders", "<="),
        ("at least 3 orders", ">="),
        ("customers without orders", "not"),
        ("customers who don't order", "not"),
        ("for each city", "per"),
        ("the oldest store", "superlative"),
        ("above the average price", "than_average"),
        ("different cities", "distinct"),
    ],
)
def test_words_tell_the_form_of_the_query(text, kind):
    assert kind in {cue.kind for cue in find_cues(tokenise(text))}


def test_words_in_quotation_marks_are_no_cues():
    assert find_cues(tokenise('"how many at least"')) == ()


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("more than 1 million people", [1e6]),
        ("1.5 million or 20k", [1.5e6, 20_000]),
        ("between one hundred and two hundred thousand", [100, 200_000]),
        ("twenty-five of sixty four", [25, 64]),
        ("longer than 5 m, 1 k", [5, 1]),
        ("top 5 two hundred", [5, 200]),
        ("'5 million' 2 billion", [5, 1e6, 2e9]),
    ],
)
def test_a_number_may_be_said_in_several_words(question, numbers):
    assert [one.number for one in tokenise(question) if one.number is not None] == numbers
