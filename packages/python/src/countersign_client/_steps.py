"""What a call does, as a generator of steps: the sync and the async client carry out the same steps."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import httpx


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None
    timeout_seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: httpx.Headers
    text: str


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The request was lost, or its answer."""

    cause: Exception


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


@dataclass(frozen=True, slots=True)
class Ask:
    """Has a function of the caller's answer, which may be an async one in an async client."""

    function: Callable[[], object]


Step: TypeAlias = Request | Pause | Ask
T = TypeVar("T")
Script: TypeAlias = Generator[Step, Any, T]


def send_once(request: Request) -> Script[Answer | NoAnswer]:
    answer: Answer | NoAnswer = yield request
    return answer


def pause(seconds: float) -> Script[None]:
    yield Pause(seconds)


def ask(function: Callable[[], T | Awaitable[T]]) -> Script[T]:
    answer: T = yield Ask(function)
    return answer


def run(script: Script[T], http: httpx.Client) -> T:
    """Carries out a script's steps one after the other."""
    reply: object = None
    while True:
        try:
            step = script.send(reply)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        match step:
            case Request():
                reply = _sent(step, http)
            case Pause():
                time.sleep(step.seconds)
                reply = None
            case Ask():
                reply = step.function()


async def run_async(script: Script[T], http: httpx.AsyncClient) -> T:
    """Carries out a script's steps one after the other, and lets others run while it waits."""
    reply: object = None
    while True:
        try:
            step = script.send(reply)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        match step:
            case Request():
                reply = await _sent_async(step, http)
            case Pause():
                await asyncio.sleep(step.seconds)
                reply = None
            case Ask():
                answer = step.function()
                reply = await answer if inspect.isawaitable(answer) else answer


def _sent(request: Request, http: httpx.Client) -> Answer | NoAnswer:
    try:
        response = http.request(
            request.method,
            request.url,
            headers=request.headers,
            content=request.content,
            timeout=request.timeout_seconds,
            follow_redirects=False,
        )
    except httpx.RequestError as cause:
        return NoAnswer(cause)
    return Answer(response.status_code, response.headers, response.text)


async def _sent_async(request: Request, http: httpx.AsyncClient) -> Answer | NoAnswer:
    try:
        response = await http.request(
            request.method,
            request.url,
            headers=request.headers,
            content=request.content,
            timeout=request.timeout_seconds,
            follow_redirects=False,
        )
    except httpx.RequestError as cause:
        return NoAnswer(cause)
    return Answer(response.status_code, response.headers, response.text)
