"""Semantic models and metrics of dbt become rules where they can; the rest is listed with the reason."""

from pathlib import Path

import pytest

from oldhand.errors import SchemaError

FILE = """
semantic_models:
  - name: hires
    model: ref('rentals')
    defaults:
      agg_time_dimension: payment_day
    entities:
      - {name: rental, type: primary, expr: id}
    dimensions:
      - {name: payment_day, type: time, expr: paid_on, type_params: {time_granularity: day}}
      - {name: stage, type: categorical, expr: status}
      - {name: is_long, type: categorical, expr: "case when days > 7 then 'yes' end"}
    measures:
      - {name: takings, agg: sum, expr: fee}
      - {name: outlay, agg: sum, expr: expenses}
      - {name: hire_count, agg: sum, expr: "1"}
      - {name: middle_fee, agg: median, expr: fee}
  - name: weather
    model: ref('weather')
metrics:
  - {name: surplus, type: derived, type_params: {expr: takings - cost_side, metrics: [{name: takings}, {name: outlay, alias: cost_side}]}}
  - {name: average_ticket, label: Average ticket, type: ratio, type_params: {numerator: takings, denominator: {name: hire_count}}}
  - {name: big_takings, type: simple, type_params: {measure: takings}, filter: "{{ Dimension('rental__fee') }} > 100"}
  - {name: running, type: cumulative, type_params: {measure: takings}}
  - {name: later, type: derived, type_params: {expr: 2 * surplus, metrics: [surplus]}}
  - {name: lost, type: derived, type_params: {expr: 2 * nowhere, metrics: [nowhere]}}
"""


@pytest.fixture
def metrics(tmp_path: Path) -> Path:
    path = tmp_path / "metrics.yml"
    path.write_text(FILE)
    return path


def test_what_can_be_stated_is_taken(old, rows, metrics):
    found = old.rules.import_dbt(metrics)
    assert {one.name for one in found.taken} == {
        "date of rentals", "stage", "takings", "outlay", "hire count", "surplus", "average ticket", "later",
    }  # fmt: skip
    (surplus,) = [one for one in old.rules.list() if one.name == "surplus"]
    assert surplus.rule.formula == "(SUM(fee)) - (SUM(expenses))"
    assert surplus.rule.by == "default"
    asked = old.ask("average ticket per city").rows
    wanted = rows("SELECT city, sum(fee) / count(*) FROM rentals JOIN clients c ON c.id = client_id GROUP BY 1")  # fmt: skip
    assert [tuple(row) for row in sorted(asked)] == [pytest.approx(row) for row in sorted(wanted)]


def test_what_cannot_is_listed_with_the_reason(old, metrics):
    found = old.rules.import_dbt(metrics, dry_run=True)
    assert {one.name: one.reason for one in found.left_out} == {
        "is_long": "its expression is no column",
        "middle_fee": "the aggregation median can't be stated",
        "weather": "no table goes by the name of its model",
        "big_takings": "it has a filter of its own",
        "running": "metrics of type cumulative can't be stated",
        "lost": "it rests on 'nowhere', which was not taken",
    }
    assert old.rules.list() == ()


def test_a_file_of_something_else_is_refused(old, tmp_path):
    path = tmp_path / "other.yml"
    path.write_text("version: 2\n")
    with pytest.raises(SchemaError, match="holds neither semantic_models nor metrics"):
        old.rules.import_dbt(path)
