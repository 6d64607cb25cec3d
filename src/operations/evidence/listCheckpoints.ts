/** Lists the checkpoints of the evidence chain, and proves consistency and inclusion against them (RFC 9162 section 2.1). */

import { z } from 'zod';
import { toBase64 } from '../../../protocol/credential/encodings.ts';
import { consistencyProof, inclusionProof } from '../../../protocol/evidence/log/merkle.ts';
import {
  CheckpointShown,
  Consistency,
  GetConsistency,
  GetInclusion,
  Inclusion,
} from '../../../protocol/evidence/query.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { cosigned } from '../../domain/checkpoints/cosignedNote.ts';
import { loadTree } from '../../domain/checkpoints/evidenceTree.ts';
import {
  type CheckpointRow,
  findCheckpoint,
  listEventHashes,
  listCheckpoints as selectCheckpoints,
} from '../../store/statements/evidence/checkpoints.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { listing } from '../../usecase/list/listing.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

export const listCheckpoints = listing({
  summary: 'Lists the signed checkpoints of the evidence chain, the newest first.',
  input: PageRequest,
  item: CheckpointShown,
  permission: 'read',
  order: { position: z.int(), of: (row: CheckpointRow) => row.size },
  *select({ tenantId }, _input, before, limit) {
    return yield* cosigned(tenantId, yield* selectCheckpoints(tenantId, before, limit));
  },
  show: showCheckpoint,
});

export const proveConsistency = useCase({
  summary: 'Proves that the chain at one checkpoint begins with the chain at an older one.',
  input: GetConsistency,
  output: Consistency,
  permission: 'read',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetConsistency>, Consistency>(function* (
    deps: Pick<Deps, 'suite'>,
    caller,
    { size, from },
  ) {
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
  run: inOneRead<z.output<typeof GetInclusion>, Inclusion>(function* (
    deps: Pick<Deps, 'suite'>,
    caller,
    { size, seq },
  ) {
    if (seq > size) throw outside('seq', `must not be beyond the checkpoint's size, ${size}`);
    const checkpoint = yield* checkpointAt(caller.tenantId, size);
    const tree = yield* loadTree(deps, caller.tenantId, size, [seq - 1]);
    const [hashCurr] = yield* listEventHashes(caller.tenantId, seq, seq);
    const proof = inclusionProof(seq - 1, size, tree).map(toBase64);
    return { checkpoint: showCheckpoint(checkpoint), seq, hashCurr: String(hashCurr), proof };
  }),
});

function showCheckpoint(row: CheckpointRow): CheckpointShown {
  return { size: row.size, note: row.note, createdAt: isoTime(row.created_at) };
}

function* checkpointAt(tenantId: string, size: number): Script<CheckpointRow> {
  const row = yield* findCheckpoint(tenantId, size);
  if (row === undefined) throw new Fault('NOT_FOUND', `There is no checkpoint over ${size} events.`);
  return (yield* cosigned(tenantId, [row]))[0] ?? row;
}

function outside(path: string, message: string): Fault {
  return new Fault('BAD_REQUEST', `${path} ${message}.`, [{ path, message }]);
}
