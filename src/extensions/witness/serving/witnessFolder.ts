/**
 * The folder of a witness: its key, what it has seen of each log, and a lock. The two files are made together at the first
 * start; one that is missing later, or damaged, is refused, since a witness that forgets can be shown another history.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Signer, Suite } from '../../../../protocol/credential/ed25519.ts';
import { SEED_BYTES } from '../../../../protocol/credential/ed25519.ts';
import { toBase64url } from '../../../../protocol/credential/encodings.ts';
import { checkpointIn } from '../../../../protocol/evidence/log/checkpoint.ts';
import { readCosignatures } from '../../../../protocol/evidence/log/cosignature.ts';
import { readNote, verifierKey, WITNESS_KEY } from '../../../../protocol/evidence/log/note.ts';
import { createKeyFile, type RandomBytes, readKeyLines, replaceKeyFile, seedIn } from '../../../crypto/keyFile.ts';
import { openDatabase } from '../../../store/sqlite/openDatabase.ts';
import { SeenLog } from './seenLog.ts';

const KEY = 'witness.key';
const STATE = 'witness.json';
const LOCK = 'witness.lock';

const State = z.strictObject({
  witness: z.string(),
  /** By origin. A record would lose the one that is called __proto__. */
  logs: z.custom<object>((logs) => typeof logs === 'object' && logs !== null && !Array.isArray(logs)),
});

/** What a witness has seen of each log, by its origin. */
type SeenLogs = ReadonlyMap<string, SeenLog>;

interface WitnessState {
  /** The verifier key. */
  readonly witness: string;
  readonly logs: SeenLogs;
}

interface WitnessFolder {
  readonly name: string;
  readonly signer: Signer;
  readonly verifierKey: string;
  readonly seen: SeenLogs;
  /** Puts it on disk, before it returns. @throws Error when the disk does not take it, or the lock is another file now */
  keep(seen: SeenLogs): void;
  /** Gives up the lock. */
  close(): void;
}

/**
 * Opens the folder of a witness, or makes it.
 * @param folder made where it is missing, for its owner only
 * @param name of the key; a folder that was used keeps the name it began with
 * @throws Error that says what to do, when another process uses the folder or a file of it is missing or damaged
 */
export function openWitnessFolder(suite: Suite, folder: string, name: string, randomBytes: RandomBytes): WitnessFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { holds, release } = lock(folder);
  try {
    for (const file of readdirSync(folder)) {
      // What a crash left of a write; no other process writes here.
      if (/^witness\.(json|key)\..+\.tmp$/.test(file)) unlinkSync(join(folder, file));
    }
    const kept = readKeyLines(join(folder, KEY), 'key of the witness');
    const key = kept === undefined ? makeFiles(suite, folder, name, randomBytes) : keyIn(folder, kept);
    const signer = suite.signer(key.seed);
    const own = { name: key.name, publicKey: signer.publicKey };
    const vkey = verifierKey(suite, own, WITNESS_KEY);
    return {
      name: key.name,
      signer,
      verifierKey: vkey,
      seen: readState(suite, folder, own, vkey),
      keep(seen) {
        if (!holds())
          throw new Error(`${join(folder, LOCK)} was removed or replaced while this witness ran. ${UNLOCKED}`);
        writeState(folder, { witness: vkey, logs: seen }, randomBytes);
      },
      close: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

const UNLOCKED =
  'Another process may be the witness of this folder, so nothing is signed any more: stop every one of them, and start one again.';

interface Lock {
  /** Whether the file of the lock is still the one that this process holds. */
  holds(): boolean;
  /** Gives the lock up; the system does so for a process that ends in any way. */
  release(): void;
}

function lock(folder: string): Lock {
  const file = join(folder, LOCK);
  const database = openDatabase(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    const held = identityOf(file);
    return { holds: () => held !== undefined && identityOf(file) === held, release: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { readonly code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    throw new Error(`Another process is the witness of ${folder}; stop it first, or name another folder by --dir.`);
  }
}

/** Which file has this name; undefined where none has. An open file keeps its number to itself when it is removed. */
function identityOf(file: string): string | undefined {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false });
  return status && `${status.dev} ${status.ino}`;
}

interface Key {
  readonly name: string;
  readonly seed: Uint8Array;
}

/** The state is made first: a crash between the two leaves one that has seen nothing, and is replaced. */
function makeFiles(suite: Suite, folder: string, name: string, randomBytes: RandomBytes): Key {
  const file = join(folder, STATE);
  if (existsSync(file) && stateIn(file).logs.size > 0) {
    throw new Error(`${join(folder, KEY)} is missing, by which ${file} was made; put it back, or name another folder.`);
  }
  const seed = randomBytes(SEED_BYTES);
  const witness = verifierKey(suite, { name, publicKey: suite.signer(seed).publicKey }, WITNESS_KEY);
  writeState(folder, { witness, logs: new Map() }, randomBytes);
  createKeyFile(join(folder, KEY), [name, toBase64url(seed)], randomBytes);
  return { name, seed };
}

function keyIn(folder: string, [name = '', line = '', ...more]: readonly string[]): Key {
  const seed = seedIn(line);
  if (seed !== undefined && more.length === 0) return { name, seed };
  throw new Error(`${join(folder, KEY)} is damaged: it must be a name and a key, on a line each; put it back.`);
}

function readState(suite: Suite, folder: string, own: { name: string; publicKey: Uint8Array }, vkey: string): SeenLogs {
  const file = join(folder, STATE);
  const remedy =
    'Nothing is signed without it. Put the very last one back; where it is lost, begin with a new folder, which is ' +
    'another witness, and tell those who named this one.';
  if (!existsSync(file)) throw new Error(`${file} is missing: what the witness has seen. ${remedy}`);
  const { witness, logs } = stateIn(file, remedy);
  if (witness !== vkey) throw new Error(`${file} is of another witness, ${witness}. ${remedy}`);
  for (const [origin, { note }] of logs) {
    const signed = readCosignatures(suite, note, [own]);
    const read = readNote(note);
    const isWhole = signed.ok && signed.cosignatures.length === 1 && read.ok;
    if (!isWhole || checkpointIn(read.text)?.origin !== origin) {
      throw new Error(`${file} is damaged: what it holds of ${origin} is not what the witness signed. ${remedy}`);
    }
  }
  return logs;
}

function stateIn(file: string, remedy = ''): WitnessState {
  try {
    const { witness, logs } = State.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { witness, logs: new Map(Object.entries(logs).map(([origin, log]) => [origin, SeenLog.parse(log)])) };
  } catch {
    throw new Error(`${file} is damaged, or cannot be read. ${remedy}`.trimEnd());
  }
}

function writeState(folder: string, { witness, logs }: WitnessState, randomBytes: RandomBytes): void {
  const text = JSON.stringify({ witness, logs: Object.fromEntries(logs) }, null, 2);
  replaceKeyFile(join(folder, STATE), text.split('\n'), randomBytes);
}
