/** The shop with an agent in TypeScript, and with a host of MCP, as their READMEs say. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { type Examples, makeExamples } from '../support/examples.ts';
import { makeWorld, type World } from '../support/world.ts';

describe('at the shop', () => {
  let world: World;
  let examples: Examples;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    examples = await makeExamples(world, ['tsx', '@modelcontextprotocol/client']);
  });
  after(async () => {
    await examples.remove();
    await world.close();
  });

  /** What was paid at the shop since then, the newest first. */
  const paidAmounts = async (before: number) => {
    const { data } = await world.client.listPayments({ merchant: 'teahouse.example' });
    return data.slice(0, data.length - before).map(({ status, amount }) => `${status} ${amount}`);
  };

  test('an agent in TypeScript buys, is refused with what would pass, and waits for the person', async () => {
    const before = (await paidAmounts(0)).length;
    const printed = await examples.play(['shop', 'agent-typescript']);
    assert.match(printed, /^\{"domain":"teahouse.example","currency":"USD","items":\[/m);
    assert.match(printed, /^paid: 29.90 USD, and the order is shipped$/m);
    assert.match(printed, /^shipped: Sencha, 100 g, Shipping$/m);
    assert.match(
      printed,
      /^refused: AMOUNT_OVER_CAP: 464.90 USD .*\nrefused: SPENDING_LIMIT_EXCEEDED: .*\nIt would pass with at most 200.00 USD/m,
    );
    assert.match(printed, /^waiting for the person, at http:.*\/approve\/apr_\w+$/m);
    assert.match(printed, /^paid: 142.90 USD, and the order is shipped$/m);
    assert.deepEqual(await paidAmounts(before), ['AUTHORIZED 142.9', 'AUTHORIZED 29.9']);
  });

  test('a host with the stock client of MCP starts the command, and buys tool by tool', async () => {
    const before = (await paidAmounts(0)).length;
    const printed = await examples.play(['shop', 'agent-mcp']);
    assert.match(printed, /^check_limits: /m);
    assert.match(
      printed,
      /^pay: The rail says requires_capture to pm_\w+\.\n(?:.*\n)?(?:.*\n)?The shop has the payment mandate\.$/m,
    );
    assert.match(printed, /^request_intent: Refused\. .*\nNothing was bought\.$/m);
    assert.match(printed, /^wait_for_approval: The person approved/m);
    assert.deepEqual(await paidAmounts(before), ['AUTHORIZED 142.9', 'AUTHORIZED 29.9']);
  });
});
