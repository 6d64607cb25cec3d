/** Days of a simulated year (docs/explanation/simulation.md): a change of clocks and a rotation of every kind of key, and all invariants hold. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rounds } from '../support/rounds.ts';
import type { Played } from './playWorld.ts';
import { busyness, deedsOf, hoursOf, YEAR_DAYS } from './year/calendar.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DAYS = rounds(31, 4);
const PURCHASES = rounds(1000, 24);
const run = promisify(execFile);

/** @returns what came of it; rejects where an invariant is violated, with the story in its message */
async function play(days: number, purchases: number, seed: string): Promise<Played> {
  const args = ['--seed', seed, '--days', String(days), '--purchases', String(purchases), '--json'];
  try {
    const { stdout } = await run(process.execPath, [join(ROOT, 'scripts', 'simulate.mjs'), ...args], {
      maxBuffer: 2 ** 28,
    });
    return JSON.parse(stdout) as Played;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${stdout}\n${stderr}`.slice(-8000));
  }
}

describe('simulated days', () => {
  test(`hold for ${DAYS} days, in which clocks change and every key is replaced`, { timeout: 3_600_000 }, async (t) => {
    const { done, answers, hours } = await play(DAYS, PURCHASES, 'days');
    t.diagnostic(JSON.stringify(done));
    const count = (what: string) => done[what] ?? 0;
    assert.ok(hours > 24 * DAYS - 1, `${hours} h`);
    assert.ok(count('payments authorized') > 0.8 * PURCHASES * DAYS, 'purchases are really made');
    for (const what of ['payments: capture', 'payments: cancel', 'payments: refund', 'payments left alone']) {
      assert.ok(count(what) > 0, what);
    }
    assert.ok(count('refused: TIME_WINDOW_VIOLATED') > 0, 'hours of the night are refused by local time');
    assert.equal(count('quarters beside a change of clocks') % 20, 0);
    assert.ok(count('quarters beside a change of clocks') > 0);
    for (const what of ['issuer', 'agent', 'merchant']) {
      assert.ok(count(`${what} keys rotated`) + count(`${what} keys replaced`) > 0, what);
    }
    assert.ok(count('API keys replaced') > 0 && count('forgeries by a retired key') > 0);
    assert.ok(count('purchases carried over a rotation') > 0, 'what was begun before a rotation is paid after it');
    assert.equal(answers['proveConsistency 200'], count('old checkpoints proven'));
    assert.equal(answers['proveInclusion 200'], count('old events proven'));
  });
});

test('a year has purchases on nearly every day, and ten times as many on one', () => {
  const dice = { fraction: () => 0.5 } as Parameters<typeof hoursOf>[2];
  const days = Array.from({ length: YEAR_DAYS }, (_, day) =>
    hoursOf(day, 1000, dice).reduce((sum, count) => sum + count, 0),
  );
  assert.equal(days.filter((count) => count === 0).length, 3);
  assert.equal(days.filter((count) => count > 5000).length, 1);
  const mean = days.reduce((sum, count) => sum + count, 0) / YEAR_DAYS;
  assert.ok(mean > 1000 && mean < 1100, `${mean} a day`);
  assert.ok(days.every((_, day) => busyness(day) >= 0));
});

test('a year has a deed of each kind, and several rotations of the issuer’s key', () => {
  const deeds = Array.from({ length: YEAR_DAYS }, (_, day) => deedsOf(day)).flat();
  assert.equal(new Set(deeds).size, 8);
  assert.equal(deeds.filter((deed) => deed === 'issuerKey').length, 9);
});
