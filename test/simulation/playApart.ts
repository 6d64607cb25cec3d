/** Plays worlds in a process of their own, as `npm run simulate` does, for tests. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Played } from './playWorld.ts';

const PROGRAM = join(fileURLToPath(new URL('../..', import.meta.url)), 'scripts', 'simulate.mjs');
const run = promisify(execFile);

/**
 * @param args of `npm run simulate`
 * @returns what was printed, and with `--json` what came of the world, whether its invariants hold or not
 * @throws Error with what was printed where nothing could be played
 */
export async function playApart(...args: readonly string[]): Promise<{ output: string; played: Played | undefined }> {
  const { stdout, stderr } = await run(process.execPath, [PROGRAM, ...args], { maxBuffer: 2 ** 28 }).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  );
  if (stdout === '') throw new Error(stderr.slice(-8000));
  return { output: stdout, played: args.includes('--json') ? (JSON.parse(stdout) as Played) : undefined };
}
