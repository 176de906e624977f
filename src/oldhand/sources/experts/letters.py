"""What people read when they are asked, and what minds are told of how it ended."""

from oldhand.models.quoting import block, visible
from oldhand.record.consultation import Consultation, ConsultationState, ReplyKind
from oldhand.record.expert import MessagePurpose

_HOW = {
    ReplyKind.TEXT: "Reply with the answer",
    ReplyKind.CHOICE: "Reply with the number of one choice",
    ReplyKind.NUMBER: "Reply with a number",
    ReplyKind.SQL: "Reply with one SELECT statement",
}
_BEGINS = {
    MessagePurpose.QUESTION: "[Query {id}]",
    MessagePurpose.REMINDER: "Still waiting [{id}]:",
    MessagePurpose.EXPLANATION: "More on [{id}]:",
    MessagePurpose.CLOSED: "Settled, no answer is needed any more [{id}]:",
}
_ENDED = {
    ConsultationState.ANSWERED: "The human expert did not provide a response.",
    ConsultationState.DECLINED: "Declined: The human expert does not want to answer.",
    ConsultationState.FAILED: "Error consulting human expert: It could not be delivered.",
    ConsultationState.WITHDRAWN: "Withdrawn: The question to the human expert was taken back.",
}


def letter(one: Consultation, purpose: MessagePurpose) -> str:
    """What a person reads."""
    lines = [f"{_BEGINS[purpose].format(id=one.visible_id)} {visible(one.question)}"]
    if purpose is MessagePurpose.CLOSED:
        return lines[0]
    if one.context:
        lines += ["", f"Context: {visible(one.context)}"]
    lines += (f"{at}. {choice}" for at, choice in enumerate(one.wanted.choices, start=1))
    lines += (f"{it.by}: {visible(it.text)}" for it in one.remarks)
    how = _HOW[one.wanted.kind]
    lines += ["", f"{how}, until {one.deadline:%Y-%m-%d %H:%M} UTC; or /decline, or /ask what you need to know."]  # fmt: skip
    return "\n".join(lines)


def reply_text(one: Consultation) -> str:
    """What people have answered, for a model: as data, each opinion with who holds it."""
    said = (block("expert_answer", f"{', '.join(who)}: {visible(text)}") for text, who in one.opinions)  # fmt: skip
    return "\n".join((*said, one.note)).rstrip()


def no_answer(state: ConsultationState, note: str, seconds: float) -> str:
    """Why people gave no answer: each outcome begins in its own way, and what people said of it stands as data.

    >>> no_answer(ConsultationState.TIMED_OUT, "", 300)
    'Timeout: Human expert did not respond within 300 seconds. Proceed without human input, or ask again later.'
    """
    if not state.is_final or state is ConsultationState.TIMED_OUT:
        said = f"Timeout: Human expert did not respond within {seconds:g} seconds."
        return f"{said} Proceed without human input, or ask again later."
    return "\n".join((_ENDED[state], *([block("reason", visible(note))] if note else ())))


def no_answer_to(one: Consultation, seconds: float) -> str:
    """Why a question to people has no answer, or none yet."""
    asked_back = one.asked_back
    if asked_back is not None:
        how = "Asked back: Call the tool again with the same question, and what the human expert needs to know as context."  # fmt: skip
        return f"{how}\n{block('expert_asks', f'{asked_back.by}: {visible(asked_back.text)}')}"
    said = no_answer(one.state, "; ".join(it.note for it in one.asks if it.note), seconds)
    if one.state.is_final and one.state is not ConsultationState.TIMED_OUT:
        return said
    names = ", ".join(it.expert for it in one.asks)
    return f"{said} A later answer of {names} is kept ({one.visible_id}): the same question again brings it."  # fmt: skip
