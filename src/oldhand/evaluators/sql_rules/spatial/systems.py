"""Systems of coordinates by number (SRID): which are in degrees.

The numbers are those of the EPSG registry (https://epsg.org), geographic 2D and 3D systems.
"""

import re

WEB_MERCATOR = frozenset({3857, 3785, 900913, 102100, 102113})
"""In metres by name, but stretched by 1 / cos(latitude)."""

_BLOCKS = (range(4120, 4327), range(4600, 4764), range(4801, 4822))
"""Blocks of the registry that hold geographic 2D systems only."""
_SINGLE = frozenset({
    4001, 4002, 4003, 4004, 4005, 4006, 4007, 4008, 4009, 4010, 4011, 4012, 4013, 4014, 4015, 4016, 4018, 4019, 4020,
    4021, 4022, 4023, 4024, 4025, 4027, 4028, 4029, 4030, 4031, 4032, 4033, 4034, 4035, 4036, 4041, 4042, 4043, 4044,
    4045, 4046, 4047, 4052, 4053, 4054, 4055, 4075, 4081, 4463, 4470, 4475, 4480, 4483, 4490, 4555, 4558, 4937, 4939,
    4941, 4943, 4945, 4947, 4949, 4951, 4953, 4955, 4957, 4959, 4961, 4963, 4965, 4967, 4969, 4971, 4973, 4975, 4977,
    4979, 4981, 4983, 4985, 4987, 4989, 4991, 4993, 4995, 4997, 4999, 5013, 5228, 5229, 5264, 5324, 5340, 5354, 5360,
    5365, 5371, 5373, 5381, 5393, 5489, 5527, 5546, 5561, 5593, 5681, 5830, 5886, 6135, 6207, 6311, 6318, 6319, 6322,
    6323, 6325, 6326, 6365, 6667, 6668, 6697, 6706, 6783, 6881, 6882, 6883, 6892, 6894, 6982, 6983, 6987, 6990, 7035,
    7037, 7039, 7041, 7073, 7084, 7086, 7088, 7133, 7136, 7139, 7373, 7683, 7686, 7798, 7843, 7844, 7881, 8086, 8232,
    8237, 8240, 8246, 8249, 8252, 8255, 8351, 8426, 8427, 8428, 8430, 8449, 8545, 8694, 8699, 8818, 8860, 8888, 8900,
    8907, 8949, 8972, 8975, 8978, 8981, 8984, 8987, 8990, 8992, 8994, 8996, 8998, 9000, 9053, 9054, 9055, 9056, 9057,
    9059, 9067, 9140, 9148, 9153, 9184, 9248, 9251, 9253, 9294, 9299, 9309, 9333, 9364, 9372, 9380, 9384, 9403, 9453,
    9469, 9475, 9547, 9696, 9702, 9739, 9755, 9777, 9782, 9784, 9866, 9893, 9939, 9964, 9969, 9974, 9988, 9990,
})  # fmt: skip

_NAMED = re.compile(
    r"\s*(?:urn:ogc:def:crs:)?(?:EPSG|SRID|CRS|OGC)\s*[:=]{1,2}\s*(\d+|CRS84)\b", re.IGNORECASE
)
_IN_TEXT = re.compile(r"\s*SRID\s*=\s*(\d+)\s*;", re.IGNORECASE)


def is_geographic(srid: int) -> bool:
    """Whether coordinates of that system are longitudes and latitudes in degrees.

    >>> [is_geographic(srid) for srid in (4326, 4283, 4269, 4258, 4979, 7844, 3857, 28355, 0)]
    [True, True, True, True, True, True, False, False, False]
    """
    return srid in _SINGLE or any(srid in block for block in _BLOCKS)


def named_system(text: str) -> int | None:
    """The number in a text such as `EPSG:4326`, in a definition of PROJ, or None.

    >>> named_system("EPSG:3857"), named_system("OGC:CRS84"), named_system("+proj=longlat +datum=WGS84"), named_system("?")
    (3857, 4326, 4326, None)
    """
    if match := _NAMED.match(text):
        return int(match[1]) if match[1].isdigit() else 4326
    is_proj = text.lstrip().lower().startswith(("+proj=longlat", "+proj=latlong"))
    return 4326 if is_proj else None


def written_system(text: str) -> int | None:
    """The number at the beginning of extended well-known text, `SRID=4326;POINT(1 2)`."""
    match = _IN_TEXT.match(text)
    return int(match[1]) if match else None
