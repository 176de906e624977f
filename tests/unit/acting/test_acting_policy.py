"""Notes before each generation, the callback after it, and both textual and native forms."""

import logging
import threading

import pytest

from oldhand.agent.acting import (
    Brief,
    Learning,
    LMPolicy,
    Policy,
    ReActChat,
    TextPolicy,
    Transition,
)
from oldhand.errors import ContextTooLong, MalformedAnswer, ModelRefused, UsageError
from oldhand.models.language_model import ToolCall
from oldhand.models.quoting import noted
from oldhand.record.step import Action, AgentState, Observation, Step
from oldhand.testing import HeedingModel, ScriptedModel

QUERY = "How many?"
START = AgentState(run_id="r1", query=QUERY)
DEGREES = "SELECT * FROM sites WHERE ST_DWithin(geom, point, 10)"
METRES = "SELECT * FROM sites WHERE ST_DWithin(ST_Transform(geom, 7855), point, 10)"


def call(tool: str, **arguments: object) -> ToolCall:
    return ToolCall.model_validate({"id": "given", "name": tool, "arguments": arguments})


def sql_db_query(query: str) -> str:
    """Run a query."""
    return f"ran {len(query)} characters"


def policy_of(*answers: object) -> tuple[Policy, ScriptedModel]:
    model = ScriptedModel(answers)  # pyright: ignore[reportArgumentType]
    return LMPolicy(model, [sql_db_query]), model


class NotedEvaluator:
    """Finds fault with degrees, and remembers it."""

    def __init__(self) -> None:
        self.issues: list[str] = []
        self.contexts: list[dict[str, object]] = []

    def evaluate(self, step: Step, /, **context: object) -> str | None:
        self.contexts.append(context)
        for action in step.actions:
            if "ST_Transform" not in str(action.arguments):
                self.issues.append("Degrees taken for metres: use ST_Transform")
                return self.issues[-1]
        return None

    def load_eval_as_prompt(
        self, policy_model_name: str, task_type: str, max_items: int = 5, **_: object
    ) -> str:
        if not self.issues:
            return ""
        lines = "\n".join(f"{n}. {issue}" for n, issue in enumerate(self.issues[:max_items], 1))
        return f"Previous SQL Errors to Avoid:\n{lines}"


class Breaks(NotedEvaluator):
    def evaluate(self, step: Step, /, **context: object) -> str | None:
        raise RuntimeError("no idea")

    def load_eval_as_prompt(self, *args: object, **kwargs: object) -> str:
        raise KeyError("lost")


class Whole(NotedEvaluator):
    def evaluate(self, trajectory: AgentState, /, **context: object) -> str | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        self.contexts.append(
            {"steps": len(trajectory.steps), "outcome": trajectory.outcome, **context}
        )
        return None


def learning_agent(model: ScriptedModel, **learning: object) -> ReActChat:
    tools = [sql_db_query]
    return ReActChat(
        LMPolicy(model, tools),
        Transition(tools),
        learning=Learning(**learning),  # pyright: ignore[reportArgumentType]
    )


def test_notes_as_a_list_become_bullets_at_the_end_of_the_system_prompt():
    policy, model = policy_of("Three.")
    policy.set_dynamic_notes_fn(lambda: ["Use metres.", " ", "Mind the case."])
    policy.get_actions(START, QUERY)
    system = model.prompts[0].messages[0]
    assert system.role == "system"
    assert system.content.endswith("- Use metres.\n- Mind the case.")
    assert policy.system_prompt == system.content


def test_notes_as_a_text_keep_their_headers():
    policy, model = policy_of("Three.")
    policy.set_dynamic_notes_fn(lambda: "Previous SQL Errors to Avoid:\n1. Degrees")
    policy.get_actions(START, QUERY)
    assert (
        model.prompts[0].messages[0].content.endswith("Previous SQL Errors to Avoid:\n1. Degrees")
    )


@pytest.mark.parametrize("given", [[], "", "  ", [" "], None, 7, {"a": 1}])
def test_no_notes_leave_the_prompt_as_it_is(given):
    policy, model = policy_of("Three.", "Three.")
    policy.get_actions(START, QUERY)
    policy.set_dynamic_notes_fn(lambda: given)
    policy.get_actions(START, QUERY)
    assert model.prompts[0] == model.prompts[1]


def test_the_system_prompt_can_be_made_by_hand():
    policy, _ = policy_of()
    policy.set_dynamic_notes_fn(lambda: ["Use metres."])
    assert policy.set_system_prompt().endswith("- Use metres.")


def test_notes_and_callbacks_may_be_asynchronous():
    async def notes() -> list[str]:
        return ["Use metres."]

    async def judge(_steps: object, _context: object) -> str:
        return "Degrees"

    policy, model = policy_of("Three.")
    policy.set_dynamic_notes_fn(notes)  # pyright: ignore[reportArgumentType]
    policy.set_post_generation_fn(judge)
    assert policy.get_actions(START, QUERY)[0].issues == ("Degrees",)
    assert "- Use metres." in model.prompts[0].text


def test_notes_that_are_no_function_are_refused():
    policy, _ = policy_of()
    with pytest.raises(UsageError, match="A function is expected, not list"):
        policy.set_dynamic_notes_fn(["Use metres."])  # pyright: ignore[reportArgumentType]
    with pytest.raises(UsageError, match="A function is expected, not str"):
        policy.set_post_generation_fn("Degrees")  # pyright: ignore[reportArgumentType]


def test_notes_that_fail_are_logged_and_counted_and_cost_nothing(caplog):
    policy, _ = policy_of("Three.")
    policy.set_dynamic_notes_fn(lambda: [str(1 / 0)])
    with caplog.at_level(logging.ERROR):
        (step,) = policy.get_actions(START, QUERY)
    assert step.answer == "Three."
    assert policy.callbacks.failures["notes"] == 1
    assert "ZeroDivisionError" in caplog.text


def test_notes_that_never_come_are_not_waited_for():
    model = ScriptedModel(["Three."])
    policy = LMPolicy(model, [sql_db_query], callback_seconds=0.05)
    let_go = threading.Event()
    policy.set_dynamic_notes_fn(lambda: [str(let_go.wait())])
    assert policy.get_actions(START, QUERY)[0].answer == "Three."
    assert policy.callbacks.failures["notes"] == 1
    let_go.set()


def test_the_callback_sees_the_step_with_its_context_before_the_tool_is_called():
    seen: list[object] = []

    def ran(query: str) -> str:
        """Run."""
        seen.append("tool")
        return query

    model = ScriptedModel([[call("ran", query="SELECT 1")], "Three."])
    agent = ReActChat(
        LMPolicy(model, [ran]), Transition([ran]), learning=Learning(task_type="spatial_qa")
    )
    agent.policy.set_post_generation_fn(lambda steps, context: seen.append((len(steps), context)))
    agent.run(QUERY, query_idx=11)
    context = {
        "query": QUERY,
        "query_idx": 11,
        "policy_model_name": "scripted",
        "task_type": "spatial_qa",
    }
    assert seen == [(1, context), "tool", (1, context)]


def test_the_context_of_a_generation_by_hand_has_the_names_that_were_given():
    policy, _ = policy_of("Three.")
    seen: list[object] = []
    policy.set_post_generation_fn(lambda steps, context: seen.append(dict(context)))
    policy.get_actions(START, QUERY, 3, policy_model_name="gpt-4", task_type="qa")
    assert seen == [
        {"query": QUERY, "query_idx": 3, "policy_model_name": "gpt-4", "task_type": "qa"}
    ]


@pytest.mark.parametrize(
    ("returned", "issues"),
    [
        (None, ()),
        ([None, {"is_valid": True, "issues": ["advice"]}], ()),
        (["Degrees", {"is_valid": False, "issues": ["No join"]}], ("Degrees", "No join")),
        (7, ()),
    ],
)
def test_issues_that_a_callback_returns_are_kept_with_the_step(returned, issues):
    policy, _ = policy_of("Three.")
    policy.set_post_generation_fn(lambda steps, context: returned)
    assert policy.get_actions(START, QUERY)[0].issues == issues


def test_a_callback_that_fails_costs_nothing():
    policy, _ = policy_of("Three.")
    policy.set_post_generation_fn(lambda steps, context: 1 / 0)
    assert policy.get_actions(START, QUERY)[0].answer == "Three."
    assert policy.callbacks.failures["post_generation"] == 1


def test_an_issue_of_one_step_is_a_note_of_the_next_and_changes_what_the_model_does():
    evaluator = NotedEvaluator()
    done = f"ran {len(METRES)} characters"
    model = HeedingModel(
        {done: "Three sites.", "use ST_Transform": [call("sql_db_query", query=METRES)]},
        otherwise=[call("sql_db_query", query=DEGREES)],
    )
    agent = learning_agent(model, step_evaluators=(evaluator,), task_type="spatial_qa")
    state = agent.run("Find sites", query_idx=11)
    queries = [action.arguments["query"] for step in state.steps for action in step.actions]
    assert queries == [DEGREES, METRES]
    assert state.answer == "Three sites."
    assert state.steps[0].issues == ("Degrees taken for metres: use ST_Transform",)
    assert evaluator.contexts[0] == {
        "query_idx": 11,
        "policy_model_name": "heeding",
        "task_type": "spatial_qa",
    }
    again = agent.run("Find sites")
    assert again.steps[0].action.arguments["query"] == METRES


def test_an_evaluator_that_crashes_keeps_no_other_from_its_work():
    broken, evaluator, whole = Breaks(), NotedEvaluator(), Whole()
    model = ScriptedModel([[call("sql_db_query", query=DEGREES)], "Three."])
    agent = learning_agent(
        model, step_evaluators=(broken, evaluator), trajectory_evaluators=(Breaks(), whole)
    )
    state = agent.run(QUERY)
    assert state.outcome == "answered"
    assert "1. Degrees taken for metres" in model.prompts[1].text
    assert "no idea" not in model.prompts[1].text
    assert whole.contexts[0]["steps"] == 2
    assert whole.contexts[0]["outcome"] == "answered"
    assert agent.policy.callbacks.failures["Breaks"] >= 4


def test_the_agent_shows_its_evaluators_and_names():
    step_evaluator, whole = NotedEvaluator(), Whole()
    agent = learning_agent(
        ScriptedModel(["x"], name="gpt-4"),
        step_evaluators=(step_evaluator,),
        trajectory_evaluators=(whole,),
    )
    assert agent.evaluators == [step_evaluator, whole]
    assert (agent.step_evaluators, agent.trajectory_evaluators) == ([step_evaluator], [whole])
    assert (agent.policy_model_name, agent.task_type) == ("gpt-4", "default")


def test_more_notes_can_be_asked_for_by_a_function_of_ones_own():
    evaluator = NotedEvaluator()
    evaluator.issues = [f"Issue {n}" for n in range(8)]
    model = ScriptedModel(["Three."])
    agent = learning_agent(model, step_evaluators=(evaluator,))
    agent.policy.set_dynamic_notes_fn(
        lambda: [
            note
            for evaluator in agent.evaluators
            for note in evaluator.load_eval_as_prompt(
                agent.policy_model_name, agent.task_type, max_items=10
            ).split("\n")
            if note.strip()
        ][:10]
    )
    agent.run(QUERY)
    system = model.prompts[0].messages[0].content
    assert "- Previous SQL Errors to Avoid:\n- 1. Issue 0\n" in system
    assert system.endswith("- 8. Issue 7")


def test_validation_alone_without_notes():
    evaluator = NotedEvaluator()
    model = ScriptedModel([[call("sql_db_query", query=DEGREES)], "Three."])
    agent = ReActChat(LMPolicy(model, [sql_db_query]), Transition([sql_db_query]))

    def validate_only(steps, context):
        for step in steps:
            evaluator.evaluate(step, **context)

    agent.policy.set_post_generation_fn(validate_only)
    agent.run(QUERY)
    assert evaluator.issues == ["Degrees taken for metres: use ST_Transform"]
    assert "Degrees" not in model.prompts[1].messages[0].content


def test_evaluators_may_be_asked_by_somebody_else():
    asked: list[object] = []
    step_evaluator, whole = NotedEvaluator(), Whole()

    def recall(evaluators, subject):
        asked.append(("notes", list(evaluators), len(subject.state.steps), subject.task_type))
        return "Mind."

    def judge(evaluators, judged, subject):
        asked.append((type(judged).__name__, list(evaluators), len(subject.state.steps)))
        return ["Too short"]

    model = ScriptedModel(["Three."])
    state = learning_agent(
        model,
        step_evaluators=(step_evaluator,),
        trajectory_evaluators=(whole,),
        judge=judge,
        recall=recall,
    ).run(QUERY)
    assert asked == [
        ("notes", [step_evaluator, whole], 0, "default"),
        ("Step", [step_evaluator], 0),
        ("AgentState", [whole], 1),
    ]
    assert state.steps[0].issues == ("Too short",)
    assert model.prompts[0].messages[0].content.endswith(noted("Mind."))


def test_tools_written_as_text():
    model = ScriptedModel(
        [
            'Thought: count\nAction: sql_db_query\nAction Input: {"query": "SELECT 1"}\nObservation: 7',
            "Thought: clear\nFinal Answer: Three.",
        ]
    )
    agent = ReActChat(TextPolicy(model, [sql_db_query]), Transition([sql_db_query]))
    state = agent.run(QUERY)
    assert (state.answer, state.steps[0].thought) == ("Three.", "count")
    assert state.steps[0].observation.text == "ran 8 characters"
    assert model.prompts[0].tools == ()
    assert '"query"' in model.prompts[0].messages[0].content
    last = model.prompts[1].messages[-1]
    assert last.role == "user"
    assert last.content == "Observation:\n<observation>\nran 8 characters\n</observation>"
    assert model.prompts[1].messages[-2].content.endswith('Action Input: {"query": "SELECT 1"}')


def test_text_that_cannot_be_read_is_answered_with_the_form():
    model = ScriptedModel(["I would count them.", "Thought: ok\nFinal Answer: Three."])
    state = ReActChat(TextPolicy(model, [sql_db_query]), Transition([sql_db_query])).run(QUERY)
    assert state.answer == "Three."
    assert state.steps[0].fault.startswith("There is neither an action nor a final answer.")
    assert model.prompts[1].messages[-2].content == "I would count them."
    assert "Action Input: its input" in model.prompts[1].messages[-1].content


def test_text_that_can_never_be_read_ends_the_run():
    model = ScriptedModel(lambda _: "I would count them.")
    state = ReActChat(TextPolicy(model, [sql_db_query]), Transition([sql_db_query])).run(QUERY)
    assert (state.outcome, state.answer, len(state.steps)) == ("repeated", None, 3)


class RefusesTools(ScriptedModel):
    async def complete(self, messages, *, stage, ledger, tools=()):
        if tools:
            raise ModelRefused("llama: this model does not support tools (status 400)")
        return await super().complete(messages, stage=stage, ledger=ledger)


def test_a_model_that_takes_no_tools_writes_them_as_text_from_then_on(caplog):
    model = RefusesTools(
        [
            'Thought: count\nAction: sql_db_query\nAction Input: {"query": "SELECT 1"}',
            "Final Answer: Three.",
        ]
    )
    agent = ReActChat(LMPolicy(model, [sql_db_query]), Transition([sql_db_query]))
    agent.policy.set_dynamic_notes_fn(lambda: ["Use metres."])
    with caplog.at_level(logging.WARNING):
        state = agent.run(QUERY)
    assert state.answer == "Three."
    assert caplog.text.count("takes no tool calls") == 1
    for prompt in model.prompts:
        assert prompt.messages[0].content.endswith("- Use metres.")
        assert "Action Input" in prompt.messages[0].content


def test_another_refusal_is_no_reason_to_write_tools_as_text():
    state = ReActChat(
        LMPolicy(ScriptedModel([ModelRefused("The key is wrong.")]), [sql_db_query]),
        Transition([sql_db_query]),
    ).run(QUERY)
    assert (state.outcome, state.error) == ("failed", "ModelRefused: The key is wrong.")


def test_a_call_whose_arguments_are_no_json_is_answered_so():
    model = ScriptedModel([MalformedAnswer("The model called x with {no JSON"), "Three."])
    state = ReActChat(LMPolicy(model, [sql_db_query]), Transition([sql_db_query])).run(QUERY)
    assert state.answer == "Three."
    assert "{no JSON" in model.prompts[1].messages[-1].content


def test_old_observations_make_room_when_the_prompt_is_too_long():
    steps = tuple(
        Step(
            number=n,
            actions=(Action(id=f"call_{n}_1", tool="sql_db_query", arguments={"query": str(n)}),),
            observations=(Observation(action_id=f"call_{n}_1", text=f"result {n}"),),
        )
        for n in range(1, 6)
    )
    model = ScriptedModel([ContextTooLong("Too long."), "Three."])
    policy = LMPolicy(model, [sql_db_query])
    state = START.model_copy(update={"steps": steps})
    assert policy.get_actions(state, QUERY)[0].answer == "Three."
    said = model.prompts[1].text
    assert [f"result {n}" in said for n in range(1, 6)] == [False, False, True, True, True]


def test_even_the_last_observation_is_cut_when_nothing_else_makes_room():
    observation = Observation(action_id="call_1_1", text="word " * 2_000)
    action = Action(id="call_1_1", tool="sql_db_query", arguments={"query": "1"})
    state = START.model_copy(
        update={"steps": (Step(number=1, actions=(action,), observations=(observation,)),)}
    )
    model = ScriptedModel([ContextTooLong("Too long."), "Three."])
    assert LMPolicy(model, [sql_db_query]).get_actions(state, QUERY)[0].answer == "Three."
    assert 400 < model.prompts[1].text.count("word ") < 600
    assert "(cut, to make room" in model.prompts[1].text

    refusing = ScriptedModel([ContextTooLong("Too long."), ContextTooLong("Still too long.")])
    with pytest.raises(ContextTooLong, match="Still"):
        LMPolicy(refusing, [sql_db_query]).get_actions(state, QUERY)


def test_issues_of_a_callback_are_cut():
    policy, _ = policy_of("Three.")
    policy.set_post_generation_fn(lambda _steps, _context: ["x" * 10**6, *map(str, range(100))])
    issues = policy.get_actions(START, QUERY)[0].issues
    assert (len(issues), max(map(len, issues))) == (50, 2_000)


def test_a_prompt_that_is_too_long_at_once_fails():
    model = ScriptedModel([ContextTooLong("Too long.")])
    with pytest.raises(ContextTooLong):
        LMPolicy(model, [sql_db_query]).get_actions(START, QUERY)


async def test_the_cost_of_a_generation_is_booked_where_it_is_wanted():
    policy, _ = policy_of("Three.")
    brief = Brief()
    await policy.aget_actions(START, QUERY, brief=brief)
    assert [entry.stage for entry in brief.ledger.entries] == ["act"]
