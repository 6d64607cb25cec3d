/** A chain of a million events is verified beside purchases: none of them waits noticeably longer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { buyBesideVerification, fillChain } from '../support/longChain.ts';
import { makeWorld } from '../support/world.ts';

/** What a verification may add to a purchase. */
const MOST_MS = 50;

for (const engine of everyEngine()) {
  test(`a verification of a million events delays no purchase by more than ${MOST_MS} ms, on ${engine.name}`, async (t) => {
    const world = await makeWorld(engine);
    t.after(() => world.close());
    await fillChain(world, Number(process.env['CHAIN_EVENTS'] ?? 1_000_000 - 1));
    const alone: number[] = [];
    for (let bought = 0; bought < 200; bought++) {
      const started = performance.now();
      await world.rest('POST', '/ap2/intents', world.intentBody(10));
      alone.push(performance.now() - started);
    }
    const { during, verification } = await buyBesideVerification(world);
    assert.equal(verification.valid, true);
    const middle = (values: readonly number[], part: number) =>
      values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * part)] as number;
    const [usual, most] = [middle(alone, 0.99), middle(during, 0.99)];
    t.diagnostic(
      `alone ${middle(alone, 0.5).toFixed(1)} ms, p99 ${usual.toFixed(1)} ms; beside it ${middle(during, 0.5).toFixed(1)} ms, p99 ${most.toFixed(1)} ms, longest ${Math.max(...during).toFixed(1)} ms`,
    );
    assert.ok(most - usual <= MOST_MS, `${most.toFixed(1)} ms beside it, ${usual.toFixed(1)} ms alone`);
  });
}
