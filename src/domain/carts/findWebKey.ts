/**
 * The key of a merchant that signs as did:web. It has to be fetched from the merchant's site, so what this node knows by
 * itself is judged first: no caller makes it fetch by an intent that cannot pay, or for a site that cannot sign the cart.
 */
import type { Caller } from '../../access/caller.ts';
import { findIntent } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { type ParsedIntent, requireIssued } from '../intents/issuedIntent.ts';
import { checkMerchantKey } from '../merchants/merchantKeys.ts';
import { findObstacle } from './findObstacle.ts';

/** The did:key found, or none; or why it was not looked for. */
export type WebKey = { readonly key: string | undefined } | { readonly notFetched: string };

interface UnverifiedCart extends ParsedIntent {
  readonly cartVc: Readonly<Record<string, unknown>>;
}

/** @throws Fault as requireIssued */
export async function findWebKey(
  deps: Pick<Deps, 'evidence' | 'issuer' | 'keys' | 'store' | 'suite'>,
  caller: Caller,
  offered: UnverifiedCart,
  merchant: string,
): Promise<WebKey> {
  const { issuer } = offered.cartVc;
  if (typeof issuer !== 'string' || !issuer.startsWith('did:web:')) return { key: undefined };
  const obstacle = await deps.store.read((now) => whyNot(deps, caller, offered, { issuer, merchant }, now));
  if (obstacle !== undefined) return { notFetched: `its key was not fetched, since ${obstacle}` };
  return { key: await deps.keys.ofMerchant(issuer) };
}

/** Why the cart cannot be paid, by any signature; undefined where the signature has to be looked at. */
function* whyNot(
  deps: Pick<Deps, 'evidence' | 'issuer' | 'keys' | 'suite'>,
  caller: Caller,
  offered: UnverifiedCart,
  signer: { readonly issuer: string; readonly merchant: string },
  now: number,
): Script<string | undefined> {
  const { tenantId } = caller;
  const found = yield* findIntent(tenantId, offered.mandateId);
  const intent = yield* requireIssued(deps, caller, found, offered, now);
  const obstacle = yield* findObstacle(intent, signer.merchant, undefined, now);
  if (obstacle !== undefined) return obstacle;
  const { fault } = yield* checkMerchantKey(deps, tenantId, signer.merchant, signer.issuer);
  return fault === undefined ? undefined : `${signer.issuer} is not bound to ${signer.merchant}`;
}
