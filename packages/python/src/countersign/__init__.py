"""Countersign: what a Python program needs to buy, sell and administer at a Countersign node."""

from ._transport import Retries
from .agent import Agent, AsyncAgent, AsyncWaiting, Waiting
from .did import canonical_did
from .did_proof import make_did_proof
from .errors import CountersignError, Detail
from .keys import Key
from .results import Approval, Declined, Paid, Reason, Refused

__all__ = [
    "Agent",
    "Approval",
    "AsyncAgent",
    "AsyncWaiting",
    "CountersignError",
    "Declined",
    "Detail",
    "Key",
    "Paid",
    "Reason",
    "Refused",
    "Retries",
    "Waiting",
    "canonical_did",
    "make_did_proof",
]
