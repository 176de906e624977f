"""Every form that a model fills in is read in every manner in which small models write it."""

import pytest
from pydantic import BaseModel

from oldhand.agent.analysis.forms import (
    PlanForm,
    RepairForm,
    SQLForm,
    SummaryForm,
    ValidationForm,
)
from oldhand.errors import MalformedAnswer
from oldhand.evaluators.sql_error_profiler import Profile
from oldhand.evaluators.sql_validator import Critique
from oldhand.learning.reflection.lm_reflector import ReflectionForm
from oldhand.models.structured import parse_answer
from oldhand.testing.small_models import MANNERS, JsonObject

SQL = """SELECT c.name, COUNT(*) AS "n"
FROM customers c
WHERE c.city = 'Basel, {BS}' -- it's
GROUP BY c.name"""
ANSWERS: list[tuple[type[BaseModel], JsonObject]] = [
    (ValidationForm, {"verdict": "answerable", "text": "", "options": [], "databases": ["shop", "crm"], "standalone": "", "notes": ["'Bale' is Basel"], "confidence": 0.95}),
    (ValidationForm, {"verdict": "clarify", "text": 'Which "town"?', "options": ["Basel", "Bern: {BE}"], "databases": [], "standalone": "How many?", "notes": [], "confidence": 0.95}),
    (PlanForm, {"steps": [{"number": 1, "purpose": "Orders", "database": "shop", "depends_on": [], "hidden": True}, {"number": 2, "purpose": "It's all", "database": "workspace", "depends_on": [1], "hidden": False}], "notes": ["Cancelled orders count."]}),
    (PlanForm, {"steps": [{"number": 1, "purpose": "Count", "database": "shop", "depends_on": [], "hidden": False}], "notes": []}),
    (SQLForm, {"sql": SQL, "notes": ["Each customer once."], "confidence": 0.95}),
    (SQLForm, {"sql": "SELECT COUNT(*) FROM orders", "notes": [], "confidence": 0.95}),
    (RepairForm, {"cause": 'The column is called "name".', "corrected_sql": SQL, "confidence": 0.95}),
    (SummaryForm, {"text": 'Basel has 1,234 customers: that\'s 12 % of "all".', "notes": [], "confidence": 0.95}),
    (Critique, {"is_valid": False, "issues": [{"text": "It counts rows, not people.", "severity": "error"}], "score": 0.3}),
    (Critique, {"is_valid": True, "issues": [], "score": 0.95}),
    (Profile, {"error_type": "Wrong column", "issues": ["It uses names that do not exist."]}),
    (ReflectionForm, {"reflection": "It went well.", "what_went_well": ["The join"], "rules": ["Use net amounts."], "checklist": []}),
]  # fmt: skip
WITHOUT_THE_REST = {"sql_alone", "sql_fenced", "sql_explained"}
"""Manners in which nothing but the statement is said."""


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(("form", "said"), ANSWERS)
def test_every_manner_of_every_form_is_read(
    form: type[BaseModel], said: JsonObject, manner: str
) -> None:
    read = parse_answer(MANNERS[manner](said), form)
    meant = form.model_validate(said)
    left_out = {"confidence"} if manner == "confidence_as_word" else set[str]()
    if manner in WITHOUT_THE_REST and "confidence" in said:
        left_out = {"confidence", "notes", "cause"} - ({"notes"} if "text" in said else set())
    assert read.model_dump(exclude=left_out) == meant.model_dump(exclude=left_out)


@pytest.mark.parametrize(("form", "said"), ANSWERS)
def test_an_answer_that_was_cut_is_read_as_no_other(
    form: type[BaseModel], said: JsonObject
) -> None:
    whole = MANNERS["plain"](said)
    read: list[BaseModel] = []
    for end in range(1, len(whole)):
        try:
            read.append(parse_answer(whole[:end], form))
        except MalformedAnswer:
            continue
    assert read == []
