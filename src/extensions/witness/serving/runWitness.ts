/** `countersign witness`: serves a witness until it is stopped, and says how a node is told of it. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Suite } from '../../../../protocol/credential/ed25519.ts';
import { isKeyName, keyNamed, LOG_KEY, type NoteKey, readVerifierKey } from '../../../../protocol/evidence/log/note.ts';
import { nativeSuite } from '../../../crypto/nativeSuite.ts';
import { type ProgramHost, WrongOption } from '../../programHost.ts';
import { openWitness, type Witness } from './openWitness.ts';
import { serveWitness } from './serveWitness.ts';

/** Of one origin: a note with the signatures of all of them stays far below what a note is read with. */
const MOST_KEYS = 16;

interface WitnessOptions {
  readonly log: readonly string[];
  readonly dir: string;
  readonly name?: string;
  readonly host: string;
  readonly port: number;
}

/** Resolves when the process was asked to stop, and has. */
export async function runWitness(options: WitnessOptions, { openLog, print, bold }: ProgramHost): Promise<void> {
  const suite = nativeSuite();
  const name = options.name ?? hostname();
  if (!isKeyName(name)) {
    throw new WrongOption(
      `"${name}" is no name of a key: it must have no space, no comma and no plus sign; give one by --name.`,
    );
  }
  const logs = logsIn(suite, options.log);
  const parts = { suite, folder: options.dir, name, logs, randomBytes, clock: Date.now };
  const witness = openWitness(parts);
  try {
    if (options.name !== undefined && options.name !== witness.name) {
      throw new WrongOption(
        `The witness of ${options.dir} is called ${witness.name}; leave --name out, or name another --dir.`,
      );
    }
    const { host, port } = options;
    const served = await serveWitness(witness, { host, port, clock: Date.now, log: openLog() });
    const asked = new Promise<void>((resolve) => {
      process.once('SIGTERM', resolve);
      process.once('SIGINT', resolve);
    });
    // A supervisor that reads the greeting may ask it to stop from then on.
    print(greeting(witness, served.address, options.dir, bold));
    await asked;
    await served.stop();
  } finally {
    witness.close();
  }
}

/** @param given each as ORIGIN=KEY, the key as a verifier key or a DID; an origin with several keys stands several times */
function logsIn(suite: Suite, given: readonly string[]): ReadonlyMap<string, readonly NoteKey[]> {
  const logs = new Map<string, NoteKey[]>();
  for (const text of given) {
    const at = text.indexOf('=');
    const origin = text.slice(0, Math.max(0, at));
    if (origin === '') throw wrongLog(text, 'must be an origin and a key with "=" between');
    const key = keyIn(suite, text.slice(at + 1));
    if (typeof key === 'string') throw wrongLog(text, key);
    const keys = [...(logs.get(origin) ?? []), key];
    if (keys.length > MOST_KEYS) throw wrongLog(text, `is more than ${MOST_KEYS} keys of this origin`);
    logs.set(origin, keys);
  }
  return logs;
}

function keyIn(suite: Suite, text: string): NoteKey | string {
  // The verifier key of a node begins with its DID.
  if (!text.startsWith('did:') || text.includes('+')) return readVerifierKey(suite, text, LOG_KEY);
  try {
    return keyNamed(text);
  } catch {
    return 'must end in a did:key of Ed25519, or a verifier key';
  }
}

function wrongLog(text: string, reason: string): WrongOption {
  return new WrongOption(`--log ${text}: ${reason}; the node's owner gets it from: countersign evidence log`);
}

function greeting(witness: Witness, address: string, folder: string, bold: ProgramHost['bold']): string {
  const watched = [...witness.sizes()].map(([origin, size]) => `${origin} (${size} events seen)`);
  return [
    `${bold('Countersign')} witness ${witness.name}`,
    '',
    `  Address   ${address}`,
    `  Key       ${witness.verifierKey}`,
    `  State     ${folder}; never put an older copy back`,
    ...watched.map((line, index) => `  ${index === 0 ? 'Watches ' : '        '}  ${line}`),
    '',
    'A node is told of it by this setting, with the address at which the node reaches it:',
    '',
    `  WITNESSES="${witness.verifierKey} ${address}"`,
    '',
    'Stop with Ctrl-C.',
  ].join('\n');
}
