"""Bytes as text, decoded strictly: each value has one spelling."""

from __future__ import annotations

import base64
import binascii
import hashlib

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS = {character: value for value, character in enumerate(_ALPHABET)}


def to_base64url(data: bytes) -> str:
    """Without padding (RFC 4648, section 5)."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: str) -> bytes | None:
    """The bytes; None for anything that ``to_base64url`` would not have written."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if to_base64url(data) == text else None


def from_base64(text: str) -> bytes | None:
    """The bytes; None for anything but padded base64 (RFC 4648, section 4)."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def to_base64(data: bytes) -> str:
    """Padded (RFC 4648, section 4)."""
    return base64.b64encode(data).decode()


def content_digest(content: bytes) -> str:
    """The SHA-256 of a body, as RFC 9530 writes it."""
    return f"sha-256=:{to_base64(hashlib.sha256(content).digest())}:"


def to_base58(data: bytes) -> str:
    """In the alphabet of Bitcoin."""
    number = int.from_bytes(data, "big")
    text = ""
    while number > 0:
        number, digit = divmod(number, 58)
        text = _ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def from_base58(text: str) -> bytes | None:
    """The bytes; None for a text with other characters."""
    number = 0
    for character in text:
        digit = _DIGITS.get(character)
        if digit is None:
            return None
        number = number * 58 + digit
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")
