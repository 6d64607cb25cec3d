/** The time from starting the single binary to its first answer, beside Node doing nothing; its size and idle memory. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Options } from './options.ts';
import { median, type Target } from './report.ts';
import { LOAD_CORE, memoryOf, pinSelf, SERVER_CORE } from './server.ts';
import { startTimed } from './timedStart.ts';

const STARTS_A_ROUND = 5;
const TARGET_MS = 250;
const MOST_IDLE_MIB = 110;
/**
 * After its start a node is left alone, and its memory is looked at twice: with all that the start left behind, and once V8 has
 * collected the heap of a node that does nothing, which is what it holds from then on and is judged by.
 */
const IDLE_SECONDS = [5, 15] as const;

/** One core's column is judged; with a gate in a thread, which is what a machine of more cores gets, it is told beside it. */
const JUDGED = '0';
const SETTINGS = [JUDGED, '1'] as const;

interface Starts {
  /** Milliseconds with a database that is there, a median for each round, and with one to make. */
  readonly rounds: number[];
  readonly firsts: number[];
  idleMib: readonly number[];
}

export async function measureStart(options: Options, folder: string): Promise<Target[]> {
  // A start uses every core it is given.
  pinSelf(`${SERVER_CORE},${LOAD_CORE}`);
  execFileSync(process.execPath, ['scripts/binary/build.mjs', '--out', folder], { stdio: 'ignore' });
  const binary = join(folder, 'countersign');
  const floors: number[] = [];
  const starts = new Map(SETTINGS.map((gates) => [gates as string, newStarts()]));
  for (let round = 0; round < options.rounds; round++) {
    for (const [gates, into] of starts) {
      await timeRound(binary, join(folder, `node-${round}-${gates}`), gates, into);
      floors.push(await timeNothing());
    }
  }
  for (const [gates, into] of starts)
    into.idleMib = await measureIdle(binary, join(folder, `node-0-${gates}-0`), gates);
  pinSelf();
  console.log(`${(statSync(binary).size / 2 ** 20).toFixed(1)} MiB; node -e 0, the floor: ${textOf(floors)}`);
  for (const [gates, { rounds, firsts, idleMib }] of starts) {
    const times = `first answer of /readyz ${textOf(rounds)}, with a database to make ${textOf(firsts)}`;
    const idle = IDLE_SECONDS.map((seconds, at) => `${idleMib[at]?.toFixed(0)} MiB after ${seconds} s`).join(', ');
    console.log(`GATES=${gates}: ${times}; resident when idle: ${idle}`);
  }
  const { rounds, idleMib } = starts.get(JUDGED) ?? newStarts();
  return [
    { name: 'start, ms', figure: median(rounds), target: TARGET_MS, better: 'lower', rounds },
    {
      name: 'idle, MiB',
      figure: idleMib.at(-1) ?? Number.NaN,
      target: MOST_IDLE_MIB,
      better: 'lower',
      rounds: idleMib,
    },
  ];
}

function newStarts(): Starts {
  return { rounds: [], firsts: [], idleMib: [] };
}

function textOf(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms`;
}

async function timeRound(binary: string, folder: string, gates: string, { rounds, firsts }: Starts): Promise<void> {
  const times: number[] = [];
  for (let start = 0; start < STARTS_A_ROUND; start++) {
    const dataDir = `${folder}-${start}`;
    mkdirSync(dataDir, { mode: 0o700 });
    firsts.push((await timeStart(binary, dataDir, gates)).milliseconds);
    times.push((await timeStart(binary, dataDir, gates)).milliseconds);
  }
  rounds.push(median(times));
}

async function measureIdle(binary: string, dataDir: string, gates: string): Promise<number[]> {
  return (await timeStart(binary, dataDir, gates, IDLE_SECONDS)).residentMib;
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
  gates: string,
  idleSeconds: readonly number[] = [],
): Promise<{ milliseconds: number; residentMib: number[] }> {
  const { milliseconds, pid, stop } = await startTimed([binary, 'serve'], { DATA_DIR: dataDir, GATES: gates });
  const residentMib: number[] = [];
  for (const [at, seconds] of idleSeconds.entries()) {
    await pause((seconds - (idleSeconds[at - 1] ?? 0)) * 1000);
    residentMib.push(memoryOf(pid, 'VmRSS'));
  }
  await stop();
  return { milliseconds, residentMib };
}
