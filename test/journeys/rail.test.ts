/** A rail that does not answer: the money stays reserved, the same key is asked again, and the end is recorded once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Rail, RailOutcome } from '../../src/rails/rail.ts';
import { everyEngine } from '../support/engines.ts';
import { approve, mandateIdOf, purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

/** Replaces the rail's answers until the list is used up. */
function answerWith(world: World, operation: 'authorize' | 'capture', answers: (RailOutcome | Error)[]): string[] {
  const rail = world.node.deps.rails.get('CARD_RAIL') as Rail;
  const real = rail[operation];
  const keys: string[] = [];
  Object.assign(rail, {
    [operation]: async (...args: Parameters<Rail['authorize']>) => {
      keys.push(args[0]);
      const answer = answers.shift();
      if (answers.length === 0) Object.assign(rail, { [operation]: real });
      if (answer instanceof Error) throw answer;
      return answer ?? real(...args);
    },
  });
  return keys;
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 12_000; waited += 100) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`${what} did not happen within 12 s`);
}

for (const engine of everyEngine()) {
  describe(`a silent rail on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const events = async (mandateId: string) => {
      const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
      const bundle = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`);
      return bundle.body.events.map((event: Loose) => event.eventType).slice(2);
    };

    test('makes the payment UNKNOWN, and the worker asks again with the same key until it is settled', async () => {
      const keys = answerWith(world, 'authorize', [new Error('connection reset'), { kind: 'unknown', reason: 'x' }]);
      const payment = await purchase(world, 10);
      assert.equal(payment.railResponse.status, 'unknown');
      const mandateId = mandateIdOf(payment);
      assert.equal((await world.rest('GET', '/ap2/payments?status=UNKNOWN')).body.data[0].mandateId, mandateId);
      await until('the settlement', async () => {
        const { body } = await world.rest('GET', `/ap2/payments/${mandateId}`);
        return body.status === 'AUTHORIZED';
      });
      assert.deepEqual(keys, [mandateId, mandateId]);
      assert.deepEqual(await events(mandateId), ['PM_ISSUED', 'PAYMENT_UNKNOWN', 'PAYMENT_AUTHORIZED']);
    });

    test('that declines in the end releases what was reserved', async () => {
      const agent = await world.newAgent();
      await world.rest('PUT', `/ap2/admin/agents/${agent.did}/velocity`, { maxAmount: 10, timeWindow: '1h' });
      answerWith(world, 'authorize', [
        { kind: 'unknown', reason: 'x' },
        { kind: 'declined', code: 'card_declined', message: 'No.' },
      ]);
      const mandateId = mandateIdOf(await purchase(world, 10, { agent }));
      const refused = await world.rest('POST', '/ap2/intents', world.intentBody(1, { agent }));
      assert.deepEqual(refused.body.reasonCodes, ['SPENDING_LIMIT_EXCEEDED'], 'unknown money stays reserved');
      await until('the decline', async () => {
        const { body } = await world.rest('GET', `/ap2/payments/${mandateId}`);
        return body.status === 'FAILED';
      });
      assert.equal((await world.rest('POST', '/ap2/intents', world.intentBody(10, { agent }))).body.allowed, true);
    });

    test('keeps its idempotent answer: the same request again is told the same', async () => {
      answerWith(world, 'authorize', [{ kind: 'unknown', reason: 'x' }]);
      const agent = await world.newAgent();
      const approvalToken = await approve(world, 10, { agent });
      const request = { approvalToken, idempotencyKey: 'pay-1' };
      const first = await world.rest('POST', '/ap2/payments/mandate', request);
      assert.equal(first.body.railResponse.status, 'unknown');
      const second = await world.rest('POST', '/ap2/payments/mandate', request);
      assert.equal(second.text, first.text);
    });

    test('leaves a capture to be settled later, once', async () => {
      const mandateId = mandateIdOf(await purchase(world, 10, { agent: await world.newAgent() }));
      const keys = answerWith(world, 'capture', [{ kind: 'unknown', reason: 'x' }, new Error('gone')]);
      const asked = await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
      assert.equal(asked.status, 200, asked.text);
      assert.equal(asked.body.status, 'AUTHORIZED');
      assert.equal((await world.rest('POST', `/ap2/payments/${mandateId}/cancel`)).status, 409);
      await until('the capture', async () => {
        const { body } = await world.rest('GET', `/ap2/payments/${mandateId}`);
        return body.status === 'CAPTURED';
      });
      assert.equal(new Set(keys).size, 1);
      assert.deepEqual((await events(mandateId)).slice(-1), ['PAYMENT_CAPTURED']);
    });
  });
}
