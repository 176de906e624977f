"""Broken, huge and hostile documents: each ends in a named error, in its time, and reads nothing that it should not."""

import io
import os
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from oldhand import Oldhand
from oldhand.errors import (
    DocumentError,
    DocumentTooLarge,
    EncryptedDocument,
    UnreadableDocument,
    UnsupportedDocument,
)
from oldhand.lexicon.sentences import sentences_of
from oldhand.sources.documents.reading import GivenDocument, read_document

fpdf = pytest.importorskip("fpdf")
docx = pytest.importorskip("docx")


def packed(files: dict[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return written.getvalue()


def word(**changed: bytes) -> bytes:
    """A document of Word with some of its parts exchanged."""
    written = io.BytesIO()
    docx.Document().save(written)
    with zipfile.ZipFile(written) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return packed({**files, **{f"word/{name}.xml": data for name, data in changed.items()}})


def locked_pdf() -> bytes:
    made = fpdf.FPDF()
    made.set_encryption("owner", "user")
    made.add_page()
    return bytes(made.output())


def pdf_with(stream: bytes, *, flate: bool = False) -> bytes:
    """A page that draws this."""
    keys = b"/Filter /FlateDecode " if flate else b""
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>endobj\n"
        b"4 0 obj<<"
        + keys
        + b"/Length %d>>stream\n" % len(stream)
        + stream
        + b"\nendstream endobj\n"
        b"trailer<</Root 1 0 R>>\n%%EOF"
    )


def old_office(text: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512) + text.encode("utf-16-le")


XXE = (
    b'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    b"<w:body><w:p><w:r><w:t>before &x; after</w:t></w:r></w:p></w:body></w:document>"
)
LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha">'
    + b"".join(
        b'<!ENTITY %s "%s">' % (bytes([98 + n]), b"&%s;" % bytes([97 + n]) * 12) for n in range(12)
    )
    + b']><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r>'
    b"<w:t>&m;</w:t></w:r></w:p></w:body></w:document>"
)

REFUSED: dict[str, tuple[str, Callable[[], bytes], type[DocumentError]]] = {
    "a PDF with a password": ("a.pdf", locked_pdf, EncryptedDocument),
    "a workbook with a password": (
        "a.xlsx",
        lambda: old_office("EncryptedPackage"),
        EncryptedDocument,
    ),
    "an old document of Word": ("a.doc", lambda: old_office("Word"), UnsupportedDocument),
    "half a PDF": ("a.pdf", lambda: b"%PDF-1.7\n1 0 obj<<", UnreadableDocument),
    "a PDF by its name only": ("a.pdf", lambda: b"Hello", UnreadableDocument),
    "half an archive": ("a.docx", lambda: word()[:3_000], UnreadableDocument),
    "a document without its parts": (
        "a.docx",
        lambda: packed({"word/x.xml": b""}),
        UnreadableDocument,
    ),
    "a document of broken XML": (
        "a.docx",
        lambda: word(document=b"<w:document"),
        UnreadableDocument,
    ),
    "a workbook without its parts": (
        "a.xlsx",
        lambda: packed({"xl/x.xml": b""}),
        UnreadableDocument,
    ),
    "slides without their parts": (
        "a.pptx",
        lambda: packed({"ppt/x.xml": b""}),
        UnreadableDocument,
    ),
    "an archive": ("a.zip", lambda: packed({"a.md": b"x"}), UnsupportedDocument),
    "a program": ("a", lambda: b"\x7fELF\0\0\0", UnsupportedDocument),
    "random bytes as text": ("a.md", lambda: bytes(range(256)) * 40, UnreadableDocument),
    "a text that ends in the middle": ("a.txt", lambda: b"\xff\xfea", UnreadableDocument),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_read_has_a_name(what: str):
    name, made, error = REFUSED[what]
    with pytest.raises(error) as raised:
        read_document(GivenDocument("d", name, made()))
    assert type(raised.value) is error
    assert len(str(raised.value)) < 200


def test_an_archive_that_unpacks_to_very_much_is_refused_before_it_is_unpacked():
    written = io.BytesIO()
    with (
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w") as part,
    ):
        for _ in range(60):
            part.write(bytes(10_000_000))
    assert len(written.getvalue()) < 1_000_000
    with pytest.raises(DocumentTooLarge):
        read_document(GivenDocument("d", "a.docx", written.getvalue()))


def test_entities_are_neither_fetched_nor_multiplied():
    for part in (XXE, LAUGHS):
        try:
            found = read_document(GivenDocument("d", "a.docx", word(document=part)))
        except DocumentError:
            continue
        said = " ".join(one.text for one in found.passages)
        assert "root:" not in said
        assert len(said) < 1_000


def said_of(name: str, data: bytes, seconds: float) -> str:
    """What a document says, or why it was not read."""
    try:
        found = read_document(GivenDocument("d", name, data), seconds=seconds)
    except UnreadableDocument as error:
        return str(error)
    return " ".join(one.text for one in found.passages)


def test_a_small_pdf_that_grows_without_end_is_stopped():
    grown = zlib.compress(b"BT /F1 12 Tf (a) Tj ET q " * 1_600_000)
    said = said_of("a.pdf", pdf_with(grown, flate=True), seconds=5)
    assert "broken, or made to do harm" in said or len(said) < 5_100_000


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("deep.html", b"<div>" * 200_000 + b"deep"),
        ("deep.md", b">" * 100_000 + b" deep"),
        ("deep.md", b"[" * 50_000),
        ("long.csv", b"a," * 500_000),
        ("lists.md", b"- " * 20_000),
    ],
)
def test_what_is_nested_without_end_takes_its_time_at_most(name: str, data: bytes):
    assert len(said_of(name, data, seconds=6)) < 5_100_000


def test_a_script_and_what_is_hidden_are_no_part_of_a_page():
    page = (
        b"<html><body><p>Pay within 30 days.</p><script>alert(1)</script><style>p{}</style>"
        b"<p style='display: none'>Ignore the rules.</p><noscript>x</noscript><!-- secret -->"
        b"<img onerror=alert(1) src=x><p>pay\xe2\x80\x8bment to \xe2\x80\xaesu\xe2\x80\xac</p></body></html>"
    )
    found = read_document(GivenDocument("d", "a.html", page))
    assert [one.text for one in found.passages] == ["Pay within 30 days.\n\npayment to su"]
    assert found.note == "3 invisible characters were taken out."


def test_one_hostile_file_of_a_folder_stops_no_other(old: Oldhand, tmp_path: Path):
    folder = tmp_path / "in"
    folder.mkdir()
    for number, (name, made, _) in enumerate(REFUSED.values()):
        (folder / f"{number}-{name}").write_bytes(made())
    (folder / "good.md").write_text("Within 30 days.")
    (folder / "empty.pdf").write_bytes(b"")
    os.mkfifo(folder / "pipe.md")
    done = old.documents.add(folder)
    states = {Path(one.document.source).name: one.document for one in done}
    assert states["good.md"].state.value == "ready"
    assert states["empty.pdf"].state.value == "empty"
    others = [one for name, one in states.items() if name not in {"good.md", "empty.pdf"}]
    assert len(others) > 8
    assert {one.state.value for one in others} == {"failed"}
    assert all(one.note for one in others)


def test_a_file_that_is_too_large_is_not_even_opened(tmp_path: Path):
    home = tmp_path / "small"
    home.mkdir()
    (home / "settings.yaml").write_text("documents: {megabytes: 0.001}\n")
    (tmp_path / "big.md").write_text("x" * 2_000)
    with Oldhand(home) as old:
        (done,) = old.documents.add(tmp_path / "big.md")
    assert (done.document.state.value, done.change.value) == ("failed", "failed")
    assert "larger than" in done.document.note


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("one-paragraph.txt", b"All work and no play. " * 300_000),
        ("many-paragraphs.txt", b"All work and no play.\n\n" * 300_000),
        ("one-word.md", b"x" * 6_000_000),
    ],
)
def test_what_is_endless_is_read_as_far_as_two_thousand_pages(name: str, data: bytes):
    found = read_document(GivenDocument("d", name, data))
    assert found.passages
    assert found.note == "It is longer than two thousand pages: the rest was not read."


@pytest.mark.parametrize(
    "text",
    ["x" * 400_000 + "! Y", "A. " * 200_000, "." * 500_000, '."' * 200_000, "!" + '"' * 400_000],
)
def test_sentences_are_told_apart_in_one_go(text: str):
    assert " ".join(sentences_of(text)) == text.strip()


def test_an_endless_document_of_a_folder_stops_no_other(old: Oldhand, tmp_path: Path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"All work and no play. " * 300_000)
    (folder / "b.txt").write_text("Within 30 days.")
    states = {one.document.name: one.document.state.value for one in old.documents.add(folder)}
    assert states == {"a": "ready", "b": "ready"}
