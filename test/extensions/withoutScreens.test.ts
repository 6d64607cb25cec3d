/** The console of a node without extensions: its page names those that the node runs with, by which screens are shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, engines } from '../support/engines.ts';
import { makeWorld } from '../support/world.ts';

const [ENGINE] = engines() as [Engine];

test('the console is told that its node runs without extensions', async () => {
  const world = await makeWorld(ENGINE, { EXTENSIONS: 'none' });
  try {
    assert.match(await (await fetch(`${world.node.address}/console/`)).text(), / data-extensions=""/);
  } finally {
    await world.close();
  }
});
