/** The mandates of a payment for a checkout of UCP: made once, in the commit that finds its money held, and kept sealed. */

import { hashText } from '../../../../protocol/credential/canonical.ts';
import { checkoutKey, readCheckout } from '../../../../protocol/ucp/checkout.ts';
import {
  type CheckoutMandates,
  MANDATE_LIFE_MS,
  type MandateTerms,
  mintMandates,
} from '../../../../protocol/ucp/mintMandates.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { recordNodeEvent } from '../../../domain/evidence/recordEvent.ts';
import { partiesOf } from '../../../domain/purchases/purchaseFacts.ts';
import { checkoutIn, type StoredCart } from '../../../domain/purchases/storedCart.ts';
import { findApprovalTokenOfCart } from '../../../store/statements/purchases/approvalTokens.ts';
import {
  type CheckoutMandatesRow,
  checkoutMandatesContext,
  findCheckoutMandates,
  insertCheckoutMandates,
  saveCheckoutMandates,
} from '../../../store/statements/purchases/checkoutMandates.ts';
import type { PaymentRow } from '../../../store/statements/purchases/payments.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import type { Authorizer } from '../../../usecase/hooks.ts';

/** Checkouts of UCP: a payment for one gets mandates for its shop. */
export const checkoutAuthorizer: Authorizer = {
  name: 'ucp',
  readCart({ suite }, cart, merchant) {
    const { checkout } = checkoutIn(cart as StoredCart) ?? {};
    if (checkout === undefined) return undefined;
    const { endsAt } = readCheckout(checkout, 'checkout');
    return { endsAt, confirmed: false, key: checkoutKey(suite, merchant, String(checkout['id'])) };
  },
  *afterPayment(deps, payment, { ucp = {} }, now) {
    if (payment.checkout_key !== null) yield* draftMandates(deps, payment, ucp, now);
  },
  afterOutcome: mintMandatesOfPayment,
  *showPayment(deps, payment, maySpend) {
    return maySpend ? compact({ ucp: yield* findMandatesOfPayment(deps, payment) }) : {};
  },
};

/** Notes for whom the mandates of a payment will be made. */
function draftMandates(
  deps: Pick<Deps, 'newToken'>,
  { tenant_id, mandate_id: payment_id, merchant }: PaymentRow,
  { audience = merchant, paymentAudience = audience, nonce = deps.newToken('') }: MandateTerms,
  now: number,
): Script<void> {
  return insertCheckoutMandates({
    ...{ tenant_id, payment_id, audience, nonce },
    payment_audience: paymentAudience,
    created_at: now,
  });
}

type MintDeps = EventDeps & Pick<Deps, 'keys' | 'newToken' | 'sealer'>;

/** Makes the mandates of a payment whose money is held. Of a checkout that has ended by then no mandate would hold. */
function* mintMandatesOfPayment(deps: MintDeps, payment: PaymentRow, now: number): Script<void> {
  const { tenant_id: tenantId, mandate_id: paymentId, merchant, currency } = payment;
  if (payment.checkout_key === null || payment.status !== 'AUTHORIZED') return;
  const row = yield* findCheckoutMandates(tenantId, paymentId);
  const approval = yield* findApprovalTokenOfCart(tenantId, payment.intent_id, String(payment.cart_hash));
  const cart = approval && checkoutIn(JSON.parse(approval.cart) as StoredCart);
  if (row === undefined || row.sealed !== null || cart === undefined) return;
  const expiresAt = Math.min(now + MANDATE_LIFE_MS, readCheckout(cart.checkout, 'checkout').endsAt);
  if (expiresAt <= now) return;
  const paid = { id: paymentId, rail: payment.rail, merchant, amountMinor: payment.amount_minor, currency };
  const { audience, payment_audience: paymentAudience, nonce } = row;
  const minted = mintMandates(cart.checkout, cart.checkoutJwt, paid, {
    signer: deps.keys.receiptSigner,
    salt: () => deps.newToken(''),
    terms: { audience, paymentAudience, nonce },
    now,
    expiresAt,
  });
  const { checkoutHash, checkoutMandate, paymentMandate } = minted;
  const mandates: CheckoutMandates = { checkoutMandate, paymentMandate, nonce, expiresAt: isoTime(expiresAt) };
  const sealed = deps.sealer.seal(JSON.stringify(mandates), checkoutMandatesContext(paymentId));
  yield* saveCheckoutMandates({ tenant_id: tenantId, payment_id: paymentId, sealed });
  const data = Object.assign(partiesOf(payment), {
    mandateId: paymentId,
    merchant,
    checkoutId: cart.checkout['id'],
    checkoutHash,
    checkoutMandate: hashText(deps.suite, checkoutMandate),
    paymentMandate: hashText(deps.suite, paymentMandate),
    ...{ audience, paymentAudience, expiresAt: mandates.expiresAt },
    mandateKey: deps.keys.receiptSigner.jwk,
  });
  yield* recordNodeEvent(deps, tenantId, 'CHECKOUT_MANDATES_ISSUED', data, now);
}

/** The mandates of a payment; undefined where it is for no checkout of UCP, its money is not held any more, or they are deleted. */
function* findMandatesOfPayment(
  deps: Pick<Deps, 'sealer'>,
  { checkout_key, tenant_id, mandate_id, status }: PaymentRow,
): Script<CheckoutMandates | undefined> {
  if (checkout_key === null || status === 'CANCELED') return undefined;
  const row: CheckoutMandatesRow | undefined = yield* findCheckoutMandates(tenant_id, mandate_id);
  if (row === undefined || row.sealed === null) return undefined;
  return JSON.parse(deps.sealer.open(row.sealed, checkoutMandatesContext(mandate_id))) as CheckoutMandates;
}
