/** The end of a node has one deadline, whichever step is late. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopInTime } from '../../src/node/stopInTime.ts';

test('steps run in order, each once', async () => {
  const done: string[] = [];
  const step = (what: string) => ({ what, run: async () => done.push(what) });
  await stopInTime([step('one'), step('two')], 60_000);
  assert.deepEqual(done, ['one', 'two']);
});

test('one deadline holds for all steps together, and the late one is named', async () => {
  const slow = (what: string) => ({ what, run: () => new Promise((resolve) => setTimeout(resolve, 60)) });
  const hanging = { what: 'the disk', run: () => new Promise(() => {}) };
  const stopped = stopInTime([slow('requests'), slow('work'), hanging], 200);
  await assert.rejects(stopped, /did not stop in order within 0\.2 s; it still waited for the disk\. Nothing is lost/);
});

test('a step that fails ends the stop with its own error', async () => {
  const broken = { what: 'the store', run: () => Promise.reject(new Error('disk gone')) };
  await assert.rejects(stopInTime([broken], 60_000), /disk gone/);
});
