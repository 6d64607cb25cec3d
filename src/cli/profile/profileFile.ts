/** Profiles of the command line: nodes by name, each with how it is let in, in a file that its user alone may read. */
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
export type Profiles = z.infer<typeof Profiles>['profiles'];

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
export function writeProfiles(env: NodeJS.ProcessEnv, profiles: Profiles): void {
  const file = profilePath(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify({ profiles }, undefined, 2)}\n`, { mode: 0o600 });
  // A file that was left by a command of the same number keeps its mode.
  chmodSync(next, 0o600);
  renameSync(next, file);
}
