"""Ed25519 keys (RFC 8032): an agent's or a merchant's own, and the strict check of what others signed."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ._edwards import ORDER, is_public_key
from ._encodings import to_base64url
from .did import did_of_key
from .errors import refused_here

SEED_BYTES = 32
_IDENTITY = b"\x01" + bytes(31)


class Key:
    """An agent's or a merchant's key. Its seed must be kept, and kept secret."""

    def __init__(self, seed: bytes) -> None:
        """``seed``: the 32 bytes of an RFC 8032 private key. Raises CountersignError BAD_REQUEST for another length."""
        if len(seed) != SEED_BYTES:
            raise refused_here(f"The seed of an Ed25519 key has {SEED_BYTES} bytes, and this one {len(seed)}.")
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.did = did_of_key(public)
        """The canonical did:key."""
        self.public_key = self.did.removeprefix("did:key:")
        """The public key as multibase text, as registration takes it."""

    @classmethod
    def generate(cls) -> Key:
        """A new key, of the system's randomness."""
        return cls(secrets.token_bytes(SEED_BYTES))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Key:
        """The key whose seed a file holds, as ``countersign agent keygen --out`` writes it. Raises OSError, and as the class."""
        return cls(Path(path).read_bytes())

    @property
    def seed(self) -> bytes:
        """The 32 secret bytes."""
        return self._private.private_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """64 bytes: R and S of RFC 8032."""
        return self._private.sign(message)

    def __repr__(self) -> str:
        return f"<Key {self.did}>"


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature holds.

    One rule for every implementation: the key is a point of prime order in canonical encoding, S is below the group order,
    and R is, byte for byte, the encoding of [S]B − [k]A and not the identity (RFC 8032, section 5.1.7, without the
    cofactor). Everything else is False; it never raises.
    """
    if len(signature) != 64 or not is_public_key(public_key):
        return False
    # As R the identity would mean a nonce of zero, which reveals the private key.
    if signature[:32] == _IDENTITY or int.from_bytes(signature[32:], "little") >= ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def random_id() -> str:
    """128 random bits as base64url text."""
    return to_base64url(secrets.token_bytes(16))
