/** What an owner does with webhooks: subscribe, try, read the log, send again, pause, rotate, delete. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { holdDeliveries } from '../../src/store/statements/webhooks/deliveries.ts';
import { lockWebhook } from '../../src/store/statements/webhooks/subscriptions.ts';
import { everyEngine } from '../support/engines.ts';
import { attempts, HOOKS, passMarker, subscribe } from '../support/hooks.ts';
import { isSigned, isSignedByStandard, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`the owner of webhooks on ${engine.name}`, () => {
    let world: World;
    let receiver: Receiver;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' });
      receiver = await startReceiver();
    });
    beforeEach(() => {
      receiver.answer = (response) => response.end('thanks');
    });
    after(async () => {
      await receiver.close();
      await world.close();
    });
    const at =
      (path: string) =>
      ({ path: own }: Received) =>
        own === path;

    test('subscribes with a secret that is made, shown once, and stored sealed', async () => {
      const made = await subscribe(world, `${receiver.url}/made`, [
        'agent.created',
        'agent.created',
        'payment.captured',
      ]);
      assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.deepEqual(made.events, ['payment.captured', 'agent.created'], 'each once, in the order of the list');
      assert.deepEqual(Object.keys(made), ['id', 'url', 'events', 'status', 'createdAt', 'secret']);
      const { body: shown } = await world.rest('GET', `${HOOKS}/${made.id}`);
      const { secret, ...rest } = made;
      assert.deepEqual(shown, { ...rest, waiting: { pending: 0, held: 0 } });
      const { body: listed } = await world.rest('GET', HOOKS);
      assert.deepEqual(listed.data[0], rest);
      const rows = await world.node.deps.store.read(function* () {
        const { rows } = yield { sql: 'SELECT * FROM webhooks', args: [] };
        return JSON.stringify(rows);
      });
      assert.ok(!rows.includes(secret) && rows.includes('v1.'));
      const evidence = (await world.rest('GET', '/ap2/evidence/export')).text;
      assert.ok(!evidence.includes(secret) && evidence.includes('WEBHOOK_CREATED'));
      await world.rest('DELETE', `${HOOKS}/${made.id}`);
    });

    test('is shown what was posted and answered, and how much waits while it is paused', async () => {
      const { id } = await subscribe(world, `${receiver.url}/shown`, ['agent.created']);
      await world.newAgent('Shown');
      const [log] = await attempts(world, id, 1);
      const { body: shown } = await world.rest('GET', `${HOOKS}/logs/${log.id}`);
      const { request, ...rest } = shown;
      assert.deepEqual(rest, log);
      assert.equal(request, receiver.received.find(at('/shown'))?.raw);
      await world.rest('PUT', `${HOOKS}/${id}`, { status: 'DISABLED' });
      await world.newAgent('Held');
      assert.deepEqual((await world.rest('GET', `${HOOKS}/${id}`)).body.waiting, { pending: 0, held: 1 });
      assert.equal((await world.rest('GET', `${HOOKS}/logs/whl_none`)).status, 404);
      await world.rest('DELETE', `${HOOKS}/${id}`);
    });

    test('gives a secret of its own, and the same answer to the same request', async () => {
      const secret = 'a secret of my own';
      const body = { url: `${receiver.url}/own`, events: ['agent.created'], secret, idempotencyKey: 'once' };
      const first = await world.rest('POST', HOOKS, body);
      const second = await world.rest('POST', HOOKS, body);
      assert.deepEqual(second.body, first.body);
      assert.equal(first.body.secret, secret);
      await world.newAgent();
      const [received] = await receiver.wait(1, at('/own'));
      assert.ok(isSigned(received as Received, secret));
      await world.rest('DELETE', `${HOOKS}/${first.body.id}`);
    });

    test('is told what is wrong with a subscription', async () => {
      const refused = async (body: object, path: string) => {
        const reply = await world.rest('POST', HOOKS, body);
        assert.equal(reply.status, 400, reply.text);
        assert.match(JSON.stringify(reply.body.error.details), new RegExp(`"${path}`));
      };
      const url = 'https://hooks.example.com/';
      await refused({ url, events: [] }, 'events');
      await refused({ url, events: ['payment.imagined'] }, 'events');
      await refused({ events: ['agent.created'] }, 'url');
      await refused({ url: 'ftp://hooks.example.com/', events: ['agent.created'] }, 'url');
      await refused({ url: 'https://me:pass@hooks.example.com/', events: ['agent.created'] }, 'url');
      await refused({ url, events: ['agent.created'], secret: 'short' }, 'secret');
      assert.equal((await world.rest('GET', `${HOOKS}/wh_none`)).status, 404);
      assert.equal((await world.rest('DELETE', `${HOOKS}/wh_none`)).status, 404);
    });

    test('tries a subscription with a signed sample, and hears how it went', async () => {
      const webhook = await subscribe(world, `${receiver.url}/try`, ['payment.captured']);
      const tried = await world.rest('POST', `${HOOKS}/${webhook.id}/test`);
      assert.equal(tried.status, 200, tried.text);
      assert.deepEqual([tried.body.status, tried.body.outcome, tried.body.answer], [200, 'delivered', 'thanks']);
      const [sample] = (await receiver.wait(1, at('/try'))) as [Received];
      assert.deepEqual([sample.event.type, sample.event.test], ['payment.captured', true]);
      assert.ok(isSigned(sample, webhook.secret) && isSignedByStandard(sample, webhook.secret));
      const other = await world.rest('POST', `${HOOKS}/${webhook.id}/test`, { event: 'policy.violation' });
      assert.equal(other.body.eventType, 'policy.violation');
      receiver.answer = (response) => response.writeHead(500).end('x'.repeat(3000));
      const failed = await world.rest('POST', `${HOOKS}/${webhook.id}/test`);
      assert.deepEqual([failed.body.status, failed.body.outcome, failed.body.error], [500, 'failed', 'status']);
      assert.equal(failed.body.answer, 'x'.repeat(1024), 'the first 1 KiB is kept');
      await passMarker(world, receiver);
      assert.equal(receiver.received.filter(at('/try')).length, 3, 'a sample is posted once');
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('reads in the log what became of an event, and has it sent again under the same id', async () => {
      const webhook = await subscribe(world, `${receiver.url}/log`, ['agent.created']);
      receiver.answer = (response) => response.writeHead(503).end('later');
      await world.newAgent();
      const logs = await attempts(world, webhook.id, 6);
      await passMarker(world, receiver);
      assert.equal((await attempts(world, webhook.id, 6)).length, 6, 'and no more');
      assert.deepEqual(
        logs.map(({ attempt }) => attempt),
        [1, 2, 3, 4, 5, 6],
      );
      assert.deepEqual(
        logs.map(({ outcome }) => outcome),
        [...Array(5).fill('retrying'), 'failed'],
      );
      const last = logs.at(-1);
      assert.match(last.id, /^whl_/);
      assert.deepEqual(
        [last.eventType, last.url, last.status, last.error, last.answer, last.webhookId],
        ['agent.created', `${receiver.url}/log`, 503, 'status', 'later', webhook.id],
      );
      assert.ok(Number.isInteger(last.duration) && Date.parse(last.deliveredAt) > 0);
      const { body: failing } = await world.rest('GET', `${HOOKS}/${webhook.id}`);
      assert.ok(Date.parse(failing.failingSince) <= Date.parse(last.deliveredAt));
      receiver.answer = (response) => response.end('thanks');
      const again = await world.rest('POST', `${HOOKS}/logs/${last.id}/resend`);
      assert.deepEqual([again.status, again.body.outcome, again.body.eventId], [200, 'delivered', last.eventId]);
      const posts = receiver.received.filter(at('/log'));
      assert.equal(posts.length, 7);
      assert.equal(new Set(posts.map(({ raw }) => raw)).size, 1, 'the same bytes each time');
      assert.equal((await world.rest('GET', `${HOOKS}/${webhook.id}`)).body.failingSince, undefined);
      const sample = await world.rest('POST', `${HOOKS}/${webhook.id}/test`);
      const several = await world.rest(
        'GET',
        `${HOOKS}/logs?eventId=${last.eventId},${sample.body.eventId},evt_none&limit=7`,
      );
      assert.deepEqual(
        several.body.logs.map(({ eventId }: Loose) => eventId),
        [sample.body.eventId, ...Array(6).fill(last.eventId)],
      );
      const rest = await world.rest('GET', `${HOOKS}/logs?eventId=${last.eventId}&cursor=${several.body.cursor}`);
      assert.deepEqual([rest.body.logs.length, several.body.hasMore], [1, true]);
      const paged = await world.rest('GET', `${HOOKS}/logs?limit=2`);
      assert.deepEqual([paged.body.logs.length, paged.body.hasMore], [2, true]);
      const next = await world.rest('GET', `${HOOKS}/logs?limit=2&cursor=${paged.body.cursor}`);
      assert.ok(next.body.logs[0].id < paged.body.logs[1].id);
      assert.equal((await world.rest('POST', `${HOOKS}/logs/whl_none/resend`)).status, 404);
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('pauses a subscription: its events are kept, and then delivered in their order, before newer ones', async () => {
      const webhook = await subscribe(world, `${receiver.url}/pause`, ['agent.created']);
      // The first attempt hangs until it is allowed to fail, with the subscription paused by then.
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      receiver.answer = (response) => void held.then(() => response.writeHead(500).end());
      const before = await world.newAgent();
      await receiver.wait(1, at('/pause'));
      const paused = await world.rest('PUT', `${HOOKS}/${webhook.id}`, { status: 'DISABLED' });
      assert.deepEqual([paused.body.status, paused.body.disabledReason], ['DISABLED', 'paused']);
      letGo();
      await attempts(world, webhook.id, 1);
      const made = [before];
      for (let agent = 0; agent < 9; agent++) made.push(await world.newAgent());
      assert.equal((await world.rest('POST', `${HOOKS}/${webhook.id}/test`)).status, 409);
      await passMarker(world, receiver);
      assert.equal(receiver.received.filter(at('/pause')).length, 1);
      // An answer that takes longer the earlier it comes: only posts that wait for each other keep their order.
      let patience = 100;
      receiver.answer = (response) => {
        patience = Math.max(0, patience - 12);
        setTimeout(() => response.end(), patience);
      };
      const resumed = await world.rest('PUT', `${HOOKS}/${webhook.id}`, { status: 'ACTIVE' });
      assert.deepEqual([resumed.body.status, resumed.body.disabledReason], ['ACTIVE', undefined]);
      made.push(await world.newAgent());
      const [, ...posts] = await receiver.wait(1 + made.length, at('/pause'));
      assert.deepEqual(
        posts.map(({ event }) => event.data.agentDid),
        made.map(({ did }) => did),
      );
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('refuses to try a paused subscription before its sample is stored', async (t) => {
      const webhook = await subscribe(world, `${receiver.url}/paused`, ['agent.created']);
      const store = world.node.deps.store as Loose;
      const { write } = store;
      const sent: string[] = [];
      store.write = (tenantId: string, script: (now: number) => Loose, ...rest: Loose[]) => {
        const recorded = function* (now: number): Loose {
          const steps = script(now);
          let step = steps.next();
          for (; !step.done; step = steps.next(yield step.value)) sent.push(JSON.stringify(step.value));
          return step.value;
        };
        return write.call(store, tenantId, recorded, ...rest);
      };
      t.after(() => {
        delete store.write;
      });
      const samples = () => sent.filter((step) => step.includes('INTO webhook_events')).length;
      assert.equal((await world.rest('POST', `${HOOKS}/${webhook.id}/test`)).status, 200);
      assert.equal(samples(), 1);
      await world.rest('PUT', `${HOOKS}/${webhook.id}`, { status: 'DISABLED' });
      const refused = await world.rest('POST', `${HOOKS}/${webhook.id}/test`);
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT']);
      assert.match(refused.body.error.message, /is disabled; activate it first/);
      assert.equal(samples(), 1);
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('resumes a subscription while a worker looks at it, and nothing stays held', async () => {
      const webhook = await subscribe(world, `${receiver.url}/race`, ['agent.created']);
      const { deps } = world.node;
      await world.rest('PUT', `${HOOKS}/${webhook.id}`, { status: 'DISABLED' });
      await world.newAgent();
      // A worker that takes its time between looking at the subscription and holding what is pending.
      let resumed: Promise<unknown> = Promise.resolve();
      const slow = deps.store.write('webhook outbox', function* () {
        const row = yield* lockWebhook(deps.store.engine, webhook.id);
        assert.equal(row?.status, 'DISABLED');
        resumed = world.rest('PUT', `${HOOKS}/${webhook.id}`, { status: 'ACTIVE' });
        if (deps.store.engine === 'postgres') yield { sql: 'SELECT pg_sleep(0.5)', args: [] };
        yield* holdDeliveries(webhook.id);
      });
      await Promise.all([slow, resumed]);
      await receiver.wait(1, at('/race'));
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('with a secret that the node cannot read gets nothing, is told why, and delays no other subscription', async () => {
      const broken = await subscribe(world, `${receiver.url}/broken`, ['agent.created']);
      const other = await subscribe(world, `${receiver.url}/other`, ['agent.created']);
      await world.node.deps.store.write(world.node.tenantId, function* () {
        yield { sql: 'UPDATE webhooks SET secret = ? WHERE id = ?', args: ['unreadable', broken.id] };
      });
      await world.newAgent();
      await world.newAgent();
      await receiver.wait(2, at('/other'));
      const [first] = await attempts(world, broken.id, 12);
      assert.deepEqual([first?.status, first?.error, first?.outcome], [0, 'secret', 'retrying']);
      assert.equal(receiver.received.filter(at('/broken')).length, 0);
      assert.ok((await world.rest('GET', `${HOOKS}/${broken.id}`)).body.failingSince !== undefined);
      for (const { id } of [broken, other]) await world.rest('DELETE', `${HOOKS}/${id}`);
    });

    test('sees an endpoint as reached once a post has arrived, also of deliveries that were leased before it failed', async () => {
      const webhook = await subscribe(world, `${receiver.url}/health`, ['agent.created']);
      // Both are leased while the endpoint is well; one fails at once, the other arrives after that is recorded.
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      let posts = 0;
      receiver.answer = (response) => {
        posts += 1;
        if (posts === 1) void held.then(() => response.end());
        else response.writeHead(500).end();
      };
      await world.newAgent();
      await receiver.wait(1, at('/health'));
      await world.newAgent();
      await attempts(world, webhook.id, 6);
      assert.ok((await world.rest('GET', `${HOOKS}/${webhook.id}`)).body.failingSince !== undefined);
      letGo();
      await attempts(world, webhook.id, 7);
      assert.equal((await world.rest('GET', `${HOOKS}/${webhook.id}`)).body.failingSince, undefined);
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('changes address and events, and from then on only those are posted there', async () => {
      const webhook = await subscribe(world, `${receiver.url}/old`, ['agent.created']);
      const change = { url: `${receiver.url}/new`, events: ['intent.denied', 'agent.revoked'] };
      const { body: changed } = await world.rest('PUT', `${HOOKS}/${webhook.id}`, change);
      assert.deepEqual([changed.url, changed.events], [change.url, change.events]);
      const agent = await world.newAgent();
      await world.rest('POST', `/ap2/admin/agents/${agent.did}/revoke`, { reason: 'test' });
      const [received] = await receiver.wait(1, at('/new'));
      assert.equal(received?.event.type, 'agent.revoked');
      assert.equal(receiver.received.filter(at('/old')).length, 0);
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('rotates a secret: for a day both sign', async () => {
      const webhook = await subscribe(world, `${receiver.url}/rotate`, ['agent.created']);
      const rotated = (await world.rest('POST', `${HOOKS}/${webhook.id}/rotate-secret`)).body;
      assert.notEqual(rotated.secret, webhook.secret);
      const hours = (Date.parse(rotated.previousSecretUntil) - Date.now()) / 3_600_000;
      assert.ok(hours > 23.9 && hours <= 24);
      await world.newAgent();
      const [both] = (await receiver.wait(1, at('/rotate'))) as [Received];
      assert.ok(isSigned(both, rotated.secret));
      assert.ok(isSigned(both, webhook.secret, 'x-service-signature-previous'));
      for (const { secret } of [rotated, webhook]) assert.ok(isSignedByStandard(both, secret));
      await world.node.deps.store.write(world.node.tenantId, function* () {
        yield { sql: 'UPDATE webhooks SET previous_until = ? WHERE id = ?', args: [Date.now() - 1, webhook.id] };
      });
      await world.newAgent();
      const [, one] = (await receiver.wait(2, at('/rotate'))) as [Received, Received];
      assert.ok(isSignedByStandard(one, rotated.secret) && !isSignedByStandard(one, webhook.secret));
      assert.equal(one.headers['x-service-signature-previous'], undefined);
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('rotates a secret three times within a day: the last three sign, and the first ends', async () => {
      const webhook = await subscribe(world, `${receiver.url}/thrice`, ['agent.created']);
      const secrets = [webhook.secret];
      for (let times = 0; times < 3; times += 1) {
        if (times === 2) {
          await world.newAgent();
          const [three] = (await receiver.wait(1, at('/thrice'))) as [Received];
          for (const secret of secrets) assert.ok(isSignedByStandard(three, secret));
          assert.equal(String(three.headers['x-service-signature-previous']).split(', ').length, 2);
        }
        secrets.push((await world.rest('POST', `${HOOKS}/${webhook.id}/rotate-secret`)).body.secret);
      }
      await world.newAgent();
      const [, last] = (await receiver.wait(2, at('/thrice'))) as [Received, Received];
      assert.deepEqual(
        secrets.map((secret) => isSignedByStandard(last, secret)),
        [false, true, true, true],
      );
      await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
    });

    test('takes a secret that begins with whsec_ as padded base64 of 24 to 64 bytes alone', async () => {
      const base = { url: `${receiver.url}/secret`, events: ['agent.created'] };
      const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
      for (const secret of ['whsec_not base64!', 'whsec_', of(23), of(65), of(25).replace(/=+$/, ''), `${of(24)}\n`]) {
        const { status, body } = await world.rest('POST', HOOKS, { ...base, secret });
        assert.equal(status, 400, secret);
        assert.equal(body.error.details[0].path, 'secret');
      }
      for (const secret of ['a plain text of mine', of(24), of(64), of(25)]) {
        const { status, body } = await world.rest('POST', HOOKS, { ...base, secret });
        assert.equal(status, 201, secret);
        assert.equal(
          (await world.rest('POST', `${HOOKS}/${body.id}/rotate-secret`, { secret: 'whsec_x' })).status,
          400,
        );
        await world.rest('DELETE', `${HOOKS}/${body.id}`);
      }
    });

    test('finds no subscription disabled by the node: a 410 is retried, and five days of failures are flagged', async () => {
      const gone = await subscribe(world, `${receiver.url}/gone`, ['agent.created']);
      receiver.answer = (response) => response.writeHead(410).end();
      await world.newAgent();
      await receiver.wait(3, at('/gone'));
      const shown = async ({ id }: Loose): Promise<Loose> => (await world.rest('GET', `${HOOKS}/${id}`)).body;
      assert.deepEqual([(await shown(gone)).status, (await shown(gone)).attention], ['ACTIVE', undefined]);
      await world.rest('DELETE', `${HOOKS}/${gone.id}`);

      const failing = await subscribe(world, `${receiver.url}/failing`, ['agent.created']);
      receiver.answer = (response) => response.writeHead(500).end();
      const since = Date.now() - 5 * 24 * 3600 * 1000 - 1000;
      await world.node.deps.store.write(world.node.tenantId, function* () {
        yield { sql: 'UPDATE webhooks SET failing_since = ? WHERE id = ?', args: [since, failing.id] };
      });
      await world.newAgent();
      await receiver.wait(2, at('/failing'));
      const { status, attention, disabledReason } = await shown(failing);
      assert.deepEqual([status, attention, disabledReason], ['ACTIVE', 'failing', undefined]);
      assert.match((await world.rest('GET', '/metrics')).text, /countersign_webhooks_failing 1\b/);
      receiver.answer = (response) => response.end();
      await world.newAgent();
      await until('it is reached again', async () => (await shown(failing)).attention === undefined);
      await world.rest('DELETE', `${HOOKS}/${failing.id}`);
    });

    test('deletes a subscription and with it what was still to be delivered; the log stays', async () => {
      const webhook = await subscribe(world, `${receiver.url}/delete`, ['agent.created']);
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      receiver.answer = (response) => void held.then(() => response.writeHead(500).end());
      await world.newAgent();
      await receiver.wait(1, at('/delete'));
      const { waiting } = (await world.rest('GET', `${HOOKS}/${webhook.id}`)).body;
      assert.deepEqual(waiting, { pending: 1, held: 0 }, 'a delivery under way has not arrived');
      assert.equal((await world.rest('DELETE', `${HOOKS}/${webhook.id}`)).status, 204);
      letGo();
      await attempts(world, webhook.id, 1);
      await world.newAgent();
      await passMarker(world, receiver);
      assert.equal(receiver.received.filter(at('/delete')).length, 1);
      assert.equal((await attempts(world, webhook.id, 1)).length, 1);
    });

    test('follows events as they happen, without any subscription', async () => {
      const tail = async (query = '') => (await world.rest('GET', `/ap2/admin/events${query}`)).body;
      const start = await tail();
      assert.deepEqual(start.events, []);
      assert.equal(start.secret, undefined, 'what signs is a call of its own');
      const secret = async () => (await world.rest('POST', '/ap2/admin/events/secret', {})).body.secret;
      assert.match(await secret(), /^whsec_/);
      assert.equal(await secret(), await secret(), 'the secret stays the same');
      const waiting = tail(`?cursor=${start.cursor}&wait=10`);
      // By then the node has the request and waits.
      await pause(150);
      const agent = await world.newAgent();
      const { events, cursor } = await waiting;
      assert.deepEqual(
        events.map(({ type, data }: Loose) => [type, data.agentDid]),
        [['agent.created', agent.did]],
      );
      assert.deepEqual((await tail(`?cursor=${cursor}`)).events, []);
      await world.rest('POST', '/ap2/admin/reset-test-data');
      await world.newAgent();
      assert.deepEqual(
        (await tail(`?cursor=${cursor}`)).events.map(({ type }: Loose) => type),
        ['agent.created'],
        'a chain that was cleared is followed anew',
      );
      assert.equal((await world.rest('GET', '/ap2/admin/events?cursor=nonsense')).status, 400);
    });
  });
}
