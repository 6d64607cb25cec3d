/** The sandbox's help: a demo merchant that signs carts, a demo person who is present, a whole purchase at once. */
import { type CartResult, cartTotalMinor } from '../../../protocol/cart.ts';
import { signDocument } from '../../../protocol/credential/proof.ts';
import { type Credential, issueCredential } from '../../../protocol/credential/vc.ts';
import {
  DemoCart,
  DemoCartResult,
  DemoPayment,
  DemoPaymentResult,
  DemoPresence,
  DemoPresenceResult,
} from '../../../protocol/demo.ts';
import type { IntentResult } from '../../../protocol/intent.ts';
import { fromMinor } from '../../../protocol/money.ts';
import type { Payment, PaymentResult } from '../../../protocol/payment.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { requireActsFor } from '../../access/caller.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { showEvent } from '../../domain/evidence/showEvidence.ts';
import { minorAt } from '../../domain/purchases/purchaseFacts.ts';
import { CART_TTL_SECONDS, demoKeys } from '../../domain/sandbox/demoKeys.ts';
import { listTransaction } from '../../store/statements/evidence/events.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inOneRead, inSteps, perform, useCase } from '../../usecase/useCase.ts';

/** What the functions of this file use. */
type DemoPurchaseDeps = Pick<Deps, 'keys' | 'newId' | 'suite'>;

export const demoCart = useCase({
  summary: 'Creates a cart signed by the sandbox’s demo merchant.',
  input: DemoCart,
  output: DemoCartResult,
  permission: 'write',
  sandboxOnly: true,
  run: inOneRead<DemoCart, DemoCartResult>(function* (deps: DemoPurchaseDeps, _caller, input, now) {
    return { cartVc: makeDemoCart(deps, input, now) };
  }),
});

function makeDemoCart(deps: DemoPurchaseDeps, input: DemoCart, now: number): Credential {
  const { domain, currency } = input;
  const total = fromMinor(minorAt('amount', input.amount, currency), currency);
  const items = input.items ?? [{ name: 'Demo item', price: total, quantity: 1 }];
  const subject = { merchant: domain, payer: input.payerDid, items, total, currency };
  cartTotalMinor(subject);
  return issueCredential(deps.suite, demoKeys(deps).merchant, {
    id: `urn:uuid:${deps.newId('cart_')}`,
    type: 'CartMandate',
    subject,
    issuedAt: now,
    expiresAt: now + CART_TTL_SECONDS * 1000,
  }).document;
}

export const demoPresenceProof = useCase({
  summary: 'Creates a proof of human presence signed by the sandbox’s demo key.',
  input: DemoPresence,
  output: DemoPresenceResult,
  permission: 'write',
  faults: ['NOT_FOUND'],
  sandboxOnly: true,
  run: inOneRead<DemoPresence, DemoPresenceResult>(function* (deps: DemoPurchaseDeps, caller, input, now) {
    requireActsFor(caller, input.agentDid);
    yield* loadAgent(caller.tenantId, input.agentDid);
    const { presence } = demoKeys(deps);
    const verifiedAt = isoTime(now);
    const statement = {
      type: 'HumanPresenceProof' as const,
      id: deps.newId('hp_'),
      issuer: presence.did,
      agentDid: input.agentDid,
      credentialId: 'demo',
      verifiedAt,
      expiresAt: isoTime(now + input.freshnessSeconds * 1000),
    };
    const options = { created: verifiedAt, proofPurpose: 'assertionMethod' as const };
    return { hpProof: signDocument(deps.suite, presence, statement, options).document };
  }),
});

export const demoPayment = useCase({
  summary: 'Plays a whole purchase through the real use cases, as far as it gets.',
  input: DemoPayment,
  output: DemoPaymentResult,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  sandboxOnly: true,
  run: inSteps<DemoPayment, DemoPaymentResult>(async (deps, caller, input) => {
    demoKeys(deps);
    // The id is made beforehand, so that the evidence of a denial can be found by it too.
    const transactionId = deps.newId('txn_');
    const own: Deps = { ...deps, newId: (prefix) => (prefix === 'txn_' ? transactionId : deps.newId(prefix)) };
    const steps = await purchase();
    const rows = await deps.store.read(() => listTransaction(caller.tenantId, transactionId));
    const output: DemoPaymentResult = { transactionId, ...steps, evidence: rows.map(showEvent) };
    return output;

    async function played<Output>(name: string, given: object): Promise<Output> {
      return (await perform(own, name, { caller, reply: { kind: 'output' } }, given)).output as Output;
    }

    async function purchase(): Promise<Omit<DemoPaymentResult, 'transactionId' | 'evidence'>> {
      const { agentDid, principalDid, amount, currency, merchantDomain } = input;
      const request = { maxAmount: amount, currency, vendorHints: { domain: merchantDomain } };
      const intent = await played<IntentResult>('issueIntent', { agentDid, principalDid, request });
      if (!intent.allowed) return { intent };

      const offer = { payerDid: principalDid, domain: merchantDomain, amount, currency };
      const cartVc = makeDemoCart(deps, offer, deps.clock());
      const cart = await played<CartResult>('validateCart', { intentVc: intent.intentVc, cartVc });
      if (!cart.allowed) return { intent, cart };

      const payment = await played<PaymentResult>('mandatePayment', { approvalToken: cart.approvalToken });
      if (!('pmVc' in payment) || payment.railResponse.status !== 'requires_capture') return { intent, cart, payment };

      const mandateId = String(payment.pmVc.credentialSubject.mandateId);
      const capture = await played<Payment>('capturePayment', { mandateId });
      return { intent, cart, payment: { ...payment, capture } };
    }
  }),
});
