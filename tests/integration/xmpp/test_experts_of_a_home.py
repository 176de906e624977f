"""A home asks its experts over XMPP, through whichever process carries questions, and learns what they reply."""

import asyncio
import sqlite3
from contextlib import closing

from tests.patience import PATIENCE

from oldhand import AsyncOldhand
from oldhand.human.expert_chat import expert_chat
from oldhand.record.consultation import ConsultationState


async def test_a_question_goes_to_the_expert_s_client_and_the_reply_answers_the_next_one(
    tmp_path, account, monkeypatch
):
    asker, bo = account("oldhand"), account("bo")
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.yaml").write_text(
        f"xmpp:\n  jid: {asker.jid}\n  host: 127.0.0.1\n  port: {asker.port}\n  ca_file: {asker.ca_file}\n"
    )
    monkeypatch.setenv("OLDHAND_XMPP_PASSWORD", asker.password)
    async with AsyncOldhand(home) as asking, AsyncOldhand(home) as serving:
        with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
            connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        asking.databases.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
        await asking.experts.add("bo", addresses={"xmpp": bo.jid})
        carrying = asyncio.create_task(serving.experts.attend())
        # The one that asks carries nothing: it is delivered by the one that does.
        one = await asking.experts.ask("Which discount do resellers get?", user="ana")
        async with expert_chat(bo) as chat, asyncio.timeout(PATIENCE):
            question = await anext(chat)
            assert "Which discount do resellers get?" in question.body
            await chat.reply(question, "Resellers get 12 percent.")
            ended = await asking.experts.wait(one.id, seconds=PATIENCE)
        assert ended.state is ConsultationState.ANSWERED
        assert ended.asks[0].reply == "Resellers get 12 percent."
        # Settings that change while questions are carried end nothing.
        await serving.settings.change({"max_question_chars": 3000})
        await asking.experts.ask("Which discount do staff get?", user="ana")
        async with expert_chat(bo) as chat, asyncio.timeout(PATIENCE):
            while "staff" not in (await anext(chat)).body:
                pass
        carrying.cancel()
        answer = await asking.ask("Which discount do resellers get?", user="cy")
        assert "12 percent" in answer.text
