"""Sends a request, and retries where that is safe: no answer came, the node is busy, or it asks for a pause."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from ._steps import Answer, NoAnswer, Request, Script, pause, send_once
from .errors import CountersignError


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how long a client tries."""

    attempts: int = 4
    """How often a request is sent at most; 1 for no retry."""
    timeout_seconds: float = 40
    """How long one attempt may take, beside what the node is asked to wait; more than a node itself waits."""
    max_wait_seconds: float = 30
    """A Retry-After longer than this is not waited for."""


# Bad gateway, unavailable, gateway timeout (RFC 9110, section 15.6).
_GONE = (502, 503, 504)


def send(
    retries: Retries,
    make: Callable[[float], Script[Request]],
    *,
    repeatable: bool,
    wait_seconds: float = 0,
    status_of: Callable[[Answer], int] = lambda answer: answer.status,
) -> Script[Answer]:
    """Sends what ``make`` makes anew for each attempt, since some credentials are valid once.

    ``make`` is given the timeout in seconds. ``repeatable`` says whether the request may have been carried out before and
    still be sent again; ``wait_seconds`` how long the node is asked to wait before it answers; ``status_of`` the HTTP
    status that an answer stands for, where its own does not say it.

    Raises CountersignError NETWORK when no answer came.
    """
    lost = False
    attempt = 1
    while True:
        request = yield from make(retries.timeout_seconds + wait_seconds)
        answer = yield from send_once(request)
        last = attempt >= retries.attempts
        if isinstance(answer, NoAnswer):
            if last or not repeatable:
                raise no_answer(answer.cause) from answer.cause
            lost = True
            yield from pause(_backoff(attempt))
        else:
            status = status_of(answer)
            gone = status in _GONE
            # A proxy before the node says so also of a request that the node has taken.
            lost = lost or gone
            # A rate-limited request was not carried out. A conflict after a lost answer is the earlier attempt, in flight.
            again = status == 429 or (repeatable and (gone or (lost and status == 409)))
            asked = _retry_after(answer.headers)
            seconds = _backoff(attempt) if asked is None else asked
            if not again or last or seconds > retries.max_wait_seconds:
                return answer
            yield from pause(seconds)
        attempt += 1


def no_answer(cause: Exception) -> CountersignError:
    """What was raised when no answer came, as an error of the client."""
    late = " in time" if isinstance(cause, httpx.TimeoutException) else ""
    return CountersignError("NETWORK", f"No answer came from the node{late}.")


def _retry_after(headers: httpx.Headers) -> float | None:
    """The seconds that the node asks to wait (RFC 9110, section 10.2.3)."""
    try:
        seconds = float(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _backoff(attempt: int) -> float:
    """The seconds before the next attempt: exponential, with jitter."""
    return 0.1 * float(2**attempt) * (0.5 + random.random() / 2)
