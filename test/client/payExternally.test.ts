/** A payment elsewhere by the client: the client tells what it paid, and tells nothing where the money may have moved. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Client, countersign, NotPaid, ReservationRefused } from '../../client/index.ts';
import { everyEngine } from '../support/engines.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

const [sqlite] = everyEngine();

describe('node.external.pay', () => {
  let world: World;
  let node: Client;
  before(async () => {
    world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
    node = countersign({ baseUrl: world.node.address, credential: { apiKey: ADMIN_KEY } });
  });
  after(() => world.close());
  const asked = (idempotencyKey: string, amount = 10) => {
    const purchase = { merchant: 'tea.example', amount, currency: 'USD', channel: 'card' as const };
    return { agentDid: world.agent.did, ...purchase, idempotencyKey };
  };

  test('commits what was paid, with its reference', async () => {
    const paid = await node.external.pay(asked('one'), ({ reserved }) => ({ amount: reserved - 1, reference: 'o-1' }));
    assert.deepEqual([paid.status, paid.captured], ['CAPTURED', 9]);
  });

  test('releases what was not paid, and throws why', async () => {
    let mandateId = '';
    const pay = node.external.pay(asked('two'), (reservation) => {
      mandateId = reservation.mandateId;
      throw new NotPaid('declined');
    });
    await assert.rejects(pay, (error) => error instanceof NotPaid && error.reason === 'declined');
    assert.equal((await node.getPayment({ mandateId })).status, 'CANCELED');
  });

  test('tells nothing where the money may have moved', async () => {
    let mandateId = '';
    const pay = node.external.pay(asked('three'), async (reservation) => {
      mandateId = reservation.mandateId;
      throw new TypeError('The page is gone.');
    });
    await assert.rejects(pay, /The page is gone/);
    assert.equal((await node.getPayment({ mandateId })).status, 'AUTHORIZED');
  });

  test('pays nothing that is refused, and throws the node’s answer', async () => {
    const pay = node.external.pay(asked('four', 5000), () => assert.fail('it was paid'));
    await assert.rejects(
      pay,
      (error) => error instanceof ReservationRefused && error.refusal.reasonCodes[0] === 'AMOUNT_OVER_CAP',
    );
  });
});
