"""The normal form of domain names, in which they are compared: lower-case A-labels (UTS #46), no trailing dot."""

from __future__ import annotations

import re

import idna

from .errors import refused_here

# A label of letters, digits and inner hyphens (RFC 1123, section 2.1), at most 63 octets (RFC 1035, section 2.3.4).
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_MOST_CHARACTERS = 253


def normal_domain(text: object) -> str:
    """Raises CountersignError BAD_REQUEST for anything else than a host name of at least two labels."""
    name = _name_of(text) if isinstance(text, str) else None
    labels = [] if name is None else name.split(".")
    if name is None or len(labels) < 2 or len(name) > _MOST_CHARACTERS or labels[-1].isdigit():
        raise refused_here(
            "A domain is a plain host name such as shop.example.com, without scheme, port or path.", "merchant"
        )
    return name


def _name_of(text: str) -> str | None:
    name = text.lower() if text.isascii() else _encoded(text)
    if name is None:
        return None
    name = name.removesuffix(".")
    return name if all(_LABEL.fullmatch(label) for label in name.split(".")) else None


def _encoded(text: str) -> str | None:
    try:
        return idna.encode(text, uts46=True).decode().lower()
    except idna.IDNAError:
        return None
