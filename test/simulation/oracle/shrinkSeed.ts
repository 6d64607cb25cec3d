/**
 * `npm run simulate:shrink -- --seed 7 --steps 20000`: makes a failing world small, prints its story, and records it in seeds.json, from
 * where the tests play it from then on. Exit code 1 where the world does not fail.
 *   --without PARTS   what is left out from the beginning, with commas between
 *   --plays N         plays the world so often at most, 60 unless given
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ALL_PARTS } from '../mutants/calm.ts';
import type { Played } from '../playWorld.ts';
import { type Outcome, type Plan, shrink } from './shrink.ts';

const RECORD = join('test', 'simulation', 'seeds.json');

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string', default: '20000' },
    without: { type: 'string', default: '' },
    plays: { type: 'string', default: '60' },
  },
});
if (options.seed === undefined) throw new Error('Name the world: --seed TEXT.');
const plan: Plan = {
  seed: options.seed,
  steps: Number(options.steps),
  without: options.without.split(',').filter((part) => part !== ''),
};
const small = await shrink(plan, { play, parts: ALL_PARTS, mostPlays: Number(options.plays) });
if (small === undefined) {
  console.log(`Seed ${plan.seed} with ${plan.steps} steps violates nothing.`);
  process.exitCode = 1;
} else {
  console.log(await output(small.plan, []));
  const { invariant, sentence } = small.violation;
  record({ ...small.plan, story: `${invariant}: ${sentence}` });
  console.log(`Recorded in ${RECORD} after ${small.plays} plays; put its story there into your own words.`);
}

async function play(tried: Plan): Promise<Outcome> {
  const text = await output(tried, ['--json']);
  if (text === '') throw new Error(`Seed ${tried.seed} could not be played.`);
  const { violations, violatedAt } = JSON.parse(text) as Pick<Played, 'violations' | 'violatedAt'>;
  return { violations, violatedAt };
}

function output({ seed, steps, without }: Plan, more: readonly string[]): Promise<string> {
  const left = without.length === 0 ? [] : ['--without', without.join(',')];
  const args = ['scripts/simulate.mjs', '--seed', seed, '--steps', String(steps), ...left, ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((done) => child.on('close', () => done(text)));
}

function record(found: Plan & { readonly story: string }): void {
  const known = JSON.parse(readFileSync(RECORD, 'utf8')) as unknown[];
  writeFileSync(RECORD, `${JSON.stringify([...known, found], null, 2)}\n`);
}
