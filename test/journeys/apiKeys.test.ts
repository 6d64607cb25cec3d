/** The life of an API key, over REST and by the command line, with a node running and without. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { readConfig } from '../../src/node/config/config.ts';
import { startNode } from '../../src/node/startNode.ts';
import { findApiKeyByHash } from '../../src/store/statements/callers/apiKeys.ts';
import { all } from '../../src/store/store.ts';
import { storeKeyUse } from '../../src/workers/accessRecords.ts';
import { everyEngine } from '../support/engines.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';

const KEYS = '/ap2/admin/api-keys';
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Runs the program as a user does. @returns what it printed, JSON parsed */
async function countersign(args: string[], env: Record<string, string>): Promise<Loose> {
  const variables = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'silent', ...env };
  const run = promisify(execFile)(process.execPath, ['bin/countersign.js', 'key', ...args], { env: variables });
  const { stdout } = await run;
  return args.includes('--json') ? JSON.parse(stdout) : stdout;
}

for (const engine of everyEngine()) {
  describe(`API keys on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());
    const create = (body: object, headers?: Record<string, string>) => world.rest('POST', KEYS, body, headers);
    const listed = async (id: string) => {
      const keys = await world.rest('GET', `${KEYS}?limit=200`);
      return keys.body.data.find((key: Loose) => key.id === id);
    };

    test('a key is shown once, may what it was made for, and is refused the moment it is revoked', async () => {
      const made = await create({ name: 'reader', permissions: ['read'] });
      assert.equal(made.status, 201, made.text);
      const { id, key, createdAt, ...rest } = made.body;
      assert.match(id, /^key_[0-9a-hjkmnp-tv-z]{26}$/);
      assert.match(key, /^ak_test_[0-9A-Za-z]{32}$/);
      assert.ok(Date.parse(createdAt));
      assert.deepEqual(rest, { name: 'reader', permissions: ['read'], tier: 'free' });
      assert.equal((await world.rest('GET', KEYS)).text.includes(key), false);
      assert.equal((await listed(id)).prefix, key.slice(0, 12));

      assert.equal((await world.rest('GET', '/ap2/agents', undefined, bearer(key))).status, 200);
      assert.equal((await world.rest('GET', KEYS, undefined, bearer(key))).status, 403);
      assert.equal((await world.rest('POST', '/ap2/intents', world.intentBody(1), bearer(key))).status, 403);
      assert.equal((await world.rest('DELETE', `${KEYS}/${id}`)).status, 204);
      const refused = await world.rest('GET', '/ap2/agents', undefined, bearer(key));
      assert.equal(refused.status, 401);
      assert.equal(refused.body.error.code, 'INVALID_API_KEY');
      assert.ok((await listed(id)).revokedAt);
    });

    test('making and revoking leave one event each, without the key', async () => {
      const made = await create({ name: 'eventful', permissions: ['write', 'read', 'write'], tier: 'pro' });
      assert.deepEqual(made.body.permissions, ['read', 'write']);
      for (let round = 0; round < 2; round++) {
        assert.equal((await world.rest('DELETE', `${KEYS}/${made.body.id}`)).status, 204);
      }
      const found = await world.rest('GET', '/ap2/evidence/export');
      const events = found.body.events.filter((event: Loose) => event.data.keyId === made.body.id);
      assert.deepEqual(
        events.map((event: Loose) => event.eventType),
        ['KEY_CREATED', 'KEY_REVOKED'],
      );
      assert.equal(found.text.includes(made.body.key), false);
    });

    test('what a key makes has at most its own permissions and tier', async () => {
      const { key } = (await create({ name: 'maker', permissions: ['read', 'admin'], tier: 'pro' })).body;
      const make = (body: object) => create({ name: 'made', ...body }, bearer(key));
      const more = await make({ permissions: ['read', 'write'] });
      assert.equal(more.status, 403, more.text);
      assert.match(more.body.error.message, /may not write/);
      const faster = await make({ permissions: ['read'], tier: 'enterprise' });
      assert.equal(faster.status, 403, faster.text);
      assert.match(faster.body.error.message, /tier pro/);
      for (const tier of ['free', 'pro']) assert.equal((await make({ permissions: ['admin'], tier })).status, 201);
    });

    test('what a key made ends with it: keys of every generation, and links that were not used yet', async () => {
      const all = { permissions: ['read', 'write', 'admin'] };
      const made = async (name: string, by = ADMIN_KEY) => (await create({ name, ...all }, bearer(by))).body;
      const maker = await made('maker');
      const child = await made('child', maker.key);
      const grandchild = await made('grandchild', child.key);
      const stranger = await made('stranger');
      const link = async (key: string) => {
        const body = { agentDid: world.agent.did };
        const { url } = (await world.rest('POST', '/ap2/admin/enrollments', body, bearer(key))).body;
        return `${new URL(url).pathname}/link`;
      };
      const links = [await link(maker.key), await link(grandchild.key), await link(stranger.key)];
      assert.equal((await world.rest('DELETE', `${KEYS}/${maker.id}`)).status, 204);
      const statusOf = async ({ key }: Loose) => (await world.rest('GET', KEYS, undefined, bearer(key))).status;
      for (const key of [maker, child, grandchild]) assert.equal(await statusOf(key), 401);
      assert.equal(await statusOf(stranger), 200);
      const opened = await Promise.all(
        links.map(async (each) => (await world.rest('GET', each, undefined, {})).status),
      );
      assert.deepEqual(opened, [404, 404, 200]);
      const { data } = (await world.rest('GET', '/ap2/evidence/search?eventType=KEY_REVOKED&limit=3')).body;
      assert.deepEqual(
        data.map((event: Loose) => [event.data.keyId, event.data.endedWith]),
        [
          [grandchild.id, maker.id],
          [child.id, maker.id],
          [maker.id, undefined],
        ],
      );
      assert.equal(data[2].data.withdrawnEnrollments.length, 2);
    });

    test('the same request under one idempotency key makes one key, and its answer lies sealed', async () => {
      const headers = { ...bearer(ADMIN_KEY), 'Idempotency-Key': 'one key please' };
      const body = { name: 'once', permissions: ['read'] };
      const [one, two] = [await create(body, headers), await create(body, headers)];
      assert.equal(one.status, 201, one.text);
      assert.equal(one.text, two.text);
      const kept = await world.node.deps.store.read(() =>
        all<{ answer: string }>('SELECT answer FROM requests WHERE request_key = ?', 'one key please'),
      );
      assert.equal(kept.length, 1);
      assert.match(kept[0]?.answer ?? '', /^v1\.[\w-]+$/);
      assert.equal((await create({ ...body, name: 'other' }, headers)).status, 409);
    });

    test('when it was last used is known at once and written later, without a write at each request', async () => {
      const { id, key } = (await create({ name: 'used', permissions: ['read'] })).body;
      assert.equal((await listed(id)).lastUsedAt, null);
      const before = world.node.deps.store.stats().commits;
      for (let i = 0; i < 5; i++) await world.rest('GET', '/ap2/agents', undefined, bearer(key));
      assert.ok(world.node.deps.store.stats().commits - before < 5);
      assert.ok(Date.parse((await listed(id)).lastUsedAt) > Date.now() - 10_000);
      await storeKeyUse(world.node.deps);
      const row = await world.node.deps.store.read(() => findApiKeyByHash(world.node.deps.hashToken(key)));
      assert.ok(Number(row?.last_used_at) > Date.now() - 10_000);
    });

    test('a key without a name, permissions or a known tier is not made, and an unknown one not revoked', async () => {
      const wrong = [
        {},
        { name: '', permissions: ['read'] },
        { name: 'x' },
        { name: 'x', permissions: [] },
        { name: 'x', permissions: ['root'] },
        { name: 'x', permissions: ['read'], tier: 'gold' },
      ];
      for (const body of wrong) assert.equal((await create(body)).status, 400, JSON.stringify(body));
      assert.equal((await world.rest('DELETE', `${KEYS}/key_unknown`)).status, 404);
    });

    test('who calls with a key is told so, may log out to no effect, and login says how to configure it', async () => {
      const me = await world.rest('GET', '/ap2/auth/me');
      assert.equal(me.body.did, world.node.deps.issuer.did);
      assert.equal(me.body.email, null);
      assert.equal(me.body.tenantId, world.node.tenantId);
      assert.equal((await world.rest('POST', '/ap2/auth/logout')).status, 204);
      assert.equal((await world.rest('GET', '/ap2/auth/me')).status, 200);
      const login = await world.rest('GET', '/ap2/auth/login', undefined, {});
      assert.equal(login.status, 503);
      assert.match(login.body.error.message, /OIDC_ISSUER/);
      assert.equal((await world.rest('GET', '/ap2/auth/callback?code=x', undefined, {})).status, 503);
    });

    if (engine.name !== 'sqlite') return; // the command line sees the facade, not the engine
    test('the command line makes, lists and revokes keys of a running node', async () => {
      const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
      const made = await countersign(['create', '--name', 'cli', '--permissions', 'read, write', '--json'], env);
      assert.deepEqual(made.permissions, ['read', 'write']);
      assert.equal((await world.rest('GET', '/ap2/agents', undefined, bearer(made.key))).status, 200);
      const known = await countersign(['list', '--json'], env);
      assert.ok(known.some((key: Loose) => key.id === made.id));
      const alone = await countersign(['revoke', made.id], env);
      assert.match(alone, /is revoked\. It made no other keys\./);
      assert.equal((await world.rest('GET', '/ap2/agents', undefined, bearer(made.key))).status, 401);
      const parent = await countersign(['create', '--name', 'p', '--permissions', 'read,admin', '--json'], env);
      const asParent = { ...env, COUNTERSIGN_API_KEY: parent.key };
      for (const name of ['one', 'two']) await countersign(['create', '--name', name], asParent);
      const revoked = await countersign(['revoke', parent.id], env);
      assert.match(revoked, /is revoked, and with it 2 keys that it made/);
      await assert.rejects(countersign(['revoke', 'key_unknown'], env), /NOT_FOUND/);
      await assert.rejects(countersign(['list'], { COUNTERSIGN_URL: world.node.address }), /COUNTERSIGN_API_KEY/);
    });
  });
}

test('the command line works on a data folder, served or not, and what it did holds at once', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'countersign-keys-'));
  const config = readConfig({ DATA_DIR, PORT: '0', LOG_LEVEL: 'silent' });
  try {
    await assert.rejects(countersign(['list'], { DATA_DIR }), /No node was started/);
    const node = await startNode(config);
    const ask = (path: string, key: string) => fetch(node.address + path, { headers: bearer(key) });
    const made = await countersign(['create', '--name', 'offline', '--permissions', 'admin,read', '--json'], {
      DATA_DIR,
    });
    assert.equal((await ask(KEYS, made.key)).status, 200);
    const verified = (await (await ask('/ap2/evidence/verify', made.key)).json()) as Loose;
    assert.equal(verified.valid, true, 'two processes wrote to one chain');
    await node.stop();

    const listed = await countersign(['list', '--json'], { DATA_DIR });
    assert.ok(listed.find((key: Loose) => key.id === made.id).lastUsedAt, 'written at the stop');
    await countersign(['revoke', made.id], { DATA_DIR });
    const again = await startNode(config);
    const refused = await fetch(again.address + KEYS, { headers: bearer(made.key) });
    await again.stop();
    assert.equal(refused.status, 401);
  } finally {
    await rm(DATA_DIR, { recursive: true, force: true });
  }
});
