/** Signs the evidence chain as it stands, unless it does not extend what the node signed before. */
import { openCheckpoint, originOf, signCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { rootOf } from '../../../protocol/evidence/log/merkle.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type CheckpointRow, findCheckpoint, insertCheckpoint } from '../../store/statements/evidence/checkpoints.ts';
import { findChainHead } from '../../store/statements/evidence/events.ts';
import type { Script } from '../../store/store.ts';
import { type Deps, issuersOf } from '../../usecase/deps.ts';
import type { StoredCheckpoint } from '../../usecase/services.ts';
import { growTree, loadTree } from './evidenceTree.ts';
import { describeCheckpoint, extensionFault, type Judge } from './keptCheckpoint.ts';

/** What the functions of this file use. */
type MakeCheckpointDeps = Pick<Deps, 'evidence' | 'issuer' | 'keys' | 'log' | 'store' | 'suite'>;

/**
 * Signs the chain as it stands.
 * @returns the checkpoint over all events, a new one where there was none; undefined for an empty chain
 * @throws Fault UNAVAILABLE when the chain does not extend the checkpoint kept outside the database
 */
export async function makeCheckpoint(deps: MakeCheckpointDeps, tenantId: string): Promise<CheckpointRow | undefined> {
  const fault = await watchCheckpoint(deps, tenantId, true);
  if (fault !== undefined) throw refused();
  while (await deps.store.write(tenantId, () => growTree(deps, tenantId))) {
    // Each round hashes a few subtrees more.
  }
  const kept = deps.evidence.checkpoints.find(tenantId);
  const made = await deps.store.write(tenantId, (now) => sign(deps, tenantId, kept, now));
  if (made === undefined) return undefined;
  if ('fault' in made) {
    report(deps, tenantId, made.fault);
    throw refused();
  }
  // After the commit: what is kept must never be ahead of the chain.
  if (made.keep !== undefined) deps.evidence.checkpoints.keep(tenantId, made.keep);
  return made.row;
}

type CheckpointResult =
  | { readonly fault: string }
  | { readonly row: CheckpointRow; readonly keep: StoredCheckpoint | undefined }
  | undefined;

function* sign(
  deps: Pick<Deps, 'evidence' | 'issuer' | 'keys' | 'suite'>,
  tenantId: string,
  kept: StoredCheckpoint | undefined,
  now: number,
): Script<CheckpointResult> {
  // Once more in this commit, since the chain may have been rewritten since.
  const fault = yield* extensionFault(judgeOf(deps), tenantId, kept, false);
  if (fault !== undefined) return { fault };
  const size = (yield* findChainHead(tenantId))?.seq ?? 0;
  if (size === 0) return undefined;
  const existing = yield* findCheckpoint(tenantId, size);
  if (existing !== undefined) {
    const isOurs = openCheckpoint(deps.suite, existing.note, issuersOf(deps)).ok;
    const keep = isOurs && kept?.size !== size ? yield* describeCheckpoint(tenantId, existing) : undefined;
    return { row: existing, keep };
  }
  const root = rootOf(deps.suite, size, yield* loadTree(deps, tenantId, size, []));
  const note = signCheckpoint(deps.suite, deps.issuer, { origin: originOf(tenantId), size, root });
  const row = { size, note, created_at: now };
  yield* insertCheckpoint(tenantId, row);
  return { row, keep: yield* describeCheckpoint(tenantId, row) };
}

/**
 * Compares a chain with what was kept, and raises or ends the alarm.
 * @param thorough whether to compute the root as well; an alarm ends only by that
 */
export async function watchCheckpoint(
  deps: MakeCheckpointDeps,
  tenantId: string,
  thorough: boolean,
): Promise<string | undefined> {
  const whole = thorough || deps.evidence.checkpoints.faults.has(tenantId);
  let fault: string | undefined;
  try {
    const kept = deps.evidence.checkpoints.find(tenantId);
    fault = await deps.store.read(() => extensionFault(judgeOf(deps), tenantId, kept, whole));
  } catch (error) {
    if (error instanceof Fault) throw error;
    fault = error instanceof Error ? error.message : String(error);
  }
  report(deps, tenantId, fault);
  return fault;
}

function report(deps: Pick<Deps, 'evidence' | 'log'>, tenantId: string, fault: string | undefined): void {
  const { faults } = deps.evidence.checkpoints;
  if (fault === undefined) faults.delete(tenantId);
  else if (faults.get(tenantId) !== fault) {
    faults.set(tenantId, fault);
    deps.log.error('checkpoint.refused', { tenantId, reason: fault });
  }
}

function judgeOf(deps: Pick<Deps, 'evidence' | 'issuer' | 'keys' | 'suite'>): Judge {
  return { suite: deps.suite, issuers: issuersOf(deps), isSandbox: deps.keys.demo !== undefined };
}

function refused(): Fault {
  return new Fault(
    'UNAVAILABLE',
    'The evidence does not extend the checkpoint that the node signed last, so it signs none. ' +
      'Its owner finds out more with countersign doctor.',
  );
}
