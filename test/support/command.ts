/** The command line as a child process, for tests: what it prints, and how it ends. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Loose } from './world.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What was printed, as JSON. */
  json(): Loose;
}

/** What a user starts. */
export const PROGRAM = resolve('bin/countersign.js');

/** Runs `countersign` to its end. */
export function countersign(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const options = { env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...env }, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr, json: () => JSON.parse(stdout) }),
    );
  });
}
