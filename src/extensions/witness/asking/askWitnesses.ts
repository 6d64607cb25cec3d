/**
 * Sends the newest checkpoint of a chain to its witnesses, and keeps what they answer. No transaction is open while one is
 * asked; a lease keeps other nodes from asking the same witness meanwhile, and a crash lets it lapse.
 */
import {
  type CheckpointRow,
  findCheckpoint,
  findLastCheckpoint,
} from '../../../store/statements/evidence/checkpoints.ts';
import {
  type ChainWitnessRow,
  listChainWitnesses,
  listCosignatures,
  putChainWitness,
  putCosignature,
} from '../../../store/statements/evidence/cosignatures.ts';
import { databaseTime } from '../../../store/statements/node/nodes.ts';
import type { Script } from '../../../store/store.ts';
import { isTimely } from './cosignedTime.ts';
import { offerCheckpoint, type WitnessWord } from './offerCheckpoint.ts';
import type { NamedWitness, WitnessDeps } from './witnesses.ts';

/** Longer than all that one witness is asked at once. */
const LEASE_MS = 60_000;
/** Waits after the first, second … failure; the last one repeats. */
const WAITS_MS = [5000, 30_000, 120_000, 600_000];
/** How often one that contradicts the chain is asked whether it still does. */
const REFUSED_WAIT_MS = 600_000;

/** A witness that was not asked for so long was not named meanwhile, or no node ran: its failures count anew. */
const IDLE_MS = 86_400_000;

interface WitnessLease {
  readonly witness: NamedWitness;
  readonly row: ChainWitnessRow;
}

/** Asks each witness that is due and has not cosigned the newest checkpoint yet. Resolves once all have answered. */
export async function askWitnesses(deps: WitnessDeps, tenantId: string): Promise<void> {
  const { due } = await deps.store.read((now) => listDue(deps, tenantId, now));
  if (due.length === 0) return;
  const { checkpoint, leased } = await deps.store.write(tenantId, (now) => lease(deps, tenantId, now));
  if (checkpoint === undefined) return;
  const asking = leased.map(async ({ witness, row }) => {
    const offer = { witness, checkpoint, oldSize: row.size };
    const word = await offerCheckpoint(deps, tenantId, offer).catch(
      (error): WitnessWord => ({ kind: 'failed', reason: `the node could not ask it: ${String(error)}` }),
    );
    await deps.store.write(tenantId, (now) => record(deps, tenantId, witness, word, now));
    if (word.kind === 'failed') {
      deps.log.warn('witness.failed', { tenantId, witness: witness.verifierKey, reason: word.reason });
    }
  });
  const ends = await Promise.allSettled(asking);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Whether a witness is being asked for the newest checkpoint, by any node, or could be now. */
export function* isAsking(
  deps: Pick<WitnessDeps, 'store' | 'witnesses'>,
  tenantId: string,
  now: number,
): Script<boolean> {
  const { due, leased } = yield* listDue(deps, tenantId, now);
  return due.length + leased > 0;
}

/** @returns the newest checkpoint, who is due for it, and how many of the others are being asked now */
function* listDue(
  deps: Pick<WitnessDeps, 'store' | 'witnesses'>,
  tenantId: string,
  at: number,
): Script<{ checkpoint: CheckpointRow | undefined; due: readonly WitnessLease[]; leased: number }> {
  const checkpoint = yield* findLastCheckpoint(tenantId);
  if (checkpoint === undefined) return { checkpoint, due: [], leased: 0 };
  const now = yield* databaseTime(deps.store.engine, at);
  const { size } = checkpoint;
  const kept = (yield* listCosignatures(tenantId, size, size)).filter(({ line }) => isTimely(line, now));
  const done = new Set(kept.map(({ witness }) => witness));
  const rows = new Map((yield* listChainWitnesses(tenantId)).map((row) => [row.witness, row]));
  const due: WitnessLease[] = [];
  let leased = 0;
  for (const witness of deps.witnesses.named) {
    if (done.has(witness.verifierKey)) continue;
    const row = rows.get(witness.verifierKey) ?? unasked(witness.verifierKey);
    if (row.due_at <= now) due.push({ witness, row });
    else if (row.node_id !== null) leased += 1;
  }
  return { checkpoint, due, leased };
}

function unasked(witness: string): ChainWitnessRow {
  const never = { failure: null, failing_since: null, refusal: null, seen_size: null, refused_at: null };
  return { witness, size: 0, node_id: null, due_at: 0, tries: 0, ...never };
}

function* lease(
  deps: Pick<WitnessDeps, 'settings' | 'store' | 'witnesses'>,
  tenantId: string,
  now: number,
): Script<{ checkpoint: CheckpointRow | undefined; leased: readonly WitnessLease[] }> {
  // Once more under the tenant's lock, since another node may have been first.
  const { checkpoint, due } = yield* listDue(deps, tenantId, now);
  const at = yield* databaseTime(deps.store.engine, now);
  for (const { row } of due) {
    // Kept before it is asked: a node that ends each time meanwhile would begin anew for ever.
    const wasLeft = row.due_at > 0 && row.due_at <= at - IDLE_MS;
    const since = (wasLeft ? null : row.failing_since) ?? at;
    yield* putChainWitness(tenantId, {
      ...row,
      node_id: deps.settings.nodeId,
      due_at: at + LEASE_MS,
      failing_since: since,
    });
  }
  return { checkpoint, leased: due };
}

function* record(
  deps: Pick<WitnessDeps, 'store'>,
  tenantId: string,
  { verifierKey }: NamedWitness,
  word: WitnessWord,
  at: number,
): Script<void> {
  const rows = yield* listChainWitnesses(tenantId);
  const row = rows.find(({ witness }) => witness === verifierKey) ?? unasked(verifierKey);
  const now = yield* databaseTime(deps.store.engine, at);
  const tries = row.tries + 1;
  const free = { ...row, node_id: null };
  if (word.kind === 'cosigned') {
    const { size } = word.checkpoint;
    // Test data may have been cleared meanwhile, and another checkpoint of that size may have taken its place.
    const isSame = (yield* findCheckpoint(tenantId, size))?.note === word.checkpoint.note;
    if (isSame) yield* putCosignature(tenantId, { size, witness: verifierKey, line: word.line, created_at: at });
    yield* putChainWitness(tenantId, { ...unasked(verifierKey), size: isSame ? Math.max(size, row.size) : 0 });
  } else if (word.kind === 'failed') {
    const due = now + (WAITS_MS[Math.min(tries, WAITS_MS.length) - 1] as number);
    const failing = { failure: word.reason, failing_since: row.failing_since ?? now };
    yield* putChainWitness(tenantId, { ...free, due_at: due, tries, ...failing });
  } else {
    const refusal = { refusal: word.refusal, seen_size: word.seenSize, refused_at: row.refused_at ?? now };
    const reached = { failure: null, failing_since: null, tries: 0 };
    yield* putChainWitness(tenantId, { ...free, due_at: now + REFUSED_WAIT_MS, ...reached, ...refusal });
  }
}
