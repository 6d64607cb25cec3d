"""What the node answers. Members that a newer node adds are kept.

Written by scripts/client.mjs from the routes and schemas of the node; do not edit.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from typing_extensions import TypeAlias

Document: TypeAlias = dict[str, Any]
"""A signed document, exactly as it came: a change of any member breaks its signature."""

ReasonCode: TypeAlias = Literal[
    "AMOUNT_OVER_CAP",
    "CURRENCY_NOT_ALLOWED",
    "MERCHANT_NOT_ALLOWED",
    "MERCHANT_DENIED",
    "MCC_DENIED",
    "VELOCITY_EXCEEDED",
    "SPENDING_LIMIT_EXCEEDED",
    "TIME_WINDOW_VIOLATED",
    "GEO_RESTRICTED",
    "ANOMALY_DETECTED",
    "CART_EXCEEDS_INTENT",
    "MERCHANT_MISMATCH",
    "INTENT_EXPIRED",
    "APPROVAL_TOKEN_EXPIRED",
    "AGENT_REVOKED",
    "HP_REQUIRED",
    "HP_INVALID",
    "AGENT_SUSPENDED",
    "AGENT_NOT_DELEGATED",
    "INTENT_USED",
    "CART_EXPIRED",
    "CART_USED",
    "MERCHANT_UNVERIFIED",
    "RAIL_UNAVAILABLE",
    "DUPLICATE_SUSPECTED",
    "MANDATE_INVALID",
    "MANDATE_USED",
    "MANDATE_REVOKED",
    "CHECKOUT_MISMATCH",
    "CONSTRAINT_VIOLATED",
    "CONSTRAINT_UNRESOLVED",
]
"""Why a request is refused, in the order in which reasons are reported."""


class Model(BaseModel):
    """A record; ``model_dump(by_alias=True)`` has the members as they are on the wire."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="allow",
        frozen=True,
        defer_build=True,
        populate_by_name=True,
        protected_namespaces=(),
    )


class Attestation(Model):
    policy_id: str
    """The policy, `pol_…`."""
    policy_version: int
    """Which version of the policy was judged by."""
    policy_hash: str
    """SHA-256 of the canonical rules (RFC 8785), `sha256:…`."""


class LimitState(Model):
    name: str
    """velocity_limit: the one of risk.velocity_limit."""
    measure: Literal["amount", "purchases"] | str
    """What of it is limited: the sum, or how many."""
    limit: float
    """What the rule allows."""
    used: float
    """What it counts: what is held or paid in its window."""
    left: float
    """The limit less what is asked; negative where that is over it."""
    currency: str | None = None
    """Of amounts."""
    window: str
    timezone: str | None = None
    """Of a period of the calendar."""
    scope: Literal["agent", "principal", "policy"] | str
    """Whose purchases count together: the agent’s, those with the same money (principal), or all."""
    merchant: str | None = None
    """Purchases there alone count."""
    category: str | None = None
    """Purchases of it alone count."""
    action: Literal["deny", "presence"] | str
    """What becomes of a purchase over it."""
    own: Literal[True] | None = None
    """True for the agent’s own, in place of the policy’s for each agent."""
    period_start: str | None = None
    resets_at: str | None = None
    """When the present period of the calendar ends."""


class IntentResultAllowedCredentials(Model):
    vc: dict[str, Any] | None = None
    vcjwt: str | None = Field(default=None, alias="vc+jwt")
    status: str | None = None
    """The status list as a token, for a merchant who does not fetch it."""


class IntentResultAllowed(Model):
    allowed: Literal[True]
    """Whether the policy allows it."""
    intent_vc: Document
    """The signed intent: a W3C Verifiable Credential."""
    attestation: Attestation
    """Which policy this was judged by."""
    hp_required: bool
    """Whether the person must be present when the cart is validated."""
    remaining: LimitState | None = None
    """The limit over time of which the least share is left, after this; absent where none is set."""
    credentials: IntentResultAllowedCredentials | None = None
    """The forms that credentialFormats named."""
    verdict: str | None = None
    """The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict."""


class RefusalDetails(Model):
    requested: float | None = None
    """What was asked for."""
    limit: float | None = None
    """What the rule allows."""
    used: float | None = None
    """Of a limit over time: what it counts besides this."""
    left: float | None = None
    """The limit less what is asked; negative where that is over it."""
    resets_in_seconds: int | None = None
    """Until its period of the calendar ends."""
    currency: str | None = None
    """ISO 4217 code in upper case."""
    ucp: str | None = None
    """How the Universal Commerce Protocol calls it, where it does."""
    message: str
    """One sentence for a person."""


class Refusal(Model):
    allowed: Literal[False]
    """Whether the policy allows it."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    verdict: str | None = None
    """The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict."""


IntentResult: TypeAlias = IntentResultAllowed | Refusal


class IntentSummary(Model):
    mandate_id: str
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""
    status: Literal["ACTIVE", "USED", "EXPIRED"] | str
    """The state it is in."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    max_amount: float
    """The most that may be spent, in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    created_at: str
    """When it was made."""
    expires_at: str
    """When it ends."""


class ListIntentsOutputDamaged(Model):
    place: str
    """Where the row stands in its list, such as its id or its seq."""
    message: str
    """One sentence for a person."""


class ListIntentsOutput(Model):
    data: list[IntentSummary]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class IntentRecordShopping(Model):
    description: str | None = None
    """What is to be bought, in words."""
    skus: list[str] | None = None
    """The articles that are meant."""
    refundable: bool | None = None
    """Whether it must be possible to give it back."""
    confirm_cart: bool | None = None
    """Whether a person confirms the cart, regardless of the policy."""


class IntentRecord(Model):
    mandate_id: str
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""
    status: Literal["ACTIVE", "USED", "EXPIRED"] | str
    """The state it is in."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    max_amount: float
    """The most that may be spent, in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    created_at: str
    """When it was made."""
    expires_at: str
    """When it ends."""
    principal_did: str
    """Whose money it is: a person or company (the principal), as did:key."""
    merchant_domain: str | None = None
    """The merchant’s domain."""
    merchants: list[str] | None = None
    """The only merchants that a cart may come from, by domain or name."""
    shopping: IntentRecordShopping | None = None
    """What is to be bought, as the agent says it. It is kept and shown; only confirmCart decides."""
    delegation_id: str | None = None
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    reason: Literal["denied", "revoked", "withdrawn"] | str | None = None
    """Why it ended before its time: the approval of its cart was denied, its delegation was revoked, or its payment
    credential was given back.
    """
    intent_vc: Document
    """The signed intent: a W3C Verifiable Credential."""
    attestation: Attestation
    """Which policy this was judged by."""


class RailDecision(Model):
    rail: str
    """The payment rail."""
    reason: str
    """Why."""
    merchant_connected: bool
    """Whether the merchant has an account at the rail."""
    expires_at: str
    """When it ends."""


class CartResultAllowed(Model):
    allowed: Literal[True]
    """Whether the policy allows it."""
    approval_token: str
    """Exchanged once for a payment mandate, `apt_…`."""
    approval_token_expires_at: str
    """The approval token is good until then."""
    rail_decision: RailDecision
    """Which rail will be asked, and why."""
    cart_hash: str
    """SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with
    its domain.
    """
    verdict: str | None = None
    """The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict."""


class CartResultRefusedDuplicateOf(Model):
    mandate_id: str
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    status: Literal["PENDING", "UNKNOWN", "AUTHORIZED", "CAPTURED", "PARTIALLY_REFUNDED", "DISPUTED"] | str
    """The state it is in."""
    created_at: str
    """When it was made."""
    result_url: str
    """Where the result of that payment is; an agent that planned again takes this one."""


class ApprovalLinkPeopleApproved(Model):
    by: str
    """DID of the person."""
    passkey_of: Literal["user", "agent", "principal"] | str | None = None
    """user: a passkey that this user enrolled. agent, principal: one that a link or a key enrolled, so that the
    person is the passkey holder of that agent or principal, and no user.
    """
    name: str | None = None
    """A name for people."""
    at: str


class ApprovalLinkPeople(Model):
    needed: int
    """How many different people must approve."""
    approved: list[ApprovalLinkPeopleApproved]
    """Whose approval counts, the first one first."""


class ApprovalLink(Model):
    id: str
    """The id of this record."""
    url: str | None = None
    """The page where the person approves or denies; give it to them. Absent once there is nothing to decide."""
    expires_at: str
    """When it ends."""
    ends_with: Literal["intent", "cart", "policy"] | str | None = None
    """What ends at `expiresAt`: the intent, the cart, or the time that the policy gives people
    (context.approval_ttl).
    """
    people: ApprovalLinkPeople | None = None
    """Where the policy says how many people must approve."""


class CartResultRefused(Model):
    allowed: Literal[False]
    """Whether the policy allows it."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    verdict: str | None = None
    """The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict."""
    duplicate_of: CartResultRefusedDuplicateOf | None = None
    """The payment that was made for the same before, for a caller who may read it."""
    approval: ApprovalLink | None = None
    """Where a person can approve this cart, when nothing else is in the way."""


CartResult: TypeAlias = CartResultAllowed | CartResultRefused


class RailResponseError(Model):
    code: str
    """A stable code for programs."""
    message: str
    """One sentence for a person."""


class RailResponse(Model):
    rail: str
    """The payment rail."""
    payment_intent_id: str | None = None
    """The payment at the rail."""
    status: str
    """The state it is in."""
    error: RailResponseError | None = None
    """What went wrong."""


class PaymentResultAllowedUcp(Model):
    checkout_mandate: str
    """For `ap2.checkout_mandate`: a chain of SD-JWTs with the whole checkout in it."""
    payment_mandate: str
    """For `payment.instruments[*].credential.token`: a chain of SD-JWTs."""
    nonce: str
    """The nonce of both."""
    expires_at: str
    """When it ends."""


class PaymentResultAllowed(Model):
    pm_vc: Document
    """The signed payment mandate: a W3C Verifiable Credential."""
    rail_response: RailResponse
    """What the rail answered."""
    payment_receipt: str | None = None
    """The receipt, where the payment is by a chain of mandates and the rail has decided: a JWT."""
    credentials: IntentResultAllowedCredentials | None = None
    """The forms that credentialFormats named."""
    ucp: PaymentResultAllowedUcp | None = None
    """What a checkout of UCP is completed with, where the payment is for one and its money is held."""


class PurchaseRefusal(Model):
    allowed: Literal[False]
    """Whether the policy allows it."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    verdict: str | None = None
    """The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict."""
    duplicate_of: CartResultRefusedDuplicateOf | None = None
    """The payment that was made for the same before, for a caller who may read it."""


PaymentResult: TypeAlias = PaymentResultAllowed | PurchaseRefusal


class HttpPaymentResultAllowedSendHeader(Model):
    name: str
    """A name for people."""
    value: str


class HttpPaymentResultAllowedSendMeta(Model):
    key: str
    """The API key. It is shown this once."""
    value: dict[str, Any]


class HttpPaymentResultAllowedSend(Model):
    header: HttpPaymentResultAllowedSendHeader | None = None
    """The header to send the request with once more."""
    meta: HttpPaymentResultAllowedSendMeta | None = None
    """The member of `_meta`, for a tool of an MCP server."""
    body: dict[str, Any] | None = None
    """Members of the body to send."""


class HttpPaymentResultAllowed(Model):
    allowed: Literal[True]
    """Whether the policy allows it."""
    protocol: str
    """`mpp`, `x402` or `acp`."""
    mandate_id: str
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""
    intent_id: str
    """The intent, `intent_…`."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    challenge_id: str | None = None
    """Names the challenge of this ceremony; good for one use within 300 seconds."""
    send: HttpPaymentResultAllowedSend
    credential: dict[str, Any] | None = None
    """Of mpp: what the header holds."""
    payment_payload: dict[str, Any] | None = None
    """Of x402: what the header holds."""
    payment_data: dict[str, Any] | None = None
    """Of acp: what the body holds."""
    expires_at: str
    """Until when it pays."""


class HttpPaymentResultRefused(Model):
    allowed: Literal[False]
    """Whether the policy allows it."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    verdict: str | None = None
    """The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict."""
    duplicate_of: CartResultRefusedDuplicateOf | None = None
    """The payment that was made for the same before, for a caller who may read it."""
    approval: ApprovalLink | None = None
    """Where a person can approve it, when nothing else is in the way."""
    continue_url: str | None = None
    """Where the shop asks its customer to go on: a page for the person."""


HttpPaymentResult: TypeAlias = HttpPaymentResultAllowed | HttpPaymentResultRefused


PaymentStatus: TypeAlias = Literal[
    "PENDING",
    "UNKNOWN",
    "AUTHORIZED",
    "CAPTURED",
    "PARTIALLY_REFUNDED",
    "REFUNDED",
    "DISPUTED",
    "FAILED",
    "CANCELED",
]


class Dispute(Model):
    id: str
    """The id of this record."""
    rail_dispute_id: str
    """The rail’s id of it, such as `dp_…` at Stripe."""
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    reason: str | None = None
    """As the rail calls it, such as `fraudulent`."""
    status: Literal["needs_response", "under_review", "won", "lost", "inquiry", "inquiry_closed"] | str
    """`inquiry`: the bank asks, and takes no money so far; `won` and `lost` as the merchant sees it."""
    due_by: str | None = None
    """Until when the merchant can answer it at the rail, where the rail says that."""
    opened_at: str
    closed_at: str | None = None


class PaymentAttention(Model):
    since: str
    reason: str
    """Why."""


class Payment(Model):
    mandate_id: str
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""
    intent_id: str
    """The intent, `intent_…`."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    status: PaymentStatus | str
    """The state it is in."""
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    merchant: str
    """The merchant’s domain."""
    description: str | None = None
    """What was bought, in a line: the first item of the cart, and how many others. Absent for payments of earlier
    versions.
    """
    rail: str
    """The payment rail."""
    captured: float
    """How much was taken so far."""
    refunded: float
    """How much was given back so far."""
    disputed: float
    """The sum of its disputes that are open or lost."""
    disputes: list[Dispute]
    """Its disputes and inquiries, the oldest first."""
    created_at: str
    """When it was made."""
    attention: PaymentAttention | None = None
    """Present while a person has to look at this payment at the rail: since when, and why."""


class ListPaymentsOutput(Model):
    data: list[Payment]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class DisputeRecord(Model):
    id: str
    """The id of this record."""
    rail_dispute_id: str
    """The rail’s id of it, such as `dp_…` at Stripe."""
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    reason: str | None = None
    """As the rail calls it, such as `fraudulent`."""
    status: Literal["needs_response", "under_review", "won", "lost", "inquiry", "inquiry_closed"] | str
    """`inquiry`: the bank asks, and takes no money so far; `won` and `lost` as the merchant sees it."""
    due_by: str | None = None
    """Until when the merchant can answer it at the rail, where the rail says that."""
    opened_at: str
    closed_at: str | None = None
    mandate_id: str
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""


class ListDisputesOutput(Model):
    data: list[DisputeRecord]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class PaymentRecordUcp(Model):
    checkout_mandate: str
    """For `ap2.checkout_mandate`: a chain of SD-JWTs with the whole checkout in it."""
    payment_mandate: str
    """For `payment.instruments[*].credential.token`: a chain of SD-JWTs."""
    nonce: str
    """The nonce of both."""
    expires_at: str
    """When it ends."""


class PaymentRecord(Model):
    mandate_id: str
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""
    intent_id: str
    """The intent, `intent_…`."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    status: PaymentStatus | str
    """The state it is in."""
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    merchant: str
    """The merchant’s domain."""
    description: str | None = None
    """What was bought, in a line: the first item of the cart, and how many others. Absent for payments of earlier
    versions.
    """
    rail: str
    """The payment rail."""
    captured: float
    """How much was taken so far."""
    refunded: float
    """How much was given back so far."""
    disputed: float
    """The sum of its disputes that are open or lost."""
    disputes: list[Dispute]
    """Its disputes and inquiries, the oldest first."""
    created_at: str
    """When it was made."""
    attention: PaymentAttention | None = None
    """Present while a person has to look at this payment at the rail: since when, and why."""
    rail_transaction_id: str | None = None
    """The payment at the rail."""
    error: RailResponseError | None = None
    """What went wrong."""
    pm_vc: Document
    """The signed payment mandate: a W3C Verifiable Credential."""
    payment_receipt: str | None = None
    """The receipt, where the payment is by a chain of mandates and the rail has decided: a JWT."""
    ucp: PaymentRecordUcp | None = None
    """What a checkout of UCP is completed with; for a caller who may pay for the agent."""


class SpendTotalsPaid(Model):
    minor: int
    """In minor units of the currency; 9007199254740991 for more than that."""
    text: str
    """The same as decimal text, such as `42.50`; it is always exact."""


class SpendTotalsRefunded(Model):
    minor: int
    """In minor units of the currency; 9007199254740991 for more than that."""
    text: str
    """The same as decimal text, such as `42.50`; it is always exact."""


class SpendTotalsNet(Model):
    minor: int
    """In minor units of the currency; 9007199254740991 for more than that."""
    text: str
    """The same as decimal text, such as `42.50`; it is always exact."""


class SpendTotalsHeld(Model):
    minor: int
    """In minor units of the currency; 9007199254740991 for more than that."""
    text: str
    """The same as decimal text, such as `42.50`; it is always exact."""


class SpendTotalsDisputed(Model):
    minor: int
    """In minor units of the currency; 9007199254740991 for more than that."""
    text: str
    """The same as decimal text, such as `42.50`; it is always exact."""


class SpendTotals(Model):
    currency: str
    """ISO 4217 code in upper case."""
    payments: int
    """How many payments; those that failed or were canceled are not counted."""
    paid: SpendTotalsPaid
    """What was captured; refunds are not subtracted."""
    refunded: SpendTotalsRefunded
    """What of it was refunded."""
    net: SpendTotalsNet
    """What was captured and not refunded."""
    held: SpendTotalsHeld
    """What rails hold and is not captured yet, payments without an answer of their rail included."""
    disputed: SpendTotalsDisputed
    """The sum of disputes that are open or that the merchant has lost, each by its own amount."""


class SpendEntry(Model):
    currency: str
    """ISO 4217 code in upper case."""
    payments: int
    """How many payments; those that failed or were canceled are not counted."""
    paid: SpendTotalsPaid
    """What was captured; refunds are not subtracted."""
    refunded: SpendTotalsRefunded
    """What of it was refunded."""
    net: SpendTotalsNet
    """What was captured and not refunded."""
    held: SpendTotalsHeld
    """What rails hold and is not captured yet, payments without an answer of their rail included."""
    disputed: SpendTotalsDisputed
    """The sum of disputes that are open or that the merchant has lost, each by its own amount."""
    agent_did: str | None = None
    """The agent, where the sums are by agent."""
    merchant: str | None = None
    """The merchant’s domain, where the sums are by merchant."""
    day: str | None = None
    """The day, where the sums are by day."""
    month: str | None = None
    """The month, such as `2026-11`, where the sums are by month."""
    principal_did: str | None = None
    """Whose money, where the sums are by it."""
    category: str | None = None
    """Where the sums are by category: its name, or the merchant category code of one without a name; absent for
    payments without a code.
    """


class Spend(Model):
    totals: list[SpendTotals]
    """Of all payments in that time, one for each currency."""
    entries: list[SpendEntry]
    """With `by`: for each currency the latest days or months, or else those of the largest sums; at most 400."""
    has_more: bool
    """Whether there are more entries than these."""


AttentionItemKind: TypeAlias = Literal[
    "approval",
    "payment",
    "dispute",
    "tools",
    "node",
    "webhook",
    "notifications",
    "agent",
    "backup",
]


class AttentionItem(Model):
    kind: AttentionItemKind | str
    """What kind it is."""
    message: str
    """One sentence for a person."""
    since: str | None = None
    """Since when, where that is known."""
    until: str | None = None
    """Until when a person can decide it."""
    due_by: str | None = None
    """Until when a dispute has to be answered at the rail."""
    approval_id: str | None = None
    dispute_id: str | None = None
    mandate_id: str | None = None
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""
    agent_did: str | None = None
    """The agent, as did:key of its Ed25519 key."""
    webhook_id: str | None = None
    guard_id: str | None = None
    """The guard whose tools a person has to look at."""
    url: str | None = None
    """Where a person decides it."""


class AttentionCounts(Model):
    approval: int
    """For a person: those that they can decide, of the newest 200."""
    payment: int
    """What became of the payment."""
    dispute: int
    tools: int
    """Guards with a tool that a person has to look at."""
    node: int
    webhook: int
    notifications: int
    """Places of the person who asks at which nothing arrives."""
    agent: int
    """The agent that bought."""
    backup: int


class Attention(Model):
    items: list[AttentionItem]
    """The most urgent first: what ends soonest, then what is undecided; at most 20 of each kind."""
    counts: AttentionCounts
    """How many there are of each kind; 1000 for that many or more."""


class SearchHit(Model):
    kind: Literal["agent", "payment", "intent", "merchant", "principal", "webhook"] | str
    """What kind it is."""
    id: str
    """The DID of an agent, or of whose money it is; the domain of a merchant, else the id."""
    label: str
    """What it is, for a person."""
    transaction_id: str | None = None
    """Of a payment and an intent: what its decisions and its evidence are asked for by."""
    status: str | None = None
    """Its status, where it has one."""


class SearchResult(Model):
    hits: list[SearchHit]
    """What was found, kind by kind."""


class NodeHealthRails(Model):
    name: str
    """The name that policies and mandates use; the first one is used where a policy names none."""
    moves_money: bool
    """False for the sandbox’s own rail."""
    partial_capture: bool
    partial_refund: bool
    takes_evidence: bool
    """Whether the node can give it what answers a dispute."""


class NodeHealthChecks(Model):
    check: str
    """What was looked at, as `countersign doctor` calls it."""
    level: Literal["ok", "warning", "fault"] | str
    message: str
    """One sentence for a person."""
    remedy: str | None = None
    """What removes it; absent where nothing is wrong."""


class NodeHealth(Model):
    healthy: bool
    """False where a check found a fault; a warning alone leaves it true."""
    version: str
    """Of this program."""
    environment: Literal["sandbox", "production"] | str
    engine: Literal["sqlite", "postgres"] | str
    issuer: str
    """The DID that signed this, or whose chain this is."""
    last_backup_at: str | None = None
    """When the last backup of the data folder was made, where one is known."""
    rails: list[NodeHealthRails]
    """What payments can be made through; without one nothing can be bought."""
    checks: list[NodeHealthChecks]


class GetEscalationOutputPeople(Model):
    user_id: str
    name: str | None = None
    """A name for people."""
    places: int
    """At how many places the user is told; at 0 nothing reaches them."""


class GetEscalationOutput(Model):
    people: list[GetEscalationOutputPeople]
    after_minutes: int | None = None


class StartBackupOutputProgress(Model):
    done: int
    total: int
    """The sum of price × quantity, exactly."""


class StartBackupOutputArchive(Model):
    file_name: str
    created_at: str
    """When it was made."""
    bytes: int
    """Of the archive."""
    sha256: str
    """Of the archive, in hexadecimal."""
    events: int
    """Of evidence."""
    rows: int
    """Of all tables."""
    schema_version: int


class StartBackupOutput(Model):
    state: Literal["NONE", "RUNNING", "READY", "FAILED"] | str
    """Of the newest backup that this node was asked for. READY: it can be downloaded."""
    started_at: str | None = None
    """Of one that is RUNNING or FAILED."""
    progress: StartBackupOutputProgress | None = None
    """How many pages of the database were copied, of how many; what comes after the copy is not counted."""
    failure: str | None = None
    """Why it FAILED, and what to do."""
    archive: StartBackupOutputArchive | None = None
    """The one that can be downloaded, perhaps of an earlier time."""
    last_backup_at: str | None = None
    """When one was last made by a command, or downloaded whole."""


class Policy(Model):
    id: str
    """The id of this record."""
    version: int
    """Which version this is."""
    name: str
    """A name for people."""
    rules: dict[str, Any]
    """The rules. A rule that is not known is refused."""
    hash: str
    """SHA-256 of the canonical rules (RFC 8785), `sha256:…`."""
    is_active: bool
    """Whether purchases are judged by it now."""
    created_at: str
    """When it was made."""


class ListPoliciesOutput(Model):
    data: list[Policy]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class ReplayPolicyOutputMoney(Model):
    currency: str
    """ISO 4217 code in upper case."""
    was_allowed: float
    """What intents were allowed up to."""
    would_be_allowed: float
    """How many requests, or how much, would be allowed."""


class ReplayPolicyOutputLimitsAskedMoney(Model):
    currency: str
    """ISO 4217 code in upper case."""
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""


class ReplayPolicyOutputLimitsAsked(Model):
    requests: int
    money: list[ReplayPolicyOutputLimitsAskedMoney]
    """What they asked for, by currency."""
    from_: str = Field(alias="from")
    """From this moment on."""
    to: str
    """The end, excluded."""
    agent_did: str | None = None
    """Who asked for the most, where each agent has the limit to itself."""
    principal_did: str | None = None
    """As agentDid, where agents that spend the same money share the limit."""


class ReplayPolicyOutputLimitsRefused(Model):
    requests: int
    money: list[ReplayPolicyOutputLimitsAskedMoney]
    """What they asked for, by currency."""


class ReplayPolicyOutputLimitsPerson(Model):
    requests: int
    money: list[ReplayPolicyOutputLimitsAskedMoney]
    """What they asked for, by currency."""


class ReplayPolicyOutputLimits(Model):
    name: str
    """velocity_limit: the one of risk.velocity_limit."""
    scope: Literal["agent", "principal", "policy"] | str
    """Whose purchases count together: the agent’s, those with the same money (principal), or all."""
    window: str
    timezone: str | None = None
    """Of a period of the calendar."""
    action: Literal["deny", "presence"] | str
    """What becomes of a purchase over it."""
    asked: ReplayPolicyOutputLimitsAsked | None = None
    """What was asked for that it counts, allowed or refused, in the last whole period before `at`; for a duration,
    in the one that ends then. Absent where part of the period lies before what was read.
    """
    refused: ReplayPolicyOutputLimitsRefused
    """Requests that it refuses, and that no rule but limits refuses."""
    person: ReplayPolicyOutputLimitsPerson
    """Requests that it sends to a person."""


class ReplayPolicyOutputFlipsWas(Model):
    allowed: bool
    """Whether the policy allows it."""
    hp_required: bool
    """Whether the person must be present when the cart is validated."""
    reason_codes: list[str]
    """Every reason against it, in a fixed order."""


class ReplayPolicyOutputFlipsTrace(Model):
    rule: str
    """The reason code of a rule that can refuse; the cause of one that asks for a person."""
    outcome: Literal["passed", "refused", "person"] | str
    """A rule that is not set passes."""
    message: str | None = None
    """One sentence for a person."""


class ReplayPolicyOutputFlips(Model):
    seq: int
    """Place in the chain, from 1 on, without gaps."""
    created_at: str
    """When it was made."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    merchant_domain: str | None = None
    """The merchant’s domain."""
    was: ReplayPolicyOutputFlipsWas
    would: ReplayPolicyOutputFlipsWas
    details: dict[str, RefusalDetails] | None = None
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    trace: list[ReplayPolicyOutputFlipsTrace]


class ReplayPolicyOutput(Model):
    since: str
    """From when on requests were judged."""
    at: str
    complete: bool
    """False where the chain is longer than what one replay reads: what came before `since` is not known then."""
    requests: int
    were_allowed: int
    would_be_allowed: int
    """How many requests, or how much, would be allowed."""
    would_need_presence: int
    """Of those that would be allowed."""
    money: list[ReplayPolicyOutputMoney]
    """What intents were allowed up to, and would be, by currency."""
    limits: list[ReplayPolicyOutputLimits]
    """Each limit of the draft by itself; a request over two of them is in the figures of both."""
    flipped: int
    """How many decisions would be others."""
    flips: list[ReplayPolicyOutputFlips]
    """The newest of them first. `at` the time of the last one leads to older ones."""


class SimulationRuleTable(Model):
    rule: str
    """The reason code of a rule that can refuse; the cause of one that asks for a person."""
    outcome: Literal["passed", "failed", "person", "notAsked"] | str
    """notAsked: the rule is not set, or the request has nothing that it is about."""
    asked: float | str | None = None
    """The request’s value for this rule: an amount, a number of purchases, or a name."""
    limit: float | None = None
    """What the rule allows."""
    left: float | None = None
    """The limit less what is asked; negative where that is over it."""
    currency: str | None = None
    """Of amounts. Figures without one count purchases."""
    sentence: str
    """One sentence for a person."""


class SimulationCounterfactualAlone(Model):
    change: Literal["amount", "presence", "time", "merchant", "category", "country"] | str
    """What is changed."""
    amount: float | None = None
    """The largest amount that passes."""
    currency: str | None = None
    """ISO 4217 code in upper case."""
    from_: str | None = Field(default=None, alias="from")
    """The earliest moment at which it passes, if nothing else is bought until then."""
    names: list[str] | None = None
    """What the rule names: each of these passes."""
    how: str
    """In words, as what follows “it would pass”."""


class SimulationCounterfactual(Model):
    alone: list[SimulationCounterfactualAlone]
    """Changes of which each alone is enough."""
    together: list[SimulationCounterfactualAlone]
    """Where none alone is enough: changes that are together. Empty where nothing helps."""
    sentence: str
    """All of it in one sentence."""


class Simulation(Model):
    allowed: bool
    """Whether the policy allows it."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    hp_required: bool
    """Whether the person must be present when the cart is validated."""
    remaining: LimitState | None = None
    """The limit of which it would leave the least share; where it is allowed."""
    evaluated_at: str
    """When the policy was tried."""
    trace: list[ReplayPolicyOutputFlipsTrace]
    """What every rule said, those that passed too."""
    rule_table: list[SimulationRuleTable]
    """As trace, with the figures of each rule."""
    counterfactual: SimulationCounterfactual | None = None
    """What would have passed; absent where it is allowed."""


class ComparePoliciesOutputChanges(Model):
    path: str
    """The rule, such as spend.amount_cap."""
    former: Any = None
    """What it was; absent where it was not set."""
    next: Any = None
    """What it will be; absent where it will not be set."""
    direction: Literal["looser", "tighter", "other"] | str
    """looser: something may pass that did not; tighter: nothing may; other: neither."""
    sentence: str
    """One sentence for a person."""


class ComparePoliciesOutputWarnings(Model):
    path: str
    """The rule, such as context.presence_threshold."""
    message: str
    """One sentence."""


class ComparePoliciesOutputLimitsMost(Model):
    did: str | None = None
    """The agent, or the person or company whose money it is; absent where all agents share it."""
    name: str | None = None
    """A name for people."""
    used: float
    """What it counts: what is held or paid in its window."""


class ComparePoliciesOutputLimits(Model):
    name: str
    """velocity_limit: the one of risk.velocity_limit."""
    measure: Literal["amount", "purchases"] | str
    """What of it is limited: the sum, or how many."""
    limit: float
    """What the rule allows."""
    currency: str | None = None
    """Of amounts."""
    window: str
    timezone: str | None = None
    """Of a period of the calendar."""
    scope: Literal["agent", "principal", "policy"] | str
    """Whose purchases count together: the agent’s, those with the same money (principal), or all."""
    merchant: str | None = None
    """Purchases there alone count."""
    category: str | None = None
    """Purchases of it alone count."""
    action: Literal["deny", "presence"] | str
    """What becomes of a purchase over it."""
    period_start: str | None = None
    resets_at: str | None = None
    """When the present period of the calendar ends."""
    is_all: bool
    """Whether all whom it holds for were looked through; the 200 newest are, where there are more."""
    is_changed: bool
    """Whether the other policy has no limit that says the same."""
    used_up: int
    """How many have nothing left of it, so that their next purchase is over it: 1 at most where all agents share it."""
    most: list[ComparePoliciesOutputLimitsMost]
    """The five that have used most of it, of the 200 newest that may buy; no agent with limits of its own."""


class ComparePoliciesOutput(Model):
    looser: bool
    """Whether something may pass that did not: the person who publishes it is asked for their passkey."""
    changes: list[ComparePoliciesOutputChanges]
    """One entry for each rule that changes; none where both allow the same."""
    warnings: list[ComparePoliciesOutputWarnings]
    """Where the policy contradicts itself; it is taken all the same."""
    limits: list[ComparePoliciesOutputLimits]
    """Each maximum of each limit of `next`, with what it would count now."""


class ExplainPolicyOutputPolicy(Model):
    name: str
    """A name for people."""
    version: int
    """Which version this is."""
    hash: str
    """SHA-256 of the canonical rules (RFC 8785), `sha256:…`."""


class ExplainPolicyOutput(Model):
    allowed: bool
    """Whether the policy allows it."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    remaining: LimitState | None = None
    """The limit of which it would leave the least share; where it is allowed."""
    hp_required: bool
    """Whether a person would be asked at the cart."""
    policy: ExplainPolicyOutputPolicy
    """What it was judged by."""
    warnings: list[ComparePoliciesOutputWarnings]
    """Where the policy contradicts itself; it is taken all the same."""
    rule_table: list[SimulationRuleTable]
    """What every rule said, with its figures."""
    counterfactual: SimulationCounterfactual | None = None
    """What would have passed; absent where it is allowed."""


class CreatePolicyOutput(Model):
    id: str
    """The id of this record."""
    version: int
    """Which version this is."""
    name: str
    """A name for people."""
    rules: dict[str, Any]
    """The rules. A rule that is not known is refused."""
    hash: str
    """SHA-256 of the canonical rules (RFC 8785), `sha256:…`."""
    is_active: bool
    """Whether purchases are judged by it now."""
    created_at: str
    """When it was made."""
    warnings: list[ComparePoliciesOutputWarnings]
    """Where the policy contradicts itself; it is taken all the same."""


class ListDecisionsOutputData(Model):
    seq: int
    """The evidence event that records it."""
    created_at: str
    """When it was made."""
    kind: Literal["intent", "cart", "payment"] | str
    """payment: a cart that was refused when it was to be paid."""
    outcome: Literal["allowed", "refused", "approval"] | str
    """approval: nothing but a person’s touch was missing."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    context_id: str | None = None
    """The session a message belongs to, chosen by the agent."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str
    """Whose money it is: a person or company (the principal), as did:key."""
    intent_id: str
    """The intent, `intent_…`."""
    cart_hash: str | None = None
    """SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with
    its domain.
    """
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    merchant: str | None = None
    """The merchant’s domain."""
    hp_required: bool | None = None
    """Whether a person has to confirm the cart; of an intent that is allowed."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    policy: Attestation | None = None
    """What it was judged by; absent where it was refused before that."""


class ListDecisionsOutput(Model):
    data: list[ListDecisionsOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class GetDecisionsOutputDecisionsCounterfactual(Model):
    alone: list[SimulationCounterfactualAlone]
    """Changes of which each alone is enough."""
    together: list[SimulationCounterfactualAlone]
    """Where none alone is enough: changes that are together. Empty where nothing helps."""
    sentence: str
    """All of it in one sentence."""


class GetDecisionsOutputDecisions(Model):
    seq: int
    """The evidence event that records it."""
    created_at: str
    """When it was made."""
    kind: Literal["intent", "cart", "payment"] | str
    """payment: a cart that was refused when it was to be paid."""
    outcome: Literal["allowed", "refused", "approval"] | str
    """approval: nothing but a person’s touch was missing."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    context_id: str | None = None
    """The session a message belongs to, chosen by the agent."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str
    """Whose money it is: a person or company (the principal), as did:key."""
    intent_id: str
    """The intent, `intent_…`."""
    cart_hash: str | None = None
    """SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with
    its domain.
    """
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    merchant: str | None = None
    """The merchant’s domain."""
    hp_required: bool | None = None
    """Whether a person has to confirm the cart; of an intent that is allowed."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    policy: Attestation | None = None
    """What it was judged by; absent where it was refused before that."""
    rule_table: list[SimulationRuleTable]
    """What each rule said, with its figures of that moment."""
    counterfactual: GetDecisionsOutputDecisionsCounterfactual | None = None
    """What would have passed then; absent where it was allowed."""
    complete: bool
    """False where the chain is too long since for the history of that moment to be known in full."""


class GetDecisionsOutput(Model):
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    mandate_id: str | None = None
    """The payment that came of it."""
    decisions: list[GetDecisionsOutputDecisions]
    """The oldest first."""


class AgentSummary(Model):
    did: str
    """A did:key: `did:key:z6Mk…`."""
    status: Literal["ACTIVE", "REVOKED", "SUSPENDED"] | str
    """The state it is in."""
    display_name: str
    """A name for people."""
    created_at: str
    """When it was made."""
    owner_user_id: str | None = None
    """The user whose passkeys approve what it buys, besides its own."""


class ListAgentsOutput(Model):
    data: list[AgentSummary]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class ListLimitsOutputDataLimitsSums(Model):
    currency: str
    """ISO 4217 code in upper case."""
    spent: float
    """What they come to, in units of the currency."""


class ListLimitsOutputDataLimits(Model):
    name: str
    """velocity_limit: the one of risk.velocity_limit, or the agent’s own in place of it."""
    scope: Literal["agent", "principal", "policy"] | str
    """Whose purchases count together: the agent’s, those with the same money (principal), or all."""
    own: bool
    """Whether it is the agent’s own limit, which holds in place of the policy’s for each agent."""
    window: str
    """How far back it counts, in words: `1 day`, `this month`."""
    window_seconds: int
    """How long the window is, or the present period."""
    merchant: str | None = None
    """Purchases there alone count."""
    category: str | None = None
    """Purchases of it alone count."""
    action: Literal["deny", "presence"] | str
    """What becomes of a purchase over it."""
    purchases: int
    """How many purchases it counts now."""
    max_transactions: int | None = None
    """How many it allows; absent where it limits their sum only."""
    spent: float
    """What those purchases reserve in `currency`; where none is named, in the one in which most was spent."""
    max_amount: float | None = None
    """The sum that it allows; absent where it limits their number only."""
    currency: str | None = None
    """Of the limit, or of the policy; where neither names one, that of `spent`. Absent where nothing was bought."""
    sums: list[ListLimitsOutputDataLimitsSums] | None = None
    """Where neither limit nor policy names a currency, what was spent in each: the maximum holds for each."""
    resets_at: str | None = None
    """When the present period of the calendar ends."""


class ListLimitsOutputData(Model):
    did: str
    """A did:key: `did:key:z6Mk…`."""
    status: Literal["ACTIVE", "REVOKED", "SUSPENDED"] | str
    """The state it is in."""
    display_name: str
    """A name for people."""
    created_at: str
    """When it was made."""
    owner_user_id: str | None = None
    """The user whose passkeys approve what it buys, besides its own."""
    last_seen_at: str | None = None
    """When it last did anything that the evidence has; absent for never."""
    limits: list[ListLimitsOutputDataLimits]
    """Its limits in time, with what they count now; none where nothing limits it so."""


class ListLimitsOutput(Model):
    data: list[ListLimitsOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


VelocityLimitLimitsCategory: TypeAlias = Literal[
    "groceries",
    "alcohol",
    "tobacco",
    "restaurants",
    "bars",
    "general_merchandise",
    "household",
    "home_improvement",
    "electronics",
    "clothing",
    "jewelry",
    "books",
    "music",
    "toys",
    "hobbies",
    "gifts",
    "art_and_antiques",
    "second_hand",
    "sporting_goods",
    "office_supplies",
    "beauty",
    "pharmacy",
    "health",
    "pets",
    "software",
    "digital_goods",
    "subscriptions",
    "telecom",
    "utilities",
    "fuel",
    "vehicles",
    "transport",
    "airlines",
    "car_rental",
    "lodging",
    "travel",
    "shipping",
    "entertainment",
    "sports_and_fitness",
    "education",
    "childcare",
    "personal_services",
    "dating",
    "repairs",
    "business_services",
    "professional_services",
    "real_estate",
    "insurance",
    "financial",
    "money_transfer",
    "gambling",
    "adult",
    "charity",
    "memberships",
    "government",
]


class VelocityLimitLimits(Model):
    name: str
    """How refusals and lists name it."""
    max_transactions: int | None = None
    """How many purchases within the window."""
    max_amount: float | None = None
    """The most that may be spent, in units of the currency: 42.5 is 42.50 USD."""
    currency: str | None = None
    """Counts purchases in this currency alone; the policy’s when absent."""
    window: str
    """day, week, month, quarter or year of the calendar, or a duration such as 24h that slides."""
    timezone: str | None = None
    """In which a period of the calendar begins at midnight; UTC when absent."""
    scope: Literal["agent"] | None = None
    merchant: str | list[str] | None = None
    """The merchant’s domain."""
    category: VelocityLimitLimitsCategory | str | None = None
    action: Literal["deny", "presence"] | str | None = None


class VelocityLimit(Model):
    max_transactions: int | None = None
    """How many purchases within the window."""
    max_amount: float | None = None
    """The most that may be spent, in units of the currency: 42.5 is 42.50 USD."""
    time_window: str | None = None
    """How long the sliding window is: a whole number and s, m, h or d, such as 24h."""
    limits: list[VelocityLimitLimits] | None = None
    """In place of those of risk.limits that each agent has to itself; an empty list for none."""


class AgentMandateKeys(Model):
    kty: str
    """What kind of key it is: EC, OKP or RSA."""


class Agent(Model):
    did: str
    """A did:key: `did:key:z6Mk…`."""
    status: Literal["ACTIVE", "REVOKED", "SUSPENDED"] | str
    """The state it is in."""
    display_name: str
    """A name for people."""
    created_at: str
    """When it was made."""
    owner_user_id: str | None = None
    """The user whose passkeys approve what it buys, besides its own."""
    description: str
    """What it is for."""
    capabilities: list[str]
    """What it can do."""
    public_key: str
    """The Ed25519 public key: base58 of its 32 bytes, or multibase `z6Mk…`."""
    velocity: VelocityLimit | None
    """The agent’s own velocity limit, in place of the policy’s."""
    mandate_keys: list[AgentMandateKeys] | None = None
    """The keys by which it closes mandates: those that were set, and those that it presented first; absent without
    one.
    """
    revoked_at: str | None = None
    """When it was revoked."""
    reason: str | None = None
    """Why."""


class ShowAgentLimitsOutput(Model):
    at: str
    limits: list[LimitState]
    """Each maximum of each limit over time, with what is used of it now."""


class MerchantJwk(Model):
    kty: str
    """What kind of key it is: EC, OKP or RSA."""


class Merchant(Model):
    id: str
    """The id of this record."""
    domain: str
    """The merchant’s domain."""
    did: str | None = None
    """A did:key: `did:key:z6Mk…`."""
    jwk: MerchantJwk | None = None
    """A public key as a JSON Web Key (RFC 7517)."""
    jwks_url: str | None = None
    """Where a set of JSON Web Keys is."""
    rail_account_id: str | None = None
    """The account of the merchant at the payment rail."""
    rail_profile_id: str | None = None
    """The merchant as the network of the rail knows it; shared payment tokens name it."""
    pay_to: list[str] | None = None
    mcc: str | None = None
    """Merchant category code of four digits (ISO 18245)."""
    country: str | None = None
    """Where the merchant is, ISO 3166-1 alpha-2."""
    signature_agent_form: Literal["string", "dictionary"] | str | None = None
    created_at: str
    """When it was made."""


class ListMerchantsOutput(Model):
    data: list[Merchant]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class Principal(Model):
    did: str
    """A did:key: `did:key:z6Mk…`."""
    name: str
    """What the approval page calls it."""
    agents: list[str]
    """The only agents that may spend its money."""
    created_at: str
    """When it was made."""


class ListPrincipalsOutput(Model):
    data: list[Principal]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class Instrument(Model):
    id: str
    """The id of this record."""
    agent_did: str | None = None
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str | None = None
    """Whose money it is: a person or company (the principal), as did:key."""
    payment_method: str
    """The payment method by its name at the rail."""
    customer: str | None = None
    """Whose it is, by the name at the rail."""
    created_at: str
    """When it was made."""


class ListInstrumentsOutput(Model):
    data: list[Instrument]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class CreateApiKeyOutput(Model):
    id: str
    """The id of this record."""
    name: str
    """A name for people."""
    permissions: list[Literal["read", "write", "admin"] | str]
    """What the key may do: any of read, write and admin. None implies another."""
    tier: Literal["free", "pro", "enterprise"] | str
    """Which rate limit holds."""
    agents: list[str] | None = None
    """The agents that it acts for alone."""
    created_at: str
    """When it was made."""
    key: str
    """The API key. It is shown this once."""


class ListApiKeysOutputData(Model):
    id: str
    """The id of this record."""
    name: str
    """A name for people."""
    permissions: list[Literal["read", "write", "admin"] | str]
    """What the key may do: any of read, write and admin. None implies another."""
    tier: Literal["free", "pro", "enterprise"] | str
    """Which rate limit holds."""
    created_at: str
    """When it was made."""
    last_used_at: str | None
    """When the key was last used, to the minute; null when never."""
    revoked_at: str | None = None
    """When it was revoked."""
    agents: list[str] | None = None
    """The agents that it acts for alone."""
    prefix: str | None = None
    """How it begins. Absent for keys of earlier versions."""
    made_by: str | None = None
    """Who made it: `user`, `key` or `node`, and the id."""


class ListApiKeysOutput(Model):
    data: list[ListApiKeysOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class ListUsersOutputData(Model):
    id: str
    """The id of this record."""
    did: str
    """A did:key: `did:key:z6Mk…`."""
    name: str | None = None
    """What they call themselves."""
    email: str | None
    """The address the identity provider vouched for."""
    role: Literal["OWNER", "ADMIN", "MEMBER", "VIEWER", "PENDING"] | str
    """OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads."""
    created_at: str
    """When it was made."""
    last_login_at: str
    """When this person last logged in."""
    removed_at: str | None = None
    """They stay out until an OWNER gives them a role again."""


class ListUsersOutput(Model):
    data: list[ListUsersOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class ListUserPasskeysOutputDataMadeBy(Model):
    kind: Literal["key", "node", "user"] | str
    """What kind it is."""
    id: str
    """The id of this record."""


class ListUserPasskeysOutputData(Model):
    id: str
    """The id of this record."""
    name: str
    """A name for people."""
    credential_id: str
    """The passkey that was touched."""
    synced: bool
    """Whether the passkey’s provider keeps a copy and may have it on other devices."""
    created_at: str
    """When it was made."""
    last_used_at: str | None
    """When the key was last used, to the minute; null when never."""
    agent_did: str | None = None
    """An agent that the user owns, which it was enrolled for: no user signs in with it."""
    principal_did: str | None = None
    """The user as whose money it is: the same DID."""
    made_by: ListUserPasskeysOutputDataMadeBy | None = None
    """Who made the link that it came by, or enrolled it; node: a command on the data folder."""


class ListUserPasskeysOutput(Model):
    data: list[ListUserPasskeysOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class ListUserLoginsOutputData(Model):
    id: str
    """The id of this record."""
    way: Literal["passkey", "provider"] | str
    device: str | None
    """What the browser says that it is."""
    created_at: str
    """When it was made."""
    last_used_at: str
    """When its tokens were renewed last."""
    expires_at: str
    """When it ends."""
    current: bool
    """Whether it is the login that asks."""


class ListUserLoginsOutput(Model):
    data: list[ListUserLoginsOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class CreateInvitationOutput(Model):
    id: str
    """The id of this record."""
    role: Literal["OWNER", "ADMIN", "MEMBER", "VIEWER"] | str
    """OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads."""
    name: str | None = None
    """A name for people."""
    user_id: str
    """Who they will be, or are."""
    created_at: str
    """When it was made."""
    expires_at: str
    """When it ends."""
    url: str
    """Opens the page that makes the passkey, once. It is shown this once; treat it as a password."""


class ListInvitationsOutputData(Model):
    id: str
    """The id of this record."""
    role: Literal["OWNER", "ADMIN", "MEMBER", "VIEWER"] | str
    """OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads."""
    name: str | None = None
    """A name for people."""
    user_id: str
    """Who they will be, or are."""
    created_at: str
    """When it was made."""
    expires_at: str
    """When it ends."""


class ListInvitationsOutput(Model):
    data: list[ListInvitationsOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


NewWebhookEvents: TypeAlias = Literal[
    "payment.authorized",
    "payment.captured",
    "payment.failed",
    "payment.refunded",
    "payment.refund_failed",
    "payment.disputed",
    "payment.dispute_closed",
    "intent.issued",
    "intent.denied",
    "intent.expired",
    "cart.validated",
    "cart.rejected",
    "approval.requested",
    "approval.approved",
    "approval.denied",
    "approval.expired",
    "agent.created",
    "agent.revoked",
    "agent.suspended",
    "agent.reactivated",
    "policy.updated",
    "policy.violation",
]


class NewWebhook(Model):
    id: str
    """The id of this record."""
    url: str
    """Where events are posted to; https, and public in production."""
    events: list[NewWebhookEvents | str]
    """Which events are posted there."""
    status: Literal["ACTIVE", "DISABLED"] | str
    """The state it is in."""
    created_at: str
    """When it was made."""
    disabled_reason: Literal["paused", "gone", "failing"] | str | None = None
    """paused: by its owner. gone, failing: by a node of an earlier version, which disabled such endpoints itself."""
    failing_since: str | None = None
    """Since when every attempt has failed."""
    attention: Literal["failing"] | None = None
    """Nothing has arrived for five days: a person should look. The node goes on trying."""
    previous_secret_until: str | None = None
    """Until then the former secret signs as well."""
    secret: str
    """Signs every delivery; one is made when none is given. Shown in this answer only."""


class Webhook(Model):
    id: str
    """The id of this record."""
    url: str
    """Where events are posted to; https, and public in production."""
    events: list[NewWebhookEvents | str]
    """Which events are posted there."""
    status: Literal["ACTIVE", "DISABLED"] | str
    """The state it is in."""
    created_at: str
    """When it was made."""
    disabled_reason: Literal["paused", "gone", "failing"] | str | None = None
    """paused: by its owner. gone, failing: by a node of an earlier version, which disabled such endpoints itself."""
    failing_since: str | None = None
    """Since when every attempt has failed."""
    attention: Literal["failing"] | None = None
    """Nothing has arrived for five days: a person should look. The node goes on trying."""
    previous_secret_until: str | None = None
    """Until then the former secret signs as well."""


class ListWebhooksOutput(Model):
    data: list[Webhook]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


WebhookLogError: TypeAlias = Literal[
    "blocked",
    "dns",
    "refused",
    "unreachable",
    "reset",
    "truncated",
    "timeout",
    "tls",
    "protocol",
    "network",
    "redirect",
    "status",
    "secret",
    "settings",
]


class WebhookLog(Model):
    id: str
    """The id of this record."""
    event_type: str
    """What happened, such as INTENT_ISSUED."""
    url: str
    """Where events are posted to; https, and public in production."""
    status: int
    """The HTTP status, or a mail server’s reply code; 0 where there was no answer."""
    duration: int
    """Milliseconds from the first step to the end of the answer."""
    delivered_at: str
    """When the attempt ended."""
    webhook_id: str
    event_id: str
    """The id of the event, the same at each attempt."""
    attempt: int
    """Which attempt this was, from 1 on."""
    outcome: Literal["delivered", "retrying", "failed"] | str
    """How the delivery stood after this attempt."""
    error: WebhookLogError | str | None = None
    """What kind of failure it was. secret: this node cannot read the secret, and posted nothing. settings: the node
    has no mail server.
    """
    answer: str | None = None
    """The first 1 KiB of what was answered."""


class ListWebhookLogsOutput(Model):
    logs: list[WebhookLog]
    """Attempts, newest first."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""


class GetWebhookLogOutput(Model):
    id: str
    """The id of this record."""
    event_type: str
    """What happened, such as INTENT_ISSUED."""
    url: str
    """Where events are posted to; https, and public in production."""
    status: int
    """The HTTP status, or a mail server’s reply code; 0 where there was no answer."""
    duration: int
    """Milliseconds from the first step to the end of the answer."""
    delivered_at: str
    """When the attempt ended."""
    webhook_id: str
    event_id: str
    """The id of the event, the same at each attempt."""
    attempt: int
    """Which attempt this was, from 1 on."""
    outcome: Literal["delivered", "retrying", "failed"] | str
    """How the delivery stood after this attempt."""
    error: WebhookLogError | str | None = None
    """What kind of failure it was. secret: this node cannot read the secret, and posted nothing. settings: the node
    has no mail server.
    """
    answer: str | None = None
    """The first 1 KiB of what was answered."""
    request: str | None = None
    """The body that was posted, the very text that was signed. Absent once the event or the subscription is kept no
    longer.
    """


class GetWebhookOutputWaiting(Model):
    pending: int
    """Deliveries that are under way or will be tried, for the first time or again; 1000 for that many or more."""
    held: int
    """Deliveries that wait for the subscription to be resumed; 1000 for that many or more."""


class GetWebhookOutput(Model):
    id: str
    """The id of this record."""
    url: str
    """Where events are posted to; https, and public in production."""
    events: list[NewWebhookEvents | str]
    """Which events are posted there."""
    status: Literal["ACTIVE", "DISABLED"] | str
    """The state it is in."""
    created_at: str
    """When it was made."""
    disabled_reason: Literal["paused", "gone", "failing"] | str | None = None
    """paused: by its owner. gone, failing: by a node of an earlier version, which disabled such endpoints itself."""
    failing_since: str | None = None
    """Since when every attempt has failed."""
    attention: Literal["failing"] | None = None
    """Nothing has arrived for five days: a person should look. The node goes on trying."""
    previous_secret_until: str | None = None
    """Until then the former secret signs as well."""
    waiting: GetWebhookOutputWaiting


class WebhookEventContext(Model):
    agent_did: str | None = None
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str | None = None
    """Whose money it is: a person or company (the principal), as did:key."""
    intent_id: str | None = None
    """The intent, `intent_…`."""


class WebhookEvent(Model):
    id: str
    """The id of this record."""
    type: NewWebhookEvents | str
    """What kind of document this is."""
    created: str
    """When it was signed."""
    data: dict[str, Any]
    context: WebhookEventContext
    """When, where, and with whom present."""
    test: Literal[True] | None = None
    """Only on samples: nothing has happened."""


class TailEventsOutput(Model):
    events: list[WebhookEvent]
    """Events since the cursor, oldest first; without a cursor none."""
    cursor: str
    """Leads to what comes after."""


class ShowListenSecretOutput(Model):
    secret: str
    """`whsec_` and base64 of the 32 bytes of the key."""


class CurrentUserOutput(Model):
    did: str
    """A did:key: `did:key:z6Mk…`."""
    email: str | None
    """The address the identity provider vouched for."""
    role: Literal["OWNER", "ADMIN", "MEMBER", "VIEWER", "PENDING"] | str
    """OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads."""
    permissions: list[Literal["read", "write", "admin"] | str]
    """What the caller may; a route says which of them it needs."""
    tenant_id: str
    """The tenant, `tnt_…`."""
    agents: list[str] | None = None
    """The agents that the caller acts for, where it may not for all: those of a bound key, or the agent itself."""
    user_id: str | None = None
    """Of a person who has logged in; so are the members that follow."""
    name: str | None = None
    """A name for people."""
    login_id: str | None = None
    touched_until: str | None = None
    """Until then no new touch of a passkey is asked for."""


class BeginStepUpOutputPublicKeyAllowCredentials(Model):
    id: str
    """The id of this record."""
    type: str
    """What kind of document this is."""


class BeginStepUpOutputPublicKey(Model):
    challenge: str
    """What the passkey has to sign."""
    rp_id: str
    """The host name passkeys are made for."""
    allow_credentials: list[BeginStepUpOutputPublicKeyAllowCredentials]
    """The passkeys that may answer."""
    user_verification: str
    """Whether the device must check who touches it; it always must."""


class BeginStepUpOutput(Model):
    public_key: BeginStepUpOutputPublicKey
    """Options for navigator.credentials.get(), in WebAuthn’s JSON form."""


class CompleteStepUpOutput(Model):
    touched_until: str
    """Until then no new touch is asked for."""


class AllowProgramOutput(Model):
    code: str
    """Serves once, with the verifier."""
    expires_at: str
    """When it ends."""


class BeginOwnPasskeyOutputPublicKeyRp(Model):
    name: str
    """A name for people."""
    id: str
    """The id of this record."""


class BeginOwnPasskeyOutputPublicKeyUser(Model):
    id: str
    """The id of this record."""
    name: str
    """A name for people."""


class BeginOwnPasskeyOutputPublicKeyPubKeyCredParams(Model):
    type: str
    """What kind of document this is."""
    alg: int
    """COSE algorithm identifier."""


class BeginOwnPasskeyOutputPublicKeyAuthenticatorSelection(Model):
    user_verification: str
    """Whether the device must check who touches it; it always must."""


class BeginOwnPasskeyOutputPublicKey(Model):
    challenge: str
    """What the passkey has to sign."""
    rp: BeginOwnPasskeyOutputPublicKeyRp
    """The site passkeys are made for."""
    user: BeginOwnPasskeyOutputPublicKeyUser
    """The account the passkey goes to."""
    pub_key_cred_params: list[BeginOwnPasskeyOutputPublicKeyPubKeyCredParams]
    """Signature algorithms that are accepted, best first."""
    authenticator_selection: BeginOwnPasskeyOutputPublicKeyAuthenticatorSelection
    """What the authenticator must be able to do."""


class BeginOwnPasskeyOutput(Model):
    public_key: BeginOwnPasskeyOutputPublicKey
    """Options for navigator.credentials.create(), in WebAuthn’s JSON form."""


class SearchEvidenceOutput(Model):
    data: list[Document]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class Verification(Model):
    valid: bool
    """Whether every hash over the range holds."""
    from_seq: int
    """First event of the range."""
    to_seq: int
    """Last event of the range."""
    events_verified: int
    """How many events hold."""
    issuer: str
    """The DID that signed this, or whose chain this is."""
    tenant_id: str
    """The tenant, `tnt_…`."""
    checkpoint: str | None
    """The signed note over the chain up to the last event given; null where no event is, or the chain is broken."""
    broken_at_seq: int | None = None
    """The first event that does not hold."""
    reason: str | None = None
    """Why."""


class ListCheckpointsOutputData(Model):
    size: int
    """How many events it is over."""
    note: str
    """The signed note: origin, size, root, the issuer’s signature, and the cosignatures of witnesses."""
    created_at: str
    """When it was made."""


class ListCheckpointsOutput(Model):
    data: list[ListCheckpointsOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class ProveConsistencyOutputFrom(Model):
    size: int
    """How many events it is over."""
    note: str
    """The signed note: origin, size, root, the issuer’s signature, and the cosignatures of witnesses."""
    created_at: str
    """When it was made."""


class ProveConsistencyOutputTo(Model):
    size: int
    """How many events it is over."""
    note: str
    """The signed note: origin, size, root, the issuer’s signature, and the cosignatures of witnesses."""
    created_at: str
    """When it was made."""


class ProveConsistencyOutput(Model):
    from_: ProveConsistencyOutputFrom = Field(alias="from")
    """From this moment on."""
    to: ProveConsistencyOutputTo
    """Up to this moment."""
    proof: list[str]
    """Hashes as base64, lowest first."""


class ProveInclusionOutput(Model):
    checkpoint: ListCheckpointsOutputData
    seq: int
    """Place in the chain, from 1 on, without gaps."""
    hash_curr: str
    """The hash of the event."""
    proof: list[str]
    """Hashes as base64, lowest first."""


class CreateEnrollmentOutput(Model):
    id: str
    """The id of this record."""
    agent_did: str | None = None
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str | None = None
    """Whose money it is: a person or company (the principal), as did:key."""
    url: str
    """Opens the page that enrolls a passkey, once. It is shown this once; treat it as a password."""
    expires_at: str
    """When it ends."""


class Passkey(Model):
    id: str
    """The id of this record."""
    agent_did: str | None = None
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str | None = None
    """Whose money it is: a person or company (the principal), as did:key."""
    credential_id: str
    """The passkey that was touched."""
    device_name: str
    """What the person calls the device or passkey."""
    synced: bool
    """Whether the passkey’s provider keeps a copy and may have it on other devices."""
    created_at: str
    """When it was made."""
    last_used_at: str | None
    """When the key was last used, to the minute; null when never."""
    made_by: ListUserPasskeysOutputDataMadeBy | None = None
    """Who made the link that it came by, or enrolled it; node: a command on the data folder."""
    user_id: str | None = None
    """The user who enrolled it, signed in: its touch is theirs. Absent where it is the passkey holder’s."""


class CompletePasskeyRegistrationOutput(Model):
    verified: Literal[True]
    """Whether the ceremony succeeded."""
    passkey: Passkey
    """The passkey that was enrolled."""


class BeginPresenceOutput(Model):
    challenge_id: str
    """Names the challenge of this ceremony; good for one use within 300 seconds."""
    public_key: BeginStepUpOutputPublicKey
    """Options for navigator.credentials.get(), in WebAuthn’s JSON form."""


class CompletePresenceOutput(Model):
    verified: Literal[True]
    """Whether the ceremony succeeded."""
    hp_proof: Document
    """The signed statement that the person was present."""


class ListPasskeysOutput(Model):
    data: list[Passkey]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


ApprovalCausesCause: TypeAlias = Literal[
    "threshold",
    "new_merchant",
    "approval",
    "limit",
    "anomaly",
    "duplicate",
    "manual",
    "merchant",
]


class ApprovalCauses(Model):
    cause: ApprovalCausesCause | str
    """Which rule asks for a person; merchant: the agent or the merchant does."""
    message: str
    """One sentence for a person."""


ApprovalMissing: TypeAlias = Literal[
    "activeAgent",
    "delegation",
    "principalPasskey",
    "principalUser",
    "agentPasskey",
    "agentOwner",
    "passkeyHolder",
    "role",
    "notOwner",
    "ownPasskey",
    "others",
]


class ApprovalEscalatedTo(Model):
    user_id: str
    name: str | None = None
    """A name for people."""
    at: str


class Approval(Model):
    id: str
    """The id of this record."""
    url: str | None = None
    """The page where the person approves or denies; give it to them. Absent once there is nothing to decide."""
    expires_at: str
    """When it ends."""
    ends_with: Literal["intent", "cart", "policy"] | str | None = None
    """What ends at `expiresAt`: the intent, the cart, or the time that the policy gives people
    (context.approval_ttl).
    """
    people: ApprovalLinkPeople | None = None
    """Where the policy says how many people must approve."""
    status: Literal["pending", "approved", "denied", "expired"] | str
    """Where the request stands."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str
    """Whose money would be spent."""
    intent_id: str
    """The intent, `intent_…`."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    cart_hash: str
    """SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with
    its domain.
    """
    merchant: str
    """The merchant’s domain."""
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    causes: list[ApprovalCauses]
    """Why a person is asked, one sentence for each rule."""
    created_at: str
    """When it was made."""
    decided_at: str | None = None
    """When it was approved or denied."""
    can_approve: bool | None = None
    """For a person, while it is pending: whether a passkey that may be theirs approves it."""
    missing: ApprovalMissing | str | None = None
    """What keeps the person who asks from approving it: the agent is suspended or revoked (activeAgent); the
    registered person or company whose money it is has not delegated to the agent (delegation), has no passkey
    (principalPasskey), or is another user, whose passkeys alone approve (principalUser); the agent has no passkey
    (agentPasskey), or only those of its owner, who is another user (agentOwner); only the passkey holder of that
    person or company, or of the agent, approves, by a passkey that a link or key of others enrolled
    (passkeyHolder). Where the policy asks several people: their role does not approve (role), or they own the
    agent (notOwner), have no passkey (ownPasskey), or have approved already, and others are to (others).
    """
    approvers: list[str] | None = None
    """Where another person than the one who asks can approve it: their names, at most 5."""
    reminds_at: str | None = None
    """When the people who were asked are told once more; absent where they were, or one of them has answered."""
    escalated_to: list[ApprovalEscalatedTo] | None = None
    """Who was told of it since, as it was not decided, and when."""


class ListApprovalsOutput(Model):
    data: list[Approval]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class CheckApprovalOutputApprovedBy(Model):
    did: str
    """A did:key: `did:key:z6Mk…`."""
    passkey_of: Literal["user", "agent", "principal"] | str
    """user: a passkey that this user enrolled. agent, principal: one that a link or a key enrolled, so that the
    person is the passkey holder of that agent or principal, and no user.
    """


CheckApprovalOutputChecksName: TypeAlias = Literal[
    "action",
    "approved",
    "challenge",
    "place",
    "authenticator",
    "signature",
    "person",
    "time",
    "unused",
]


class CheckApprovalOutputChecks(Model):
    name: CheckApprovalOutputChecksName | str
    """A name for people."""
    ok: bool


class CheckApprovalOutput(Model):
    valid: bool
    """Whether every hash over the range holds."""
    reason: str | None = None
    """Of the first check that failed."""
    approved_by: CheckApprovalOutputApprovedBy | None = None
    """Whose touch it was, of a valid one whose enrolment says it."""
    checks: list[CheckApprovalOutputChecks]
    not_compared: list[str]
    """The members that the request left out, so that nothing was compared with them."""


class ApprovalDecisionBinding(Model):
    agent_did: str
    """The agent that asks."""
    principal_did: str | None = None
    """Whose money would be spent."""
    intent_id: str | None = None
    """The intent, `intent_…`."""
    cart_hash: str | None = None
    """SHA-256 of the canonical JSON of the cart without its proof."""
    document_hash: str | None = None
    """The same, of an action that is no cart."""
    amount: float | None = None
    """In units of the currency."""
    currency: str | None = None
    """ISO 4217 code in upper case."""
    merchant: str | None = None
    """The merchant’s domain."""
    instrument: str | None = None
    """What would be paid with; the usual payment method when absent."""
    decision: Literal["approve", "deny"] | str
    """What the person decided."""


class ApprovalDecisionKey1(Model):
    kty: Literal["EC"]
    """What kind of key it is: EC, OKP or RSA."""
    crv: Literal["P-256", "P-384", "P-521"] | str
    """The curve of the key."""
    x: str
    y: str
    kid: str | None = None
    """Which key it is; a signature must name it where it is given."""
    alg: str | None = None
    """ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is."""
    use: str | None = None
    """What the key is for: sig."""
    key_ops: list[str] | None = Field(default=None, alias="key_ops")
    """What the key may be used for: verify."""


class ApprovalDecisionKey2(Model):
    kty: Literal["OKP"]
    """What kind of key it is: EC, OKP or RSA."""
    crv: Literal["Ed25519"]
    """The curve of the key."""
    x: str
    kid: str | None = None
    """Which key it is; a signature must name it where it is given."""
    alg: str | None = None
    """ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is."""
    use: str | None = None
    """What the key is for: sig."""
    key_ops: list[str] | None = Field(default=None, alias="key_ops")
    """What the key may be used for: verify."""


class ApprovalDecisionKey3(Model):
    kty: Literal["RSA"]
    """What kind of key it is: EC, OKP or RSA."""
    n: str
    e: str
    kid: str | None = None
    """Which key it is; a signature must name it where it is given."""
    alg: str | None = None
    """ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is."""
    use: str | None = None
    """What the key is for: sig."""
    key_ops: list[str] | None = Field(default=None, alias="key_ops")
    """What the key may be used for: verify."""


class ApprovalDecisionAssertion(Model):
    credential_id: str
    """The passkey that was touched."""
    authenticator_data: str
    """What the authenticator vouches for: site, user verified, count."""
    client_data_json: str = Field(alias="clientDataJSON")
    """What the browser signed over: challenge, origin, kind of ceremony."""
    signature: str
    """Over authenticatorData and the hash of clientDataJSON."""


class ApprovalDecision(Model):
    id: str
    """Of the request."""
    outcome: Literal["approved", "denied", "expired", "withdrawn"] | str
    """withdrawn: the agent asks no more. An approved one has every member of the touch."""
    decided_at: str
    by: Literal["link", "operator"] | str | None = None
    """Of a denial without a touch: by the holder of the link, or by a user or key of the node."""
    binding: ApprovalDecisionBinding | None = None
    """What the passkey signed the hash of, every member of it."""
    random: str | None = None
    """The 32 random bytes of the challenge."""
    key: ApprovalDecisionKey1 | ApprovalDecisionKey2 | ApprovalDecisionKey3 | None = None
    """The public key of the passkey (RFC 7517)."""
    rp_id: str | None = None
    """The host name passkeys are made for."""
    origin: str | None = None
    """Where the person decided."""
    assertion: ApprovalDecisionAssertion | None = None
    """What the authenticator and its browser made, base64url."""
    enrolment: dict[str, Any] | None = None
    """The node’s credential PasskeyEnrolment, which says whose purchases the key approves since when."""


class ApprovalState(Model):
    id: str
    """The id of this record."""
    url: str | None = None
    """The page where the person approves or denies; give it to them. Absent once there is nothing to decide."""
    expires_at: str
    """When it ends."""
    ends_with: Literal["intent", "cart", "policy"] | str | None = None
    """What ends at `expiresAt`: the intent, the cart, or the time that the policy gives people
    (context.approval_ttl).
    """
    people: ApprovalLinkPeople | None = None
    """Where the policy says how many people must approve."""
    status: Literal["pending", "approved", "denied", "expired"] | str
    """Where the request stands."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str
    """Whose money would be spent."""
    intent_id: str
    """The intent, `intent_…`."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    cart_hash: str
    """SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with
    its domain.
    """
    merchant: str
    """The merchant’s domain."""
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    causes: list[ApprovalCauses]
    """Why a person is asked, one sentence for each rule."""
    created_at: str
    """When it was made."""
    decided_at: str | None = None
    """When it was approved or denied."""
    can_approve: bool | None = None
    """For a person, while it is pending: whether a passkey that may be theirs approves it."""
    missing: ApprovalMissing | str | None = None
    """What keeps the person who asks from approving it: the agent is suspended or revoked (activeAgent); the
    registered person or company whose money it is has not delegated to the agent (delegation), has no passkey
    (principalPasskey), or is another user, whose passkeys alone approve (principalUser); the agent has no passkey
    (agentPasskey), or only those of its owner, who is another user (agentOwner); only the passkey holder of that
    person or company, or of the agent, approves, by a passkey that a link or key of others enrolled
    (passkeyHolder). Where the policy asks several people: their role does not approve (role), or they own the
    agent (notOwner), have no passkey (ownPasskey), or have approved already, and others are to (others).
    """
    approvers: list[str] | None = None
    """Where another person than the one who asks can approve it: their names, at most 5."""
    reminds_at: str | None = None
    """When the people who were asked are told once more; absent where they were, or one of them has answered."""
    escalated_to: list[ApprovalEscalatedTo] | None = None
    """Who was told of it since, as it was not decided, and when."""
    hp_proof: Document | None = None
    """The signed statement that the person was present."""
    decision: ApprovalDecision | None = None
    """How it ended, where that was asked for: what a stranger verifies that a person approved it by."""
    decisions: list[ApprovalDecision] | None = None
    """Where several people approved: the decision of each, in their order; `decision` is the last one."""


class Session(Model):
    context_id: str
    """The session a message belongs to, chosen by the agent."""
    status: Literal["ACTIVE", "COMPLETED", "EXPIRED"] | str
    """The state it is in."""
    message_count: int
    """Messages carried so far."""
    intent_mandate_id: str | None
    """The intent mandated in this session."""
    permit_id: str | None
    """The payment mandated in this session."""
    created_at: str
    """When it was made."""
    expires_at: str
    """When it ends."""


class ListSessionsOutputData(Model):
    context_id: str
    """The session a message belongs to, chosen by the agent."""
    status: Literal["ACTIVE", "COMPLETED", "EXPIRED"] | str
    """The state it is in."""
    message_count: int
    """Messages carried so far."""
    intent_mandate_id: str | None
    """The intent mandated in this session."""
    permit_id: str | None
    """The payment mandated in this session."""
    created_at: str
    """When it was made."""
    expires_at: str
    """When it ends."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    user_did: str
    """The person the session is with, as did:key."""


class ListSessionsOutput(Model):
    data: list[ListSessionsOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class DemoCartOutput(Model):
    cart_vc: Document
    """The merchant’s signed cart: a W3C Verifiable Credential."""


class DemoPaymentOutputPayment(Model):
    capture: Payment
    """The payment once captured."""


class DemoPaymentOutput(Model):
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    intent: IntentResult
    """What became of the intent."""
    cart: CartResult | None = None
    """What became of the cart."""
    payment: PaymentResult | DemoPaymentOutputPayment | None = None
    """What became of the payment."""
    evidence: list[Document]
    """What was recorded, oldest first."""


class DemoPresenceProofOutput(Model):
    hp_proof: Document
    """The signed statement that the person was present."""


class SptMandate(Model):
    intent_id: str | None = None
    """The intent, `intent_…`."""
    cart_id: str | None = None
    """The hash of the cart, `sha256:…`."""
    payment_id: str | None = None
    """The payment, `pm_…`."""


class Spt(Model):
    id: str
    """The id of this record."""
    status: Literal["ACTIVE", "USED", "EXPIRED", "REVOKED"] | str
    """The state it is in."""
    merchant_domain: str
    """The merchant’s domain."""
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    mandate: SptMandate
    """What it is for."""
    created_at: str
    """When it was made."""
    expires_at: str
    """When it ends."""
    used_at: str | None = None
    """When the merchant made a payment with it."""
    rail_token_id: str | None = None
    """The token at the rail; none where the sandbox made it."""
    rail_transaction_id: str | None = None
    """The payment at the rail."""


class ListSptsOutput(Model):
    data: list[Spt]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class SptOverviewAmounts(Model):
    total: float
    """The sum of price × quantity, exactly."""
    active: float
    used: float
    expired: float
    revoked: float
    """Whether it was given back."""


class SptOverview(Model):
    total: int
    """The sum of price × quantity, exactly."""
    active: int
    used: int
    expired: int
    revoked: int
    """Whether it was given back."""
    amounts: dict[str, SptOverviewAmounts]
    """What the tokens were good for, by currency and state."""


ListTaskRecordsOutputDataState: TypeAlias = Literal[
    "TASK_STATE_SUBMITTED",
    "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_REJECTED",
    "TASK_STATE_AUTH_REQUIRED",
]


class ListTaskRecordsOutputData(Model):
    id: str
    """The id of this record."""
    context_id: str
    """The session a message belongs to, chosen by the agent."""
    kind: Literal["intent", "cart", "payment", "purchase", "httpPayment", "external"] | str
    """Which exchange it is; a purchase is the first three."""
    state: ListTaskRecordsOutputDataState | str
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    created_at: str
    """When it was made."""
    changed_at: str
    """When its state changed last."""
    ended_at: str | None = None


class ListTaskRecordsOutput(Model):
    data: list[ListTaskRecordsOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class GetTaskRecordOutput(Model):
    id: str
    """The id of this record."""
    context_id: str
    """The session a message belongs to, chosen by the agent."""
    kind: Literal["intent", "cart", "payment", "purchase", "httpPayment", "external"] | str
    """Which exchange it is; a purchase is the first three."""
    state: ListTaskRecordsOutputDataState | str
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    created_at: str
    """When it was made."""
    changed_at: str
    """When its state changed last."""
    ended_at: str | None = None
    task: dict[str, Any]
    """The task as A2A 1.0 writes it, with its messages and what it handed over."""


class VerifyMandateOutputHopsChecks(Model):
    name: str
    """header, signature, disclosures, binding, audience, time or mandate."""
    holds: bool
    """Whether it holds."""


class VerifyMandateOutputHops(Model):
    layer: str | None = None
    """Of Verifiable Intent: L1, L2, L3a or L3b."""
    typ: str | None = None
    """The type in the header of its JWT."""
    kid: str | None = None
    """The name of its key."""
    vct: str | None = None
    """The type of its mandate."""
    binding: Literal["sd_hash", "issuer_jwt_hash"] | str | None = None
    """By what it is bound to the hop before."""
    aud: str | None = None
    """Who it is made for."""
    disclosed: int
    """How many disclosures were presented."""
    hidden: int
    """How many digests name something that was withheld."""
    checks: list[VerifyMandateOutputHopsChecks]
    """What was checked of the hop."""


class VerifyMandateOutputViolations(Model):
    code: str
    """A reason code."""
    detail: str
    """What is wrong, in a sentence."""
    clause: str
    """The clause of the standard that is broken."""
    hop: int | None = None
    """In which hop, from 0."""
    ucp: str | None = None
    """How the Universal Commerce Protocol calls it."""


class VerifyMandateOutputOpen(Model):
    hop: int
    constraints: list[Any]


class VerifyMandateOutputLimitsRecurrence(Model):
    frequency: str
    max_occurrences: int | None = None


class VerifyMandateOutputLimitsBudget(Model):
    currency: str
    """ISO 4217 code in upper case."""
    max_minor: int


class VerifyMandateOutputLimitsSubscription(Model):
    frequency: str
    number: int | None = None


class VerifyMandateOutputLimits(Model):
    hop: int
    """The hop of the open mandate, from 0."""
    jwt_hash: str
    """SHA-256 of what its JWT signs, `header.payload`, by which uses are counted."""
    pair: str | None = None
    """The digest of the checkout mandate, where one token delegates several pairs."""
    is_single_use: bool
    """Whether it is good for one purchase."""
    recurrence: VerifyMandateOutputLimitsRecurrence | None = None
    budget: VerifyMandateOutputLimitsBudget | None = None
    """What all uses together may come to, in minor units."""
    subscription: VerifyMandateOutputLimitsSubscription | None = None
    """What is set up once with a merchant who charges by itself."""


class VerifyMandateOutput(Model):
    valid: bool
    """Whether every hop holds and every constraint is kept."""
    reason: str | None = None
    """What is wrong first, in a sentence; absent where it is valid."""
    hops: list[VerifyMandateOutputHops]
    violations: list[VerifyMandateOutputViolations]
    not_compared: list[str]
    """The members that the request left out, so that nothing was compared with them."""
    kind: Literal["payment", "checkout"] | str | None = None
    """What is mandated; absent unless every hop holds."""
    content: dict[str, Any] | None = None
    """The closed mandate with every member that was disclosed."""
    open: list[VerifyMandateOutputOpen] | None = None
    """What each open mandate behind it allows."""
    transaction_id: str | None = None
    """The hash of the checkout JWT that it is for."""
    root_jwt_hash: str | None = None
    """SHA-256 of the first JWT."""
    leaf_jwt_hash: str | None = None
    """SHA-256 of the last JWT, to which receipts refer."""
    leaf_sd_hash: str | None = None
    """The `sd_hash` of the last token as presented."""
    open_hash: str | None = None
    """The `sd_hash` of the first token as presented, where it is an open mandate."""
    credential: dict[str, Any] | None = None
    """The claims of layer 1, the credential that names the person’s key."""
    limits: list[VerifyMandateOutputLimits] | None = None
    """How often it may be used: what a verifier has to remember."""


class IssuePaymentCredentialOutputAllowed(Model):
    allowed: Literal[True]
    """Whether the policy allows it."""
    approval_token: str
    """Exchanged once for a payment mandate, `apt_…`."""
    approval_token_expires_at: str
    """The approval token is good until then."""
    reference: str
    """SHA-256 of the last mandate’s JWT, to which the receipt will refer."""
    intent_id: str
    """The intent, `intent_…`."""


class IssuePaymentCredentialOutputRefused(Model):
    allowed: Literal[False]
    """Whether the policy allows it."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    verdict: str | None = None
    """The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict."""
    duplicate_of: CartResultRefusedDuplicateOf | None = None
    """The payment that was made for the same before, for a caller who may read it."""
    receipt: str
    """A receipt of the error: a JWT that the node signed."""
    approval: ApprovalLink | None = None
    """Where a person can approve it, when nothing else is in the way."""


class RevokePaymentCredentialOutput(Model):
    revoked: Literal[True]
    """Whether it was given back."""


class VerifyReceiptOutput(Model):
    valid: bool
    """Whether this node issued it."""
    reason: str | None = None
    """Why not, in a sentence."""
    claims: dict[str, Any] | None = None
    """What it states."""
    payment_status: PaymentStatus | str | None = None
    """The state of the payment now: a receipt of success stays what it is where that was canceled, refunded or
    disputed since. Absent where no payment of the caller’s was made.
    """
    not_compared: list[str]
    """The members that the request left out, so that nothing was compared with them."""


class DelegationLimitsRecurrence(Model):
    frequency: Literal["ON_DEMAND", "DAILY", "WEEKLY", "BIWEEKLY", "MONTHLY", "QUARTERLY", "ANNUALLY"] | str
    reading: Literal["calendar-utc"]
    """One purchase in each day, ISO week, fortnight, month, quarter or year of the calendar, in UTC."""
    max_occurrences: int | None = None


class DelegationLimits(Model):
    max_amount: float | None = None
    """The most of one purchase."""
    currency: str | None = None
    """ISO 4217 code in upper case."""
    merchants: list[str] | None = None
    """The domains of the disclosed payees; any merchant when absent."""
    budget: float | None = None
    """The most of all purchases together."""
    expires_at: str | None = None
    """When it ends."""
    recurrence: DelegationLimitsRecurrence | None = None
    """How often it may be used; once when absent."""


class DelegationUsed(Model):
    uses: int
    """Purchases, those that are only permitted yet, too."""
    spent: float | None = None
    """What they come to; absent where the mandate names no currency."""


class Delegation(Model):
    id: str
    """The delegation, `dlg_…`."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str
    """Whose money it is: a person or company (the principal), as did:key."""
    limits: DelegationLimits
    """What all of its mandates allow together."""
    open_hash: str
    """The `sd_hash` of the last open mandate as it was registered."""
    status: Literal["ACTIVE", "USED", "EXHAUSTED", "EXPIRED", "REVOKED"] | str
    """USED: it allows one purchase, which was made. EXHAUSTED: its budget or its number of purchases is spent. Both
    are ACTIVE again where nothing is paid.
    """
    used: DelegationUsed
    """What the mandate was used for, by intents and by chains that close it."""
    delegated: bool
    """Whether the agent may spend this money. While a registered person or company has not allowed it to, nothing
    passes by the mandate (AGENT_NOT_DELEGATED).
    """
    created_at: str
    """When it was made."""


class RegisterDelegationOutputRefused(Model):
    allowed: Literal[False]
    """Whether the policy allows it."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""


class PreviewDelegationOutputAllowed(Model):
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str
    """Whose money it is: a person or company (the principal), as did:key."""
    limits: DelegationLimits
    """What all of its mandates allow together."""
    open_hash: str
    """The `sd_hash` of the last open mandate as it was registered."""
    delegated: bool
    """Whether the agent may spend this money. While a registered person or company has not allowed it to, nothing
    passes by the mandate (AGENT_NOT_DELEGATED).
    """


class ListDelegationsOutput(Model):
    data: list[Delegation]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class CreateMandateChallengeOutput(Model):
    nonce: str
    """The `nonce` of the last mandate. It serves one payment."""
    aud: str
    """The `aud` of the last mandate."""
    expires_at: str
    """When it ends."""


class MandateIssuerX5cRoot(Model):
    subject: str
    """Whom a certificate is of."""
    sha256: str
    """Of the certificate, in hexadecimal."""
    valid_until: str


class MandateIssuerLeaf(Model):
    x5ts256: str | None = Field(default=None, alias="x5t#S256")
    subject: str | None = None
    """Whom a certificate is of."""


class MandateIssuer(Model):
    id: str
    """The id of this record."""
    name: str
    """A name for people."""
    kind: Literal["agent-provider", "user-credential", "card-issuer"] | str
    """Who signs: an agent’s provider, a credential of the person, or the issuer of the person’s card."""
    jwk: MerchantJwk | None = None
    """A public key as a JSON Web Key (RFC 7517)."""
    x5c_root: MandateIssuerX5cRoot | None = None
    """The certificate to which those of the signer lead."""
    leaf: MandateIssuerLeaf | None = None
    principal_did: str | None = None
    """Whose money it is: a person or company (the principal), as did:key."""
    created_at: str
    """When it was made."""


class ListMandateIssuersOutput(Model):
    data: list[MandateIssuer]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class DemoAp2CartOutput(Model):
    cart_mandate: dict[str, Any]
    """The merchant’s signed cart as a CartMandate of AP2 v0.1."""


class WalletAssets(Model):
    asset: str
    name: str
    """Of the contract’s EIP-712 domain."""
    version: str
    """Of the contract’s EIP-712 domain, as text."""
    symbol: str
    decimals: int
    currency: str
    """Which money it counts as."""


class Wallet(Model):
    id: str
    """The id of this record."""
    network: str
    address: str
    """With its checksum."""
    agent_did: str | None = None
    """The agent, as did:key of its Ed25519 key."""
    principal_did: str | None = None
    """Whose money it is: a person or company (the principal), as did:key."""
    rpc_host: str | None = None
    """Where its chain is asked."""
    assets: list[WalletAssets]
    created_at: str
    """When it was made."""


class ListWalletsOutput(Model):
    data: list[Wallet]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class ReservationResultAllowed(Model):
    allowed: Literal[True]
    """Whether the policy allows it."""
    mandate_id: str
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""
    intent_id: str
    """The intent, `intent_…`."""
    transaction_id: str
    """The transaction that ties intent, cart, payment and evidence together, `txn_…`."""
    reserved: float
    currency: str
    """ISO 4217 code in upper case."""
    expires_at: str
    """Until when the amount is reserved."""
    commit_until: str
    """Until when it can be told that it was paid."""


class ReservationResultRefused(Model):
    allowed: Literal[False]
    """Whether the policy allows it."""
    reason_codes: list[ReasonCode | str]
    """Every reason against it, in a fixed order."""
    details: dict[str, RefusalDetails]
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    limits: list[LimitState] | None = None
    """Every limit over time that refuses it; absent where none does."""
    verdict: str | None = None
    """The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict."""
    duplicate_of: CartResultRefusedDuplicateOf | None = None
    """The payment that was made for the same before, for a caller who may read it."""
    approval: ApprovalLink | None = None
    """Where a person can approve it, when nothing else is in the way."""


ReservationResult: TypeAlias = ReservationResultAllowed | ReservationResultRefused


class ReadStatementOutputLines(Model):
    outcome: Literal["settled", "known", "differs", "unmatched", "ambiguous"] | str
    """`settled`: an open reservation counts as paid now; `known`: it was before; `differs`: it was told before as
    another amount, which a person sees; `ambiguous`: several could be meant.
    """
    mandate_id: str | None = None
    """The mandate: `intent_…` for an intent, `pm_…` for a payment."""


class ReadStatementOutput(Model):
    lines: list[ReadStatementOutputLines]


class HttpSignature(Model):
    headers: dict[str, str]
    """To send with the request, by their names: Signature-Input, Signature, and Signature-Agent and Content-Digest
    where they are covered.
    """
    base: str | None = None
    """What the agent signs with its key (Ed25519), where it signs itself: Signature is then not among the headers."""
    keyid: str
    """The thumbprint of the key (RFC 7638)."""
    nonce: str
    """A value that is signed along, so that what is signed serves once."""
    expires_at: str
    """Until when it can be sent: at most eight minutes, and once."""


class ShowNotificationsOutputPlacesPaymentsFrom(Model):
    amount: float
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""


class ShowNotificationsOutputPlacesDigest(Model):
    weekday: int
    """1 is Monday."""
    hour: int
    timezone: str
    """IANA time zone."""


class ShowNotificationsOutputPlaces(Model):
    id: str
    """The id of this record."""
    kind: Literal["webPush", "plain", "email", "slack", "discord", "teams", "telegram"] | str
    """What kind it is."""
    url: str
    """Of a browser, the address at its push service; of an e-mail, its address; of a service whose addresses are
    secrets, its host and the last characters.
    """
    name: str
    """A name for people."""
    about: list[Literal["approvals", "disputes", "agents", "payments", "digest", "passkey.added"] | str]
    payments_from: ShowNotificationsOutputPlacesPaymentsFrom | None = None
    digest: ShowNotificationsOutputPlacesDigest | None = None
    """When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time."""
    details: bool
    """The facts behind each reason, by its code; over HTTP errors, the members at fault."""
    created_at: str
    """When it was made."""
    failing_since: str | None = None
    """Since when nothing has arrived there."""
    silent: Literal["unconfirmed", "ended"] | str | None = None
    """Why nothing is sent there. unconfirmed: until the code that was sent there is given back. ended: its service
    says that it takes nothing more, until a test arrives.
    """


class ShowNotificationsOutput(Model):
    application_server_key: str
    """What a browser subscribes to push messages with (RFC 8292), as base64url."""
    sends_mail: bool
    """Whether the node has a mail server, so that notifications may go by e-mail."""
    places: list[ShowNotificationsOutputPlaces]


class GuardServersToolsAcceptance(Model):
    at: str
    user_id: str | None = None
    """Who; absent for the operator."""


class GuardServersTools(Model):
    name: str
    """As its server names it."""
    title: str | None = None
    """What its server calls it for people."""
    read_only: bool
    """Whether it only reads, as far as the guard believes it."""
    action: Literal["reserve", "forward", "refuse", "ask"] | str
    """What the rules do with a call: reserve its amount first, forward it, refuse it, or ask the person at the host."""
    rules: str | None = None
    """The same in words, with each rule that may hold."""
    hash: str
    """SHA-256 of all that a model is told of it; where it is gone, of what was accepted."""
    change: Literal["added", "changed", "gone"] | str | None = None
    """How it differs from what a person accepted; absent where it does not."""
    definition: str | None = None
    """All that a model is told of it, as the text (RFC 8785) whose hash `hash` is. A tool is accepted here only with
    it.
    """
    accepted: str | None = None
    """Of a tool that changed: all that a model was told of it when it was accepted, as its guard keeps it. People
    are shown the difference.
    """
    acceptance: GuardServersToolsAcceptance | None = None
    """A person accepted it as it is; the guard has not taken that up yet."""
    description: str | None = None
    """What its server tells models of it, where the guard told its definition."""
    waits: bool
    """Whether a person has to look: until then it is not called."""


class GuardServers(Model):
    name: str
    """A name for people."""
    tools: list[GuardServersTools]


class Guard(Model):
    id: str
    """The id of this record."""
    name: str
    """What the guard is called."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    waiting: int
    """How many tools a person has to look at."""
    created_at: str
    """When it was made."""
    told_at: str
    """When it told of its tools last."""
    servers: list[GuardServers]


class ListGuardsOutputDataServers(Model):
    name: str
    """A name for people."""
    tools: int
    waiting: int


class ListGuardsOutputData(Model):
    id: str
    """The id of this record."""
    name: str
    """What the guard is called."""
    agent_did: str
    """The agent, as did:key of its Ed25519 key."""
    waiting: int
    """How many tools a person has to look at."""
    created_at: str
    """When it was made."""
    told_at: str
    """When it told of its tools last."""
    servers: list[ListGuardsOutputDataServers]


class ListGuardsOutput(Model):
    data: list[ListGuardsOutputData]
    """The records of this page."""
    has_more: bool
    """Whether there is another page."""
    cursor: str | None
    """Leads to the next page; null on the last."""
    damaged: list[ListIntentsOutputDamaged] | None = None
    """The rows of this page that are not in data, since the database has them damaged."""


class ShowBackupScheduleOutputScheduleTarget1(Model):
    kind: Literal["folder"]
    """What kind it is."""
    folder: str
    """An absolute path on the node’s machine, best of another disk. It exists."""


class ShowBackupScheduleOutputScheduleTarget2(Model):
    kind: Literal["bucket"]
    """What kind it is."""
    endpoint: str
    """Of Amazon S3 or a service that speaks its protocol, without the bucket: https://s3.eu-central-1.amazonaws.com."""
    region: str
    """Such as eu-central-1; some services take “auto”."""
    bucket: str
    prefix: str
    """What the names of its files begin with, such as node-1/."""
    access_key_id: str


class ShowBackupScheduleOutputSchedule(Model):
    every: Literal["hour", "day", "week"] | str
    """How often one is made. week: each Monday."""
    hour: int
    """Of the day, by UTC. It means nothing where one is made each hour."""
    keep: int
    """How many stay; older ones are removed once a newer one was tried."""
    target: ShowBackupScheduleOutputScheduleTarget1 | ShowBackupScheduleOutputScheduleTarget2


class ShowBackupScheduleOutputRunning(Model):
    step: Literal["making", "sending", "trying"] | str
    started_at: str


class ShowBackupScheduleOutputFailure(Model):
    at: str
    reason: str
    """Why."""


class ShowBackupScheduleOutputKept(Model):
    file_name: str
    created_at: str
    """When it was made."""
    bytes: int
    sha256: str
    """Of the archive, in hexadecimal."""
    events: int
    """Of evidence, which were verified when it was restored."""
    rows: int
    """Of all tables."""
    tried_at: str
    """When it was read back from there and restored beside the node."""


class ShowBackupScheduleOutput(Model):
    schedule: ShowBackupScheduleOutputSchedule | None = None
    """Absent where none is set."""
    next_at: str | None = None
    """When the next one is made."""
    running: ShowBackupScheduleOutputRunning | None = None
    """trying: it is read back, and restored beside the node."""
    failure: ShowBackupScheduleOutputFailure | None = None
    """Of the newest attempt. It is repeated each quarter of an hour."""
    is_on_nodes_disk: bool | None = None
    """Whether the folder lies on the disk that its backups are to replace."""
    kept: list[ShowBackupScheduleOutputKept]
    """What lies there, the newest first; each was restored once."""
