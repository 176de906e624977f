"""The index of values: found by the very words, by a part, and with a letter wrong."""

import sqlite3

import pytest

from oldhand.errors import DatabaseUnreachable, StoreError
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.value_files import fingerprint
from oldhand.sources.databases.values import AllValues, ValueIndex

CITIES = ["Berlin", "New York", "São Paulo", "berlin", "York", "Newcastle upon Tyne"]


@pytest.fixture
def index():
    return ValueIndex.in_memory("shop", [("main", "customers", "city", CITIES)])


def _schema(rows: int = 3) -> DatabaseSchema:
    columns = (
        Column(name="id", type="INT", kind=Kind.INTEGER),
        Column(name="city", type="TEXT", kind=Kind.TEXT),
    )
    table = Table(name="customers", schema_name="main", columns=columns, row_count=rows)
    return DatabaseSchema(name="shop", dialect="sqlite", tables=(table,))


class Source:
    """A database of one column."""

    name = "shop"

    def __init__(self, values, fails=False):
        self.values = values
        self.fails = fails
        self.asked = []

    def distinct_values(self, table, column, *, schema_name=None, limit):
        self.asked.append((schema_name, table, column))
        yield from self.values[:limit]
        if self.fails:
            raise DatabaseUnreachable


def test_letter_case_accents_and_punctuation_do_not_matter(index):
    assert {m.value for m in index.exact(["BERLIN", "sao-paulo"])} == {
        "Berlin",
        "berlin",
        "São Paulo",
    }


def test_a_match_says_in_which_column_the_value_stands(index):
    match = index.exact(["New York"])[0]
    assert (match.database, match.schema_name, match.table, match.column) == (
        "shop",
        "main",
        "customers",
        "city",
    )
    assert match.score == 1


def test_a_part_of_a_longer_value_is_found_with_a_lower_score(index):
    match = index.containing("Newcastle")[0]
    assert match.value == "Newcastle upon Tyne"
    assert match.score < 1


def test_a_misspelt_value_is_found(index):
    assert index.similar("Brelin")[0].value.lower() == "berlin"
    assert index.similar("Xyzzy") == ()


def test_lookup_takes_the_surest_way_that_finds_something(index):
    assert {m.value for m in index.lookup("berlin")} == {"Berlin", "berlin"}
    assert index.lookup("Newcastel upon Tyne")[0].value == "Newcastle upon Tyne"


def test_words_that_look_like_search_syntax_are_only_words(index):
    for phrase in ('"', "a OR b", "NEAR(x)", "*", "'; DROP TABLE value; --", "", "  "):
        assert index.lookup(phrase) == ()


def test_only_text_is_read_and_long_prose_is_left_out(tmp_path):
    source = Source(["Rome", "x" * 500, None, 7])
    index = ValueIndex.fresh(tmp_path / "index" / "shop.sqlite", source, _schema())
    assert source.asked == [("main", "customers", "city")]
    assert [m.value for m in index.exact(["rome"])] == ["Rome"]
    index.close()


def test_a_fresh_index_is_not_built_again(tmp_path):
    path = tmp_path / "shop.sqlite"
    first = Source(["Rome"])
    ValueIndex.fresh(path, first, _schema()).close()
    second = Source(["Paris"])
    index = ValueIndex.fresh(path, second, _schema())
    assert second.asked == []
    assert index.exact(["Rome"])
    index.close()


@pytest.mark.parametrize(("schema", "stamp"), [(_schema(rows=4), ""), (_schema(), "changed")])
def test_an_index_is_built_again_when_the_data_moved(tmp_path, schema, stamp):
    path = tmp_path / "shop.sqlite"
    ValueIndex.fresh(path, Source(["Rome"]), _schema()).close()
    index = ValueIndex.fresh(path, Source(["Paris"]), schema, stamp)
    assert index.exact(["Paris"])
    assert not index.exact(["Rome"])
    index.close()


def test_a_failed_build_leaves_the_older_index_and_no_rubbish(tmp_path):
    path = tmp_path / "shop.sqlite"
    ValueIndex.fresh(path, Source(["Rome"]), _schema()).close()
    with pytest.raises(DatabaseUnreachable):
        ValueIndex.fresh(path, Source(["Paris"], fails=True), _schema(rows=9))
    assert {p.name for p in tmp_path.iterdir()} == {"shop.sqlite", "shop.sqlite.lock"}
    kept = ValueIndex.open(path, "shop", fingerprint(_schema()))
    assert kept is not None
    assert kept.exact(["Rome"])
    kept.close()


def test_a_broken_file_counts_as_missing(tmp_path):
    path = tmp_path / "shop.sqlite"
    path.write_bytes(b"no database at all" * 100)
    assert ValueIndex.open(path, "shop", fingerprint(_schema())) is None


def test_a_place_that_cannot_be_written_is_a_store_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError):
        ValueIndex.fresh(tmp_path / "file" / "shop.sqlite", Source(["Rome"]), _schema())


def test_several_indices_answer_as_one(index):
    other = ValueIndex.in_memory("crm", [("public", "people", "town", ["Berlin"])])
    both = AllValues([index, other])
    assert {m.database for m in both.exact(["berlin"])} == {"shop", "crm"}
    assert both.similar("Berlni", 1)[0].value.lower() == "berlin"


def test_the_file_is_an_ordinary_sqlite_file(tmp_path):
    path = tmp_path / "shop.sqlite"
    ValueIndex.fresh(path, Source(CITIES), _schema()).close()
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM value").fetchone() == (len(CITIES),)
    connection.close()


def test_the_same_indices_joined_twice_are_the_same() -> None:
    one, other = (ValueIndex.in_memory(name, []) for name in ("one", "other"))
    assert len({AllValues([one, other]), AllValues([one, other]), AllValues([other, one])}) == 2
