"""Countersign: what a Python program needs to buy, sell and administer at a Countersign node."""

from ._transport import Retries
from .a2a import A2aClient, AsyncA2aClient
from .agent import Agent, AsyncAgent, AsyncWaiting, Waiting
from .client import AsyncClient, Client, each, each_async
from .did import canonical_did
from .did_proof import make_did_proof
from .errors import CountersignError, Detail
from .evidence import Checkpoint, InvalidEvidence, open_checkpoint, verify_chain, verify_export
from .external import NotPaid, ReservationRefused
from .jcs import canonical, hash_of
from .keys import Key
from .merchant import PaymentMandate, sign_cart, verify_payment_mandate, verify_webhook
from .messages import sign_message
from .paying import AsyncPayingClient, PayingClient
from .results import Approval, Declined, Paid, Reason, Refused
from .signing import AsyncSigningTransport, SigningTransport
from .streams import Change
from .tools import AsyncToolset, Toolset

__all__ = [
    "A2aClient",
    "Agent",
    "Approval",
    "AsyncA2aClient",
    "AsyncAgent",
    "AsyncClient",
    "AsyncPayingClient",
    "AsyncSigningTransport",
    "AsyncToolset",
    "AsyncWaiting",
    "Change",
    "Checkpoint",
    "Client",
    "CountersignError",
    "Declined",
    "Detail",
    "InvalidEvidence",
    "Key",
    "NotPaid",
    "Paid",
    "PayingClient",
    "PaymentMandate",
    "Reason",
    "Refused",
    "ReservationRefused",
    "Retries",
    "SigningTransport",
    "Toolset",
    "Waiting",
    "canonical",
    "canonical_did",
    "each",
    "each_async",
    "hash_of",
    "make_did_proof",
    "open_checkpoint",
    "sign_cart",
    "sign_message",
    "verify_chain",
    "verify_export",
    "verify_payment_mandate",
    "verify_webhook",
]
