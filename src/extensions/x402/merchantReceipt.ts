/** Receipts that a merchant has signed, which are more than its word: the keys are those of its domain, never one in the receipt. */

import type { PublicJwk, SignatureAlgorithm } from '../../../protocol/jwk/jwk.ts';
import { isSignedByJwk } from '../../../protocol/jwk/jwkSignature.ts';
import { isObject, type JsonObject, jsonIn } from '../../../protocol/sdjwt/sdJwt.ts';
import { algorithmName } from '../../../protocol/wire/algorithmName.ts';
import {
  judgeReceipt,
  type ReceiptExpectation,
  signedOffers,
  signedReceipt,
} from '../../../protocol/x402/offerReceipt.ts';
import { keysAtHand, keysElsewhere } from '../../domain/merchants/merchantKeys.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findMerchantsOf } from '../../store/statements/registry/merchants.ts';
import type { ReportDeps } from '../../usecase/paymentProtocol.ts';

/** Characters of offers that are kept with a payment. */
const MOST_OF_OFFERS = 8192;

/** @param extensions of PAYMENT-REQUIRED @returns the signed offers; none where they are too long to be kept */
export function offersToKeep(extensions: JsonObject): readonly unknown[] {
  const offers = signedOffers(extensions);
  return JSON.stringify(offers).length <= MOST_OF_OFFERS ? offers : [];
}

interface ReportedReceipt {
  readonly offers: readonly unknown[];
  /** Of PAYMENT-RESPONSE. */
  readonly extensions: JsonObject;
  readonly expected: ReceiptExpectation;
}

/** What a merchant has signed, and by which key. */
interface SignedReceipt {
  readonly kid: string;
  readonly key: PublicJwk;
  readonly offers: readonly unknown[];
  readonly receipt: unknown;
}

/** @returns undefined where there is no receipt, or it proves nothing */
export async function findSignedReceipt(
  deps: ReportDeps,
  { tenant_id: tenantId, merchant }: PaymentRow,
  { offers, extensions, expected }: ReportedReceipt,
): Promise<SignedReceipt | undefined> {
  const receipt = signedReceipt(extensions);
  const named = headerOf(receipt);
  if (named === undefined || offers.length === 0) return undefined;
  const isSigned = (key: PublicJwk, content: Uint8Array, signature: Uint8Array) =>
    isSignedByJwk(deps.suite, key, content, signature);
  const provenBy = (key: PublicJwk) => {
    const keyOf = (kid: string) => (kid === named.kid ? key : undefined);
    return 'receipt' in judgeReceipt(offers, receipt, expected, { keyOf, isSigned });
  };
  const bound = await deps.store.read(() => findMerchantsOf(tenantId, merchant));
  const found = (key: PublicJwk) => ({ kid: named.kid, key, offers, receipt });
  for (const { jwk } of keysAtHand(deps, bound, named)) if (provenBy(jwk)) return found(jwk);
  for (const source of keysElsewhere(deps, bound, { ...named, merchant, claims: { iss: named.kid } })) {
    for (const jwk of await source.fetch()) if (provenBy(jwk)) return found(jwk);
  }
  return undefined;
}

/** What the receipt says of its key. */
function headerOf(receipt: unknown): { readonly kid: string; readonly algorithm: SignatureAlgorithm } | undefined {
  const text = isObject(receipt) ? receipt['signature'] : undefined;
  const header = typeof text === 'string' ? jsonIn(text.split('.', 1)[0] as string) : undefined;
  if (!isObject(header) || typeof header['kid'] !== 'string' || typeof header['alg'] !== 'string') return undefined;
  return { kid: header['kid'], algorithm: algorithmName(header['alg']) as SignatureAlgorithm };
}
