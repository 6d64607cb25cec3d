/**
 * The keys of merchants: whether the key that signed a cart may sign for the cart's merchant, and where such keys come from.
 */

import type { Authorization } from '../../../protocol/ap2/merchantAuthorization.ts';
import { algorithmOf, jwkOfDid, type PublicJwk } from '../../../protocol/jwk/jwk.ts';
import { profileOf } from '../../../protocol/ucp/profile.ts';
import { findMerchantsOf, type MerchantRow } from '../../store/statements/registry/merchants.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

export interface MerchantBinding {
  /** One sentence when the key is not the merchant's. */
  readonly fault: string | undefined;
  /** One sentence when what stands for the merchant is another merchant's. */
  readonly mismatch?: string | undefined;
  /** The merchant's account at the rail: its key's own, or that of any other row of the domain that has one. */
  readonly railAccountId: string | undefined;
}

/**
 * A key is a merchant's when the tenant's registry binds it to the domain, when the issuer is the domain's own did:web or its
 * own set of keys, or its profile of UCP, where nothing takes the place of that, or, in the sandbox, when it is the node's demo merchant key.
 * @param issuer the cart's issuer: a canonical did:key, a did:web, or the name of a key source
 */
export function* checkMerchantKey(
  deps: Pick<Deps, 'keys'>,
  tenantId: string,
  merchant: string,
  issuer: string,
): Script<MerchantBinding> {
  const bound = yield* findMerchantsOf(tenantId, merchant);
  const registered = bound.find((row) => row.did === issuer);
  const isPublished = issuer === wellKnownOf(merchant) || issuer === profileOf(merchant);
  const isOwn = issuer === `did:web:${merchant}` || (isPublished && !bound.some(takesItsPlace));
  const trusted = registered !== undefined || isOwn || issuer === deps.keys.demo?.merchant.did;
  return {
    fault: trusted ? undefined : `The cart was signed by ${issuer}, which is not bound to ${merchant}.`,
    railAccountId:
      registered?.rail_account_id ?? bound.find((row) => row.rail_account_id !== null)?.rail_account_id ?? undefined,
  };
}

/** A payee that a mandate names, with its account at the rail. */
export function* bindPayee(tenantId: string, merchant: string): Script<MerchantBinding> {
  const bound = yield* findMerchantsOf(tenantId, merchant);
  return {
    fault: undefined,
    railAccountId: bound.find((row) => row.rail_account_id !== null)?.rail_account_id ?? undefined,
  };
}

export interface NamedKey {
  readonly issuer: string;
  readonly jwk: PublicJwk;
}

/** Keys that are fetched. */
interface RemoteSource {
  readonly issuer: string;
  readonly fetch: () => Promise<readonly PublicJwk[]>;
}

const DID_WEB = 'did:web:';

export function isKeySetUrl(bound: string): boolean {
  return bound.startsWith('https:');
}

function wellKnownOf(merchant: string): string {
  return `https://${merchant}/.well-known/jwks.json`;
}

/** Whether what is bound takes the place of the domain's own set of keys. */
function takesItsPlace({ did, jwk }: MerchantRow): boolean {
  return jwk !== null || isKeySetUrl(did);
}

/** What tells which key a signature is by. */
type KeyNamed = Pick<Authorization, 'algorithm' | 'kid'>;
type MerchantToken = KeyNamed &
  Pick<Authorization, 'merchant'> & { readonly claims: Pick<Authorization['claims'], 'iss'> };

/** The keys that the node has itself and that fit a signature. @param bound to the signature's merchant */
export function keysAtHand(deps: Pick<Deps, 'keys'>, bound: readonly MerchantRow[], signed: KeyNamed): NamedKey[] {
  const keys = bound.flatMap(({ did, jwk }): NamedKey[] => {
    if (jwk !== null) return [{ issuer: did, jwk: JSON.parse(jwk) }];
    return did.startsWith('did:key:') ? [{ issuer: did, jwk: jwkOfDid(did) }] : [];
  });
  const demo = deps.keys.demo?.merchant.did;
  if (demo !== undefined) keys.push({ issuer: demo, jwk: jwkOfDid(demo) });
  return keys.filter(({ jwk }) => fits(jwk, signed));
}

/** Where else keys may be looked for. @param bound to the signature's merchant */
export function keysElsewhere(
  deps: Pick<Deps, 'keys'>,
  bound: readonly MerchantRow[],
  signed: MerchantToken,
): RemoteSource[] {
  const { merchant, claims, algorithm } = signed;
  const atUrl = sourcesOf(deps, signed);
  if (bound.some(takesItsPlace)) return boundAddresses(bound).map(atUrl);
  const did = DID_WEB + merchant;
  const isWeb = claims.iss.startsWith(DID_WEB) || bound.some((row) => row.did === did);
  const wellKnown = atUrl(wellKnownOf(merchant));
  if (!isWeb || algorithm !== 'EdDSA') return [wellKnown];
  const resolve = async () => {
    const key = await deps.keys.ofMerchant(did);
    return key === undefined ? [] : [jwkOfDid(key)];
  };
  return [{ issuer: did, fetch: resolve }, wellKnown];
}

/** Where else the keys of a business of UCP may be looked for. @param bound to the business */
export function profileKeysElsewhere(
  deps: Pick<Deps, 'keys'>,
  merchant: string,
  bound: readonly MerchantRow[],
  signed: KeyNamed,
): RemoteSource[] {
  const addresses = bound.some(takesItsPlace) ? boundAddresses(bound) : [profileOf(merchant)];
  return addresses.map(sourcesOf(deps, signed));
}

/** Where the keys of a merchant may be looked for, whichever dialect it speaks: at its own addresses, or those that take their place. */
export function publishedKeys(
  deps: Pick<Deps, 'keys'>,
  merchant: string,
  bound: readonly MerchantRow[],
  signed: KeyNamed,
): RemoteSource[] {
  const own = keysElsewhere(deps, bound, { ...signed, merchant, claims: { iss: merchant } });
  return bound.some(takesItsPlace) ? own : [...own, ...profileKeysElsewhere(deps, merchant, bound, signed)];
}

function boundAddresses(bound: readonly MerchantRow[]): string[] {
  return bound.map(({ did }) => did).filter(isKeySetUrl);
}

function sourcesOf(deps: Pick<Deps, 'keys'>, signed: KeyNamed): (url: string) => RemoteSource {
  return (url) => ({
    issuer: url,
    fetch: async () => (await deps.keys.at(url, signed.kid)).filter((jwk) => fits(jwk, signed)),
  });
}

/** A key without an id is the only one that is bound as it is, so the signature alone decides. */
function fits(jwk: PublicJwk, { algorithm, kid }: KeyNamed): boolean {
  return algorithmOf(jwk) === algorithm && (jwk.kid === undefined || jwk.kid === kid);
}
