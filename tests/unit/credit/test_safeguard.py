"""A rule that harms questions nobody rated is switched off, and only that."""

from oldhand.learning.credit.events import CreditEvent, NoRule, ShownPassage
from oldhand.learning.credit.kernel import KernelRule
from oldhand.learning.credit.safeguard import Harm, harm_of, note_harm, safeguard_says, switched_off
from oldhand.record.retrieval import AskedPoint, PassageCandidate, RankedPassage
from oldhand.settings.documents import KernelSettings
from oldhand.store import Store
from oldhand.testing import FixedClock


class Upside(NoRule):
    """Turns every order around."""

    def rank(self, asked, candidates):
        return [RankedPassage(one.chunk, one.base, 1.0) for one in reversed(candidates)]


def votes(count: int = 60) -> list[CreditEvent]:
    return [
        CreditEvent(
            f"f{n}",
            n,
            "ana",
            f"e{n}",
            AskedPoint(f"About thing{n} of kind{n % 7}?", None),
            (ShownPassage("c0", 0.0, 1),),
            1,
        )
        for n in range(count)
    ]


def found(_: CreditEvent) -> list[PassageCandidate]:
    return [PassageCandidate(f"c{n}", 1 - n / 10, None) for n in range(10)]


def test_what_turns_orders_around_is_harmful_and_the_kernel_is_not():
    assert harm_of("upside", Upside, votes(), found).is_harmful
    assert not harm_of("upside", Upside, votes(10), found).is_harmful
    harm = harm_of("kernel", lambda: KernelRule(KernelSettings()), votes(), found)
    assert harm.questions == 60
    assert not harm.is_harmful


def test_what_was_switched_off_is_said_and_is_switched_on_when_it_does_no_harm(tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/store.db", clock=FixedClock()) as store:
        assert switched_off(store, "default") is None
        harm = harm_of("upside", Upside, votes(), found)
        note_harm(store, "default", harm, FixedClock().now())
        assert switched_off(store, "default") == "upside"
        assert "upside was switched off" in safeguard_says(store, "default")
        note_harm(store, "default", Harm(rule="upside"), FixedClock().now())
        assert switched_off(store, "default") is None
        assert "may be used" in safeguard_says(store, "default")
