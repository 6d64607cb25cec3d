/** The time from starting the single binary to its first answer, beside Node doing nothing; its size and idle memory. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/child.ts';
import type { Options } from './options.ts';
import { median, type Target } from './report.ts';
import { LOAD_CORE, memoryOf, pinSelf, SERVER_CORE } from './server.ts';

const STARTS_A_ROUND = 5;
const TARGET_MS = 250;
const MOST_IDLE_MIB = 110;
/** After its start a node is left alone for this long before its memory is looked at. */
const IDLE_SECONDS = 5;

export async function measureStart(options: Options, folder: string): Promise<Target[]> {
  // A start uses every core it is given.
  pinSelf(`${SERVER_CORE},${LOAD_CORE}`);
  execFileSync(process.execPath, ['scripts/binary/build.mjs', '--out', folder], { stdio: 'ignore' });
  const binary = join(folder, 'countersign');
  const [floors, firsts, rounds]: [number[], number[], number[]] = [[], [], []];
  let idle = Number.NaN;
  for (let round = 0; round < options.rounds; round++) {
    const times: number[] = [];
    for (let start = 0; start < STARTS_A_ROUND; start++) {
      floors.push(await timeNothing());
      const dataDir = join(folder, `node-${round}-${start}`);
      mkdirSync(dataDir, { mode: 0o700 });
      firsts.push((await timeStart(binary, dataDir, 0)).milliseconds);
      const isLast = round === options.rounds - 1 && start === STARTS_A_ROUND - 1;
      const { milliseconds, residentMib } = await timeStart(binary, dataDir, isLast ? IDLE_SECONDS : 0);
      times.push(milliseconds);
      if (isLast) idle = residentMib;
    }
    rounds.push(median(times));
  }
  pinSelf();
  const text = (times: readonly number[]) => `${median(times).toFixed(0)} ms`;
  console.log(`${(statSync(binary).size / 2 ** 20).toFixed(1)} MiB, idle ${idle.toFixed(0)} MiB resident`);
  console.log(`first answer of /readyz: ${text(rounds)}; with a database to make: ${text(firsts)}`);
  console.log(`node -e 0, the floor: ${text(floors)}`);
  return [
    { name: 'start, ms', figure: median(rounds), target: TARGET_MS, better: 'lower', rounds },
    { name: 'idle, MiB', figure: idle, target: MOST_IDLE_MIB, better: 'lower', rounds: [idle] },
  ];
}

async function timeNothing(): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - started;
}

async function timeStart(
  binary: string,
  dataDir: string,
  idleSeconds: number,
): Promise<{ milliseconds: number; residentMib: number }> {
  const port = await freePort();
  const env = { PATH: '', DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' };
  const started = performance.now();
  const child = spawn(binary, ['serve'], { env, stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`the binary exited with ${child.exitCode}`);
    await pause(2);
  }
  const milliseconds = performance.now() - started;
  await pause(idleSeconds * 1000);
  const residentMib = memoryOf(child.pid as number, 'VmRSS');
  child.kill('SIGTERM');
  await exited;
  return { milliseconds, residentMib };
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
