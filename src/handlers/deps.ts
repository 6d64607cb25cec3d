/** What use cases are given: the store, the keys, the rails, the clock and the randomness of one node. */
import type { Signer, Suite } from '../../protocol/credential/ed25519.ts';
import type { AccessTokens } from '../access/accessToken.ts';
import type { KeyUse } from '../access/keyUse.ts';
import type { LoginProvider } from '../access/login.ts';
import type { RateLimiter } from '../access/rateLimit.ts';
import type { Sealer } from '../crypto/seal.ts';
import type { Rail } from '../rails/rail.ts';
import type { Store } from '../store/store.ts';
import type { Metrics } from './metrics.ts';
import type { PolicyCache } from './policyCache.ts';

export interface Deps {
  readonly store: Store;
  readonly suite: Suite;
  readonly issuer: Signer;
  /** Keys that only the sandbox has and only the sandbox trusts. */
  readonly demo: DemoKeys | undefined;
  readonly policies: PolicyCache;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly settings: Settings;
  /** Seals secrets before they are stored. */
  readonly sealer: Sealer;
  /** The identity provider that people log in through, where one is configured. */
  readonly login: LoginProvider | undefined;
  readonly accessTokens: AccessTokens;
  readonly keyUse: KeyUse;
  readonly limits: RateLimiter;
  readonly metrics: Metrics;
  /** Names this process among the nodes of one deployment. */
  readonly nodeId: string;
  /** Milliseconds since the epoch. */
  clock(): number;
  newId(prefix: string): string;
  /** `prefix` and 32 unpredictable bytes as base64url. */
  newToken(prefix: string): string;
  /** A new API key of this environment. */
  newApiKey(): string;
  /** The DID of a person; its key is derived from the issuer's. */
  userDid(userId: string): string;
  /** The hash under which a secret token is stored. */
  hashToken(token: string): string;
  /** The key that signs for a `did:web` merchant, or undefined when it cannot be had. */
  resolveMerchantKey(did: string): Promise<string | undefined>;
  log(event: string, facts: Record<string, unknown>): void;
}

export interface DemoKeys {
  /** Signs demo carts; bound to every domain in the sandbox. */
  readonly merchant: Signer;
  /** Signs demo presence proofs. */
  readonly presence: Signer;
}

export interface Settings {
  readonly environment: 'sandbox' | 'production';
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  readonly intentTtlSeconds: number;
  readonly approvalTtlSeconds: number;
  /** Origins whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
}
