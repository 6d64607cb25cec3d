/** The command line as a child process, for tests: what it prints, and how it ends. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Loose } from './world.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What was printed, as JSON. */
  json(): Loose;
}

/** Runs `countersign` to its end. */
export async function countersign(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const options = { env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...env }, maxBuffer: 64 * 1024 * 1024 };
  const main = await program();
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr, json: () => JSON.parse(stdout) }),
    );
  });
}

let built: Promise<string> | undefined;

/**
 * The program as one JavaScript file, made once for a test file that starts it many times: the sources would be
 * compiled anew at each start. It lies as deep below the package as the sources do, which find their files from there.
 */
export function program(): Promise<string> {
  built ??= bundle();
  return built;
}

async function bundle(): Promise<string> {
  mkdirSync('dist', { recursive: true });
  const folder = mkdtempSync(join('dist', 'test-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = resolve(folder, 'main.js');
  const sources = { entryPoints: ['src/main.ts'], bundle: true, outfile, logLevel: 'error' as const };
  await build({ ...sources, platform: 'node', format: 'esm', target: 'node20', packages: 'external' });
  return outfile;
}
