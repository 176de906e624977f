"""What a mind without a language model does with a tool that asks people: it asks where it has no answer itself."""

from oldhand.agent.acting.policy import Generation
from oldhand.agent.acting.transcript import action_id
from oldhand.agent.reading.confirmed import confirmed_words
from oldhand.agent.tools import Tools
from oldhand.record.step import Action, Step

EXPERT_TOOL = "ask_human_expert"


def asking_expert(generation: Generation, tools: Tools, step: Step) -> Step:
    """The step itself, or a question to a person where it gives up; once in a run."""
    if (
        step.ending not in {"abstained", "clarify"}
        or EXPERT_TOOL not in tools
        or _asked(generation) is not None
    ):
        return step
    told = confirmed_words(generation.query, generation.brief.lessons)
    if told is not None:
        said = f"{told.payload.answer} ({told.payload.confirmed_by} has said so.)"
        return Step(
            number=generation.number, answer=said, ending="answered", confidence=told.likeness
        )
    question = {"question": generation.query, "context": step.answer or ""}
    action = Action(id=action_id(generation.number, 1), tool=EXPERT_TOOL, arguments=dict(question))
    return Step(number=generation.number, thought="Somebody may know it.", actions=(action,))


def said_by_expert(generation: Generation) -> Step | None:
    """What a person has answered in this run, as the answer; None when nobody has."""
    asked = _asked(generation)
    if asked is None or not asked.observations:
        return None
    seen, given = asked.observations[0], asked.actions[0].arguments.get("context")
    if not seen.is_error:
        said = seen.text if seen.conclusion is None else seen.conclusion.text
        return Step(number=generation.number, answer=said, ending="answered")
    text = "\n".join(filter(None, (str(given or ""), seen.text)))
    return Step(number=generation.number, answer=text, ending="abstained")


def _asked(generation: Generation) -> Step | None:
    steps = generation.state.steps
    return next((one for one in steps if one.action and one.action.tool == EXPERT_TOOL), None)
