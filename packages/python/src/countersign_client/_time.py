"""Moments as signed documents write them (ISO 8601, RFC 3339): parsed strictly, and written as ECMAScript does."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))",
    re.ASCII,
)


def milliseconds_of(text: object) -> int | None:
    """Milliseconds since the epoch; None for what is no moment with a zone."""
    match = _MOMENT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, zone_hour, zone_minute = match.groups()
    try:
        at = datetime(int(year), int(month), int(day), int(hour), int(minute), int(second or 0), tzinfo=timezone.utc)
    except ValueError:
        return None
    zone = 0 if sign is None else (int(zone_hour) * 60 + int(zone_minute)) * (60_000 if sign == "+" else -60_000)
    return (at - _EPOCH) // timedelta(milliseconds=1) + int((fraction or "0").ljust(3, "0")[:3]) - zone


def iso_of(milliseconds: int) -> str:
    """``2026-11-26T10:00:00.000Z``."""
    at = _EPOCH + timedelta(milliseconds=milliseconds)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}Z"
