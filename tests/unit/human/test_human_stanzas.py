"""Messages as others write them, and as they should not."""

from xml.etree import ElementTree as ET

import pytest
import slixmpp

from oldhand.human.message import AgentMessage, StanzaKind, read_stanza, write_message

HEAD = '<message xmlns="jabber:client" to="shop@a.org/1" from="bo@b.org/2" id="m1" type="chat">'


def read(inside: str, head: str = HEAD):
    return read_stanza(slixmpp.Message(xml=ET.fromstring(f"{head}{inside}</message>")))


async def test_a_message_of_spade_has_its_thread_and_metadata_in_a_form():
    told = read(
        "<body>hello</body>"
        '<x xmlns="jabber:x:data" type="form"><title>spade:x:metadata</title>'
        '<field var="message_type" type="text-single"><value>llm</value></field>'
        '<field var="_thread_node" type="text-single"><value>t-17</value></field></x>'
    )
    assert told.message == AgentMessage(
        "shop@a.org/1", "bo@b.org/2", "hello", "t-17", {"message_type": "llm"}, "m1"
    )


async def test_what_we_write_is_read_back_as_it_was_by_its_real_thread():
    wrote = AgentMessage("bo@b.org", "", "a < b & \x01", "t-1", {"type": "human_query"}, "m2")
    stanza = write_message(wrote, slixmpp.Message())
    assert stanza["thread"] == "t-1"
    told = read_stanza(slixmpp.Message(xml=ET.fromstring(str(stanza))))
    assert (told.message.body, told.wants_receipt) == ("a < b & \ufffd", True)
    assert (told.message.thread, told.message.metadata) == ("t-1", {"type": "human_query"})


@pytest.mark.parametrize(
    "inside",
    [
        "",
        '<composing xmlns="http://jabber.org/protocol/chatstates"/>',
        '<x xmlns="jabber:x:data" type="form"><title>a form of others</title></x>',
        '<result xmlns="urn:xmpp:mam:2" id="1"><body xmlns="jabber:client">x</body></result>',
    ],
)
async def test_what_says_nothing_to_us_is_passed_over(inside):
    assert read(inside) is None


async def test_places_in_the_archive_count_only_from_our_own_server():
    own = '<stanza-id xmlns="urn:xmpp:sid:0" by="shop@a.org" id="ours"/>'
    other = own.replace("shop@a.org", "bo@b.org").replace("ours", "theirs")
    assert read(f"<body>x</body>{other}{own}").archive_id == "ours"
    assert read(f"<body>x</body><quoted xmlns='u'>{own}</quoted>{other}").archive_id == ""


async def test_receipts_markers_and_bounces_are_about_our_messages():
    seen = read('<displayed xmlns="urn:xmpp:chat-markers:0" id="m9"/>')
    assert (seen.kind, seen.about) == (StanzaKind.DISPLAYED, "m9")
    bounced = read(
        '<body>ours</body><error type="cancel"><item-not-found '
        'xmlns="urn:ietf:params:xml:ns:xmpp-stanzas"/></error>',
        HEAD.replace('"chat"', '"error"'),
    )
    assert (bounced.kind, bounced.about, bounced.why) == (
        StanzaKind.BOUNCED,
        "m1",
        "item not found",
    )
