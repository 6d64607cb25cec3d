/** What emitting webhook events costs: nothing without subscribers, and never an event of an undone transaction. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { IntentRequest } from '../../protocol/intent.ts';
import { recordEvent } from '../../src/domain/evidence/recordEvent.ts';
import { issueIntent } from '../../src/operations/intents/issueIntent.ts';
import { type Script, type Store, statementsOf } from '../../src/store/store.ts';
import type { Deps } from '../../src/usecase/deps.ts';
import { call } from '../../src/usecase/useCase.ts';
import { everyEngine } from '../support/engines.ts';
import { HOOKS, passMarker, subscribe } from '../support/hooks.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeWorld, type World } from '../support/world.ts';

/** A store that writes down the statements of scripts that write. */
function watched(store: Store, seen: string[]): Store {
  return {
    engine: store.engine,
    read: (script) => store.read(script),
    readApart: (script) => store.readApart(script),
    onSnapshot: (work) => store.onSnapshot(work),
    stats: () => store.stats(),
    close: () => store.close(),
    write: (tenantId, make) =>
      store.write(tenantId, function* (now) {
        const script = make(now) as Script<never>;
        let step = script.next();
        while (!step.done) {
          seen.push(...statementsOf(step.value).map(({ sql }) => sql));
          step = script.next(yield step.value);
        }
        return step.value;
      }),
  };
}

for (const engine of everyEngine()) {
  describe(`the outbox on ${engine.name}`, () => {
    let world: World;
    let receiver: Receiver;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' });
      receiver = await startReceiver();
    });
    after(async () => {
      await receiver.close();
      await world.close();
    });

    const statements = async (): Promise<string[]> => {
      const seen: string[] = [];
      const deps: Deps = { ...world.node.deps, store: watched(world.node.deps.store, seen) };
      const caller = {
        id: 'test',
        kind: 'node',
        tenantId: world.node.tenantId,
        permissions: new Set(['write'] as const),
      } as const;
      const answer = await call(issueIntent.run, deps, caller, IntentRequest.parse(world.intentBody(5)));
      assert.equal(answer.allowed, true);
      return seen;
    };

    test('adds no statement to an intent without a subscription', async () => {
      await statements();
      const none = await statements();
      assert.equal(none.filter((sql) => /FROM webhooks|INTO webhook/.test(sql)).length, 0);
      const other = await subscribe(world, `${receiver.url}/other`, ['agent.revoked']);
      const first = await statements();
      assert.equal(first.length, none.length + 1, 'the subscriptions are read once after they changed');
      assert.deepEqual(await statements(), none);
      const own = await subscribe(world, `${receiver.url}/own`, ['intent.issued']);
      await statements();
      assert.equal((await statements()).length, none.length + 2, 'the event, and one row for its subscription');
      for (const { id } of [other, own]) await world.rest('DELETE', `${HOOKS}/${id}`);
      await statements();
      assert.deepEqual(await statements(), none);
    });

    test('sends nothing of a transaction that was taken back, not even its subscriptions', async () => {
      const { deps, tenantId } = world.node;
      const webhook = await subscribe(world, `${receiver.url}/rolled`, ['agent.revoked']);
      const event = {
        eventType: 'AGENT_REVOKED',
        actorDid: deps.issuer.did,
        data: { agentDid: 'x', reason: 'y' },
      } as const;
      const broken = deps.store.write(tenantId, function* () {
        // A subscription that is widened, used, and taken back in the same transaction.
        yield { sql: 'UPDATE tenants SET webhooks_version = ? WHERE id = ?', args: ['whv_never', tenantId] };
        yield { sql: 'UPDATE webhooks SET events = ? WHERE id = ?', args: ['agent.created agent.revoked', webhook.id] };
        yield* recordEvent(deps, tenantId, event, Date.now());
        throw new Error('taken back');
      });
      await assert.rejects(broken, /taken back/);
      await world.newAgent();
      await passMarker(world, receiver);
      assert.equal(receiver.received.filter(({ path }) => path === '/rolled').length, 0);
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });
  });
}
