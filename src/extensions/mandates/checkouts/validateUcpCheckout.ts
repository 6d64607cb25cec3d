/** A checkout of UCP that its business signed: checked against its intent and the policy like every cart. */

import { CartResult } from '../../../../protocol/cart.ts';
import { type CheckoutOffer, checkoutKey, hashCheckout, readCheckout } from '../../../../protocol/ucp/checkout.ts';
import { UcpCartRequest } from '../../../../protocol/ucp/ucpRequest.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { type Caller, requireActsFor } from '../../../access/caller.ts';
import { findObstacle } from '../../../domain/carts/findObstacle.ts';
import { judgeCart, loadCart, type ParsedCart } from '../../../domain/carts/judgeCart.ts';
import type { ParsedIntent } from '../../../domain/intents/issuedIntent.ts';
import { storeCheckout } from '../../../domain/purchases/storedCart.ts';
import { findIntent, type IntentRow } from '../../../store/statements/purchases/intents.ts';
import { isCheckoutPaid } from '../../../store/statements/purchases/payments.ts';
import { findMerchantsOf, type MerchantRow } from '../../../store/statements/registry/merchants.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { decision, loadedInOneCommit } from '../../../usecase/useCase.ts';
import { verifyCheckout } from './verifyCheckout.ts';

export const validateUcpCheckout = decision({
  summary:
    'Checks a checkout of UCP that its business signed against an intent and the policy, and approves it for payment.',
  input: UcpCartRequest,
  output: CartResult,
  permission: 'write',
  faults: ['NOT_FOUND'],
  secretAnswer: true,
  run: async (deps, call, input) => {
    const offer = readCheckout(input.checkout, 'checkout');
    const known = await deps.store.read((now) => lookUp(call.caller, input, now));
    // Keys may have to be fetched, which must not happen inside the transaction.
    const verified = await verifyCheckout(
      deps,
      { checkout: input.checkout, checkoutJwt: input.checkoutJwt, merchant: input.merchantDomain },
      known,
    );
    const cart = readCart(deps, input, offer, known.intent, verified);
    const key = checkoutKey(deps.suite, input.merchantDomain, offer.id);
    const intent = intentOf(known.intent);
    const commit = loadedInOneCommit(
      (_deps, { tenantId }) => ({ ...loadCart(tenantId, intent, cart), isPaid: isCheckoutPaid(tenantId, key) }),
      function* (_deps, caller, request: UcpCartRequest, moment, { isPaid, ...facts }): Script<CartResult> {
        const { hpProof, instrument, credentialFormats } = request;
        const toJudge = { ...intent, cart, hpProof, instrument, credentialFormats };
        const offered = facts.offered && { ...facts.offered, isPaid: facts.offered.isPaid || isPaid };
        return named(yield* judgeCart(deps, caller, toJudge, { ...facts, offered }, moment), verified);
      },
    );
    return commit(deps, call, input);
  },
});

type CheckoutCheck = Awaited<ReturnType<typeof verifyCheckout>>;

/** What the node knows before anything is fetched. */
interface CheckoutContext {
  readonly intent: IntentRow;
  readonly bound: readonly MerchantRow[];
  readonly obstacle: string | undefined;
}

/** @throws Fault NOT_FOUND, FORBIDDEN for an intent that is not the caller's */
function* lookUp(caller: Caller, { intentId, merchantDomain }: UcpCartRequest, now: number): Script<CheckoutContext> {
  const intent = yield* findIntent(caller.tenantId, intentId);
  if (intent === undefined) throw new Fault('NOT_FOUND', `There is no intent ${intentId}.`);
  requireActsFor(caller, intent.agent_did);
  const bound = yield* findMerchantsOf(caller.tenantId, merchantDomain);
  return { intent, bound, obstacle: yield* findObstacle(intent, merchantDomain, undefined, now) };
}

function intentOf({
  mandate_id: mandateId,
  agent_did: agentDid,
  principal_did: principalDid,
}: IntentRow): ParsedIntent {
  return { mandateId, agentDid, principalDid };
}

function readCart(
  deps: Pick<Deps, 'suite'>,
  { checkout, checkoutJwt, merchantDomain: merchant }: UcpCartRequest,
  { id, items, totalMinor, currency, endsAt }: CheckoutOffer,
  intent: IntentRow,
  verified: CheckoutCheck,
): ParsedCart {
  return {
    merchant,
    merchantName: undefined,
    ...{ items, totalMinor, currency },
    confirmed: false,
    hash: hashCheckout(deps.suite, merchant, checkout),
    text: storeCheckout(checkout, checkoutJwt),
    expiresAt: Math.min(endsAt, intent.expires_at),
    issuer: 'fault' in verified ? '' : verified.issuer,
    fault: 'fault' in verified ? `The business's signature cannot be trusted. ${verified.fault}` : undefined,
    signature: undefined,
    facts: compact({
      checkoutId: id,
      merchantKey: 'fault' in verified ? undefined : { issuer: verified.issuer, jwk: verified.jwk },
    }),
  };
}

/** Says by UCP's own word what is wrong with the authorization. */
function named(result: CartResult, verified: CheckoutCheck): CartResult {
  const unverified = result.allowed ? undefined : result.details['MERCHANT_UNVERIFIED'];
  if (result.allowed || unverified === undefined || !('ucp' in verified)) return result;
  return { ...result, details: { ...result.details, MERCHANT_UNVERIFIED: { ...unverified, ucp: verified.ucp } } };
}
