/** Logs in at a node and out again, and lists the nodes that this user is logged in at. */
import { text } from 'node:stream/consumers';
import { countersign } from '../../../client/rest.ts';
import { WrongUse } from '../commandFailure.ts';
import { columns } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { isWebAddress } from '../target/targetOptions.ts';
import { explained } from '../target/withTarget.ts';
import { logInByBrowser } from './browserLogin.ts';
import { accessTokenOf } from './keptLogin.ts';
import { forgetProfile, keepProfile, profilePath, readProfile, readProfiles } from './profileFile.ts';

interface LogInOptions {
  readonly url: string;
  readonly profile: string;
  readonly withKey?: boolean;
  readonly browser: boolean;
  readonly json?: boolean;
}

export async function logIn(env: NodeJS.ProcessEnv, options: LogInOptions): Promise<void> {
  const { profile: name, withKey = false } = options;
  if (!/^[\w.-]{1,64}$/.test(name)) throw new WrongUse('A profile is named by letters, digits, and . _ - between.');
  if (!isWebAddress(options.url))
    throw new WrongUse(`"${options.url}" is not an address; one looks like http://localhost:8402.`);
  const url = options.url.replace(/\/+$/, '');
  const secret = withKey ? await readKey(url) : JSON.stringify(await bySession(url, options));
  const kept = keepProfile(env, name, { url, kind: withKey ? 'key' : 'login' }, secret);
  const place = kept === 'keyring' ? 'in the system’s keyring' : `in ${profilePath(env)}, which you alone may read`;
  const told =
    `Logged in at ${url}. The ${withKey ? 'key' : 'login'} is kept ${place}.\n` +
    `Use it with --profile ${name}, or for every command: export COUNTERSIGN_PROFILE=${name}`;
  print(options, { profile: name, url, kept }, told);
}

async function bySession(url: string, { browser, json = false }: LogInOptions) {
  const show = (address: string) =>
    console.error(`Open this address in a browser on this computer, and allow it there:\n\n  ${address}\n`);
  return logInByBrowser(url, show, browser && !json && process.stdout.isTTY === true);
}

/** A key is read from standard input: among a command's words other users of the machine would see it. */
async function readKey(url: string): Promise<string> {
  if (process.stdin.isTTY === true) console.error('Paste the key, then press Enter and Ctrl-D:');
  const key = (await text(process.stdin)).trim();
  if (!/^ak_(test|live)_\w{32}$/.test(key))
    throw new WrongUse('A key begins with ak_test_ or ak_live_; give it on standard input.');
  try {
    await countersign({ baseUrl: url, credential: { apiKey: key }, attempts: 1 }).currentUser({});
  } catch (error) {
    throw explained(error, url);
  }
  return key;
}

interface LogOutOptions {
  readonly profile: string;
  readonly json?: boolean;
}

/** Ends the login at the node, and forgets it here in any case. A key stays valid: others may use it. */
export async function logOut(env: NodeJS.ProcessEnv, options: LogOutOptions): Promise<void> {
  const { profile: name } = options;
  const { url, kind } = readProfile(env, name);
  try {
    if (kind === 'login') {
      const apiKey = await accessTokenOf(env, name);
      await countersign({ baseUrl: url, credential: { apiKey }, attempts: 1 }).logout({});
    }
  } catch (error) {
    throw explained(error, url);
  } finally {
    forgetProfile(env, name);
  }
  print(options, { profile: name, url }, `Logged out at ${url}; the profile ${name} is forgotten here.`);
}

export function listProfiles(env: NodeJS.ProcessEnv, options: { readonly json?: boolean }): void {
  const profiles = Object.entries(readProfiles(env)).map(([name, { url, kind, secret }]) => {
    return { name, url, kind, kept: secret === undefined ? 'keyring' : 'file' };
  });
  const rows = profiles.map(({ name, url, kind, kept }) => [name, url, kind, kept]);
  const text = columns(['PROFILE', 'NODE', 'BY', 'KEPT'], rows);
  print(options, { profiles }, rows.length === 0 ? 'You are logged in nowhere; begin with countersign login.' : text);
}
