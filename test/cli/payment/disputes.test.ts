/** `countersign payment disputes`: each dispute with its own amount, of all payments, of one, and as CSV. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, makeWorld } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();

test('the disputes of a payment are listed with their amounts, their states and until when they wait', async (t) => {
  assert.ok(engine);
  const world = await makeWorld(engine);
  t.after(() => world.close());
  const say = async (...words: string[]): Promise<string> => {
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    const { code, stdout, stderr } = await runHere(['payment', ...words], env);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const mandateId = mandateIdOf(await purchase(world, 100));
  await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
  assert.match(await say('disputes'), /There are none/);
  for (const amount of [20, 30]) await world.rest('POST', '/ap2/demo/dispute', { mandateId, amount });
  await world.rest('POST', '/ap2/demo/dispute/end', { mandateId, outcome: 'won' });
  const open = await say('disputes', '--status', 'needs_response');
  assert.match(open, new RegExp(`needs_response +30\\.00 USD +fraudulent .* ${mandateId}`));
  assert.doesNotMatch(open, / won /);
  assert.match(await say('disputes', '--csv'), /,won,20\.00,USD,fraudulent,/);
  assert.match(
    await say('show', mandateId),
    /Disputed +30\.00 USD\nDisputes +dp_\S+ won 20\.00 USD.*; dp_\S+ needs_response 30\.00 USD \(due by /,
  );
  assert.match(await say('list', '--csv'), /,30\.00,dp_\S+ won 20\.00 USD; dp_\S+ needs_response 30\.00 USD\r?\n/);
});
