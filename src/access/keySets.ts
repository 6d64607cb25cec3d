/**
 * Public keys at an address: of a JSON Web Key Set (RFC 7517), or of a profile of UCP, which is one. What else a set has, a key of
 * another kind say, is passed over.
 */
import { PublicJwk } from '../../protocol/jwk/jwk.ts';
import { publishedKeys } from '../../protocol/ucp/profile.ts';
import { parseJson } from '../../protocol/wire/json.ts';
import { timedCache } from './timedCache.ts';

/** Fetches a document: its text, or undefined when that fails. Follows no redirect. */
type FetchText = (url: URL) => Promise<string | undefined>;

/** More keys than a merchant signs with at a time. */
const MOST_KEYS = 20;

/**
 * @param clock milliseconds since the epoch
 * @returns a function from an address and the id of a key to the keys there that have it
 */
export function keySets(
  fetchText: FetchText,
  clock: () => number,
): (url: string, kid: string) => Promise<readonly PublicJwk[]> {
  const setAt = timedCache(async (url) => {
    const text = await fetchText(new URL(url));
    return text === undefined ? undefined : keysIn(text);
  }, clock);
  return async (url, kid) => {
    const keys = await setAt(url, (found) => found.some((jwk) => jwk.kid === kid));
    return (keys ?? []).filter((jwk) => jwk.kid === kid);
  };
}

function keysIn(text: string): PublicJwk[] {
  return publishedKeys(parseJson(text))
    .flatMap((each) => PublicJwk.safeParse(each).data ?? [])
    .slice(0, MOST_KEYS);
}
