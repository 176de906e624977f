"""Answers in the form of a type: the model gives them by calling a tool that has the type's schema."""

import json
from collections.abc import Mapping
from typing import ClassVar, cast

from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError

from oldhand.agent.tools.arguments import what_is_wrong
from oldhand.agent.tools.tool import checked_parameters
from oldhand.errors import InvalidArguments, UsageError
from oldhand.record.step import Step


class OutputType:
    """A tool of the model for the answer; it is read, and never called.

    >>> step = OutputType(int).concluded(Step(number=1, answer="42"))
    >>> step.answer, OutputType(int).read(step.answer)
    ('42', 42)
    >>> print(OutputType(int).concluded(Step(number=1, answer="many")).fault)
    Give the answer by calling final_answer, once you know it, in exactly this form: {"type": "integer"}
    """

    NAME: ClassVar[str] = "final_answer"
    """The tool that ends a run."""
    TOLD: ClassVar[str] = (
        f"Do not answer in words: once you know enough, call {NAME} with the answer."
    )
    """Stands in the system prompt of agents whose answers have a form."""

    def __init__(self, kind: object) -> None:
        try:
            self._adapter: TypeAdapter[object] = TypeAdapter(cast("type[object]", kind))
            schema = cast("dict[str, JsonValue]", self._adapter.json_schema())
        except PydanticUserError as error:
            raise UsageError(f"output_type={kind!r} is no type that has a JSON Schema.") from error
        self._schema = schema
        self._is_object = schema.get("type") == "object" and "properties" in schema
        whole: dict[str, JsonValue] = {
            "type": "object", "properties": {"answer": schema}, "required": ["answer"],
        }  # fmt: skip
        if "$defs" in schema and not self._is_object:
            whole["$defs"] = schema["$defs"]
        self.name = self.NAME
        self.description = "Give the answer, once you know it. This ends the work."
        self.parameters = checked_parameters(self.NAME, schema if self._is_object else whole)
        self.idempotent = True

    async def call(self, arguments: Mapping[str, JsonValue]) -> str:
        """Refuse: an answer that comes together with other calls is not taken."""
        del arguments
        raise InvalidArguments("Call it alone, when nothing else is left to do.")

    def concluded(self, step: Step) -> Step:
        """The step with the answer as JSON when it gives one; with a fault when that does not fit."""
        if step.fault is not None or (step.answer is None and not self._gives(step)):
            return step
        try:
            if step.answer is None:
                given = step.actions[0].arguments
                value = self._adapter.validate_python(given if self._is_object else given.get("answer"))  # fmt: skip
            else:
                value = self.read(step.answer)
        except ValidationError as error:
            form = json.dumps(self._schema, ensure_ascii=False)
            told = f"Give the answer by calling {self.NAME}, once you know it, in exactly this form: {form}"
            if step.answer is None:
                told = what_is_wrong(self.NAME, error, self.parameters)
            return Step(number=step.number, thought=step.answer or step.thought, fault=told)
        written = self._adapter.dump_json(value).decode()
        return step.model_copy(update={"answer": written, "actions": ()})

    def read(self, answer: str) -> object:
        """The answer as a value of the type."""
        return self._adapter.validate_json(answer.strip().removeprefix("```json").strip("` \n"))

    def _gives(self, step: Step) -> bool:
        return len(step.actions) == 1 and step.actions[0].tool == self.NAME
