/** An agent asks to spend up to an amount; what the policy allows is signed. */
import { issueCredential } from '../../../protocol/credential/vc.ts';
import { decideIntent, IntentRequest, IntentResult, MAX_INTENT_TTL_SECONDS } from '../../../protocol/intent.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { requireActsFor } from '../../access/caller.ts';
import { type IntentRow, insertIntent } from '../../store/statements/purchases/intents.ts';
import type { Deps } from '../core/deps.ts';
import { minorAt } from '../core/minorAmount.ts';
import { inOneCommit, useCase } from '../core/useCase.ts';
import { recordEvent } from '../evidence/recordEvent.ts';
import { countIntent, keepRecounts, loadAgent, loadPolicy, loadUse } from '../policies/loadFacts.ts';

export const issueIntent = useCase({
  summary: 'Asks permission to spend up to an amount. A refusal is an answer too, with every reason.',
  input: IntentRequest,
  output: IntentResult,
  permission: 'write',
  faults: ['NOT_FOUND'],
  idempotent: true,
  run: inOneCommit<IntentRequest, IntentResult>(function* (deps, caller, input, { now, contextId, signed }) {
    const { tenantId } = caller;
    const { maxAmount, currency, vendorHints } = input.request;
    requireActsFor(caller, input.agentDid);
    const maxMinor = minorAt('request.maxAmount', maxAmount, currency);
    const expiresAt = expiryOf(deps, input.expiresAt, now);
    const agent = yield* loadAgent(tenantId, input.agentDid);
    const { row: policy, compiled } = yield* loadPolicy(deps, tenantId);
    const { facts, windows } = yield* loadUse(
      compiled,
      agent,
      { currency, merchant: vendorHints?.domain },
      undefined,
      now,
    );

    const request = {
      amountMinor: maxMinor,
      currency,
      merchantDomain: vendorHints?.domain,
      mcc: vendorHints?.mcc,
      country: vendorHints?.country,
    };
    const decision = decideIntent(request, { agentStatus: agent.status, policy: compiled, use: facts }, now);

    const mandateId = deps.newId('intent_');
    const transactionId = deps.newId('txn_');
    const about = {
      transactionId,
      ...(contextId === undefined ? {} : { contextId }),
      mandateId,
      agentDid: agent.did,
      principalDid: input.principalDid,
      maxAmount,
      currency,
      ...(vendorHints?.domain === undefined ? {} : { merchantDomain: vendorHints.domain }),
      ...(vendorHints?.mcc === undefined ? {} : { mcc: vendorHints.mcc }),
      ...(vendorHints?.country === undefined ? {} : { country: vendorHints.country }),
      policyId: policy.id,
      policyVersion: policy.version,
      policyHash: policy.hash,
    };
    if (!decision.allowed) {
      const { reasonCodes, details } = decision;
      yield* keepRecounts(tenantId, windows);
      const data = { ...about, reasonCodes, details };
      yield* recordEvent(deps, tenantId, { eventType: 'INTENT_DENIED', actorDid: agent.did, data }, now);
      return { allowed: false, reasonCodes, details };
    }

    const credential = issueCredential(deps.suite, deps.issuer, {
      id: `urn:uuid:${mandateId}`,
      type: 'IntentMandate',
      subject: {
        mandateId,
        agentDid: agent.did,
        principalDid: input.principalDid,
        maxAmount,
        currency,
        ...(vendorHints?.domain === undefined ? {} : { merchantDomain: vendorHints.domain }),
      },
      issuedAt: now,
      expiresAt,
    });
    signed.push(credential);
    const intent: IntentRow = {
      tenant_id: tenantId,
      mandate_id: mandateId,
      transaction_id: transactionId,
      context_id: contextId ?? null,
      agent_did: agent.did,
      principal_did: input.principalDid,
      status: 'ACTIVE',
      max_minor: maxMinor,
      reserved_minor: maxMinor,
      currency,
      merchant_domain: vendorHints?.domain ?? null,
      mcc: vendorHints?.mcc ?? null,
      country: vendorHints?.country ?? null,
      policy_id: policy.id,
      policy_version: policy.version,
      policy_hash: policy.hash,
      credential: credential.text,
      created_at: now,
      expires_at: expiresAt,
    };
    yield* insertIntent(intent);
    yield* countIntent(tenantId, windows, { currency, reservedMinor: maxMinor });
    const data = { ...about, hpRequired: decision.hpRequired, expiresAt: new Date(expiresAt).toISOString() };
    yield* recordEvent(deps, tenantId, { eventType: 'INTENT_ISSUED', actorDid: agent.did, data }, now);
    return {
      allowed: true,
      intentVc: credential.document,
      attestation: { policyId: policy.id, policyVersion: policy.version, policyHash: policy.hash },
      hpRequired: decision.hpRequired,
    };
  }),
});

function expiryOf(deps: Deps, asked: string | undefined, now: number): number {
  if (asked === undefined) return now + deps.settings.intentTtlSeconds * 1000;
  const at = Date.parse(asked);
  const message =
    at <= now
      ? 'lies in the past'
      : at > now + MAX_INTENT_TTL_SECONDS * 1000
        ? `lies more than ${MAX_INTENT_TTL_SECONDS / 3600} hours ahead`
        : undefined;
  if (message !== undefined) {
    throw new Fault('BAD_REQUEST', `expiresAt ${message}.`, [{ path: 'expiresAt', message }]);
  }
  return at;
}
