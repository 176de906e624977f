"""The loop of the agent: it thinks, calls tools, and looks at what they bring."""

from oldhand.agent.acting.approval import Approve, Decision
from oldhand.agent.acting.builtin_policy import BuiltinPolicy
from oldhand.agent.acting.history import History, messages_before
from oldhand.agent.acting.judging import Learning
from oldhand.agent.acting.lm_policy import ACTING_PROMPTS, LMPolicy, TextPolicy
from oldhand.agent.acting.output_type import OutputType
from oldhand.agent.acting.policy import Generation, Policy
from oldhand.agent.acting.ports import (
    Beginning,
    Brief,
    Checkpoints,
    Evaluator,
    GenerationContext,
    Judge,
    Keeper,
    RecallNotes,
    Subject,
)
from oldhand.agent.acting.react_chat import LoopDependencies, ReActChat
from oldhand.agent.acting.run import Event, GrowingRun, RunEnded, StepDecided, StepTaken, TextPiece
from oldhand.agent.acting.transition import Transition

__all__ = [
    "ACTING_PROMPTS",
    "Approve",
    "Beginning",
    "Brief",
    "BuiltinPolicy",
    "Checkpoints",
    "Decision",
    "Evaluator",
    "Event",
    "Generation",
    "GenerationContext",
    "GrowingRun",
    "History",
    "Judge",
    "Keeper",
    "LMPolicy",
    "Learning",
    "LoopDependencies",
    "OutputType",
    "Policy",
    "ReActChat",
    "RecallNotes",
    "RunEnded",
    "StepDecided",
    "StepTaken",
    "Subject",
    "TextPiece",
    "TextPolicy",
    "Transition",
    "messages_before",
]
