/** Loads a native addon of the single binary: the system loads libraries from files only, so it is laid on disk first. */
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBinaryAsset, readJsonAsset } from './assets.ts';
import { layFile } from './layFile.ts';

/** The folder of the addons among the assets, and of their hashes by name, which the build knows. */
const FOLDER = 'addon/';
const HASHES = `${FOLDER}hashes.json`;

/**
 * @param name of the file, such as `better_sqlite3.node`
 * @returns what the addon exports
 * @throws Error that names every folder that was tried and why it would not do
 */
export function loadAddon(name: string): object {
  return laidAddon(name).exports;
}

/** Where the file lies that the addon was loaded from, for a thread that loads it once more. */
export function addonFile(name: string): string {
  return laidAddon(name).file;
}

interface LaidAddon {
  readonly exports: object;
  readonly file: string;
}

const laid = new Map<string, LaidAddon>();

function laidAddon(name: string): LaidAddon {
  const addon = laid.get(name) ?? layAddon(name);
  laid.set(name, addon);
  return addon;
}

function layAddon(name: string): LaidAddon {
  const sha256 = (readJsonAsset(HASHES) as Record<string, string>)[name];
  if (sha256 === undefined) throw new Error(`The binary carries no ${name}.`);
  const carried = { name, sha256, read: () => readBinaryAsset(FOLDER + name) };
  const failures: string[] = [];
  for (const parent of candidates(process.env)) {
    try {
      const loaded: { exports: object } = { exports: {} };
      const file = layFile(parent, carried);
      process.dlopen(loaded, file);
      return { exports: loaded.exports, file };
    } catch (error) {
      failures.push(`  ${parent}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `No folder was found from which ${name} can be loaded:\n${failures.join('\n')}\n` +
      'Set TMPDIR to a folder of your own on a file system that is not mounted noexec.',
  );
}

/** Where a library may be laid, the best place first; a file system mounted noexec will not do, so there are several. */
function candidates(env: NodeJS.ProcessEnv): string[] {
  const places = [
    env['TMPDIR'],
    env['XDG_CACHE_HOME'],
    env['CACHE_DIRECTORY'],
    env['XDG_RUNTIME_DIR'],
    tmpdir(),
    '/var/tmp',
    '/dev/shm',
    homeCache(),
    env['DATA_DIR'],
  ];
  return [...new Set(places.filter((place): place is string => place !== undefined && place !== ''))];
}

/** A user whom the system has no name for, as container platforms choose one, has no home. */
function homeCache(): string | undefined {
  try {
    return join(homedir(), '.cache');
  } catch {
    return undefined;
  }
}
