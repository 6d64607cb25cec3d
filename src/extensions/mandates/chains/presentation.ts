/** A chain of mandates that was presented: what the evidence keeps of it, and the answer where it is refused. */
import {
  type PaymentCredentialRequest,
  type PaymentCredentialResult,
  receiptErrorOf,
} from '../../../../protocol/ap2/paymentCredential.ts';
import type { Governance } from '../../../../protocol/principal.ts';
import { type ReasonDetails, type Refusal, refusalOf } from '../../../../protocol/reason.ts';
import type { MandateChain } from '../../../../protocol/sdjwt/mandateChain.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { type DecisionDeps, recordDecision } from '../../../domain/evidence/recordEvent.ts';
import type { IntentRow } from '../../../store/statements/purchases/intents.ts';
import type { AgentRow } from '../../../store/statements/registry/agents.ts';
import type { Script } from '../../../store/store.ts';
import type { CommitContext } from '../../../usecase/useCase.ts';
import { makeReceipt, receiptFacts } from '../uses/paymentReceipts.ts';
import type { MandateTrust } from './mandateTrust.ts';
import type { MandateRead } from './readMandate.ts';

/** What is known of a presentation from its request on. */
export interface PresentedPurchase {
  readonly input: PaymentCredentialRequest;
  readonly read: MandateRead;
  readonly agent: AgentRow;
  readonly principalDid: string;
  readonly principal: Governance;
  readonly moment: CommitContext;
}

export function* recordAccepted(
  deps: DecisionDeps,
  { input, read, agent, principalDid, moment }: PresentedPurchase,
  about: { intent: IntentRow; chain: MandateChain; trust: MandateTrust; cartHash: string },
): Script<void> {
  const { intent, chain, trust, cartHash } = about;
  const { paymentMandate, verifiableIntent, nonce, checkoutMandate, openCheckoutHash } = input;
  const data = compact({
    ...{ transactionId: intent.transaction_id, contextId: intent.context_id ?? undefined },
    ...{ agentDid: agent.did, principalDid, intentId: intent.mandate_id, cartHash },
    ...{ mandateIssuerId: trust.issuer.id, kind: trust.issuer.kind, rootKey: trust.jwk },
    ...{
      paymentMandate,
      verifiableIntent,
      nonce,
      checkoutMandate,
      checkoutRootKey: read.checkoutRootKey,
      openCheckoutHash,
      checkoutHash: chain.transactionId,
    },
    ...{ reference: read.reference, verifiedAt: read.at, subscription: chain.limits[0]?.subscription },
  });
  const event = { eventType: 'MANDATE_ACCEPTED', actorDid: agent.did, data } as const;
  yield* recordDecision(deps, agent.tenant_id, event, moment.now);
}

/** Answers with every reason and a receipt, which the evidence has with the chain, where a trusted issuer began that. */
export function* refuseMandate(
  deps: DecisionDeps,
  { input, read, agent, principalDid, moment }: PresentedPurchase,
  details: ReasonDetails,
  about: { readonly refusal?: Refusal; readonly intent?: IntentRow; readonly more?: object } = {},
): Script<PaymentCredentialResult> {
  const refusal = about.refusal ?? (refusalOf(details) as Refusal);
  const { reasonCodes, limits } = refusal;
  const [code = 'MANDATE_INVALID'] = reasonCodes;
  const transactionId = about.intent?.transaction_id ?? deps.newId('txn_');
  const { reference, referenceSdHash, trust } = read;
  const receipt = makeReceipt(
    deps,
    {
      ...{ status: 'Error', reference, reference_sd_hash: referenceSdHash, payment_id: transactionId },
      ...{ error: receiptErrorOf(code), error_description: refusal.details[code]?.message ?? code },
    },
    moment.now,
  );
  const refused = compact({ reasonCodes, details: refusal.details, limits });
  const data = compact({
    ...{ transactionId, agentDid: agent.did, principalDid, intentId: about.intent?.mandate_id, reference },
    ...{ mandateIssuerId: trust?.issuer.id, rootKey: trust?.jwk, ...refused, ...receiptFacts(deps, receipt) },
    ...(trust === undefined ? {} : { paymentMandate: input.paymentMandate, verifiableIntent: input.verifiableIntent }),
  });
  const event = { eventType: 'MANDATE_REFUSED', actorDid: agent.did, data } as const;
  yield* recordDecision(deps, agent.tenant_id, event, moment.now);
  return { allowed: false, ...refused, receipt, ...about.more } as PaymentCredentialResult;
}
