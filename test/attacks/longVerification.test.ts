/** A caller that asks for the verification of a long chain does not make buyers wait for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { buyBesideVerification, fillChain } from '../support/longChain.ts';
import { makeWorld } from '../support/world.ts';

for (const engine of everyEngine()) {
  test(`purchases are answered while a chain of 9,000 events is verified, on ${engine.name}`, async (t) => {
    const world = await makeWorld(engine);
    t.after(() => world.close());
    await fillChain(world, 9_000);
    const { during, verification } = await buyBesideVerification(world);
    assert.deepEqual([verification.valid, verification.eventsVerified], [true, 9_000]);
    assert.ok(during.length >= 3, `${during.length} purchases were answered before the verification was`);
  });
}
