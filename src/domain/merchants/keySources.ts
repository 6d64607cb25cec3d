/**
 * Where the keys are by which a merchant may sign the carts of AP2: in the registry, at an address that the registry names,
 * or at the merchant's own domain. Each has the name by which checkMerchantKey knows it.
 */
import { algorithmOf, jwkOfDid, type PublicJwk } from '../../../protocol/ap2/jwk.ts';
import type { Authorization } from '../../../protocol/ap2/merchantAuthorization.ts';
import type { MerchantRow } from '../../store/statements/registry/merchants.ts';
import type { Deps } from '../../usecase/deps.ts';

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

export function wellKnownOf(merchant: string): string {
  return `https://${merchant}/.well-known/jwks.json`;
}

/** Whether what is bound takes the place of the domain's own set of keys. */
export function takesItsPlace({ did, jwk }: MerchantRow): boolean {
  return jwk !== null || isKeySetUrl(did);
}

/** The keys that the node has itself and that fit a signature. @param bound to the signature's merchant */
export function keysAtHand(deps: Pick<Deps, 'demo'>, bound: readonly MerchantRow[], signed: Authorization): NamedKey[] {
  const keys = bound.flatMap(({ did, jwk }): NamedKey[] => {
    if (jwk !== null) return [{ issuer: did, jwk: JSON.parse(jwk) }];
    return did.startsWith('did:key:') ? [{ issuer: did, jwk: jwkOfDid(did) }] : [];
  });
  const demo = deps.demo?.merchant.did;
  if (demo !== undefined) keys.push({ issuer: demo, jwk: jwkOfDid(demo) });
  return keys.filter(({ jwk }) => fits(jwk, signed));
}

/** Where else keys may be looked for. @param bound to the signature's merchant */
export function keysElsewhere(
  deps: Pick<Deps, 'findMerchantKeys' | 'resolveMerchantKey'>,
  bound: readonly MerchantRow[],
  signed: Authorization,
): RemoteSource[] {
  const { merchant, kid, claims, algorithm } = signed;
  const atUrl = (url: string): RemoteSource => ({
    issuer: url,
    fetch: async () => (await deps.findMerchantKeys(url, kid)).filter((jwk) => fits(jwk, signed)),
  });
  const addresses = bound.filter(({ did }) => isKeySetUrl(did)).map(({ did }) => atUrl(did));
  if (bound.some(takesItsPlace)) return addresses;
  const did = DID_WEB + merchant;
  const isWeb = claims.iss.startsWith(DID_WEB) || bound.some((row) => row.did === did);
  const wellKnown = atUrl(wellKnownOf(merchant));
  if (!isWeb || algorithm !== 'EdDSA') return [wellKnown];
  const resolve = async () => {
    const key = await deps.resolveMerchantKey(did);
    return key === undefined ? [] : [jwkOfDid(key)];
  };
  return [{ issuer: did, fetch: resolve }, wellKnown];
}

/** A key without an id is the only one that is bound as it is, so the signature alone decides. */
function fits(jwk: PublicJwk, { algorithm, kid }: Authorization): boolean {
  return algorithmOf(jwk) === algorithm && (jwk.kid === undefined || jwk.kid === kid);
}
