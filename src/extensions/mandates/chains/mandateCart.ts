/** The cart behind a chain of mandates: what the closed mandate pays, as a credential that the node signs. */
import { type PaymentCredentialRequest, paidItems, shopNameIn } from '../../../../protocol/ap2/paymentCredential.ts';
import { requireReadable } from '../../../../protocol/cart.ts';
import { hashOf } from '../../../../protocol/credential/canonical.ts';
import { issueCredential } from '../../../../protocol/credential/vc.ts';
import { fromMinor } from '../../../../protocol/money.ts';
import type { UseLimit } from '../../../../protocol/sdjwt/mandateChain.ts';
import type { ClosedPayment } from '../../../../protocol/sdjwt/mandateContent.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import type { ParsedCart } from '../../../domain/carts/judgeCart.ts';
import type { IntentRow } from '../../../store/statements/purchases/intents.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { SignedCheckout } from './signedCheckout.ts';

interface MandatedPayment {
  readonly payment: ClosedPayment;
  /** What the merchant will charge by itself: the person who is asked is shown it. */
  readonly subscription: UseLimit['subscription'];
  /** Undefined where the merchant has signed none that was handed over. */
  readonly checkout: SignedCheckout | undefined;
}

/**
 * The same mandate and intent give the same cart, so that a person's approval of it holds when it comes again.
 * @throws Fault BAD_REQUEST for more members than a person could read
 */
export function mandateCart(
  deps: Pick<Deps, 'issuer' | 'suite'>,
  intent: IntentRow,
  { payment, subscription, checkout }: MandatedPayment,
  { verifiableIntent }: Pick<PaymentCredentialRequest, 'verifiableIntent'>,
): ParsedCart {
  const { amount: totalMinor, currency } = payment.payment_amount;
  const { payee, payment_instrument: paymentInstrument, transaction_id: checkoutHash } = payment;
  const merchant = String(intent.merchant_domain);
  const lines = paidItems(checkout?.claims, { amountMinor: totalMinor, currency });
  const whole = { name: `Payment to ${merchant}`, minor: totalMinor, quantity: 1 };
  const items = (lines ?? [whole]).map(({ name, minor, quantity }) => ({
    name,
    price: fromMinor(minor, currency),
    quantity,
  }));
  const merchantName = shopNameIn(checkout?.claims);
  const signedByShop = compact({ items: lines !== undefined, name: merchantName });
  const mandate = { checkoutHash, payee, paymentInstrument };
  requireReadable(mandate, verifiableIntent === undefined ? 'paymentMandate' : 'verifiableIntent');
  const { document, text } = issueCredential(deps.suite, deps.issuer, {
    id: `urn:uuid:cart-of-${intent.mandate_id}`,
    type: 'CartMandate',
    subject: compact({
      merchant,
      items,
      total: fromMinor(totalMinor, currency),
      currency,
      mandate,
      signedByShop,
      subscription,
    }),
    issuedAt: intent.created_at,
    expiresAt: intent.expires_at,
  });
  const { proof: _proof, ...content } = document;
  return {
    merchant,
    merchantName,
    items,
    currency,
    totalMinor,
    confirmed: false,
    hash: hashOf(deps.suite, content),
    text,
    expiresAt: intent.expires_at,
    issuer: deps.issuer.did,
    fault: undefined,
    signature: undefined,
    isMandated: true,
    isListed: lines !== undefined,
    facts: checkout === undefined ? {} : { merchantKey: checkout.merchantKey, checkoutJwt: checkout.jwt },
  };
}
