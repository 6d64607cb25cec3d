/**
 * Verifies the chain of AP2 mandates, or the layers of Verifiable Intent, behind a purchase, and its receipts, in a portable bundle: by the key that began the chain and the
 * key that signed the receipts, both as the evidence has them.
 */
import { z } from 'zod';
import { verifyReceipt } from '../ap2/paymentReceipt.ts';
import type { Suite } from '../credential/ed25519.ts';
import { PublicJwk } from '../jwk/jwk.ts';
import { isSignedByJwk } from '../jwk/jwkSignature.ts';
import { fromMinor } from '../money.ts';
import type { MandateChain } from '../sdjwt/mandateChain.ts';
import { ClosedPayment } from '../sdjwt/mandateContent.ts';
import { readPresented } from '../sdjwt/presentedMandate.ts';
import { Fault } from '../wire/fault.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { type BundleFacts, factsOf, factsOfCart, wrong } from './bundleFacts.ts';

export function chainFault(suite: Suite, bundle: PortableBundle): Wrong {
  const accepted = factsOf(bundle, 'MANDATE_ACCEPTED');
  const reason = (accepted && acceptedFault(suite, bundle, accepted)) ?? receiptsFault(suite, bundle, accepted);
  return reason === undefined ? undefined : wrong(reason);
}

function acceptedFault(suite: Suite, bundle: PortableBundle, accepted: NonNullable<BundleFacts>): string | undefined {
  const { chain, reason } = chainIn(suite, accepted);
  if (chain === undefined) return `The chain of mandates does not hold: ${reason}`;
  if (chain.leafJwtHash !== accepted['reference']) return 'The chain of mandates has another reference than its event.';
  if (chain.transactionId !== accepted['checkoutHash']) return 'The chain of mandates is for another checkout.';
  const cart = factsOfCart(bundle);
  if (cart !== undefined && !statesAmount(chain, cart)) {
    return 'The closed mandate states another amount than the evidence.';
  }
  const about = ['agentDid', 'principalDid', 'cartHash', 'intentId'];
  const other = about.find((name) => cart?.[name] !== undefined && cart[name] !== accepted[name]);
  return other === undefined ? undefined : `The mandate was accepted for another ${other} than that of the purchase.`;
}

const Text = z.string();
const Layers = z.strictObject({ l1: Text, l2: Text, l3Payment: Text.optional() });
/** Exactly one of both, so that the other one is no sentence that was never verified. */
const Presented = z
  .object({ paymentMandate: Text.optional(), verifiableIntent: Layers.optional() })
  .refine((one) => (one.paymentMandate === undefined) !== (one.verifiableIntent === undefined));

function chainIn(suite: Suite, accepted: NonNullable<BundleFacts>): { chain?: MandateChain; reason?: string } {
  const { rootKey, verifiedAt, nonce, checkoutHash, checkoutMandate, openCheckoutHash } = accepted;
  const jwk = PublicJwk.safeParse(rootKey).data;
  // Another trusted issuer may have begun the checkout mandate; events of earlier versions do not name its key.
  const checkoutKey = PublicJwk.safeParse(accepted['checkoutRootKey']).data ?? jwk;
  const presented = Presented.safeParse(accepted);
  if (!presented.success) return { reason: 'It is neither a chain of AP2 nor the layers of an intent.' };
  try {
    const { chain, valid, reason } = readPresented(presented.data).verify({
      rootKey: ({ jwt }) => (textOf(checkoutMandate)?.startsWith(`${jwt}~`) ? checkoutKey : jwk),
      isSigned: (key, content, signature) => isSignedByJwk(suite, key, content, signature),
      at: Number(verifiedAt),
      nonce: String(nonce),
      checkoutJwtHash: String(checkoutHash),
      checkoutMandate: textOf(checkoutMandate),
      openCheckoutHash: textOf(openCheckoutHash),
    });
    if (valid && chain?.kind === 'payment') return { chain };
    return { reason: reason ?? 'It is none of payments.' };
  } catch (error) {
    if (error instanceof Fault) return { reason: error.message };
    throw error;
  }
}

function statesAmount({ content }: MandateChain, cart: NonNullable<BundleFacts>): boolean {
  const { amount, currency } = ClosedPayment.parse(content).payment_amount;
  return fromMinor(amount, currency) === cart['amount'] && currency === cart['currency'];
}

/** Every receipt in the bundle is by its key, and of the mandate and the payment that its event names. */
function receiptsFault(suite: Suite, bundle: PortableBundle, accepted: BundleFacts): string | undefined {
  for (const { eventType, data } of bundle.events) {
    if (data['receipt'] === undefined) continue;
    const { receipt, receiptKey, reference, mandateId, transactionId } = data;
    const check = verifyReceipt(suite, String(receipt), { keys: [receiptKey], reference: String(reference) });
    if (!check.ok) return `A receipt does not hold: ${check.reason}`;
    if (check.claims.payment_id !== (mandateId ?? transactionId)) return 'A receipt is of another payment.';
    if (eventType !== 'RECEIPT_ISSUED') continue;
    if (accepted === undefined || accepted['reference'] !== reference)
      return 'A receipt is of no mandate that was accepted.';
    if (mandateId !== factsOf(bundle, 'PM_ISSUED')?.['mandateId']) return 'A receipt is of another payment.';
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
