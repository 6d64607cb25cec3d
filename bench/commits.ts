/** How many commits the embedded store makes on this disk, and how long they hold the event loop. */
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { openSqlite } from '../src/store/sqlite/sqliteStore.ts';
import { get, run, type Store } from '../src/store/store.ts';
import type { Options } from './options.ts';
import { median, percentile, type Target } from './report.ts';

const WRITERS = 64;
/** What a request does besides: parsing, signatures. */
const WORK_MS = 0.15;
/** A row of an intent has about as much. */
const BODY = 'x'.repeat(1500);

interface Round {
  readonly scripts: number;
  readonly commits: number;
  readonly writeMs: readonly number[];
  /** In milliseconds. */
  readonly held: { readonly mean: number; readonly p99: number; readonly most: number };
}

export async function measureCommits(options: Options, folder: string): Promise<Target[]> {
  const rounds: Round[] = [];
  for (const writers of [1, WRITERS]) {
    for (let round = 0; round < options.rounds; round++) {
      const measured = await runRound(join(folder, `commits-${writers}-${round}.db`), writers, options.seconds);
      console.log(lineOf(writers, measured, options.seconds));
      if (writers === WRITERS) rounds.push(measured);
    }
  }
  const held = rounds.map((round) => round.held.p99);
  const name = `the event loop's delay beside ${WRITERS} writers, 99th percentile, ms`;
  return [{ name, figure: median(held), target: 20, better: 'lower', rounds: held }];
}

async function runRound(file: string, writers: number, seconds: number): Promise<Round> {
  const store = openSqlite(file, Date.now);
  await store.write('t', () => run('CREATE TABLE rows (id BIGINT PRIMARY KEY, body TEXT, found BIGINT)'));
  const before = store.stats();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const writeMs: number[] = [];
  const end = performance.now() + seconds * 1000;
  delay.enable();
  await Promise.all(Array.from({ length: writers }, (_, first) => writeUntil(store, { first, writers, end }, writeMs)));
  delay.disable();
  const { commits, scripts } = store.stats();
  await store.close();
  const held = { mean: delay.mean / 1e6, p99: delay.percentile(99) / 1e6, most: delay.max / 1e6 };
  return { scripts: scripts - before.scripts, commits: commits - before.commits, writeMs, held };
}

async function writeUntil(
  store: Store,
  { first, writers, end }: { readonly first: number; readonly writers: number; readonly end: number },
  writeMs: number[],
): Promise<void> {
  for (let id = first; performance.now() < end; id += writers) {
    const started = performance.now();
    await store.write('t', function* () {
      const found = yield* get<{ id: number }>('SELECT id FROM rows WHERE id = ?', id - writers);
      yield* run('INSERT INTO rows (id, body, found) VALUES (?, ?, ?)', id, BODY, found?.id ?? null);
    });
    writeMs.push(performance.now() - started);
    // As requests come: each in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve));
    const until = performance.now() + WORK_MS;
    while (performance.now() < until);
  }
}

function lineOf(writers: number, { scripts, commits, writeMs, held }: Round, seconds: number): string {
  const ms = (value: number) => value.toFixed(2);
  return (
    `${writers} writers: ${(scripts / seconds).toFixed(0)} scripts and ${(commits / seconds).toFixed(0)} commits a second; ` +
    `a write takes ${ms(median(writeMs))} ms, 99th percentile ${ms(percentile(writeMs, 99))}; the loop is late by ` +
    `${ms(held.mean)} ms on average, 99th percentile ${ms(held.p99)}, ${ms(held.most)} at most`
  );
}
