/** Nodes whose clocks differ agree on who lives and whose lease has ended, since the database's clock decides. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Rail, RailOutcome } from '../../src/rails/rail.ts';
import { openStore } from '../../src/store/openStore.ts';
import { all, type Store } from '../../src/store/store.ts';
import type { Deps } from '../../src/usecase/deps.ts';
import { sendHeartbeat } from '../../src/workers/heartbeat.ts';
import { engines } from '../support/engines.ts';
import { approve } from '../support/purchase.ts';
import { until } from '../support/until.ts';
import { makeWorld } from '../support/world.ts';

const HOUR_MS = 3_600_000;

for (const engine of engines().filter(({ name }) => name === 'postgres')) {
  describe(`nodes with clocks of their own on ${engine.name}`, () => {
    for (const [name, aheadMs] of [
      ['ahead', HOUR_MS],
      ['behind', -HOUR_MS],
    ] as const) {
      test(`a node an hour ${name} lives, and takes no other for dead`, async (t) => {
        const database = await engine.open();
        t.after(() => database.drop());
        const wrong = await openStore({
          file: '',
          databaseUrl: String(database.url),
          clock: () => Date.now() + aheadMs,
        });
        t.after(() => wrong.close());
        const beat = (store: Store, nodeId: string) => sendHeartbeat({ store, settings: { nodeId } } as Deps);
        await beat(database.store, 'right');
        await beat(wrong, 'wrong');
        await beat(database.store, 'right');
        const seen = await database.store.read(() =>
          all<{ node_id: string; seen_at: number }>('SELECT node_id, seen_at FROM nodes ORDER BY node_id'),
        );
        assert.deepEqual(
          seen.map(({ node_id: id }) => id),
          ['right', 'wrong'],
        );
        for (const { seen_at: at } of seen) assert.ok(Math.abs(at - Date.now()) < HOUR_MS / 2);
      });

      test(`an attempt of a node whose clock is ${name} is tried again at the time of the database`, async (t) => {
        const world = await makeWorld(engine, { RAIL_TIMEOUT_SECONDS: '1', RAIL_RETRY_SECONDS: '1' });
        t.after(() => world.close());
        const rail = world.node.deps.rails.get('CARD_RAIL') as Rail;
        const real = rail.authorize;
        let asked = 0;
        const silent = async (): Promise<RailOutcome> => {
          asked += 1;
          return { kind: 'unknown', reason: 'silence' };
        };
        Object.assign(rail, { authorize: silent });
        const token = await approve(world, 10);
        world.clock.aheadMs += aheadMs === HOUR_MS ? 100_000 : -50_000;
        const { body } = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: token });
        const { mandateId } = body.pmVc.credentialSubject;
        world.clock.aheadMs = 0;
        await until('another try', async () => asked > 1);
        Object.assign(rail, { authorize: real });
        const status = async () => (await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status;
        await until('the settlement', async () => (await status()) === 'AUTHORIZED');
      });
    }
  });
}
