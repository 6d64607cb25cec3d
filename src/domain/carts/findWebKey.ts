/**
 * The key of a merchant that signs as did:web. It has to be fetched from the merchant's site, so what this node knows by
 * itself is judged first: no caller makes it fetch by an intent that cannot pay, or for a site that cannot sign the cart.
 */
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import { findIntent } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { requireIssued } from '../intents/formerIntent.ts';
import { checkMerchantKey } from '../merchants/checkMerchantKey.ts';
import { findObstacle } from './findObstacle.ts';

/** The did:key found, or none; or why it was not looked for. */
export type WebKey = { readonly key: string | undefined } | { readonly notFetched: string };

interface Offered {
  readonly mandateId: string;
  readonly agentDid: string;
  readonly principalDid: string;
  /** The DID whose key signed the intent. */
  readonly issuer: string;
  readonly intentVc: object;
  readonly cartVc: Readonly<Record<string, unknown>>;
}

/** @throws Fault for an intent that is unknown or another's */
export async function findWebKey(
  deps: Pick<Deps, 'demo' | 'resolveMerchantKey' | 'rotations' | 'store'>,
  caller: Caller,
  offered: Offered,
  merchant: string,
): Promise<WebKey> {
  const { issuer } = offered.cartVc;
  if (typeof issuer !== 'string' || !issuer.startsWith('did:web:')) return { key: undefined };
  const obstacle = await deps.store.read((now) => whyNot(deps, caller, offered, { issuer, merchant }, now));
  if (obstacle !== undefined) return { notFetched: `its key was not fetched, since ${obstacle}` };
  return { key: await deps.resolveMerchantKey(issuer) };
}

/** Why the cart cannot be paid, by any signature; undefined where the signature has to be looked at. */
function* whyNot(
  deps: Pick<Deps, 'demo' | 'rotations'>,
  caller: Caller,
  offered: Offered,
  signer: { readonly issuer: string; readonly merchant: string },
  now: number,
): Script<string | undefined> {
  const { tenantId } = caller;
  const intent = yield* findIntent(tenantId, offered.mandateId);
  if (intent === undefined) throw new Fault('NOT_FOUND', `There is no intent ${offered.mandateId}.`);
  requireActsFor(caller, intent.agent_did);
  yield* requireIssued(deps, intent, offered);
  const obstacle = yield* findObstacle(intent, signer.merchant, undefined, now);
  if (obstacle !== undefined) return obstacle;
  const { fault } = yield* checkMerchantKey(deps, tenantId, signer.merchant, signer.issuer);
  return fault === undefined ? undefined : `${signer.issuer} is not bound to ${signer.merchant}`;
}
