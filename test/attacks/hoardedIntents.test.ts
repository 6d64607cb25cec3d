/** Intents that were issued over several windows of a limit cannot all be paid within one. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Rail, RailOutcome } from '../../src/rails/rail.ts';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { approve, mandateIdOf, purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const WINDOW_MS = 20_000;

for (const engine of everyEngine()) {
  describe(`approvals hoarded on ${engine.name}`, () => {
    let world: World;
    let agent: Peer;
    before(async () => {
      world = await makeWorld(engine);
    });
    beforeEach(async () => {
      agent = await world.newAgent();
    });
    after(() => world.close());

    const limit = async (velocity: object, who = agent) => {
      const reply = await world.rest('PUT', `/ap2/admin/agents/${who.did}/velocity`, {
        timeWindow: '20s',
        ...velocity,
      });
      assert.equal(reply.status, 200, reply.text);
    };
    /** Two approvals in each of so many windows. */
    const hoard = async (windows: number, amount = 10) => {
      const tokens: string[] = [];
      for (let window = 0; window < windows; window += 1) {
        for (let count = 0; count < 2; count += 1) tokens.push(await approve(world, amount, { agent }));
        world.clock.aheadMs += WINDOW_MS;
      }
      return tokens;
    };
    const pay = async (approvalToken: string, more: object = {}): Promise<Loose> =>
      (await world.rest('POST', '/ap2/payments/mandate', { approvalToken, ...more })).body;
    const codesOf = (answers: Loose[]) => answers.flatMap((answer) => answer.reasonCodes ?? ['PAID']).sort();

    test('are paid up to the number of one window, all at once over REST', async () => {
      await limit({ maxTransactions: 2 });
      const answers = await Promise.all((await hoard(3)).map((token) => pay(token)));
      const refused = Array.from({ length: 4 }, () => 'VELOCITY_EXCEEDED');
      assert.deepEqual(codesOf(answers), ['PAID', 'PAID', ...refused]);
      world.clock.aheadMs += WINDOW_MS + 1;
      const next = await pay(await approve(world, 10, { agent }));
      assert.ok('pmVc' in next, 'the next window is free again');
    });

    test('are paid up to the number of one window over A2A', async () => {
      await limit({ maxTransactions: 2 });
      const codes: string[] = [];
      for (const approvalToken of await hoard(2)) {
        const answer = await world.say('PaymentMandate', { approvalToken }, { from: agent });
        codes.push(answer.error?.data.reasonCodes[0] ?? 'PAID');
      }
      assert.deepEqual(codes, ['PAID', 'PAID', 'VELOCITY_EXCEEDED', 'VELOCITY_EXCEEDED']);
    });

    test('are paid up to the amount of one window', async () => {
      await limit({ maxAmount: 20 });
      const [first, second, third] = await hoard(2);
      await pay(String(first));
      await pay(String(second));
      const refused = await pay(String(third));
      assert.deepEqual(refused.reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
      assert.deepEqual(
        [refused.details.SPENDING_LIMIT_EXCEEDED.requested, refused.details.SPENDING_LIMIT_EXCEEDED.limit],
        [30, 20],
      );
    });

    test('are refused when the limit was lowered since', async () => {
      const [first, second] = await hoard(1);
      await limit({ maxTransactions: 1 });
      assert.deepEqual(codesOf([await pay(String(first)), await pay(String(second))]), ['PAID', 'VELOCITY_EXCEEDED']);
    });

    test('count while the rail has not answered, and no more once it has declined', async () => {
      await limit({ maxTransactions: 1 });
      const first = await approve(world, 10, { agent });
      world.clock.aheadMs += WINDOW_MS;
      const second = await approve(world, 10, { agent });
      const rail = world.node.deps.rails.get('CARD_RAIL') as Rail;
      const real = rail.authorize;
      let answer = (_outcome: RailOutcome) => {};
      const asked = new Promise<void>((resolve) => {
        const waiting = new Promise<RailOutcome>((answered) => {
          answer = answered;
        });
        Object.assign(rail, {
          authorize: () => {
            resolve();
            return waiting;
          },
        });
      });
      const paying = pay(first);
      await asked;
      assert.deepEqual((await pay(second)).reasonCodes, ['VELOCITY_EXCEEDED']);
      answer({ kind: 'declined', code: 'card_declined', message: 'No.' });
      assert.equal((await paying).railResponse.status, 'failed');
      Object.assign(rail, { authorize: real });
      assert.ok('pmVc' in (await pay(second)));
    });

    test('count no more once they are canceled, and still do when they are refunded', async () => {
      await limit({ maxTransactions: 1 });
      const paid = mandateIdOf(await purchase(world, 10, { agent }));
      await world.rest('POST', `/ap2/payments/${paid}/cancel`);
      world.clock.aheadMs += WINDOW_MS + 1;
      const kept = mandateIdOf(await purchase(world, 10, { agent }));
      await limit({ maxTransactions: 9 });
      const waiting = await approve(world, 10, { agent });
      await limit({ maxTransactions: 1 });
      await world.rest('POST', `/ap2/payments/${kept}/capture`);
      await world.rest('POST', `/ap2/payments/${kept}/refund`);
      assert.deepEqual((await pay(waiting)).reasonCodes, ['VELOCITY_EXCEEDED']);
      await limit({ maxTransactions: 2 });
      const other = mandateIdOf((await pay(waiting)) as never);
      const third = await limit({ maxTransactions: 9 }).then(() => approve(world, 10, { agent }));
      await limit({ maxTransactions: 2 });
      assert.deepEqual((await pay(third)).reasonCodes, ['VELOCITY_EXCEEDED']);
      await world.rest('POST', `/ap2/payments/${other}/cancel`);
      assert.ok('pmVc' in (await pay(third)));
    });

    test('of all agents together are paid up to the limit of the policy', async () => {
      const velocity = { scope: 'policy', max_transactions: 2, time_window: '20s' };
      const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' }, risk: { velocity_limit: velocity } };
      world.clock.aheadMs += WINDOW_MS + 1;
      const tokens: string[] = [];
      const made = await world.rest('POST', '/ap2/admin/policies', { name: 'Together', rules });
      assert.equal(made.status, 201, made.text);
      for (let window = 0; window < 2; window += 1) {
        for (const buyer of [agent, await world.newAgent()]) tokens.push(await approve(world, 10, { agent: buyer }));
        world.clock.aheadMs += WINDOW_MS + 1;
      }
      const answers = await Promise.all(tokens.map((token) => pay(token)));
      assert.deepEqual(codesOf(answers), ['PAID', 'PAID', 'VELOCITY_EXCEEDED', 'VELOCITY_EXCEEDED']);
    });
  });
}
