"""What every way to people has to do: one suite for all transports, to be subclassed in a test."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol

import pytest

from oldhand.face import AsyncOldhand
from oldhand.record.consultation import Consultation, ConsultationState
from oldhand.record.expert import ExpertTransport, SignalKind
from oldhand.testing.fake_experts import ExpertLetter

_QUESTION = "Which discount do resellers get?"
_PATIENCE = 120.0


class WritingExpert(Protocol):
    """A person at the other end, as the suite moves them; `FakeExpert` is one."""

    async def reads(self) -> ExpertLetter:
        """The next thing that comes."""
        ...

    async def told(self) -> str:
        """What they are told next about what they wrote."""
        ...

    async def writes(
        self, text: str, thread: str | None = None, *, message_id: str = "", kind: SignalKind = ...
    ) -> None:
        """Say something, in a thread or without one."""
        ...


class ReachedExperts(Protocol):
    """A way to two experts, `bo` and `cy`."""

    def transport(self) -> ExpertTransport | None:
        """The transport, for a home that is opened now; None for the inbox."""
        ...

    def addresses(self, expert: str) -> Mapping[str, str]:
        """Where an expert is reached, as in `ExpertProfile.addresses`."""
        ...

    def nowhere(self) -> Mapping[str, str] | None:
        """Addresses at which nobody is; None where there can be none."""
        ...

    def person(self, expert: str, home: Path) -> AbstractAsyncContextManager[WritingExpert]:
        """An expert who is there for a while."""
        ...


class ExpertTransportSuite:
    """Subclass it, and give it a fixture `reached`: each case is one way in which a question to people can go.

    ```python
    class TestPager(ExpertTransportSuite):
        @pytest.fixture
        def reached(self) -> ReachedExperts: ...
    ```

    Its cases are coroutines: pytest-asyncio has to run them, in its mode `auto`.
    """

    async def test_a_reply_answers_its_question(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """And whoever wrote it is thanked."""
        async with _asking(reached, tmp_path) as old, reached.person("bo", tmp_path) as bo:
            one = await old.experts.ask(_QUESTION, experts="bo")
            assert _QUESTION in (await _letter(bo, one)).text
            await bo.writes("12 percent", one.id)
            ended = await old.experts.wait(one.id, _PATIENCE)
            assert (ended.state, ended.answer) == (ConsultationState.ANSWERED, "12 percent")
            assert "Thank you" in await _within(bo.told())

    async def test_an_expert_declines_or_asks_back(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """Neither is taken for an answer."""
        async with _asking(reached, tmp_path) as old, reached.person("bo", tmp_path) as bo:
            one = await old.experts.ask(_QUESTION, experts="bo")
            await _letter(bo, one)
            await bo.writes("Of which year?", one.id, kind=SignalKind.ASK_BACK)
            await _within(bo.told())
            asked = await old.experts.get(one.id)
            assert [it.text for it in asked.remarks] == ["Of which year?"]
            assert not asked.state.is_final
            await old.experts.explain(one.id, "Of this year.")
            await bo.writes("not mine", one.id, kind=SignalKind.DECLINE)
            ended = await old.experts.wait(one.id, _PATIENCE)
            assert (ended.state, ended.answer) == (ConsultationState.DECLINED, None)

    async def test_only_the_person_asked_can_answer(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """A forged answer is refused, and noted."""
        async with (
            _asking(reached, tmp_path) as old,
            reached.person("bo", tmp_path) as bo,
            reached.person("cy", tmp_path) as cy,
        ):
            one = await old.experts.ask(_QUESTION, experts="bo")
            await _letter(bo, one)
            await cy.writes("99 percent", one.id)
            assert "waits for you" in await _within(cy.told())
            await _is_open(old, one, refused=1)
            await bo.writes("12 percent", one.id)
            assert (await old.experts.wait(one.id, _PATIENCE)).answer == "12 percent"

    async def test_a_reply_to_another_question_changes_nothing(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """One that was never asked."""
        async with _asking(reached, tmp_path) as old, reached.person("bo", tmp_path) as bo:
            one = await old.experts.ask(_QUESTION, experts="bo")
            await _letter(bo, one)
            await bo.writes("12 percent", "0" * len(one.id))
            assert "waits for you" in await _within(bo.told())
            await _is_open(old, one)

    async def test_the_same_message_counts_once(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """However often it comes; a second reply changes nothing either."""
        async with _asking(reached, tmp_path) as old, reached.person("bo", tmp_path) as bo:
            one = await old.experts.ask(_QUESTION, experts="bo")
            await _letter(bo, one)
            for text, message_id in (("12 percent", "m1"), ("12 percent", "m1"), ("13", "m2")):
                await bo.writes(text, one.id, message_id=message_id)
            assert "Thank you" in await _within(bo.told())
            assert "already" in await _within(bo.told())
            assert (await old.experts.get(one.id)).answer == "12 percent"
            assert await _times(old, one, "answered") == 1

    async def test_a_reply_that_is_too_long_is_refused(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """The question goes on waiting for a shorter one."""
        async with _asking(reached, tmp_path) as old, reached.person("bo", tmp_path) as bo:
            one = await old.experts.ask(_QUESTION, experts="bo")
            await _letter(bo, one)
            await bo.writes("x" * 20_001, one.id)
            assert "at most 20,000" in await _within(bo.told())
            await _is_open(old, one, refused=1)
            await bo.writes("12 percent", one.id)
            assert (await old.experts.wait(one.id, _PATIENCE)).answer == "12 percent"

    async def test_a_reply_after_the_deadline_is_kept(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """It is no answer any more, and who wrote it is told so."""
        async with _asking(reached, tmp_path) as old, reached.person("bo", tmp_path) as bo:
            one = await old.experts.ask(_QUESTION, experts="bo", seconds=0.2)
            ended = await old.experts.wait(one.id, _PATIENCE)
            assert ended.state is ConsultationState.TIMED_OUT
            await _letter(bo, one)
            await bo.writes("12 percent", one.id)
            assert "after the end" in await _within(bo.told())
            late = await old.experts.get(one.id)
            assert (late.state, late.answer) == (ConsultationState.TIMED_OUT, None)
            assert late.asks[0].reply == "12 percent"

    async def test_two_questions_at_once_never_cross(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """A reply that does not say for which it is reaches neither."""
        async with _asking(reached, tmp_path) as old, reached.person("bo", tmp_path) as bo:
            first = await old.experts.ask(_QUESTION, experts="bo")
            second = await old.experts.ask("Which one do schools get?", experts="bo")
            await _letter(bo, first)
            await _letter(bo, second)
            await bo.writes("20 percent")
            assert second.visible_id in await _within(bo.told())
            await bo.writes("15 percent", second.id)
            await bo.writes("12 percent", first.id)
            ended = [await old.experts.wait(one.id, _PATIENCE) for one in (first, second)]
            assert [one.answer for one in ended] == ["12 percent", "15 percent"]

    async def test_an_expert_who_is_away_finds_the_question_later(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """Being offline is no failure."""
        async with _asking(reached, tmp_path) as old:
            one = await old.experts.ask(_QUESTION, experts="bo")
            await _is_open(old, one)
            async with reached.person("bo", tmp_path) as bo:
                await _letter(bo, one)
                await bo.writes("12 percent", one.id)
                assert (await old.experts.wait(one.id, _PATIENCE)).answer == "12 percent"

    async def test_a_wrong_address_ends_it(self, reached: ReachedExperts, tmp_path: Path) -> None:
        """In a state of its own, which says why."""
        nowhere = reached.nowhere()
        if nowhere is None:
            pytest.skip("nobody can be missed on this way")
        async with _asking(reached, tmp_path) as old:
            await old.experts.add("dee", addresses=nowhere)
            one = await old.experts.ask(_QUESTION, experts="dee")
            ended = await old.experts.wait(one.id, _PATIENCE)
            assert ended.state is ConsultationState.FAILED
            assert ended.asks[0].note

    async def test_a_restart_in_the_middle_loses_nothing(
        self, reached: ReachedExperts, tmp_path: Path
    ) -> None:
        """Neither what was asked before, nor what was said meanwhile."""
        async with _asking(reached, tmp_path, carries=False) as old:
            one = await old.experts.ask(_QUESTION, experts="bo")
        async with reached.person("bo", tmp_path) as bo:
            async with _asking(reached, tmp_path):
                await _letter(bo, one)
            await bo.writes("12 percent", one.id, message_id="m1")
            async with _asking(reached, tmp_path) as old:
                ended = await old.experts.wait(one.id, _PATIENCE)
                assert ended.answer == "12 percent"
                assert await _times(old, one, "answered") == 1


@asynccontextmanager
async def _asking(
    reached: ReachedExperts, home: Path, *, carries: bool = True
) -> AsyncGenerator[AsyncOldhand]:
    """A home with two experts, that carries questions to them."""
    async with AsyncOldhand(home) as old:
        for name in ("bo", "cy"):
            await old.experts.add(name, addresses=reached.addresses(name))
        if carries and (transport := reached.transport()) is not None:
            await old.experts.add_transport(transport)
        yield old


async def _letter(person: WritingExpert, one: Consultation) -> ExpertLetter:
    """The next thing that comes about a question."""
    async with asyncio.timeout(_PATIENCE):
        while (found := await person.reads()).thread != one.id:
            pass
    return found


async def _within(said: Awaitable[str]) -> str:
    async with asyncio.timeout(_PATIENCE):
        return await said


async def _times(old: AsyncOldhand, one: Consultation, what: str) -> int:
    return [it.what for it in await old.experts.events(one.id)].count(what)


async def _is_open(old: AsyncOldhand, one: Consultation, refused: int = 0) -> None:
    now = await old.experts.get(one.id)
    assert (now.state.is_final, now.replies) == (False, ())
    assert await _times(old, one, "refused") == refused
