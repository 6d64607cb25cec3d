/** A server in a process of its own, pinned to one core where that can be done, with what it costs. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { freePort } from '../test/support/child.ts';

/** Servers run on the first core and load generators on the second, so that neither takes time from the other. */
export const SERVER_CORE = '0';
export const LOAD_CORE = '1';
const TICKS_PER_SECOND = 100;

export interface Server {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Processor time used so far, all threads, in seconds. */
  cpuSeconds(): number;
  /** Peak resident memory so far, in MiB. */
  peakMib(): number;
  /** Resident memory, in MiB. */
  residentMib(): number;
  /** SIGTERM, then waits for the end. */
  stop(): Promise<void>;
}

export const canPin: boolean = (() => {
  try {
    execFileSync('taskset', ['-c', `${SERVER_CORE},${LOAD_CORE}`, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Leaves this process, and the generators it starts, to the second core, or to those that are named. */
export function pinSelf(cores: string = LOAD_CORE): void {
  if (canPin) execFileSync('taskset', ['-a', '-cp', cores, String(process.pid)], { stdio: 'ignore' });
}

/**
 * Starts `node ...args` and waits for its /readyz.
 * @param cores that it runs on; both of them it shares with the load
 * @throws Error with its output when it is not ready within 30 s
 */
export async function startServer(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cores: string = SERVER_CORE,
): Promise<Server> {
  const port = await freePort();
  const profile =
    process.env['BENCH_PROFILE'] === name
      ? ['--cpu-prof', '--cpu-prof-dir=/tmp/bench-profile', '--cpu-prof-interval=500']
      : [];
  const command = [process.execPath, ...profile, ...args];
  const pinned = canPin ? ['taskset', '-c', cores, ...command] : command;
  const child = spawn(pinned[0] as string, pinned.slice(1), {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', NODE_ENV: 'production', ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = `http://127.0.0.1:${port}`;
  await ready(name, child, address, () => output);
  return {
    name,
    address,
    port,
    cpuSeconds: () => cpuSecondsOf(child.pid as number),
    peakMib: () => memoryOf(child.pid as number, 'VmHWM'),
    residentMib: () => memoryOf(child.pid as number, 'VmRSS'),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function ready(name: string, child: ChildProcess, address: string, output: () => string): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (child.exitCode !== null) throw new Error(`${name} exited with ${child.exitCode}:\n${output()}`);
    const response = await fetch(`${address}/readyz`).catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`${name} was not ready within 30 s:\n${output()}`);
}

/** @returns 0 once the process is gone, or where there is no /proc */
export function cpuSecondsOf(pid: number): number {
  try {
    // The command's name is in parentheses and may hold spaces; the fields after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** What the kernel says of a process's resident memory, now or at most so far, in MiB; NaN where there is no /proc. */
export function memoryOf(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  try {
    return Number(new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
