/**
 * Starts this program once more beside itself, in a thread or in a process: from its sources, from its bundle, or from the
 * single binary. There src/main.ts sees that it is not the first (isFirst.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { getAsset } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { isBinary } from './assets.ts';
import { BESIDE, type BesideWork } from './isFirst.ts';

/** The file of the program in a bundle, which the bundle itself says; there is none in the sources. */
declare const bundledProgram: string | undefined;

export function startThread(work: BesideWork): Worker {
  const env = environment(work);
  if (isBinary) return new Worker(getAsset('entry.cjs', 'utf8'), { eval: true, env });
  const { file, execArgv } = program();
  return new Worker(new URL(file), { execArgv, env });
}

/** The process can be sent messages. Its heap is bounded as this one's. */
export function startProcess(work: BesideWork): ChildProcess {
  return spawn(process.execPath, isBinary ? [] : argumentsOf(program()), {
    env: environment(work),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** What finds programs, libraries and folders, and says how text and time are written: the secrets stay with the first. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'CACHE_DIRECTORY',
  'DATA_DIR',
  'LANG',
  'TZ',
  'NODE_OPTIONS',
  'NODE_ENV',
  'SystemRoot',
];

export function environment(work: BesideWork): NodeJS.ProcessEnv {
  const passed = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(passed), [BESIDE]: work };
}

/** Options that bound a heap. Threads have those of their process, and the binary holds its own. */
const HEAP_OPTION = /^--(?:(?:max|min)-(?:semi|old)-space-size|heap-growing-percent)=/;

function argumentsOf({ file, execArgv }: Program): string[] {
  return [...process.execArgv.filter((option) => HEAP_OPTION.test(option)), ...execArgv, fileURLToPath(file)];
}

interface Program {
  readonly file: string;
  /** What Node must be told to run it. */
  readonly execArgv: string[];
}

function program(): Program {
  if (typeof bundledProgram !== 'undefined') return { file: bundledProgram, execArgv: [] };
  return { file: new URL('../main.ts', import.meta.url).href, execArgv: ['--import', 'tsx'] };
}
