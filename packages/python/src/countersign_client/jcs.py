"""Canonical JSON (RFC 8785), hashes over it, and the parsing of untrusted JSON (I-JSON, RFC 7493)."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from .errors import refused_here

MAX_DEPTH = 32


def canonical(value: object) -> str:
    """The canonical JSON of a value: dicts with text names, lists, texts, numbers, booleans and None.

    Numbers are doubles (RFC 8785, section 3.2.2.3), so an int beyond 2**53 is written as the nearest double.

    Raises CountersignError BAD_REQUEST for what has no canonical JSON: numbers that are not finite, lone surrogates,
    names that are no text, other types, nesting beyond what Python follows.
    """
    parts: list[str] = []
    try:
        _write(value, parts)
    except RecursionError:
        raise refused_here("The value has no canonical JSON: it is nested too deeply.") from None
    return "".join(parts)


def hash_of(value: object) -> str:
    """``sha256:`` and the hexadecimal SHA-256 of a value's canonical JSON. Raises as ``canonical``."""
    return "sha256:" + hashlib.sha256(canonical(value).encode()).hexdigest()


def parse_json(text: str) -> Any:
    """The value of a JSON text that others wrote.

    Raises CountersignError BAD_REQUEST for what is not JSON, and for what has more than one reading: a member named twice
    or ``__proto__``, a number beyond a double, a lone surrogate, nesting deeper than 32.
    """
    try:
        value = json.loads(text, object_pairs_hook=_members, parse_constant=_not_json, parse_int=_int)
    except RecursionError:
        raise refused_here("The JSON value is nested too deeply.") from None
    except ValueError as error:
        raise refused_here(f"The text is not JSON: {error}.") from None
    _refuse(value, 0)
    return value


def _write(value: object, parts: list[str]) -> None:
    if value is None:
        parts.append("null")
    elif isinstance(value, bool):
        parts.append("true" if value else "false")
    elif isinstance(value, str):
        parts.append(_text(value))
    elif isinstance(value, int | float | Decimal):
        parts.append(_number(value))
    elif isinstance(value, Mapping):
        _write_members(value, parts)
    elif isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        parts.append("[")
        for index, item in enumerate(value):
            if index > 0:
                parts.append(",")
            _write(item, parts)
        parts.append("]")
    else:
        raise refused_here(f"The value has no canonical JSON: a {type(value).__name__} is not JSON.")


def _write_members(members: Mapping[Any, object], parts: list[str]) -> None:
    for name in members:
        if not isinstance(name, str):
            raise refused_here("The value has no canonical JSON: the name of a member is no text.")
    # Names are sorted by UTF-16 code units (RFC 8785, section 3.2.3), and Python sorts by code points.
    texts = {name: _text(name) for name in members}
    parts.append("{")
    for index, name in enumerate(sorted(members, key=lambda each: each.encode("utf-16-be"))):
        if index > 0:
            parts.append(",")
        parts.append(texts[name] + ":")
        _write(members[name], parts)
    parts.append("}")


def _text(text: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise refused_here("The value has no canonical JSON: it holds half a surrogate pair.")
    # Escapes exactly what RFC 8785, section 3.2.2.2, says, and in its spelling.
    return json.dumps(text, ensure_ascii=False)


def _number(value: float | Decimal) -> str:
    """A number as ECMAScript prints it (RFC 8785, section 3.2.2.3)."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise refused_here("The value has no canonical JSON: a number is not finite.")
    if number == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(number)).as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits)).rstrip("0")
    exponent += len(digits) - len(text)
    # The number is 0.text times ten to the power of `point`.
    point = len(text) + exponent
    if 0 < point <= 21:
        written = text.ljust(point, "0") if point >= len(text) else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        written = "0." + "0" * -point + text
    else:
        mantissa = text if len(text) == 1 else f"{text[0]}.{text[1:]}"
        written = f"{mantissa}e{point - 1:+d}"
    return "-" + written if sign else written


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is there twice")
    if "__proto__" in members:
        raise ValueError("__proto__ is not a name a member may have")
    return members


def _not_json(constant: str) -> Any:
    raise ValueError(f"{constant} is no number")


def _int(text: str) -> int | float:
    """Ints that a double carries exactly stay ints; others are the double that every other reader has."""
    return int(text) if len(text) < 16 else float(text)


def _refuse(value: object, depth: int) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise refused_here("The JSON value holds a number that is too large.")
    if isinstance(value, str):
        _refuse_surrogates(value)
    elif isinstance(value, dict | list):
        if depth >= MAX_DEPTH:
            raise refused_here(f"The JSON value is nested deeper than {MAX_DEPTH} levels.")
        for item in value.values() if isinstance(value, dict) else value:
            _refuse(item, depth + 1)
        for name in value if isinstance(value, dict) else ():
            _refuse_surrogates(name)


def _refuse_surrogates(text: str) -> None:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise refused_here("The JSON value holds half a surrogate pair.")
