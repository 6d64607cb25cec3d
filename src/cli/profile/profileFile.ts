/** Profiles of the command line: nodes by name in a file that its user alone may read, and their secrets in the system's keyring where there is one. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { WrongUse } from '../commandFailure.ts';

const Profile = z.object({
  /** Without a trailing slash. */
  url: z.string(),
  /** A key of the node, or a person's login. */
  kind: z.enum(['key', 'login']),
  /** Undefined where the system's keyring keeps it. */
  secret: z.string().optional(),
});
export type Profile = z.infer<typeof Profile>;

const Profiles = z.object({ profiles: z.record(z.string(), Profile) });
type Profiles = z.infer<typeof Profiles>['profiles'];

/** By the XDG Base Directory Specification. */
export function profilePath(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'countersign', 'profiles.json');
}

/** @throws WrongUse for a file that was written by something else */
export function readProfiles(env: NodeJS.ProcessEnv): Profiles {
  const file = profilePath(env);
  if (!existsSync(file)) return {};
  try {
    return Profiles.parse(JSON.parse(readFileSync(file, 'utf8'))).profiles;
  } catch {
    throw new WrongUse(`${file} is not a file of profiles; move it away, and log in again.`);
  }
}

/** As a whole or not at all: a command that ends meanwhile leaves the former one. */
function writeProfiles(env: NodeJS.ProcessEnv, profiles: Profiles): void {
  const file = profilePath(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify({ profiles }, undefined, 2)}\n`, { mode: 0o600 });
  // A file that was left by a command of the same number keeps its mode.
  chmodSync(next, 0o600);
  renameSync(next, file);
}

interface Keyring {
  /** @returns false where the keyring is locked, or is not there */
  put(name: string, secret: string): boolean;
  get(name: string): string | undefined;
  remove(name: string): void;
}

/** A person may have to unlock it. */
const PATIENCE_MS = 60_000;

/** @param platform as Node names it @returns undefined on a system for which none is known */
export function systemKeyring(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Keyring | undefined {
  const run = (program: string, args: readonly string[], input = '') => {
    const { status, stdout } = spawnSync(program, args, { env, input, encoding: 'utf8', timeout: PATIENCE_MS });
    return status === 0 ? stdout : undefined;
  };
  if (platform === 'linux') return secretService(run);
  return platform === 'darwin' ? keychain(run) : undefined;
}

/** @returns what the program printed; undefined where it failed, or is not installed */
type Run = (program: string, args: readonly string[], input?: string) => string | undefined;

/** The Secret Service of freedesktop.org, by libsecret's program. */
function secretService(run: Run): Keyring {
  const attributes = (name: string) => ['service', 'countersign', 'profile', name];
  return {
    put: (name, secret) =>
      run('secret-tool', ['store', `--label=Countersign (${name})`, ...attributes(name)], secret) !== undefined,
    get: (name) => run('secret-tool', ['lookup', ...attributes(name)])?.trim() || undefined,
    remove: (name) => void run('secret-tool', ['clear', ...attributes(name)]),
  };
}

/** The keychain of macOS. Commands on its standard input are words with quotes, so the secret is one without any. */
function keychain(run: Run): Keyring {
  const item = (name: string) => ['-s', 'countersign', '-a', name];
  const encoded = (secret: string) => Buffer.from(secret).toString('base64url');
  return {
    put: (name, secret) =>
      run('security', ['-i'], `add-generic-password -U ${item(name).join(' ')} -w ${encoded(secret)}\n`) !== undefined,
    get(name) {
      const found = run('security', ['find-generic-password', ...item(name), '-w'])?.trim();
      return found === undefined || found === '' ? undefined : Buffer.from(found, 'base64url').toString();
    },
    remove: (name) => void run('security', ['delete-generic-password', ...item(name)]),
  };
}

/** @returns where it is kept */
export function keepProfile(
  env: NodeJS.ProcessEnv,
  name: string,
  profile: Omit<Profile, 'secret'>,
  secret: string,
): 'keyring' | 'file' {
  const isInKeyring = systemKeyring(env)?.put(name, secret) ?? false;
  const kept = isInKeyring ? profile : { ...profile, secret };
  writeProfiles(env, { ...readProfiles(env), [name]: kept });
  return isInKeyring ? 'keyring' : 'file';
}

/** @throws WrongUse for a profile that is not there, or whose secret the keyring does not give */
export function readProfile(env: NodeJS.ProcessEnv, name: string): Profile & { readonly secret: string } {
  const profiles = readProfiles(env);
  // Some names are members of every object.
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined)
    throw new WrongUse(
      `There is no profile "${name}"${named(profiles)}; make it with countersign login --profile ${name}.`,
    );
  const secret = profile.secret ?? systemKeyring(env)?.get(name);
  if (secret === undefined) {
    throw new WrongUse(
      `The keyring does not give the secret of "${name}"; unlock it, or run countersign login --profile ${name}.`,
    );
  }
  return { ...profile, secret };
}

export function forgetProfile(env: NodeJS.ProcessEnv, name: string): void {
  const { [name]: gone, ...others } = readProfiles(env);
  if (gone !== undefined && gone.secret === undefined) systemKeyring(env)?.remove(name);
  writeProfiles(env, others);
}

function named(profiles: Profiles): string {
  const names = Object.keys(profiles);
  return names.length === 0 ? '' : `, but ${names.join(', ')}`;
}
