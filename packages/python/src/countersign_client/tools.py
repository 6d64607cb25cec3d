"""An agent's purchases as tools of a language model, in the form of OpenAI's function calling.

The model brings a merchant's cart; it sees neither the agent's key nor an approval token, and what it asks for is judged by
the policy like every request.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ._purchase import Buyer, Outcome
from ._request import Row
from ._steps import Script, run, run_async
from .errors import CountersignError
from .results import Approval, Document

if TYPE_CHECKING:
    from .agent import Agent, AsyncAgent

_EXPLAIN = Row("POST", "/ap2/policies/explain")
_LIMITS = Row("GET", "/ap2/limits")
_PAYMENTS = Row("GET", "/ap2/payments")
_RECORDS = {
    "intent_": Row("GET", "/ap2/intents/:mandateId", in_path=("mandateId",)),
    "pm_": Row("GET", "/ap2/payments/:mandateId", in_path=("mandateId",)),
    "apr_": Row("GET", "/ap2/approvals/:id", in_path=("id",)),
}
# What a person decides takes longer than a model should hold its turn.
_LONGEST_WAIT_SECONDS = 300


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Buy(_Arguments):
    """Buy what a merchant's signed cart holds. Money moves. The policy of the person whose money it is decides: the result is
    paid, declined, refused with the reasons and what would pass, or waiting for the person. Where it waits, give the person
    the url, and call wait_for_approval."""

    cart: dict[str, Any] = Field(description="The cart as the merchant signed it, unchanged.")
    description: str | None = Field(default=None, description="What is bought and why, in a sentence for the person.")


class WaitForApproval(_Arguments):
    """Wait until the person has approved or denied a purchase. Once approved it is paid. Call it again while it waits."""

    approval_id: str = Field(description="From buy: begins with apr_.")
    wait_seconds: float = Field(default=25, ge=0, le=_LONGEST_WAIT_SECONDS)


class PolicyExplain(_Arguments):
    """Ask what the policy would say of a purchase, before shopping. Nothing is issued or counted."""

    amount: float = Field(gt=0, description="In units of the currency: 42.5 is 42.50 USD.")
    currency: str = Field(description="ISO 4217, such as USD.")
    merchant: str | None = Field(default=None, description="The merchant's domain.")


class CheckLimits(_Arguments):
    """See the limits over time that hold for this agent, with what is used of each and what is left."""


class ListPurchases(_Arguments):
    """List this agent's payments, newest first."""

    limit: int = Field(default=20, ge=1, le=200)


class CheckStatus(_Arguments):
    """Look at an intent, an approval or a payment by its id."""

    id: str = Field(description="Begins with intent_, apr_ or pm_.")


@dataclasses.dataclass(frozen=True, slots=True)
class Tool:
    name: str
    arguments: type[_Arguments]
    run: Callable[[_Toolset, Any], Script[Document]] = dataclasses.field(repr=False)

    @property
    def description(self) -> str:
        """For the model."""
        return " ".join((self.arguments.__doc__ or "").split())

    @property
    def parameters(self) -> Document:
        """The JSON Schema of its arguments."""
        schema = self.arguments.model_json_schema()
        return {name: value for name, value in schema.items() if name not in ("title", "description")}

    @property
    def definition(self) -> Document:
        """As OpenAI's function calling takes it."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


class _Toolset:
    """What the tools of sync and async agents share: the approvals that purchases wait for."""

    def __init__(self, buyer: Buyer) -> None:
        self.buyer = buyer
        self.approvals: dict[str, Approval] = {}

    @property
    def definitions(self) -> list[Document]:
        """The tools as OpenAI's function calling takes them."""
        return [tool.definition for tool in TOOLS.values()]

    def script(self, name: str, arguments: str | Mapping[str, Any]) -> Script[Document]:
        """What a call does. A mistake of the model and an error of the node are results, which it can read."""
        try:
            tool = TOOLS.get(name)
            if tool is None:
                return _error("BAD_REQUEST", f"There is no tool {name}. There are {', '.join(TOOLS)}.")
            given = json.loads(arguments) if isinstance(arguments, str) else dict(arguments)
            return (yield from tool.run(self, tool.arguments.model_validate(given)))
        except ValidationError as error:
            told = "; ".join(
                f"{'.'.join(map(str, each['loc'])) or 'the arguments'}: {each['msg']}"
                for each in error.errors(include_url=False, include_input=False)
            )
            return _error("BAD_REQUEST", told)
        except (ValueError, TypeError, RecursionError):
            return _error("BAD_REQUEST", "The arguments are not a JSON object.")
        except CountersignError as error:
            return _error(error.code, str(error), error.remedy)

    def ended(self, outcome: Outcome) -> Document:
        """How a purchase stands, for the model."""
        if isinstance(outcome, Approval):
            self.approvals[outcome.id] = outcome
            asked = {"approval_id": outcome.id, "url": outcome.url, "expires_at": outcome.expires_at}
            return {"outcome": "waiting", **asked, "sentence": outcome.sentence}
        told: Document = dataclasses.asdict(outcome)
        # A mandate is for the merchant, whom the program hands it.
        mandate = told.pop("mandate", None)
        kept = {name: value for name, value in told.items() if value is not None and value != ()}
        return {"outcome": type(outcome).__name__.lower(), **kept, **({} if mandate is None else {"mandate": mandate})}


class Toolset(_Toolset):
    """The tools of an ``Agent``."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent._buyer)
        self._http = agent._http

    def call(self, name: str, arguments: str | Mapping[str, Any]) -> str:
        """Does what a model asks for. ``arguments`` are JSON text, as the model gives it, or a mapping.

        Returns JSON text for the tool's message. Mistakes of the model and errors of the node are told in it, as ``error``.
        """
        return json.dumps(run(self.script(name, arguments), self._http), ensure_ascii=False)


class AsyncToolset(_Toolset):
    """The tools of an ``AsyncAgent``."""

    def __init__(self, agent: AsyncAgent) -> None:
        super().__init__(agent._buyer)
        self._http = agent._http

    async def call(self, name: str, arguments: str | Mapping[str, Any]) -> str:
        """As ``Toolset.call``."""
        return json.dumps(await run_async(self.script(name, arguments), self._http), ensure_ascii=False)


def _error(code: str, message: str, remedy: str = "") -> Document:
    return {"error": {"code": code, "message": message} | ({"remedy": remedy} if remedy else {})}


def _buy(tools: _Toolset, given: Buy) -> Script[Document]:
    outcome = yield from tools.buyer.buy(
        given.cart,
        max_amount=None,
        currency=None,
        merchant=None,
        description=given.description,
        instrument=None,
        confirm=False,
        idempotency_key=None,
    )
    return tools.ended(outcome)


def _wait(tools: _Toolset, given: WaitForApproval) -> Script[Document]:
    approval = tools.approvals.get(given.approval_id)
    if approval is None:
        return _error("NOT_FOUND", "No purchase of this conversation waits for that approval.")
    outcome = yield from tools.buyer.decided(approval, given.wait_seconds)
    if not isinstance(outcome, Approval):
        del tools.approvals[approval.id]
    return tools.ended(outcome)


def _explain(tools: _Toolset, given: PolicyExplain) -> Script[Document]:
    asked = {"amount": given.amount, "currency": given.currency, "merchantDomain": given.merchant}
    told = yield from tools.buyer.asked(_EXPLAIN, {**asked, "agentDid": tools.buyer.agent_did})
    shown = ("allowed", "hpRequired", "reasonCodes", "details", "limits", "remaining", "counterfactual")
    return {name: told[name] for name in shown if name in told}


def _limits(tools: _Toolset, _given: CheckLimits) -> Script[Document]:
    limits = yield from tools.buyer.asked(_LIMITS, {"agentDid": tools.buyer.agent_did})
    return limits


def _purchases(tools: _Toolset, given: ListPurchases) -> Script[Document]:
    asked = {"agentDid": tools.buyer.agent_did, "limit": given.limit}
    page = yield from tools.buyer.asked(_PAYMENTS, asked)
    return {"payments": page.get("data", [])}


def _status(tools: _Toolset, given: CheckStatus) -> Script[Document]:
    for prefix, row in _RECORDS.items():
        if given.id.startswith(prefix):
            record = yield from tools.buyer.asked(row, {row.in_path[0]: given.id})
            return record
    return _error("BAD_REQUEST", f"id: begins with {', '.join(_RECORDS)}.")


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("buy", Buy, _buy),
        Tool("wait_for_approval", WaitForApproval, _wait),
        Tool("policy_explain", PolicyExplain, _explain),
        Tool("check_limits", CheckLimits, _limits),
        Tool("list_purchases", ListPurchases, _purchases),
        Tool("check_status", CheckStatus, _status),
    )
}
"""By their names, which are those of the node's MCP tools where they do the same."""
