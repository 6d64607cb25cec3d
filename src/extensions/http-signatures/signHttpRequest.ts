/** Signs one request to the merchant of one purchase (RFC 9421), so that the merchant lets the agent in. */

import { HttpSignature, HttpSignatureRequest } from '../../../protocol/httpSignatures/httpSignature.ts';
import {
  DATED_BACK_SECONDS,
  draftSignature,
  LONGEST_SECONDS,
  signatureField,
} from '../../../protocol/httpSignatures/requestSignature.ts';
import { intentStatusAt } from '../../../protocol/intent.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { recordEvent } from '../../domain/evidence/recordEvent.ts';
import { loadPayment } from '../../domain/payments/loadPayment.ts';
import { findIntent } from '../../store/statements/purchases/intents.ts';
import { findMerchantsOf } from '../../store/statements/registry/merchants.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { type CommitContext, inOneCommit, useCase } from '../../usecase/useCase.ts';
import { newNonce } from './newNonce.ts';
import { keyidOf, requestKey } from './requestKey.ts';
import { signedTarget } from './signedTarget.ts';

export const signHttpRequest = useCase({
  summary: 'Signs one request to the merchant of one purchase (RFC 9421), so that the merchant lets the agent in.',
  input: HttpSignatureRequest,
  output: HttpSignature,
  permission: 'write',
  idempotent: true,
  // Until it ends, who has it can send the request.
  secretAnswer: true,
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: inOneCommit(sign),
});

/** What a request is signed for. */
interface SignedPurchase {
  readonly id: string;
  readonly transactionId: string;
  readonly agentDid: string;
  readonly merchant: string;
  readonly isPaid: boolean;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

function* sign(deps: Deps, caller: Caller, input: HttpSignatureRequest, { now }: CommitContext): Script<HttpSignature> {
  const purchase = yield* loadPurchase(caller, input, now);
  const { id, transactionId, agentDid, merchant, isPaid } = purchase;
  const agent = yield* loadAgent(caller.tenantId, agentDid);
  if (agent.status !== 'ACTIVE') throw new Fault('CONFLICT', `The agent is ${agent.status}: nothing is signed for it.`);
  const { method, url, profile, bodyDigest: contentDigest, key = 'node' } = input;
  const { shown } = signedTarget(deps, url, merchant);
  const own = key === 'node' ? requestKey(deps) : undefined;
  const created = Math.floor(now / 1000) - DATED_BACK_SECONDS;
  const expires = Math.min(created + LONGEST_SECONDS, Math.floor(purchase.endsAt / 1000));
  if (expires * 1000 <= now) throw new Fault('CONFLICT', 'The intent ends now: nothing is signed for it any more.');
  const terms = {
    profile,
    form: input.signatureAgentForm ?? (yield* formOf(caller, merchant)) ?? 'string',
    signatureAgent: input.signatureAgent ?? deps.settings.baseUrl,
    isPaid,
    keyid: own?.jwk.kid ?? keyidOf(deps.suite, agentDid),
    nonce: newNonce(deps),
    created,
    expires,
  } as const;
  const { label, base, headers } = draftSignature({ method, url, contentDigest }, terms);
  const { keyid, nonce } = terms;
  const expiresAt = isoTime(expires * 1000);
  const data = { mandateId: id, transactionId, merchant, method, url: shown, profile, key, keyid, nonce, expiresAt };
  yield* recordEvent(deps, caller.tenantId, { eventType: 'HTTP_SIGNED', actorDid: agentDid, data }, now);
  if (own === undefined) return { headers, base, keyid, nonce, expiresAt };
  const signature = own.signer.sign(new TextEncoder().encode(base));
  return { headers: { ...headers, Signature: signatureField(label, signature) }, keyid, nonce, expiresAt };
}

/** @throws Fault NOT_FOUND for a purchase that is not the caller's, CONFLICT for one that has ended or names no merchant */
function* loadPurchase(caller: Caller, input: HttpSignatureRequest, now: number): Script<SignedPurchase> {
  const { mandateId, intentId = '' } = input;
  if (mandateId !== undefined) {
    const payment = yield* loadPayment(caller, mandateId);
    if (payment.status === 'FAILED' || payment.status === 'CANCELED') throw ended('payment', mandateId, payment.status);
    const { transaction_id: transactionId, agent_did: agentDid, merchant } = payment;
    return { id: mandateId, transactionId, agentDid, merchant, isPaid: true, endsAt: Number.POSITIVE_INFINITY };
  }
  const intent = yield* findIntent(caller.tenantId, intentId);
  if (intent === undefined || !actsFor(caller, intent.agent_did)) {
    throw new Fault('NOT_FOUND', `There is no intent ${intentId}.`);
  }
  const status = intentStatusAt({ status: intent.status, expiresAt: intent.expires_at }, now);
  if (status === 'USED') {
    throw new Fault('CONFLICT', `The intent ${intentId} is USED: name its payment by mandateId.`);
  }
  if (status !== 'ACTIVE') throw ended('intent', intentId, status);
  const { transaction_id: transactionId, agent_did: agentDid, expires_at: endsAt } = intent;
  const merchant = intent.merchant_domain ?? intent.held_merchant;
  if (merchant === null) {
    throw new Fault('CONFLICT', `The intent ${intentId} is for no merchant: ask for one that names it in vendorHints.`);
  }
  return { id: intentId, transactionId, agentDid, merchant, isPaid: false, endsAt };
}

function ended(noun: string, id: string, status: string): Fault {
  return new Fault('CONFLICT', `The ${noun} ${id} is ${status}: nothing is signed for it any more.`);
}

function* formOf({ tenantId }: Caller, merchant: string): Script<HttpSignatureRequest['signatureAgentForm']> {
  const rows = yield* findMerchantsOf(tenantId, merchant);
  return rows.find((row) => row.signature_agent_form !== null)?.signature_agent_form ?? undefined;
}
