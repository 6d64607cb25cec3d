/** Checkpoints of the evidence chain, with the proofs that make them useful to somebody who kept an older one. */
import { z } from 'zod';
import { toBase64 } from '../../../protocol/credential/encodings.ts';
import { consistencyProof, inclusionProof } from '../../../protocol/evidence/merkle.ts';
import {
  CheckpointPage,
  type CheckpointShown,
  Consistency,
  GetConsistency,
  GetInclusion,
  Inclusion,
  ListCheckpoints,
} from '../../../protocol/evidence/query.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Page } from '../../../protocol/wire/page.ts';
import {
  type CheckpointRow,
  findCheckpoint,
  listEventHashes,
  listCheckpoints as selectCheckpoints,
} from '../../store/statements/evidence/checkpoints.ts';
import type { Script } from '../../store/store.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneRead, useCase } from '../core/useCase.ts';
import { loadTree } from './evidenceTree.ts';

export const listCheckpoints = useCase({
  summary: 'Lists the signed checkpoints of the evidence chain, the newest first.',
  input: ListCheckpoints,
  output: CheckpointPage,
  permission: 'read',
  run: inOneRead<z.output<typeof ListCheckpoints>, Page<CheckpointShown>>(function* (_deps, caller, input) {
    const before = positionOf(z.int(), input.cursor);
    const rows = yield* selectCheckpoints(caller.tenantId, before, input.limit + 1);
    return toPage(rows, input.limit, showCheckpoint, (row) => row.size);
  }),
});

export const proveConsistency = useCase({
  summary: 'Proves that the chain at one checkpoint begins with the chain at an older one.',
  input: GetConsistency,
  output: Consistency,
  permission: 'read',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetConsistency>, Consistency>(function* (deps, caller, { size, from }) {
    if (from > size) throw outside('from', `must not be beyond the checkpoint's size, ${size}`);
    const older = yield* checkpointAt(caller.tenantId, from);
    const newer = yield* checkpointAt(caller.tenantId, size);
    const tree = yield* loadTree(deps, caller.tenantId, size, [from - 1]);
    const proof = consistencyProof(from, size, tree).map(toBase64);
    return { from: showCheckpoint(older), to: showCheckpoint(newer), proof };
  }),
});

export const proveInclusion = useCase({
  summary: 'Proves that an event is in the chain that a checkpoint is over.',
  input: GetInclusion,
  output: Inclusion,
  permission: 'read',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetInclusion>, Inclusion>(function* (deps, caller, { size, seq }) {
    if (seq > size) throw outside('seq', `must not be beyond the checkpoint's size, ${size}`);
    const checkpoint = yield* checkpointAt(caller.tenantId, size);
    const tree = yield* loadTree(deps, caller.tenantId, size, [seq - 1]);
    const [hashCurr] = yield* listEventHashes(caller.tenantId, seq, seq);
    const proof = inclusionProof(seq - 1, size, tree).map(toBase64);
    return { checkpoint: showCheckpoint(checkpoint), seq, hashCurr: String(hashCurr), proof };
  }),
});

function showCheckpoint(row: CheckpointRow): CheckpointShown {
  return { size: row.size, note: row.note, createdAt: new Date(row.created_at).toISOString() };
}

function* checkpointAt(tenantId: string, size: number): Script<CheckpointRow> {
  const row = yield* findCheckpoint(tenantId, size);
  if (row === undefined) throw new Fault('NOT_FOUND', `There is no checkpoint over ${size} events.`);
  return row;
}

function outside(path: string, message: string): Fault {
  return new Fault('BAD_REQUEST', `${path} ${message}.`, [{ path, message }]);
}
