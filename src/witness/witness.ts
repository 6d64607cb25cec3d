/** A witness (C2SP tlog-witness): cosigns what continues the checkpoints it has seen, and keeps what contradicts them. */
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { checkpointIn } from '../../protocol/evidence/checkpoint.ts';
import { cosign } from '../../protocol/evidence/cosignature.ts';
import { type Judgement, judgeCheckpoint } from '../../protocol/evidence/judgeCheckpoint.ts';
import { type NoteKey, readNote } from '../../protocol/evidence/note.ts';
import type { RandomBytes } from '../crypto/keyFile.ts';
import { openWitnessFolder, type SeenLogs } from './witnessFolder.ts';

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
export interface WitnessAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** What an operator should read of it; undefined for what is of no interest. */
  readonly told?: {
    readonly level: 'info' | 'error';
    readonly event: string;
    readonly facts: Readonly<Record<string, unknown>>;
  };
}

export interface Witness {
  readonly name: string;
  readonly verifierKey: string;
  /** How many entries of each log that is watched were seen. */
  sizes(): ReadonlyMap<string, number>;
  /**
   * Judges a request to add a checkpoint, and cosigns. What it answers with is on disk; nothing is waited for between the
   * judgement and the record, so that of two requests at once the second is judged by what the first left.
   * @throws Error when the disk does not take the record, and nothing is cosigned then
   */
  add(body: string): WitnessAnswer;
  /** @param hash SHA-256 of an origin in hexadecimal @returns the last checkpoint that was cosigned, with its signatures */
  latest(hash: string): string | undefined;
  close(): void;
}

const TEXT = 'text/plain; charset=utf-8';

/** @throws Error as openWitnessFolder does */
export function openWitness({ suite, folder, name, logs, randomBytes, clock }: WitnessParts): Witness {
  const kept = openWitnessFolder(suite, folder, name, randomBytes);
  let seen: SeenLogs = kept.seen;
  const byHash = new Map([...logs.keys()].map((origin) => [suite.sha256Hex(origin), origin]));
  const keep = (origin: string, change: SeenLogs[string]) => {
    const next = { ...seen, [origin]: change };
    kept.keep(next);
    seen = next;
  };

  function add(body: string): WitnessAnswer {
    const judged = judgeCheckpoint(suite, body, (origin) => {
      const keys = logs.get(origin);
      return keys === undefined ? undefined : { keys, seen: checkpointOf(seen, origin) };
    });
    if (judged.status === 422) return contradicted(judged);
    if (judged.status !== 200) return refusal(judged);
    const { checkpoint, text, note } = judged;
    const line = cosign(suite, kept.signer, kept.name, text, clock());
    const before = logOf(seen, checkpoint.origin);
    // The same checkpoint again, which anybody can send who has read it, costs no write.
    const isKnown = before?.note.startsWith(note) === true;
    if (!isKnown) keep(checkpoint.origin, { ...withoutProven(before, note), note: note + line });
    const facts = { origin: checkpoint.origin, size: checkpoint.size };
    return { status: 200, contentType: TEXT, body: line, told: { level: 'info', event: 'checkpoint.cosigned', facts } };
  }

  function contradicted({ origin, note, reason, isFork }: Extract<Judgement, { status: 422 }>): WitnessAnswer {
    const before = logOf(seen, origin);
    const facts = { origin, reason, seen: before?.note, refused: note };
    if (before !== undefined && isFork) {
      // Both are signed by the log: nothing that comes later takes the place of such a proof.
      if (before.forked === undefined) keep(origin, { ...before, forked: note });
    } else if (before !== undefined && before.unproven !== note) {
      keep(origin, { ...before, unproven: note });
    }
    const event = isFork ? 'checkpoint.forked' : 'checkpoint.unproven';
    return { status: 422, contentType: TEXT, body: `${reason}\n`, told: { level: 'error', event, facts } };
  }

  return {
    name: kept.name,
    verifierKey: kept.verifierKey,
    sizes: () => new Map([...logs.keys()].map((origin) => [origin, checkpointOf(seen, origin)?.size ?? 0])),
    add,
    latest(hash) {
      const origin = byHash.get(hash);
      return origin === undefined ? undefined : logOf(seen, origin)?.note;
    },
    close: kept.close,
  };
}

/** What is kept of a log whose checkpoint was proven after all. */
function withoutProven(before: SeenLogs[string] | undefined, note: string): Partial<SeenLogs[string]> {
  const { unproven, ...rest } = before ?? {};
  return unproven === undefined || unproven === note ? rest : { ...rest, unproven };
}

function refusal(judged: Extract<Judgement, { status: 400 | 403 | 404 | 409 }>): WitnessAnswer {
  if (judged.status !== 409) return { status: judged.status, contentType: TEXT, body: `${judged.reason}\n` };
  return { status: 409, contentType: 'text/x.tlog.size', body: `${judged.size}\n` };
}

function checkpointOf(seen: SeenLogs, origin: string) {
  const read = readNote(logOf(seen, origin)?.note ?? '');
  return read.ok ? checkpointIn(read.text) : undefined;
}

/** An origin may be called as a member of every object is. */
function logOf(seen: SeenLogs, origin: string): SeenLogs[string] | undefined {
  return Object.hasOwn(seen, origin) ? seen[origin] : undefined;
}
