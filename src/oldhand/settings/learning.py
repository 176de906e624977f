"""What is recalled, tried, looked back on, and learned at night."""

from pydantic import Field

from oldhand.settings.acting import SettingsGroup


class RecallSettings(SettingsGroup):
    """How much of what was learned is recalled for one question."""

    examples: int = Field(default=8, ge=0)
    """Confirmed questions with their SQL, the best ones."""
    rejected: int = Field(default=4, ge=0)
    """Questions whose SQL was called wrong, the nearest ones."""
    aliases: int = Field(default=12, ge=0)
    """Words of the question that were learned."""
    lessons: int = Field(default=8, ge=0)
    """Rules, steps of checklists and fixes that fit the question, the best ones."""
    preferences: int = Field(default=4, ge=0)
    """What people prefer, as far as it fits the question."""
    effects: int = Field(default=24, ge=0)
    """Rules about the databases at hand that change queries, whatever is asked."""
    prompt_tokens: int = Field(default=1_500, ge=0)
    """Tokens of a prompt that all of this may take when a language model answers."""


class TrialSettings(SettingsGroup):
    """How lessons are tried: shown at random, kept or retired by what comes of it."""

    young: float = Field(default=0.5, gt=0, le=1)
    """Chance with which a young lesson is shown where it fits; 1 tries nothing."""
    trusted: float = Field(default=0.9, gt=0, le=1)
    """Chance with which a lesson is shown that has been found to help."""
    least: float = Field(default=0.4, ge=0.1, le=0.5)
    """Chance that a lesson on trial has at least to be shown, and to be left out, whatever is known of it so far."""
    horizon: int = Field(default=1_000, ge=100)
    """Showings of a young lesson after which most of `false_alarms` is spent."""
    shadows: int = Field(default=40, ge=5)
    """The same for answers of which it is known that they would have been others with the opposite draw."""
    shadows_by_model: int = Field(default=5, ge=0)
    """Answers of a language model that are given again each night with the opposite draw of a lesson."""
    shadow_seconds: float = Field(default=2.0, ge=0)
    """Time that an answer waits for the rows of a shadow; 0 looks at none."""
    exam: int = Field(default=200, ge=0)
    """Confirmed questions that a lesson is examined by, the nearest ones, where a question costs nothing; 0 examines none."""
    exam_by_model: int = Field(default=5, ge=0)
    """The same where a language model answers."""
    false_alarms: float = Field(default=0.045, gt=0, lt=0.5)
    """Share of lessons without any effect that are ever retired, or ever trusted, by mistake: at most, for each."""


class PromptSettings(SettingsGroup):
    """How versions of prompts come about and are tried against each other."""

    sources: int = Field(default=3, ge=1)
    """Answers that have to speak for a suggestion before a version of the prompt is made of it."""
    episodes: int = Field(default=100, ge=10)
    """Judged answers, of both versions together, before a test is decided."""
    most_episodes: int = Field(default=1_000, ge=10)
    """Judged answers after which a version is given up that was not found to be better."""
    false_alarms: float = Field(default=0.05, gt=0, lt=0.5)
    """Share of versions without any effect that are ever promoted by mistake, at most, however often somebody looks."""
    loss: float = Field(default=0.01, gt=0, lt=1)
    """Share of right answers that keeping the active version may cost on average, at most, for the other one to be given
    up before that."""
    least_chance: float = Field(default=0.2, gt=0, le=0.5)
    """Chance that each of the two versions has at least while a test runs."""
    window: int = Field(default=2_000, ge=100)
    """Latest answers of a version that count."""


class RoutedModel(SettingsGroup):
    """A model that questions may be given to."""

    name: str
    """`builtin`, or the name of a language model, such as `ollama:granite4`."""
    free: bool = False
    """Whether its answers cost nothing; those of `builtin` never do."""
    local: bool = False
    """Whether it runs on machines of your own; `builtin` always does."""
    cost: float = Field(default=0.01, ge=0)
    """US dollars that an answer is expected to cost, until that is known; 0 for a free one."""
    strength: float | None = Field(default=None, gt=0, lt=1)
    """Share of hard questions that it is expected to answer rightly, until that is known; follows from the order of the
    costs when None: 0.5 for the cheapest, 0.9 for the dearest."""
    base_url: str | None = None
    """Address of an OpenAI-compatible server, where it is not that of `models.base_url`."""


class RoutingSettings(SettingsGroup):
    """Which model a question is given to; nothing is routed while no model is named."""

    models: tuple[RoutedModel, ...] = ()
    """Those to choose from; of equally cheap ones, the first is preferred."""
    second: float = Field(default=0.0001, ge=0)
    """US dollars that a second of waiting counts for when models are put in order; 0 for the costs alone."""
    floor: float = Field(default=0.8, gt=0, lt=1)
    """Share of right answers that is good enough: the cheapest model that reaches it is used."""
    sure: float = Field(default=0.95, ge=0.5, lt=1)
    """Probability of being below `floor` at which a model is not tried any longer on such questions."""
    weight: float = Field(default=4.0, gt=0)
    """Answers that what was expected, or seen on other questions, counts for."""
    window: int = Field(default=2_000, ge=10)
    """Latest answers that count."""


class ReflectionSettings(SettingsGroup):
    """How answers are looked back on."""

    slow_seconds: float = Field(default=30.0, gt=0)
    """Time from which an answer counts as slow."""
    dear_dollars: float = Field(default=0.1, gt=0)
    """US dollars from which an answer counts as expensive."""
    models: bool = True
    """Whether a language model looks back, too, where one answers; rules do in any case."""
    daily_tokens: int | None = Field(default=200_000, ge=1)
    """Tokens of a day that a language model may take for looking back in the background; then answers wait for the next day. None is
    no limit."""
    model_seconds: float = Field(default=60.0, gt=0)
    """Time that a language model may take for one answer; then the rules stand in."""
    command_seconds: float = Field(default=0.02, ge=0)
    """Time that a command spends at its start on answers that wait; the last one that it begins may take longer."""
    pause_seconds: float = Field(default=2.0, ge=0)
    """Time that passes before a language model looks again at what rules have looked at; commands end before."""
    tries: int = Field(default=5, ge=1)
    """Times that looking back on an answer may break off before it is left aside until somebody speaks of it."""


class NightSettings(SettingsGroup):
    """The work of a night: what was found in single answers becomes lessons, and lessons are looked after."""

    enabled: bool = True
    """Whether missed nights are caught up without being asked; `oldhand learn` works in any case."""
    hour: int = Field(default=3, ge=0, le=23)
    """Hour of the day, on the clock of the machine, from which on a new night is due."""
    seconds: float = Field(default=20.0, gt=0)
    """Time that catching up may take at once, beside answering; the rest is done the next time."""
    command_seconds: float = Field(default=1.0, ge=0)
    """Time that a command waits at its end for a night that is caught up, once it is done with everything else."""
    batch: int = Field(default=1_000, ge=1)
    """Reflections or lessons that are held in memory at a time."""
    specs: int = Field(default=100, ge=0)
    """Behaviour specs that are answered in one night; only those for which something that was learned has changed."""
    summary_answers: int = Field(default=20, ge=2)
    """Answers about one topic from which on they get a summary."""
    stale_days: int = Field(default=90, ge=1)
    """Days without use after which a lesson is called stale."""
