/** Simulated worlds (docs/explanation/simulation.md): the same seed is the same world, recorded seeds hold, and so do fresh ones. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rounds } from '../support/rounds.ts';
import { LEFT_OUT } from './mutants/calm.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'scripts', 'simulate.mjs');
const FRESH_MINUTES = rounds(20, 1);
const run = promisify(execFile);

interface Recorded {
  readonly seed: string;
  readonly steps: number;
  readonly without?: readonly string[];
  readonly story: string;
}

describe('a simulated world', () => {
  /** @returns what was printed; rejects where an invariant is violated, with the story in its message */
  async function play(...args: readonly string[]): Promise<string> {
    try {
      const { stdout } = await run(process.execPath, [PROGRAM, ...args], { maxBuffer: 2 ** 28 });
      return stdout;
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      throw new Error(`${stdout}\n${stderr}`.slice(-8000));
    }
  }

  /** Whether its invariants hold does not matter here. */
  async function traceOf(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [PROGRAM, ...args, '--json'], { maxBuffer: 2 ** 28 }).catch(
      (error: { readonly stdout: string }) => error,
    );
    return (JSON.parse(stdout) as { readonly trace: string }).trace;
  }

  test('is the same one when its seed is played again, and another one for another seed', async () => {
    const [first, again, other] = await Promise.all([
      traceOf('--seed', 'twice', '--steps', '3000'),
      traceOf('--seed', 'twice', '--steps', '3000'),
      traceOf('--seed', 'once', '--steps', '3000'),
    ]);
    assert.equal(first, again);
    assert.notEqual(first, other);
  });

  test('has no trace of a fault that is left out', async () => {
    const played = JSON.parse(await play('--seed', '7', '--steps', '3000', '--without', 'clock', '--json'));
    assert.equal(played.faults['clock jump'], undefined);
    assert.ok(played.faults.crash > 0, JSON.stringify(played.faults));
  });

  test('has people who approve and agents who buy at every gate', async () => {
    const { people, tasks, tools, sockets, gates } = LEFT_OUT;
    const left = people.filter((part) => [tasks, tools, sockets, gates].every((list) => list.includes(part))).join(',');
    const { answers } = JSON.parse(await play('--seed', 'company3', '--steps', '9000', '--without', left, '--json'));
    const done = ['completeEnrollment 200', 'completeDecision 200', 'purchaseCart 200', 'mandatePayment 200'];
    for (const call of done) assert.ok(answers[call] > 0, `${call}: ${JSON.stringify(answers)}`);
  });

  test('an invalid number of steps is refused with what would be right', async () => {
    await assert.rejects(play('--seed', '7', '--steps', 'many'), /--steps many: give a number above 0/);
  });

  const recorded = JSON.parse(readFileSync(join(ROOT, 'test/simulation/seeds.json'), 'utf8')) as Recorded[];
  for (const { seed, steps, without = [], story } of recorded) {
    test(`holds: ${story}`, async () => {
      const left = without.length === 0 ? [] : ['--without', without.join(',')];
      await play('--seed', seed, '--steps', String(steps), ...left);
    });
  }

  test(`holds for ${FRESH_MINUTES} min of fresh seeds`, { timeout: (FRESH_MINUTES + 10) * 60_000 }, async (t) => {
    const output = await play('--minutes', String(FRESH_MINUTES), '--steps', '8000');
    for (const line of output.split('\n').filter((each) => each.startsWith('seed '))) t.diagnostic(line);
    // The figure for docs/explanation/reliability.md is noted by what was run.
    const measured = output.trimEnd().split('\n').at(-1) ?? '';
    assert.match(measured, /every invariant held$/);
  });
});
