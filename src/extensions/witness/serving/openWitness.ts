/** A witness (C2SP tlog-witness): cosigns what continues the checkpoints it has seen, and keeps what contradicts them. */
import type { Suite } from '../../../../protocol/credential/ed25519.ts';
import { checkpointIn } from '../../../../protocol/evidence/log/checkpoint.ts';
import { cosign, readCosignatures } from '../../../../protocol/evidence/log/cosignature.ts';
import { type Judgement, judgeCheckpoint } from '../../../../protocol/evidence/log/judgeCheckpoint.ts';
import { type NoteKey, readNote } from '../../../../protocol/evidence/log/note.ts';
import type { RandomBytes } from '../../../crypto/keyFile.ts';
import { isSameLog, type SeenLog, withCosigned, withFork, withSignatures, withUnproven } from './seenLog.ts';
import { openWitnessFolder } from './witnessFolder.ts';

interface WitnessParts {
  readonly suite: Suite;
  readonly folder: string;
  /** Of its key, where the folder is new. */
  readonly name: string;
  /** The logs it watches: the keys that each origin is signed with. */
  readonly logs: ReadonlyMap<string, readonly NoteKey[]>;
  readonly randomBytes: RandomBytes;
  /** Milliseconds since the epoch. */
  clock(): number;
}

/** An answer of HTTP. */
export interface WitnessReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** What an operator should read. */
export interface WitnessLogEntry {
  readonly level: 'info' | 'error';
  readonly event: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

type Tell = (told: WitnessLogEntry) => void;

export interface Witness {
  readonly name: string;
  readonly verifierKey: string;
  /** How many entries of each log that is watched were seen. */
  sizes(): ReadonlyMap<string, number>;
  /**
   * Judges a request to add a checkpoint, and cosigns. What it cosigns is on disk before it answers; nothing is waited for
   * between the judgement and the record, so that of two requests at once the second is judged by what the first left. What
   * contradicts it is told before it is recorded, and answered whether the disk takes it or not.
   * @param tell is given, at once, what an operator should read of the request
   * @throws Error when the disk does not take the record of a new checkpoint, and nothing is cosigned then
   */
  add(body: string, tell: Tell): WitnessReply;
  /** @param hash SHA-256 of an origin in hexadecimal @returns the last checkpoint that was cosigned, with its signatures */
  latest(hash: string): string | undefined;
  close(): void;
}

const TEXT = 'text/plain; charset=utf-8';
/** Clocks are set back by less. */
const FAR_AHEAD_MS = 86_400_000;

/** @throws Error as openWitnessFolder does */
export function openWitness({ suite, folder, name, logs, randomBytes, clock }: WitnessParts): Witness {
  const opened = openWitnessFolder(suite, folder, name, randomBytes);
  const record = openRecord(opened);
  const byHash = new Map([...logs.keys()].map((origin) => [suite.sha256Hex(origin), origin]));
  const own = { name: opened.name, publicKey: opened.signer.publicKey };

  function cosigned({ checkpoint, text, note }: Extract<Judgement, { status: 200 }>, tell: Tell): WitnessReply {
    const { origin, size } = checkpoint;
    const before = record.of(origin);
    const read = readCosignatures(suite, before?.note ?? '', [own]);
    const now = clock();
    const kept = read.ok ? read.cosignatures[0] : undefined;
    // A clock that was far ahead is right again: nodes take no time that is still to come.
    const last = (kept?.time ?? 0) * 1000 > now + FAR_AHEAD_MS ? undefined : kept;
    // A clock that was set back would have it say that it had not yet seen then what it had.
    const at = Math.max(now, (last?.time ?? 0) * 1000);
    // The same checkpoint again, which every reader of it can send, has the cosignature that every reader is shown.
    const isAgain = before?.note.startsWith(`${text}\n`) === true && last !== undefined;
    const line = isAgain ? last.line : cosign(suite, opened.signer, opened.name, text, at);
    const log = withCosigned(before, isAgain ? withSignatures(before.note, line, note) : note + line);
    if (log.forked !== before?.forked) {
      const reason = `The checkpoint over ${size} entries has another root than one that the log signed before.`;
      const facts = { origin, reason, seen: log.note, refused: log.forked };
      tell({ level: 'error', event: 'checkpoint.forked', facts });
    }
    if (isAgain) record.tryToKeep(origin, log, tell);
    else record.keep(origin, log);
    tell({ level: 'info', event: 'checkpoint.cosigned', facts: { origin, size } });
    return { status: 200, contentType: TEXT, body: line };
  }

  return {
    name: opened.name,
    verifierKey: opened.verifierKey,
    sizes: () => new Map([...logs.keys()].map((origin) => [origin, checkpointOf(record.of(origin))?.size ?? 0])),
    add(body, tell) {
      const judged = judgeCheckpoint(suite, body, (origin) => {
        const keys = logs.get(origin);
        return keys === undefined ? undefined : { keys, seen: checkpointOf(record.of(origin)) };
      });
      if (judged.status === 422) return contradicted(record, judged, tell);
      return judged.status === 200 ? cosigned(judged, tell) : refusal(judged);
    },
    latest(hash) {
      const origin = byHash.get(hash);
      return origin === undefined ? undefined : record.of(origin)?.note;
    },
    close: opened.close,
  };
}

/** What the witness knows of each log: what is on its disk, and nothing else. */
interface SeenLogStore {
  of(origin: string): SeenLog | undefined;
  /** @throws Error when the disk does not take it, and it is not known then */
  keep(origin: string, log: SeenLog): void;
  /** Keeps what is told anyway: that the disk did not take it is told besides. */
  tryToKeep(origin: string, log: SeenLog, tell: Tell): void;
}

function openRecord(folder: Pick<ReturnType<typeof openWitnessFolder>, 'seen' | 'keep'>): SeenLogStore {
  let { seen } = folder;
  const keep = (origin: string, log: SeenLog) => {
    const next = new Map(seen).set(origin, log);
    folder.keep(next);
    seen = next;
  };
  return {
    of: (origin) => seen.get(origin),
    keep,
    tryToKeep(origin, log, tell) {
      const before = seen.get(origin);
      if (before !== undefined && isSameLog(before, log)) return;
      try {
        keep(origin, log);
      } catch (error) {
        tell({ level: 'error', event: 'state.unwritten', facts: { origin, error: String(error) } });
      }
    },
  };
}

function contradicted(record: SeenLogStore, judged: Extract<Judgement, { status: 422 }>, tell: Tell): WitnessReply {
  const { note, reason, shows } = judged;
  const { origin } = judged.checkpoint;
  const before = record.of(origin);
  if (shows !== 'nothing') {
    const event = shows === 'fork' ? 'checkpoint.forked' : 'checkpoint.unproven';
    tell({ level: 'error', event, facts: { origin, reason, seen: before?.note, refused: note } });
    const added = shows === 'fork' ? withFork : withUnproven;
    if (before !== undefined) record.tryToKeep(origin, added(before, note), tell);
  }
  return { status: 422, contentType: TEXT, body: `${reason}\n` };
}

function refusal(judged: Extract<Judgement, { status: 400 | 403 | 404 | 409 }>): WitnessReply {
  if (judged.status !== 409) return { status: judged.status, contentType: TEXT, body: `${judged.reason}\n` };
  return { status: 409, contentType: 'text/x.tlog.size', body: `${judged.size}\n` };
}

function checkpointOf(log: SeenLog | undefined) {
  const read = readNote(log?.note ?? '');
  return read.ok ? checkpointIn(read.text) : undefined;
}
