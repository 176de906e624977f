"""Markdown and plain text into passages with the place they stand at."""

import pytest

from oldhand.errors import UnreadableDocument, UnsupportedDocument
from oldhand.sources.documents.reading import GivenDocument, read_document

HANDBOOK = """---
title: "Handbook of Kaya Brothers"
---

# Returns

Goods may be sent back *within* [30 days](https://x.example).
Later only by agreement.

## Exceptions

1. Helmets
2. Locks:
   - opened ones
   - engraved ones

| Country | Days |
|---------|------|
| Austria | 30   |
| Czechia | 14   |

```
total = 3
```
"""


def said(name: str, text: str | bytes) -> list[tuple[str, str]]:
    data = text if isinstance(text, bytes) else text.encode()
    return [
        (one.anchor.says, one.text)
        for one in read_document(GivenDocument("d", name, data)).passages
    ]


def test_markdown_is_read_with_its_headings_lists_tables_and_code():
    assert (
        read_document(GivenDocument("d", "x.md", HANDBOOK.encode())).title
        == "Handbook of Kaya Brothers"
    )
    assert said("x.md", HANDBOOK) == [
        ("Returns, line 7", "Goods may be sent back within 30 days. Later only by agreement."),
        (
            "Returns > Exceptions, line 12",
            "1. Helmets\n2. Locks:\n  - opened ones\n  - engraved ones\n"
            "Country: Austria; Days: 30\nCountry: Czechia; Days: 14\ntotal = 3",
        ),
    ]


def test_plain_text_is_read_with_what_looks_like_headings():
    text = "Minutes of May\n==============\n\n1. Attendance\n\nAna and Bo\nwere there.\n\nDECISIONS\n\n- Hire Cy\n- Buy a van\n"
    assert said("minutes.txt", text) == [
        ("1. Attendance, line 6", "Ana and Bo were there."),
        ("DECISIONS, line 11", "- Hire Cy\n- Buy a van"),
    ]


def test_a_numbered_heading_may_stand_right_above_its_text():
    text = "1. Prices\nIt was decided to raise them.\n\n1. Buy milk from\nthe farm\n2. Sell it\n"
    assert said("minutes.txt", text) == [
        (
            "1. Prices, line 2",
            "It was decided to raise them.\n1. Buy milk from the farm\n2. Sell it",
        )
    ]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Größe: 5 €".encode(), "Größe: 5 €"),
        ("Größe: 5 €".encode("utf-8-sig"), "Größe: 5 €"),
        ("Größe: 5 €".encode("utf-16"), "Größe: 5 €"),
        ("Größe: 5 Euro".encode("utf-16-le"), "Größe: 5 Euro"),
        ("Größe: 5 Euro".encode("utf-16-be"), "Größe: 5 Euro"),
        ("Größe\n".encode() + "Höhe".encode("cp1252"), "Größe Höhe"),
        (b"Pay\0 5 euros", "Pay 5 euros"),
        (
            "Größe: 5 €. Die Straße ist für Räder gesperrt.".encode("cp1252"),
            "Größe: 5 €. Die Straße ist für Räder gesperrt.",
        ),
        (b"one\r\ntwo\r\n\r\nthree\r", "one two\n\nthree"),
        ("pay\u200bment \u202eto\u202c us\u00ad er".encode(), "payment to us er"),
        ("\u0645\u06cc\u200c\u0634\u0648\u062f".encode(), "\u0645\u06cc\u200c\u0634\u0648\u062f"),
    ],
)
def test_text_is_read_in_whatever_encoding_it_is(data: bytes, text: str):
    assert said("a.txt", data) == [("line 1", text)]


def test_invisible_characters_are_taken_out_and_told():
    found = read_document(
        GivenDocument("d", "a.md", "Pay \u202e5\u202c to \U000e0041\U000e0042us".encode())
    )
    assert found.passages[0].text == "Pay 5 to us"
    assert found.note == "4 invisible characters were taken out."


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(UnreadableDocument):
        read_document(GivenDocument("d", "a.txt", bytes(range(256)) * 40))
    with pytest.raises(UnsupportedDocument):
        read_document(GivenDocument("d", "a.exe", b"MZ\0\0"))


@pytest.mark.parametrize(
    "data", [b"", b"   \n\n ", b"---\ntitle: x\n---\n", "\u200b\u200b".encode()]
)
def test_empty_documents_have_no_passages(data: bytes):
    assert said("a.md", data) == []
