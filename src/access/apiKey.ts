/** API keys: `ak_test_` or `ak_live_` and 32 base62 characters, of which the node stores only the hash. */
import { Fault } from '../../protocol/wire/fault.ts';
import { type Caller, PERMISSIONS, type Permission } from './caller.ts';
import { TIERS, type Tier } from './rateLimit.ts';

type Environment = 'sandbox' | 'production';

const PREFIX = { sandbox: 'ak_test_', production: 'ak_live_' } as const;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 32;

/** @param randomByte an unpredictable byte at each call */
export function makeApiKey(environment: Environment, randomByte: () => number): string {
  let key: string = PREFIX[environment];
  while (key.length < PREFIX[environment].length + LENGTH) {
    const byte = randomByte();
    // Bytes above the largest multiple of 62 would favour the first letters.
    if (byte < 248) key += BASE62[byte % 62];
  }
  return key;
}

/** One sentence when a text cannot be a key of this environment. */
function apiKeyFault(key: string, environment: Environment): string | undefined {
  const other = environment === 'sandbox' ? PREFIX.production : PREFIX.sandbox;
  if (key.startsWith(other)) return `A key that starts with ${other} does not work in the ${environment}.`;
  if (!/^ak_(test|live)_[0-9A-Za-z]{32}$/.test(key)) {
    return `An API key is ${PREFIX[environment]} and 32 letters and digits.`;
  }
  return undefined;
}

/** @throws Fault INVALID_API_KEY for a text that cannot be a key of this environment */
export function requireKeyForm(key: string, environment: Environment): void {
  const fault = apiKeyFault(key, environment);
  if (fault !== undefined) throw new Fault('INVALID_API_KEY', fault);
}

/** What access control needs of a stored key. */
interface StoredApiKey {
  readonly id: string;
  readonly tenant_id: string;
  readonly permissions: string;
  /** What the person behind it may do now; null where there is none. */
  readonly ceiling: string | null;
  readonly tier: string;
  /** The agents it is bound to. */
  readonly agents: string | null;
  readonly revoked_at: number | null;
}

/**
 * The caller an API key stands for.
 * @param stored found by the key's hash, so that how long the search takes reveals nothing about the key
 * @throws Fault INVALID_API_KEY
 */
export function callerOfStoredKey(stored: StoredApiKey | undefined): Caller {
  if (stored === undefined) throw new Fault('INVALID_API_KEY', 'This API key is not known.');
  if (stored.revoked_at !== null) throw new Fault('INVALID_API_KEY', 'This API key was revoked.');
  const tier = Object.hasOwn(TIERS, stored.tier) ? (stored.tier as Tier) : 'free';
  const bound = stored.agents === null ? {} : { agents: new Set(stored.agents.split(' ')) };
  const { id, tenant_id: tenantId } = stored;
  return { id, kind: 'apiKey', tenantId, permissions: permissionsOfKey(stored), tier, ...bound };
}

/** What a key may do now: what it was given, as far as the person behind it may do it. */
export function permissionsOfKey({
  permissions,
  ceiling,
}: Pick<StoredApiKey, 'permissions' | 'ceiling'>): ReadonlySet<Permission> {
  const bound = ceiling?.split(' ');
  const allowed = (permission: Permission) => bound === undefined || bound.includes(permission);
  return new Set(permissions.split(' ').filter(isPermission).filter(allowed));
}

function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}

/** Its kind, and 4 of its 32 characters: the 28 that are left are far more than can be guessed. */
const SHOWN = 12;

/** @param key whole @returns how it begins, by which its holder tells it from others */
export function prefixOf(key: string): string {
  return key.slice(0, SHOWN);
}

export interface KeyUse {
  /** @param now milliseconds since the epoch */
  note(keyId: string, now: number): void;
  lastUsedAt(keyId: string): number | undefined;
  /** Uses that are not written yet. */
  pending(): ReadonlyMap<string, number>;
  /** Removes uses that have been written; a later use of the same key stays. */
  written(uses: ReadonlyMap<string, number>): void;
}

export function keyUse(): KeyUse {
  const uses = new Map<string, number>();
  return {
    note: (keyId, now) => void uses.set(keyId, now),
    lastUsedAt: (keyId) => uses.get(keyId),
    pending: () => new Map(uses),
    written(written) {
      for (const [keyId, at] of written) if (uses.get(keyId) === at) uses.delete(keyId);
    },
  };
}
