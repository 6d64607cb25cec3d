/** `countersign tail`: who, how much and where, in every line of an event that has them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Ended } from '../../support/command.ts';
import { everyEngine } from '../../support/engines.ts';
import type { Peer } from '../../support/peer.ts';
import { askForApproval } from '../../support/person.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('the live tail', () => {
  let world: World;
  let buyer: Peer;
  before(async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    world = await makeWorld(engine);
    const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'test', rules })).status, 201);
    buyer = await world.newAgent('Tea\u001b[2J buyer');
  });
  after(() => world.close());

  /** Causes events until the tail has as many as it wants. */
  async function follow(types: string, cause: () => Promise<unknown>, more: string[] = []): Promise<string> {
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    let ended: Ended | undefined;
    const running = runHere(['tail', '--types', types, '--count', String(types.split(',').length), ...more], env).then(
      (end) => {
        ended = end;
      },
    );
    while (ended === undefined) {
      await cause();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await running;
    assert.equal(ended.code, 0, ended.stderr);
    return ended.stdout;
  }

  const AT = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';
  const line = (event: string, said: string) => new RegExp(`^${AT}  ${event} +${said}$`, 'm');

  test('a purchase is told with its agent, amount and merchant from the intent on', async () => {
    const seen = await follow('intent.issued,cart.validated,payment.authorized,payment.captured', async () => {
      const mandateId = mandateIdOf(await purchase(world, 20, { agent: buyer }));
      await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {});
    });
    const shown = 'Tea \\[2J buyer';
    assert.match(seen, line('intent\\.issued', `${shown}  20\\.00 USD at shop\\.example`));
    assert.match(seen, line('cart\\.validated', `${shown}  20\\.00 USD at shop\\.example`));
    assert.match(seen, line('payment\\.authorized', `${shown}  20\\.00 USD at shop\\.example`));
    assert.ok(!seen.includes('\u001b'), 'a name does not move the terminal');
  });

  test('what is refused says why, an approval has its link, and a declined payment its error', async () => {
    const denied = await follow('intent.denied', () =>
      world.rest('POST', '/ap2/intents', world.intentBody(500, { agent: buyer })),
    );
    assert.match(denied, line('intent\\.denied', 'Tea \\[2J buyer  500\\.00 USD at shop\\.example AMOUNT_OVER_CAP'));
    const asked = await follow('approval.requested', () => askForApproval(world, 150, buyer));
    assert.match(
      asked,
      line(
        'approval\\.requested',
        'Tea \\[2J buyer  150\\.00 USD at shop\\.example  http://localhost:\\d+/approve/apr_\\w+',
      ),
    );
    const failed = await follow('payment.failed', () =>
      purchase(world, 20, { agent: buyer, instrument: 'pm_card_visa_chargeDeclined' }),
    );
    assert.match(failed, line('payment\\.failed', 'Tea \\[2J buyer  card_declined: .+'));
  });

  test('agents of one name are told apart, and a key that reads no agents sees their DIDs', async () => {
    const suspend = async (peer: Peer) => {
      await world.rest('POST', `/ap2/admin/agents/${peer.did}/suspend`, { reason: 'a test' });
      await world.rest('POST', `/ap2/admin/agents/${peer.did}/reactivate`, {});
    };
    const twins = [await world.newAgent('Twin'), await world.newAgent('Twin')] as const;
    const seen = await follow('agent.suspended,agent.reactivated,agent.suspended,agent.reactivated', async () => {
      for (const twin of twins) await suspend(twin);
    });
    assert.match(seen, line('agent\\.suspended', `Twin \\(…${twins[1].did.slice(-6)}\\)  a test`));
    const { key } = await world.client.createApiKey({ name: 'admin alone', permissions: ['admin'] });
    const bare = await follow('agent.suspended', () => suspend(twins[0]), ['--key', key]);
    assert.match(bare, line('agent\\.suspended', `${twins[0].did}  a test`));
  });
});
