"""A model that repeats recorded answers, and the recorder that writes them down."""

import json
from collections import deque
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path
from threading import Lock

from pydantic import BaseModel, ConfigDict, ValidationError

from oldhand.errors import JournalError, MissingRecording
from oldhand.models.language_model import Completion, LanguageModel, ModelTool
from oldhand.models.ledger import Ledger
from oldhand.models.structured import T, parse_answer
from oldhand.record.episode import Message
from oldhand.record.usage import LedgerEntry, Usage
from oldhand.testing.prompts import AnsweringModel, Kind, Prompt


class Recording(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    key: str
    """`Prompt.key`."""
    kind: Kind
    stage: str
    asked: str = ""
    """The end of the prompt, for people who read the file."""
    model: str
    completion: Completion
    """What came back; the JSON of a structured answer stands in its text."""


class RecordingModel:
    """Wraps a model and appends each of its answers to a file; a call that fails is not recorded."""

    def __init__(self, model: LanguageModel, path: Path) -> None:
        """Create the file's folder if it is missing."""
        self._model = model
        self._path = path
        self._lock = Lock()
        path.parent.mkdir(parents=True, exist_ok=True)

    @property
    def name(self) -> str:
        """The wrapped model's."""
        return self._model.name

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        stage: str,
        ledger: Ledger,
        tools: Sequence[ModelTool] = (),
    ) -> Completion:
        """The wrapped model's answer."""
        prompt = Prompt(stage, tuple(messages), tools=tuple(tool.name for tool in tools))
        answer = await self._model.complete(messages, stage=stage, ledger=ledger, tools=tools)
        self._write("complete", prompt, answer)
        return answer

    async def structured(
        self, messages: Sequence[Message], schema: type[T], *, stage: str, ledger: Ledger
    ) -> T:
        """The wrapped model's answer."""
        with _counted(ledger) as own:
            answer = await self._model.structured(messages, schema, stage=stage, ledger=own)
        prompt = Prompt(stage, tuple(messages), form=schema.__name__)
        self._write("structured", prompt, _summed(answer.model_dump_json(), own))
        return answer

    async def stream(
        self, messages: Sequence[Message], *, stage: str, ledger: Ledger
    ) -> AsyncGenerator[str, None]:
        """The wrapped model's answer; recorded when it came to its end."""
        said: list[str] = []
        with _counted(ledger) as own:
            async with aclosing(self._model.stream(messages, stage=stage, ledger=own)) as answer:
                async for piece in answer:
                    said.append(piece)
                    yield piece
        self._write("stream", Prompt(stage, tuple(messages)), _summed("".join(said), own))

    async def aclose(self) -> None:
        """Close the wrapped model."""
        await self._model.aclose()

    def _write(self, kind: Kind, prompt: Prompt, completion: Completion) -> None:
        line = Recording(
            key=prompt.key,
            kind=kind,
            stage=prompt.stage,
            asked=prompt.text[-200:],
            model=self.name,
            completion=completion,
        )
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(line.model_dump_json() + "\n")


class ReplayModel(AnsweringModel):
    """A `LanguageModel` that gives the recorded answer for each prompt, or raises `MissingRecording`.

    A prompt that was recorded several times gives its answers in order; the last one is repeated.
    """

    def __init__(self, path: Path, *, name: str = "replay") -> None:
        """Read the recordings in `path`.

        Raises:
            MissingRecording: there is no such file.
            JournalError: a line does not parse; the message names it.
        """
        super().__init__(name)
        self._path = path
        self._answers = _read(path)

    async def structured(
        self, messages: Sequence[Message], schema: type[T], *, stage: str, ledger: Ledger
    ) -> T:
        """The recorded answer.

        Raises:
            MissingRecording: there is none.
            MalformedAnswer: `schema` has changed since, and the answer does not fit any more.
        """
        prompt = Prompt(stage, tuple(messages), form=schema.__name__)
        return parse_answer(self._answer("structured", prompt, ledger).text, schema)

    def _answer(self, kind: Kind, prompt: Prompt, ledger: Ledger) -> Completion:
        answers = self._answers.get((kind, prompt.key))
        if not answers:
            raise MissingRecording(
                f"{self._path} has no {kind} answer for this prompt of stage {prompt.stage!r}; record it "
                f"with RecordingModel. The prompt ends: {json.dumps(prompt.text[-200:], ensure_ascii=False)}"
            )
        recording = answers.popleft() if len(answers) > 1 else answers[0]
        ledger.add(
            LedgerEntry(
                stage=prompt.stage,
                model=self.name,
                usage=recording.completion.usage,
                seconds=recording.completion.seconds,
                at=ledger.clock.now(),
            )
        )
        return recording.completion


def _read(path: Path) -> dict[tuple[Kind, str], deque[Recording]]:
    try:
        lines = path.read_text("utf-8").split("\n")
    except FileNotFoundError as error:
        raise MissingRecording(f"{path} does not exist: record it with RecordingModel.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise JournalError(f"{path} cannot be read: {error}") from error
    found: dict[tuple[Kind, str], deque[Recording]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            recording = Recording.model_validate_json(line)
        except ValidationError as error:
            raise JournalError(
                f"{path}, line {number}, is no recording: {error.errors()[0]['msg']}"
            ) from error
        found.setdefault((recording.kind, recording.key), deque()).append(recording)
    return found


@contextmanager
def _counted(ledger: Ledger) -> Generator[Ledger]:
    """A ledger for one call, whose entries are passed on at its end."""
    own = Ledger(ledger.clock)
    try:
        yield own
    finally:
        for entry in own.entries:
            ledger.add(entry)


def _summed(text: str, own: Ledger) -> Completion:
    """An answer with all that it took."""
    return Completion(
        text=text,
        usage=sum((entry.usage for entry in own.entries), Usage()),
        seconds=sum(entry.seconds for entry in own.entries),
    )
