/**
 * Verifies the whole chain in this browser: the export is read as it comes, checked in pieces by workers, and joined here. The
 * node's own word counts for nothing in it.
 */
import { streamEvidence } from '../../client/stream.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { type ChainFault, type CheckedPiece, PieceJoiner } from '../../protocol/evidence/chainPieces.ts';
import type { Comparison } from '../../protocol/evidence/compareCheckpoint.ts';
import type { ExportEnd } from '../../protocol/evidence/query.ts';
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

interface Verifying {
  /** The DID that is trusted. */
  readonly issuer: string;
  /** Notes from before, which the chain has to continue. */
  readonly kept: readonly string[];
  readonly signal: AbortSignal;
  onProgress(progress: Progress): void;
}

/** About so much text is a piece: some hundred events. */
const PIECE_CHARACTERS = 256 * 1024;

/** @throws CountersignError when the export does not come through; the signal's reason once it is aborted */
export async function verifyChain({ issuer, kept, signal, onProgress }: Verifying): Promise<ChainVerdict> {
  const started = performance.now();
  const notes = kept.map((note) => ({ note }));
  const joiner = new PieceJoiner(nobleSuite, notes);
  const soFar = (): Progress => ({ events: joiner.size, ms: performance.now() - started });
  const workers = startPieceWorkers();
  try {
    const pieces = new Pieces(workers);
    let fault: ChainFault | undefined;
    const join = (piece: CheckedPiece | undefined) => {
      fault ??= piece === undefined ? unreadable(joiner.size + 1) : joiner.add(piece);
      onProgress(soFar());
    };
    let end: ExportEnd | undefined;
    for await (const { text, closing } of piecesIn(exported(signal))) {
      if (closing !== undefined) end = closing;
      if (text !== '') await pieces.give(text, join);
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

function exported(signal: AbortSignal): AsyncGenerator<string> {
  const options = { baseUrl: BASE_URL, credential: { accessToken } };
  return streamEvidence(options, { format: 'ndjson' }, { signal });
}

/** Whole lines, some hundred at a time; the last line of an export closes it. */
async function* piecesIn(
  texts: AsyncIterable<string>,
): AsyncGenerator<{ readonly text: string; readonly closing?: ExportEnd }> {
  let text = '';
  for await (const more of texts) {
    text += more;
    if (text.length < PIECE_CHARACTERS) continue;
    const cut = text.lastIndexOf('\n', text.length - 2);
    // The last line may be the end, which is not known before what follows it has come.
    if (cut === -1) continue;
    yield { text: text.slice(0, cut) };
    text = text.slice(cut + 1);
  }
  const lines = text.trimEnd().split('\n');
  const closing = endIn(lines.at(-1) ?? '');
  yield closing === undefined ? { text: lines.join('\n') } : { text: lines.slice(0, -1).join('\n'), closing };
}

function endIn(line: string): ExportEnd | undefined {
  try {
    return (JSON.parse(line) as { readonly end?: ExportEnd }).end;
  } catch {
    return undefined;
  }
}

type Join = (piece: CheckedPiece | undefined) => void;

/** Pieces at the workers, joined in their order. */
class Pieces {
  readonly #workers: readonly Worker[];
  readonly #waiting = new Map<number, (piece: CheckedPiece | undefined) => void>();
  #last: Promise<unknown> = Promise.resolve();
  #given = 0;
  #open = 0;

  constructor(workers: readonly Worker[]) {
    this.#workers = workers;
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
  async give(text: string, join: Join): Promise<void> {
    const number = this.#given++;
    this.#open += 1;
    const checked = new Promise<CheckedPiece | undefined>((resolve) => this.#waiting.set(number, resolve));
    const task: PieceTask = { number, text };
    this.#workers[number % this.#workers.length]?.postMessage(task);
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
