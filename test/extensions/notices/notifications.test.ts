/** Notifications to people: who is told what, where it goes, and when it stops. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { purchase } from '../../support/purchase.ts';
import { pushBrowser } from '../../support/pushBrowser.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { type SignedInUser, signInUser } from '../../support/signInUser.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type Reply, SHOP, type World } from '../../support/world.ts';

const NOTIFICATIONS = '/ap2/auth/notifications';

for (const engine of everyEngine()) {
  describe(`notifications, ${engine.name}`, () => {
    let world: World;
    let receiver: Receiver;
    let ada: SignedInUser;
    let places = 0;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_ALLOW_PRIVATE: 'true' });
      receiver = await startReceiver();
      ada = await signInUser(world, 'OWNER', 'Ada');
    });
    after(async () => {
      await receiver.close();
      await world.close();
    });

    const ok = (reply: Reply, status = 200): Loose => {
      assert.equal(reply.status, status, reply.text);
      return reply.body;
    };
    const of = async (who: SignedInUser): Promise<Loose> =>
      ok(await world.rest('GET', NOTIFICATIONS, undefined, who.headers));
    const add = (who: SignedInUser, body: object) =>
      world.rest('POST', NOTIFICATIONS, { name: 'phone', ...body }, who.headers);
    /** A place of its own, so that what arrives there is what this test sent. */
    const path = () => {
      places += 1;
      return `/place-${places}`;
    };
    const plain = async (more: object, who = ada): Promise<{ id: string; at: string }> => {
      const at = path();
      const { id } = ok(await add(who, { kind: 'plain', url: receiver.url + at, ...more }), 201);
      return { id, at };
    };
    const arrived = (at: string, count = 1): Promise<Received[]> =>
      receiver.wait(count, (received) => received.path === at);
    const remove = async (id: string, who = ada) =>
      assert.equal((await world.rest('DELETE', `${NOTIFICATIONS}/${id}`, undefined, who.headers)).status, 204);
    const newest = async (): Promise<Loose> => (await world.rest('GET', '/ap2/evidence/search?limit=1')).body.data[0];

    test('a browser is told that an agent is frozen, encrypted for it and signed by the node', async () => {
      const browser = pushBrowser();
      const endpoint = receiver.url + path();
      const { applicationServerKey } = await of(ada);
      const place = ok(await add(ada, { kind: 'webPush', endpoint, keys: browser.keys, about: ['agents'] }), 201);
      ok(await world.rest('POST', `/ap2/admin/agents/${world.agent.did}/suspend`));
      const [received] = await arrived(new URL(endpoint).pathname);
      const notice = browser.read(received as Received, applicationServerKey);
      assert.equal(notice.title, 'An agent is frozen');
      assert.equal(notice.path, `/agents/${encodeURIComponent(world.agent.did)}`);
      assert.equal(received?.headers.urgency, 'high');
      assert.equal(received?.headers.ttl, '86400');
      ok(await world.rest('POST', `/ap2/admin/agents/${world.agent.did}/reactivate`));
      await remove(place.id);
      assert.equal((await newest()).eventType, 'NOTIFICATIONS_REMOVED');
    });

    test('amounts and merchants are told to users who asked for them, and to no other', async () => {
      const quiet = await plain({ about: ['payments'] });
      const full = await plain({ about: ['payments'], details: true, token: 'tk_secret' });
      await purchase(world, 42.5);
      const [[told], [whole]] = await Promise.all([arrived(quiet.at), arrived(full.at)]);
      assert.doesNotMatch(String(told?.raw), /42[.]|USD|shop/);
      assert.match(String(whole?.raw), new RegExp(`paid 42\\.50 USD at ${SHOP.replace('.', '\\.')}\\.`));
      assert.equal(whole?.headers.title, 'A payment was made');
      assert.equal(whole?.headers.authorization, 'Bearer tk_secret');
      assert.match(String(whole?.headers.click), /\/console\/#\/payments\/pm_/);
      assert.equal(told?.headers.authorization, undefined);
      await remove(quiet.id);
      await remove(full.id);
    });

    test('payments below the amount that a person gave are not told, and those in another currency are', async () => {
      const { id, at } = await plain({
        about: ['payments'],
        paymentsFrom: { amount: 50, currency: 'USD' },
        details: true,
      });
      await purchase(world, 49.99);
      await purchase(world, 50);
      const [told] = await arrived(at);
      assert.match(String(told?.raw), /50\.00 USD/);
      const changed = { name: 'desk', about: ['payments'], paymentsFrom: { amount: 10, currency: 'EUR' } };
      const shown = ok(await world.rest('PUT', `${NOTIFICATIONS}/${id}`, changed, ada.headers));
      assert.deepEqual([shown.name, shown.details, shown.paymentsFrom], ['desk', false, changed.paymentsFrom]);
      await purchase(world, 1);
      assert.equal((await arrived(at, 2)).length, 2);
      await remove(id);
    });

    test('a browser that its push service no longer knows is removed, and evidence says so', async () => {
      const endpoint = receiver.url + path();
      ok(await add(ada, { kind: 'webPush', endpoint, keys: pushBrowser().keys, about: ['disputes'] }), 201);
      const [{ id }] = (await of(ada)).places;
      receiver.answer = (response) => void response.writeHead(410).end();
      const tried = ok(await world.rest('POST', `${NOTIFICATIONS}/${id}/try`, undefined, ada.headers));
      assert.deepEqual([tried.outcome, tried.status], ['failed', 410]);
      await until('the end of the place', async () => (await of(ada)).places.length === 0);
      receiver.answer = (response) => response.end('ok');
      const { eventType, data } = await newest();
      assert.deepEqual([eventType, data.reason, data.userId], ['NOTIFICATIONS_REMOVED', 'gone', ada.userId]);
      assert.doesNotMatch(JSON.stringify(data), /place-/, 'the path of such an address is a secret');
    });

    test('a person sees, changes and tries their own places alone, and no list of webhooks shows them', async () => {
      const bob = await signInUser(world, 'VIEWER', 'Bob');
      const { id, at } = await plain({ about: ['approvals'] });
      for (const [method, where, body] of [
        ['PUT', `${NOTIFICATIONS}/${id}`, { name: 'x', about: ['approvals'] }],
        ['DELETE', `${NOTIFICATIONS}/${id}`, undefined],
        ['POST', `${NOTIFICATIONS}/${id}/try`, undefined],
      ] as const) {
        assert.equal((await world.rest(method, where, body, bob.headers)).status, 404, `${method} ${where}`);
      }
      assert.deepEqual((await of(bob)).places, []);
      assert.equal((await world.rest('DELETE', `/ap2/admin/webhooks/${id}`)).status, 404);
      assert.doesNotMatch((await world.rest('GET', '/ap2/admin/webhooks')).text, new RegExp(id));
      ok(await world.rest('POST', `${NOTIFICATIONS}/${id}/try`, undefined, ada.headers));
      assert.match(String((await arrived(at))[0]?.raw), /trial/);
      const log = await world.rest('GET', `/ap2/admin/webhooks/logs?webhookId=${id}`);
      assert.deepEqual([log.body.logs.length, log.text.includes(at)], [1, false], 'who administers sees no address');
      await remove(id);
    });

    test('what is answered at a place is neither kept nor shown: the log is for others, and the address may be a stranger’s', async () => {
      const bob = await signInUser(world, 'VIEWER', 'Bob');
      receiver.answer = (response) => response.end('{"topic":"adas-secret-topic"}');
      const { id } = await plain({ about: ['approvals'] });
      const { id: bobs } = await plain({ about: ['approvals'] }, bob);
      const own = ok(await world.rest('POST', `${NOTIFICATIONS}/${id}/try`, undefined, ada.headers));
      const read = ok(await world.rest('POST', `${NOTIFICATIONS}/${bobs}/try`, undefined, bob.headers));
      const log = await world.rest('GET', `/ap2/admin/webhooks/logs?webhookId=${id}`);
      receiver.answer = (response) => response.end('ok');
      assert.deepEqual(
        [own.outcome, own.answer, read.outcome, read.answer],
        ['delivered', undefined, 'delivered', undefined],
      );
      assert.deepEqual([log.body.logs.length, log.text.includes('adas-secret-topic')], [1, false]);
      await remove(id);
      await remove(bobs, bob);
    });

    test('no user ends another’s notifications at an address by calling it a browser of theirs', async () => {
      const bob = await signInUser(world, 'VIEWER', 'Bob');
      const { id, at } = await plain({ about: ['approvals'] });
      const browser = { kind: 'webPush', endpoint: receiver.url + at, keys: pushBrowser().keys, about: ['approvals'] };
      ok(await add(bob, browser), 201);
      assert.deepEqual(
        (await of(ada)).places.map((place: Loose) => place.id),
        [id],
      );
      await remove(id);
    });

    test('a browser is of the user who signed in there last, and a removed user gets no further notifications', async () => {
      const bob = await signInUser(world, 'MEMBER', 'Bob');
      const browser = {
        kind: 'webPush',
        endpoint: receiver.url + path(),
        keys: pushBrowser().keys,
        about: ['payments'],
      };
      ok(await add(ada, browser), 201);
      ok(await add(bob, browser), 201);
      assert.deepEqual([(await of(ada)).places.length, (await of(bob)).places.length], [0, 1]);
      const { data } = ok(await world.rest('GET', '/ap2/evidence/search?eventType=NOTIFICATIONS_REMOVED&limit=1'));
      assert.deepEqual([data[0].data.userId, data[0].data.by.id], [ada.userId, bob.userId]);
      assert.equal((await world.rest('DELETE', `/ap2/admin/users/${bob.userId}`, undefined, ada.headers)).status, 204);
      const { at, id } = await plain({ about: ['payments'] });
      await purchase(world, 3);
      await arrived(at);
      assert.deepEqual(
        receiver.received.filter(({ path: to }) => browser.endpoint.endsWith(to)),
        [],
      );
      await remove(id);
    });

    test('what cannot be sent to is refused with what would be right', async () => {
      const { p256dh, auth } = pushBrowser().keys;
      const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
      const browser = { kind: 'webPush', endpoint: 'https://push.example/x', about: ['approvals'] };
      for (const [body, message] of [
        [{ ...browser, keys: { p256dh: offCurve, auth } }, /keys\.p256dh must be a point/],
        [{ ...browser, keys: { p256dh, auth: 'AAAA' } }, /keys\.auth must be 16 bytes/],
        [{ ...browser, keys: { p256dh, auth }, endpoint: 'ftp://push.example/x' }, /url/],
        [{ ...browser, keys: { p256dh, auth }, about: [] }, /about/],
        [{ kind: 'plain', url: 'https://ntfy.example/t', about: ['approvals'], token: 'a\r\nb' }, /token/],
      ] as const) {
        const refused = await add(ada, body);
        assert.equal(refused.status, 400, refused.text);
        assert.match(refused.text, message);
      }
      const key = await world.rest('GET', NOTIFICATIONS);
      assert.equal(key.status, 403, 'a key is no person');
    });

    test('no user has more than twenty places', async () => {
      const made: string[] = [];
      for (let index = 0; index < 20; index += 1) made.push((await plain({ about: ['disputes'] })).id);
      const more = await add(ada, { kind: 'plain', url: receiver.url + path(), about: ['disputes'] });
      assert.equal(more.status, 409);
      for (const id of made) await remove(id);
    });
  });
}
