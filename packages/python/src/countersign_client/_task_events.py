"""What the stream of a task of standard A2A says: JSON-RPC answers as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx

from ._request import Row
from .errors import CountersignError
from .keys import random_id

ENDPOINT = Row("POST", "/a2a/v1")

_ENDS = {"TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED"}

# After these another try may do.
_PASSING = {"NETWORK", "INVALID_ANSWER", "UNAVAILABLE", "INTERNAL_ERROR", "RATE_LIMITED"}


class TaskEvents:
    """The events of one stream, whose text comes cut anywhere."""

    def __init__(self) -> None:
        self._rest = ""

    def take(self, text: str) -> Iterator[dict[str, Any]]:
        """The events that a text completes. Raises CountersignError for an error among them."""
        *blocks, self._rest = (self._rest + text).split("\n\n")
        for block in blocks:
            if block.startswith("data: "):
                yield _result_in(block.removeprefix("data: "))

    def end(self) -> None:
        """Raises CountersignError where the answer was an error and no stream."""
        if self._rest:
            _result_in(self._rest)


def task_call(method: str, task_id: str) -> dict[str, Any]:
    """A JSON-RPC call about a task."""
    return {"jsonrpc": "2.0", "id": random_id(), "method": method, "params": {"id": task_id}}


def task_in(text: str) -> dict[str, Any]:
    """The task that GetTask answers, as a stream begins with it. Raises CountersignError."""
    return {"task": _result_in(text)}


def task_fault(response: httpx.Response) -> CountersignError:
    """The error of an answer that is no success, or a page."""
    try:
        _result_in(response.text, response.status_code)
    except CountersignError as error:
        return error
    return _unusable(response.status_code)


def is_end(event: dict[str, Any]) -> bool:
    """Whether nothing more will happen to the task."""
    told = event.get("task") or event.get("statusUpdate") or {}
    return told.get("status", {}).get("state") in _ENDS


def is_passing(error: CountersignError) -> bool:
    """Whether another try may change it."""
    return error.code in _PASSING and (error.status < 400 or error.status >= 500 or error.status == 429)


def _result_in(text: str, status: int = 200) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        answer = None
    members = answer if isinstance(answer, dict) else {}
    error = members.get("error")
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        raise CountersignError(_reason_of(error), error["message"], status=status)
    result = members.get("result")
    if not isinstance(result, dict):
        raise _unusable(status)
    return result


def _reason_of(error: dict[str, Any]) -> str:
    data = error.get("data")
    first = data[0] if isinstance(data, list) and data and isinstance(data[0], dict) else {}
    reason = first.get("reason")
    return reason if isinstance(reason, str) else "INVALID_ANSWER"


def _unusable(status: int) -> CountersignError:
    return CountersignError("INVALID_ANSWER", f"The answer (status {status}) is not a node’s.", status=status)
