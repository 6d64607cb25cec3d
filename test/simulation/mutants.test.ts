/** Every mutant can be planted: its text stands once in the sources, and the edited file is still a program. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { transform } from 'esbuild';
import { ALL_PARTS } from './mutants/calm.ts';
import { MUTANTS } from './mutants/mutants.ts';
import { plant } from './mutants/plant.ts';
import { PARTS } from './playWorld.ts';

test('each mutant’s text occurs exactly once in its file, and the edited file parses', async () => {
  for (const mutant of MUTANTS) {
    const source = readFileSync(mutant.file, 'utf8');
    const planted = plant(source, mutant);
    assert.notEqual(planted, source, mutant.name);
    await assert.doesNotReject(transform(planted, { loader: 'ts' }), mutant.name);
  }
});

test('a mutant whose text is gone, or stands twice, is not planted', () => {
  const [mutant] = MUTANTS;
  assert.ok(mutant);
  assert.throws(() => plant('other text', mutant), /stands 0 times in src/);
  assert.throws(() => plant(mutant.before + mutant.before, mutant), /stands 2 times/);
});

test('there are at least thirty of them, each with a name and a sentence of its own', () => {
  assert.ok(MUTANTS.length >= 30, `${MUTANTS.length}`);
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
  for (const { name, breaks } of MUTANTS) {
    assert.match(breaks, /^[A-Z].*\.$/, name);
    assert.doesNotMatch(name, /\|/);
  }
});

test('what can be left out is what worlds are made of', () => {
  assert.deepEqual([...ALL_PARTS].sort(), [...PARTS].sort());
});
