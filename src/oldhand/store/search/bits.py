"""Sets of numbers as the bits of large integers, and how much of what each of them has.

Python works on the bits of a large integer at the speed of memory, where a loop over a list takes a hundred times as long.
"""

import re
import struct
from collections.abc import Iterable, Iterator, Mapping

BLOCK = 4_096
"""Numbers that one piece of a set covers."""
_BYTES = BLOCK // 8
_LISTED = 128
"""Of more numbers than that, the bits are kept; two bytes for each of them take as much room soon."""
_DIGITS = 8
_LARGEST = 2**_DIGITS - 1
"""What all weights of a sum come to, at most."""
_ANY = re.compile(rb"[^\x00]")
_BITS = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))
"""Which bits each byte has."""


def packed(places: Iterable[int]) -> bytes:
    r"""A piece of a set: few numbers below 4,096 as two bytes each, many as bits.

    >>> packed([258, 1]), len(packed(range(1000)))
    (b'\x01\x00\x02\x01', 512)
    """
    found = sorted(set(places))
    if len(found) <= _LISTED:
        return struct.pack(f"<{len(found)}H", *found)
    return _bits(found).to_bytes(_BYTES, "little")


def unpacked(piece: bytes) -> list[int]:
    """The numbers that `packed` was given, in order.

    >>> unpacked(packed([258, 1])), unpacked(packed(range(1000))) == list(range(1000))
    ([1, 258], True)
    """
    if len(piece) == _BYTES:
        return list(numbers_in(int.from_bytes(piece, "little")))
    return list(struct.unpack(f"<{len(piece) // 2}H", piece))


def joined(pieces: Mapping[int, bytes]) -> int:
    """The whole set, out of its pieces by the number of their block.

    >>> bin(joined({0: packed([1, 3])})), joined({1: packed([0])}).bit_length()
    ('0b1010', 4097)
    """
    whole = bytearray((max(pieces, default=-1) + 1) * _BYTES)
    for block, piece in pieces.items():
        start = block * _BYTES
        if len(piece) == _BYTES:
            whole[start : start + _BYTES] = piece
            continue
        for place in struct.unpack(f"<{len(piece) // 2}H", piece):
            whole[start + (place >> 3)] |= 1 << (place & 7)
    return int.from_bytes(whole, "little")


def _bits(places: Iterable[int]) -> int:
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits


def numbers_in(bits: int) -> Iterator[int]:
    """The numbers of a set, the smallest first.

    >>> list(numbers_in(0b1010))
    [1, 3]
    """
    data = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    for found in _ANY.finditer(data):
        at = found.start()
        for bit in _BITS[data[at]]:
            yield at * 8 + bit


def heaviest(sets: Iterable[tuple[int, float]], most: int, within: int | None = None) -> list[int]:
    """The numbers that are in the sets whose weights come to most; of equally heavy ones, the largest.

    Weights count in 255 steps. The sums of all numbers are added up at once, bit by bit, as an adder of that many
    columns would; then they are compared from the highest bit down.

    Args:
        sets: each with its weight, above 0; at most 255.
        most: how many numbers are wanted, at most.
        within: only numbers in this set, which may be what all others are left of: `~those`.

    >>> heaviest([(0b0111, 1.0), (0b0110, 2.0), (0b1000, 2.5)], 2)
    [1, 2]
    """
    sums, every = _sums(list(sets), within)
    sure, equal = 0, every
    for digit in reversed(sums):
        higher = equal & digit
        if (sure | higher).bit_count() > most:
            equal = higher
        else:
            sure |= higher
            equal ^= higher
    return [*numbers_in(sure), *_largest(equal, most - sure.bit_count())]


def whole(sets: Iterable[int], sizes: Mapping[int, int]) -> int:
    """The numbers that are in as many of the sets as they have to be.

    Args:
        sets: each number may be in several.
        sizes: by how many sets it takes, the numbers that it takes so many for.

    >>> bin(whole([0b0111, 0b0110], {1: 0b0011, 2: 0b0100}))
    '0b101'
    """
    sums = [0] * _DIGITS
    for one in sets:
        _add(sums, 0, one)
    found = 0
    for size, numbers in sizes.items():
        for digit, those in enumerate(sums):
            numbers &= those if size >> digit & 1 else ~those  # noqa: PLW2901
        found |= numbers
    return found


def _sums(sets: list[tuple[int, float]], within: int | None) -> tuple[list[int], int]:
    """The binary digits of the sums, the lowest first, and all numbers that have one."""
    room = (_LARGEST - len(sets)) / (sum(weight for _, weight in sets) or 1.0)
    sums = [0] * _DIGITS
    every = 0
    for bits, weight in sets:
        kept = bits if within is None else bits & within
        every |= kept
        steps = 1 + int(weight * room)
        for digit in range(_DIGITS):
            if steps >> digit & 1:
                _add(sums, digit, kept)
    return sums, every


def _add(sums: list[int], digit: int, carry: int) -> None:
    while carry:
        sums[digit], carry = sums[digit] ^ carry, sums[digit] & carry
        digit += 1


def _largest(bits: int, most: int) -> Iterator[int]:
    low, high = 0, bits.bit_length()
    while low < high:  # the lowest place from which on there are not too many
        middle = (low + high) // 2
        if (bits >> middle).bit_count() > most:
            low = middle + 1
        else:
            high = middle
    return (low + number for number in numbers_in(bits >> low))
