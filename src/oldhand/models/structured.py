"""Answers in the form of a schema: asked for, found in text, checked, and asked for once more.

The dialogue is a generator without I/O: it yields what to ask and is sent what came back, so that every model,
real or scripted, has the same rules.
"""

import json
import re
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from typing import Self, TypeVar

from pydantic import BaseModel, ValidationError

from oldhand.errors import MalformedAnswer
from oldhand.models.lenient import fitted, meant_objects, without_thoughts
from oldhand.record.episode import Message
from oldhand.record.shortening import shortened

T = TypeVar("T", bound=BaseModel)

Dialogue = Generator[Sequence[Message], str, T]
"""Yields the messages to send, receives the answer's text, returns the checked answer."""

_QUOTED = 300
"""Characters of an answer that an error message quotes."""
_STARTS = 100
"""Braces at which an object is looked for; bounds the work on a hostile answer."""
_FENCE = re.compile(r"(?P<fence>```|~~~)[\w-]*\s(?P<inside>.*?)(?:(?P=fence)|\Z)", re.DOTALL)


class TextForm(BaseModel):
    """A form that small models also fill by writing what it asks for and nothing else."""

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """The form filled by a text without any JSON; None when the text can't be meant so."""
        raise NotImplementedError


def schema_request(schema: type[BaseModel]) -> Message:
    """The words for a model that has no other way to learn the form of the answer."""
    form = json.dumps(schema.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    return Message(
        role="system",
        content=f"Answer with one JSON object and nothing else. It must fit this JSON Schema:\n{form}",
    )


def after_system(messages: Sequence[Message], added: Message) -> list[Message]:
    """`messages` with `added` behind the system messages they begin with."""
    lead = next((i for i, m in enumerate(messages) if m.role != "system"), len(messages))
    return [*messages[:lead], added, *messages[lead:]]


def answer_dialogue(messages: Sequence[Message], schema: type[T]) -> Dialogue[T]:
    """Ask; when the answer misses the schema, say what is wrong and ask once more.

    Raises:
        MalformedAnswer: the second answer misses it as well; quotes what was wrong.
    """
    text = yield messages
    try:
        return parse_answer(text, schema)
    except MalformedAnswer as miss:
        correction = Message(
            role="user",
            content=f"{miss}\nAnswer again, with the JSON object only.\n{schema_request(schema).content}",
        )
    said = Message(role="assistant", content=text[: 20 * _QUOTED] or "(nothing)")
    text = yield [*messages, said, correction]
    return parse_answer(text, schema)


async def converse(dialogue: Dialogue[T], ask: Callable[[Sequence[Message]], Awaitable[str]]) -> T:
    """Hold `dialogue` with a model: `ask` sends messages and gives back the answer's text."""
    asked = next(dialogue)
    while True:
        text = await ask(asked)
        try:
            asked = dialogue.send(text)
        except StopIteration as end:
            return end.value


def parse_answer(text: str, schema: type[T]) -> T:
    r"""The first JSON object in `text` that fits `schema`; where none does, what the text is likely to mean.

    >>> from oldhand.record.episode import Message
    >>> parse_answer('Sure!\n```json\n{"role": "user", "content": "hi"}\n```', Message)
    Message(role='user', content='hi')
    >>> parse_answer('{"role": "user"}', Message)
    Traceback (most recent call last):
    ...
    oldhand.errors.MalformedAnswer: The answer does not fit Message: content: Field required. It began: {"role": "user"}

    Raises:
        MalformedAnswer: there is none; says what the first object misses.
    """
    problem = "it holds no JSON object"
    found = False
    text = without_thoughts(text)
    for candidate in _candidates(text):
        try:
            return _whole(schema.model_validate_json(candidate), candidate)
        except ValidationError as error:
            if not found and not _unreadable(error):
                problem, found = _what_is_wrong(error), True
    for meant in meant_objects(text, schema):
        try:
            return schema.model_validate(meant)
        except ValidationError as error:
            problem, found = problem if found else _what_is_wrong(error), True
    if not found and issubclass(schema, TextForm) and (filled := schema.from_text(text)):
        return filled
    raise MalformedAnswer(f"The answer does not fit {schema.__name__}: {problem}. {_quote(text)}")


def _whole(answer: T, candidate: str) -> T:
    """An answer with what stood in it under names that are nearly right, and was passed over."""
    try:
        return type(answer).model_validate(fitted(json.loads(candidate), type(answer)))
    except ValidationError:
        return answer


def _candidates(text: str) -> Iterator[str]:
    """Parts of `text` that may be the object: all of it, fenced blocks, then whatever begins with a brace."""
    if text[:1] == '"' and isinstance(inner := _loaded(text), str):
        yield from _candidates(inner)
    yield text
    yield from fenced_blocks(text)
    decoder = json.JSONDecoder()
    start, tries = text.find("{"), 0
    while start >= 0 and tries < _STARTS:
        tries += 1
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield text[start:end]
        start = text.find("{", end)


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def fenced_blocks(text: str) -> list[str]:
    r"""What stands between Markdown fences; the last fence may be left open.

    >>> fenced_blocks("So:\n```sql\nSELECT 1\n```\nor ~~~\nSELECT 2")
    ['SELECT 1', 'SELECT 2']
    """
    return [block["inside"].strip() for block in _FENCE.finditer(text)]


def _unreadable(error: ValidationError) -> bool:
    return any(problem["type"] == "json_invalid" for problem in error.errors(include_url=False))


def _what_is_wrong(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    shown = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'answer'}: {problem['msg']}"
        for problem in problems[:5]
    ]
    more = len(problems) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def _quote(text: str) -> str:
    shown = " ".join(text[: 2 * _QUOTED].split())
    if not shown:
        return "It was empty."
    return f"It began: {shortened(shown, _QUOTED)}"
