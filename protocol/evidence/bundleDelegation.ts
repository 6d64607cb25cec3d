/**
 * Verifies, in a portable bundle, that the open mandate which an intent names covers the purchase: its signatures by the key that began
 * it, and its constraints on the intent and on the cart, at their times. What was spent of its budget before is in other transactions.
 */
import { type DelegatedPurchase, refuseDelegated, refuseUnresolved } from '../ap2/delegatedPurchase.ts';
import type { Suite } from '../credential/ed25519.ts';
import { PublicJwk } from '../jwk/jwk.ts';
import { isSignedByJwk } from '../jwk/jwkSignature.ts';
import { toMinor } from '../money.ts';
import { type ReasonDetails, refusalOf } from '../reason.ts';
import { verifyOpenMandate } from '../sdjwt/ap2.ts';
import { Fault } from '../wire/fault.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { wrong } from './bundleFacts.ts';

type Event = PortableBundle['events'][number];

export function delegationFault(suite: Suite, bundle: PortableBundle): Wrong {
  const issued = bundle.events.findLast(({ eventType }) => eventType === 'INTENT_ISSUED');
  if (issued?.data['delegationId'] === undefined) return undefined;
  try {
    const reason = coverFault(suite, bundle, issued);
    return reason === undefined ? undefined : wrong(reason);
  } catch (error) {
    if (error instanceof Fault) return wrong(`The open mandate does not hold: ${error.message}`);
    throw error;
  }
}

function coverFault(suite: Suite, bundle: PortableBundle, issued: Event): string | undefined {
  const { openMandate, openHash, rootKey, verifiedAt, maxAmount, expiresAt } = issued.data;
  const jwk = PublicJwk.safeParse(rootKey).data;
  const { chain, violations } = verifyOpenMandate(String(openMandate), {
    rootKey: () => jwk,
    isSigned: (key, content, signature) => isSignedByJwk(suite, key, content, signature),
    at: Number(verifiedAt),
  });
  if (chain === undefined) return `The open mandate does not hold: ${violations[0]?.detail}`;
  if (chain.openHash !== openHash) return 'The open mandate has another hash than its event.';
  if (chain.endsAt !== undefined && Date.parse(String(expiresAt)) > chain.endsAt * 1000) {
    return 'The intent ends after the open mandate.';
  }
  const intent = purchaseIn(issued, maxAmount, issued.data['merchantDomain'], false);
  const carts = bundle.events
    .filter(({ eventType }) => eventType === 'CART_VALIDATED' || eventType === 'PM_ISSUED')
    .map((event) => purchaseIn(event, event.data['amount'], event.data['merchant'], true));
  const found = [refuseUnresolved(chain), ...[intent, ...carts].map((each) => refuseDelegated(chain, each))];
  return found.map(uncovered).find((reason) => reason !== undefined);
}

/** With which instrument it was paid is not in the evidence. */
function purchaseIn(
  { createdAt, data }: Event,
  amount: unknown,
  merchant: unknown,
  isFinal: boolean,
): DelegatedPurchase {
  const currency = String(data['currency']);
  return {
    amountMinor: toMinor(Number(amount), currency),
    currency,
    merchant: merchant === undefined ? undefined : String(merchant),
    instrument: undefined,
    isFinal,
    at: Date.parse(createdAt),
  };
}

function uncovered(details: ReasonDetails): string | undefined {
  const refusal = refusalOf(details);
  const [code] = refusal?.reasonCodes ?? [];
  return code === undefined ? undefined : `The open mandate does not cover the purchase. ${details[code]?.message}`;
}
