/** Lists as CSV: all that a filter finds, page after page, as programs for tables read it, and nothing that they would run. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeId, timeOfId } from '../../protocol/wire/id.ts';
import { everyEngine } from '../support/engines.ts';
import { insertAll } from '../support/fillPurchases.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`lists as CSV on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
      await purchase(world, 12.5);
      await purchase(world, 7);
      await world.rest('POST', '/ap2/intents', world.intentBody(5000));
    });
    after(() => world.close());

    const csv = async (path: string, accept = 'text/csv') => {
      const headers = { Authorization: `Bearer ${ADMIN_KEY}`, Accept: accept };
      const response = await fetch(world.node.address + path, { headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const lines = (text: string) => text.split('\r\n').slice(0, -1);

    test('payments have a line each, the newest first, with the decimals of their currency', async () => {
      const { status, headers, text } = await csv('/ap2/payments');
      assert.equal(status, 200, text);
      assert.match(headers.get('content-type') ?? '', /^text\/csv/);
      assert.match(headers.get('content-disposition') ?? '', /filename="payments\.csv"/);
      assert.match(headers.get('vary') ?? '', /Accept/);
      const [header, newest, older, ...more] = lines(text);
      assert.match(
        String(header),
        /^createdAt,status,merchant,description,amount,currency,captured,refunded,agentDid,/,
      );
      assert.match(String(newest), /,AUTHORIZED,shop\.example,Thing,7\.00,USD,0\.00,0\.00,did:key:/);
      assert.match(String(older), /,12\.50,USD,/);
      assert.deepEqual(more, []);
      assert.equal(lines((await csv('/ap2/payments?min=10&currency=USD')).text).length, 2);
    });

    test('decisions say why, and spend is summed as it is asked for', async () => {
      const { text } = await csv('/ap2/decisions?outcome=refused');
      const [, refused] = lines(text);
      assert.match(String(refused), /,intent,refused,shop\.example,5000\.00,USD,AMOUNT_OVER_CAP,"?5,000\.00 USD is/);
      const spend = await csv('/ap2/admin/spend?by=merchant');
      assert.deepEqual(lines(spend.text).slice(1), [',,shop.example,USD,2,0.00,0.00,0.00,19.50,0.00,,,,,']);
    });

    test('payments say whose money, which category and when it moved; spend is by month, with the names of agents', async () => {
      const id = mandateIdOf(await purchase(world, 9));
      for (const [act, body] of [
        ['capture', {}],
        ['refund', { amount: 2 }],
      ] as const) {
        const { status, text } = await world.rest('POST', `/ap2/payments/${id}/${act}`, body);
        assert.equal(status, 200, text);
      }
      const [header, newest] = lines((await csv('/ap2/payments')).text);
      const names = String(header).split(',');
      const cells = Object.fromEntries(
        String(newest)
          .split(',')
          .map((cell, place) => [names[place], cell]),
      );
      const { agent, principalDid, principal, capturedAt, refundedAt, createdAt } = cells;
      assert.deepEqual([agent, principal], ['test agent', principalDid]);
      const [made, taken, given] = [createdAt, capturedAt, refundedAt].map((text) => Date.parse(String(text)));
      assert.ok(Number(made) <= Number(taken) && Number(taken) <= Number(given), String(newest));
      const sums = await csv('/ap2/admin/spend?by=month');
      assert.deepEqual(lines(sums.text).slice(1), [
        `,,,USD,3,9.00,2.00,7.00,19.50,0.00,${String(createdAt).slice(0, 7)},,,,`,
      ]);
      const byAgent = await csv('/ap2/admin/spend?by=agent');
      assert.match(byAgent.text, /,USD,3,9\.00,2\.00,7\.00,19\.50,0\.00,,test agent,,,\r\n$/);
    });

    test('a program that does not ask for it gets JSON, and what is wrong is answered as ever', async () => {
      for (const accept of ['*/*', 'application/json', 'application/json, text/csv']) {
        assert.match((await csv('/ap2/payments', accept)).headers.get('content-type') ?? '', /^application\/json/);
      }
      assert.match((await csv('/ap2/agents')).headers.get('content-type') ?? '', /^application\/json/);
      const wrong = await csv('/ap2/payments?status=PAID');
      assert.deepEqual([wrong.status, JSON.parse(wrong.text).error.code], [400, 'BAD_REQUEST']);
    });

    test('more than a page comes whole, and an agent gets its own alone', async () => {
      const [model] = await world.node.deps.store.read(function* () {
        const { rows } = yield { sql: 'SELECT * FROM payments ORDER BY mandate_id DESC LIMIT 1', args: [] };
        return rows as Record<string, string | number | null>[];
      });
      // Of a millisecond that no other payment has, so that none of these ids can be another's.
      const time = timeOfId(String(model?.['mandate_id'])) - 60_000;
      const copies = Array.from({ length: 450 }, (_, number) => ({
        ...model,
        mandate_id: makeId('pm_', time, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, number >> 8, number & 0xff)),
        intent_id: `intent_${number}`,
        rail_id: `rail_${number}`,
        cart_hash: `h${number}`,
      }));
      await world.node.deps.store.write(String(model?.['tenant_id']), () => insertAll('payments', copies as never));
      const { text } = await csv('/ap2/payments?limit=10');
      assert.equal(lines(text).length, 1 + 453);
      assert.equal(new Set(lines(text)).size, 1 + 453);
    });
  });
}
