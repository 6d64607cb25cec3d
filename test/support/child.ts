/** A node in a process of its own, as a user starts it, which can be killed without warning. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { startOptions } from '../../scripts/startOptions.mjs';

export interface ChildNode {
  readonly address: string;
  readonly pid: number;
  /** Everything it printed. */
  output(): string;
  /** SIGKILL: nothing is finished, nothing is closed. */
  kill(): Promise<void>;
  /** SIGSTOP: the process halts where it is, until it is woken. */
  halt(): void;
  wake(): void;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
  /** The exit code, once it ends by itself. */
  ended(): Promise<number | null>;
}

/** Starts `countersign serve` and resolves once it is ready. */
export async function startChild(env: Record<string, string>): Promise<ChildNode> {
  const port = env.PORT ?? String(await freePort());
  const child = spawn(process.execPath, [...startOptions('.'), 'bin/countersign.js', 'serve'], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...env, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const address = `http://127.0.0.1:${port}`;
  await ready(child, address, () => output);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    address,
    pid: child.pid ?? 0,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    halt: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
    ended: () => exited,
  };
}

async function ready(child: ChildProcess, address: string, output: () => string): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 25) {
    if (child.exitCode !== null) throw new Error(`the node exited with ${child.exitCode}:\n${output()}`);
    const response = await fetch(`${address}/readyz`).catch(() => undefined);
    // It answers before its greeting, which has the first key, is read here.
    if (response?.status === 200 && output().includes('Stop with Ctrl-C.')) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  child.kill('SIGKILL');
  throw new Error(`the node was not ready within 30 s:\n${output()}`);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
