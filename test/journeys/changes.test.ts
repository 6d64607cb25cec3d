/** The stream of changes: told to every role as far as it may know, gone on with where it broke, ended with its caller. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type Change, followChanges } from '../../client/index.ts';
import { person } from '../support/credentials.ts';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof } from '../support/peer.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

const NO_REQUEST = { method: 'GET', path: '/', body: '' };
const PATH = '/ap2/admin/events/stream';

/** A stream as it came so far. */
interface Heard {
  readonly status: number;
  text: string;
  over: boolean;
  close(): void;
}

async function listen(address: string, headers: Record<string, string>, query = ''): Promise<Heard> {
  const stop = new AbortController();
  const response = await fetch(`${address}${PATH}${query}`, { headers, signal: stop.signal });
  const heard: Heard = { status: response.status, text: '', over: false, close: () => stop.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    const pieces = response.body as unknown as AsyncIterable<Uint8Array>;
    for await (const piece of pieces) heard.text += decoder.decode(piece, { stream: true });
  };
  void read()
    .catch(() => {})
    .finally(() => {
      heard.over = true;
    });
  await until('the first words', async () => heard.text !== '');
  return heard;
}

const idsIn = ({ text }: Heard) => [...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => String(id));

for (const engine of everyEngine()) {
  describe(`the stream of changes, ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());
    const admin = { Authorization: `Bearer ${ADMIN_KEY}` };
    const buy = () => world.rest('POST', '/ap2/intents', world.intentBody(1));

    test('a VIEWER learns the types, and who may administer the events as well', async () => {
      const viewer = await listen(world.node.address, await person(world, 'VIEWER', 0).headers(NO_REQUEST));
      const owner = await listen(world.node.address, admin);
      await buy();
      for (const heard of [viewer, owner]) await until('the intent', async () => /INTENT_ISSUED/.test(heard.text));
      assert.doesNotMatch(viewer.text, /mandateId|did:key/);
      assert.match(owner.text, /"intent\.issued".*did:key/);
      viewer.close();
      owner.close();
    });

    test('what is committed on one node is told by another', async () => {
      const other = await world.another();
      const heard = await listen(other.address, admin);
      await buy();
      await until('the intent', async () => /INTENT_ISSUED/.test(heard.text));
      heard.close();
      await other.stop();
    });

    test('it goes on after the last event that the listener names, by the header or the query', async () => {
      const heard = await listen(world.node.address, admin);
      const [first] = idsIn(heard);
      heard.close();
      await buy();
      const byHeader = await listen(world.node.address, { ...admin, 'Last-Event-ID': String(first) });
      const byQuery = await listen(world.node.address, admin, `?cursor=${first}`);
      for (const each of [byHeader, byQuery]) {
        await until('what was missed', async () => /INTENT_ISSUED/.test(each.text));
        each.close();
      }
      const wrong = await fetch(`${world.node.address}${PATH}`, { headers: { ...admin, 'Last-Event-ID': 'x' } });
      assert.equal(wrong.status, 400);
      await wrong.body?.cancel();
    });

    test('it ends with the login, with the key, and for who may do less than before', async () => {
      const headers = await person(world, 'OWNER', 0).headers(NO_REQUEST);
      const mine = await listen(world.node.address, headers);
      await world.rest('POST', '/ap2/auth/logout', undefined, headers);
      await until('the end of a stream whose login ended', async () => mine.over);
      const key = await world.rest('POST', '/ap2/admin/api-keys', { name: 'listens', permissions: ['read'] });
      const theirs = await listen(world.node.address, { Authorization: `Bearer ${key.body.key}` });
      await world.rest('DELETE', `/ap2/admin/api-keys/${key.body.id}`);
      await until('the end of a stream whose key was revoked', async () => theirs.over);
      assert.doesNotMatch(theirs.text, /KEY_REVOKED/, 'nothing is told after it');
      const member = await person(world, 'ADMIN', 0).headers(NO_REQUEST);
      const demoted = await listen(world.node.address, member);
      const { userId } = (await world.rest('GET', '/ap2/auth/me', undefined, member)).body;
      const owner = await person(world, 'OWNER', 0).headers(NO_REQUEST);
      await world.rest('PUT', `/ap2/admin/users/${userId}`, { role: 'VIEWER' }, owner);
      await until('the end of a stream of who may do less', async () => demoted.over);
      const maker = await person(world, 'ADMIN', 0).headers(NO_REQUEST);
      const { userId: makerId } = (await world.rest('GET', '/ap2/auth/me', undefined, maker)).body;
      const body = { name: 'listens for them', permissions: ['read', 'admin'] };
      const made = await world.rest('POST', '/ap2/admin/api-keys', body, maker);
      const byKey = await listen(world.node.address, { Authorization: `Bearer ${made.body.key}` });
      await world.rest('PUT', `/ap2/admin/users/${makerId}`, { role: 'VIEWER' }, owner);
      await until('the end of a stream of a key whose maker may do less', async () => byKey.over);
      assert.doesNotMatch(byKey.text, /USER_ROLE_CHANGED/, 'nothing is told after it');
    });

    test('a caller that is revoked while it waits for an event gets neither the event nor the secret that signs it', async () => {
      const key = await world.rest('POST', '/ap2/admin/api-keys', { name: 'waits', permissions: ['admin'] });
      const headers = { Authorization: `Bearer ${key.body.key}` };
      const { cursor } = (await world.rest('GET', '/ap2/admin/events', undefined, headers)).body;
      const waiting = world.rest('GET', `/ap2/admin/events?wait=20&cursor=${cursor}`, undefined, headers);
      // It has begun to wait once its use is counted.
      await until('the wait', async () => world.node.deps.access.keyUse.lastUsedAt(key.body.id) !== undefined);
      await world.rest('DELETE', `/ap2/admin/api-keys/${key.body.id}`);
      await buy();
      const told = await waiting;
      assert.equal(told.status, 401, told.text);
      assert.doesNotMatch(told.text, /intent\.issued|secret/);
    });

    test('a caller has so many open and no more, until one is closed', async () => {
      const made = await world.rest('POST', '/ap2/admin/api-keys', { name: 'opens', permissions: ['read'] });
      const headers = { Authorization: `Bearer ${made.body.key}` };
      const open = await Promise.all(Array.from({ length: 20 }, () => listen(world.node.address, headers)));
      const status = async () => {
        const answer = await fetch(`${world.node.address}${PATH}`, { headers });
        await answer.body?.cancel();
        return answer.status;
      };
      assert.equal(await status(), 429);
      open[0]?.close();
      await until('room for another', async () => (await status()) === 200);
      for (const each of open) each.close();
    });

    test('a caller that asks for many at once has so many open and no more', async () => {
      const made = await world.rest('POST', '/ap2/admin/api-keys', { name: 'opens many', permissions: ['read'] });
      const headers = { Authorization: `Bearer ${made.body.key}` };
      const stop = new AbortController();
      const asked = Array.from({ length: 60 }, () =>
        fetch(`${world.node.address}${PATH}`, { headers, signal: stop.signal }),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 20, `${statuses}`);
      stop.abort();
    });

    test('an agent, and a key that is bound to one, are told nothing', async () => {
      const proof = makeDidProof(world.agent, { baseUrl: world.node.baseUrl, method: 'GET', path: PATH, body: '' });
      const bound = { name: 'bound', permissions: ['read'], agents: [world.agent.did] };
      const key = await world.rest('POST', '/ap2/admin/api-keys', bound);
      for (const headers of [{ 'X-DID-Proof': proof }, { Authorization: `Bearer ${key.body.key}` }]) {
        const refused = await fetch(`${world.node.address}${PATH}`, { headers });
        assert.equal(refused.status, 403);
        await refused.body?.cancel();
      }
    });

    test('the client goes on where a connection broke, and misses nothing', async () => {
      const proxy = await cuttingProxy(world.node.address);
      const stop = new AbortController();
      const seen: Change[] = [];
      const options = { baseUrl: proxy.url, credential: { apiKey: ADMIN_KEY } };
      const following = (async () => {
        for await (const change of followChanges(options, {}, { signal: stop.signal })) seen.push(change);
      })().catch((error: unknown) => error);
      const intents = () => seen.flatMap(({ events = [] }) => events).filter(({ type }) => type === 'intent.issued');
      await until('the beginning', async () => seen.length > 0);
      for (let bought = 1; bought <= 3; bought++) {
        proxy.cut();
        await buy();
        await until(`intent ${bought}`, async () => intents().length >= bought);
      }
      assert.equal(new Set(intents().map(({ id }) => id)).size, intents().length, 'nor hears anything twice');
      stop.abort(new Error('enough'));
      assert.match(String(await following), /enough/);
      await proxy.close();
    });
  });
}

/** A proxy that cuts what goes through it. */
async function cuttingProxy(address: string): Promise<{ url: string; cut(): void; close(): Promise<void> }> {
  const open = new Set<AbortController>();
  const server: Server = createServer(async (request, response) => {
    const cut = new AbortController();
    open.add(cut);
    cut.signal.addEventListener('abort', () => response.destroy());
    const headers = { authorization: String(request.headers.authorization) };
    try {
      const answer = await fetch(`${address}${request.url}`, { headers, signal: cut.signal });
      response.writeHead(answer.status, { 'Content-Type': String(answer.headers.get('content-type')) });
      for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) response.write(piece);
      response.end();
    } catch {
      response.destroy();
    } finally {
      open.delete(cut);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    cut() {
      for (const each of open) each.abort();
    },
    close: () =>
      new Promise((resolve) => {
        for (const each of open) each.abort();
        server.close(() => resolve());
      }),
  };
}
