/** Rows that a client left behind in masses cannot freeze the node once they are old. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proofsSeen } from '../../src/store/statements/callers/proofs.ts';
import { requests } from '../../src/store/statements/callers/requests.ts';
import { count } from '../../src/store/store.ts';
import { keepHouse } from '../../src/workers/housekeeping.ts';
import { everyEngine } from '../support/engines.ts';
import { addRows } from '../support/oldRows.ts';
import { makeWorld } from '../support/world.ts';

const DAY = 24 * 3600 * 1000;

for (const engine of everyEngine()) {
  test(`a purchase is answered while 20,000 old requests and proofs are deleted, on ${engine.name}`, async (t) => {
    const world = await makeWorld(engine);
    t.after(() => world.close());
    const { store } = world.node.deps;
    const old = { tenantId: 'tnt_left', time: Date.now() - 2 * DAY, count: 10_000 };
    await addRows(store, requests, old);
    await addRows(store, proofsSeen, old);
    const left = () => store.read(() => count('SELECT COUNT(*) AS count FROM proofs_seen'));
    const house = keepHouse(world.node.deps);
    const bought = await world.rest('POST', '/ap2/intents', world.intentBody(10));
    assert.equal(bought.status, 200, bought.text);
    assert.ok((await left()) > 0, 'the purchase was answered before everything was deleted');
    await house;
    assert.equal(await left(), 0);
  });
}
