"""What real databases said is read as the trouble that it is."""

from pathlib import Path

import pytest
import yaml

from oldhand.sources.databases.complaints import Trouble, read_complaint

REJECTIONS: dict[str, dict[str, dict[str, str]]] = yaml.safe_load(
    (Path(__file__).parent / "rejections.yaml").read_text("utf-8")
)
TROUBLES = {
    "unknown_table": Trouble.UNKNOWN_TABLE,
    "unknown_table_qualified": Trouble.UNKNOWN_TABLE,
    "unknown_column": Trouble.UNKNOWN_COLUMN,
    "unknown_column_unqualified": Trouble.UNKNOWN_COLUMN,
    "unknown_column_far": Trouble.UNKNOWN_COLUMN,
    "ambiguous": Trouble.AMBIGUOUS,
    "avg_text": Trouble.TYPES,
    "sum_text": Trouble.TYPES,
    "compare_text_int": Trouble.TYPES,
    "compare_int_text": Trouble.CONVERSION,
    "join_int_text": Trouble.TYPES,
    "in_int_text": Trouble.TYPES,
    "arith_text": Trouble.TYPES,
    "date_like": Trouble.TYPES,
    "cast_num_fail": Trouble.CONVERSION,
    "group_by": Trouble.NOT_GROUPED,
    "no_group_by": Trouble.NOT_GROUPED,
    "distinct_order": Trouble.DISTINCT_ORDER,
    "unknown_function": Trouble.UNKNOWN_FUNCTION,
    "year_fn": Trouble.UNKNOWN_FUNCTION,
    "date_trunc_fn": Trouble.UNKNOWN_FUNCTION,
    "ifnull_fn": Trouble.UNKNOWN_FUNCTION,
    "round_fn": Trouble.TYPES,
    "div_zero": Trouble.DIVISION_BY_ZERO,
    "mod_zero": Trouble.DIVISION_BY_ZERO,
    "subquery_rows": Trouble.MANY_ROWS,
    "limit_sub": Trouble.LIMIT_IN_SUBQUERY,
    "agg_in_where": Trouble.AGGREGATE_IN_WHERE,
    "syntax": Trouble.SYNTAX,
    "syntax_end": Trouble.SYNTAX,
    "upper_int": Trouble.TYPES,
}
CASES = [
    (dialect, case, said["error"])
    for dialect, cases in REJECTIONS.items()
    for case, said in cases.items()
    if case in TROUBLES and (dialect, case) != ("mysql", "round_fn")
]


@pytest.mark.parametrize(("dialect", "case", "error"), CASES, ids=[f"{d}-{c}" for d, c, _ in CASES])
def test_every_rejection_is_read_as_its_trouble(dialect, case, error):
    assert read_complaint(error).trouble is TROUBLES[case]


@pytest.mark.parametrize(("dialect", "case", "error"), CASES, ids=[f"{d}-{c}" for d, c, _ in CASES])
def test_line_ends_do_not_matter(dialect, case, error):
    assert read_complaint(" ".join(error.split())) == read_complaint(error)


@pytest.mark.parametrize("dialect", REJECTIONS)
def test_the_unknown_column_is_named(dialect):
    complaint = read_complaint(REJECTIONS[dialect]["unknown_column"]["error"])
    assert (complaint.source, complaint.name) == ("c", "nme")


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_the_databases_own_hint_comes_first(dialect):
    assert read_complaint(REJECTIONS[dialect]["unknown_column"]["error"]).hints[0] == "name"


@pytest.mark.parametrize(
    ("message", "trouble", "name"),
    [
        ("The database shop has no table custmers. Did you mean customers?", "unknown table", "custmers"),
        ("c (customers) has no column nme. Did you mean name?", "unknown column", "nme"),
        ("No table in FROM has a column citi. Did you mean city?", "unknown column", "citi"),
        ("x in x.name is neither a table in FROM nor an alias. FROM has c.", "unknown source", "x"),
        ("name is in more than one table of FROM. Write c.name or o.name.", "ambiguous column", "name"),
        ("t2.name has many values in each group: add it to GROUP BY, or use an aggregate such as MAX(t2.name).", "column neither grouped nor aggregated", ""),
        ("cost is text, no number: cast it, or count it instead.", "types that do not fit", ""),
        ("shop: stopped after 30 seconds.", "timed out", ""),
        ("the disk is on fire", "other", ""),
    ],
)  # fmt: skip
def test_what_our_own_check_says_is_read_too(message, trouble, name):
    complaint = read_complaint(message)
    assert (complaint.trouble.value, complaint.name) == (trouble, name)
