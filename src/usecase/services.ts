/** What a node gives its use cases to remember, to wake and to ask by: caches, signals, checkpoints kept outside. */

import type { CompiledPolicy } from '../../protocol/policy/compile.ts';
import type { PolicyRow } from '../store/statements/registry/policies.ts';
import type { SubscriptionRow } from '../store/statements/webhooks/subscriptions.ts';

export interface PolicyCache {
  compiled(row: PolicyRow): CompiledPolicy;
}

export interface Subscription {
  readonly id: string;
  readonly events: ReadonlySet<string>;
  /** Its events are held until it is active again. */
  readonly isPaused: boolean;
  /** The person whose notifications go there: told what happens, and not sent what is left of it days later. */
  readonly userId: string | undefined;
  /** A person is not told of payments below it. */
  readonly least: { readonly minor: number; readonly currency: string } | undefined;
}

export interface SubscriptionCache {
  /** The subscriptions of a tenant, if they are remembered in this version. */
  recall(tenantId: string, version: string): readonly Subscription[] | undefined;
  remember(tenantId: string, version: string, rows: readonly SubscriptionRow[]): readonly Subscription[];
}

export interface WakeSignal {
  /** Wakes a worker. It may look before the commit ends, so it looks more than once. */
  wake(id: string): void;
  /** Sets the worker that is woken. */
  onWake(listener: (id: string) => void): void;
}

export interface StoredCheckpoint {
  readonly size: number;
  readonly note: string;
  /** The hash of the first event, by which a chain that began anew is told. */
  readonly first: string;
  /** The hash of the last event that it is over. */
  readonly last: string;
}

/** Where checkpoints are kept, by tenant, and what was found wrong with the chains since. */
export interface CheckpointKeeper {
  /** @throws Error when what is kept cannot be read */
  find(tenantId: string): StoredCheckpoint | undefined;
  keep(tenantId: string, kept: StoredCheckpoint): void;
  /** A sentence for each tenant whose chain does not extend its checkpoint. */
  readonly faults: Map<string, string>;
}

/** The status lists that a node has at hand, by number. */
export interface StatusLists {
  readonly built: Map<number, BuiltStatusList>;
  /** Those that are being read, for all that ask in the meantime. */
  readonly reads: Map<number, Promise<BuiltStatusList>>;
}

/** A status list as it was signed a moment ago. Times in milliseconds since the epoch. */
export interface BuiltStatusList {
  readonly encodedList: string;
  /** When it was signed, which it says itself. */
  readonly builtAt: number;
  /** When its places were last read. */
  readonly lookedAt: number;
  /** As JSON. */
  readonly vc: string;
  readonly 'vc+jwt': string;
}
