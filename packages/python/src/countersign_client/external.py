"""A payment elsewhere between its reservation and what is told of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .models import Payment, ReservationResultAllowed, ReservationResultRefused

if TYPE_CHECKING:
    from .client import AsyncClient, Client

ReleaseReason: TypeAlias = Literal["not_paid", "declined", "abandoned"]

# What was paid: ``amount`` (all that was reserved when absent), and members of the evidence such as ``reference``.
Receipt: TypeAlias = Mapping[str, Any]


class NotPaid(Exception):
    """Raised by who knows that nothing was paid, so that the amount is released."""

    def __init__(self, reason: ReleaseReason = "not_paid") -> None:
        super().__init__(f"Nothing was paid: {reason}.")
        self.reason: ReleaseReason = reason


class ReservationRefused(Exception):
    """The policy does not allow a payment elsewhere. With ``refusal.approval`` a person is asked: the same call with its id
    as ``approval_id`` is made once they have approved."""

    def __init__(self, refusal: ReservationResultRefused) -> None:
        super().__init__(" ".join(detail.message for detail in refusal.details.values()) or ", ".join(refusal.reason_codes))
        self.refusal = refusal


class External:
    """Payments that are made elsewhere, as ``node.external``."""

    def __init__(self, node: Client) -> None:
        self._node = node

    def pay(self, pay: Callable[[ReservationResultAllowed], Receipt], **asked: Any) -> Payment:
        """Reserves, pays, and tells what came of it. ``asked`` is what ``reserve_externally`` takes.

        What ``pay`` returns is committed; where it raises NotPaid the amount is released; where it raises anything else
        nothing is told, since the money may have moved: the reservation is left to its end.

        Raises ReservationRefused, NotPaid once the amount is released, what ``pay`` raises, and CountersignError.
        """
        reserved = _reserved(self._node.reserve_externally(**asked))
        try:
            paid = pay(reserved)
        except NotPaid as not_paid:
            self._node.release_reservation(reserved.mandate_id, reason=not_paid.reason)
            raise
        return self._node.commit_reservation(reserved.mandate_id, **_told(paid))


class AsyncExternal:
    """As ``External``, for async programs."""

    def __init__(self, node: AsyncClient) -> None:
        self._node = node

    async def pay(self, pay: Callable[[ReservationResultAllowed], Awaitable[Receipt]], **asked: Any) -> Payment:
        """As ``External.pay``, with an async function."""
        reserved = _reserved(await self._node.reserve_externally(**asked))
        try:
            paid = await pay(reserved)
        except NotPaid as not_paid:
            await self._node.release_reservation(reserved.mandate_id, reason=not_paid.reason)
            raise
        return await self._node.commit_reservation(reserved.mandate_id, **_told(paid))


def _reserved(
    answer: ReservationResultAllowed | ReservationResultRefused,
) -> ReservationResultAllowed:
    if isinstance(answer, ReservationResultRefused):
        raise ReservationRefused(answer)
    return answer


def _told(paid: Receipt) -> dict[str, Any]:
    evidence = {name: value for name, value in paid.items() if name != "amount"}
    evidence.setdefault("kind", "order" if "reference" in evidence else "none")
    return {"amount": paid.get("amount"), "evidence": evidence}
