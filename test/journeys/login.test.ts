/** People log in through a real identity provider, act by their role, and are out the moment they should be. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { logIn, openBrowser, reachCallback } from '../support/browser.ts';
import { freePort } from '../support/child.ts';
import { everyEngine } from '../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identityProvider.ts';
import { touches } from '../support/touch.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`logins on ${engine.name}`, () => {
    let world: World;
    let provider: IdentityProvider;
    before(async () => {
      const port = String(await freePort());
      provider = await startIdentityProvider(`http://localhost:${port}/ap2/auth/callback`);
      world = await makeWorld(engine, { ...provider.env, PORT: port });
    });
    after(async () => {
      await world.close();
      await provider.stop();
    });
    const touch = touches(() => world);
    /** A user who has logged in, and touched a passkey. */
    const as = async (person: string) => {
      provider.person = person;
      const entered = await logIn(world);
      await touch(person, entered.headers);
      return entered;
    };
    const refresh = (browser: ReturnType<typeof openBrowser>) =>
      browser.visit(`${world.node.baseUrl}/ap2/auth/refresh`, { method: 'POST' });
    const userOf = async (email: string) => {
      const users = await world.rest('GET', '/ap2/admin/users');
      return users.body.data.find((user: Loose) => user.email === email);
    };

    test('the first person is OWNER, may govern, and is out at once after logging out', async () => {
      const alice = await as('alice');
      const me = await world.rest('GET', '/ap2/auth/me', undefined, alice.headers);
      assert.equal(me.status, 200, me.text);
      assert.equal(me.body.role, 'OWNER');
      assert.equal(me.body.email, 'alice@people.example');
      assert.match(me.body.did, /^did:key:z6Mk/);
      assert.notEqual(me.body.did, world.node.deps.issuer.did);
      const made = await world.rest('POST', '/ap2/admin/merchants', merchant(world), alice.headers);
      assert.equal(made.status, 201, made.text);
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(5), alice.headers);
      assert.equal(intent.body.allowed, true, intent.text);

      const out = await alice.browser.visit(`${world.node.baseUrl}/ap2/auth/logout`, {
        method: 'POST',
        headers: alice.headers,
      });
      assert.equal(out.status, 204);
      assert.match(out.headers.get('set-cookie') ?? '', /countersign_refresh=;.*expires=Thu, 01 Jan 1970/);
      const refused = await world.rest('GET', '/ap2/auth/me', undefined, alice.headers);
      assert.equal(refused.status, 401);
      assert.equal(refused.body.error.code, 'UNAUTHORIZED');
      assert.equal((await world.rest('POST', '/ap2/auth/logout', undefined, alice.headers)).status, 401);
    });

    test('a refresh token of a login that was ended gives nothing any more', async () => {
      const alice = await as('alice');
      await world.rest('POST', '/ap2/auth/logout', undefined, alice.headers);
      assert.equal((await refresh(alice.browser)).status, 401);
    });

    test('a login is the same user each time, by what the provider calls them', async () => {
      const dids = [];
      for (let round = 0; round < 2; round++) {
        const alice = await as('alice');
        dids.push((await world.rest('GET', '/ap2/auth/me', undefined, alice.headers)).body.did);
      }
      assert.equal(dids[0], dids[1]);
    });

    test('cookies are kept from scripts and other sites, and the access token verifies by the published key', async () => {
      provider.person = 'alice';
      const browser = openBrowser();
      const begun = await browser.visit(`${world.node.baseUrl}/ap2/auth/login`);
      assert.match(begun.headers.get('set-cookie') ?? '', /^countersign_login=v1\..*samesite=lax; httponly/);
      assert.equal(begun.headers.get('cache-control'), 'no-store');
      const asked = new URL(begun.headers.get('location') ?? '').searchParams;
      assert.equal(asked.get('code_challenge_method'), 'S256');
      assert.ok(asked.get('state') && asked.get('nonce') && asked.get('code_challenge'));

      const done = await browser.visit(await reachCallback(world, browser));
      assert.match(done.headers.getSetCookie().join(), /countersign_refresh=rt_.*samesite=strict; httponly/);
      const { accessToken, expiresAt } = (await done.json()) as { accessToken: string; expiresAt: string };
      assert.ok(Date.parse(expiresAt) - Date.now() <= 15 * 60_000);
      const keys = await world.rest('GET', '/.well-known/jwks.json', undefined, {});
      const { payload, protectedHeader } = await jwtVerify(accessToken, createLocalJWKSet(keys.body), {
        issuer: world.node.baseUrl,
        audience: world.node.baseUrl,
      });
      assert.equal(protectedHeader.alg, 'EdDSA');
      assert.equal(protectedHeader.typ, 'at+jwt');
      assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 905, 'it is dated back for readers whose clock is behind');
      for (const claim of ['sub', 'jti', 'sid', 'tenantId', 'role', 'did', 'email']) assert.ok(payload[claim], claim);
    });

    test('a browser that asks for a page is sent on to a page that is there, with its cookie and no token in the address', async () => {
      provider.person = 'alice';
      const browser = openBrowser();
      const callback = await reachCallback(world, browser);
      const page = await browser.visit(callback, { headers: { Accept: 'text/html,*/*;q=0.8' } });
      assert.equal(page.status, 303);
      assert.equal(page.headers.get('location'), `${world.node.baseUrl}/console/`);
      const landed = await browser.visit(`${world.node.baseUrl}/console/`);
      assert.equal(landed.status, 200);
      assert.match(await landed.text(), /<title>Countersign/);
      assert.equal((await refresh(browser)).status, 200);
    });

    test('a later person is VIEWER until an OWNER raises them, and every change of role holds at once', async () => {
      const alice = await as('alice');
      const bob = await as('bob');
      const read = () => world.rest('GET', '/ap2/agents', undefined, bob.headers);
      const write = () => world.rest('POST', '/ap2/intents', world.intentBody(5), bob.headers);
      const govern = () => world.rest('GET', '/ap2/admin/users', undefined, bob.headers);
      const statuses = async () => (await Promise.all([read(), write(), govern()])).map((reply) => reply.status);
      assert.deepEqual(await statuses(), [200, 403, 403]);

      const { id } = await userOf('bob@people.example');
      const raise = (role: string, by = alice.headers) => world.rest('PUT', `/ap2/admin/users/${id}`, { role }, by);
      assert.equal((await raise('OWNER', bob.headers)).status, 403);
      assert.equal((await raise('MEMBER')).body.role, 'MEMBER');
      assert.deepEqual(await statuses(), [200, 200, 403]);
      assert.equal((await raise('ADMIN')).status, 200);
      assert.deepEqual(await statuses(), [200, 200, 200]);
      assert.equal((await raise('OWNER', bob.headers)).status, 403, 'an ADMIN does not make itself OWNER');
      assert.equal((await raise('VIEWER')).status, 200);
      assert.deepEqual(await statuses(), [200, 403, 403]);
      assert.equal((await raise('KING')).status, 400);
    });

    test('the last OWNER can neither be demoted nor removed', async () => {
      const alice = await as('alice');
      const { id } = await userOf('alice@people.example');
      const demote = () => world.rest('PUT', `/ap2/admin/users/${id}`, { role: 'ADMIN' }, alice.headers);
      assert.equal((await demote()).status, 409);
      assert.equal((await world.rest('DELETE', `/ap2/admin/users/${id}`, undefined, alice.headers)).status, 409);
      const bobs = await as('bob');
      const bob = await userOf('bob@people.example');
      const role = (of: string, to: string, by: Loose) =>
        world.rest('PUT', `/ap2/admin/users/${of}`, { role: to }, by.headers);
      await role(bob.id, 'OWNER', alice);
      const both = await Promise.all([demote(), role(bob.id, 'VIEWER', bobs)]);
      assert.deepEqual(both.map((reply) => reply.status).sort(), [200, 409], 'of two at once one is refused');
      if (both[0].status === 200) await role(id, 'OWNER', bobs);
      await role(bob.id, 'VIEWER', alice);
    });

    test('a removed person is out at once with the keys they made, and stays out until invited again', async () => {
      const alice = await as('alice');
      const carol = await as('carol');
      const { id } = await userOf('carol@people.example');
      const change = (method: string, body?: object) =>
        world.rest(method, `/ap2/admin/users/${id}`, body, alice.headers);
      await change('PUT', { role: 'ADMIN' });
      const all = { name: 'carols', permissions: ['read', 'write', 'admin'] };
      const made = await world.rest('POST', '/ap2/admin/api-keys', all, carol.headers);
      const key = { Authorization: `Bearer ${made.body.key}` };
      const second = await world.rest('POST', '/ap2/admin/api-keys', all, key);
      const child = { Authorization: `Bearer ${second.body.key}` };
      assert.equal((await world.rest('GET', '/ap2/admin/users', undefined, child)).status, 200);

      assert.equal((await change('DELETE')).status, 204);
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, carol.headers)).status, 401);
      assert.equal((await refresh(carol.browser)).status, 401);
      for (const headers of [key, child]) {
        assert.equal((await world.rest('GET', '/ap2/agents', undefined, headers)).status, 401);
      }
      provider.person = 'carol';
      const browser = openBrowser();
      const back = await browser.visit(await reachCallback(world, browser));
      assert.equal(back.status, 403);
      assert.match(await back.text(), /ask alice@people\.example/);
      assert.ok((await userOf('carol@people.example')).removedAt);
      assert.equal((await change('PUT', { role: 'VIEWER' })).body.removedAt, undefined);
      const again = await as('carol');
      assert.equal((await world.rest('GET', '/ap2/agents', undefined, again.headers)).status, 200);
      assert.equal((await world.rest('GET', '/ap2/agents', undefined, key)).status, 401, 'a revoked key stays revoked');
    });

    test('a key neither raises a user nor outlives the role of the person who made it', async () => {
      const alice = await as('alice');
      const bob = await as('bob');
      const { id } = await userOf('bob@people.example');
      const give = (role: string, headers?: Record<string, string>) =>
        world.rest('PUT', `/ap2/admin/users/${id}`, { role }, headers);
      await give('ADMIN', alice.headers);
      const all = { name: 'bobs', permissions: ['read', 'write', 'admin'] };
      const made = await world.rest('POST', '/ap2/admin/api-keys', all, bob.headers);
      const key = { Authorization: `Bearer ${made.body.key}` };
      assert.equal((await give('OWNER', key)).status, 403);
      assert.equal((await give('OWNER')).status, 403, 'not even the first key');
      assert.equal((await world.rest('DELETE', `/ap2/admin/users/${id}`)).status, 403);
      assert.equal((await give('VIEWER', alice.headers)).status, 200);
      assert.equal((await world.rest('GET', '/ap2/agents', undefined, key)).status, 200);
      assert.equal((await world.rest('POST', '/ap2/intents', world.intentBody(5), key)).status, 403);
      assert.equal((await world.rest('POST', '/ap2/admin/api-keys', all, key)).status, 403);
    });

    test('who entered, was let in, raised and removed is in the evidence, with who did it', async () => {
      const events = (await world.rest('GET', '/ap2/evidence/search?limit=200')).body.data as Loose[];
      const alice = await userOf('alice@people.example');
      const by = { kind: 'user', id: alice.id };
      for (const type of ['USER_INVITED', 'USER_ROLE_CHANGED', 'USER_REMOVED', 'LOGIN_ENDED', 'KEY_REVOKED']) {
        assert.ok(
          events.some(({ eventType, data }) => eventType === type && data.by.id === by.id && data.by.kind === 'user'),
          type,
        );
      }
      for (const type of ['USER_ADDED', 'LOGIN_OPENED', 'LOGIN_REFUSED']) {
        assert.ok(
          events.some(({ eventType }) => eventType === type),
          type,
        );
      }
    });

    test('an address that the provider has not verified is not taken over', async () => {
      const person = await as('unverified');
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, person.headers)).body.email, null);
    });

    test('the way back is refused to another browser, with another state, and a second time', async () => {
      provider.person = 'alice';
      const browser = openBrowser();
      const callback = await reachCallback(world, browser);
      const stranger = await openBrowser().visit(callback);
      assert.equal(stranger.status, 401);
      assert.equal(
        stranger.headers.getSetCookie().some((cookie) => cookie.startsWith('countersign_refresh')),
        false,
      );

      const port = new URL(world.node.baseUrl).port;
      const kept = new Map(browser.jars.get(port));
      assert.equal((await browser.visit(callback)).status, 200);
      assert.equal((await browser.visit(callback)).status, 401, 'the cookie is gone');
      browser.jars.set(port, kept);
      const replayed = await browser.visit(callback);
      assert.equal(replayed.status, 401);
      assert.match(await replayed.text(), /completed before/);

      const other = openBrowser();
      const mixed = new URL(await reachCallback(world, other));
      mixed.searchParams.set('state', new URL(callback).searchParams.get('state') ?? '');
      assert.equal((await other.visit(mixed.href)).status, 401);
    });

    test('a changed cookie and a code of another login are refused', async () => {
      provider.person = 'alice';
      const [one, two] = [openBrowser(), openBrowser()];
      const [first, second] = [new URL(await reachCallback(world, one)), new URL(await reachCallback(world, two))];
      first.searchParams.set('code', second.searchParams.get('code') ?? '');
      assert.equal((await one.visit(first.href)).status, 401, 'the code is bound to the verifier of the other browser');
      const jar = two.jars.get(new URL(world.node.baseUrl).port);
      const cookie = jar?.get('countersign_login') ?? '';
      jar?.set('countersign_login', `${cookie.slice(0, -3)}AAA`);
      assert.equal((await two.visit(second.href)).status, 401);
    });

    test('a person whom the provider refuses gets no login', async () => {
      provider.person = undefined;
      const browser = openBrowser();
      const refused = await browser.visit(await reachCallback(world, browser));
      assert.equal(refused.status, 401);
    });

    test('refresh tokens rotate, and one used again ends the login for everybody who holds it', async () => {
      const alice = await as('alice');
      const port = new URL(world.node.baseUrl).port;
      const stolen = new Map(alice.browser.jars.get(port));
      const renewed = await refresh(alice.browser);
      assert.equal(renewed.status, 200);
      const { accessToken } = (await renewed.json()) as { accessToken: string };
      const headers = { Authorization: `Bearer ${accessToken}` };
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, headers)).status, 200);
      assert.notDeepEqual(new Map(alice.browser.jars.get(port)), stolen);

      const thief = openBrowser();
      thief.jars.set(port, stolen);
      const reused = await refresh(thief);
      assert.equal(reused.status, 401);
      assert.match(await reused.text(), /used before/);
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, headers)).status, 401);
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, alice.headers)).status, 401);
      assert.equal((await refresh(alice.browser)).status, 401);
      assert.equal((await refresh(openBrowser())).status, 401);
    });

    test('of many uses of one refresh token at the same time at most one gives tokens, and the login is over', async () => {
      const alice = await as('alice');
      const jar = alice.browser.jars.get(new URL(world.node.baseUrl).port) ?? new Map();
      const uses = Array.from({ length: 20 }, () => {
        const browser = openBrowser();
        browser.jars.set(new URL(world.node.baseUrl).port, new Map(jar));
        return refresh(browser);
      });
      const statuses = (await Promise.all(uses)).map((reply) => reply.status);
      assert.equal(statuses.filter((status) => status === 200).length, 1);
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, alice.headers)).status, 401);
    });

    test('an access token past its time is TOKEN_EXPIRED, one of another maker UNAUTHORIZED', async () => {
      const alice = await as('alice');
      const now = Date.now();
      const {
        access: { tokens: accessTokens },
      } = world.node.deps;
      const claims = await accessTokens.verify(alice.accessToken, now);
      const old = await accessTokens.issue(claims, now - 16 * 60_000, now + 60_000);
      const me = (token: string) => world.rest('GET', '/ap2/auth/me', undefined, { Authorization: `Bearer ${token}` });
      const expired = await me(old.accessToken);
      assert.equal(expired.status, 401);
      assert.equal(expired.body.error.code, 'TOKEN_EXPIRED');
      const [head, , signature] = alice.accessToken.split('.');
      const payload = Buffer.from(JSON.stringify({ ...claims, role: 'OWNER' })).toString('base64url');
      for (const forged of [`${head}.${payload}.${signature}`, `${alice.accessToken}A`, 'a.b.c', '..']) {
        const reply = await me(forged);
        assert.equal(reply.status, 401, forged);
        assert.equal(reply.body.error.code, 'UNAUTHORIZED', forged);
      }
    });
  });
}

test('over https the cookies are the host’s own, and one under the plain name is not taken', async (t) => {
  const [engine] = everyEngine();
  assert.ok(engine);
  const baseUrl = 'https://pay.example/node';
  const callback = `${baseUrl}/ap2/auth/callback`;
  const provider = await startIdentityProvider(callback);
  const world = await makeWorld(engine, { ...provider.env, BASE_URL: baseUrl });
  t.after(async () => {
    await world.close();
    await provider.stop();
  });
  provider.person = 'alice';
  // The proxy that ends TLS is not there; it would pass the requests on like this.
  const { address } = world.node;
  const browser = openBrowser();
  const begun = await browser.visit(`${address}/ap2/auth/login`);
  const attempt = begun.headers.get('set-cookie') ?? '';
  assert.match(attempt, /^__Host-countersign_login=v1\..*; path=\/; .*samesite=lax; secure; httponly$/);
  const back = await browser.followTo(`${address}/ap2/auth/login`, callback);
  const done = await browser.visit(back.replace(baseUrl, address));
  assert.equal(done.status, 200, await done.text());
  const kept = done.headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-countersign_refresh=rt_')) ?? '';
  assert.match(kept, /; path=\/; .*samesite=strict; secure; httponly$/);
  for (const cookie of [attempt, kept]) assert.doesNotMatch(cookie, /domain=/i);

  const jar = browser.jars.get(new URL(address).port) as Map<string, string>;
  const token = jar.get('__Host-countersign_refresh') as string;
  const refresh = () => browser.visit(`${address}/ap2/auth/refresh`, { method: 'POST' });
  jar.delete('__Host-countersign_refresh');
  jar.set('countersign_refresh', token);
  assert.equal((await refresh()).status, 401, 'another host of the domain may have set it');
  jar.set('__Host-countersign_refresh', token);
  assert.equal((await refresh()).status, 200);
});

function merchant(world: World) {
  return { domain: 'another.example', did: world.merchant.did };
}
