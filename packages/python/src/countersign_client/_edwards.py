"""The rule for which 32 bytes are an Ed25519 public key (RFC 8032, section 5.1): a point of prime order, spelled one way."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

_P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point."""
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_1 = pow(2, (_P - 1) // 4, _P)

# X, Y, Z and T with x = X/Z, y = Y/Z and x*y = T/Z (RFC 8032, section 5.1.4).
_Point: TypeAlias = tuple[int, int, int, int]


@lru_cache(maxsize=10_000)
def is_public_key(encoded: bytes) -> bool:
    """Whether bytes are a public key.

    False when they are not 32, not a canonical encoding, off the curve, or outside the prime-order subgroup. The last rule
    refuses the eight small-order points, with which anyone can forge signatures, and their sums with honest keys, on
    which verifiers disagree.
    """
    point = _decoded(encoded)
    return point is not None and not _is_identity(point) and _is_identity(_times(ORDER, point))


def _decoded(encoded: bytes) -> _Point | None:
    if len(encoded) != 32:
        return None
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= _P:
        return None
    u, v = (y * y - 1) % _P, (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if v * x * x % _P == -u % _P:
        x = x * _ROOT_OF_MINUS_1 % _P
    if v * x * x % _P != u:
        return None
    if x == 0 and sign == 1:
        return None
    if x & 1 != sign:
        x = _P - x
    return (x, y, 1, x * y % _P)


def _added(one: _Point, other: _Point) -> _Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(scalar: int, point: _Point) -> _Point:
    result: _Point = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = _added(result, point)
        point = _added(point, point)
        scalar >>= 1
    return result


def _is_identity(point: _Point) -> bool:
    return point[0] % _P == 0 and (point[1] - point[2]) % _P == 0
