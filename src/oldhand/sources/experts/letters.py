"""What people read when they are asked, and what models are told of how it ended."""

from oldhand.models.quoting import block, visible
from oldhand.record.consultation import Consultation, ConsultationState, ReplyKind
from oldhand.record.expert_transport import MessagePurpose

_HOW = {
    ReplyKind.TEXT: "Reply with the answer",
    ReplyKind.CHOICE: "Reply with the number of one choice",
    ReplyKind.NUMBER: "Reply with a number",
    ReplyKind.SQL: "Reply with one SELECT statement",
}
_BEGINS = {
    MessagePurpose.QUESTION: "Question",
    MessagePurpose.REMINDER: "Still waiting",
    MessagePurpose.EXPLANATION: "More on",
    MessagePurpose.CLOSED: "Settled, no answer is needed any more",
}


def letter(one: Consultation, purpose: MessagePurpose) -> str:
    """What a person reads."""
    lines = [f"{_BEGINS[purpose]} [{one.visible_id}]: {visible(one.question)}"]
    if purpose is MessagePurpose.CLOSED:
        return lines[0]
    if one.context:
        lines += ["", f"Context: {visible(one.context)}"]
    lines += (f"{at}. {choice}" for at, choice in enumerate(one.wanted.choices, start=1))
    lines += (f"{it.by}: {visible(it.text)}" for it in one.remarks)
    how = _HOW[one.wanted.kind]
    lines += ["", f"{how}, until {one.deadline:%Y-%m-%d %H:%M} UTC; or /decline, or /ask what you need to know."]  # fmt: skip
    return "\n".join(lines)


def outcome_text(one: Consultation) -> str:
    """How a question to people ended, for a model: an answer stands in its own block, everything else begins with its name."""
    names = ", ".join(it.expert for it in one.asks) or "nobody"
    if one.state is ConsultationState.ANSWERED:
        said = [block("expert_answer", f"{', '.join(who)}: {visible(text)}") for text, who in one.opinions]  # fmt: skip
        return "\n".join([*said, one.note] if one.note else said)
    if one.state.is_final:
        return f"{_outcome(one)} ({names})"
    asked_back = [it for it in one.remarks if one.ask_of(it.by)]
    if asked_back:
        back = block("expert_asks", f"{asked_back[-1].by}: {visible(asked_back[-1].text)}")
        return f"Asked back: the human expert needs to know more. Call the tool again with the same question and what they ask for in the context.\n{back}"
    return f"Waiting: the human expert ({names}) has not responded yet; consultation {one.visible_id} stays open."


def _outcome(one: Consultation) -> str:
    why = visible("; ".join(it.note for it in one.asks if it.note))
    match one.state:
        case ConsultationState.TIMED_OUT:
            return "Timeout: Human expert did not respond in time."
        case ConsultationState.DECLINED:
            return f"Declined: the human expert does not want to answer. {block('reason', why) if why else ''}".strip()
        case ConsultationState.WITHDRAWN:
            return "Withdrawn: the question to the human expert was taken back."
        case _:
            return f"Error consulting human expert: {why or 'it could not be delivered'}."
