"""What people read when they are asked."""

from oldhand.models.quoting import visible
from oldhand.record.consultation import Consultation, ReplyKind
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
