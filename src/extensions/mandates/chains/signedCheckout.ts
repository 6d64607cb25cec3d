/**
 * What a merchant signed of the checkout that a mandate pays. An agent hands the checkout over, so nothing of it is shown as what is
 * bought, or told from another purchase by, unless it verifies by a key of the merchant.
 */

import { payeeDomain } from '../../../../protocol/ap2/payee.ts';
import {
  type CheckoutSays,
  type PaymentCredentialRequest,
  readCheckoutJwt,
} from '../../../../protocol/ap2/paymentCredential.ts';
import { ClosedPayment } from '../../../../protocol/sdjwt/mandateContent.ts';
import { nativeSignatureCheck } from '../../../crypto/nativeJwk.ts';
import { keysAtHand, type NamedKey, publishedKeys } from '../../../domain/merchants/merchantKeys.ts';
import { wasLeafUsed } from '../../../store/statements/purchases/mandateUses.ts';
import { findAgent } from '../../../store/statements/registry/agents.ts';
import { findMerchantsOf, type MerchantRow } from '../../../store/statements/registry/merchants.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { MandateRead } from './readMandate.ts';

/** A checkout JWT that holds, with what it says and the key that it holds by. */
export interface SignedCheckout extends CheckoutSays {
  readonly jwt: string;
  readonly merchantKey: NamedKey;
}

type SignedDeps = Pick<Deps, 'keys' | 'store' | 'suite'>;

/** @returns undefined where no checkout was handed over, or no key of the payee's domain has signed it */
export async function findSignedCheckout(
  deps: SignedDeps,
  tenantId: string,
  { checkoutJwt, agentDid }: Pick<PaymentCredentialRequest, 'checkoutJwt' | 'agentDid'>,
  read: MandateRead,
): Promise<SignedCheckout | undefined> {
  const { chain, trust, details } = read;
  // For a chain that is refused in any case nothing is fetched.
  if (checkoutJwt === undefined || chain === undefined || trust === undefined || Object.keys(details).length > 0) {
    return undefined;
  }
  const says = readCheckoutJwt(checkoutJwt);
  const merchant = payeeDomain(ClosedPayment.parse(chain.content).payee);
  if (says === undefined || merchant === undefined) return undefined;
  const known = await deps.store.read(() => lookUp(tenantId, agentDid, merchant, chain.leafJwtHash));
  const isSigned = nativeSignatureCheck(deps.suite);
  const { signed } = says;
  const among = (keys: readonly NamedKey[]) => keys.find(({ jwk }) => isSigned(jwk, signed.content, signed.signature));
  const holds = (merchantKey: NamedKey) => ({ ...says, jwt: checkoutJwt, merchantKey });
  const atHand = among(keysAtHand(deps, known.bound, signed));
  if (atHand !== undefined) return holds(atHand);
  if (!known.mayFetch) return undefined;
  for (const { issuer, fetch } of publishedKeys(deps, merchant, known.bound, signed)) {
    const found = among((await fetch()).map((jwk) => ({ issuer, jwk })));
    if (found !== undefined) return holds(found);
  }
  return undefined;
}

function* lookUp(
  tenantId: string,
  agentDid: string,
  merchant: string,
  leafHash: string,
): Script<{ readonly bound: readonly MerchantRow[]; readonly mayFetch: boolean }> {
  const agent = yield* findAgent(tenantId, agentDid);
  const isUsed = yield* wasLeafUsed(tenantId, leafHash);
  const bound = yield* findMerchantsOf(tenantId, merchant);
  return { bound, mayFetch: agent?.status === 'ACTIVE' && !isUsed };
}
