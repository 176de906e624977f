"""What people see, on a terminal and through a pipe."""

import io
import re

import pytest
from rich.console import Console
from rich.text import Text

from oldhand.agent.analyst.effects.noting import note_on
from oldhand.cli.answering import Running, answer_of, explained, reading
from oldhand.cli.paper import Paper
from oldhand.cli.screen import MAX_ROWS, Listing, make_table, one_line, safe, shown_cell
from oldhand.errors import UsageError
from oldhand.record.answer import Answer, FailedAttempt, Outcome, QueryStep
from oldhand.record.document import Citation
from oldhand.record.effect import DefaultFilter
from oldhand.record.progress import (
    Attempted,
    AttemptFailed,
    Planned,
    PlannedStep,
    Spent,
    StepDone,
    TextDelta,
    Understood,
)
from oldhand.record.usage import Usage
from oldhand.testing.records import example_memory

STEP = QueryStep(
    number=1, purpose="Count", database="shop", sql="SELECT 1", row_count=1, seconds=0.003
)
USAGE = Usage(requests=1, input_tokens=1100, output_tokens=104, cost=0.0021)


def console(*, terminal: bool = False) -> Console:
    return Console(
        file=io.StringIO(),
        force_terminal=terminal,
        width=100,
        markup=False,
        emoji=False,
        highlight=False,
        color_system="standard" if terminal else None,
    )


def text_of(shown: Console) -> str:
    assert isinstance(shown.file, io.StringIO)
    return shown.file.getvalue()


def answer(**fields: object) -> Answer:
    known: dict[str, object] = {
        "episode_id": "e-1",
        "question": "How many?",
        "outcome": Outcome.ANSWERED,
        "text": "There are 3.",
        "columns": ("n",),
        "rows": ((3,),),
        "confidence": 0.87,
        "model": "builtin",
        "seconds": 0.42,
        "session_id": "s-1",
    }
    return Answer.model_validate({**known, **fields})


def shown(found: Answer, *, brief: bool = False) -> str:
    paper = console()
    paper.print(*answer_of(found, brief=brief), sep="\n")
    return text_of(paper)


def watched(paper: Console) -> str:
    running = Running(paper)
    with running.live:
        running(Understood(databases=("shop",), notes=("'clients' means customers",)))
        running(Planned(steps=(PlannedStep(number=1, purpose="Count them", database="shop"),)))
        running(Attempted(number=1, attempt=1, database="shop", sql="SELECT COUNT(*)\nFROM x"))
        running(AttemptFailed(number=1, attempt=1, error="no such table: x"))
        running(Attempted(number=1, attempt=2, database="shop", sql="SELECT COUNT(*) FROM y"))
        running(Spent(stage="plan", usage=USAGE, total=USAGE))
        running(StepDone(step=STEP, rows=((3,),)))
        running(TextDelta(text="There are"))
    return text_of(paper)


def test_through_a_pipe_nothing_is_shown_of_the_work() -> None:
    assert watched(console()) == ""


def test_a_rule_that_changed_the_rows_is_told_without_asking() -> None:
    rule = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")
    notes = (
        note_on(rule, example_memory(effect=rule)),
        "By a rule of ana: no tests.",
        "Read as: x.",
    )
    said = shown(answer(notes=notes, steps=(STEP,)))
    assert "Left out orders with status = 'cancelled'" in said
    assert "By a rule of ana: no tests." in said
    assert "Read as" not in said


def test_how_an_answer_was_found_is_told_to_those_who_ask() -> None:
    failed = FailedAttempt(sql="SELECT COUNT(*)\nFROM x", error="no such table: x")
    step = STEP.model_copy(update={"failures": (failed,), "attempts": 2})
    join = STEP.model_copy(update={"number": 2, "purpose": "Join", "database": "workspace"})
    paper = console()
    found = answer(notes=("'clients' means customers",), steps=(step, join))
    paper.print(*explained(found), sep="\n")
    assert text_of(paper).splitlines() == [
        "How it was understood",
        "  'clients' means customers",
        "Plan",
        "  1. Count  [shop]",
        "  2. Join  [workspace]",
        "Step 1 [shop]",
        "  SELECT COUNT(*)",
        "  FROM x",
        "  failed: no such table: x",
        "  SELECT 1",
        "  1 row, 3 ms",
        "Step 2 [workspace]",
        "  SELECT 1",
        "  1 row, 3 ms",
    ]


def test_a_terminal_shows_tokens_and_time_while_it_works() -> None:
    seen = watched(console(terminal=True))
    assert "\x1b[" in seen
    assert re.search(r"\d+\.\d s · 1,204 tokens, \$0\.0021", seen)
    assert "There are" in seen


def test_a_value_that_the_text_holds_is_not_repeated_as_a_table() -> None:
    assert shown(answer()) == "There are 3.\ne-1 · confidence 87% · builtin · 0.42 s\n"


def test_rows_are_a_table_with_numbers_to_the_right() -> None:
    found = answer(text="Two cities.", columns=("city", "n"), rows=(("Oslo", 12), (None, 3)))
    assert [line.rstrip() for line in shown(found, brief=True).splitlines()] == [
        "Two cities.",
        "",
        "city    n",
        "─────────",
        "Oslo   12",
        "NULL    3",
    ]


def test_an_answer_says_what_it_cost_and_what_was_cut() -> None:
    found = answer(usage=USAGE, truncated=True, notes=("read 'big' as n > 2",))
    assert shown(found).splitlines()[1:] == [
        "This result was cut: by query.rows in settings.yaml, or by a preference of yours for fewer rows.",
        "e-1 · confidence 87% · builtin · 1,204 tokens, $0.0021 · 0.42 s",
    ]


def test_an_answer_says_how_many_statements_were_refused() -> None:
    steps = (STEP, STEP.model_copy(update={"number": 2, "refused": 2}))
    line = "Refused because it does more than read: 2 statements."
    assert shown(answer(steps=steps)).splitlines()[1] == line
    assert "Refused" not in shown(answer(steps=(STEP,)))


@pytest.mark.parametrize(
    ("cell", "text"),
    [(1.4982, "On average 1.5."), (2858.45, "It is 2,858.45."), (7.0, "There are 7.")],
)
def test_a_value_that_the_text_rounds_is_not_repeated_either(cell: float, text: str) -> None:
    assert shown(answer(text=text, rows=((cell,),)), brief=True) == f"{text}\n"
    assert "─" in shown(answer(text="It is 1.4.", rows=((cell,),)), brief=True)


def test_the_running_line_names_what_is_being_done() -> None:
    seen = watched(console(terminal=True))
    assert "writing the answer … " in seen


def test_a_number_chooses_a_reading_only_after_a_question_back() -> None:
    asked_back = answer(outcome=Outcome.CLARIFY, options=("by city", "by year"))
    assert reading("2", asked_back) == "by year"
    assert reading("How many?", asked_back) == "How many?"
    assert reading("7", answer()) == reading("7", None) == "7"
    with pytest.raises(UsageError, match=r"^Choose 1 or 2, or ask something else\.$"):
        reading("7", asked_back)


def test_on_a_narrow_screen_names_and_values_stand_below_each_other() -> None:
    paper = Console(file=io.StringIO(), width=40)
    path = "/srv/oldhand/knowledge/data_schemas/warehouse.yaml"
    paper.print(Listing(("name", "file"), [("warehouse", path), ("shop", "")]))
    lines = text_of(paper).splitlines()
    assert lines[0] == "name  warehouse"
    assert "".join(lines[1:-2]).replace(" ", "") == f"file{path}"
    assert lines[-1] == "name  shop"


def test_a_question_back_lists_the_readings() -> None:
    found = answer(outcome=Outcome.CLARIFY, text="Which?", rows=(), options=("by city", "by year"))
    assert shown(found, brief=True) == "Which?\n  1. by city\n  2. by year\n"


def test_a_long_table_is_cut_and_says_so() -> None:
    rows = tuple((n,) for n in range(MAX_ROWS + 7))
    assert "… and 7 more rows (--json shows them)" in shown(answer(text="Many.", rows=rows))


@pytest.mark.parametrize(
    "hostile", ["[bold red]x[/]", ":smile:", "\x1b]0;owned\x07", "\x9b2J", "a\u202eb"]
)
def test_text_out_of_a_database_is_shown_and_never_obeyed(hostile: str) -> None:
    paper = console()
    paper.print(make_table(("name", hostile), [(hostile, 1)]))
    paper.print(*answer_of(answer(text=hostile, notes=(hostile,))), sep="\n")
    seen = text_of(paper)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", seen)
    assert seen.count(safe(hostile)) >= 3


def test_columns_in_which_nothing_stands_are_left_out() -> None:
    paper = console()
    paper.print(Listing(("name", "why", "file"), [("shop", "", "shop.db"), ("moon", "", "")]))
    assert text_of(paper).split()[:2] == ["name", "file"]


def test_an_answer_without_a_statement_says_on_whose_word_and_in_which_place_it_stands() -> None:
    cited = Citation(
        number=1,
        chunk="c1",
        document_id="d1",
        document="Handbook",
        place="Handbook > Leave, line 3",
        quote="30 days.",
    )
    said = shown(
        answer(
            text="30 days. [1]",
            rows=(),
            columns=(),
            notes=("bo has said so.",),
            citations=(cited,),
            steps=(),
        ),
        brief=True,
    )
    assert said.splitlines() == ["30 days. [1]", "[1] Handbook, Leave, line 3", "bo has said so."]


def test_line_breaks_in_a_cell_do_not_break_the_table() -> None:
    assert shown_cell("a\r\n b") == one_line("a\r\n b") == "a b"


def test_an_indent_is_kept_where_a_terminal_breaks_a_line() -> None:
    line = "  Like 'How many early birds live in Berlin?', which ana confirmed."
    for terminal, expected in (
        (True, ["  Like 'How many early birds live in", "  Berlin?', which ana confirmed."]),
        (False, [line]),
    ):
        written = io.StringIO()
        paper = Paper(file=written, width=40, force_terminal=terminal, soft_wrap=not terminal)
        paper.print(Text(line))
        assert written.getvalue().splitlines() == expected


def test_ids_are_not_broken_while_sentences_can_be() -> None:
    sentence = "Leave out orders that were cancelled, unless the question asks for them."
    written = io.StringIO()
    narrow = Console(file=written, width=80, force_terminal=False)
    rows = [("rule-c39dc1434f5", sentence, 1, "a verdict of some words, which takes room")]
    narrow.print(Listing(("id", "lesson", "shown", "verdict"), rows))
    assert "rule-c39dc1434f5 " in written.getvalue()
    assert len(written.getvalue().splitlines()) > 3
