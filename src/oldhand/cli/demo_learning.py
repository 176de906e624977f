"""`oldhand demo --learn`: how the scenes of learning are shown."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from oldhand.cli.fixing import fixing_lines
from oldhand.cli.learn import indented, report_lines
from oldhand.cli.learned import receipt_lines
from oldhand.cli.rule import preview_lines
from oldhand.cli.screen import one_line, shown_cell
from oldhand.cli.why import tree_of
from oldhand.demo.learning import (
    LookedBack,
    NightDistilled,
    OwnerCorrected,
    QuestionAsked,
    Retired,
    Scene,
)
from oldhand.demo.teaching import Agreed, Lesson, Picked, RuleStated, Told
from oldhand.record.memory import ReflectionPayload

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.record.base import Row
    from oldhand.record.memory import Memory
    from oldhand.record.receipt import Receipt


def shown_scene(scene: Scene | Lesson, number: int) -> "Iterator[RenderableType]":
    """One scene for people.

    Args:
        scene: what has happened.
        number: how many came before it, and one.
    """
    yield Text()
    match scene:
        case QuestionAsked():
            yield from _asked(scene, number)
        case OwnerCorrected():
            yield _title(number, "The owner corrects it", scene.rule)
            yield from map(Text, receipt_lines(scene.receipt))
        case Picked():
            yield _title(number, "The owner picks what was meant", scene.rule)
            yield from fixing_lines(scene.fixing)
            yield from map(Text, receipt_lines(scene.receipt))
        case Told():
            yield _title(number, f"The owner says: {scene.words}")
            yield from map(Text, receipt_lines(scene.receipt))
        case Agreed():
            yield _title(number, "The owner says yes to it", scene.reading)
            yield from map(Text, receipt_lines(scene.receipt))
        case RuleStated():
            yield _title(number, "The owner states a rule", scene.sentence)
            yield from map(Text, preview_lines(scene.rule))
        case LookedBack():
            yield _title(number, "It looks back on its answer")
            yield from _reflection(scene.reflection)
        case NightDistilled():
            yield _title(number, "The night makes a lesson of it")
            yield from (Text(indented(line)) for line in report_lines(scene.report))
        case Retired():
            yield _title(number, "What it rests on is set aside")
            yield from (Text(one_line(lesson.summary)) for lesson in scene.lessons)


def scene_object(scene: Scene | Lesson) -> dict[str, object]:
    """The line that `--json` prints."""
    match scene:
        case QuestionAsked():
            return {
                "scene": "asked",
                "question": scene.exercise.text,
                "answer": scene.answer.rows,
                "expected": scene.exercise.expected.shown,
                "correct": scene.right,
                "sql": ";\n".join(step.sql for step in scene.answer.steps),
                "lessons": sorted(scene.used),
            }
        case OwnerCorrected():
            return {"scene": "corrected", "rule": scene.rule, "learned": _ids(scene.receipt)}
        case Picked() | Told() | Agreed() | RuleStated():
            return _lesson_object(scene)
        case LookedBack():
            return {"scene": "looked back", "reflection": scene.reflection.model_dump(mode="json")}
        case NightDistilled():
            lessons = [memory.model_dump(mode="json") for memory in scene.lessons]
            return {"scene": "distilled", "lessons": lessons}
        case Retired():
            return {"scene": "retired", "lessons": [memory.id for memory in scene.lessons]}


def _lesson_object(scene: Lesson) -> dict[str, object]:
    match scene:
        case Picked():
            picked = scene.fixing.model_dump(mode="json", include={"picked", "before", "after"})
            learned = _ids(scene.receipt)
            return {"scene": "picked", "rule": scene.rule, "learned": learned, **picked}
        case Told():
            return {"scene": "told", "words": scene.words, "learned": _ids(scene.receipt)}
        case Agreed():
            return {"scene": "agreed", "reading": scene.reading, "learned": _ids(scene.receipt)}
        case RuleStated():
            return {"scene": "stated", "sentence": scene.sentence, "rule": scene.rule.told}


def _ids(receipt: "Receipt") -> list[str]:
    return [memory.id for memory in receipt.learned]


def conclusion(*, succeeded: bool, asked: int) -> Text:
    """What the scenes have shown."""
    if succeeded:
        return Text("Wrong at first, right with what was learned, wrong again without it.", "green")
    return Text(f"After {asked} questions it has not been shown that the lesson helps.", "bold red")


def conclusion_of_teaching(*, succeeded: bool) -> Text:
    """What the scenes of teaching have shown."""
    if succeeded:
        return Text(
            "Put right by picking, by words, by a yes and by a rule; each made the next question right.",
            "green",
        )
    return Text("Not all of it was put right without SQL.", "bold red")


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
        mark.append(", by the pair that the owner confirmed", "dim")
    yield mark
    if scene.used:
        yield tree_of(scene.why)


def _cells(rows: "tuple[Row, ...]") -> str:
    return ", ".join(shown_cell(cell) for row in rows for cell in row)


def _reflection(reflection: "Memory") -> Iterator[Text]:
    payload = reflection.payload
    assert isinstance(payload, ReflectionPayload), "the face gives reflections"
    found = payload.learnings
    if payload.reflection not in found.improvements:
        yield Text(one_line(payload.reflection))
    for title, lines in (
        ("went well", found.what_went_well),
        ("to improve", found.improvements),
        ("rule", found.rules),
    ):
        yield from (Text.assemble((f"  {title:<11}", "dim"), one_line(line)) for line in lines)
