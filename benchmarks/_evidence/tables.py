"""The results as Markdown."""

from collections.abc import Iterable, Sequence
from statistics import mean

from benchmarks._evidence.measured import WORLD_NOISES, Measured
from benchmarks._evidence.rules import ALPHA
from benchmarks._evidence.single import EFFECTS, HARMFUL, NOISES
from benchmarks._evidence.world import ARMS, DRAWS, EPISODES, OURS, Lived
from benchmarks._evidence.world import EFFECTS as TRUTH
from benchmarks._stream.intervals import Interval, clustered
from benchmarks._stream.tables import percent


def report(measured: Measured) -> str:
    """All tables, with a heading each."""
    sections = (
        (
            "Right answers in the last fifth, by what decides which lessons are shown",
            _final(measured),
        ),
        ("Right answers over the whole time", _all_along(measured)),
        *((f"What becomes of the lessons: {arm}", _fates(measured, arm)) for arm in (OURS, DRAWS)),
        ("Power: harmful lessons retired within 1,000 showings", _power(measured)),
        ("False alarms: lessons without any effect that are retired", _alarms(measured)),
        (f"Rules compared, at {HARMFUL.noise:.0%} wrong votes", _rules(measured)),
        ("What was hoped for", _hopes(measured)),
    )
    return "\n\n".join(f"### {title}\n\n{table}" for title, table in sections)


def final(lived: Sequence[Lived]) -> Interval:
    """Right answers in the last fifth, over the seeds."""
    return clustered((seed, one.success) for seed, one in enumerate(lived))


def share_gone(lived: Sequence[Lived], *, harmful: bool) -> Interval:
    """The share of the harmful lessons, or of the others, that was retired; clustered by world."""
    of_kind = [number for number, effect in enumerate(TRUTH) if (effect < 0) is harmful]
    return clustered(
        (seed, float(lesson in one.retired)) for seed, one in enumerate(lived) for lesson in of_kind
    )


def _final(measured: Measured) -> str:
    head = ("arm", *(f"{noise:.0%} wrong votes" for noise in WORLD_NOISES))
    rows = [
        (arm, *(within(final(measured.worlds[arm, noise])) for noise in WORLD_NOISES))
        for arm in ARMS
    ]
    return table(head, rows)


def _all_along(measured: Measured) -> str:
    head = ("arm", *(f"{noise:.0%} wrong votes" for noise in WORLD_NOISES))
    rows: list[tuple[str, ...]] = []
    for arm in ARMS:
        lived = [measured.worlds[arm, noise] for noise in WORLD_NOISES]
        means = [clustered((n, one.all_along) for n, one in enumerate(found)) for found in lived]
        rows.append((arm, *map(within, means)))
    return table(head, rows)


def _fates(measured: Measured, arm: str) -> str:
    head = ("wrong votes", "harmful retired", "episodes until then", "others retired by mistake", "helpful promoted", "others promoted by mistake")  # fmt: skip
    rows: list[tuple[str, ...]] = []
    for noise in WORLD_NOISES:
        lived = measured.worlds[arm, noise]
        until = [at for one in lived for lesson, at in one.retired.items() if TRUTH[lesson] < 0]
        rows.append(
            (
                f"{noise:.0%}",
                within(share_gone(lived, harmful=True)),
                f"{mean(until):,.0f}" if until else "-",
                within(share_gone(lived, harmful=False)),
                within(_promoted(lived, helpful=True)),
                within(_promoted(lived, helpful=False)),
            )
        )
    return table(head, rows)


def _promoted(lived: Sequence[Lived], *, helpful: bool) -> Interval:
    of_kind = [number for number, effect in enumerate(TRUTH) if (effect > 0) is helpful]
    return clustered(
        (seed, float(lesson in one.promoted))
        for seed, one in enumerate(lived)
        for lesson in of_kind
    )


def _power(measured: Measured) -> str:
    head = ("true effect", *(f"{noise:.0%} wrong votes" for noise in NOISES))
    rows = [
        (
            f"{100 * effect:+.0f} points",
            *(
                f"{within(one.retired)}, after {one.showings:.0f}"
                for one in (measured.power[effect, noise] for noise in NOISES)
            ),
        )
        for effect in EFFECTS
    ]
    return table(head, rows)


def _alarms(measured: Measured) -> str:
    rows = [(told, within(found)) for told, found in measured.alarms.items()]
    return table((f"of lessons without effect (allowed: {ALPHA:.1%})", "retired"), rows)


def _rules(measured: Measured) -> str:
    head = ("rule", "effect -10 points: retired", "showings until then", "no effect: retired")
    rows = [
        (told, within(harmful.retired), f"{harmful.showings:.0f}", within(useless))
        for told, (harmful, useless) in measured.rules.items()
    ]
    return table(head, rows)


def _hopes(measured: Measured) -> str:
    power = measured.power[HARMFUL.effect, HARMFUL.noise].retired
    alarm = next(iter(measured.alarms.values()))
    lived = {arm: measured.worlds[arm, HARMFUL.noise] for arm in ARMS}
    ours, others = final(lived[OURS]), ("keep none", "keep all", "confidence only")
    beaten = all(final(lived[arm]).mean < ours.mean for arm in others)
    mistaken = share_gone(lived[OURS], harmful=False)
    soon = _soon(measured)
    trusting = [
        (_mean(measured.worlds["confidence only", noise]), _mean(measured.worlds[OURS, noise]))
        for noise in WORLD_NOISES
    ]
    rows = (
        *(
            (f"effect -10 points, {noise:.0%} wrong votes, shadows: retired after, episodes", f"{before // 5:,}", f"{until:,.0f}", until <= before / 5)
            for (noise, before), until in zip(_BEFORE.items(), soon, strict=True)
        ),
        ("right over the whole time at 10, 20, 30 % wrong votes, against confidence only", ", ".join(percent(one) for one, _ in trusting), ", ".join(percent(ours) for _, ours in trusting), all(ours >= one for one, ours in trusting)),
        ("effect -10 points, 20 % wrong votes: retired within 1,000 showings", "80 %", within(power), power.mean >= 0.8),
        ("no effect: retired within 1,000 showings", "under 5 %", within(alarm), alarm.mean < 0.05),
        ("lessons that do no harm retired in the world", "under 5 %", within(mistaken), mistaken.mean < 0.05),
        ("95 % intervals that hold the true effect", "95 %", within(measured.coverage), measured.coverage.high >= 0.95),
        ("right in the end, against all rules that know no truth", "more", percent(ours.mean), beaten),
    )  # fmt: skip
    told = [(*row[:3], "yes" if row[3] else "no") for row in rows]
    return table(("measure", "hoped for", "reached", "enough"), told)


_BEFORE = {0.1: 7_834, 0.2: 9_348, 0.3: 10_007}
"""Episodes until a harmful lesson was retired, by wrong votes, when every lesson was held out of half of the answers."""


def _soon(measured: Measured) -> list[float]:
    """Episodes until a harmful lesson is retired, by wrong votes."""
    return [
        mean(
            at
            for one in measured.worlds[OURS, noise]
            for lesson, at in one.retired.items()
            if TRUTH[lesson] < 0
        )
        for noise in WORLD_NOISES
    ]


def _mean(lived: Sequence[Lived]) -> float:
    return mean(one.all_along for one in lived)


def within(share: Interval) -> str:
    """A share with its 95 % interval.

    >>> within(Interval(mean=0.812, low=0.79, high=0.834))
    '81.2 % (79.0 to 83.4)'
    """
    low, high = max(share.low, 0.0), min(share.high, 1.0)
    return f"{percent(share.mean)} ({100 * low:.1f} to {100 * high:.1f})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lines of Markdown."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def setting() -> str:
    """What the world is like, in a sentence."""
    kinds = {"help": 0.1, "do nothing": 0.0, "do harm": -0.1}
    counts = ", ".join(f"{TRUTH.count(effect)} {kind}" for kind, effect in kinds.items())
    return f"{EPISODES:,} episodes; of {len(TRUTH)} lessons, {counts} (10 points each way)."
