"""The simulation of trials: the same seeds give the same fates, and the arms do what they are called."""

from dataclasses import replace

from benchmarks._evidence.rules import RULES, USED
from benchmarks._evidence.single import HARMFUL, USELESS, fates, share_retired
from benchmarks._evidence.world import EFFECTS, OURS, live


def test_great_harm_is_found_by_every_rule_and_soon():
    great = replace(HARMFUL, effect=-0.4, noise=0.1)
    for name, rule in RULES.items():
        found = fates(great, rule, range(3))
        assert all(one.retired and one.showings < 600 for one in found), name


def test_the_same_seeds_bring_the_same_fates():
    assert fates(USELESS, RULES[USED], range(2)) == fates(USELESS, RULES[USED], range(2))
    assert share_retired(fates(USELESS, RULES[USED], range(2))).mean in {0.0, 0.5, 1.0}


def test_every_arm_meets_the_same_questions():
    none, every = live("keep none", 0.2, 1), live("keep all", 0.2, 1)
    best = live("only what helps (truth known)", 0.2, 1)
    assert abs(none.success - every.success) < 0.02, "what helps and what harms even out"
    assert best.success > none.success + 0.05


def test_ours_ends_above_showing_all_and_retires_harm():
    ours = live(OURS, 0.1, 1)
    assert ours.success > live("keep all", 0.1, 1).success
    harmful = {number for number, effect in enumerate(EFFECTS) if effect < 0}
    assert len(harmful & set(ours.retired)) >= 4
    assert len(set(ours.retired) - harmful) <= 1
