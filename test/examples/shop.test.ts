/** The shop and the agent in TypeScript, as their READMEs say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeExamplesFolder } from '../support/examples.ts';
import { makeWorld } from '../support/world.ts';

test('an agent in TypeScript buys at the shop, is refused with what would pass, and waits for the person', async (t) => {
  const world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  t.after(() => world.close());
  const examples = await makeExamplesFolder(world, ['tsx']);
  t.after(() => examples.remove());
  const printed = await examples.play(['shop', 'agent-typescript']);
  assert.match(printed, /^\{"domain":"teahouse.example","currency":"USD","items":\[/m);
  assert.match(
    printed,
    /^pm_\w+ is for 29.9 USD\nshipped: Sencha, 100 g, Shipping\npaid: 29.90 USD, and the order is shipped$/m,
  );
  assert.match(
    printed,
    /^refused: AMOUNT_OVER_CAP: 464.90 USD .*\nrefused: SPENDING_LIMIT_EXCEEDED: .*\nIt would pass with at most 200.00 USD/m,
  );
  assert.match(printed, /\/enroll\//);
  assert.match(
    printed,
    /^waiting for the person, at http:.*\/approve\/apr_\w+\n(?:.*\n)*paid: 142.90 USD, and the order is shipped$/m,
  );
  const { data } = await world.client.listPayments({ merchant: 'teahouse.example' });
  assert.deepEqual(
    data.map(({ status, amount }) => [status, amount]),
    [
      ['AUTHORIZED', 142.9],
      ['AUTHORIZED', 29.9],
    ],
  );
});
