/** What a gate is given: the core behind it, and what it needs to read, to prove and to refuse. It has no store, no key and no clock. */
import type { JSONWebKeySet, JWK } from 'jose';
import type { Suite } from '../../../protocol/credential/ed25519.ts';
import type { Bodies } from '../../access/body.ts';
import type { TrustedProxies } from '../../access/clientAddress.ts';
import type { Core } from '../../core/core.ts';
import type { Log } from '../../usecase/deps.ts';
import type { Tracing } from '../../usecase/tracing.ts';
import type { OperationTable } from '../../usecase/useCase.ts';
import type { KnownCallers } from './callers.ts';

export interface Gate {
  readonly core: Core;
  /** Verifies, and signs nothing. */
  readonly suite: Suite;
  /** Reads the bodies of requests. */
  readonly bodies: Bodies;
  /** Whose requests are parsed at once. */
  readonly known: KnownCallers;
  /** What can be asked of the node, with what its extensions add. */
  readonly operations: OperationTable;
  readonly settings: GateSettings;
  readonly metrics: GateMetrics;
  readonly log: Log;
  /** Undefined where no collector is configured. */
  readonly tracing?: Tracing | undefined;
  newId(prefix: string): string;
  /** False from the moment the node was asked to stop. */
  isServing(): boolean;
}

/** What the core says of itself, as data. */
export interface NodeFacts {
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  readonly environment: 'sandbox' | 'production';
  /** The names of the extensions that the node runs with. */
  readonly extensions: readonly string[];
  /** What these add to the addresses on its first page, by the path. */
  readonly links: Readonly<Record<string, string>>;
  readonly version: string;
  /** Under which the node signs. */
  readonly did: string;
  /** The OpenID Connect provider, where one is configured. */
  readonly oidcIssuer?: string | undefined;
  /** The public key that access tokens and the agent card verify with (RFC 7517). */
  readonly keySet: JSONWebKeySet;
  /** The public keys by which extensions sign HTTP requests. */
  readonly requestKeys: readonly JWK[];
  /** Until when keys of former issuers are among them, by their names, in milliseconds since the epoch. */
  readonly keysUntil: Readonly<Record<string, number>>;
  /** What the core tells the parts of extensions in a gate, by their names: a gate has no key to sign with. */
  readonly ofExtensions: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

interface GateSettings extends NodeFacts {
  /** Origins whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: TrustedProxies;
}

/** What a gate counts. No label carries a DID or an id. */
export interface GateMetrics {
  /** One answered request. @param route as the table writes it @param seconds from first byte to answer */
  request(gate: 'rest' | 'a2a' | 'mcp', route: string, status: string, seconds: number): void;
}
