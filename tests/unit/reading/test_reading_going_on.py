"""Follow-ups of what documents were asked: what is named takes the place of its like, and of nothing else."""

import pytest

from oldhand import Oldhand
from oldhand.agent.reading.going_on import gone_on


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        ("When is the pool open on Saturdays?", "What about Sunday", "on Sunday?"),
        ("When is the pool open on Saturdays in May?", "and on Sundays?", "on Sundays in May?"),
        ("What did they decide in March 2024?", "And in April?", "decide in April 2024?"),
        ("How large is Hall A?", "And Hall B?", "is Hall B?"),
        ("What does a kayak cost per day?", "And an oar?", "does an oar cost per day?"),
        ("How much does the crane cost?", "and the slipway?", "does the slipway cost?"),
        ("Who is the treasurer?", "And the harbour master?", "is the harbour master?"),
        ("Who coaches the youth team?", "and the women's team?", "coaches the women's team?"),
        ("What is the deposit for a kayak?", "And for a dinghy?", "deposit for a dinghy?"),
        ("When does the contract with Nord end?", "and with Süd?", "contract with Süd end?"),
        ("When was Puffin built?", "And Heron?", "was Heron built?"),
        ("What does AX1000 and X100 cost?", "And X200?", "does AX1000 and X200 cost?"),
        ("Does Mayer work in May?", "And in June?", "Mayer work in June?"),
        ("Which 20245 parts were sold in 2024?", "And in 2025?", "parts were sold in 2025?"),
    ],
)
def test_what_is_named_takes_the_place_of_its_like(before: str, said: str, meant: str):
    assert gone_on(before, said).endswith(meant)
    assert gone_on(before, said).startswith(before.split(maxsplit=1)[0])


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("Who coaches the youth team?", "And when does it train?"),
        ("How many days are there to return goods?", "And members of the club?"),
        ("Who pays?", "and a?"),
        ("", "And on Sundays?"),
        ("On Sundays?", "?"),
    ],
)
def test_where_nothing_is_like_it_both_stand_side_by_side(before: str, said: str):
    assert gone_on(before, said) == f"{before} {said}"


def test_a_conversation_goes_on_from_question_to_question(tmp_path):
    (tmp_path / "pool.md").write_text(
        "# Pool\n\n## Hours\n\nThe pool is open from 9:00 to 17:00 on weekdays. On Saturdays it is open from 8:00 to 13:00. "
        "On Sundays it is closed.\n\n## Prices\n\nA day in the pool costs 6 euros for grown-ups. A locker costs 2 euros.\n"
    )
    with Oldhand(tmp_path / "home") as old:
        old.documents.add(tmp_path / "pool.md")
        answer = old.ask("When is the pool open on Saturdays?")
        assert "8:00" in answer.text
        answer = old.ask("And on Sundays?", session_id=answer.session_id)
        assert answer.standalone == "When is the pool open on Sundays?"
        assert "On Sundays it is closed." in answer.text
        answer = old.ask("And on Saturdays?", session_id=answer.session_id)
        assert "8:00" in answer.text
