/** Runs commands in this process, for tests that need no process of their own: what is printed, and the exit code. */
import { runProgram } from '../../src/cli/program.ts';
import type { Ended } from '../support/command.ts';

let queue: Promise<unknown> = Promise.resolve();

/** Runs `countersign` to its end. Commands that are started at once run one after another. */
export function runHere(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const run = queue.then(() => capture(words, { LOG_LEVEL: 'silent', ...env }));
  queue = run;
  return run;
}

async function capture(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const { log, error } = console;
  const before = process.exitCode;
  let stdout = '';
  let stderr = '';
  console.log = (text: string) => (stdout += `${text}\n`);
  console.error = (text: string) => (stderr += `${text}\n`);
  process.exitCode = undefined;
  try {
    await runProgram(words, env);
    return { code: Number(process.exitCode ?? 0), stdout, stderr, json: () => JSON.parse(stdout) };
  } finally {
    Object.assign(console, { log, error });
    process.exitCode = before;
  }
}
