/** Compares evidence with a checkpoint that its reader kept. */
import type { Suite } from '../../../protocol/credential/ed25519.ts';
import { fromBase64 } from '../../../protocol/credential/encodings.ts';
import { type Comparison, compareCheckpoints } from '../../../protocol/evidence/compareCheckpoint.ts';
import { type Checkpoint, openCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { Consistency } from '../../../protocol/evidence/query.ts';
import { WrongUse } from '../commandFailure.ts';
import { readJsonFile, readTextFile } from '../input/files.ts';

type StoredCheckpointFault = { readonly ok: false; readonly part: 'kept checkpoint'; readonly reason: string };

/**
 * @param file with the checkpoint that was kept @param issuers every DID that the issuer of the evidence has had
 * @returns what is wrong, or undefined where the evidence goes on from it, or none was kept
 */
export function againstKept(
  suite: Suite,
  file: string | undefined,
  issuers: readonly string[],
  compare: (kept: Checkpoint, signer: string) => Comparison,
): StoredCheckpointFault | undefined {
  if (file === undefined) return undefined;
  const kept = openCheckpoint(suite, readTextFile(file), issuers);
  if (!kept.ok) return { ok: false, part: 'kept checkpoint', reason: kept.reason };
  const compared = compare(kept.checkpoint, kept.signer);
  return compared.ok ? undefined : { part: 'kept checkpoint', ...compared };
}

/**
 * Compares the checkpoint of a bundle with the one that was kept.
 * @param file with the proof between the two, as the node gives it
 * @throws WrongUse for a file that holds no such proof
 */
export function compareBundle(suite: Suite, kept: Checkpoint, given: Checkpoint, file: string | undefined): Comparison {
  if (file === undefined || kept.size === given.size) {
    const compared = compareCheckpoints(suite, kept, given, undefined);
    if (compared.ok || compared.fault !== 'unproven') return compared;
    return { ...compared, reason: `${compared.reason} of the node: give its answer with --consistency.` };
  }
  const { from, to, proof } = consistencyIn(file);
  const [older, newer] = [Math.min(kept.size, given.size), Math.max(kept.size, given.size)];
  // A proof between other sizes shows neither that these two agree nor that they do not.
  if (from.size !== older || to.size !== newer) {
    const reason = `${file} has the proof from ${from.size} to ${to.size} events; what compares the two is the one from ${older} to ${newer}.`;
    return { ok: false, fault: 'unproven', reason };
  }
  const hashes = proof.map((hash) => fromBase64(hash) ?? new Uint8Array());
  return compareCheckpoints(suite, kept, given, hashes);
}

function consistencyIn(file: string): Consistency {
  const parsed = Consistency.safeParse(readJsonFile(file));
  if (parsed.success) return parsed.data;
  throw new WrongUse(`${file} does not hold a consistency proof; ask for one at /ap2/evidence/checkpoints.`);
}
