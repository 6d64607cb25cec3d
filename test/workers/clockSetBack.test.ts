/** A clock that was ahead and is set back delays nothing: what it wrote meanwhile becomes due. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Rail, RailOutcome } from '../../src/rails/rail.ts';
import { get, run } from '../../src/store/store.ts';
import { everyEngine } from '../support/engines.ts';
import { attempts, HOOKS, subscribe } from '../support/hooks.ts';
import { approve } from '../support/purchase.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { makeWorld, type World } from '../support/world.ts';

const HOURS_MS = 5 * 3_600_000;

for (const engine of everyEngine()) {
  describe(`a clock that was five hours ahead on ${engine.name}`, () => {
    let world: World;
    let receiver: Receiver;
    before(async () => {
      world = await makeWorld(engine, {
        WEBHOOK_RETRY_SECONDS: '0,1,1,1,1,1',
        RAIL_TIMEOUT_SECONDS: '1',
        RAIL_RETRY_SECONDS: '1',
      });
      receiver = await startReceiver();
    });
    const setClock = (aheadMs: number) => {
      world.clock.aheadMs = aheadMs;
      world.node.deps.clock();
    };
    after(async () => {
      await receiver.close();
      await world.close();
    });

    test('stops no webhook, neither a new one nor one that is to be tried again', async () => {
      const webhook = await subscribe(world, receiver.url, ['agent.created']);
      setClock(HOURS_MS);
      await world.newAgent();
      await receiver.wait(1);
      receiver.answer = (response) => response.writeHead(500).end();
      const again = await world.newAgent();
      await attempts(world, webhook.id, 2);
      receiver.answer = (response) => response.end();
      setClock(0);
      const later = await world.newAgent();
      const posts = await receiver.wait(4);
      assert.deepEqual(
        new Set(posts.slice(2).map(({ event }) => event.data.agentDid)),
        new Set([again.did, later.did]),
        'both arrive at the hour that is true again',
      );
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('keeps no payment from its next try', async () => {
      const { deps } = world.node;
      const rail = deps.rails.get('CARD_RAIL') as Rail;
      const real = rail.authorize;
      Object.assign(rail, { authorize: async (): Promise<RailOutcome> => ({ kind: 'unknown', reason: 'silence' }) });
      const approvalToken = await approve(world, 10);
      // The approval token is not to expire.
      setClock(100_000);
      const { body } = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      const { mandateId } = body.pmVc.credentialSubject;
      // PostgreSQL's own clock cannot be set here: what it would have written is written for it.
      await deps.store.write(world.node.tenantId, () =>
        run('UPDATE rail_attempts SET next_at = ? WHERE attempt_key = ?', Date.now() + HOURS_MS, mandateId),
      );
      Object.assign(rail, { authorize: real });
      setClock(0);
      const status = async () => (await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status;
      await until('the settlement', async () => (await status()) === 'AUTHORIZED');
    });

    test('keeps no node alive that is dead', async () => {
      const { store } = world.node.deps;
      const seenAt = Date.now() + HOURS_MS;
      setClock(HOURS_MS);
      await store.write('nodes', () => run('INSERT INTO nodes (node_id, seen_at) VALUES (?, ?)', 'node_dead', seenAt));
      setClock(0);
      await until('the dead node counts from now', async () => {
        const row = await store.read(() =>
          get<{ seen_at: number }>('SELECT seen_at FROM nodes WHERE node_id = ?', 'node_dead'),
        );
        return row !== undefined && row.seen_at < seenAt - HOURS_MS / 2;
      });
    });
  });
}
