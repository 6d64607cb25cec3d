/**
 * The key of a `did:web:<domain>` (W3C CCG did:web): the first Ed25519 key of its document that may make assertions.
 */
import bs58 from 'bs58';
import { z } from 'zod';
import { canonicalDid, didOfKey } from '../../protocol/credential/did.ts';
import { fromBase64url } from '../../protocol/credential/encodings.ts';
import { parseJson } from '../../protocol/wire/json.ts';
import { timedCache } from './timedCache.ts';

/** Fetches a document: its text, or undefined when that fails. Follows no redirect. */
type FetchText = (url: URL) => Promise<string | undefined>;

/** Letters, digits and hyphens in at least two labels; a port or a path would come percent-encoded or after a colon. */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const Method = z.looseObject({
  id: z.string(),
  publicKeyMultibase: z.string().optional(),
  publicKeyBase58: z.string().optional(),
  publicKeyJwk: z.looseObject({ kty: z.string(), crv: z.string().optional(), x: z.string().optional() }).optional(),
});
type Method = z.infer<typeof Method>;

const DidDocument = z.looseObject({
  id: z.string(),
  verificationMethod: z.array(z.unknown()).default([]),
  assertionMethod: z.array(z.unknown()).default([]),
});

/**
 * @param clock milliseconds since the epoch
 * @returns a function from a DID to the did:key of its key, or undefined where the key cannot be found
 */
export function didWebKeys(fetchText: FetchText, clock: () => number): (did: string) => Promise<string | undefined> {
  const keyOfDid = timedCache(async (did) => {
    const text = await fetchText(new URL(`https://${domainOf(did)}/.well-known/did.json`));
    return text === undefined ? undefined : keyIn(text, did);
  }, clock);
  return async (did) => (domainOf(did) === undefined ? undefined : keyOfDid(did));
}

/** The domain of a did:web without port and path, in lower case as DNS compares it. */
function domainOf(did: string): string | undefined {
  const domain = did.startsWith('did:web:') ? did.slice('did:web:'.length) : '';
  return DOMAIN.test(domain) ? domain : undefined;
}

/** @returns the did:key of the first Ed25519 key under `assertionMethod` */
export function keyIn(text: string, did: string): string | undefined {
  const document = DidDocument.safeParse(parseJson(text));
  if (!document.success || document.data.id !== did) return undefined;
  const { verificationMethod, assertionMethod } = document.data;
  const methods = verificationMethod.flatMap((each) => Method.safeParse(each).data ?? []);
  for (const reference of assertionMethod) {
    const method =
      typeof reference === 'string'
        ? methods.find(({ id }) => absolute(id, did) === absolute(reference, did))
        : Method.safeParse(reference).data;
    const key = method && keyOf(method);
    if (key !== undefined) return key;
  }
  return undefined;
}

function absolute(id: string, did: string): string {
  return id.startsWith('#') ? did + id : id;
}

function keyOf(method: Method): string | undefined {
  const { publicKeyMultibase, publicKeyBase58, publicKeyJwk } = method;
  try {
    if (publicKeyMultibase?.startsWith('z6Mk')) return canonicalDid(`did:key:${publicKeyMultibase}`);
    if (publicKeyJwk?.kty === 'OKP' && publicKeyJwk.crv === 'Ed25519' && publicKeyJwk.x !== undefined) {
      const bytes = fromBase64url(publicKeyJwk.x);
      return bytes === undefined ? undefined : didOfKey(bytes);
    }
    if (publicKeyBase58 !== undefined) return didOfKey(bs58.decode(publicKeyBase58));
  } catch {
    // A key of another kind, or a malformed one: try the next.
  }
  return undefined;
}
