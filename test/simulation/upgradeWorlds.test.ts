/** Upgrades in the midst of simulated worlds: nothing is lost by those that lose nothing, and one that loses rows is noticed. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ALL_PARTS } from './mutants/calm.ts';
import { playApart } from './playApart.ts';

const ACTORS = /^(agent|trickster|governor|outsider)/;
/** All faults but upgrades, so that only those can lose anything. */
const WITHOUT = ALL_PARTS.filter((part) => !ACTORS.test(part) && part !== 'upgrade').join(',');
/** What each engine takes for a life of some minutes. */
const STEPS = { sqlite: '9000', postgres: '14000' } as const;
const LOST_EVENT = [
  'an event of the chain',
  'DELETE FROM evidence WHERE seq = (SELECT MAX(seq) FROM evidence) / 2;',
  'I3',
] as const;
// On PostgreSQL no seed says whether anything was paid before the upgrade.
const LOSSES = { sqlite: [LOST_EVENT, ['payments', 'DELETE FROM payments;', 'I5']], postgres: [LOST_EVENT] } as const;

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`a simulated world on ${engine}`, () => {
    test('keeps all that was acknowledged through its upgrades', async () => {
      const world = ['--engine', engine, '--seed', 'up3', '--steps', STEPS[engine], '--without', WITHOUT];
      const { played } = await playApart('--json', ...world);
      assert.deepEqual(played?.violations, []);
      assert.ok(Number(played?.faults['upgrade']) > 0, JSON.stringify(played?.faults));
    });

    for (const [what, sql, invariant] of LOSSES[engine]) {
      test(`has an oracle that notices an upgrade that loses ${what}`, async (t) => {
        const folder = mkdtempSync(join(tmpdir(), 'countersign-migration-'));
        t.after(() => rmSync(folder, { recursive: true }));
        const file = join(folder, 'loss.sql');
        writeFileSync(file, sql);
        const world = ['--engine', engine, '--seed', 'up3', '--steps', STEPS[engine], '--without', WITHOUT];
        const { played } = await playApart('--json', ...world, '--migration', file);
        assert.equal(played?.faults['upgrade'], 1);
        const broken = new Set(played?.violations.map((violation) => violation.invariant));
        assert.ok(broken.has(invariant), [...broken].join(', '));
      });
    }
  });
}

test('a simulated world with upgrades is the same one when its seed is played again', async () => {
  const traces = await Promise.all(
    [1, 2].map(async () => {
      const { played } = await playApart('--json', '--seed', 'up3', '--steps', '9000', '--without', WITHOUT);
      assert.ok(Number(played?.faults['upgrade']) > 0, JSON.stringify(played?.faults));
      return played?.trace;
    }),
  );
  assert.equal(traces[0], traces[1]);
});

test('a migration that cannot be read is refused with what would be right', async () => {
  await assert.rejects(
    playApart('--seed', '1', '--migration', '/nowhere/033_new.sql'),
    /--migration \/nowhere\/033_new\.sql: give a file of SQL that can be read/,
  );
});
