/** Asks one witness to cosign a checkpoint (C2SP tlog-witness), from the size that it has seen last. */
import { writeAddCheckpoint } from '../../../../protocol/evidence/log/addCheckpoint.ts';
import { SIZE } from '../../../../protocol/evidence/log/checkpoint.ts';
import { readCosignatures, withCosignatures } from '../../../../protocol/evidence/log/cosignature.ts';
import { consistencyProof } from '../../../../protocol/evidence/log/merkle.ts';
import { loadTree } from '../../../domain/checkpoints/evidenceTree.ts';
import { makeCheckpoint } from '../../../domain/checkpoints/makeCheckpoint.ts';
import { type CheckpointRow, findLastCheckpoint } from '../../../store/statements/evidence/checkpoints.ts';
import { findChainHead } from '../../../store/statements/evidence/events.ts';
import { timeFault } from './cosignedTime.ts';
import type { NamedWitness, WitnessAnswer, WitnessDeps } from './witnesses.ts';

/** Answers that name another size than was said before the witness is left for later: others may be asking it. */
const MOST_ROUNDS = 4;

/** What a witness says in the end. */
export type WitnessWord =
  | { readonly kind: 'cosigned'; readonly checkpoint: CheckpointRow; readonly line: string }
  /** @property reason a phrase; it is asked again */
  | { readonly kind: 'failed'; readonly reason: string }
  | {
      readonly kind: 'refused';
      /** It has seen a longer chain than this one, or one that this one does not continue. */
      readonly refusal: 'ahead' | 'contradicts';
      readonly seenSize: number;
    };

interface Offer {
  readonly witness: NamedWitness;
  readonly checkpoint: CheckpointRow;
  /** Of the last checkpoint that the witness is known to have cosigned. */
  readonly oldSize: number;
}

/** @throws Fault UNAVAILABLE where the chain does not extend what the node signed before, for any answer of the witness */
export async function offerCheckpoint(deps: WitnessDeps, tenantId: string, offer: Offer): Promise<WitnessWord> {
  const { witness } = offer;
  let { checkpoint } = offer;
  // One that is known to have seen more is asked what it has seen.
  let oldSize = offer.oldSize > checkpoint.size ? 0 : offer.oldSize;
  for (let round = 0; round < MOST_ROUNDS && !deps.stopping.aborted; round++) {
    const answer = await deps.witnesses.ask(witness.url, await requestOf(deps, tenantId, checkpoint, oldSize));
    const seen = sizeIn(answer);
    if (seen === undefined || seen === oldSize) return wordOf(deps, witness, { checkpoint, oldSize }, answer);
    if (seen > checkpoint.size) {
      const newer = await checkpointFrom(deps, tenantId, seen);
      if (newer === undefined) return { kind: 'refused', refusal: 'ahead', seenSize: seen };
      checkpoint = newer;
    }
    oldSize = seen;
  }
  return {
    kind: 'failed',
    reason: deps.stopping.aborted ? 'the node stopped' : `it named another size ${MOST_ROUNDS} times`,
  };
}

async function requestOf(
  deps: Pick<WitnessDeps, 'store' | 'suite'>,
  tenantId: string,
  { size, note }: CheckpointRow,
  oldSize: number,
): Promise<string> {
  const near = oldSize === 0 ? [] : [oldSize - 1];
  const tree = await deps.store.read(() => loadTree(deps, tenantId, size, near));
  return writeAddCheckpoint({ oldSize, proof: consistencyProof(oldSize, size, tree), note });
}

/** The size that a witness names where it was told another one. */
function sizeIn(answer: WitnessAnswer): number | undefined {
  if (!('status' in answer) || answer.status !== 409) return undefined;
  const size = answer.text.endsWith('\n') ? answer.text.slice(0, -1) : '';
  return SIZE.test(size) ? Number(size) : undefined;
}

function wordOf(
  deps: Pick<WitnessDeps, 'clock' | 'suite'>,
  witness: NamedWitness,
  { checkpoint, oldSize }: Omit<Offer, 'witness'>,
  answer: WitnessAnswer,
): WitnessWord {
  if ('failure' in answer) return { kind: 'failed', reason: answer.failure };
  const { status, text } = answer;
  if (status === 422) return { kind: 'refused', refusal: 'contradicts', seenSize: oldSize };
  if (status === 404) return { kind: 'failed', reason: 'it does not watch this chain (404)' };
  if (status === 403) return { kind: 'failed', reason: 'it does not know the key of this node (403)' };
  if (status !== 200) return { kind: 'failed', reason: `it answered ${status}` };
  // Line by line: an empty one would have the cosignature be over another text than the checkpoint's.
  const lines = text.split(/(?<=\n)/).filter((each) => each !== '\n');
  const read = readCosignatures(deps.suite, withCosignatures(checkpoint.note, lines), [witness.key]);
  if (!read.ok) return { kind: 'failed', reason: `its answer does not hold: ${read.reason}` };
  const [cosignature] = read.cosignatures;
  if (cosignature === undefined) {
    return { kind: 'failed', reason: 'its answer holds no cosignature by the key that WITNESSES names' };
  }
  const untimely = timeFault(cosignature.time, checkpoint, deps.clock());
  if (untimely !== undefined) return { kind: 'failed', reason: untimely };
  return { kind: 'cosigned', checkpoint, line: cosignature.line };
}

/**
 * A checkpoint over so many events at least: the newest, or one made now where the chain is longer, since a note that was
 * signed for an export may have come to the witness before.
 * @returns undefined for a chain that is shorter
 */
async function checkpointFrom(
  deps: Pick<WitnessDeps, 'evidence' | 'issuer' | 'keys' | 'log' | 'store' | 'suite'>,
  tenantId: string,
  size: number,
): Promise<CheckpointRow | undefined> {
  const { last, length } = await deps.store.read(function* () {
    return { last: yield* findLastCheckpoint(tenantId), length: (yield* findChainHead(tenantId))?.seq ?? 0 };
  });
  if (last !== undefined && last.size >= size) return last;
  return length >= size ? makeCheckpoint(deps, tenantId) : undefined;
}
