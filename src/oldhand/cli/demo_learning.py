"""`oldhand demo --learn` and `--teach`: how their scenes are shown."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from oldhand.cli.fixing import fixing_lines
from oldhand.cli.learn import indented, report_lines
from oldhand.cli.learned import receipt_lines
from oldhand.cli.rule import preview_lines
from oldhand.cli.screen import one_line, shown_cell
from oldhand.cli.why import tree_of
from oldhand.demo.learning import QuestionAsked, Scene
from oldhand.loop.night import NightReport
from oldhand.loop.stating import RulePreview
from oldhand.record.fixing import Fixing
from oldhand.record.memory import Memory, ReflectionPayload
from oldhand.record.receipt import Receipt

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.record.base import Row


def shown_scene(scene: Scene, number: int) -> "Iterator[RenderableType]":
    """One scene for people."""
    yield Text()
    if isinstance(scene, QuestionAsked):
        yield from _asked(scene, number)
        return
    yield _title(number, scene.title, scene.said)
    for result in scene.came_of_it:
        match result:
            case Receipt():
                yield from map(Text, receipt_lines(result))
            case Fixing():
                yield from fixing_lines(result)
            case RulePreview():
                yield from map(Text, preview_lines(result))
            case NightReport():
                yield from (Text(indented(line)) for line in report_lines(result))
            case Memory():
                yield from _memory(result)


def scene_object(scene: Scene) -> dict[str, object]:
    """The line that `--json` prints."""
    if not isinstance(scene, QuestionAsked):
        return {"scene": scene.kind, **scene.facts}
    return {
        "scene": "asked",
        "question": scene.exercise.text,
        "answer": scene.answer.rows,
        "expected": scene.exercise.expected.shown,
        "correct": scene.right,
        "sql": ";\n".join(step.sql for step in scene.answer.steps),
        "lessons": sorted(scene.used),
    }


def _title(number: int, title: str, more: str = "") -> Text:
    return Text.assemble((f"{number}. {title}", "bold"), (f"  {more}" if more else "", "dim"))


def _asked(scene: QuestionAsked, number: int) -> "Iterator[RenderableType]":
    yield _title(number, scene.exercise.text)
    for step in scene.answer.steps:
        yield Text(f"  {one_line(step.sql)}", "dim")
    yield Text(f"  right answer    {_cells(scene.exercise.expected.rows)}")
    yield Text(f"  answer given    {_cells(scene.answer.rows) or one_line(scene.answer.text)}")
    mark = Text("✓ right", "green") if scene.right else Text("✗ wrong", "bold red")
    if scene.answer.proposal is not None:
        mark = Text("? only proposed", "yellow")
    if scene.used:
        mark.append(", by what was learned:", "dim")
    elif scene.why.used:
        mark.append(", by what the owner taught", "dim")
    yield mark
    if scene.used:
        yield tree_of(scene.why)


def _cells(rows: "tuple[Row, ...]") -> str:
    return ", ".join(shown_cell(cell) for row in rows for cell in row)


def _memory(memory: Memory) -> Iterator[Text]:
    """A reflection with what it found; of any other memory what it says."""
    payload = memory.payload
    if not isinstance(payload, ReflectionPayload):
        yield Text(one_line(memory.summary))
        return
    found = payload.learnings
    if payload.reflection not in found.improvements:
        yield Text(one_line(payload.reflection))
    for title, lines in (
        ("went well", found.what_went_well),
        ("to improve", found.improvements),
        ("rule", found.rules),
    ):
        yield from (Text.assemble((f"  {title:<11}", "dim"), one_line(line)) for line in lines)
