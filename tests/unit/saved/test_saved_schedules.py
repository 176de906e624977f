"""Schedules: on time, once, whatever dies; and answers that reach a real mail server and a real program."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from tests.unit.saved.conftest import Shop, opened_shop

pytest.importorskip("aiosmtpd", reason="install it with: pip install aiosmtpd")

from tests.unit.saved.receivers import MailServer, Program, mail_server, program

from oldhand.errors import UsageError
from oldhand.errors.mishaps import Mishap, Mishaps
from oldhand.face.access import AsyncAccess
from oldhand.face.opened import Opened
from oldhand.loop.saved.sending import signature
from oldhand.record.access import CredentialKind, Role
from oldhand.record.saved import DeliveryState
from oldhand.store.saved.rows import CLAIMED
from oldhand.testing import FixedClock

T = TypeVar("T")
_DAY = timedelta(days=1).total_seconds()


@pytest.fixture(scope="module")
def mails() -> Iterator[MailServer]:
    with mail_server() as found:
        yield found


@pytest.fixture(scope="module")
def hook() -> Iterator[Program]:
    with program() as found:
        yield found


@pytest.fixture
async def office(shop: Shop, mails: MailServer, hook: Program) -> Iterator[Shop]:
    """The shop with a mail server; its answers may go to loopback."""
    mails.mails.clear()
    hook.posted.clear()
    mails.refuses, hook.status = False, 200
    lines = f"saved:\n  inside: ['127.0.0.1']\n  mail: {{host: 127.0.0.1, port: {mails.port}, security: none, sender: 'Oldhand <old@kaya.example>', domains: [Kaya.example]}}\n"
    (shop.folder / "home" / "settings.yaml").write_text(lines, "utf-8")
    await shop.home.close()
    opened = opened_shop(shop.folder, shop.clock)
    yield opened
    await opened.home.close()


async def test_an_answer_reaches_a_mailbox_and_a_program(
    office: Shop, mails: MailServer, hook: Program
):
    office.change("INSERT INTO orders VALUES (7, '=cmd|x', 1, '2026-03-04'), (8, '<b>Ulm</b>', 1, '2026-03-04')")  # fmt: skip
    await office.save("How many orders are there for each city?", "Städte\u00a0& <b>")
    name = "Städte\u00a0& <b>"
    targets = ["bo@kaya.example", hook.url]
    await office.saved.schedule(name, "daily at 13:00", targets=targets)
    office.change("INSERT INTO orders VALUES (9, 'Bonn', 1, '2026-03-04')")
    assert (await office.saved.due()).asked == 0
    office.clock.advance(2 * 3600)
    fired = await office.saved.due()
    assert (fired.asked, fired.failed, fired.sent, fired.unsent) == (1, 0, 2, 0)
    (mail,) = mails.mails
    assert (mail["To"], mail["Subject"]) == ("bo@kaya.example", "Städte & <b>")
    text = mail.get_body(("plain",)).get_content()
    assert "Since the last time: +1 row (Bonn)" in text
    html = mail.get_body(("html",)).get_content()
    assert "&lt;b&gt;Ulm" in html
    assert "<b>Ulm" not in html
    (file,) = mail.iter_attachments()
    assert "'=cmd|x,1" in file.get_content()
    ((headers, body),) = hook.posted
    secret = await office.saved.secret(name)
    signed = signature(secret, headers["webhook-id"], headers["webhook-timestamp"], body)
    assert headers["webhook-signature"] == signed
    told = json.loads(body)
    assert (told["type"], told["data"]["saved"]["name"]) == ("saved_question.answered", name)
    assert ["Bonn", 1] in told["data"]["answer"]["rows"]
    assert "SELECT" not in body.decode()


async def test_what_was_missed_is_done_once_by_whoever_looks_first(office: Shop, hook: Program):
    await office.save("How many orders are there?", "Orders")
    planned = await office.saved.schedule("Orders", "daily at 08:00", zone="Europe/Berlin", targets=hook.url)  # fmt: skip
    await office.home.close()  # while nothing runs, ten mornings go by
    office.clock.advance(10 * _DAY)
    one, other = (opened_shop(office.folder, office.clock) for _ in range(2))
    fired = await asyncio.gather(one.saved.due(), other.saved.due())
    assert sum(it.asked for it in fired) == 1
    assert sum(it.sent for it in fired) == len(hook.posted) == 1
    again = await one.saved.get("Orders")
    assert again.due_at is not None
    assert again.due_at - planned.due_at == timedelta(days=10)
    assert (await other.saved.due()).asked == 0
    await one.home.close()
    await other.home.close()


async def test_what_fails_is_tried_again_and_stops_nothing_else(
    office: Shop, mails: MailServer, hook: Program
):
    await office.save("How many orders are there?", "Broken")
    await office.save("How many orders are there in Oslo?", "Sound")
    await office.saved.schedule("Broken", "daily at 13:00", targets=hook.url)
    await office.saved.schedule("Sound", "daily at 13:00", targets=["bo@kaya.example", hook.url])
    mails.refuses, hook.status = True, 302
    office.change("ALTER TABLE orders RENAME TO bills; CREATE TABLE orders (id INT, city TEXT)")
    office.home.catalog.introspect("shop")
    office.change("DROP TABLE orders")
    office.clock.advance(3600)
    fired = await office.saved.due()
    assert (fired.asked, fired.failed) == (2, 2)
    office.change("ALTER TABLE bills RENAME TO orders")
    office.clock.advance(60)
    fired = await office.saved.due()
    assert (fired.asked, fired.failed, fired.sent, fired.unsent) == (2, 0, 0, 3)
    sent = await office.saved.deliveries("Sound")
    assert {one.error for one in sent} == {"The mail server: 451 Try again later.", "The server says 302 Found."}  # fmt: skip
    assert {one.state for one in sent} == {DeliveryState.WAITING}
    for _ in range(4):
        office.clock.advance(7200)
        await office.saved.due()
    (given_up, _) = await office.saved.deliveries("Sound")
    assert (given_up.state, given_up.tries, given_up.due_at) == (DeliveryState.FAILED, 5, None)
    mails.refuses = False
    await office.saved.run("Sound", send=True)
    assert [one["Subject"] for one in mails.mails] == ["Sound"]


async def test_a_question_that_never_works_is_told_and_waits_for_its_next_time(
    office: Shop, hook: Program
):
    await office.save("How many orders are there?", "Broken")
    planned = await office.saved.schedule("Broken", "daily at 13:00", targets=hook.url)
    office.change("DROP TABLE orders")
    office.clock.advance(3600)
    for _ in range(5):
        await office.saved.due()
        office.clock.advance(64 * 60)
    assert [json.loads(body)["type"] for _, body in hook.posted] == ["saved_question.failed"]
    assert (await office.saved.get("Broken")).due_at == planned.due_at + timedelta(days=1)


@pytest.mark.parametrize(
    "target",
    ["http://10.0.0.1/x", "http://[::ffff:127.0.0.1]/x", "file:///etc/passwd", "http://a:b@example.org/", "bo@evil.example",
     "bo@kaya.example\nBcc: x@kaya.example", "bo", "a@b@kaya.example", ""],
)  # fmt: skip
async def test_answers_go_nowhere_else(office: Shop, target: str):
    await office.save("How many orders are there?", "Orders")
    with pytest.raises(UsageError):
        await office.saved.schedule("Orders", "daily at 13:00", targets=target)


async def test_who_is_erased_is_sent_nothing(office: Shop, hook: Program):
    await office.save("How many orders are there?", "Hers", user="ana")
    await office.saved.schedule("Hers", "daily at 13:00", targets=hook.url, user="ana")
    link = await office.saved.share("Hers", user="ana")
    await office.home.erasing.erase("ana")
    office.clock.advance(3600)
    assert (await office.saved.due()).asked == 0
    assert (await office.saved.list(), hook.posted) == ((), [])
    with pytest.raises(UsageError):
        await office.saved.shared(link.credential.label)


@pytest.fixture(params=["starttls", "tls"])
def safe_mails(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MailServer]:
    """A mail server that speaks TLS, and wants a password."""
    with mail_server(request.param, tmp_path) as found:
        yield found


async def test_mail_goes_over_tls_with_a_password_and_what_is_refused_waits(
    shop: Shop, safe_mails: MailServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    mails = safe_mails
    await shop.save("How many orders are there?", "Orders")
    await shop.home.close()

    async def fired(*, known: bool = True, way: str = mails.security) -> str:
        """What went wrong with this certificate, this password and this way to speak."""
        patience = 30 if way == mails.security else 2
        trusts = f", ca_file: {mails.certificate}" if known else ""
        lines = f"saved: {{mail: {{host: localhost, port: {mails.port}, security: {way}, user: oldhand, seconds: {patience}{trusts}}}}}\n"
        (tmp_path / "home" / "settings.yaml").write_text(lines, "utf-8")
        opened = opened_shop(tmp_path, shop.clock)
        if not (await opened.saved.get("Orders")).schedule:
            await opened.saved.schedule("Orders", "weekly on thursday at 13:00", targets="bo@kaya.example")  # fmt: skip
        opened.clock.advance(3 * 3600)
        await opened.saved.due()
        (delivery,) = await opened.saved.deliveries("Orders")
        await opened.home.close()
        return delivery.error or delivery.state.value

    monkeypatch.delenv("OLDHAND_SMTP_PASSWORD", raising=False)
    assert "there is none in OLDHAND_SMTP_PASSWORD" in await fired()
    monkeypatch.setenv("OLDHAND_SMTP_PASSWORD", "wrong")
    assert await fired() == "The mail server: 535 5.7.8 Authentication credentials invalid. It refuses `saved: mail: user` with the password in OLDHAND_SMTP_PASSWORD."  # fmt: skip
    assert await fired(known=False) == "The mail server: self-signed certificate. Its certificate is refused: `saved: mail: host` has to stand in it, and `ca_file` names who else may vouch for it."  # fmt: skip
    other = "tls" if mails.security == "starttls" else "none"
    assert f"They are {mails.port} and {other}." in await fired(way=other)
    monkeypatch.setenv("OLDHAND_SMTP_PASSWORD", "s3cret")
    assert mails.mails == []
    assert await fired() == DeliveryState.SENT.value
    assert [mail["Subject"] for mail in mails.mails] == ["Orders"]


_FIRES = """
import asyncio, sys
from datetime import UTC, datetime
from pathlib import Path
from oldhand.testing import FixedClock
from tests.unit.saved.conftest import opened_shop
shop = opened_shop(Path(sys.argv[1]), FixedClock(datetime.fromisoformat(sys.argv[2])))
asyncio.run(shop.saved.due())
"""


async def test_a_program_that_is_killed_while_it_sends_loses_nothing(office: Shop, hook: Program):
    await office.save("How many orders are there?", "Orders")
    await office.saved.schedule("Orders", "daily at 13:00", targets=hook.url)
    office.clock.advance(3600)
    hook.came.clear()
    hook.answers.clear()
    fires = [sys.executable, "-c", _FIRES, str(office.folder), office.clock.now().isoformat()]
    root = Path(__file__).parents[3]
    paths = os.pathsep.join([str(root / "src"), str(root)])
    given = {**os.environ, "PYTHONPATH": paths}
    with subprocess.Popen(fires, cwd=root, env=given) as dying:  # noqa: ASYNC220
        assert await asyncio.to_thread(hook.came.wait, 60)
        dying.send_signal(signal.SIGKILL)
    hook.answers.set()
    answers = await office.saved.answers("Orders")
    assert len(answers) == 2  # the one that was saved, and that of the schedule
    office.clock.advance(61)  # whoever claimed it is taken for dead
    assert (await office.saved.due()).asked == 0
    (delivery,) = await office.saved.deliveries("Orders")
    assert (delivery.state, len(hook.posted)) == (DeliveryState.SENT, 2)
    assert len({headers["webhook-id"] for headers, _ in hook.posted}) == 1


async def test_what_takes_long_is_done_by_nobody_else(office: Shop, hook: Program):
    await office.save("How many orders are there?", "Orders")
    planned = await office.saved.schedule("Orders", "daily at 13:00", targets=hook.url)
    office.clock.advance(3600)
    hook.came.clear()
    hook.answers.clear()
    under_way = asyncio.create_task(replace(office.home.appointments, beat=0.001).fire())
    assert await asyncio.to_thread(hook.came.wait, 60)
    store, other = office.home.store.saved, opened_shop(office.folder, office.clock)
    for _ in range(5):  # minutes, in each of which the claim is made longer
        office.clock.advance(45)
        soon = office.clock.now() + timedelta(seconds=30)
        while await asyncio.to_thread(store.due, soon):
            pass
        assert (await other.saved.due()).sent == 0
    hook.answers.set()
    assert (await under_way).sent == len(hook.posted) == 1
    assert (await other.saved.due()).sent == 0
    assert (await other.saved.get("Orders")).due_at > planned.due_at
    await other.home.close()


async def test_who_slept_before_sending_leaves_it_to_who_has_taken_over(
    office: Shop, hook: Program
):
    store = office.home.store.saved
    taken: list[object] = []

    class Slept(Mishaps):
        """Before a message is sent, another machine, for which a minute has gone by, takes it over."""

        async def spared_while(self, kind: str, work: Awaitable[T]) -> T | Mishap:
            if kind == "delivery":
                later = FixedClock(office.clock.now() + CLAIMED)
                taken.append(store.claim_delivery("default", later))
            return await super().spared_while(kind, work)

    await office.save("How many orders are there?", "Orders")
    await office.saved.schedule("Orders", "daily at 13:00", targets=hook.url)
    office.clock.advance(3600)
    hook.status = 500
    assert (await office.saved.due()).unsent == 1
    hook.status = 200
    hook.posted.clear()
    office.clock.advance(3600)
    fired = await replace(office.home.appointments, mishaps=Slept()).fire()
    assert (fired.sent, fired.unsent, len(taken), hook.posted) == (0, 0, 1, [])
    assert taken[0].delivery.target == hook.url


@pytest.mark.parametrize("status", [200, 500])
async def test_who_slept_while_sending_lets_nothing_be_sent_again(
    office: Shop, hook: Program, status: int
):
    await office.save("How many orders are there?", "Orders")
    await office.saved.schedule("Orders", "daily at 13:00", targets=hook.url)
    office.clock.advance(3600)
    hook.came.clear()
    hook.answers.clear()
    asleep = replace(office.home.appointments, beat=_DAY, at_once=1)
    under_way = asyncio.create_task(asleep.fire())
    assert await asyncio.to_thread(hook.came.wait, 60)
    office.clock.advance(CLAIMED.total_seconds())
    store = office.home.store.saved
    taken = store.claim_delivery("default", office.clock)  # by another machine, which sends it
    update = {"state": DeliveryState.SENT, "due_at": None, "sent_at": office.clock.now()}
    assert store.settle("default", taken.delivery.model_copy(update=update), taken.until)
    hook.status = status
    hook.answers.set()
    fired = await under_way
    assert (fired.sent, fired.unsent) == ((1, 0) if status == 200 else (0, 0))
    office.clock.advance(_DAY / 2)
    assert (await office.saved.due()).sent == 0
    ((delivery,), posted) = await office.saved.deliveries("Orders"), hook.posted
    assert (delivery.state, len(posted)) == (DeliveryState.SENT, 1)


async def test_for_who_is_shut_out_nothing_is_sent_any_more(office: Shop, hook: Program):
    access = AsyncAccess(Opened(office.home, "a test"))
    await access.let_in("mo")
    await office.save("How many orders are there?", "Orders", user="mo")
    await office.saved.schedule("Orders", "daily at 13:00", targets=hook.url, user="mo")
    await access.shut_out("mo")
    office.clock.advance(2 * _DAY)
    assert (await office.saved.due()).asked == 0
    assert hook.posted == []
    assert (await office.saved.get("Orders")).targets == ()


async def test_of_who_is_erased_neither_keys_nor_membership_is_left(office: Shop):
    access = office.home.store.access
    access.add_account("ana")
    access.let_in("default", "ana", Role.MEMBER)
    key = access.issue(CredentialKind.KEY, "ana", clone_id="default").token
    elsewhere = access.issue(CredentialKind.KEY, "ana", clone_id="other").token
    await office.home.erasing.erase("ana")
    assert access.members("default") == {}
    assert access.redeemed(key, [CredentialKind.KEY]) is None
    assert access.redeemed(elsewhere, [CredentialKind.KEY]) is not None
