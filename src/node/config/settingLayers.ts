/** Where the node's settings come from: the environment, files of secrets that it names, and below it a file of settings. */
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { ConfigError, SETTINGS } from './config.ts';
import { extensionSecrets } from './extensionConfig.ts';

/** What is read where COUNTERSIGN_CONFIG names no other file. */
export const SETTINGS_FILE = 'countersign.toml';

/** Settings that may stand in a file of their own, which NAME_FILE names: container platforms mount secrets so. */
const SECRETS: readonly string[] = [
  'BOOTSTRAP_API_KEY',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'OIDC_CLIENT_SECRET',
  ...extensionSecrets,
];
const FILE_OF = new Map(SECRETS.map((name) => [`${name}_FILE`, name]));

export interface Settings {
  /** By the names of the environment's variables. */
  readonly values: Readonly<Record<string, string>>;
  /** Where each was found: `environment`, or the path of a file. */
  readonly sources: ReadonlyMap<string, string>;
  /** The files with a secret that other users of this machine may read. */
  readonly readable: readonly string[];
}

/** What reading finds wrong, a line each, and which files with a secret others may read. */
interface Findings {
  readonly faults: string[];
  readonly readable: Set<string>;
}

type Layer = Readonly<Record<string, string | undefined>>;

/**
 * @throws ConfigError with a line for each file that cannot be read or that others may write, and each of its members that is no setting
 */
export function readSettings(env: Layer): Settings {
  const given = env['COUNTERSIGN_CONFIG'] ?? '';
  const file = given !== '' ? given : existsSync(SETTINGS_FILE) ? SETTINGS_FILE : undefined;
  const findings: Findings = { faults: [], readable: new Set() };
  const below = file === undefined ? [] : found(readToml(file, findings), file, findings);
  const above = found(env, 'environment', findings);
  throwFaults(findings);
  const all = new Map([...below, ...above].map((setting) => [setting.name, setting]));
  return {
    values: Object.fromEntries([...all].map(([name, { value }]) => [name, value])),
    sources: new Map([...all].map(([name, { source }]) => [name, source])),
    readable: [...findings.readable],
  };
}

/**
 * A secret of a command, from the environment or the file that NAME_FILE names.
 * @returns undefined where there is neither
 * @throws ConfigError
 */
export function readSecret(env: Layer, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return env[name];
  const findings: Findings = { faults: [], readable: new Set() };
  if ((env[name] ?? '') !== '') findings.faults.push(twice(name, file));
  const secret = readSecretFile(`${name}_FILE`, file, findings);
  throwFaults(findings);
  return secret;
}

function throwFaults({ faults }: Findings): void {
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
}

/** What a person is told of a file of `readable`. */
export function readableText(file: string): string {
  return `${file} holds a secret, and every user of this machine may read it.`;
}

interface Setting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** The settings of one layer, secrets read from the files that it names. */
function found(layer: Layer, source: string, findings: Findings): Setting[] {
  return Object.entries(layer).flatMap(([name, value]): Setting[] => {
    if (value === undefined || value === '') return [];
    const secret = FILE_OF.get(name);
    if (secret === undefined) return SETTINGS.includes(name) ? [{ name, value, source }] : [];
    if ((layer[secret] ?? '') !== '') findings.faults.push(twice(secret, value));
    const text = readSecretFile(name, value, findings);
    return text === undefined ? [] : [{ name: secret, value: text, source: value }];
  });
}

function twice(name: string, file: string): string {
  return `${name}_FILE=${JSON.stringify(file)}: ${name} is set too; leave one of them out`;
}

/** A file of one line, whose end belongs to no secret. */
function readSecretFile(name: string, file: string, { faults, readable }: Findings): string | undefined {
  try {
    const { text: written, mode } = readWithMode(file);
    const text = written.replace(/\r?\n$/, '');
    if (mode & OTHERS_WRITE) faults.push(writable(name, file));
    if (mode & OTHERS_READ) readable.add(file);
    if (text === '') faults.push(`${name}=${JSON.stringify(file)}: the file is empty`);
    return text;
  } catch (error) {
    faults.push(`${name}=${JSON.stringify(file)}: cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}

const OTHERS_READ = 0o004;
const OTHERS_WRITE = 0o002;

/** What another user of the machine writes there decides where the node's money goes. */
function writable(name: string, file: string): string {
  return `${name}=${JSON.stringify(file)}: every user of this machine may write it: chmod o-w ${file}`;
}

/** @returns the text, and the mode of the very file that it was read from; no bits where the platform has none */
function readWithMode(file: string): { readonly text: string; readonly mode: number } {
  const descriptor = openSync(file, 'r');
  try {
    const { mode } = fstatSync(descriptor);
    return { text: readFileSync(descriptor, 'utf8'), mode: process.platform === 'win32' ? 0 : mode };
  } finally {
    closeSync(descriptor);
  }
}

function readToml(file: string, findings: Findings): Layer {
  const { faults, readable } = findings;
  const values: Record<string, string> = {};
  const { members, mode } = parsed(file, faults);
  if (mode & OTHERS_WRITE) faults.push(writable('COUNTERSIGN_CONFIG', file));
  if (mode & OTHERS_READ && SECRETS.some((name) => Object.hasOwn(members, name))) readable.add(file);
  for (const [name, value] of Object.entries(members)) {
    const written = Array.isArray(value) ? value : [value];
    if (!SETTINGS.includes(name) && !FILE_OF.has(name)) {
      faults.push(`${name}=: is no setting; ${file} takes those of "countersign config check"`);
    } else if (written.every((each) => ['string', 'number', 'bigint', 'boolean'].includes(typeof each))) {
      // Lists are written with commas in the environment.
      values[name] = written.join(',');
    } else {
      faults.push(`${name}=: must be a text, a number, true or false, or a list of them in ${file}`);
    }
  }
  return values;
}

interface TomlFile {
  readonly members: Readonly<Record<string, unknown>>;
  readonly mode: number;
}

function parsed(file: string, faults: string[]): TomlFile {
  try {
    const { text, mode } = readWithMode(file);
    return { members: parse(text), mode };
  } catch (error) {
    const { message } = error as Error;
    // Below the first line the library shows that of the file, which may hold a secret.
    const what = error instanceof TomlError ? `line ${error.line}: ${message.split('\n')[0]}` : message;
    faults.push(`COUNTERSIGN_CONFIG=${JSON.stringify(file)}: cannot be read: ${what}`);
    return { members: {}, mode: 0 };
  }
}
