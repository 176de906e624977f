"""The scripted and the replayed model, as authors of tests meet them."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from oldhand.errors import JournalError, MalformedAnswer, MissingRecording, ModelError, RateLimited
from oldhand.models import Completion, Ledger, Message, ToolCall
from oldhand.record.usage import Usage
from oldhand.testing.clock import FixedClock
from oldhand.testing.prompts import Prompt
from oldhand.testing.replay import RecordingModel, ReplayModel
from oldhand.testing.scripted import BreaksOff, ScriptedModel, ScriptEnded

ASKED = [Message(role="user", content="How many customers live in Köln?")]


class Count(BaseModel):
    number: int


@pytest.fixture
def ledger() -> Ledger:
    return Ledger(FixedClock())


async def test_a_script_may_be_a_function_of_the_prompt(ledger: Ledger) -> None:
    def answer(prompt: Prompt) -> str:
        return f"{prompt.stage}: {prompt.text.upper()}"

    model = ScriptedModel(answer)
    assert (await model.complete(ASKED, stage="s", ledger=ledger)).text.startswith("s: HOW MANY")


async def test_a_script_takes_texts_forms_fields_tool_calls_and_errors(ledger: Ledger) -> None:
    call = ToolCall(id="1", name="lookup", arguments={"city": "Köln"})
    model = ScriptedModel(["Three.", Count(number=3), {"number": 4}, [call], RateLimited()])
    assert (await model.complete(ASKED, stage="s", ledger=ledger)).text == "Three."
    assert await model.structured(ASKED, Count, stage="s", ledger=ledger) == Count(number=3)
    assert await model.structured(ASKED, Count, stage="s", ledger=ledger) == Count(number=4)
    assert (await model.complete(ASKED, stage="s", ledger=ledger)).tool_calls == (call,)
    with pytest.raises(RateLimited):
        await model.complete(ASKED, stage="s", ledger=ledger)
    assert [prompt.form for prompt in model.prompts] == [None, "Count", "Count", None, None]


async def test_a_script_that_ends_is_not_taken_for_a_models_failure(ledger: Ledger) -> None:
    model = ScriptedModel([])
    with pytest.raises(ScriptEnded, match=r"stage 'plan'.*Köln") as caught:
        await model.complete(ASKED, stage="plan", ledger=ledger)
    assert not isinstance(caught.value, ModelError)


async def test_a_scripted_stream_can_break_off(ledger: Ledger) -> None:
    model = ScriptedModel([BreaksOff("one two", RateLimited())])
    seen: list[str] = []
    with pytest.raises(RateLimited):
        seen = [piece async for piece in model.stream(ASKED, stage="s", ledger=ledger)]
    assert seen == []
    assert ledger.total.requests == 1


async def record(path: Path, *answers: str | BaseModel) -> None:
    model = RecordingModel(ScriptedModel(answers, name="original"), path)
    for answer in answers:
        if isinstance(answer, BaseModel):
            await model.structured(ASKED, Count, stage="s", ledger=Ledger())
        else:
            await model.complete(ASKED, stage="s", ledger=Ledger())


async def test_answers_to_the_same_prompt_come_in_order_and_the_last_stays(
    tmp_path: Path, ledger: Ledger
) -> None:
    await record(tmp_path / "new" / "r.jsonl", "one", "two")
    model = ReplayModel(tmp_path / "new" / "r.jsonl")
    texts = [(await model.complete(ASKED, stage="s", ledger=ledger)).text for _ in range(3)]
    assert texts == ["one", "two", "two"]


async def test_what_was_recorded_is_booked_again(tmp_path: Path, ledger: Ledger) -> None:
    used = Usage(requests=2, input_tokens=9, output_tokens=3, cost=0.25)

    class Paid(ScriptedModel):
        async def complete(self, *_: object, **__: object) -> Completion:
            return Completion(text="Three.", usage=used, seconds=1.5)

    recorder = RecordingModel(Paid([]), tmp_path / "r.jsonl")
    await recorder.complete(ASKED, stage="s", ledger=ledger)
    await ReplayModel(tmp_path / "r.jsonl").complete(ASKED, stage="s", ledger=ledger)
    assert (ledger.entries[-1].usage, ledger.entries[-1].seconds) == (used, 1.5)


@pytest.mark.parametrize(
    ("asked", "stage"),
    [
        ([Message(role="user", content="Another question")], "s"),
        ([Message(role="system", content=ASKED[0].content)], "s"),
        (ASKED, "another stage"),
    ],
)
async def test_a_missing_recording_is_named(
    asked: list[Message], stage: str, tmp_path: Path, ledger: Ledger
) -> None:
    await record(tmp_path / "r.jsonl", "one")
    model = ReplayModel(tmp_path / "r.jsonl")
    with pytest.raises(MissingRecording, match=f"stage '{stage}'"):
        await model.complete(asked, stage=stage, ledger=ledger)
    with pytest.raises(MissingRecording, match="no structured answer"):
        await model.structured(ASKED, Count, stage="s", ledger=ledger)


async def test_an_answer_that_no_longer_fits_its_schema_is_malformed(
    tmp_path: Path, ledger: Ledger
) -> None:
    await record(tmp_path / "r.jsonl", Count(number=3))

    class Grown(BaseModel):
        number: int
        unit: str

    Grown.__name__ = "Count"
    with pytest.raises(MalformedAnswer, match="unit"):
        await ReplayModel(tmp_path / "r.jsonl").structured(ASKED, Grown, stage="s", ledger=ledger)


async def test_lines_with_odd_characters_are_read_back(tmp_path: Path, ledger: Ledger) -> None:
    said = "one\u2028two\x85three\nfour"
    await record(tmp_path / "r.jsonl", said)
    model = ReplayModel(tmp_path / "r.jsonl")
    assert (await model.complete(ASKED, stage="s", ledger=ledger)).text == said


def test_a_file_that_is_not_there_or_broken_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingRecording, match="does not exist"):
        ReplayModel(tmp_path / "none.jsonl")
    (tmp_path / "half.jsonl").write_text('\n{"key": "a", "ki', "utf-8")
    with pytest.raises(JournalError, match="line 2"):
        ReplayModel(tmp_path / "half.jsonl")


async def test_a_failed_call_is_not_recorded(tmp_path: Path, ledger: Ledger) -> None:
    recorder = RecordingModel(ScriptedModel([RateLimited()]), tmp_path / "r.jsonl")
    with pytest.raises(RateLimited):
        await recorder.structured(ASKED, Count, stage="s", ledger=ledger)
    assert not (tmp_path / "r.jsonl").exists()
    assert ledger.total.requests == 1
