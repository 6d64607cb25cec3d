/** The system's keyring, by the program that each system has for it; secrets go through its standard input, where no list of processes shows them. */
import { spawnSync } from 'node:child_process';

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
