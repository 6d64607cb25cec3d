/**
 * The last checkpoint that this node signed, kept outside the database: a writer of the database cannot have the node
 * sign what does not continue it.
 */
import type { Suite } from '../../../protocol/credential/ed25519.ts';
import { openCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { rootOf } from '../../../protocol/evidence/log/merkle.ts';
import { findChainHead, listRange } from '../../store/statements/evidence/events.ts';
import type { Script } from '../../store/store.ts';
import type { CheckpointKeeper, StoredCheckpoint } from '../../usecase/services.ts';
import { loadTree } from './evidenceTree.ts';

/** For a store that ends with its process. */
export function checkpointsInMemory(): CheckpointKeeper {
  const kept = new Map<string, StoredCheckpoint>();
  return {
    find: (tenantId) => kept.get(tenantId),
    keep: (tenantId, checkpoint) => void kept.set(tenantId, checkpoint),
    faults: new Map(),
  };
}

/** By whose word a chain is judged. */
export interface Judge {
  readonly suite: Suite;
  /** Every DID that the node has signed as. */
  readonly issuers: readonly string[];
  /** In the sandbox a chain may begin anew, with a TEST_DATA_RESET. */
  readonly isSandbox: boolean;
}

/**
 * What speaks against signing a chain.
 * @param thorough whether to compute the root as well, which reads a hash for every 256 events
 * @returns one sentence, or undefined where the chain extends what was kept
 */
export function* extensionFault(
  { suite, issuers, isSandbox }: Judge,
  tenantId: string,
  kept: StoredCheckpoint | undefined,
  thorough: boolean,
): Script<string | undefined> {
  if (kept === undefined) return undefined;
  const [first] = yield* listRange(tenantId, 1, 1);
  const beganAnew = first !== undefined && first.hash_curr !== kept.first && first.event_type === 'TEST_DATA_RESET';
  if (isSandbox && beganAnew) return undefined;
  const size = (yield* findChainHead(tenantId))?.seq ?? 0;
  if (size < kept.size) return `The chain has ${size} events, and had ${kept.size} at the last checkpoint.`;
  const rewritten = `The first ${kept.size} events of the chain are not those of the last checkpoint.`;
  const [last] = yield* listRange(tenantId, kept.size, kept.size);
  if (first?.hash_curr !== kept.first || last?.hash_curr !== kept.last) return rewritten;
  if (!thorough) return undefined;
  const opened = openCheckpoint(suite, kept.note, issuers);
  if (!opened.ok) return `The last checkpoint that was kept is damaged: ${opened.reason}`;
  const root = rootOf(suite, kept.size, yield* loadTree({ suite }, tenantId, kept.size, []));
  return root.every((byte, index) => byte === opened.checkpoint.root[index]) ? undefined : rewritten;
}

/** What to keep of a checkpoint that was just signed. */
export function* describeCheckpoint(
  tenantId: string,
  { size, note }: { readonly size: number; readonly note: string },
): Script<StoredCheckpoint> {
  const [first] = yield* listRange(tenantId, 1, 1);
  const [last] = yield* listRange(tenantId, size, size);
  return { size, note, first: String(first?.hash_curr), last: String(last?.hash_curr) };
}
