/**
 * Verifies the whole chain in this browser: the export is read as it comes, checked in pieces by workers, and joined here. The
 * node's own word counts for nothing in it.
 */
import { operations } from '../../client/operations.ts';
import { bytesOf } from '../../client/stream.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { type ChainFault, type CheckedPiece, PieceJoiner } from '../../protocol/evidence/chainPieces.ts';
import type { Comparison } from '../../protocol/evidence/compareCheckpoint.ts';
import type { ExportCut, ExportEnd } from '../../protocol/evidence/query.ts';
import { accessToken } from '../login/login.ts';
import { BASE_URL } from '../node/here.ts';
import type { PieceResult, PieceTask } from './pieceWorker.ts';
import { startPieceWorkers } from './workers.ts';

export interface Progress {
  readonly events: number;
  /** How long it has taken so far. */
  readonly ms: number;
}

export type ChainVerdict = Progress &
  (
    | {
        readonly ok: true;
        /** The signed note over all of it. */
        readonly note: string;
        readonly kept: readonly Comparison[];
      }
    | { readonly ok: false; readonly fault: ChainFault }
  );

interface VerifyOptions {
  /** The DID that is trusted. */
  readonly issuer: string;
  /** Notes from before, which the chain has to continue. */
  readonly kept: readonly string[];
  readonly signal: AbortSignal;
  onProgress(progress: Progress): void;
}

/** About so much is a piece: some hundred events. */
const PIECE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** How often progress is reported: a report takes longer than joining a piece. */
const TELL_MS = 100;
/** Of the line that closes an export. */
const CLOSING = '{"end":';
const CUT = '{"cut":';

/** @throws CountersignError when the export does not come through; the signal's reason once it is aborted */
export async function verifyChain({ issuer, kept, signal, onProgress }: VerifyOptions): Promise<ChainVerdict> {
  const started = performance.now();
  const notes = kept.map((note) => ({ note }));
  const joiner = new PieceJoiner(nobleSuite, notes);
  const soFar = (): Progress => ({ events: joiner.size, ms: performance.now() - started });
  const workers = startPieceWorkers();
  try {
    const pieces = new Pieces(workers, joiner.cuts);
    let fault: ChainFault | undefined;
    let toldAt = 0;
    const join = (piece: CheckedPiece | undefined) => {
      fault ??= piece === undefined ? unreadable(joiner.size + 1) : joiner.add(piece);
      const progress = soFar();
      if (progress.ms - toldAt < TELL_MS) return;
      toldAt = progress.ms;
      onProgress(progress);
    };
    let end: ExportEnd | undefined;
    for await (const { bytes, closing } of piecesIn(exported(signal))) {
      if (closing !== undefined) end = closing;
      if (bytes.length > 0) await pieces.give(bytes, join);
      if (fault !== undefined) break;
    }
    await pieces.settle();
    if (fault !== undefined) return { ok: false, fault, ...soFar() };
    if (end === undefined) return { ok: false, fault: { seq: 0, reason: 'The export has no end.' }, ...soFar() };
    const whole = joiner.finish(end, issuer, notes);
    return whole.ok
      ? { ok: true, note: String(end.checkpoint), kept: whole.kept, ...soFar() }
      : { ...whole, ...soFar() };
  } finally {
    for (const worker of workers) worker.terminate();
  }
}

function unreadable(seq: number): ChainFault {
  return { seq, reason: `What follows event ${seq - 1} is no event.` };
}

function exported(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const options = { baseUrl: BASE_URL, credential: { accessToken } };
  return bytesOf(options, operations.exportEvidence, { format: 'ndjson' }, { signal });
}

/** Whole lines, some hundred at a time; the last line of an export closes it. */
async function* piecesIn(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly closing?: ExportEnd }> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < PIECE_BYTES) continue;
    const bytes = joined(waiting, size);
    // The last line may be the end, which is not known before what follows it has come.
    const cut = bytes.lastIndexOf(NEWLINE, bytes.length - 2);
    if (cut !== -1) yield { bytes: bytes.slice(0, cut) };
    waiting = [bytes.subarray(cut + 1)];
    size = bytes.length - cut - 1;
  }
  const bytes = joined(waiting, size);
  const to = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  const from = bytes.lastIndexOf(NEWLINE, to - 1) + 1;
  const last = new TextDecoder().decode(bytes.subarray(from, to));
  if (last.startsWith(CUT))
    throw new Error(`The node cut its export: ${(JSON.parse(last) as { readonly cut: ExportCut }).cut.message}`);
  if (last.startsWith(CLOSING)) yield { bytes: bytes.slice(0, Math.max(0, from - 1)), closing: endIn(last) };
  else yield { bytes: bytes.slice(0, to) };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** @throws SyntaxError for a line that is cut short */
function endIn(line: string): ExportEnd {
  return (JSON.parse(line) as { readonly end: ExportEnd }).end;
}

type Join = (piece: CheckedPiece | undefined) => void;

/** Pieces at the workers, joined in their order. */
class Pieces {
  readonly #workers: readonly Worker[];
  readonly #cuts: readonly number[];
  readonly #waiting = new Map<number, (piece: CheckedPiece | undefined) => void>();
  #last: Promise<unknown> = Promise.resolve();
  #given = 0;
  #open = 0;

  constructor(workers: readonly Worker[], cuts: readonly number[]) {
    this.#workers = workers;
    this.#cuts = cuts;
    for (const worker of workers) {
      worker.onmessage = ({ data: { number, piece } }: MessageEvent<PieceResult>) => {
        this.#waiting.get(number)?.(piece);
        this.#waiting.delete(number);
      };
      worker.onerror = () => {
        for (const settle of this.#waiting.values()) settle(undefined);
        this.#waiting.clear();
      };
    }
  }

  /** Resolves once there is room for another piece: no more wait than the workers can soon do. */
  async give(bytes: Uint8Array<ArrayBuffer>, join: Join): Promise<void> {
    const number = this.#given++;
    this.#open += 1;
    const checked = new Promise<CheckedPiece | undefined>((resolve) => this.#waiting.set(number, resolve));
    const task: PieceTask = { number, bytes, cuts: this.#cuts };
    this.#workers[number % this.#workers.length]?.postMessage(task, [bytes.buffer]);
    const joined = Promise.all([checked, this.#last]).then(([piece]) => {
      this.#open -= 1;
      join(piece);
    });
    this.#last = joined;
    if (this.#open >= this.#workers.length * 3) await joined;
  }

  async settle(): Promise<void> {
    await this.#last;
  }
}
