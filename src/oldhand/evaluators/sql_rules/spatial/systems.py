"""Systems of coordinates by number (SRID): which are in degrees.

The numbers are those of the EPSG registry (https://epsg.org), version 11.022: geographic 2D and 3D systems, deprecated ones
included.
"""

import re

WEB_MERCATOR = frozenset({3857, 3785, 900913, 102100, 102113})
"""In metres by name, but stretched by 1 / cos(latitude)."""

_GEOGRAPHIC = """
    3819-3821 3823-3824 3888-3889 3906 4001-4025 4027-4036 4040-4047 4052-4055 4074-4075 4080-4081 4120-4216
    4218-4327 4329 4339 4341 4343 4345 4347 4349 4351 4353 4355 4357 4359 4361 4363 4365 4367 4369 4371 4373 4375
    4377 4379 4381 4383 4386 4388 4463 4466 4469-4470 4472 4475 4480 4482-4483 4490 4555 4557-4558 4600-4646
    4657-4765 4801-4811 4813-4821 4823-4824 4883 4885 4887 4889 4891 4893 4895 4898 4900-4904 4907 4909 4921 4923
    4925 4927 4929 4931 4933 4935 4937 4939 4941 4943 4945 4947 4949 4951 4953 4955 4957 4959 4961 4963 4965 4967
    4969 4971 4973 4975 4977 4979 4981 4983 4985 4987 4989 4991 4993 4995 4997 4999 5012-5013 5132 5228-5233
    5245-5246 5251-5252 5263-5264 5323-5324 5340 5342 5353-5354 5359-5360 5364-5365 5370-5373 5380-5381 5392-5393
    5451 5464 5467 5488-5489 5524-5527 5545-5546 5560-5561 5592-5593 5681 5830 5885-5886 6134-6135 6207 6310-6311
    6318-6319 6321-6322 6324-6325 6364-6365 6667-6668 6705-6706 6782-6783 6881-6883 6892 6894 6979-6980 6982-6983
    6986-6987 6989-6990 7034-7042 7072-7073 7084-7088 7133 7135-7136 7138-7139 7372-7373 7657 7659 7661 7663 7665
    7678 7680 7682-7683 7685-7686 7797-7798 7816 7843-7844 7880-7881 7885-7886 7900-7912 7915 7917 7919 7921 7923
    7925 7927 7929 7931 8042-8043 8085-8086 8231-8232 8235-8237 8239-8240 8244-8246 8248-8249 8251-8252 8254-8255
    8351 8399 8403 8426-8428 8430-8431 8449 8542 8544-8545 8684-8685 8694 8698-8699 8817-8818 8860 8888 8899-8902
    8906-8907 8916 8918 8920 8922 8924 8926 8928 8930 8932 8934 8936 8938 8940 8942 8944 8946 8948-8949 8972-9000
    9002-9003 9005-9006 9008-9009 9011-9014 9016-9019 9053-9069 9071-9072 9074-9075 9139-9140 9147-9148 9152-9153
    9183-9184 9248 9251 9253 9267 9293-9294 9299 9308-9309 9332-9333 9364 9372 9379-9384 9403 9453 9469-9470
    9474-9475 9546-9547 9695-9696 9701-9702 9739 9754-9758 9763 9776-9779 9781-9784 9866 9871 9893 9939 9964 9969
    9974 9989-9990 10158 10175 10177-10178 10185 10191 10196 10204 10209 10214 10219 10224 10229 10237 10249 10252
    10256 10260 10265 10268 10272 10277 10283-10284 10298-10300 10304-10305 10307 10309-10312 10327-10328
    10345-10346 10413-10414 10468 10474-10475 10570-10571 10605-10606 10623 10628 10670-10673 20033 20040-20041
    20045-20046
"""
"""First and last numbers of geographic systems without any other system in between."""


def _ranges(text: str) -> list[range]:
    ends = [pair.split("-") for pair in text.split()]
    return [range(int(pair[0]), int(pair[-1]) + 1) for pair in ends]


_SYSTEMS = frozenset(srid for numbers in _ranges(_GEOGRAPHIC) for srid in numbers)
_NAMED = re.compile(
    r"\s*(?:urn:ogc:def:crs:)?(?:EPSG|SRID|CRS|OGC)\s*[:=]{1,2}\s*(\d+|CRS84)\b", re.IGNORECASE
)
_IN_TEXT = re.compile(r"\s*SRID\s*=\s*(\d+)\s*;", re.IGNORECASE)


def is_geographic(srid: int) -> bool:
    """Whether coordinates of that system are longitudes and latitudes in degrees.

    >>> [is_geographic(srid) for srid in (4326, 4283, 4269, 4258, 4979, 7844, 3857, 28355, 0)]
    [True, True, True, True, True, True, False, False, False]
    """
    return srid in _SYSTEMS


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
