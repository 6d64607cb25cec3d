/** What extensions find wrong with a node, and have signed besides: what health, what needs a person and evidence that is handed out ask them for. */
import type { CheckpointRow } from '../store/statements/evidence/checkpoints.ts';
import type { Reader } from '../store/store.ts';
import type { Deps } from './deps.ts';
import type { Finding } from './finding.ts';

/** Looks at what is stored. @param now milliseconds since the epoch @param tenantId all tenants where it is absent */
export type Examiner = (reader: Reader, now: number, tenantId?: string) => Promise<readonly Finding[]>;

/** What was found when it was last looked, of which pages ask at each change. */
export interface Watch {
  /** What needs a person of the tenant, in sentences. */
  alarms(tenantId: string): readonly string[];
  /** What the owner of the node should look at though requests are served, in sentences that name no tenant. */
  warnings(): readonly string[];
}

/** What it takes to make a checkpoint, and to have it cosigned. */
export type CosignerDeps = Pick<
  Deps,
  'clock' | 'evidence' | 'issuer' | 'keys' | 'log' | 'settings' | 'stopping' | 'store' | 'suite'
>;

/**
 * Has others sign a checkpoint over so many events at least, which is about to be handed out.
 * @returns one that they have signed; undefined where it cannot be had in a moment
 * @throws Fault UNAVAILABLE when the chain does not extend the checkpoint kept outside the database
 */
export type Cosigner = (deps: CosignerDeps, tenantId: string, atLeast: number) => Promise<CheckpointRow | undefined>;
