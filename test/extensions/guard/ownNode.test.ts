/** The guard and a node: a purchase behind it is judged, approved, limited and recorded as any other is. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { reservationNode } from '../../../src/extensions/guard/reservationNode.ts';
import { everyEngine } from '../../support/engines.ts';
import { makePerson, type Person } from '../../support/person.ts';
import { until } from '../../support/until.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { guardedClient, statusOf, textOf } from './doubles/guardedClient.ts';
import { SquareDouble } from './doubles/squareDouble.ts';

const RULES = '[[upstream]]\nname = "square"\npreset = "square"\nmerchant = "tea.example"\n';

for (const engine of everyEngine()) {
  describe(`a guard before Square’s server, and a node on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      person = makePerson(world);
      await person.enroll();
    });
    after(() => world.close());

    const square = new SquareDouble();
    const open = (more: object = {}) =>
      guardedClient(
        { square },
        { rest: RULES, ownNode: reservationNode(world.node.address, ADMIN_KEY), agentDid: world.agent.did, ...more },
      );
    const payment = (amount: number, key: string) => ({
      service: 'Payments',
      method: 'create',
      request: { idempotency_key: key, amount_money: { amount, currency: 'USD' } },
    });
    /** It is told of without its client's waiting. */
    const captured = async (mandateId: string): Promise<Loose> => {
      let payment: Loose;
      await until('the payment is captured', async () => {
        payment = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
        return payment.status === 'CAPTURED';
      });
      return payment;
    };
    const mandateOf = (result: Loose): string => result._meta['countersign/payment'].mandateId;

    test('what was paid is captured, for the merchant of the rules, and the record says that a proxy asked', async () => {
      const guarded = await open();
      const bought = await guarded.call('make_api_request', payment(1250, `a-${engine.name}`));
      assert.equal(statusOf(bought), 'paid', textOf(bought));
      const paid = await captured(mandateOf(bought));
      assert.deepEqual(
        [paid.status, paid.rail, paid.merchant, paid.captured],
        ['CAPTURED', 'EXTERNAL_RAIL', 'tea.example', 12.5],
      );
      const { body } = await world.rest('GET', `/ap2/evidence/bundle/${paid.transactionId}`);
      assert.match(JSON.stringify(body), /"enforcement":"proxy"/);
      assert.match(JSON.stringify(body), /"reference":"pay_1"/);
      await guarded.close();
    });

    test('what was paid counts, though the clock of the guard is days ahead', async () => {
      const guarded = await open({ now: () => Date.now() + 3 * 24 * 3600 * 1000 });
      const call = payment(750, `d-${engine.name}`);
      const bought = await guarded.call('make_api_request', call);
      assert.equal((await captured(mandateOf(bought))).captured, 7.5);
      await guarded.close();
    });

    test('over the cap nothing is sent, and a declined card is free again', async () => {
      const guarded = await open();
      const refused = await guarded.call('make_api_request', payment(50_000, `b-${engine.name}`));
      assert.equal(refused.isError, true);
      assert.deepEqual(refused._meta['countersign/refusal'].reasonCodes, ['AMOUNT_OVER_CAP']);
      assert.match(textOf(refused), /^Not paid: 500\.00 USD is /);
      await guarded.close();
    });

    test('a person is asked, and the same call goes through after the touch', async () => {
      const guarded = await open();
      const call = payment(15_000, `c-${engine.name}`);
      const asked = await guarded.call('make_api_request', call);
      assert.deepEqual(asked._meta['countersign/refusal'].reasonCodes, ['HP_REQUIRED'], textOf(asked));
      const { url } = asked._meta['countersign/refusal'].approval;
      await person.decide(url.slice(url.lastIndexOf('/') + 1));
      const bought = await guarded.call('make_api_request', call);
      assert.equal(statusOf(bought), 'paid', textOf(bought));
      assert.equal((await captured(mandateOf(bought))).captured, 150);
      await guarded.close();
    });
  });
}
