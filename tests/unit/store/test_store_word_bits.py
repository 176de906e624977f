"""Sets of numbers as bits give what sets of numbers give."""

from hypothesis import given
from hypothesis import strategies as st

from oldhand.store.search.bits import BLOCK, heaviest, joined, numbers_in, packed, unpacked

PLACES = st.sets(st.integers(0, BLOCK - 1), max_size=400)
NUMBERS = st.sets(st.integers(0, 3 * BLOCK - 1), max_size=300)


def bits(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


@given(PLACES)
def test_a_piece_is_unpacked_as_it_was_packed(places: set[int]):
    assert unpacked(packed(places)) == sorted(places)


def test_many_places_take_no_more_room_than_their_bits():
    assert len(packed(range(128))) == 256
    assert len(packed(range(129))) == len(packed(range(BLOCK))) == BLOCK // 8


@given(NUMBERS)
def test_pieces_are_joined_to_the_whole(numbers: set[int]):
    pieces = {
        block: packed(number % BLOCK for number in numbers if number // BLOCK == block)
        for block in {number // BLOCK for number in numbers}
    }
    assert joined(pieces) == bits(numbers)
    assert set(numbers_in(joined(pieces))) == numbers


@given(st.lists(NUMBERS, max_size=6), st.integers(0, 500), st.none() | NUMBERS)
def test_the_numbers_in_most_sets_are_found(
    sets: list[set[int]], most: int, within: set[int] | None
):
    """With equal weights the heaviest are those in most of the sets; of as many, the largest."""
    inside = None if within is None else bits(within)
    found = heaviest([(bits(one), 1.0) for one in sets], most, inside)
    none: set[int] = set()
    every = none.union(*sets) if within is None else none.union(*sets) & within
    ranked = sorted(every, key=lambda one: (sum(one in s for s in sets), one), reverse=True)
    assert sorted(found) == sorted(ranked[:most])


def test_a_heavy_set_outweighs_several_light_ones():
    light = [(0b1110, 1.0)] * 3
    assert heaviest([*light, (0b0001, 3.5)], 1) == [0]


def test_as_many_sets_as_a_question_has_words_can_be_weighed():
    sets = [(0b10 if n % 2 else 0b01, 0.1 * (n % 7 + 1)) for n in range(128)]
    assert set(heaviest(sets, 2)) == {0, 1}
