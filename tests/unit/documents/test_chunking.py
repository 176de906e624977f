"""Passages follow the structure of a document, and stay as they are where it did."""

import random
from itertools import pairwise

import pytest

from oldhand.sources.documents.block import Block, BlockKind
from oldhand.sources.documents.reading import GivenDocument, passages_of, read_document

WORDS = [
    "order",
    "store",
    "return",
    "bicycle",
    "invoice",
    "price",
    "customer",
    "week",
    "shipment",
    "deadline",
    "refund",
    "supplier",
]


def sentence(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(6, 24))).capitalize() + "."


def paragraphs(seed: int, number: int) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(sentence(draw) for _ in range(draw.randint(2, 6))) for _ in range(number)]


def blocks(texts: list[str]) -> list[Block]:
    return [Block(BlockKind.PARAGRAPH, one) for one in texts]


def test_passages_have_about_as_many_words_as_people_read_at_once():
    found = passages_of("d", blocks(paragraphs(1, 80)))
    sizes = [len(one.text.split()) for one in found]
    assert len(sizes) > 20
    assert all(100 <= size <= 200 for size in sizes[:-1]), sizes
    assert sizes[-1] <= 240


def test_nothing_is_lost_and_nothing_is_said_twice():
    texts = paragraphs(2, 60)
    found = passages_of("d", blocks(texts))
    said = " ".join(" ".join(one.text.split()) for one in found)
    assert said == " ".join(texts)


def test_passages_end_where_paragraphs_do_when_there_is_one_to_end_at():
    texts = paragraphs(3, 60)
    ends = {one.split()[-1] for one in texts}
    found = passages_of("d", blocks(texts))
    assert all(one.text.split()[-1] in ends for one in found)


@pytest.mark.parametrize("seed", range(5))
def test_a_paragraph_more_at_the_top_changes_the_passages_around_it_only(seed: int):
    texts = paragraphs(seed, 120)
    before = [one.chunk for one in passages_of("d", blocks(texts))]
    after = {one.chunk for one in passages_of("d", blocks([*paragraphs(seed + 100, 1), *texts]))}
    kept = [one for one in before if one in after]
    assert len(kept) >= len(before) * 0.8


def test_no_passage_reaches_across_a_heading():
    text = "\n\n".join(f"# Part {n}\n\n{one}" for n, one in enumerate(paragraphs(4, 12)))
    found = read_document(GivenDocument("d", "handbook.md", text.encode())).passages
    assert [one.anchor.heading for one in found] == [(f"Part {n}",) for n in range(12)]


def test_rows_of_a_table_name_their_columns_wherever_they_are_cut():
    rows = "\n".join(f"| Country {n} | {n} % |" for n in range(200))
    text = f"# Rates\n\n| Country | Rate |\n| --- | --- |\n{rows}\n"
    found = read_document(GivenDocument("d", "rates.md", text.encode())).passages
    assert len(found) > 3
    assert found[2].text.startswith("Country: Country ")
    lines = [line for one in found for line in one.text.splitlines()]
    assert lines == [f"Country: Country {n}; Rate: {n} %" for n in range(200)]


@pytest.mark.parametrize("text", ["x" * 50_000, "word " * 5_000, "\u4e00" * 9_000, "a. " * 4_000])
def test_endless_text_is_cut(text: str):
    found = passages_of("d", [Block(BlockKind.PARAGRAPH, text)])
    assert max(len(one.text) for one in found) <= 2_000
    # What repeats itself is there once.
    assert len(found) == len({one.chunk for one in found})


def test_what_leads_up_to_a_list_stays_with_it():
    lead = [Block(BlockKind.PARAGRAPH, f"{one[:-1]}:") for one in paragraphs(5, 40)]
    items = [Block(BlockKind.LINE, f"- {one}") for one in paragraphs(6, 40)]
    mixed = [block for pair in zip(lead, items, strict=True) for block in pair]
    found = passages_of("d", mixed)
    torn = [one for one, _ in pairwise(found) if one.text.endswith(":")]
    assert len(torn) <= 1  # where an item alone is too long


def test_a_document_of_headings_only_can_be_found():
    found = read_document(
        GivenDocument("d", "slides.md", b"# Vision\n\n## Grow\n\n## Save\n")
    ).passages
    assert [one.text for one in found] == ["Vision\n\nGrow\n\nSave"]


def test_the_hash_of_a_passage_is_that_of_its_last_heading_and_its_words():
    one, other, third = (
        read_document(GivenDocument("d", "a.md", text)).passages[0].chunk
        for text in (
            b"# Handbook\n\n## Returns\n\nWithin **30** days.",
            b"# Other\n\nMore.\n\n## Returns\n\nwithin 30\ndays",
            b"# Handbook\n\n## Repairs\n\nWithin 30 days.",
        )
    )
    assert one != third
    assert (
        one
        == read_document(GivenDocument("e", "b.md", b"# X\n\n## RETURNS\n\nWithin 30 days"))
        .passages[0]
        .chunk
    )
    assert other != one  # it is that of "More."
