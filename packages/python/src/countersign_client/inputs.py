"""What is sent to the node, with its names on the wire.

Written by scripts/client.mjs from the routes and schemas of the node; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from typing_extensions import NotRequired, TypeAlias, TypedDict

Number: TypeAlias = float | Decimal
"""An amount is in units of its currency: 42.5 is 42.50 USD."""


class VendorHints(TypedDict):
    domain: NotRequired[str]
    """The merchant’s domain."""
    merchants: NotRequired[Sequence[str]]
    """The only merchants that a cart may come from: domains, or names as merchants sign them."""
    mcc: NotRequired[str]
    """Merchant category code of four digits (ISO 18245)."""
    country: NotRequired[str]
    """Where the merchant is, ISO 3166-1 alpha-2."""


class IssueIntentRequestShopping(TypedDict):
    description: NotRequired[str]
    """What is to be bought, in words."""
    skus: NotRequired[Sequence[str]]
    """The articles that are meant."""
    refundable: NotRequired[bool]
    """Whether it must be possible to give it back."""
    confirmCart: NotRequired[bool]
    """Whether a person confirms the cart, regardless of the policy."""


class IssueIntentRequest(TypedDict):
    maxAmount: Number
    """The most that may be spent, in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    vendorHints: NotRequired[VendorHints]
    """What is known of the merchant beforehand. A cart from another domain is rejected."""
    shopping: NotRequired[IssueIntentRequestShopping]
    """What is to be bought, as the agent says it. It is kept and shown; only confirmCart decides."""


class MandatePaymentUcp(TypedDict):
    audience: NotRequired[str]
    """Who the checkout mandate is for; the domain of the business when absent."""
    paymentAudience: NotRequired[str]
    """Who the payment mandate is for; as `audience` when absent."""
    nonce: NotRequired[str]
    """The nonce of both, where the business gave one; else random."""


ListPaymentsStatus: TypeAlias = Literal[
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


class RefundPaymentEvidence(TypedDict):
    kind: Literal["receipt", "order", "confirmation", "statement", "x402", "mpp", "none"]
    """What shows that it was paid."""
    sha256: NotRequired[str]
    """SHA-256 of the document. The document itself never comes here."""
    reference: NotRequired[str]
    """What the merchant or the rail calls it, such as the number of an order."""
    occurredAt: NotRequired[str]
    note: NotRequired[str]


RulesSpendCategories: TypeAlias = Literal[
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


class RulesSpend(TypedDict):
    amount_cap: NotRequired[Number]
    """Most that an agent may spend alone in one purchase."""
    presence_cap: NotRequired[Number]
    """Most in one purchase with a person present; amount_cap when absent."""
    currency: NotRequired[str]
    """ISO 4217 code in upper case."""
    categories: NotRequired[Sequence[RulesSpendCategories]]
    """Categories of merchants that are allowed, by their code."""
    categories_strict: NotRequired[bool]
    """Refuses purchases whose category is not known."""


class RulesMerchant(TypedDict):
    allow_list: NotRequired[Sequence[str]]
    """Domains that are allowed; `*.example.com` means the subdomains. Empty: all."""
    deny_list: NotRequired[Sequence[str]]
    """Domains that are denied, their subdomains included."""
    mcc_allow: NotRequired[Sequence[str]]
    """Merchant category codes that are allowed."""
    mcc_deny: NotRequired[Sequence[str]]
    """Merchant category codes that are denied."""
    allow_unbound_payees: NotRequired[bool]
    """Whether a payee may be paid that is bound to no domain, where a server asks for money by HTTP."""


class RulesContextApproval(TypedDict):
    people: int
    """How many different people must approve."""
    above: NotRequired[Number]
    """Purchases above this amount; every purchase when absent."""
    roles: NotRequired[Sequence[Literal["OWNER", "ADMIN", "MEMBER"]]]
    """The roles of users who may approve, and who alone count then; when absent OWNER and ADMIN, and beside them
    once the passkey holder of the agent, or of the person or company whose money it is.
    """
    not_owner_of_agent: NotRequired[bool]
    """Whether the approval of the user who owns the agent does not count, nor that of the agent’s passkey holder."""


TimeWindow = TypedDict(
    "TimeWindow",
    {
        "days": NotRequired[Sequence[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]],
        "from": str,
        "to": str,
        "timezone": str,
    },
)


class RulesContextGeo(TypedDict):
    allow: NotRequired[Sequence[str]]
    """Those that are allowed; all when absent or empty."""
    deny: NotRequired[Sequence[str]]
    """Those that are denied."""


class RulesContext(TypedDict):
    presence: NotRequired[Literal["optional", "required", "never"]]
    """optional: by the rules below. required: always. never: what needs a person is denied."""
    presence_threshold: NotRequired[Number]
    """An amount above it needs a person."""
    presence_new_merchant: NotRequired[bool]
    """Whether the first purchase at a merchant needs a person."""
    approval: NotRequired[RulesContextApproval | Sequence[RulesContextApproval]]
    """How many different people must approve, in one step or several by amount."""
    approval_ttl: NotRequired[str]
    """How long people have to approve a purchase, from 1m to 7d; 15m when absent."""
    presence_binding: NotRequired[Literal["cart", "any", "agent"]]
    """What a presence proof must be bound to."""
    deny_by_link: NotRequired[bool]
    """Whether the link to an approval is enough to deny it, without a passkey."""
    time_windows: NotRequired[Sequence[TimeWindow]]
    """When purchases are allowed; outside all of them they are not."""
    geo: NotRequired[RulesContextGeo]
    """Countries, ISO 3166-1 alpha-2."""


class RulesRiskVelocityLimit(TypedDict):
    max_transactions: NotRequired[int]
    """How many within the window."""
    max_amount: NotRequired[Number]
    """How much within the window."""
    time_window: str
    """How long the sliding window is, such as 24h."""
    scope: NotRequired[Literal["agent", "policy"]]
    """Whose purchases count together: one agent’s, or all of the tenant’s."""


class RulesRiskLimits(TypedDict):
    name: str
    """How refusals and lists name it."""
    max_transactions: NotRequired[int]
    """How many purchases."""
    max_amount: NotRequired[Number]
    """How much in all."""
    currency: NotRequired[str]
    """Purchases in it alone count; the policy’s currency when absent; without either, max_amount holds for each
    currency by itself.
    """
    window: str
    """day, week, month, quarter or year of the calendar; or a sliding duration such as 24h."""
    timezone: NotRequired[str]
    """In which a period of the calendar begins at midnight; UTC when absent."""
    scope: NotRequired[Literal["agent", "principal", "policy"]]
    """Whose purchases count together: one agent’s (agent), those with the money of the same person or company
    (principal), or all of the tenant’s (policy).
    """
    merchant: NotRequired[str | Sequence[str]]
    """Purchases there alone count: example.com, or *.example.com, or a list of both that count together."""
    category: NotRequired[RulesSpendCategories]
    """Purchases of this category alone count."""
    action: NotRequired[Literal["deny", "presence"]]
    """Over it: deny, or let a person approve."""


class RulesRiskAnomaly(TypedDict):
    min_history: int
    """Payments there must be before it is judged."""
    max_deviation: Number
    """Standard deviations above the mean."""
    action: Literal["deny", "presence"]
    """Deny it, or ask for a person."""


class RulesRiskDuplicate(TypedDict):
    window: str
    """How long the same purchase counts, such as 10m."""
    action: Literal["deny", "presence"]
    """Deny it, or ask for a person."""
    above: NotRequired[Number]
    """Purchases of at most so much are not looked at; 0 when absent."""
    max: NotRequired[int]
    """So many of the same are allowed within the window; 1 when absent."""


class RulesRisk(TypedDict):
    velocity_limit: NotRequired[RulesRiskVelocityLimit]
    """How many purchases, or how much, within a sliding window."""
    limits: NotRequired[Sequence[RulesRiskLimits]]
    """How many purchases, or how much, in periods: up to 20 limits, of which each holds."""
    anomaly: NotRequired[RulesRiskAnomaly]
    """What to do about an amount far above what the agent paid before."""
    duplicate: NotRequired[RulesRiskDuplicate]
    """What to do about a purchase that was made before: same payer, merchant, total and items."""


class RulesRails(TypedDict):
    allow: NotRequired[Sequence[str]]
    """Those that are allowed; when absent or empty all, but for EXTERNAL_RAIL, which must be named."""
    priorities: NotRequired[Sequence[str]]
    """The order in which they are tried."""


class RulesExternal(TypedDict):
    release: NotRequired[Literal["owner", "agent"]]
    """Who may say that a reserved payment was not made, which frees its amount."""
    on_expiry: NotRequired[Literal["hold", "release"]]
    """What becomes of a reservation at its end, where it was not told what came of it."""
    evidence: NotRequired[Literal["none", "reference", "hash"]]
    """What must be told of a payment that was made elsewhere."""


class RulesMandates(TypedDict):
    require_nonce: NotRequired[bool]
    """Whether the last mandate of a chain must have a nonce that the node gave to its agent."""


class Rules(TypedDict):
    version: Literal["2.0"]
    """Which version this is."""
    spend: NotRequired[RulesSpend]
    """How much, in which currency, for what."""
    merchant: NotRequired[RulesMerchant]
    """The merchant’s domain."""
    context: NotRequired[RulesContext]
    """When, where, and with whom present."""
    risk: NotRequired[RulesRisk]
    """How often, how much in a time, how unusual."""
    rails: NotRequired[RulesRails]
    """Which payment rails, in which order."""
    external: NotRequired[RulesExternal]
    mandates: NotRequired[RulesMandates]


class ReplayPolicyBeforeLimits(TypedDict):
    name: str
    """A name for people."""
    transactions: NotRequired[int]
    """How many purchases there were within the velocity window."""
    spent: NotRequired[Number]
    """What they come to, in units of the currency."""


class ReplayPolicyBefore(TypedDict):
    transactions: NotRequired[int]
    """How many purchases there were within the velocity window."""
    spent: NotRequired[Number]
    """What they come to, in units of the currency."""
    limits: NotRequired[Sequence[ReplayPolicyBeforeLimits]]
    newMerchant: NotRequired[bool]
    """Whether nothing was paid at this merchant before."""
    paid: NotRequired[Sequence[Number]]
    """Amounts paid earlier, the latest first."""
    same: NotRequired[int]
    """How often the same was bought within the window of risk.duplicate."""


class SimulateDraftRequest(TypedDict):
    amount: Number
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    merchantDomain: NotRequired[str]
    """The merchant’s domain."""
    mcc: NotRequired[str]
    """Merchant category code of four digits (ISO 18245)."""
    country: NotRequired[str]
    """Where the merchant is, ISO 3166-1 alpha-2."""
    agentDid: NotRequired[str]
    """The agent, as did:key of its Ed25519 key."""
    principalDid: NotRequired[str]
    """Whose money the agent would spend; beside agentDid."""


class SimulateDraftBefore(TypedDict):
    transactions: NotRequired[int]
    """How many purchases there were within the velocity window."""
    spent: NotRequired[Number]
    """What they come to, in units of the currency."""
    limits: NotRequired[Sequence[ReplayPolicyBeforeLimits]]
    newMerchant: NotRequired[bool]
    """Whether nothing was paid at this merchant before."""
    paid: NotRequired[Sequence[Number]]
    """Amounts paid earlier, the latest first."""
    same: NotRequired[int]
    """How often the same was bought within the window of risk.duplicate."""


class CreatePolicyIfCurrent(TypedDict):
    id: str
    """The id of this record."""
    version: int
    """Which version this is."""


class SetAgentVelocityLimits(TypedDict):
    name: str
    """How refusals and lists name it."""
    maxTransactions: NotRequired[int]
    """How many purchases within the window."""
    maxAmount: NotRequired[Number]
    """The most that may be spent, in units of the currency: 42.5 is 42.50 USD."""
    currency: NotRequired[str]
    """Counts purchases in this currency alone; the policy’s when absent."""
    window: str
    """day, week, month, quarter or year of the calendar, or a duration such as 24h that slides."""
    timezone: NotRequired[str]
    """In which a period of the calendar begins at midnight; UTC when absent."""
    scope: NotRequired[Literal["agent"]]
    merchant: NotRequired[str | Sequence[str]]
    """The merchant’s domain."""
    category: NotRequired[RulesSpendCategories]
    action: NotRequired[Literal["deny", "presence"]]


CreateWebhookEvents: TypeAlias = Literal[
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


class AssertionCredentialResponse(TypedDict):
    clientDataJSON: str
    """What the browser signed over: challenge, origin, kind of ceremony."""
    authenticatorData: str
    """What the authenticator vouches for: site, user verified, count."""
    signature: str
    """Over authenticatorData and the hash of clientDataJSON."""
    userHandle: NotRequired[str | None]
    """The account that the passkey belongs to."""


class AssertionCredential(TypedDict):
    id: str
    """The id of this record."""
    rawId: str
    """The same as id."""
    type: Literal["public-key"]
    """What kind of document this is."""
    response: AssertionCredentialResponse
    """What the authenticator answered."""


class RegistrationCredentialResponse(TypedDict):
    clientDataJSON: str
    """What the browser signed over: challenge, origin, kind of ceremony."""
    attestationObject: str
    """The new passkey’s public key, in CBOR."""
    transports: NotRequired[Sequence[str]]
    """How the browser reaches the authenticator."""


class RegistrationCredential(TypedDict):
    id: str
    """The id of this record."""
    rawId: str
    """The same as id."""
    type: Literal["public-key"]
    """What kind of document this is."""
    response: RegistrationCredentialResponse
    """What the authenticator answered."""


class ApprovalDecisionBinding(TypedDict):
    agentDid: str
    """The agent that asks."""
    principalDid: NotRequired[str]
    """Whose money would be spent."""
    intentId: NotRequired[str]
    """The intent, `intent_…`."""
    cartHash: NotRequired[str]
    """SHA-256 of the canonical JSON of the cart without its proof."""
    documentHash: NotRequired[str]
    """The same, of an action that is no cart."""
    amount: NotRequired[Number]
    """In units of the currency."""
    currency: NotRequired[str]
    """ISO 4217 code in upper case."""
    merchant: NotRequired[str]
    """The merchant’s domain."""
    instrument: NotRequired[str]
    """What would be paid with; the usual payment method when absent."""
    decision: Literal["approve", "deny"]
    """What the person decided."""


class ApprovalDecisionAssertion(TypedDict):
    credentialId: str
    """The passkey that was touched."""
    authenticatorData: str
    """What the authenticator vouches for: site, user verified, count."""
    clientDataJSON: str
    """What the browser signed over: challenge, origin, kind of ceremony."""
    signature: str
    """Over authenticatorData and the hash of clientDataJSON."""


class ApprovalDecision(TypedDict):
    id: str
    """Of the request."""
    outcome: Literal["approved", "denied", "expired", "withdrawn"]
    """withdrawn: the agent asks no more. An approved one has every member of the touch."""
    decidedAt: str
    by: NotRequired[Literal["link", "operator"]]
    """Of a denial without a touch: by the holder of the link, or by a user or key of the node."""
    binding: NotRequired[ApprovalDecisionBinding]
    """What the passkey signed the hash of, every member of it."""
    random: NotRequired[str]
    """The 32 random bytes of the challenge."""
    key: NotRequired[Mapping[str, Any]]
    """The public key of the passkey (RFC 7517)."""
    rpId: NotRequired[str]
    """The host name passkeys are made for."""
    origin: NotRequired[str]
    """Where the person decided."""
    assertion: NotRequired[ApprovalDecisionAssertion]
    """What the authenticator and its browser made, base64url."""
    enrolment: NotRequired[Mapping[str, Any]]
    """The node’s credential PasskeyEnrolment, which says whose purchases the key approves since when."""


class CheckApprovalExpect(TypedDict):
    documentHash: str
    """Of the action in the caller’s hand, computed by the caller: a cart’s is its cartHash."""
    agentDid: NotRequired[str]
    """The agent, as did:key of its Ed25519 key."""
    principalDid: NotRequired[str]
    """Whose money it is: a person or company (the principal), as did:key."""
    amount: NotRequired[Number]
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: NotRequired[str]
    """ISO 4217 code in upper case."""
    merchant: NotRequired[str]
    """The merchant’s domain."""
    id: NotRequired[str]
    """Of the request that was to be answered."""
    expiresAt: NotRequired[str]
    """Of that request."""
    rpId: NotRequired[str]
    """As the node’s card says."""
    origin: NotRequired[str]
    """As the node’s card says."""


CartItem: TypeAlias = Mapping[str, Any]


class CreateSptMandate(TypedDict):
    intentId: NotRequired[str]
    """The intent, `intent_…`."""
    cartId: NotRequired[str]
    """The hash of the cart, `sha256:…`."""
    paymentId: NotRequired[str]
    """The payment, `pm_…`."""


ListTaskRecordsState: TypeAlias = Literal[
    "TASK_STATE_SUBMITTED",
    "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_REJECTED",
    "TASK_STATE_AUTH_REQUIRED",
]


class VerifyMandateHops(TypedDict):
    aud: NotRequired[str]
    """Who the hop must be made for."""
    nonce: NotRequired[str]
    """The nonce that the hop must have."""


class IssuePaymentCredentialVerifiableIntent(TypedDict):
    l1: str
    """Layer 1: the credential of the card issuer."""
    l2: str
    """Layer 2: what the person signed, as this node is given it."""
    l3Payment: NotRequired[str]
    """Layer 3a: the payment that the agent closed; absent where the person closed layer 2."""


AddMandateIssuerLeaf = TypedDict(
    "AddMandateIssuerLeaf",
    {
        "x5t#S256": NotRequired[str],
        "subject": NotRequired[str],
    },
)


class CreateWalletAssets(TypedDict):
    asset: str
    """The token’s contract."""
    name: str
    """Of the contract’s EIP-712 domain."""
    version: str
    """Of the contract’s EIP-712 domain, as text."""
    symbol: NotRequired[str]
    """In words, such as USDC; the name when absent."""
    decimals: int
    currency: str
    """Which money it counts as."""


class ReserveExternallyItems(TypedDict):
    name: str
    """A name for people."""
    price: Number
    """Price of one, in units of the currency."""
    quantity: int
    """How many."""


class CommitReservationEvidence(TypedDict):
    kind: Literal["receipt", "order", "confirmation", "statement", "x402", "mpp", "none"]
    """What shows that it was paid."""
    sha256: NotRequired[str]
    """SHA-256 of the document. The document itself never comes here."""
    reference: NotRequired[str]
    """What the merchant or the rail calls it, such as the number of an order."""
    occurredAt: NotRequired[str]
    note: NotRequired[str]


class ReleaseReservationEvidence(TypedDict):
    kind: Literal["receipt", "order", "confirmation", "statement", "x402", "mpp", "none"]
    """What shows that it was paid."""
    sha256: NotRequired[str]
    """SHA-256 of the document. The document itself never comes here."""
    reference: NotRequired[str]
    """What the merchant or the rail calls it, such as the number of an order."""
    occurredAt: NotRequired[str]
    note: NotRequired[str]


class ReadStatementLines(TypedDict):
    occurredAt: str
    amount: Number
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""
    descriptor: str
    """Whom the statement names, such as `SHOP.EXAMPLE 4711`."""
    reference: NotRequired[str]
    """The hash that a receipt refers to a mandate by."""


class AddNotificationsKeys(TypedDict):
    p256dh: str
    """The browser’s public key, as base64url."""
    auth: str
    """16 bytes that it shares, as base64url."""


class AddNotificationsPaymentsFrom(TypedDict):
    amount: Number
    """An amount in units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217 code in upper case."""


class AddNotificationsDigest1(TypedDict):
    weekday: NotRequired[int]
    """1 is Monday."""
    hour: NotRequired[int]
    timezone: NotRequired[str]
    """IANA time zone."""


class TellGuardServersTools(TypedDict):
    name: str
    """As its server names it."""
    title: NotRequired[str]
    """What its server calls it for people."""
    readOnly: bool
    """Whether it only reads, as far as the guard believes it."""
    action: Literal["reserve", "forward", "refuse", "ask"]
    """What the rules do with a call: reserve its amount first, forward it, refuse it, or ask the person at the host."""
    rules: NotRequired[str]
    """The same in words, with each rule that may hold."""
    hash: str
    """SHA-256 of all that a model is told of it; where it is gone, of what was accepted."""
    change: NotRequired[Literal["added", "changed", "gone"]]
    """How it differs from what a person accepted; absent where it does not."""
    definition: NotRequired[str]
    """All that a model is told of it, as the text (RFC 8785) whose hash `hash` is. A tool is accepted here only with
    it.
    """
    accepted: NotRequired[str]
    """Of a tool that changed: all that a model was told of it when it was accepted, as its guard keeps it. People
    are shown the difference.
    """


class TellGuardServers(TypedDict):
    name: str
    """What the guard calls the server."""
    tools: Sequence[TellGuardServersTools]


class AcceptToolsTools(TypedDict):
    name: str
    """As its server names it."""
    hash: str
    """Of what was looked at."""


class SetBackupScheduleTarget1(TypedDict):
    kind: Literal["folder"]
    """What kind it is."""
    folder: str
    """An absolute path on the node’s machine, best of another disk. It exists."""


class SetBackupScheduleTarget2(TypedDict):
    kind: Literal["bucket"]
    """What kind it is."""
    endpoint: str
    """Of Amazon S3 or a service that speaks its protocol, without the bucket: https://s3.eu-central-1.amazonaws.com."""
    region: NotRequired[str]
    """Such as eu-central-1; some services take “auto”."""
    bucket: str
    prefix: NotRequired[str]
    """What the names of its files begin with, such as node-1/."""
    accessKeyId: str
    secretAccessKey: NotRequired[str]
    """It is sealed, and never shown. Without it the one that was given with this key for this bucket stays."""
