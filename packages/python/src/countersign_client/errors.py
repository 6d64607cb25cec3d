"""The error that a call raises when it cannot be carried out. A refusal by the policy is an answer, not an error."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import httpx

from ._faults import REMEDIES


@dataclass(frozen=True, slots=True)
class Detail:
    """One member at fault: its path, such as ``request.maxAmount``, and what is wrong with it."""

    path: str
    message: str


class CountersignError(Exception):
    """A call that was not carried out.

    ``code`` is stable, for programs: what the node says, such as ``FORBIDDEN`` or ``NOT_FOUND``, or of the client's own
    ``NETWORK`` (no answer came), ``INVALID_ANSWER`` (one that cannot be the node's), ``WRONG_NODE`` (another node than the
    one that was named), ``INVALID_MANDATE`` (a payment mandate that does not hold), ``INVALID_WEBHOOK`` (a webhook that is
    not signed by the secret) and ``BAD_REQUEST`` with the status 0 (nothing was sent).
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        request_id: str | None = None,
        docs: str | None = None,
        details: Sequence[Detail] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        """One sentence that says what is wrong."""
        self.status = status
        """HTTP status; 0 when no answer came, or nothing was asked."""
        self.request_id = request_id
        """Identifies the request in the node's logs."""
        self.docs = docs
        """The address that explains the code."""
        self.details = tuple(details)

    @property
    def remedy(self) -> str:
        """What a person does about it."""
        return REMEDIES.get(self.code, "" if self.docs is None else f"See {self.docs}.")

    def __str__(self) -> str:
        named = "".join(f" {detail.path}: {detail.message}." for detail in self.details)
        asked = "" if self.request_id is None else f" (request {self.request_id})"
        return f"{self.code}: {self.message}{named}{asked}"


def refused_here(message: str, path: str | None = None) -> CountersignError:
    """BAD_REQUEST for what cannot be sent."""
    return CountersignError("BAD_REQUEST", message, details=() if path is None else [Detail(path, message)])


def error_of(status: int, headers: httpx.Headers, text: str) -> CountersignError:
    """The error in an answer's body. A proxy before the node may answer in another shape, which gives INVALID_ANSWER."""
    try:
        error = json.loads(text)["error"]
        code, message = error["code"], error["message"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return unusable(status, headers, f"The answer has status {status} and no error.")
    if not isinstance(code, str) or not isinstance(message, str):
        return unusable(status, headers, f"The answer has status {status} and no error.")
    docs = error.get("docs")
    return CountersignError(
        code,
        message,
        status=status,
        request_id=headers.get("x-request-id"),
        docs=docs if isinstance(docs, str) else None,
        details=details_in(error.get("details")),
    )


def details_in(value: object) -> list[Detail]:
    """The members at fault that an error's ``details`` name; none where it is something else."""
    if not isinstance(value, list):
        return []
    return [Detail(str(each.get("path", "")), str(each.get("message", ""))) for each in value if isinstance(each, dict)]


def unusable(status: int, headers: httpx.Headers, complaint: str) -> CountersignError:
    """INVALID_ANSWER for what cannot be the node's answer.

    ``complaint`` says what is wrong with it, where it is no web page.
    """
    if media_type_of(headers) == "text/html":
        complaint = (
            f"The answer is a web page (status {status}) and not a node’s: a proxy, or the login page of a network, "
            "answers at this address."
        )
    return CountersignError("INVALID_ANSWER", complaint, status=status, request_id=headers.get("x-request-id"))


def media_type_of(headers: httpx.Headers) -> str:
    return str(headers.get("content-type", "")).split(";")[0].strip().lower()
