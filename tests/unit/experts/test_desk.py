"""Questions to people: who may answer, what counts, and how each ends."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from oldhand import AsyncOldhand
from oldhand.bootstrap import Home
from oldhand.bootstrap.opening import open_home
from oldhand.errors import DeliveryFailed, NoExpert, NotAllowed, ReplyRefused, StoreLocked
from oldhand.face.opened import Opened
from oldhand.loop.consultations.watch import ConsultationWatch
from oldhand.record.consultation import AnswerRule, ConsultationState, ReplyKind
from oldhand.record.expert import (
    ExpertMessage,
    ExpertSignal,
    Hear,
    Presence,
    ReceptionKind,
    SignalKind,
)

QUESTION = "Which discount do resellers get?"


class Pager:
    """A way to people that keeps what it was given, or can't deliver."""

    def __init__(self, *, broken: bool = False) -> None:
        self.name, self.broken = "pager", broken
        self.sent: list[ExpertMessage] = []
        self.is_closed = False

    async def start(self, hear: Hear) -> None:
        self.hear = hear

    async def deliver(self, message: ExpertMessage) -> bool:
        if self.broken:
            raise DeliveryFailed("no such pager")
        self.sent.append(message)
        return True

    async def presence(self, address: str) -> Presence:
        return Presence.AVAILABLE

    async def close(self) -> None:
        self.is_closed = True


@asynccontextmanager
async def assistant(home: Path, *experts: str) -> AsyncGenerator[AsyncOldhand]:
    async with AsyncOldhand(home) as old:
        if experts:
            await old.people.name(owner="ana", experts=experts)
        yield old


def signal(text: str, one: str | None, at: str = "bo@pager", **more: str) -> ExpertSignal:
    return ExpertSignal(
        transport="pager", address=at, kind=SignalKind.REPLY, consultation_id=one, text=text, **more
    )


async def paged(old: AsyncOldhand, *, broken: bool = False) -> Pager:
    pager = Pager(broken=broken)
    await old.experts.add("bo", addresses={"pager": "bo@pager"})
    await old._opened.home.desk.add_transport(pager)
    return pager


async def test_each_reply_ends_as_it_should(tmp_path: Path):
    async with assistant(tmp_path, "bo", "cy") as old:
        pager = await paged(old)
        one = await old.experts.ask(QUESTION, experts="bo", user="ana")
        other = await old.experts.ask("How many colours?", experts="bo", kind=ReplyKind.NUMBER)
        cases = [
            (signal("13", one.id, at="eve@pager"), ReceptionKind.NOT_YOURS),  # forged
            (signal("13", "0000-none"), ReceptionKind.NOT_YOURS),  # wrong consultation
            (signal("13", None), ReceptionKind.UNCLEAR),  # two wait
            (signal("x" * 30_000, one.id), ReceptionKind.INVALID),  # oversized
            (signal(" ", one.id), ReceptionKind.INVALID),
            (signal("many", other.id), ReceptionKind.INVALID),  # no number
            (signal("12 percent", one.id, message_id="m1"), ReceptionKind.TAKEN),
            (signal("12 percent", one.id, message_id="m1"), ReceptionKind.REPEATED),
            (signal("13 percent", one.id, message_id="m2"), ReceptionKind.REPEATED),
            (signal("7", None), ReceptionKind.TAKEN),  # only one waits now
        ]
        assert [(await pager.hear(it)).kind for it, _ in cases] == [kind for _, kind in cases]
        assert (await old.experts.get(one.id)).answer == "12 percent"
        assert (await old.experts.get(other.id)).answer == "7"
        trail = [it.what for it in await old.experts.events(one.visible_id)]
        assert (trail.count("answered"), trail.count("refused")) == (1, 3)
        with pytest.raises(NotAllowed):
            await old.experts.answer(one.id, "14", expert="cy")
        third = await old.experts.ask("Net?", experts="bo", kind=ReplyKind.CHOICE, choices=("a", "b"))  # fmt: skip
        with pytest.raises(ReplyRefused):
            await old.experts.answer(third.id, "c", expert="bo")
        with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
            shop.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        old.databases.add(f"sqlite:///{tmp_path}/shop.db", name="shop")
        query = await old.experts.ask("Which cities?", experts="bo", kind=ReplyKind.SQL)
        for refused in (
            "DELETE FROM customers",
            "SELECT 1; SELECT 2",
            "SELECT town FROM nowhere",
            "no",
        ):
            with pytest.raises(ReplyRefused, match="One statement that only reads"):
                await old.experts.answer(query.id, refused, expert="bo")
        await old.experts.answer(query.id, "SELECT city FROM customers", expert="bo")


async def test_the_second_time_nobody_is_asked(tmp_path: Path):
    async with assistant(tmp_path / "home", "bo") as old:
        with sqlite3.connect(tmp_path / "shop.db") as shop:
            shop.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        shop.close()
        old.databases.add(f"sqlite:///{tmp_path}/shop.db", name="shop")
        one = await old.experts.ask(QUESTION, user="ana")
        await old.experts.answer(one.id, "Resellers get 12 percent.", expert="bo")
        assert [it.answer for it in await old.experts.news("ana")] == ["Resellers get 12 percent."]
        assert await old.experts.news("ana") == ()
        answer = await old.ask("which discount do resellers get", user="cy")
        assert answer.text == "Resellers get 12 percent."
        assert answer.notes == ("bo has said so.",)


async def test_a_late_reply_is_kept_and_learned_from(tmp_path: Path):
    async with assistant(tmp_path, "bo") as old:
        one = await old.experts.ask(QUESTION, experts="bo", user="ana", seconds=0.01)
        assert (await old.experts.wait(one.id, PATIENCE)).state is ConsultationState.TIMED_OUT
        late = await old.experts.answer(one.id, "12 percent", expert="bo")
        assert late.kind is ReceptionKind.LATE
        after = await old.experts.get(one.id)
        assert (after.state, after.answer, after.learned) == ("timed_out", None, ("bo",))


async def test_others_are_asked_when_somebody_declines_or_cannot_be_reached(tmp_path: Path):
    async with assistant(tmp_path, "bo", "cy") as old:
        await paged(old, broken=True)
        await old.experts.add("bo", skills="discount", addresses={"pager": "bo@pager"})
        one = await old.experts.ask(QUESTION, user="dee")
        assert one.ask_of("bo").state is ConsultationState.FAILED
        one = await old.experts.get(one.id)
        assert [it.expert for it in one.asks] == ["bo", "cy"]
        for name in ("cy", "ana"):
            await old.experts.decline(one.id, "no idea", expert=name)
            one = await old.experts.get(one.id)
        assert one.state is ConsultationState.DECLINED


async def test_a_way_that_fails_otherwise_ends_nothing_else(tmp_path: Path):
    class TornPager(Pager):
        async def deliver(self, message: ExpertMessage) -> bool:
            raise ValueError("torn")

    async with assistant(tmp_path, "bo", "cy") as old:
        await old.experts.add("bo", addresses={"pager": "bo@pager"})
        await old.experts.add_transport(TornPager())
        one = await old.experts.ask(QUESTION, experts=("bo", "cy"))
        part = one.ask_of("bo")
        assert (part.state, one.ask_of("cy").state) == ("failed", "delivered")


async def test_what_a_way_without_receipts_was_given_is_not_sent_again(tmp_path: Path):
    class Post(Pager):
        async def deliver(self, message: ExpertMessage) -> bool:
            return not await super().deliver(message)

    async with assistant(tmp_path, "bo") as old:
        post, other = Post(), Pager()
        other.name = "fax"
        await old.experts.add("bo", addresses={"pager": "bo@pager"})
        await old.experts.add_transport(post)
        await old.experts.ask(QUESTION, experts="bo")
        await old._opened.renew()  # another desk takes over
        await old._opened.home.desk.carry_on()
        await old.experts.add_transport(other)
        assert (len(post.sent), len(other.sent)) == (1, 0)


async def test_what_a_locked_store_kept_from_being_carried_on_is_seen_again(tmp_path: Path):
    async with assistant(tmp_path, "bo") as old:
        desk, heard, goes_on = old._opened.home.desk, list[set[str]](), asyncio.Event()
        done = asyncio.Event()

        async def carry_on(ids: Iterable[str]) -> None:
            await goes_on.wait()
            heard.append(set(ids))
            if len(heard) == 2:
                raise StoreLocked
            if len(heard) == 3:
                done.set()

        watch = ConsultationWatch(desk.clone_id, desk.ledger, carry_on, 0.01)
        async with asyncio.timeout(PATIENCE), watch.waiting() as changed:
            one = await old.experts.ask(QUESTION, experts="bo")
            goes_on.set()
            await done.wait()
            assert changed.is_set()
        assert heard[1:] == [{one.id}, {one.id}]


async def test_of_two_that_ask_the_same_at_once_one_opens_a_question(tmp_path: Path):
    async with assistant(tmp_path, "bo") as old, AsyncOldhand(tmp_path) as other:
        for n in range(5):
            asking = (one.experts.ask(f"Who is in charge of hall {n}?", user="ana") for one in (old, other))  # fmt: skip
            first, again = await asyncio.gather(*asking)
            assert first.id == again.id
        assert len(await old.experts.questions()) == 5


async def test_ways_that_were_added_go_on_when_settings_change(tmp_path: Path):
    async with assistant(tmp_path, "bo") as old:
        pager = await paged(old)
        first = await old.experts.ask(QUESTION, experts="bo", user="ana")
        await old.settings.change({"experts.days": 5})
        second = await old.experts.ask("How many colours?", experts="bo", user="ana")
        assert second.ask_of("bo").state == "delivered"
        for one in (first, second):
            assert (await pager.hear(signal("12", one.id))).kind is ReceptionKind.TAKEN
        assert not pager.is_closed
    assert pager.is_closed


async def test_settings_that_change_twice_at_once_leave_one_desk_open(tmp_path: Path):
    pagers = list[Pager]()

    def again() -> Home:
        home = open_home(tmp_path)
        pagers.append(Pager())
        home.desk.transports["pager"] = pagers[-1]
        return home

    opened = Opened(again(), "a test", again)
    await asyncio.gather(opened.renew(), opened.renew())
    assert [one.is_closed for one in pagers] == [True, True, False]
    await opened.close()


async def test_several_experts_agree_or_are_shown_side_by_side(tmp_path: Path):
    async with assistant(tmp_path, "bo", "cy", "dee") as old:
        names = ("bo", "cy", "dee")
        quorum = await old.experts.ask(QUESTION, experts=names, rule=AnswerRule.QUORUM, needed=2)
        for name, text in zip(names, ("12", "13", "12."), strict=True):
            await old.experts.answer(quorum.id, text, expert=name)
        quorum = await old.experts.get(quorum.id)
        assert (quorum.answer, quorum.disagrees) == ("12", True)
        both = await old.experts.ask("Net or gross?", experts=names[:2], rule=AnswerRule.ALL)
        await old.experts.answer(both.id, "net", expert="bo")
        assert not (await old.experts.get(both.id)).state.is_final
        await old.experts.answer(both.id, "gross", expert="cy")
        both = await old.experts.get(both.id)
        assert (both.note, both.learned) == ("They don't agree.", ())
        assert {it.expert: it.answered for it in await old.experts.stats()}["bo"] == 2


async def test_an_expert_asks_back_and_two_questions_never_cross(tmp_path: Path):
    async with assistant(tmp_path, "bo") as old:
        asked = [await old.experts.ask(f"Question {n}?", experts="bo") for n in range(20)]
        waiting = [asyncio.create_task(old.experts.wait(one.id, PATIENCE)) for one in asked]
        await old.experts.ask_back(asked[0].id, "Which year?", expert="bo")
        assert (await waiting[0]).remarks[0].text == "Which year?"
        await asyncio.gather(
            *(old.experts.answer(one.id, f"answer {n}", expert="bo") for n, one in enumerate(asked))
        )
        await asyncio.gather(*waiting)
        answers = [(await old.experts.get(one.id)).answer for one in asked]
        assert answers == [f"answer {n}" for n in range(20)]


async def test_who_waits_hears_what_another_process_took(tmp_path: Path):
    async with assistant(tmp_path, "bo") as old:
        one = await old.experts.ask(QUESTION, experts="bo")
        waiting = asyncio.create_task(old.experts.wait(one.id, PATIENCE))
        command = ["experts", "answer", one.id, "12", "--as", "bo", "--home", str(tmp_path)]
        await asyncio.to_thread(subprocess.run, [sys.executable, "-m", "oldhand", *command], check=True)  # fmt: skip
        assert (await waiting).answer == "12"


async def test_a_user_who_is_erased_leaves_no_word(tmp_path: Path):
    async with assistant(tmp_path, "bo", "cy") as old:
        theirs = await old.experts.ask(QUESTION, experts="cy", user="bo")
        of_ana = await old.experts.ask("Net or gross?", experts=("bo", "cy"), user="ana")
        await old.experts.answer(of_ana.id, "a secret of bo", expert="bo")
        await old.people.erase("bo")
        assert [it.id for it in await old.experts.questions()] == [of_ana.id]
        left = (await old.experts.get(of_ana.id)).model_dump_json()
        assert not [it for it in ("secret", '"bo"', theirs.id) if it in left]
        lines = (tmp_path / "memory" / "_people" / "consultations.jsonl").read_text()
        assert "secret" not in lines


async def test_without_experts_it_is_said_whom_to_name(tmp_path: Path):
    async with assistant(tmp_path) as old:
        with pytest.raises(NoExpert, match="oldhand experts add"):
            await old.experts.ask(QUESTION)
