"""Messages between agents: signed, and bound to their receiver and their time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from ._time import iso_of
from .credentials import now_ms
from .keys import Key, random_id
from .proof import sign_document

MandateType: TypeAlias = Literal["IntentMandate", "CartMandate", "PaymentMandate"]
RESULT_OF: dict[str, str] = {
    "IntentMandate": "IntentResult",
    "CartMandate": "CartResult",
    "PaymentMandate": "PaymentResult",
}
"""The type of the message that answers each type."""


def sign_message(
    key: Key,
    kind: MandateType,
    body: Mapping[str, Any],
    *,
    to: str,
    id: str | None = None,
    context_id: str | None = None,
    now: int | None = None,
) -> dict[str, Any]:
    """A message with the agent's proof, ready to be sent.

    ``to`` is the node's DID, from its agent card. ``id`` is unique among this agent's messages, and new by default: the same
    message sent again must keep it. ``context_id`` names the session that it belongs to. ``now`` is in milliseconds since
    the epoch.

    Raises CountersignError BAD_REQUEST for a body that has no canonical JSON.
    """
    created = iso_of(now_ms() if now is None else now)
    message: dict[str, Any] = {"id": random_id() if id is None else id, "type": kind, "to": to, "body": dict(body)}
    if context_id is not None:
        message["contextId"] = context_id
    message |= {"from": key.did, "created": created}
    return sign_document(key, message, created=created, purpose="authentication")
