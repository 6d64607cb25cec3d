"""Evidence that a stranger can check: the chain of a tenant's events, and the checkpoints that its issuer signed over it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._encodings import from_base64
from .did import key_of_did
from .errors import CountersignError
from .jcs import canonical
from .keys import verify

_MOST_SIGNATURES = 64
# An Ed25519 key over the text of a note (C2SP signed-note).
_LOG_KEY = b"\x01"
_SIZE = re.compile(r"0|[1-9]\d{0,14}", re.ASCII)


class InvalidEvidence(Exception):
    """Evidence that does not hold. Its text is one sentence that names the check which failed."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    origin: str
    """The name of the chain, ``countersign/evidence/tnt_…``."""
    size: int
    """How many events the chain had."""
    root: bytes
    """The Merkle root over their hashes (RFC 9162, section 2.1)."""
    signer: str
    """The DID whose key signed it."""


def verify_chain(events: Iterable[Mapping[str, Any]], *, issuer: str, tenant_id: str) -> bytes:
    """Verifies the events of a whole chain, the oldest first, as an export has them.

    Each event's hash is SHA-256 over ``evidence-v1``, a newline and the canonical JSON of its other members, of which
    ``hashPrev`` is the hash of the event before it; the first follows the hash of issuer and tenant.

    Returns the Merkle root over the events, which a checkpoint has. Raises InvalidEvidence at the first event that breaks
    the chain.
    """
    previous, seq = _hash_text(f"{issuer}\n{tenant_id}"), 0
    leaves: list[bytes] = []
    for event in events:
        if event.get("seq") != seq + 1:
            raise InvalidEvidence(f"Event {seq + 1} is missing.")
        seq += 1
        if event.get("hashPrev") != previous:
            raise InvalidEvidence(f"Event {seq} does not follow the event before it.")
        content = {name: value for name, value in event.items() if name != "hashCurr"}
        try:
            previous = _hash_text("evidence-v1\n" + canonical(content))
        except CountersignError as error:
            raise InvalidEvidence(f"Event {seq}: {error.message}") from None
        if event.get("hashCurr") != previous:
            raise InvalidEvidence(f"The content of event {seq} does not match its hash.")
        leaves.append(hashlib.sha256(b"\0" + bytes.fromhex(previous[len("sha256:") :])).digest())
    return _root_of(leaves)


def open_checkpoint(note: str, issuers: Sequence[str]) -> Checkpoint:
    """Verifies a signed checkpoint (C2SP tlog-checkpoint) without extension lines.

    ``issuers`` are the DIDs that the issuer has had; the signature of any of them counts, and signatures by other keys, such
    as those of witnesses, are ignored.

    Raises InvalidEvidence.
    """
    text, signatures = _note_in(note)
    for issuer in issuers:
        try:
            key = key_of_did(issuer)
        except CountersignError as error:
            raise InvalidEvidence(error.message) from None
        id = hashlib.sha256(issuer.encode() + b"\n" + _LOG_KEY + key).digest()[:4]
        own = [signature[4:] for name, signature in signatures if name == issuer and signature[:4] == id]
        if not own:
            continue
        if not all(verify(key, text.encode(), signature) for signature in own):
            raise InvalidEvidence(f"The checkpoint does not hold: the signature of {issuer} does not match its text.")
        return _checkpoint_in(text, issuer)
    raise InvalidEvidence(f"The checkpoint does not hold: {', '.join(issuers)} has not signed it.")


def verify_export(export: Mapping[str, Any], *, issuer: str) -> Checkpoint:
    """Verifies an export of a whole chain, as ``GET /ap2/evidence/export`` gives it: every event, and the checkpoint over them.

    ``issuer`` is the DID of the node, as the reader knows it already. A chain whose issuer changed its key is for
    ``countersign evidence verify``, which follows the change.

    Raises InvalidEvidence.
    """
    events, tenant_id, note = export.get("events"), export.get("tenantId"), export.get("checkpoint")
    if not isinstance(events, list) or not isinstance(tenant_id, str) or not isinstance(note, str):
        raise InvalidEvidence("The export has no events, no tenant or no checkpoint.")
    if export.get("issuer") != issuer:
        raise InvalidEvidence(f"The export is by {export.get('issuer')}, not by {issuer}.")
    if not all(isinstance(event, Mapping) for event in events):
        raise InvalidEvidence("An event of the export is malformed.")
    root = verify_chain(events, issuer=issuer, tenant_id=tenant_id)
    checkpoint = open_checkpoint(note, [issuer])
    if checkpoint.origin != f"countersign/evidence/{tenant_id}":
        raise InvalidEvidence(f"The checkpoint is over another chain, {checkpoint.origin}.")
    if checkpoint.size != len(events):
        raise InvalidEvidence(f"The checkpoint is over {checkpoint.size} events, and the export has {len(events)}.")
    if checkpoint.root != root:
        raise InvalidEvidence("The checkpoint is over other events than the export has.")
    return checkpoint


def _hash_text(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _root_of(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) <= 1:
        return leaves[0] if leaves else hashlib.sha256(b"").digest()
    # The left side is the largest complete subtree that leaves something for the right.
    middle = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\x01" + _root_of(leaves[:middle]) + _root_of(leaves[middle:])).digest()


def _note_in(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """The text of a signed note (C2SP signed-note), and its signatures with their names. Raises InvalidEvidence."""
    end = note.rfind("\n\n")
    if any(character < " " and character != "\n" for character in note):
        raise InvalidEvidence("The checkpoint does not hold: it has a control character other than the newline.")
    if end < 0 or end + 2 == len(note) or not note.endswith("\n"):
        raise InvalidEvidence("The checkpoint does not hold: it has no signature.")
    lines = note[end + 2 : -1].split("\n")
    if len(lines) > _MOST_SIGNATURES:
        raise InvalidEvidence(f"The checkpoint does not hold: it has more than {_MOST_SIGNATURES} signatures.")
    signatures = []
    for line in lines:
        mark, _, rest = line.partition(" ")
        name, _, encoded = rest.partition(" ")
        data = from_base64(encoded)
        if mark != "—" or name == "" or "+" in name or name.split() != [name] or data is None or len(data) <= 4:
            raise InvalidEvidence("The checkpoint does not hold: a signature line is malformed.")
        signatures.append((name, data))
    return note[: end + 1], signatures


def _checkpoint_in(text: str, signer: str) -> Checkpoint:
    lines = text.removesuffix("\n").split("\n")
    root = from_base64(lines[2]) if len(lines) == 3 else None
    if root is None or len(root) != 32 or lines[0] == "" or not _SIZE.fullmatch(lines[1]):
        raise InvalidEvidence("The checkpoint does not hold: its text is no checkpoint.")
    return Checkpoint(origin=lines[0], size=int(lines[1]), root=root, signer=signer)

