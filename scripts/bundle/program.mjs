// Finds the program of a checkout as JavaScript: a folder in dist/ for each state of the sources, built when it is first
// asked for. A folder appears whole and never changes, so programs can start while another one builds.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stampOf } from './sourceStamp.mjs';

/** The folders in dist/ begin so. */
export const PROGRAM_PREFIX = 'program-';

/** How buildProgram.mjs ends where nothing can be built: esbuild is not installed, or dist/ cannot be written. */
export const CANNOT_BUILD = 3;

/**
 * @param root of the package
 * @returns the file that runs the program, built if need be; undefined where it cannot be built
 */
export function findProgram(root) {
  const folder = join(root, 'dist', PROGRAM_PREFIX + stampOf(root));
  const file = join(folder, 'main.js');
  if (existsSync(file)) return file;
  // In a process of its own: neither the compiler nor what it loads stays in the program.
  const builder = fileURLToPath(new URL('buildProgram.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [builder, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === CANNOT_BUILD) return undefined;
  if (status !== 0) process.exit(1);
  return file;
}

/** Runs the program in this process: its bundle, or its sources by tsx where there is no way to build one. */
export async function runProgram(root) {
  const file = findProgram(root);
  if (file !== undefined) return import(pathToFileURL(file).href);
  const { register } = await import('tsx/esm/api');
  register();
  return import(pathToFileURL(join(root, 'src', 'main.ts')).href);
}
