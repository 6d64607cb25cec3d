"""A method for each operation of the facade.

Written by scripts/client.mjs from the routes and schemas of the node; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    # Loaded with the first answer: to make all models takes longer than everything else here.
    from . import inputs, models


class AsyncOperations:
    """Each raises CountersignError when the node does not answer, or answers with an error."""

    async def _call(self, name: str, members: Mapping[str, Any], idempotency_key: str | None = None) -> Any:
        raise NotImplementedError

    async def issue_intent(
        self,
        *,
        agent_did: str,
        principal_did: str,
        request: inputs.IssueIntentRequest,
        expires_at: str | None = None,
        credential_formats: Sequence[Literal["vc", "vc+jwt", "status", "verdict"]] | None = None,
        delegation_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.IntentResult:
        """Asks permission to spend up to an amount. A refusal is an answer too, with every reason. (``POST
        /ap2/intents``)

        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``principal_did``: Whose money it is: a person or company (the principal), as did:key.
        ``request``: What is asked for.
        ``expires_at``: When it ends.
        ``credential_formats``: Hands the mandate out in more forms, in `credentials`: vc (VCDM 2.0 with
        eddsa-jcs-2022), vc+jwt (VC-JOSE-COSE), and status, the status list that it is in. verdict adds the
        decision as a signed JWT, in `verdict`, also to a refusal.
        ``delegation_id``: The delegation, `dlg_…`, whose open mandate must allow the purchase beside the policy.
        """
        result: models.IntentResult = await self._call("issueIntent", {
            "agentDid": agent_did,
            "principalDid": principal_did,
            "request": request,
            "expiresAt": expires_at,
            "credentialFormats": credential_formats,
            "delegationId": delegation_id,
        }, idempotency_key)
        return result

    async def list_intents(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["ACTIVE", "USED", "EXPIRED"] | None = None,
        agent_did: str | None = None,
        merchant: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        min: inputs.Number | None = None,
        max: inputs.Number | None = None,
        currency: str | None = None,
    ) -> models.ListIntentsOutput:
        """Lists intents, newest first. (``GET /ap2/intents``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``status``: The state it is in.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``merchant``: The merchant that the intent names, by its domain.
        ``from_``: From this moment on.
        ``to``: Up to this moment.
        ``min``: At least so much, in units of `currency`; without it, in units of each one’s own currency.
        ``max``: At most so much, as `min`.
        ``currency``: ISO 4217 code in upper case.
        """
        result: models.ListIntentsOutput = await self._call("listIntents", {
            "limit": limit,
            "cursor": cursor,
            "status": status,
            "agentDid": agent_did,
            "merchant": merchant,
            "from": from_,
            "to": to,
            "min": min,
            "max": max,
            "currency": currency,
        })
        return result

    async def get_intent(
        self,
        mandate_id: str,
    ) -> models.IntentRecord:
        """Shows one intent. (``GET /ap2/intents/:mandateId``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        """
        result: models.IntentRecord = await self._call("getIntent", {"mandateId": mandate_id})
        return result

    async def validate_cart(
        self,
        *,
        intent_vc: Mapping[str, Any],
        cart_vc: Mapping[str, Any],
        hp_proof: Mapping[str, Any] | None = None,
        instrument: str | None = None,
        credential_formats: Sequence[Literal["verdict"]] | None = None,
        idempotency_key: str | None = None,
    ) -> models.CartResult:
        """Checks a merchant’s signed cart against an intent and the policy, and approves it for payment. (``POST
        /ap2/carts/validate``)

        ``intent_vc``: The signed intent: a W3C Verifiable Credential.
        ``cart_vc``: The merchant’s signed cart: a W3C Verifiable Credential.
        ``hp_proof``: The signed statement that the person was present.
        ``instrument``: What will be paid with, for the person who approves; the usual payment method when absent.
        ``credential_formats``: verdict: the decision as a signed JWT, in `verdict`, also where the cart is
        refused.
        """
        result: models.CartResult = await self._call("validateCart", {
            "intentVc": intent_vc,
            "cartVc": cart_vc,
            "hpProof": hp_proof,
            "instrument": instrument,
            "credentialFormats": credential_formats,
        }, idempotency_key)
        return result

    async def mandate_payment(
        self,
        *,
        approval_token: str,
        user_authorization: str | None = None,
        instrument: str | None = None,
        credential_formats: Sequence[Literal["vc", "vc+jwt", "status"]] | None = None,
        ucp: inputs.MandatePaymentUcp | None = None,
        idempotency_key: str | None = None,
    ) -> models.PaymentResult:
        """Exchanges an approval token for a signed payment mandate and asks the rail to authorize the payment.
        (``POST /ap2/payments/mandate``)

        ``approval_token``: Exchanged once for a payment mandate, `apt_…`.
        ``user_authorization``: A signature of the user for high-value payments.
        ``instrument``: The payment method: one registered for the agent, or for whose money it is; in the sandbox
        also a test card, such as pm_card_visa or pm_card_visa_chargeDeclined.
        ``credential_formats``: Hands the mandate out in more forms, in `credentials`: vc (VCDM 2.0 with
        eddsa-jcs-2022), vc+jwt (VC-JOSE-COSE), and status, the status list that it is in.
        ``ucp``: For whom the mandates of a checkout of UCP are made.
        """
        result: models.PaymentResult = await self._call("mandatePayment", {
            "approvalToken": approval_token,
            "userAuthorization": user_authorization,
            "instrument": instrument,
            "credentialFormats": credential_formats,
            "ucp": ucp,
        }, idempotency_key)
        return result

    async def authorize_http_payment(
        self,
        *,
        agent_did: str,
        principal_did: str | None = None,
        delegation_id: str | None = None,
        url: str | None = None,
        method: str | None = None,
        body_digest: str | None = None,
        challenges: Sequence[str | Mapping[str, Any]] | None = None,
        payment_required: str | Mapping[str, Any] | None = None,
        accepted: Mapping[str, Any] | None = None,
        tool_name: str | None = None,
        instrument: str | None = None,
        replaces: str | None = None,
        approval_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.HttpPaymentResult:
        """Asks to pay what a server asked for by HTTP (402), and gets what to send it: by MPP or by x402, under one
        budget. (``POST /ap2/http-payments/authorize``)

        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``principal_did``: Whose money it is; the agent’s own when absent.
        ``delegation_id``: The delegation, `dlg_…`, whose open mandate must allow the purchase beside the policy.
        ``url``: What was requested: its host is the merchant. Of several hops the one that answered 402.
        ``method``: By which it was requested; GET when absent.
        ``body_digest``: Of the request’s body, `sha-256=…` (RFC 9530 or 3230).
        ``challenges``: Values of WWW-Authenticate as they were received, or the challenges of an answer by MCP.
        ``payment_required``: The value of PAYMENT-REQUIRED, or what it holds.
        ``accepted``: Which of the accepted payments a client has chosen, as it was received; the first that can
        be paid when absent.
        ``tool_name``: The tool of an MCP server that asked for it.
        ``instrument``: What is paid with; the usual payment method when absent.
        ``replaces``: The payment of the first try, where that came to nothing.
        ``approval_id``: The approval that the refusal of the same purchase named, once a person has granted it.
        """
        result: models.HttpPaymentResult = await self._call("authorizeHttpPayment", {
            "agentDid": agent_did,
            "principalDid": principal_did,
            "delegationId": delegation_id,
            "url": url,
            "method": method,
            "bodyDigest": body_digest,
            "challenges": challenges,
            "paymentRequired": payment_required,
            "accepted": accepted,
            "toolName": tool_name,
            "instrument": instrument,
            "replaces": replaces,
            "approvalId": approval_id,
        }, idempotency_key)
        return result

    async def settle_http_payment(
        self,
        *,
        mandate_id: str | None = None,
        challenge_id: str | None = None,
        nonce: str | None = None,
        receipt: str | Mapping[str, Any] | None = None,
        payment_response: str | Mapping[str, Any] | None = None,
        payment_required: str | Mapping[str, Any] | None = None,
        problem: Mapping[str, Any] | None = None,
        session: Mapping[str, Any] | None = None,
        order: Mapping[str, Any] | None = None,
        status: int | None = None,
    ) -> models.Payment:
        """Tells what became of a payment by HTTP, and shows the payment as it stands then. (``POST
        /ap2/http-payments/settlements``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        ``challenge_id``: Names the challenge of this ceremony; good for one use within 300 seconds.
        ``nonce``: A value that is signed along, so that what is signed serves once.
        ``receipt``: The value of Payment-Receipt, or what it holds.
        ``payment_response``: The value of PAYMENT-RESPONSE, or what it holds.
        ``payment_required``: Where the server asked once more: what it asked for.
        ``problem``: The problem details of a 402 that came in place of what was bought, or an error of ACP.
        ``session``: Of acp: the session that the shop answered, with its order.
        ``order``: Of acp: the order, where the shop told of it alone.
        ``status``: Of the answer by HTTP.
        """
        result: models.Payment = await self._call("settleHttpPayment", {
            "mandateId": mandate_id,
            "challengeId": challenge_id,
            "nonce": nonce,
            "receipt": receipt,
            "paymentResponse": payment_response,
            "paymentRequired": payment_required,
            "problem": problem,
            "session": session,
            "order": order,
            "status": status,
        })
        return result

    async def list_payments(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: inputs.ListPaymentsStatus | None = None,
        agent_did: str | None = None,
        merchant: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        min: inputs.Number | None = None,
        max: inputs.Number | None = None,
        currency: str | None = None,
        sort: Literal["newest", "oldest", "largest", "smallest"] | None = None,
    ) -> models.ListPaymentsOutput:
        """Lists payments, newest first, or as `sort` says. (``GET /ap2/payments``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``status``: The state it is in.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``merchant``: The merchant’s domain.
        ``from_``: From this moment on.
        ``to``: Up to this moment.
        ``min``: At least so much, in units of `currency`; without it, in units of each one’s own currency.
        ``max``: At most so much, as `min`.
        ``currency``: ISO 4217 code in upper case.
        ``sort``: Which come first; the newest ones, unless it is said. By amount those of one `currency` are
        listed.
        """
        result: models.ListPaymentsOutput = await self._call("listPayments", {
            "limit": limit,
            "cursor": cursor,
            "status": status,
            "agentDid": agent_did,
            "merchant": merchant,
            "from": from_,
            "to": to,
            "min": min,
            "max": max,
            "currency": currency,
            "sort": sort,
        })
        return result

    async def list_disputes(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["needs_response", "under_review", "won", "lost", "inquiry", "inquiry_closed"] | None = None,
        agent_did: str | None = None,
    ) -> models.ListDisputesOutput:
        """Lists disputes of payments, and banks’ inquiries, newest first. (``GET /ap2/disputes``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``status``: `inquiry`: the bank asks, and takes no money so far; `won` and `lost` as the merchant sees it.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        """
        result: models.ListDisputesOutput = await self._call("listDisputes", {
            "limit": limit,
            "cursor": cursor,
            "status": status,
            "agentDid": agent_did,
        })
        return result

    async def answer_dispute(
        self,
        id: str,
        *,
        submit: bool | None = None,
    ) -> models.DisputeRecord:
        """Gives the rail what answers a dispute: laid down for a person to look at, or submitted to the bank.
        (``POST /ap2/disputes/:id/evidence``)

        ``id``: The id of this record.
        ``submit``: Whether the bank gets it, which only an OWNER may say; else it is laid down at the rail, and
        can be changed there.
        """
        result: models.DisputeRecord = await self._call("answerDispute", {"id": id, "submit": submit})
        return result

    async def submit_dispute(
        self,
        id: str,
        *,
        note: str,
    ) -> models.DisputeRecord:
        """Records that evidence was submitted for a dispute: where, and what. (``POST /ap2/disputes/:id/submitted``)

        ``id``: The id of this record.
        ``note``: What was submitted, and where; it stands in the evidence.
        """
        result: models.DisputeRecord = await self._call("submitDispute", {"id": id, "note": note})
        return result

    async def get_payment(
        self,
        mandate_id: str,
    ) -> models.PaymentRecord:
        """Shows one payment with its mandate and, where a chain of mandates stands behind it, its receipt. (``GET
        /ap2/payments/:mandateId``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        """
        result: models.PaymentRecord = await self._call("getPayment", {"mandateId": mandate_id})
        return result

    async def download_dispute_pack(
        self,
        mandate_id: str,
    ) -> str | str:
        """Downloads what answers the disputes of a payment: a zip archive with a page to print, and the same for
        programs. (``GET /ap2/payments/:mandateId/dispute-pack``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        """
        result: str | str = await self._call("downloadDisputePack", {"mandateId": mandate_id})
        return result

    async def capture_payment(
        self,
        mandate_id: str,
        *,
        amount: inputs.Number | None = None,
        idempotency_key: str | None = None,
    ) -> models.Payment:
        """Captures the authorized amount, or part of it. (``POST /ap2/payments/:mandateId/capture``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        ``amount``: An amount in units of the currency: 42.5 is 42.50 USD.
        """
        result: models.Payment = await self._call("capturePayment", {"mandateId": mandate_id, "amount": amount}, idempotency_key)
        return result

    async def cancel_payment(
        self,
        mandate_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Payment:
        """Cancels an authorization and releases what it reserved. (``POST /ap2/payments/:mandateId/cancel``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        """
        result: models.Payment = await self._call("cancelPayment", {"mandateId": mandate_id}, idempotency_key)
        return result

    async def refund_payment(
        self,
        mandate_id: str,
        *,
        amount: inputs.Number | None = None,
        evidence: inputs.RefundPaymentEvidence | None = None,
        idempotency_key: str | None = None,
    ) -> models.Payment:
        """Refunds the captured amount, or part of it. (``POST /ap2/payments/:mandateId/refund``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        ``amount``: An amount in units of the currency: 42.5 is 42.50 USD.
        ``evidence``: Of a payment that was made elsewhere: what shows that money came back. A rail tells it
        itself.
        """
        result: models.Payment = await self._call("refundPayment", {
            "mandateId": mandate_id,
            "amount": amount,
            "evidence": evidence,
        }, idempotency_key)
        return result

    async def reconcile_payment(
        self,
        mandate_id: str,
    ) -> models.Payment:
        """Asks the rail at once about a payment whose outcome is open, and answers how the payment stands then.
        (``POST /ap2/payments/:mandateId/reconcile``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        """
        result: models.Payment = await self._call("reconcilePayment", {"mandateId": mandate_id})
        return result

    async def settle_payment(
        self,
        mandate_id: str,
        *,
        status: Literal["CAPTURED", "CANCELED"],
        note: str,
        amount: inputs.Number | None = None,
    ) -> models.Payment:
        """Says how a payment ended that its merchant settles, where nothing can be asked about it any more. (``POST
        /ap2/payments/:mandateId/settle``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        ``status``: Whether the money was taken; CANCELED frees it. One that has ended, and is left to a person,
        keeps its end.
        ``note``: How the owner knows; it stands in the evidence.
        ``amount``: What was taken; all that was authorized when absent.
        """
        result: models.Payment = await self._call("settlePayment", {
            "mandateId": mandate_id,
            "status": status,
            "amount": amount,
            "note": note,
        })
        return result

    async def show_credential(
        self,
        id: str,
        *,
        as_: Literal["vc", "vc+jwt"] | None = None,
    ) -> dict[str, Any] | str:
        """Shows the mandate of an intent or a payment, as it was issued or in a form that other libraries verify.
        (``GET /ap2/credentials/:id``)

        ``id``: Of an intent (`intent_…`) or of a payment’s mandate (`pm_…`).
        ``as_``: vc: a document of the data model 2.0 with a proof of eddsa-jcs-2022. vc+jwt: the same document as
        a signed token. Without it, the form in which it was issued.
        """
        result: dict[str, Any] | str = await self._call("showCredential", {"id": id, "as": as_})
        return result

    async def show_spend(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        timezone: str | None = None,
        by: Literal["agent", "merchant", "day", "month", "principal", "category"] | None = None,
        currency: str | None = None,
        principal_did: str | None = None,
    ) -> models.Spend:
        """Sums what was paid, what came back and what is held, by currency, and by agent, merchant, day, month,
        whose money it is, or category. (``GET /ap2/admin/spend``)

        ``from_``: The first day: `2026-11-01`. Without it, from the first payment on.
        ``to``: The last day; it is included. Without it, up to now.
        ``timezone``: In which days begin at midnight, such as `Europe/Berlin`; UTC when absent.
        ``by``: What the sums are divided by, besides the currency. By `principal` (whose money) or `category`
        each payment is read: give a time where there are many.
        ``currency``: ISO 4217 code in upper case.
        ``principal_did``: Whose money: only what was spent of it.
        """
        result: models.Spend = await self._call("showSpend", {
            "from": from_,
            "to": to,
            "timezone": timezone,
            "by": by,
            "currency": currency,
            "principalDid": principal_did,
        })
        return result

    async def export_journal(
        self,
        *,
        month: str,
        timezone: str | None = None,
        format: Literal["csv", "beancount"] | None = None,
    ) -> str | str:
        """Exports what was paid, refunded and disputed in a month as a journal in double entry, newest first. (``GET
        /ap2/admin/journal``)

        ``month``: The month, such as `2026-11`.
        ``timezone``: In which days begin at midnight, such as `Europe/Berlin`; UTC when absent.
        ``format``: `csv` has a line for each posting; `beancount` is text for Beancount, and for what reads that.
        """
        result: str | str = await self._call("exportJournal", {
            "month": month,
            "timezone": timezone,
            "format": format,
        })
        return result

    async def show_attention(
        self,
    ) -> models.Attention:
        """Shows what needs a person: approvals, payments without an outcome, disputes, and what is wrong with the
        node. (``GET /ap2/admin/attention``)
        """
        result: models.Attention = await self._call("showAttention", {})
        return result

    async def search(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> models.SearchResult:
        """Finds agents, payments, intents, merchants, webhooks and whose money it is by id, name, domain or amount.
        (``GET /ap2/admin/search``)

        ``q``: An id or the beginning of one, a name, a domain, or an amount such as `42.50` or `42.50 USD`.
        ``limit``: How many of each kind, 1 to 20.
        """
        result: models.SearchResult = await self._call("search", {"q": q, "limit": limit})
        return result

    async def show_health(
        self,
    ) -> models.NodeHealth:
        """Shows what the node finds of its own health, each with a remedy where something is wrong. (``GET
        /ap2/admin/health``)
        """
        result: models.NodeHealth = await self._call("showHealth", {})
        return result

    async def get_escalation(
        self,
    ) -> models.GetEscalationOutput:
        """Shows who is told, one after the other, of an approval that is not decided. (``GET
        /ap2/admin/escalation``)
        """
        result: models.GetEscalationOutput = await self._call("getEscalation", {})
        return result

    async def set_escalation(
        self,
        *,
        user_ids: Sequence[str],
        after_minutes: int | None = None,
    ) -> models.GetEscalationOutput:
        """Sets who is told, one after the other, of an approval that is not decided. (``PUT /ap2/admin/escalation``)

        ``user_ids``: The users who are told, one after the other; an empty list ends it.
        ``after_minutes``: How long each time, at most: the next user is told when half of the time that is left
        has passed, or this many minutes.
        """
        result: models.GetEscalationOutput = await self._call("setEscalation", {
            "userIds": user_ids,
            "afterMinutes": after_minutes,
        })
        return result

    async def start_backup(
        self,
    ) -> models.StartBackupOutput:
        """Has a backup of the whole node made, without its keys, to be downloaded once it is READY. One that is
        being made goes on. (``POST /ap2/admin/backups``)
        """
        result: models.StartBackupOutput = await self._call("startBackup", {})
        return result

    async def show_backup(
        self,
    ) -> models.StartBackupOutput:
        """Shows how far the newest backup is, and which one can be downloaded. (``GET /ap2/admin/backups/latest``)"""
        result: models.StartBackupOutput = await self._call("showBackup", {})
        return result

    async def current_policy(
        self,
    ) -> models.Policy:
        """Shows the policy that purchases are judged by now. (``GET /ap2/policies/current``)"""
        result: models.Policy = await self._call("currentPolicy", {})
        return result

    async def list_policies(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListPoliciesOutput:
        """Lists every version of every policy, newest first. (``GET /ap2/policies``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListPoliciesOutput = await self._call("listPolicies", {"limit": limit, "cursor": cursor})
        return result

    async def replay_policy(
        self,
        *,
        rules: inputs.Rules | None = None,
        since: str | None = None,
        at: str | None = None,
        before: inputs.ReplayPolicyBefore | None = None,
        limit: int | None = None,
    ) -> models.ReplayPolicyOutput:
        """Judges recorded requests by a draft, or the current policy, and tells which decisions would be others.
        (``POST /ap2/policies/replay``)

        ``rules``: A draft; without one the current policy judges.
        ``since``: Requests from this moment on are judged; 30 days before `at` when absent.
        ``at``: The replay ends at this moment; now when absent.
        ``before``: A history that every agent has before the first event that is read; none when absent.
        ``limit``: How many flips are told, the newest first.
        """
        result: models.ReplayPolicyOutput = await self._call("replayPolicy", {
            "rules": rules,
            "since": since,
            "at": at,
            "before": before,
            "limit": limit,
        })
        return result

    async def simulate_draft(
        self,
        *,
        request: inputs.SimulateDraftRequest,
        rules: inputs.Rules | None = None,
        at: str | None = None,
        before: inputs.SimulateDraftBefore | None = None,
    ) -> models.Simulation:
        """Tries a request against a draft, or the current policy, and tells what every rule says of it. (``POST
        /ap2/policies/simulate``)

        ``request``: What is asked for.
        ``rules``: A draft; without one the current policy is tried.
        ``at``: The moment at which it is tried; now when absent. An agent’s history is as it is now.
        ``before``: A history to try it after, in place of an agent’s.
        """
        result: models.Simulation = await self._call("simulateDraft", {
            "rules": rules,
            "request": request,
            "at": at,
            "before": before,
        })
        return result

    async def compare_policies(
        self,
        *,
        next: inputs.Rules,
        former: inputs.Rules | None = None,
    ) -> models.ComparePoliciesOutput:
        """Compares a draft with the current policy, or with another draft, and tells what becomes looser. (``POST
        /ap2/policies/compare``)

        ``next``: What it will be.
        ``former``: The current policy’s rules when absent.
        """
        result: models.ComparePoliciesOutput = await self._call("comparePolicies", {"former": former, "next": next})
        return result

    async def explain_policy(
        self,
        *,
        amount: inputs.Number | None = None,
        currency: str | None = None,
        merchant_domain: str | None = None,
        mcc: str | None = None,
        country: str | None = None,
        principal_did: str | None = None,
        agent_did: str | None = None,
    ) -> models.ExplainPolicyOutput:
        """Tells what the current policy would say of a purchase. Nothing is issued, counted or recorded. (``POST
        /ap2/policies/explain``)

        ``amount``: The smallest amount there is when absent.
        ``currency``: The policy’s own when absent.
        ``merchant_domain``: The merchant’s domain.
        ``mcc``: Merchant category code of four digits (ISO 18245).
        ``country``: Where the merchant is, ISO 3166-1 alpha-2.
        ``principal_did``: Whose money it would be; the agent stands for one that is not registered.
        ``agent_did``: Whose spending so far counts: the calling agent’s when absent, or a new agent’s.
        """
        result: models.ExplainPolicyOutput = await self._call("explainPolicy", {
            "amount": amount,
            "currency": currency,
            "merchantDomain": merchant_domain,
            "mcc": mcc,
            "country": country,
            "principalDid": principal_did,
            "agentDid": agent_did,
        })
        return result

    async def create_policy(
        self,
        *,
        name: str,
        rules: inputs.Rules,
        activate: bool | None = None,
        if_current: inputs.CreatePolicyIfCurrent | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.CreatePolicyOutput:
        """Creates a policy; it becomes the current one unless "activate" is false. (``POST /ap2/admin/policies``)

        ``name``: A name for people.
        ``rules``: The rules. A rule that is not known is refused.
        ``activate``: Whether it becomes the current policy at once.
        ``if_current``: The version that is current as far as the caller knows; null where none is. Where another
        one is, nothing is written.
        ``if_match``: The ETag with which it was read, as the header If-Match has it. Where it is another one by
        now, nothing is changed.
        """
        result: models.CreatePolicyOutput = await self._call("createPolicy", {
            "name": name,
            "rules": rules,
            "activate": activate,
            "ifCurrent": if_current,
            "ifMatch": if_match,
        }, idempotency_key)
        return result

    async def replay_draft(
        self,
        *,
        rules: inputs.Rules | None = None,
        since: str | None = None,
        at: str | None = None,
        before: inputs.ReplayPolicyBefore | None = None,
        limit: int | None = None,
        format: Literal["ndjson", "json"] | None = None,
    ) -> models.ReplayPolicyOutput | str:
        """As a replay, over all requests of a time, and tells how far it is. It ends when its caller goes. (``POST
        /ap2/admin/policies/replay``)

        ``rules``: A draft; without one the current policy judges.
        ``since``: Requests from this moment on are judged; 30 days before `at` when absent.
        ``at``: The replay ends at this moment; now when absent.
        ``before``: A history that every agent has before the first event that is read; none when absent.
        ``limit``: How many flips are told, the newest first.
        ``format``: ndjson: a line {checked, of} from time to time, and {result} on the last; json: the result
        alone.
        """
        result: models.ReplayPolicyOutput | str = await self._call("replayDraft", {
            "rules": rules,
            "since": since,
            "at": at,
            "before": before,
            "limit": limit,
            "format": format,
        })
        return result

    async def update_policy(
        self,
        id: str,
        *,
        name: str | None = None,
        rules: inputs.Rules | None = None,
        if_current: inputs.CreatePolicyIfCurrent | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.CreatePolicyOutput:
        """Writes the next version of a policy; it is current if the version before was. (``PUT
        /ap2/admin/policies/:id``)

        ``id``: The id of this record.
        ``name``: A name for people.
        ``rules``: The rules. A rule that is not known is refused.
        ``if_current``: The version that is current as far as the caller knows; null where none is. Where another
        one is, nothing is written.
        ``if_match``: The ETag with which it was read, as the header If-Match has it. Where it is another one by
        now, nothing is changed.
        """
        result: models.CreatePolicyOutput = await self._call("updatePolicy", {
            "id": id,
            "name": name,
            "rules": rules,
            "ifCurrent": if_current,
            "ifMatch": if_match,
        }, idempotency_key)
        return result

    async def simulate_policy(
        self,
        id: str,
        *,
        request: inputs.SimulateDraftRequest,
    ) -> models.Simulation:
        """Tries a request against a policy. Nothing is issued, counted or recorded. (``POST
        /ap2/admin/policies/:id/simulate``)

        ``id``: The id of this record.
        ``request``: What is asked for.
        """
        result: models.Simulation = await self._call("simulatePolicy", {"id": id, "request": request})
        return result

    async def list_decisions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        agent_did: str | None = None,
        merchant: str | None = None,
        outcome: Literal["allowed", "refused", "approval"] | None = None,
        reason_code: models.ReasonCode | None = None,
        from_: str | None = None,
        to: str | None = None,
        min: inputs.Number | None = None,
        max: inputs.Number | None = None,
        currency: str | None = None,
        sort: Literal["newest", "oldest", "largest", "smallest"] | None = None,
    ) -> models.ListDecisionsOutput:
        """Lists every intent and cart that was judged, refused ones too, newest first, or as `sort` says. A page may
        be short of its limit, or empty, and have a cursor. (``GET /ap2/decisions``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``merchant``: The merchant’s domain.
        ``outcome``: approval: nothing but a person’s touch was missing.
        ``reason_code``: A reason against it.
        ``from_``: From this moment on.
        ``to``: Up to this moment.
        ``min``: At least so much, in units of `currency`; without it, in units of each one’s own currency.
        ``max``: At most so much, as `min`.
        ``currency``: ISO 4217 code in upper case.
        ``sort``: Which come first; the newest ones, unless it is said. By amount those of one `currency` are
        listed.
        """
        result: models.ListDecisionsOutput = await self._call("listDecisions", {
            "limit": limit,
            "cursor": cursor,
            "agentDid": agent_did,
            "merchant": merchant,
            "outcome": outcome,
            "reasonCode": reason_code,
            "from": from_,
            "to": to,
            "min": min,
            "max": max,
            "currency": currency,
            "sort": sort,
        })
        return result

    async def get_decisions(
        self,
        transaction_id: str,
    ) -> models.GetDecisionsOutput:
        """Shows the judgements of one transaction with what each rule said, and what would have passed at that
        moment. (``GET /ap2/decisions/:transactionId``)

        ``transaction_id``: The transaction that ties intent, cart, payment and evidence together, `txn_…`.
        """
        result: models.GetDecisionsOutput = await self._call("getDecisions", {"transactionId": transaction_id})
        return result

    async def register_agent(
        self,
        *,
        name: str,
        public_key: str,
        description: str | None = None,
        capabilities: Sequence[str] | None = None,
        owner_user_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.AgentSummary:
        """Registers an agent by its Ed25519 public key. (``POST /ap2/agents``)

        ``name``: A name for people.
        ``public_key``: The Ed25519 public key: base58 of its 32 bytes, or multibase `z6Mk…`.
        ``description``: What it is for.
        ``capabilities``: What it can do.
        ``owner_user_id``: The user whose passkeys approve what it buys; a person who registers it, where it is
        not given.
        """
        result: models.AgentSummary = await self._call("registerAgent", {
            "name": name,
            "description": description,
            "capabilities": capabilities,
            "publicKey": public_key,
            "ownerUserId": owner_user_id,
        }, idempotency_key)
        return result

    async def list_agents(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["ACTIVE", "REVOKED", "SUSPENDED"] | None = None,
    ) -> models.ListAgentsOutput:
        """Lists agents, newest first. (``GET /ap2/agents``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``status``: The state it is in.
        """
        result: models.ListAgentsOutput = await self._call("listAgents", {
            "limit": limit,
            "cursor": cursor,
            "status": status,
        })
        return result

    async def list_limits(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["ACTIVE", "REVOKED", "SUSPENDED"] | None = None,
        agents: str | Sequence[str] | None = None,
    ) -> models.ListLimitsOutput:
        """Lists agents, newest first, with what their limits in time allow and what of it is used now. (``GET
        /ap2/agents/limits``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``status``: The state it is in.
        ``agents``: Only these agents, at most 50: their DIDs, separated by commas.
        """
        result: models.ListLimitsOutput = await self._call("listLimits", {
            "limit": limit,
            "cursor": cursor,
            "status": status,
            "agents": agents,
        })
        return result

    async def get_agent(
        self,
        did: str,
    ) -> models.Agent:
        """Shows one agent. (``GET /ap2/agents/:did``)

        ``did``: A did:key: `did:key:z6Mk…`.
        """
        result: models.Agent = await self._call("getAgent", {"did": did})
        return result

    async def show_agent_limits(
        self,
        did: str,
        *,
        principal_did: str | None = None,
    ) -> models.ShowAgentLimitsOutput:
        """Shows the limits over time that hold for an agent, with what is used of each now. (``GET
        /ap2/agents/:did/limits``)

        ``did``: A did:key: `did:key:z6Mk…`.
        ``principal_did``: Whose money the agent would spend; alone, the limits of all of its agents.
        """
        result: models.ShowAgentLimitsOutput = await self._call("showAgentLimits", {"did": did, "principalDid": principal_did})
        return result

    async def show_limits(
        self,
        *,
        agent_did: str | None = None,
        principal_did: str | None = None,
    ) -> models.ShowAgentLimitsOutput:
        """Shows the limits over time of an agent, of agents that spend the same money, or of all, with what is used
        now. (``GET /ap2/limits``)

        ``agent_did``: The limits that hold for this agent.
        ``principal_did``: Whose money the agent would spend; alone, the limits of all of its agents.
        """
        result: models.ShowAgentLimitsOutput = await self._call("showLimits", {
            "agentDid": agent_did,
            "principalDid": principal_did,
        })
        return result

    async def change_agent(
        self,
        did: str,
        *,
        name: str | None = None,
        description: str | None = None,
        owner_user_id: str | None = None,
        mandate_keys: Sequence[Mapping[str, Any]] | None = None,
        if_match: str | None = None,
    ) -> models.Agent:
        """Renames an agent, describes it anew, or sets the user who owns it and approves for it, or the keys by
        which it closes mandates. (``PUT /ap2/agents/:did``)

        ``did``: A did:key: `did:key:z6Mk…`.
        ``name``: A name for people.
        ``description``: What it is for.
        ``owner_user_id``: The user whose passkeys approve what it buys, besides its own; null for no user.
        ``mandate_keys``: The keys by which it closes mandates, of P-256 or Ed25519; those that are left out are
        no more its own. A key is one agent’s.
        ``if_match``: The ETag with which it was read, as the header If-Match has it. Where it is another one by
        now, nothing is changed.
        """
        result: models.Agent = await self._call("changeAgent", {
            "did": did,
            "name": name,
            "description": description,
            "ownerUserId": owner_user_id,
            "mandateKeys": mandate_keys,
            "ifMatch": if_match,
        })
        return result

    async def revoke_agent(
        self,
        did: str,
        *,
        reason: str,
    ) -> models.Agent:
        """Revokes an agent permanently and voids its approval tokens. (``POST /ap2/admin/agents/:did/revoke``)

        ``did``: A did:key: `did:key:z6Mk…`.
        ``reason``: Why.
        """
        result: models.Agent = await self._call("revokeAgent", {"did": did, "reason": reason})
        return result

    async def suspend_agent(
        self,
        did: str,
        *,
        reason: str | None = None,
    ) -> models.Agent:
        """Suspends an agent until it is reactivated. (``POST /ap2/admin/agents/:did/suspend``)

        ``did``: A did:key: `did:key:z6Mk…`.
        ``reason``: Why.
        """
        result: models.Agent = await self._call("suspendAgent", {"did": did, "reason": reason})
        return result

    async def reactivate_agent(
        self,
        did: str,
        *,
        reason: str | None = None,
    ) -> models.Agent:
        """Reactivates a suspended agent. (``POST /ap2/admin/agents/:did/reactivate``)

        ``did``: A did:key: `did:key:z6Mk…`.
        ``reason``: Why.
        """
        result: models.Agent = await self._call("reactivateAgent", {"did": did, "reason": reason})
        return result

    async def set_agent_velocity(
        self,
        did: str,
        *,
        if_match: str | None = None,
        max_transactions: int | None = None,
        max_amount: inputs.Number | None = None,
        time_window: str | None = None,
        limits: Sequence[inputs.SetAgentVelocityLimits] | None = None,
    ) -> models.Agent:
        """Sets an agent’s own limits over time, in place of those that the policy has for each agent. (``PUT
        /ap2/admin/agents/:did/velocity``)

        ``did``: A did:key: `did:key:z6Mk…`.
        ``if_match``: The ETag with which it was read, as the header If-Match has it. Where it is another one by
        now, nothing is changed.
        ``max_transactions``: How many purchases within the window.
        ``max_amount``: The most that may be spent, in units of the currency: 42.5 is 42.50 USD.
        ``time_window``: How long the sliding window is: a whole number and s, m, h or d, such as 24h.
        ``limits``: In place of those of risk.limits that each agent has to itself; an empty list for none.
        """
        result: models.Agent = await self._call("setAgentVelocity", {
            "did": did,
            "ifMatch": if_match,
            "maxTransactions": max_transactions,
            "maxAmount": max_amount,
            "timeWindow": time_window,
            "limits": limits,
        })
        return result

    async def bind_merchant(
        self,
        *,
        domain: str,
        did: str | None = None,
        jwk: Mapping[str, Any] | None = None,
        jwks_url: str | None = None,
        rail_account_id: str | None = None,
        rail_profile_id: str | None = None,
        pay_to: Sequence[str] | None = None,
        mcc: str | None = None,
        country: str | None = None,
        signature_agent_form: Literal["string", "dictionary"] | None = None,
    ) -> models.Merchant:
        """Binds a key to a merchant’s domain, so that carts it signs are trusted, and its names at rails, so that it
        is paid where no cart is signed. (``POST /ap2/admin/merchants``)

        ``domain``: The merchant’s domain.
        ``did``: Its key as a did:key, or did:web of its domain.
        ``jwk``: Its public key as a JSON Web Key: ES256, ES384, ES512, EdDSA or RS256.
        ``jwks_url``: Where its JSON Web Keys are; in place of its /.well-known/jwks.json.
        ``rail_account_id``: The account of the merchant at the payment rail.
        ``rail_profile_id``: Its profile in the network of the rail, to which shared payment tokens are made out.
        ``pay_to``: Its accounts on chains (CAIP-10), such as `eip155:8453:0x…`: what x402 pays.
        ``mcc``: Its category, which wins over what an agent says.
        ``country``: Where it is, which wins over what an agent says.
        ``signature_agent_form``: How it reads Signature-Agent of signed requests: as a text or as a dictionary.
        """
        result: models.Merchant = await self._call("bindMerchant", {
            "domain": domain,
            "did": did,
            "jwk": jwk,
            "jwksUrl": jwks_url,
            "railAccountId": rail_account_id,
            "railProfileId": rail_profile_id,
            "payTo": pay_to,
            "mcc": mcc,
            "country": country,
            "signatureAgentForm": signature_agent_form,
        })
        return result

    async def list_merchants(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListMerchantsOutput:
        """Lists bound merchants, newest first. (``GET /ap2/admin/merchants``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListMerchantsOutput = await self._call("listMerchants", {"limit": limit, "cursor": cursor})
        return result

    async def remove_merchant(
        self,
        id: str,
    ) -> None:
        """Removes a merchant’s key from the registry. (``DELETE /ap2/admin/merchants/:id``)

        ``id``: The id of this record.
        """
        await self._call("removeMerchant", {"id": id})

    async def register_principal(
        self,
        *,
        did: str,
        name: str,
        agents: Sequence[str] | None = None,
    ) -> models.Principal:
        """Registers whose money is spent: a person or company, the principal. From then on only the agents it names
        may spend it. (``POST /ap2/admin/principals``)

        ``did``: A did:key: `did:key:z6Mk…`.
        ``name``: A name for people.
        """
        result: models.Principal = await self._call("registerPrincipal", {"did": did, "name": name, "agents": agents})
        return result

    async def list_principals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListPrincipalsOutput:
        """Lists principals (people and companies whose money is spent) with the agents that may spend it, newest
        first. (``GET /ap2/admin/principals``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListPrincipalsOutput = await self._call("listPrincipals", {"limit": limit, "cursor": cursor})
        return result

    async def get_principal(
        self,
        did: str,
    ) -> models.Principal:
        """Shows a principal and the agents that may spend its money. (``GET /ap2/admin/principals/:did``)

        ``did``: A did:key: `did:key:z6Mk…`.
        """
        result: models.Principal = await self._call("getPrincipal", {"did": did})
        return result

    async def change_principal(
        self,
        did: str,
        *,
        name: str | None = None,
        agents: Sequence[str] | None = None,
    ) -> models.Principal:
        """Renames a principal, or sets which agents may spend its money; a purchase under way is judged by it, too.
        (``PUT /ap2/admin/principals/:did``)

        ``did``: A did:key: `did:key:z6Mk…`.
        ``name``: A name for people.
        """
        result: models.Principal = await self._call("changePrincipal", {"did": did, "name": name, "agents": agents})
        return result

    async def add_instrument(
        self,
        *,
        payment_method: str,
        agent_did: str | None = None,
        principal_did: str | None = None,
        customer: str | None = None,
    ) -> models.Instrument:
        """Registers what an agent pays with, or each agent that spends the same money. (``POST
        /ap2/admin/instruments``)

        ``payment_method``: The payment method by its name at the rail, such as pm_1Q….
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``principal_did``: Whose money it is: a person or company (the principal), as did:key.
        ``customer``: Whose it is, by the name at the rail, such as cus_R….
        """
        result: models.Instrument = await self._call("addInstrument", {
            "agentDid": agent_did,
            "principalDid": principal_did,
            "paymentMethod": payment_method,
            "customer": customer,
        })
        return result

    async def list_instruments(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        agent_did: str | None = None,
        principal_did: str | None = None,
    ) -> models.ListInstrumentsOutput:
        """Lists registered payment methods, newest first. (``GET /ap2/admin/instruments``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``principal_did``: Whose money it is: a person or company (the principal), as did:key.
        """
        result: models.ListInstrumentsOutput = await self._call("listInstruments", {
            "limit": limit,
            "cursor": cursor,
            "agentDid": agent_did,
            "principalDid": principal_did,
        })
        return result

    async def remove_instrument(
        self,
        id: str,
    ) -> None:
        """Removes a payment method; purchases from now on cannot use it. (``DELETE /ap2/admin/instruments/:id``)

        ``id``: The id of this record.
        """
        await self._call("removeInstrument", {"id": id})

    async def create_api_key(
        self,
        *,
        name: str,
        permissions: Sequence[Literal["read", "write", "admin"]],
        tier: Literal["free", "pro", "enterprise"] | None = None,
        agents: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> models.CreateApiKeyOutput:
        """Creates an API key, which has at most what its maker has, and ends with it. Only this answer shows it.
        (``POST /ap2/admin/api-keys``)

        ``name``: A name for people.
        ``permissions``: What the key may do: any of read, write and admin. None implies another.
        ``tier``: Which rate limit holds.
        ``agents``: It acts for these agents alone, and sees their own alone.
        """
        result: models.CreateApiKeyOutput = await self._call("createApiKey", {
            "name": name,
            "permissions": permissions,
            "tier": tier,
            "agents": agents,
        }, idempotency_key)
        return result

    async def list_api_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListApiKeysOutput:
        """Lists API keys, revoked ones too, newest first. A key itself is never shown again. (``GET
        /ap2/admin/api-keys``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListApiKeysOutput = await self._call("listApiKeys", {"limit": limit, "cursor": cursor})
        return result

    async def revoke_api_key(
        self,
        id: str,
    ) -> None:
        """Revokes an API key, every key that it made, links of theirs that were not used yet, and passkeys that they
        enrolled; from the answer on they are refused. Revoking it again changes nothing. (``DELETE
        /ap2/admin/api-keys/:id``)

        ``id``: The id of this record.
        """
        await self._call("revokeApiKey", {"id": id})

    async def list_users(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListUsersOutput:
        """Lists users, newest first. (``GET /ap2/admin/users``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListUsersOutput = await self._call("listUsers", {"limit": limit, "cursor": cursor})
        return result

    async def set_user_role(
        self,
        id: str,
        *,
        role: Literal["OWNER", "ADMIN", "MEMBER", "VIEWER"],
    ) -> models.ListUsersOutputData:
        """Gives a person a role, and so lets them in, again too. An OWNER does it after logging in; one always
        remains. (``PUT /ap2/admin/users/:id``)

        ``id``: The id of this record.
        ``role``: OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads.
        """
        result: models.ListUsersOutputData = await self._call("setUserRole", {"id": id, "role": role})
        return result

    async def remove_user(
        self,
        id: str,
        *,
        suspend_agents: Literal["true", "false"] | None = None,
    ) -> None:
        """Removes a person, ends their logins, revokes the keys and withdraws the links they made, and suspends the
        agents they own where that is asked for. They stay out until they get a role again. (``DELETE
        /ap2/admin/users/:id``)

        ``id``: The id of this record.
        ``suspend_agents``: `true` suspends the agents that this person owns; otherwise they go on.
        """
        await self._call("removeUser", {"id": id, "suspendAgents": suspend_agents})

    async def list_user_passkeys(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListUserPasskeysOutput:
        """Lists the passkeys of a user, newest first. (``GET /ap2/admin/users/:id/passkeys``)

        ``id``: The id of this record.
        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListUserPasskeysOutput = await self._call("listUserPasskeys", {"limit": limit, "cursor": cursor, "id": id})
        return result

    async def remove_user_passkey(
        self,
        id: str,
        passkey_id: str,
    ) -> None:
        """Removes a passkey of a user, as an OWNER who has logged in; an invitation gives them another one.
        (``DELETE /ap2/admin/users/:id/passkeys/:passkeyId``)

        ``id``: The id of this record.
        """
        await self._call("removeUserPasskey", {"id": id, "passkeyId": passkey_id})

    async def list_user_logins(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListUserLoginsOutput:
        """Lists the logins of a user that are still valid, newest first, for an OWNER who has logged in. (``GET
        /ap2/admin/users/:id/sessions``)

        ``id``: The id of this record.
        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListUserLoginsOutput = await self._call("listUserLogins", {"limit": limit, "cursor": cursor, "id": id})
        return result

    async def end_user_logins(
        self,
        id: str,
    ) -> None:
        """Ends all logins of a user at once, and sends them no more notifications, as an OWNER who has logged in.
        (``POST /ap2/admin/users/:id/sessions/end``)

        ``id``: The id of this record.
        """
        await self._call("endUserLogins", {"id": id})

    async def end_user_login(
        self,
        id: str,
        login_id: str,
    ) -> None:
        """Ends one login of a user at once, as an OWNER who has logged in. Ending it again changes nothing.
        (``DELETE /ap2/admin/users/:id/sessions/:loginId``)

        ``id``: The id of this record.
        """
        await self._call("endUserLogin", {"id": id, "loginId": login_id})

    async def create_invitation(
        self,
        *,
        role: Literal["OWNER", "ADMIN", "MEMBER", "VIEWER"] | None = None,
        name: str | None = None,
        user_id: str | None = None,
        ttl_seconds: int | None = None,
    ) -> models.CreateInvitationOutput:
        """Invites a person to become a user, or a user back in, who is told: a link that makes one passkey. Only
        this answer shows it. No key invites a user back, and one that a key or a person made invites no person.
        (``POST /ap2/admin/invitations``)

        ``role``: What they may do; VIEWER where it is not given.
        ``name``: What to call them; they may choose another name.
        ``user_id``: A user who is to get a new passkey, and keeps their role.
        ``ttl_seconds``: How long the link works.
        """
        result: models.CreateInvitationOutput = await self._call("createInvitation", {
            "role": role,
            "name": name,
            "userId": user_id,
            "ttlSeconds": ttl_seconds,
        })
        return result

    async def list_invitations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListInvitationsOutput:
        """Lists invitations that were not used yet, newest first. (``GET /ap2/admin/invitations``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListInvitationsOutput = await self._call("listInvitations", {"limit": limit, "cursor": cursor})
        return result

    async def revoke_invitation(
        self,
        id: str,
    ) -> None:
        """Withdraws an invitation; its link leads nowhere from then on. (``DELETE /ap2/admin/invitations/:id``)

        ``id``: The id of this record.
        """
        await self._call("revokeInvitation", {"id": id})

    async def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[inputs.CreateWebhookEvents],
        secret: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.NewWebhook:
        """Subscribes a URL to events. Only this answer shows the secret. (``POST /ap2/admin/webhooks``)

        ``url``: Where events are posted to; https, and public in production.
        ``events``: Which events are posted there.
        ``secret``: Signs every delivery; one is made when none is given. Shown in this answer only.
        """
        result: models.NewWebhook = await self._call("createWebhook", {"url": url, "events": events, "secret": secret}, idempotency_key)
        return result

    async def list_webhooks(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListWebhooksOutput:
        """Lists webhook subscriptions, newest first. (``GET /ap2/admin/webhooks``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListWebhooksOutput = await self._call("listWebhooks", {"limit": limit, "cursor": cursor})
        return result

    async def list_webhook_logs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        webhook_id: str | None = None,
        event_id: str | Sequence[str] | None = None,
    ) -> models.ListWebhookLogsOutput:
        """Lists attempts at deliveries, newest first. (``GET /ap2/admin/webhooks/logs``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``event_id``: Of an event, or of any of several: the ids, separated by commas, at most 50.
        """
        result: models.ListWebhookLogsOutput = await self._call("listWebhookLogs", {
            "limit": limit,
            "cursor": cursor,
            "webhookId": webhook_id,
            "eventId": event_id,
        })
        return result

    async def get_webhook_log(
        self,
        id: str,
    ) -> models.GetWebhookLogOutput:
        """Shows one attempt at a delivery, with the body that was posted. (``GET /ap2/admin/webhooks/logs/:id``)

        ``id``: The id of this record.
        """
        result: models.GetWebhookLogOutput = await self._call("getWebhookLog", {"id": id})
        return result

    async def resend_webhook(
        self,
        id: str,
    ) -> models.WebhookLog:
        """Posts the event of a log record once more, under the same event id, and answers how that went. (``POST
        /ap2/admin/webhooks/logs/:id/resend``)

        ``id``: The id of this record.
        """
        result: models.WebhookLog = await self._call("resendWebhook", {"id": id})
        return result

    async def get_webhook(
        self,
        id: str,
    ) -> models.GetWebhookOutput:
        """Shows a webhook subscription, and how many deliveries wait. (``GET /ap2/admin/webhooks/:id``)

        ``id``: The id of this record.
        """
        result: models.GetWebhookOutput = await self._call("getWebhook", {"id": id})
        return result

    async def update_webhook(
        self,
        id: str,
        *,
        url: str | None = None,
        events: Sequence[inputs.CreateWebhookEvents] | None = None,
        status: Literal["ACTIVE", "DISABLED"] | None = None,
    ) -> models.Webhook:
        """Changes the URL or the events of a subscription, pauses it (its events are kept for 7 days), or resumes
        it. (``PUT /ap2/admin/webhooks/:id``)

        ``id``: The id of this record.
        ``url``: Where events are posted to; https, and public in production.
        ``events``: Which events are posted there.
        ``status``: The state it is in.
        """
        result: models.Webhook = await self._call("updateWebhook", {
            "id": id,
            "url": url,
            "events": events,
            "status": status,
        })
        return result

    async def delete_webhook(
        self,
        id: str,
    ) -> None:
        """Deletes a subscription and its pending deliveries. Its log remains. (``DELETE /ap2/admin/webhooks/:id``)

        ``id``: The id of this record.
        """
        await self._call("deleteWebhook", {"id": id})

    async def test_webhook(
        self,
        id: str,
        *,
        event: inputs.CreateWebhookEvents | None = None,
    ) -> models.WebhookLog:
        """Posts a signed sample once, also of an event that the subscription does not ask for, and answers how that
        went. (``POST /ap2/admin/webhooks/:id/test``)

        ``id``: The id of this record.
        ``event``: Which event; the first that is subscribed to when not given.
        """
        result: models.WebhookLog = await self._call("testWebhook", {"id": id, "event": event})
        return result

    async def rotate_webhook_secret(
        self,
        id: str,
        *,
        secret: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.NewWebhook:
        """Rotates the secret of a subscription. For 24 hours the former secret signs too; of several rotations
        within them, the last two. (``POST /ap2/admin/webhooks/:id/rotate-secret``)

        ``id``: The id of this record.
        ``secret``: Signs every delivery; one is made when none is given. Shown in this answer only.
        """
        result: models.NewWebhook = await self._call("rotateWebhookSecret", {"id": id, "secret": secret}, idempotency_key)
        return result

    async def tail_events(
        self,
        *,
        cursor: str | None = None,
        wait: int | None = None,
    ) -> models.TailEventsOutput:
        """Returns the webhook events since the cursor, or waits for the next one. (``GET /ap2/admin/events``)

        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``wait``: How many seconds to wait for an event when there is none yet.
        """
        result: models.TailEventsOutput = await self._call("tailEvents", {"cursor": cursor, "wait": wait})
        return result

    async def show_listen_secret(
        self,
    ) -> models.ShowListenSecretOutput:
        """Shows the secret that signs what `countersign listen` forwards; it is always the same for one tenant.
        (``POST /ap2/admin/events/secret``)
        """
        result: models.ShowListenSecretOutput = await self._call("showListenSecret", {})
        return result

    async def current_user(
        self,
    ) -> models.CurrentUserOutput:
        """Shows the caller: the person of a login, the agent of a DID proof, or the issuer for an API key. (``GET
        /ap2/auth/me``)
        """
        result: models.CurrentUserOutput = await self._call("currentUser", {})
        return result

    async def logout(
        self,
    ) -> None:
        """Ends the caller’s login and its tokens at once. Other credentials have no login to end. (``POST
        /ap2/auth/logout``)
        """
        await self._call("logout", {})

    async def begin_step_up(
        self,
    ) -> models.BeginStepUpOutput:
        """Begins a touch of one of the caller’s own passkeys: options for the browser. (``POST
        /ap2/auth/step-up/begin``)
        """
        result: models.BeginStepUpOutput = await self._call("beginStepUp", {})
        return result

    async def complete_step_up(
        self,
        *,
        credential: inputs.AssertionCredential,
    ) -> models.CompleteStepUpOutput:
        """Takes the touch; for 5 minutes the caller’s login may do what raises a risk. (``POST
        /ap2/auth/step-up/complete``)

        ``credential``: What the browser’s ceremony gave, in WebAuthn’s JSON form (base64url for bytes).
        """
        result: models.CompleteStepUpOutput = await self._call("completeStepUp", {"credential": credential})
        return result

    async def allow_program(
        self,
        *,
        challenge: str,
    ) -> models.AllowProgramOutput:
        """Lets a program on the caller’s computer log in as them: a code for it, which serves once within a minute.
        Takes a fresh touch. (``POST /ap2/auth/programs/allow``)

        ``challenge``: The SHA-256 of a verifier that the program keeps, as base64url (RFC 7636, S256).
        """
        result: models.AllowProgramOutput = await self._call("allowProgram", {"challenge": challenge})
        return result

    async def list_own_passkeys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListUserPasskeysOutput:
        """Lists the caller’s own passkeys, newest first, and those that links or keys enrolled for agents of theirs,
        and for them as whose money it is. (``GET /ap2/auth/passkeys``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListUserPasskeysOutput = await self._call("listOwnPasskeys", {"limit": limit, "cursor": cursor})
        return result

    async def begin_own_passkey(
        self,
        *,
        name: str,
    ) -> models.BeginOwnPasskeyOutput:
        """Begins to add a passkey to the caller: options for the browser. (``POST /ap2/auth/passkeys/begin``)

        ``name``: A name for people.
        """
        result: models.BeginOwnPasskeyOutput = await self._call("beginOwnPasskey", {"name": name})
        return result

    async def complete_own_passkey(
        self,
        *,
        credential: inputs.RegistrationCredential,
    ) -> models.ListUserPasskeysOutputData:
        """Adds the passkey that the browser made to the caller. (``POST /ap2/auth/passkeys/complete``)

        ``credential``: What the browser’s ceremony gave, in WebAuthn’s JSON form (base64url for bytes).
        """
        result: models.ListUserPasskeysOutputData = await self._call("completeOwnPasskey", {"credential": credential})
        return result

    async def rename_own_passkey(
        self,
        id: str,
        *,
        name: str,
    ) -> models.ListUserPasskeysOutputData:
        """Calls one of the caller’s own passkeys something else. (``PUT /ap2/auth/passkeys/:id``)

        ``id``: The id of this record.
        ``name``: A name for people.
        """
        result: models.ListUserPasskeysOutputData = await self._call("renameOwnPasskey", {"id": id, "name": name})
        return result

    async def remove_own_passkey(
        self,
        id: str,
    ) -> None:
        """Removes one of the caller’s own passkeys; from then on nothing is signed in or approved with it. (``DELETE
        /ap2/auth/passkeys/:id``)

        ``id``: The id of this record.
        """
        await self._call("removeOwnPasskey", {"id": id})

    async def list_logins(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListUserLoginsOutput:
        """Lists the caller’s own logins that are still valid, newest first. (``GET /ap2/auth/sessions``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListUserLoginsOutput = await self._call("listLogins", {"limit": limit, "cursor": cursor})
        return result

    async def end_own_logins(
        self,
        *,
        others: bool | None = None,
    ) -> None:
        """Ends the caller’s own logins at once: all of them, or all others. (``POST /ap2/auth/sessions/end``)

        ``others``: True to keep the login that asks; false to end it as well.
        """
        await self._call("endOwnLogins", {"others": others})

    async def end_own_login(
        self,
        id: str,
    ) -> None:
        """Ends one of the caller’s own logins at once. Ending it again changes nothing. (``DELETE
        /ap2/auth/sessions/:id``)

        ``id``: The id of this record.
        """
        await self._call("endOwnLogin", {"id": id})

    async def export_evidence(
        self,
        *,
        last: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        event_types: str | Sequence[str] | None = None,
        actor_did: str | None = None,
        format: Literal["json", "csv", "ndjson"] | None = None,
    ) -> models.Document | str:
        """Exports evidence, oldest first, as JSON, NDJSON or CSV, and reports whether the chain is valid over that
        range. (``GET /ap2/evidence/export``)

        ``last``: Only so many of the newest events.
        ``from_``: From this moment on.
        ``to``: Up to this moment.
        ``event_types``: Only these event types: the parameter repeated, or separated by commas.
        ``actor_did``: Who acted: the agent, or the issuer for the operator.
        ``format``: json; ndjson with an event on each line, and {"end": …} on the last; or csv with a line per
        event.
        """
        result: models.Document | str = await self._call("exportEvidence", {
            "last": last,
            "from": from_,
            "to": to,
            "eventTypes": event_types,
            "actorDid": actor_did,
            "format": format,
        })
        return result

    async def search_evidence(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        event_type: str | None = None,
        actor_did: str | None = None,
        context_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> models.SearchEvidenceOutput:
        """Searches evidence, newest first. (``GET /ap2/evidence/search``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``event_type``: What happened, such as INTENT_ISSUED.
        ``actor_did``: Who acted: the agent, or the issuer for the operator.
        ``context_id``: The session a message belongs to, chosen by the agent.
        ``from_``: From this moment on.
        ``to``: Up to this moment.
        """
        result: models.SearchEvidenceOutput = await self._call("searchEvidence", {
            "limit": limit,
            "cursor": cursor,
            "eventType": event_type,
            "actorDid": actor_did,
            "contextId": context_id,
            "from": from_,
            "to": to,
        })
        return result

    async def evidence_bundle(
        self,
        transaction_id: str,
        *,
        format: Literal["summary", "portable"] | None = None,
    ) -> models.Document:
        """Shows one transaction’s evidence, and whether the chain over it is valid. (``GET
        /ap2/evidence/bundle/:transactionId``)

        ``transaction_id``: The transaction that ties intent, cart, payment and evidence together, `txn_…`.
        ``format``: portable: one signed file that can be checked without this node.
        """
        result: models.Document = await self._call("evidenceBundle", {
            "transactionId": transaction_id,
            "format": format,
        })
        return result

    async def verify_evidence(
        self,
        *,
        from_seq: int | None = None,
        to_seq: int | None = None,
    ) -> models.Verification:
        """Verifies the evidence chain, or a range of it, and names the first break. (``GET /ap2/evidence/verify``)

        ``from_seq``: First event of the range.
        ``to_seq``: Last event of the range.
        """
        result: models.Verification = await self._call("verifyEvidence", {"fromSeq": from_seq, "toSeq": to_seq})
        return result

    async def list_checkpoints(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListCheckpointsOutput:
        """Lists the signed checkpoints of the evidence chain, the newest first. (``GET /ap2/evidence/checkpoints``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListCheckpointsOutput = await self._call("listCheckpoints", {"limit": limit, "cursor": cursor})
        return result

    async def prove_consistency(
        self,
        size: int,
        *,
        from_: int,
    ) -> models.ProveConsistencyOutput:
        """Proves that the chain at one checkpoint begins with the chain at an older one. (``GET
        /ap2/evidence/checkpoints/:size/consistency``)

        ``from_``: From this moment on.
        """
        result: models.ProveConsistencyOutput = await self._call("proveConsistency", {"size": size, "from": from_})
        return result

    async def prove_inclusion(
        self,
        size: int,
        seq: int,
    ) -> models.ProveInclusionOutput:
        """Proves that an event is in the chain that a checkpoint is over. (``GET
        /ap2/evidence/checkpoints/:size/inclusion/:seq``)

        ``seq``: Place in the chain, from 1 on, without gaps.
        """
        result: models.ProveInclusionOutput = await self._call("proveInclusion", {"size": size, "seq": seq})
        return result

    async def create_enrollment(
        self,
        *,
        agent_did: str | None = None,
        principal_did: str | None = None,
        device_name: str | None = None,
        ttl_seconds: int | None = None,
    ) -> models.CreateEnrollmentOutput:
        """Creates a link by which a person enrolls one passkey, for an agent or for the person or company whose
        money it is, without any other credential. (``POST /ap2/admin/enrollments``)

        ``agent_did``: The agent whose purchases it approves, unless the person or company whose money is spent is
        registered.
        ``principal_did``: Whose money it is: the person or company whose purchases it approves, which is
        registered from then on.
        ``device_name``: A name for the passkey; the person may choose another.
        ``ttl_seconds``: How long the link works.
        """
        result: models.CreateEnrollmentOutput = await self._call("createEnrollment", {
            "agentDid": agent_did,
            "principalDid": principal_did,
            "deviceName": device_name,
            "ttlSeconds": ttl_seconds,
        })
        return result

    async def begin_passkey_registration(
        self,
        *,
        device_name: str,
        agent_did: str | None = None,
        principal_did: str | None = None,
    ) -> models.BeginOwnPasskeyOutput:
        """Begins to enroll a passkey, for an agent, or for the person or company whose money it is: options for the
        browser. (``POST /ap2/hp/webauthn/register/begin``)

        ``device_name``: What the person calls the device or passkey.
        ``agent_did``: The agent whose purchases it approves, unless the person or company whose money is spent is
        registered.
        ``principal_did``: Whose money it is: the person or company whose purchases it approves, which is
        registered from then on.
        """
        result: models.BeginOwnPasskeyOutput = await self._call("beginPasskeyRegistration", {
            "agentDid": agent_did,
            "principalDid": principal_did,
            "deviceName": device_name,
        })
        return result

    async def complete_passkey_registration(
        self,
        *,
        credential: inputs.RegistrationCredential,
        agent_did: str | None = None,
        principal_did: str | None = None,
    ) -> models.CompletePasskeyRegistrationOutput:
        """Enrolls the passkey that the browser made. (``POST /ap2/hp/webauthn/register/complete``)

        ``credential``: What the browser’s ceremony gave, in WebAuthn’s JSON form (base64url for bytes).
        ``agent_did``: The agent whose purchases it approves, unless the person or company whose money is spent is
        registered.
        ``principal_did``: Whose money it is: the person or company whose purchases it approves, which is
        registered from then on.
        """
        result: models.CompletePasskeyRegistrationOutput = await self._call("completePasskeyRegistration", {
            "agentDid": agent_did,
            "principalDid": principal_did,
            "credential": credential,
        })
        return result

    async def begin_presence(
        self,
        *,
        agent_did: str,
        mandate_id: str | None = None,
        cart_hash: str | None = None,
    ) -> models.BeginPresenceOutput:
        """Begins a proof of human presence: options for the browser, bound to what is named of the purchase. (``POST
        /ap2/hp/webauthn/auth/begin``)

        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        ``cart_hash``: SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of
        `{contents, merchant}` with its domain.
        """
        result: models.BeginPresenceOutput = await self._call("beginPresence", {
            "agentDid": agent_did,
            "mandateId": mandate_id,
            "cartHash": cart_hash,
        })
        return result

    async def complete_presence(
        self,
        *,
        challenge_id: str,
        credential: inputs.AssertionCredential,
    ) -> models.CompletePresenceOutput:
        """Verifies a passkey assertion and answers with the signed proof of human presence. (``POST
        /ap2/hp/webauthn/auth/complete``)

        ``challenge_id``: Names the challenge of this ceremony; good for one use within 300 seconds.
        ``credential``: What the browser’s ceremony gave, in WebAuthn’s JSON form (base64url for bytes).
        """
        result: models.CompletePresenceOutput = await self._call("completePresence", {
            "challengeId": challenge_id,
            "credential": credential,
        })
        return result

    async def list_passkeys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        agent_did: str | None = None,
        principal_did: str | None = None,
    ) -> models.ListPasskeysOutput:
        """Lists enrolled passkeys, newest first. (``GET /ap2/hp/passkeys``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``principal_did``: Whose money it is: a person or company (the principal), as did:key.
        """
        result: models.ListPasskeysOutput = await self._call("listPasskeys", {
            "limit": limit,
            "cursor": cursor,
            "agentDid": agent_did,
            "principalDid": principal_did,
        })
        return result

    async def list_principal_passkeys(
        self,
        did: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListPasskeysOutput:
        """Lists the passkeys that were enrolled for a person or company whose money is spent, newest first, each
        with who made its link. (``GET /ap2/principals/:did/passkeys``)

        ``did``: A did:key: `did:key:z6Mk…`.
        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListPasskeysOutput = await self._call("listPrincipalPasskeys", {"limit": limit, "cursor": cursor, "did": did})
        return result

    async def remove_passkey(
        self,
        id: str,
    ) -> None:
        """Removes a passkey; it approves nothing from then on. (``DELETE /ap2/hp/passkeys/:id``)

        ``id``: The id of this record.
        """
        await self._call("removePasskey", {"id": id})

    async def list_approvals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["pending", "approved", "denied", "expired"] | None = None,
        agent_did: str | None = None,
        merchant: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> models.ListApprovalsOutput:
        """Lists approvals, newest first. (``GET /ap2/approvals``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``status``: Where the request stands.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``merchant``: The merchant’s domain.
        ``from_``: From this moment on.
        ``to``: Up to this moment.
        """
        result: models.ListApprovalsOutput = await self._call("listApprovals", {
            "limit": limit,
            "cursor": cursor,
            "status": status,
            "agentDid": agent_did,
            "merchant": merchant,
            "from": from_,
            "to": to,
        })
        return result

    async def check_approval(
        self,
        *,
        decision: inputs.ApprovalDecision,
        expect: inputs.CheckApprovalExpect,
        keys: Sequence[Mapping[str, Any]] | None = None,
        used: Sequence[str] | None = None,
        at: str | None = None,
    ) -> models.CheckApprovalOutput:
        """Verifies that a person approved an action, by nine checks of the decision. It spends nothing. (``POST
        /ap2/approvals/verify``)

        ``expect``: The action; nothing of it may be taken from the decision. A member that is not known is a 400.
        ``keys``: Keys of the people who may approve it, of all of them. Without them, an enrolment by this node
        counts.
        ``used``: `id` and `random` of decisions that the caller acted on before.
        ``at``: By when it is judged; now when absent.
        """
        result: models.CheckApprovalOutput = await self._call("checkApproval", {
            "decision": decision,
            "expect": expect,
            "keys": keys,
            "used": used,
            "at": at,
        })
        return result

    async def get_approval(
        self,
        id: str,
        *,
        wait: inputs.Number | None = None,
        include: Literal["decision"] | None = None,
    ) -> models.ApprovalState:
        """Shows the state of an approval, at once or when it is decided; once approved, with the proof. (``GET
        /ap2/approvals/:id``)

        ``id``: The id of this record.
        ``wait``: Seconds to wait for a decision before the answer says "pending".
        ``include``: decision: how it ended is shown with the passkey’s signature.
        """
        result: models.ApprovalState = await self._call("getApproval", {"id": id, "wait": wait, "include": include})
        return result

    async def deny_approval(
        self,
        id: str,
    ) -> models.Approval:
        """Denies an approval; the agent that asked may withdraw its own. Denying it again changes nothing. (``POST
        /ap2/approvals/:id/deny``)

        ``id``: The id of this record.
        """
        result: models.Approval = await self._call("denyApproval", {"id": id})
        return result

    async def remind_approvers(
        self,
        id: str,
    ) -> models.Approval:
        """Tells the people who were asked for an approval once more. They are told twice in all: this takes the
        place of the reminder at half of the time. (``POST /ap2/approvals/:id/remind``)

        ``id``: The id of this record.
        """
        result: models.Approval = await self._call("remindApprovers", {"id": id})
        return result

    async def create_session(
        self,
        *,
        context_id: str,
        agent_did: str,
        user_did: str,
    ) -> models.Session:
        """Opens a session that messages can name by its contextId. (``POST /a2a/sessions``)

        ``context_id``: The session a message belongs to, chosen by the agent.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``user_did``: The person the session is with, as did:key.
        """
        result: models.Session = await self._call("createSession", {
            "contextId": context_id,
            "agentDid": agent_did,
            "userDid": user_did,
        })
        return result

    async def list_sessions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["ACTIVE", "COMPLETED", "EXPIRED"] | None = None,
        agent_did: str | None = None,
    ) -> models.ListSessionsOutput:
        """Lists sessions, newest first. (``GET /a2a/sessions``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``status``: The state it is in.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        """
        result: models.ListSessionsOutput = await self._call("listSessions", {
            "limit": limit,
            "cursor": cursor,
            "status": status,
            "agentDid": agent_did,
        })
        return result

    async def get_session(
        self,
        context_id: str,
        *,
        agent_did: str | None = None,
    ) -> models.Session:
        """Shows a session: its status, how many messages it carried, and what was mandated in it. (``GET
        /a2a/sessions/:contextId``)

        ``context_id``: The session a message belongs to, chosen by the agent.
        ``agent_did``: Whose session it is, where several agents have one of this name.
        """
        result: models.Session = await self._call("getSession", {"contextId": context_id, "agentDid": agent_did})
        return result

    async def demo_cart(
        self,
        *,
        payer_did: str,
        domain: str,
        amount: inputs.Number,
        currency: str,
        items: Sequence[inputs.CartItem] | None = None,
    ) -> models.DemoCartOutput:
        """Creates a cart signed by the sandbox’s demo merchant. (``POST /ap2/demo/cart``)

        ``payer_did``: Who pays, as did:key.
        ``domain``: The merchant’s domain.
        ``amount``: An amount in units of the currency: 42.5 is 42.50 USD.
        ``currency``: ISO 4217 code in upper case.
        ``items``: What is bought; tax and shipping are items.
        """
        result: models.DemoCartOutput = await self._call("demoCart", {
            "payerDid": payer_did,
            "domain": domain,
            "amount": amount,
            "currency": currency,
            "items": items,
        })
        return result

    async def demo_payment(
        self,
        *,
        agent_did: str,
        principal_did: str,
        amount: inputs.Number,
        currency: str,
        merchant_domain: str,
    ) -> models.DemoPaymentOutput:
        """Plays a whole purchase through the real use cases, as far as it gets. (``POST /ap2/demo/payment``)

        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``principal_did``: Whose money it is: a person or company (the principal), as did:key.
        ``amount``: An amount in units of the currency: 42.5 is 42.50 USD.
        ``currency``: ISO 4217 code in upper case.
        ``merchant_domain``: The merchant’s domain.
        """
        result: models.DemoPaymentOutput = await self._call("demoPayment", {
            "agentDid": agent_did,
            "principalDid": principal_did,
            "amount": amount,
            "currency": currency,
            "merchantDomain": merchant_domain,
        })
        return result

    async def demo_presence_proof(
        self,
        *,
        agent_did: str,
        freshness_seconds: int | None = None,
    ) -> models.DemoPresenceProofOutput:
        """Creates a proof of human presence signed by the sandbox’s demo key. (``POST /ap2/demo/hp-proof``)

        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``freshness_seconds``: How long the proof is good for.
        """
        result: models.DemoPresenceProofOutput = await self._call("demoPresenceProof", {
            "agentDid": agent_did,
            "freshnessSeconds": freshness_seconds,
        })
        return result

    async def demo_dispute(
        self,
        *,
        mandate_id: str,
        amount: inputs.Number | None = None,
        reason: str | None = None,
    ) -> models.Payment:
        """Disputes a captured payment, or a part of it, as the sandbox’s card holder. (``POST /ap2/demo/dispute``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        ``amount``: How much is disputed; without it, what was captured and is neither refunded nor disputed.
        ``reason``: Why.
        """
        result: models.Payment = await self._call("demoDispute", {
            "mandateId": mandate_id,
            "amount": amount,
            "reason": reason,
        })
        return result

    async def demo_dispute_end(
        self,
        *,
        mandate_id: str,
        outcome: Literal["won", "lost"],
        dispute_id: str | None = None,
    ) -> models.Payment:
        """Decides a dispute of a payment, as the card holder’s bank. (``POST /ap2/demo/dispute/end``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        ``outcome``: As the merchant sees it.
        ``dispute_id``: Which one; without it, the oldest that is open.
        """
        result: models.Payment = await self._call("demoDisputeEnd", {
            "mandateId": mandate_id,
            "disputeId": dispute_id,
            "outcome": outcome,
        })
        return result

    async def demo_refund_failure(
        self,
        *,
        mandate_id: str,
    ) -> models.Payment:
        """Lets the refunds of a payment fail, as the card’s bank may in days to come. (``POST
        /ap2/demo/refund-failure``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        """
        result: models.Payment = await self._call("demoRefundFailure", {"mandateId": mandate_id})
        return result

    async def reset_test_data(
        self,
    ) -> None:
        """Clears intents, carts, payments, evidence and velocity. A new evidence chain starts. (``POST
        /ap2/admin/reset-test-data``)
        """
        await self._call("resetTestData", {})

    async def create_spt(
        self,
        *,
        merchant_domain: str,
        amount: inputs.Number,
        currency: str,
        expires_in: int | None = None,
        mandate: inputs.CreateSptMandate | None = None,
        idempotency_key: str | None = None,
    ) -> models.Spt:
        """Creates a shared payment token, with which one merchant can be paid once. (``POST /admin/spt``)

        ``merchant_domain``: The merchant’s domain.
        ``amount``: The most that the merchant may take with it, in units of the currency.
        ``currency``: ISO 4217 code in upper case.
        ``expires_in``: How many seconds it lives.
        ``mandate``: What it is for; each that is named must exist.
        """
        result: models.Spt = await self._call("createSpt", {
            "merchantDomain": merchant_domain,
            "amount": amount,
            "currency": currency,
            "expiresIn": expires_in,
            "mandate": mandate,
        }, idempotency_key)
        return result

    async def list_spts(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["ACTIVE", "USED", "EXPIRED", "REVOKED"] | None = None,
    ) -> models.ListSptsOutput:
        """Lists shared payment tokens, newest first. (``GET /admin/spt``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``status``: The state it is in.
        """
        result: models.ListSptsOutput = await self._call("listSpts", {
            "limit": limit,
            "cursor": cursor,
            "status": status,
        })
        return result

    async def spt_overview(
        self,
    ) -> models.SptOverview:
        """Counts shared payment tokens by state, and their amounts by currency. (``GET /admin/spt/stats/overview``)"""
        result: models.SptOverview = await self._call("sptOverview", {})
        return result

    async def get_spt(
        self,
        id: str,
    ) -> models.Spt:
        """Shows one shared payment token. (``GET /admin/spt/:id``)

        ``id``: The id of this record.
        """
        result: models.Spt = await self._call("getSpt", {"id": id})
        return result

    async def revoke_spt(
        self,
        id: str,
    ) -> models.Spt:
        """Revokes a shared payment token; it cannot be used any more. (``POST /admin/spt/:id/revoke``)

        ``id``: The id of this record.
        """
        result: models.Spt = await self._call("revokeSpt", {"id": id})
        return result

    async def list_task_records(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: inputs.ListTaskRecordsState | None = None,
        agent_did: str | None = None,
        context_id: str | None = None,
    ) -> models.ListTaskRecordsOutput:
        """Lists the tasks of agents that speak standard A2A, those that changed last first. (``GET /ap2/tasks``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``state``: The state it is in.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``context_id``: The session a message belongs to, chosen by the agent.
        """
        result: models.ListTaskRecordsOutput = await self._call("listTaskRecords", {
            "limit": limit,
            "cursor": cursor,
            "state": state,
            "agentDid": agent_did,
            "contextId": context_id,
        })
        return result

    async def get_task_record(
        self,
        id: str,
    ) -> models.GetTaskRecordOutput:
        """Shows a task of an agent that speaks standard A2A. (``GET /ap2/tasks/:id``)

        ``id``: The id of this record.
        """
        result: models.GetTaskRecordOutput = await self._call("getTaskRecord", {"id": id})
        return result

    async def cancel_task_record(
        self,
        id: str,
    ) -> models.GetTaskRecordOutput:
        """Withdraws what a task asks for, as long as nothing is paid. Withdrawing it again changes nothing. (``POST
        /ap2/tasks/:id/cancel``)

        ``id``: The id of this record.
        """
        result: models.GetTaskRecordOutput = await self._call("cancelTaskRecord", {"id": id})
        return result

    async def validate_ucp_checkout(
        self,
        *,
        intent_id: str,
        merchant_domain: str,
        checkout: Mapping[str, Any],
        hp_proof: Mapping[str, Any] | None = None,
        instrument: str | None = None,
        credential_formats: Sequence[Literal["verdict"]] | None = None,
        checkout_jwt: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.CartResult:
        """Checks a checkout of UCP that its business signed against an intent and the policy, and approves it for
        payment. (``POST /ap2/carts/validate/ucp``)

        ``intent_id``: The intent that the checkout is for, `intent_…`.
        ``merchant_domain``: The domain of the business that the checkout came from.
        ``checkout``: The checkout as the business sent it, unchanged, with `ap2.merchant_authorization`.
        ``hp_proof``: The signed statement that the person was present.
        ``instrument``: What will be paid with, for the person who approves; the usual payment method when absent.
        ``credential_formats``: verdict: the decision as a signed JWT, in `verdict`, also where the cart is
        refused.
        ``checkout_jwt``: The JWT by which the business signed the whole checkout, where it made one; the node
        makes one else.
        """
        result: models.CartResult = await self._call("validateUcpCheckout", {
            "hpProof": hp_proof,
            "instrument": instrument,
            "credentialFormats": credential_formats,
            "intentId": intent_id,
            "merchantDomain": merchant_domain,
            "checkout": checkout,
            "checkoutJwt": checkout_jwt,
        }, idempotency_key)
        return result

    async def validate_ap2_cart(
        self,
        *,
        intent_id: str,
        cart_mandate: Mapping[str, Any],
        hp_proof: Mapping[str, Any] | None = None,
        instrument: str | None = None,
        credential_formats: Sequence[Literal["verdict"]] | None = None,
        idempotency_key: str | None = None,
    ) -> models.CartResult:
        """Checks a merchant’s cart mandate of AP2 v0.1 against an intent and the policy, and approves it for
        payment. (``POST /ap2/carts/validate/ap2``)

        ``intent_id``: The intent that the cart is for, `intent_…`.
        ``cart_mandate``: The CartMandate of AP2 v0.1 as the merchant made it, unchanged.
        ``hp_proof``: The signed statement that the person was present.
        ``instrument``: What will be paid with, for the person who approves; the usual payment method when absent.
        ``credential_formats``: verdict: the decision as a signed JWT, in `verdict`, also where the cart is
        refused.
        """
        result: models.CartResult = await self._call("validateAp2Cart", {
            "hpProof": hp_proof,
            "instrument": instrument,
            "credentialFormats": credential_formats,
            "intentId": intent_id,
            "cartMandate": cart_mandate,
        }, idempotency_key)
        return result

    async def verify_mandate(
        self,
        *,
        profile: Literal["ap2", "vi"] | None = None,
        token: str | None = None,
        l1: str | None = None,
        l2: str | None = None,
        l3_payment: str | None = None,
        l3_checkout: str | None = None,
        l2_checkout: str | None = None,
        trusted_jwk: Mapping[str, Any] | None = None,
        aud: str | None = None,
        nonce: str | None = None,
        hops: Sequence[inputs.VerifyMandateHops] | None = None,
        checkout_jwt_hash: str | None = None,
        checkout_jwt: str | None = None,
        checkout_mandate: str | None = None,
        open_checkout_hash: str | None = None,
        merchant_jwk: Mapping[str, Any] | None = None,
        at: int | None = None,
    ) -> models.VerifyMandateOutput:
        """Verifies a chain of mandates of AP2 or Verifiable Intent, hop by hop, and names the clause that is broken.
        (``POST /ap2/mandates/verify``)

        ``profile``: AP2 v0.2, or Verifiable Intent 0.1.
        ``token``: The chain of AP2 as it was presented: SD-JWTs joined by `~~`, ending with `~`.
        ``l1``: Layer 1 of Verifiable Intent: the credential of the card issuer.
        ``l2``: Layer 2: what the person signed, as the recipient of the payment is given it.
        ``l3_payment``: Layer 3a: the payment that the agent closed.
        ``l3_checkout``: Layer 3b: the checkout that the agent closed.
        ``l2_checkout``: Layer 2 as the recipient of the checkout is given it, where that is another view.
        ``trusted_jwk``: The key of who signs the first token, or layer 1; without it, an issuer that the tenant
        trusts must have signed it.
        ``aud``: The verifier’s name, which the last hop must be made for; not compared when absent.
        ``nonce``: The nonce that was asked for; not compared when absent.
        ``hops``: What is expected of each hop by its place: the first token at 0; of Verifiable Intent, layers 1,
        2, 3a and 3b.
        ``checkout_jwt_hash``: The hash of the checkout JWT that the mandate must be for, in base64url.
        ``checkout_jwt``: The checkout JWT itself, of which the hash is computed.
        ``checkout_mandate``: The chain of checkout mandates beside a payment; verified with it.
        ``open_checkout_hash``: The `sd_hash` of the open checkout mandate.
        ``merchant_jwk``: The merchant’s key; with it, what the merchant signed is verified too.
        ``at``: Seconds since the epoch (NumericDate of RFC 7519); now when absent.
        """
        result: models.VerifyMandateOutput = await self._call("verifyMandate", {
            "profile": profile,
            "token": token,
            "l1": l1,
            "l2": l2,
            "l3Payment": l3_payment,
            "l3Checkout": l3_checkout,
            "l2Checkout": l2_checkout,
            "trustedJwk": trusted_jwk,
            "aud": aud,
            "nonce": nonce,
            "hops": hops,
            "checkoutJwtHash": checkout_jwt_hash,
            "checkoutJwt": checkout_jwt,
            "checkoutMandate": checkout_mandate,
            "openCheckoutHash": open_checkout_hash,
            "merchantJwk": merchant_jwk,
            "at": at,
        })
        return result

    async def issue_payment_credential(
        self,
        *,
        nonce: str,
        agent_did: str,
        payment_mandate: str | None = None,
        verifiable_intent: inputs.IssuePaymentCredentialVerifiableIntent | None = None,
        checkout_jwt_hash: str | None = None,
        checkout_jwt: str | None = None,
        open_checkout_hash: str | None = None,
        checkout_mandate: str | None = None,
        principal_did: str | None = None,
        hp_proof: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> models.IssuePaymentCredentialOutputAllowed | models.IssuePaymentCredentialOutputRefused:
        """Exchanges a chain of AP2 mandates, or a Verifiable Intent, for an approval token. A refusal is an answer
        too, with every reason and a receipt. (``POST /ap2/payment-credentials``)

        ``nonce``: The nonce of the last mandate: that of a challenge, or one of the caller’s own.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``payment_mandate``: The chain of payment mandates of AP2: SD-JWTs joined by `~~`, ending with `~`. It, or
        verifiableIntent.
        ``verifiable_intent``: The layers of Verifiable Intent 0.1, in place of paymentMandate.
        ``checkout_jwt_hash``: The hash of the checkout JWT that is paid, in base64url.
        ``checkout_jwt``: The checkout JWT itself, of which the hash is computed. What is bought is shown as it
        says where a key of the merchant has signed it.
        ``open_checkout_hash``: The `sd_hash` of the open checkout mandate.
        ``checkout_mandate``: The chain of checkout mandates beside the payment.
        ``principal_did``: Whose money it is: a person or company (the principal), as did:key.
        ``hp_proof``: The signed statement that the person was present.
        """
        result: models.IssuePaymentCredentialOutputAllowed | models.IssuePaymentCredentialOutputRefused = await self._call("issuePaymentCredential", {
            "paymentMandate": payment_mandate,
            "verifiableIntent": verifiable_intent,
            "nonce": nonce,
            "checkoutJwtHash": checkout_jwt_hash,
            "checkoutJwt": checkout_jwt,
            "openCheckoutHash": open_checkout_hash,
            "checkoutMandate": checkout_mandate,
            "agentDid": agent_did,
            "principalDid": principal_did,
            "hpProof": hp_proof,
        }, idempotency_key)
        return result

    async def revoke_payment_credential(
        self,
        *,
        approval_token: str,
    ) -> models.RevokePaymentCredentialOutput:
        """Gives a payment credential back before it is paid with; its checkout stays used. (``POST
        /ap2/payment-credentials/revoke``)

        ``approval_token``: Exchanged once for a payment mandate, `apt_…`.
        """
        result: models.RevokePaymentCredentialOutput = await self._call("revokePaymentCredential", {"approvalToken": approval_token})
        return result

    async def verify_receipt(
        self,
        *,
        receipt: str,
        reference: str | None = None,
    ) -> models.VerifyReceiptOutput:
        """Verifies a payment receipt of this node, by the key set that it publishes, and says the state of the
        payment now. (``POST /ap2/receipts/verify``)

        ``receipt``: A receipt: a JWT that the node signed.
        ``reference``: The hash of the mandate that it must be for, in base64url.
        """
        result: models.VerifyReceiptOutput = await self._call("verifyReceipt", {"receipt": receipt, "reference": reference})
        return result

    async def register_delegation(
        self,
        *,
        token: str,
        agent_did: str,
        principal_did: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.Delegation | models.RegisterDelegationOutputRefused:
        """Registers an open payment mandate for an agent, whose intents may name it from then on. (``POST
        /ap2/delegations``)

        ``token``: The open payment mandate: an SD-JWT with its disclosures, and further open ones joined by `~~`.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``principal_did``: Whose money it is; when absent, whose credential signed the mandate, or else the
        agent’s own.
        """
        result: models.Delegation | models.RegisterDelegationOutputRefused = await self._call("registerDelegation", {
            "token": token,
            "agentDid": agent_did,
            "principalDid": principal_did,
        }, idempotency_key)
        return result

    async def preview_delegation(
        self,
        *,
        token: str,
        agent_did: str,
        principal_did: str | None = None,
    ) -> models.PreviewDelegationOutputAllowed | models.RegisterDelegationOutputRefused:
        """Says what an open payment mandate allows, and whether it would be registered; nothing is kept. (``POST
        /ap2/delegations/preview``)

        ``token``: The open payment mandate: an SD-JWT with its disclosures, and further open ones joined by `~~`.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``principal_did``: Whose money it is; when absent, whose credential signed the mandate, or else the
        agent’s own.
        """
        result: models.PreviewDelegationOutputAllowed | models.RegisterDelegationOutputRefused = await self._call("previewDelegation", {
            "token": token,
            "agentDid": agent_did,
            "principalDid": principal_did,
        })
        return result

    async def list_delegations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        agent_did: str | None = None,
    ) -> models.ListDelegationsOutput:
        """Lists delegations, newest first. (``GET /ap2/delegations``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        """
        result: models.ListDelegationsOutput = await self._call("listDelegations", {
            "limit": limit,
            "cursor": cursor,
            "agentDid": agent_did,
        })
        return result

    async def get_delegation(
        self,
        id: str,
    ) -> models.Delegation:
        """Shows one delegation, with what its mandate was used for. (``GET /ap2/delegations/:id``)

        ``id``: The id of this record.
        """
        result: models.Delegation = await self._call("getDelegation", {"id": id})
        return result

    async def revoke_delegation(
        self,
        id: str,
    ) -> models.Delegation:
        """Revokes an open mandate for good: its intents and approval tokens end, and no chain with it is taken. What
        is paid stays paid. (``POST /ap2/delegations/:id/revoke``)

        ``id``: The id of this record.
        """
        result: models.Delegation = await self._call("revokeDelegation", {"id": id})
        return result

    async def create_mandate_challenge(
        self,
        *,
        agent_did: str,
    ) -> models.CreateMandateChallengeOutput:
        """Gives a nonce for the last mandate of a chain; it serves one payment, within five minutes. (``POST
        /ap2/mandate-challenges``)

        ``agent_did``: The agent, as did:key of its Ed25519 key.
        """
        result: models.CreateMandateChallengeOutput = await self._call("createMandateChallenge", {"agentDid": agent_did})
        return result

    async def add_mandate_issuer(
        self,
        *,
        name: str,
        kind: Literal["agent-provider", "user-credential", "card-issuer"],
        jwk: Mapping[str, Any] | None = None,
        x5c_root: str | None = None,
        leaf: inputs.AddMandateIssuerLeaf | None = None,
        principal_did: str | None = None,
    ) -> models.MandateIssuer:
        """Trusts who signs the first mandate of a chain, by a key or by the root of its certificates. (``POST
        /ap2/admin/mandate-issuers``)

        ``name``: What people call it.
        ``kind``: Who signs: an agent’s provider, a credential of the person, or the issuer of the person’s card.
        ``jwk``: Its public key. A `kid` in it must be that of a mandate which names one.
        ``x5c_root``: The certificate to which the `x5c` of its mandates must lead: PEM, or DER as base64.
        ``leaf``: The one certificate below x5cRoot that signs: that of one person, since a wallet’s root has many
        people’s.
        ``principal_did``: Whose credential it is: what it signs itself counts as a touch of the passkey of this
        registered person or company, and of no other. A root needs a `leaf` with it. Of a card issuer: whose
        cards all of its cards are; left out for a bank, which has many people’s.
        """
        result: models.MandateIssuer = await self._call("addMandateIssuer", {
            "name": name,
            "kind": kind,
            "jwk": jwk,
            "x5cRoot": x5c_root,
            "leaf": leaf,
            "principalDid": principal_did,
        })
        return result

    async def list_mandate_issuers(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListMandateIssuersOutput:
        """Lists mandate issuers, newest first. (``GET /ap2/admin/mandate-issuers``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListMandateIssuersOutput = await self._call("listMandateIssuers", {"limit": limit, "cursor": cursor})
        return result

    async def remove_mandate_issuer(
        self,
        id: str,
    ) -> None:
        """Trusts a mandate issuer no more: chains that it begins are refused from then on, and what they have not
        paid is taken back. (``DELETE /ap2/admin/mandate-issuers/:id``)

        ``id``: The id of this record.
        """
        await self._call("removeMandateIssuer", {"id": id})

    async def demo_ap2_cart(
        self,
        *,
        domain: str,
        amount: inputs.Number,
        currency: str,
        items: Sequence[inputs.CartItem] | None = None,
        confirm_cart: bool | None = None,
    ) -> models.DemoAp2CartOutput:
        """Creates a cart mandate of AP2 v0.1, signed by the sandbox’s demo merchant. (``POST /ap2/demo/cart/ap2``)

        ``domain``: The merchant’s domain.
        ``amount``: An amount in units of the currency: 42.5 is 42.50 USD.
        ``currency``: ISO 4217 code in upper case.
        ``items``: What is bought; tax and shipping are items.
        ``confirm_cart``: Whether the merchant wants a person to confirm the cart.
        """
        result: models.DemoAp2CartOutput = await self._call("demoAp2Cart", {
            "domain": domain,
            "amount": amount,
            "currency": currency,
            "items": items,
            "confirmCart": confirm_cart,
        })
        return result

    async def validate_acp_session(
        self,
        *,
        agent_did: str,
        merchant_domain: str,
        session: Mapping[str, Any],
        principal_did: str | None = None,
        delegation_id: str | None = None,
        intent_id: str | None = None,
        instrument: str | None = None,
        replaces: str | None = None,
        approval_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.HttpPaymentResult:
        """Checks a checkout session of ACP against the policy, and gives the token that completes it. (``POST
        /ap2/carts/validate/acp``)

        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``merchant_domain``: The domain of the shop that the session came from.
        ``session``: The CheckoutSession (2026-04-17) as the shop sent it, with every member.
        ``principal_did``: Whose money it is; the agent’s own when absent.
        ``delegation_id``: The delegation, `dlg_…`, whose open mandate must allow the purchase beside the policy.
        ``intent_id``: The intent that it is bought by, which names the merchant; one is made of the session when
        absent.
        ``instrument``: What is paid with; the usual payment method when absent.
        ``replaces``: The payment of the first try, where that came to nothing.
        ``approval_id``: The approval that the refusal of the same purchase named, once a person has granted it.
        """
        result: models.HttpPaymentResult = await self._call("validateAcpSession", {
            "agentDid": agent_did,
            "principalDid": principal_did,
            "delegationId": delegation_id,
            "intentId": intent_id,
            "merchantDomain": merchant_domain,
            "session": session,
            "instrument": instrument,
            "replaces": replaces,
            "approvalId": approval_id,
        }, idempotency_key)
        return result

    async def create_wallet(
        self,
        *,
        network: str,
        private_key: str | None = None,
        rpc_url: str | None = None,
        agent_did: str | None = None,
        principal_did: str | None = None,
        assets: Sequence[inputs.CreateWalletAssets] | None = None,
    ) -> models.Wallet:
        """Adds a wallet that pays on a chain: by a key that is given, or one that the node makes. (``POST
        /ap2/admin/wallets``)

        ``network``: The chain, as CAIP-2 names it, such as eip155:8453.
        ``private_key``: The key of an account that exists; the node makes one when absent. It is sealed, and
        never shown.
        ``rpc_url``: Where the chain is asked by JSON-RPC what became of a transfer. It is never shown but for its
        host.
        ``agent_did``: Which agent pays with it; everybody of the tenant when neither is named.
        ``principal_did``: Whose money it is.
        ``assets``: Tokens besides those that are known, such as one on a chain of your own.
        """
        result: models.Wallet = await self._call("createWallet", {
            "network": network,
            "privateKey": private_key,
            "rpcUrl": rpc_url,
            "agentDid": agent_did,
            "principalDid": principal_did,
            "assets": assets,
        })
        return result

    async def list_wallets(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ListWalletsOutput:
        """Lists wallets, newest first. (``GET /ap2/admin/wallets``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        """
        result: models.ListWalletsOutput = await self._call("listWallets", {"limit": limit, "cursor": cursor})
        return result

    async def get_wallet(
        self,
        id: str,
    ) -> models.Wallet:
        """Shows a wallet. (``GET /ap2/admin/wallets/:id``)

        ``id``: The id of this record.
        """
        result: models.Wallet = await self._call("getWallet", {"id": id})
        return result

    async def remove_wallet(
        self,
        id: str,
    ) -> None:
        """Removes a wallet and its key for good; what it holds must be moved, or its key be kept elsewhere, before.
        (``DELETE /ap2/admin/wallets/:id``)

        ``id``: The id of this record.
        """
        await self._call("removeWallet", {"id": id})

    async def reserve_externally(
        self,
        *,
        agent_did: str,
        merchant: str,
        amount: inputs.Number,
        currency: str,
        channel: Literal["card", "wallet", "bank", "invoice", "other"],
        principal_did: str | None = None,
        delegation_id: str | None = None,
        items: Sequence[inputs.ReserveExternallyItems] | None = None,
        url: str | None = None,
        payee: str | None = None,
        reference: str | None = None,
        tops: str | None = None,
        mcc: str | None = None,
        country: str | None = None,
        expires_in: int | None = None,
        enforcement: Literal["asked", "proxy"] | None = None,
        approval_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ReservationResult:
        """Reserves an amount for a payment that is made elsewhere, such as with a card that is typed into a page.
        (``POST /ap2/external/reservations``)

        ``agent_did``: The agent, as did:key of its Ed25519 key.
        ``merchant``: The domain of who is paid, as the agent knows it.
        ``amount``: The most that is paid, with tax and shipping.
        ``currency``: ISO 4217 code in upper case.
        ``channel``: By what it is paid.
        ``principal_did``: Whose money it is; the agent’s own when absent.
        ``delegation_id``: The delegation, `dlg_…`, whose open mandate must allow the purchase beside the policy.
        ``items``: What is bought; they add up to the amount, tax and shipping among them.
        ``url``: Where it is bought.
        ``payee``: Who is paid, as the registry of merchants has it: a profile at a rail, or an account.
        ``reference``: What the merchant calls the order, where it has a name before it is paid.
        ``tops``: The reservation that was too small, where this is the rest of it.
        ``mcc``: Merchant category code of four digits (ISO 18245).
        ``country``: Where the merchant is, ISO 3166-1 alpha-2.
        ``expires_in``: For how many seconds the amount is reserved; 900 when absent.
        ``enforcement``: `proxy` where the payment cannot be made without this answer, as behind the guard;
        `asked` when absent.
        ``approval_id``: The approval that the refusal of the same purchase named, once a person has granted it.
        """
        result: models.ReservationResult = await self._call("reserveExternally", {
            "agentDid": agent_did,
            "principalDid": principal_did,
            "delegationId": delegation_id,
            "merchant": merchant,
            "amount": amount,
            "currency": currency,
            "items": items,
            "url": url,
            "channel": channel,
            "payee": payee,
            "reference": reference,
            "tops": tops,
            "mcc": mcc,
            "country": country,
            "expiresIn": expires_in,
            "enforcement": enforcement,
            "approvalId": approval_id,
        }, idempotency_key)
        return result

    async def commit_reservation(
        self,
        mandate_id: str,
        *,
        evidence: inputs.CommitReservationEvidence,
        amount: inputs.Number | None = None,
        idempotency_key: str | None = None,
    ) -> models.Payment:
        """Tells that a reserved payment was made elsewhere, and what for. (``POST
        /ap2/external/reservations/:mandateId/commit``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        ``evidence``: What shows that it was paid.
        ``amount``: What was paid; all that is reserved when absent. The rest is released.
        """
        result: models.Payment = await self._call("commitReservation", {
            "mandateId": mandate_id,
            "amount": amount,
            "evidence": evidence,
        }, idempotency_key)
        return result

    async def release_reservation(
        self,
        mandate_id: str,
        *,
        reason: Literal["not_paid", "declined", "abandoned"],
        evidence: inputs.ReleaseReservationEvidence | None = None,
        idempotency_key: str | None = None,
    ) -> models.Payment:
        """Tells that a reserved payment was not made elsewhere. (``POST
        /ap2/external/reservations/:mandateId/release``)

        ``mandate_id``: The mandate: `intent_…` for an intent, `pm_…` for a payment.
        ``reason``: Why it was not paid.
        ``evidence``: What shows that it was not.
        """
        result: models.Payment = await self._call("releaseReservation", {
            "mandateId": mandate_id,
            "reason": reason,
            "evidence": evidence,
        }, idempotency_key)
        return result

    async def read_statement(
        self,
        *,
        lines: Sequence[inputs.ReadStatementLines],
    ) -> models.ReadStatementOutput:
        """Compares a statement of an account with what was reserved for payments elsewhere. (``POST
        /ap2/external/statements``)

        ``lines``: What left the account, a line each.
        """
        result: models.ReadStatementOutput = await self._call("readStatement", {"lines": lines})
        return result

    async def sign_http_request(
        self,
        *,
        method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
        url: str,
        profile: Literal["web-bot-auth", "tap"],
        mandate_id: str | None = None,
        intent_id: str | None = None,
        body_digest: str | None = None,
        signature_agent_form: Literal["string", "dictionary"] | None = None,
        key: Literal["node", "agent"] | None = None,
        signature_agent: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.HttpSignature:
        """Signs one request to the merchant of one purchase (RFC 9421), so that the merchant lets the agent in.
        (``POST /ap2/http-signatures``)

        ``method``: By which it will be sent.
        ``url``: What will be requested, as it will be sent: at the merchant’s domain, or one below it.
        ``profile``: By which rules the merchant knows agents: `tap` is Visa’s Trusted Agent Protocol.
        ``mandate_id``: The payment whose merchant is asked; it, or intentId.
        ``intent_id``: The intent whose merchant is asked, before it is paid.
        ``body_digest``: Of the body, where it has one: `sha-256=:…:` (RFC 9530).
        ``signature_agent_form``: How Signature-Agent is written; as the registry of merchants has it when absent,
        else `string`.
        ``key``: Whose key signs: the node’s when absent. With `agent` the answer has the text that the agent
        signs itself.
        ``signature_agent``: Where the agent’s own key is published; the node’s address when absent. Only with
        `key: "agent"`.
        """
        result: models.HttpSignature = await self._call("signHttpRequest", {
            "mandateId": mandate_id,
            "intentId": intent_id,
            "method": method,
            "url": url,
            "bodyDigest": body_digest,
            "profile": profile,
            "signatureAgentForm": signature_agent_form,
            "key": key,
            "signatureAgent": signature_agent,
        }, idempotency_key)
        return result

    async def show_notifications(
        self,
        *,
        user_id: str | None = None,
    ) -> models.ShowNotificationsOutput:
        """Shows where the notifications of a user go, and the key that a browser subscribes with. (``GET
        /ap2/auth/notifications``)

        ``user_id``: The user whose places they are, named by an OWNER or a key that the node itself made; else
        the caller.
        """
        result: models.ShowNotificationsOutput = await self._call("showNotifications", {"userId": user_id})
        return result

    async def add_notifications(
        self,
        *,
        kind: Literal["webPush"] | Literal["plain"] | Literal["email"] | Literal["slack"] | Literal["discord"] | Literal["teams"] | Literal["telegram"],
        name: str,
        about: Sequence[Literal["approvals", "disputes", "agents", "payments", "digest", "passkey.added"]],
        endpoint: str | None = None,
        keys: inputs.AddNotificationsKeys | None = None,
        payments_from: inputs.AddNotificationsPaymentsFrom | None = None,
        digest: inputs.AddNotificationsDigest1 | None = None,
        details: bool | None = None,
        user_id: str | None = None,
        url: str | None = None,
        token: str | None = None,
        address: str | None = None,
        chat_id: str | None = None,
        api_url: str | None = None,
    ) -> models.ShowNotificationsOutputPlaces:
        """Has notifications sent to a browser or an address. The same one again takes the place of the former.
        (``POST /ap2/auth/notifications``)

        ``kind``: What kind it is.
        ``name``: What to call the place, such as "phone".
        ``about``: What to be told of.
        ``endpoint``: Of the browser’s push subscription.
        ``digest``: When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says
        another time.
        ``details``: Whether notifications tell amounts and merchants, which a locked screen shows to others and a
        service stores.
        ``user_id``: The user whose places they are, named by an OWNER or a key that the node itself made; else
        the caller.
        ``url``: Takes a plain text by POST, as an ntfy topic does.
        ``token``: Sent as a bearer token.
        ``address``: Nothing but a code is sent there until the code is given back.
        ``chat_id``: The chat that the bot writes to.
        ``api_url``: Of a Bot API server on this machine; only where the node lets webhooks lead to private
        addresses.
        """
        result: models.ShowNotificationsOutputPlaces = await self._call("addNotifications", {
            "kind": kind,
            "endpoint": endpoint,
            "keys": keys,
            "name": name,
            "about": about,
            "paymentsFrom": payments_from,
            "digest": digest,
            "details": details,
            "userId": user_id,
            "url": url,
            "token": token,
            "address": address,
            "chatId": chat_id,
            "apiUrl": api_url,
        })
        return result

    async def change_notifications(
        self,
        id: str,
        *,
        name: str,
        about: Sequence[Literal["approvals", "disputes", "agents", "payments", "digest", "passkey.added"]],
        user_id: str | None = None,
        payments_from: inputs.AddNotificationsPaymentsFrom | None = None,
        digest: inputs.AddNotificationsDigest1 | None = None,
        details: bool | None = None,
    ) -> models.ShowNotificationsOutputPlaces:
        """Changes what a place is told of, and how much. (``PUT /ap2/auth/notifications/:id``)

        ``id``: The id of this record.
        ``name``: What to call the place, such as "phone".
        ``about``: What to be told of.
        ``user_id``: The user whose places they are, named by an OWNER or a key that the node itself made; else
        the caller.
        ``digest``: When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says
        another time.
        ``details``: Whether notifications tell amounts and merchants, which a locked screen shows to others and a
        service stores.
        """
        result: models.ShowNotificationsOutputPlaces = await self._call("changeNotifications", {
            "id": id,
            "userId": user_id,
            "name": name,
            "about": about,
            "paymentsFrom": payments_from,
            "digest": digest,
            "details": details,
        })
        return result

    async def remove_notifications(
        self,
        id: str,
        *,
        user_id: str | None = None,
    ) -> None:
        """Sends notifications to a place no more. (``DELETE /ap2/auth/notifications/:id``)

        ``id``: The id of this record.
        ``user_id``: The user whose places they are, named by an OWNER or a key that the node itself made; else
        the caller.
        """
        await self._call("removeNotifications", {"id": id, "userId": user_id})

    async def confirm_notifications(
        self,
        id: str,
        *,
        code: str,
        user_id: str | None = None,
    ) -> models.ShowNotificationsOutputPlaces:
        """Confirms an e-mail address by the code that was sent there, from when on notifications go there. (``POST
        /ap2/auth/notifications/:id/confirm``)

        ``id``: The id of this record.
        ``code``: A stable code for programs.
        ``user_id``: The user whose places they are, named by an OWNER or a key that the node itself made; else
        the caller.
        """
        result: models.ShowNotificationsOutputPlaces = await self._call("confirmNotifications", {"id": id, "userId": user_id, "code": code})
        return result

    async def try_notifications(
        self,
        id: str,
        *,
        user_id: str | None = None,
    ) -> models.WebhookLog:
        """Sends a trial to a place, and answers how that went. (``POST /ap2/auth/notifications/:id/try``)

        ``id``: The id of this record.
        ``user_id``: The user whose places they are, named by an OWNER or a key that the node itself made; else
        the caller.
        """
        result: models.WebhookLog = await self._call("tryNotifications", {"id": id, "userId": user_id})
        return result

    async def mail_invitation(
        self,
        *,
        mail: str,
        role: Literal["OWNER", "ADMIN", "MEMBER", "VIEWER"] | None = None,
        name: str | None = None,
    ) -> models.ListInvitationsOutputData:
        """Invites a person by mail: the link that makes their passkey goes to the mailbox alone. (``POST
        /ap2/admin/invitations/mail``)

        ``mail``: Where the link is sent.
        ``role``: What they may do; VIEWER where it is not given.
        ``name``: What to call them; they may choose another name.
        """
        result: models.ListInvitationsOutputData = await self._call("mailInvitation", {"mail": mail, "role": role, "name": name})
        return result

    async def tell_guard(
        self,
        *,
        name: str,
        agent_did: str,
        servers: Sequence[inputs.TellGuardServers],
    ) -> models.Guard:
        """Tells which tools a guard stands before; what was told before is replaced. Answers what people accepted.
        (``PUT /ap2/guards``)

        ``name``: What the guard is called, once for each agent.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        """
        result: models.Guard = await self._call("tellGuard", {
            "name": name,
            "agentDid": agent_did,
            "servers": servers,
        })
        return result

    async def list_guards(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        agent_did: str | None = None,
    ) -> models.ListGuardsOutput:
        """Lists guards, newest first: which servers each stands before, and how many tools wait for a person. (``GET
        /ap2/guards``)

        ``limit``: How many records to return, 1 to 200.
        ``cursor``: The cursor of the page before, as it was returned; null on the last page.
        ``agent_did``: The agent, as did:key of its Ed25519 key.
        """
        result: models.ListGuardsOutput = await self._call("listGuards", {
            "limit": limit,
            "cursor": cursor,
            "agentDid": agent_did,
        })
        return result

    async def get_guard(
        self,
        id: str,
    ) -> models.Guard:
        """Shows a guard: its tools as it told them last, what its rules do with each, and what a person has
        accepted. (``GET /ap2/guards/:id``)

        ``id``: The id of this record.
        """
        result: models.Guard = await self._call("getGuard", {"id": id})
        return result

    async def accept_tools(
        self,
        id: str,
        *,
        server: str,
        tools: Sequence[inputs.AcceptToolsTools],
    ) -> models.Guard:
        """Accepts tools of a guard as they are, as an OWNER who has logged in. Each is named with the hash of what
        was looked at. (``POST /ap2/guards/:id/accept``)

        ``id``: The id of this record.
        ``server``: The server that lists them, as the guard calls it.
        """
        result: models.Guard = await self._call("acceptTools", {"id": id, "server": server, "tools": tools})
        return result

    async def remove_guard(
        self,
        id: str,
    ) -> None:
        """Removes a guard and what was accepted of it. One that still runs is told so, and calls what it had taken
        up before; its key ends that. (``DELETE /ap2/guards/:id``)

        ``id``: The id of this record.
        """
        await self._call("removeGuard", {"id": id})

    async def show_backup_schedule(
        self,
    ) -> models.ShowBackupScheduleOutput:
        """Shows when backups are made, where they are kept, and which of them there are. (``GET
        /ap2/admin/backups/schedule``)
        """
        result: models.ShowBackupScheduleOutput = await self._call("showBackupSchedule", {})
        return result

    async def set_backup_schedule(
        self,
        *,
        every: Literal["hour", "day", "week"],
        target: inputs.SetBackupScheduleTarget1 | inputs.SetBackupScheduleTarget2,
        hour: int | None = None,
        keep: int | None = None,
    ) -> models.ShowBackupScheduleOutput:
        """Sets when backups are made and where they are kept, after trying the place. The first one is made at once.
        (``PUT /ap2/admin/backups/schedule``)

        ``every``: How often one is made. week: each Monday.
        ``hour``: Of the day, by UTC. It means nothing where one is made each hour.
        ``keep``: How many stay; older ones are removed once a newer one was tried.
        """
        result: models.ShowBackupScheduleOutput = await self._call("setBackupSchedule", {
            "every": every,
            "hour": hour,
            "keep": keep,
            "target": target,
        })
        return result

    async def end_backup_schedule(
        self,
    ) -> models.ShowBackupScheduleOutput:
        """Ends the schedule. What was kept stays where it is. (``DELETE /ap2/admin/backups/schedule``)"""
        result: models.ShowBackupScheduleOutput = await self._call("endBackupSchedule", {})
        return result

    async def start_scheduled_backup(
        self,
    ) -> models.ShowBackupScheduleOutput:
        """Has a backup made now, kept where the schedule says, and tried. (``POST
        /ap2/admin/backups/schedule/start``)
        """
        result: models.ShowBackupScheduleOutput = await self._call("startScheduledBackup", {})
        return result
