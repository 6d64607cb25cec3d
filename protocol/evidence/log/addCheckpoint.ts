/** The request `add-checkpoint` of C2SP tlog-witness: how a log writes it, and how a witness reads it. */
import { fromBase64, toBase64 } from '../../credential/encodings.ts';
import { type Checkpoint, checkpointIn, SIZE } from './checkpoint.ts';
import { readNote } from './note.ts';

/** The most hashes that a proof may have. */
const MOST_HASHES = 63;

interface AddCheckpoint {
  /** The size of the checkpoint that the log takes to be the last one the witness cosigned; 0 for none. */
  readonly oldSize: number;
  /** That the checkpoint continues the one of the old size. */
  readonly proof: readonly Uint8Array[];
  /** The signed checkpoint. */
  readonly note: string;
}

export function writeAddCheckpoint({ oldSize, proof, note }: AddCheckpoint): string {
  return `old ${oldSize}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`;
}

/** A request that is well formed; nothing of it is verified. */
interface ReadRequest extends AddCheckpoint {
  readonly checkpoint: Checkpoint;
}

/** @returns the request, or what is wrong with it as one sentence */
export function readAddCheckpoint(body: string): ReadRequest | string {
  const end = body.indexOf('\n\n');
  if (end < 0) return 'After the proof there must be an empty line, and the checkpoint after it.';
  const [first = '', ...lines] = body.slice(0, end).split('\n');
  const size = first.startsWith('old ') ? first.slice(4) : '';
  if (!SIZE.test(size)) return 'The first line must be "old" and a size in decimal, of at most 15 digits.';
  if (lines.length > MOST_HASHES) return `A proof must have at most ${MOST_HASHES} hashes, and has ${lines.length}.`;
  const proof = lines.map(fromBase64);
  const wrong = proof.findIndex((hash) => hash?.length !== 32);
  if (wrong >= 0) return `Line ${wrong + 2} must be the base64 of a hash of 32 bytes.`;
  const note = body.slice(end + 2);
  const read = readNote(note);
  if (!read.ok) return `The checkpoint must be a signed note: ${read.reason}.`;
  const checkpoint = checkpointIn(read.text);
  if (checkpoint === undefined) {
    return 'The checkpoint must have an origin, a size of at most 15 digits and a root hash, each on a line of its own.';
  }
  return { oldSize: Number(size), proof: proof as Uint8Array[], note, checkpoint };
}
