"""What the owner says of the style of answers: kept, learned, told to whoever words the next ones."""

from pathlib import Path

import pytest

from oldhand import Oldhand
from oldhand.errors import NotAllowed, UsageError
from oldhand.testing import ScriptedModel
from oldhand.testing.prompts import Prompt

REPLIES: dict[str, dict[str, object]] = {
    "validate": {"verdict": "answerable", "databases": ["shop"]},
    "plan": {"steps": [{"number": 1, "purpose": "count", "database": "shop"}]},
    "generate_sql": {"sql": "SELECT COUNT(*) FROM customers"},
    "summarise": {"text": "There are 2 customers."},
}
QUESTION = "How many customers are there?"


def test_what_the_owner_likes_reaches_the_prompts(folder: Path):
    prompts: list[str] = []

    def reply(prompt: Prompt) -> dict[str, object]:
        prompts.append(prompt.text)
        return REPLIES[prompt.stage]

    with Oldhand(folder / "home", model=ScriptedModel(reply)) as old:
        old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
        answer = old.ask(QUESTION)
        assert not any("keep answers short" in one for one in prompts)
        old.feedback(answer, style_rating=1)
        prompts.clear()
        old.ask(QUESTION)
        assert any("keep answers short" in one for one in prompts)
        old.feedback(answer, style_rating=-1)  # the last word counts
        prompts.clear()
        old.ask(QUESTION)
        assert not any("keep answers short" in one for one in prompts)
        old.feedback(answer, style_rating=1)
        old.memories.rebuild(drop=True)
        prompts.clear()
        old.ask(QUESTION)
        assert any("keep answers short" in one for one in prompts)


def test_style_is_for_the_owner_and_says_nothing_of_the_rest(folder: Path):
    with Oldhand(folder / "home") as old:
        old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
        answer = old.ask(QUESTION)
        with pytest.raises(NotAllowed):
            old.feedback(answer, style_rating=1, rater="stranger")
        with pytest.raises(UsageError):
            old.feedback(answer, style_rating=2)
        assert old.feedback(answer, style_rating=-1).learned == ()
        assert old.episodes.get(answer).success is None
