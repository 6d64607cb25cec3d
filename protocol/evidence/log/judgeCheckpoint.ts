/** What a witness decides (C2SP tlog-witness): it cosigns a checkpoint only where that continues the last one it cosigned. */
import type { Suite } from '../../credential/ed25519.ts';
import { readAddCheckpoint } from './addCheckpoint.ts';
import type { Checkpoint } from './checkpoint.ts';
import { emptyRoot, verifyConsistency } from './merkle.ts';
import { isBy, LOG_KEY, type NoteKey, readNote } from './note.ts';

/** What a witness knows of the log of one origin. */
export interface WatchedLog {
  /** Whose signatures count; several where a key is being replaced. */
  readonly keys: readonly NoteKey[];
  /** The last checkpoint it cosigned; undefined before the first. */
  readonly seen: Pick<Checkpoint, 'size' | 'root'> | undefined;
}

export type Judgement =
  | {
      readonly status: 200;
      readonly checkpoint: Checkpoint;
      /** The checkpoint with the signatures that were verified, and no other. */
      readonly note: string;
      readonly text: string;
    }
  | {
      readonly status: 400 | 403 | 404;
      /** One sentence that says what would be right. */
      readonly reason: string;
    }
  /** @property size of the last checkpoint that was cosigned */
  | { readonly status: 409; readonly reason: string; readonly size: number }
  | {
      readonly status: 422;
      readonly reason: string;
      readonly checkpoint: Checkpoint;
      /** What the log has signed, with the signatures that were verified. */
      readonly note: string;
      /**
       * What the checkpoint shows of the log. `fork`: it has another root for the size that was seen, which proves that the
       * log forked. `unproven`: it came without a proof that holds, which is no proof against the log, since everyone can send
       * its checkpoints with a wrong one. `nothing`: it agrees with what was seen, with or without a valid proof.
       */
      readonly shows: 'fork' | 'unproven' | 'nothing';
    };

/**
 * Judges a request. The caller keeps what was seen from changing until it has recorded the checkpoint.
 * @param logOf what is known of an origin; undefined for one that is not watched
 */
export function judgeCheckpoint(
  suite: Suite,
  body: string,
  logOf: (origin: string) => WatchedLog | undefined,
): Judgement {
  const request = readAddCheckpoint(body);
  if (typeof request === 'string') return { status: 400, reason: request };
  const { oldSize, proof, checkpoint } = request;
  const log = logOf(checkpoint.origin);
  if (log === undefined) return { status: 404, reason: `This witness does not watch ${checkpoint.origin}.` };
  const signed = signedByLog(suite, request.note, log.keys);
  if (signed === undefined) {
    return { status: 403, reason: `No key that is trusted for ${checkpoint.origin} has signed this checkpoint.` };
  }
  if (oldSize > checkpoint.size) {
    return {
      status: 400,
      reason: `The old size, ${oldSize}, must be at most that of the checkpoint, ${checkpoint.size}.`,
    };
  }
  const size = log.seen?.size ?? 0;
  if (oldSize !== size) return { status: 409, reason: `The last checkpoint seen is over ${size} entries.`, size };
  const earlier = log.seen ?? { size: 0, root: emptyRoot(suite) };
  const isSound = checkpoint.size > 0 || verifyConsistency(suite, { size: 0, root: emptyRoot(suite) }, checkpoint, []);
  if (isSound && verifyConsistency(suite, earlier, checkpoint, proof)) return { status: 200, checkpoint, ...signed };
  const isFork = checkpoint.size === size && !verifyConsistency(suite, earlier, checkpoint, []);
  const shows = isFork ? 'fork' : size === 0 || size === checkpoint.size ? 'nothing' : 'unproven';
  const reason = REASONS[shows](size, checkpoint.size);
  return { status: 422, reason, checkpoint, note: signed.note, shows };
}

const REASONS = {
  fork: (seen) => `The checkpoint over ${seen} entries has another root than the one that was seen.`,
  unproven: (seen, size) => `The checkpoint over ${size} entries is not proven to continue the one over ${seen}.`,
  nothing: (seen, size) => `From ${seen} to ${size} entries there is nothing to prove: the proof must be empty.`,
} as const satisfies Record<string, (seen: number, size: number) => string>;

/** @returns undefined where no trusted key has signed, or a signature in the name of one does not hold */
function signedByLog(
  suite: Suite,
  note: string,
  keys: readonly NoteKey[],
): { readonly text: string; readonly note: string } | undefined {
  const read = readNote(note);
  if (!read.ok) return undefined;
  const message = new TextEncoder().encode(read.text);
  const lines = new Map<NoteKey, string>();
  for (const each of read.signatures) {
    const key = keys.find((candidate) => isBy(suite, each, candidate, LOG_KEY));
    if (key === undefined) continue;
    if (!suite.verify(key.publicKey, message, each.signature)) return undefined;
    if (!lines.has(key)) lines.set(key, each.line);
  }
  return lines.size === 0 ? undefined : { text: read.text, note: `${read.text}\n${[...lines.values()].join('')}` };
}
