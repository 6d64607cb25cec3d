/** A node from its start to its first answer, by the millisecond. */
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/support/child.ts';

interface TimedStart {
  readonly milliseconds: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** @param command that serves, such as the binary and `serve` */
export async function startTimed(
  [program = '', ...args]: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<TimedStart> {
  const port = await freePort();
  const env = { PATH: '', PORT: String(port), LOG_LEVEL: 'error', ...settings };
  const started = performance.now();
  const child = spawn(program, args, { env, stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`${program} exited with ${child.exitCode}`);
    await pause(2);
  }
  const milliseconds = performance.now() - started;
  return {
    milliseconds,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('error', () => resolve(false)).end();
  });
}
