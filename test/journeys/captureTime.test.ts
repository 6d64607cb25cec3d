/** A payment mandate says who bought, for whom, and until when the amount may be captured; and the node keeps to it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findPayment, updatePayment } from '../../src/store/statements/purchases/payments.ts';
import { run } from '../../src/store/store.ts';
import { everyEngine } from '../support/engines.ts';
import { leap } from '../support/person.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { until } from '../support/until.ts';
import { makeWorld, type World } from '../support/world.ts';

const DAY = 24 * 3600;

for (const engine of everyEngine()) {
  describe(`the time to capture on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const capture = (mandateId: string) => world.rest('POST', `/ap2/payments/${mandateId}/capture`, {});
    const stateOf = async (mandateId: string) => (await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status;

    test('stands in the mandate and in the evidence, with agent and principal', async () => {
      const { pmVc } = await purchase(world, 20);
      const { agentDid, principalDid, expiresAt, mandateId } = pmVc.credentialSubject;
      assert.deepEqual([agentDid, principalDid], [world.agent.did, world.principal.did]);
      assert.equal(Date.parse(String(expiresAt)) - Date.parse(pmVc.issuanceDate), 7 * DAY * 1000);
      assert.equal(pmVc.expirationDate, expiresAt);
      const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
      const { events } = (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`)).body;
      const issued = events.find(({ eventType }: { eventType: string }) => eventType === 'PM_ISSUED');
      assert.equal(issued.data.expiresAt, expiresAt);
    });

    test('over it, nothing is captured, and the hold is canceled, also where the rail would hold longer', async () => {
      const mandateId = mandateIdOf(await purchase(world, 20));
      const { store } = world.node.deps;
      const tenant = (await world.rest('GET', '/ap2/evidence/verify')).body.tenantId;
      // As where the rail holds the amount again: what the mandate says stands.
      await store.write(tenant, function* () {
        const payment = yield* findPayment(tenant, mandateId);
        assert.ok(payment?.hold_until && payment.hold_until <= payment.created_at + 7 * DAY * 1000);
        yield* updatePayment({ ...payment, hold_until: payment.hold_until + 30 * DAY * 1000 });
      });
      const back = leap(world, 7 * DAY);
      try {
        const late = await capture(mandateId);
        assert.equal(late.status, 409, late.text);
        assert.match(late.body.error.message, /could be captured until \d{4}-.*bought anew/);
        assert.equal(await stateOf(mandateId), 'AUTHORIZED');
        await store.write(tenant, () =>
          run('UPDATE payments SET hold_until = ? WHERE mandate_id = ?', world.node.deps.clock(), mandateId),
        );
        await until('the end of the hold', async () => (await stateOf(mandateId)) === 'CANCELED');
      } finally {
        back();
      }
    });

    test('within it, and for a mandate from before mandates said so, it is captured', async () => {
      const [mine, old] = [mandateIdOf(await purchase(world, 20)), mandateIdOf(await purchase(world, 20))];
      const { store } = world.node.deps;
      const tenant = (await world.rest('GET', '/ap2/evidence/verify')).body.tenantId;
      await store.write(tenant, function* () {
        const payment = yield* findPayment(tenant, old);
        assert.ok(payment);
        const { expiresAt: _end, ...subject } = JSON.parse(payment.credential).credentialSubject;
        const credential = JSON.stringify({ ...JSON.parse(payment.credential), credentialSubject: subject });
        const sql = 'UPDATE payments SET credential = ?, hold_until = NULL WHERE mandate_id = ?';
        yield* run(sql, credential, old);
      });
      const back = leap(world, 7 * DAY - 60);
      try {
        assert.equal((await capture(mine)).body.status, 'CAPTURED');
      } finally {
        back();
      }
      const later = leap(world, 8 * DAY);
      try {
        assert.equal((await capture(old)).body.status, 'CAPTURED');
      } finally {
        later();
      }
    });
  });
}
