/** A clock that jumps both ways under load: every answer is one, what was acknowledged is there, and nothing waits afterwards. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { dice } from '../support/dice.ts';
import { everyEngine } from '../support/engines.ts';
import { noteFigure } from '../support/figures.ts';
import { subscribe } from '../support/hooks.ts';
import { purchase } from '../support/purchase.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { rounds } from '../support/rounds.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const JUMPS = rounds(300, 12);
const BETWEEN_MS = 300;
const BUYERS = 6;
const MINUTE_MS = 60_000;
/** How far off the clock is, in minutes: seconds to days, both ways. */
const OFFSETS = [0, 0, 0, 0, 0.1, -0.1, 1, -1, 3, -3, 50, -50, 180, -180, 1300, -1300, 3000, -3000] as const;

for (const engine of everyEngine()) {
  describe(`a clock that jumps ${JUMPS} times on ${engine.name}`, () => {
    let world: World;
    let receiver: Receiver;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,1,1,1,1,1' });
      receiver = await startReceiver();
      const rules = {
        version: '2.0',
        spend: { amount_cap: 1000, currency: 'USD' },
        risk: { velocity_limit: { max_transactions: 100_000, time_window: '1h' } },
      };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'wide', rules })).status, 201);
    });
    after(async () => {
      await receiver.close();
      await world.close();
    });

    test('loses no payment and no webhook, fails no request, and delays nothing once it is right', async () => {
      const webhook = await subscribe(world, receiver.url, ['payment.authorized']);
      const paid = new Map<string, string>();
      const answers = new Map<number, number>();
      let jumping = true;
      const ask = async (method: string, path: string, body: unknown): Promise<Loose> => {
        const { status, body: answer, text } = await world.rest(method, path, body);
        answers.set(status, (answers.get(status) ?? 0) + 1);
        assert.ok(status < 500, text);
        return answer;
      };
      const buy = async () => {
        while (jumping) {
          const intent = await ask('POST', '/ap2/intents', world.intentBody(5));
          if (intent.allowed !== true) continue;
          const cart = { intentVc: intent.intentVc, cartVc: world.cart(5) };
          const { approvalToken } = await ask('POST', '/ap2/carts/validate', cart);
          if (approvalToken === undefined) continue;
          const { pmVc } = await ask('POST', '/ap2/payments/mandate', { approvalToken });
          if (pmVc === undefined) continue;
          const { mandateId } = pmVc.credentialSubject;
          paid.set(mandateId, intent.intentVc.credentialSubject.mandateId);
        }
      };
      const buyers = Array.from({ length: BUYERS }, buy);
      const chance = dice(`clock jumps on ${engine.name}`);
      for (let jump = 0; jump < JUMPS; jump++) {
        world.clock.aheadMs = (OFFSETS[chance.below(OFFSETS.length)] as number) * MINUTE_MS;
        await pause(BETWEEN_MS);
      }
      world.clock.aheadMs = 0;
      await pause(BETWEEN_MS);
      jumping = false;
      await Promise.all(buyers);

      assert.ok(paid.size >= JUMPS / 4, `only ${paid.size} payments`);
      assert.equal(new Set(paid.values()).size, paid.size, 'no intent was paid twice');
      for (const mandateId of paid.keys()) {
        assert.equal((await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status, 'AUTHORIZED');
      }
      assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
      const reported = () => new Set(receiver.received.map(({ event }) => event.data.mandateId as string));
      await until('every payment is reported', async () => [...paid.keys()].every((id) => reported().has(id)), 20_000);
      const before = receiver.received.length;
      const began = performance.now();
      await purchase(world, 5);
      await receiver.wait(before + 1);
      const waitedMs = Math.round(performance.now() - began);
      await world.rest('DELETE', `/ap2/admin/webhooks/${webhook.id}`);
      noteFigure(
        `A clock that jumps by seconds to days on ${engine.name}`,
        `${JUMPS} jumps, ${BUYERS} buyers, ${paid.size} payments: none lost, none paid twice, every webhook arrived, ` +
          `no 5xx; a purchase and its webhook afterwards took ${waitedMs} ms`,
      );
    });
  });
}
