/** Strangers at a person's address, who have used up its calls, shut them out of nothing that a link or a login of theirs opens. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { askForApproval, makePerson } from '../support/person.ts';
import { signInUser } from '../support/signInUser.ts';
import { makeWorld, type Reply, type World } from '../support/world.ts';

const BURST = 40;
const OFFICE = { 'X-Forwarded-For': '198.51.100.66' };

for (const engine of everyEngine()) {
  describe(`a person at whose address strangers call on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      const limits = { SANDBOX_RATE_PER_MINUTE: '1', SANDBOX_BURST: String(BURST) };
      world = await makeWorld(engine, { ...limits, TRUSTED_PROXIES: '127.0.0.0/8,::1/128' });
      for (let call = 0; call < BURST; call += 1) await ask('GET', '/ap2/agents');
      assert.equal((await ask('GET', '/ap2/agents')).status, 429);
    });
    after(() => world.close());

    const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
      world.rest(method, path, body, { ...OFFICE, ...headers });

    test('sees the purchase, and begins to approve it; a link that was made up is refused', async () => {
      await makePerson(world).enroll();
      const { approval } = await askForApproval(world);
      assert.equal((await ask('GET', `/approve/${approval.id}`)).status, 200);
      assert.equal((await ask('GET', `/approve/${approval.id}/purchase`)).status, 200);
      const begun = await ask('POST', `/approve/${approval.id}/begin`, { decision: 'approve' });
      assert.equal(begun.status, 200, begun.text);
      const made = `apr_${'0'.repeat(26)}`;
      for (const path of [`/approve/${made}`, `/approve/${made}/purchase`, '/enroll/made-up']) {
        assert.equal((await ask('GET', path)).status, 429, path);
      }
    });

    test('has so many calls by one link as by no other', async () => {
      const [first, second] = [await askForApproval(world), await askForApproval(world)];
      const view = (id: string) => ask('GET', `/approve/${id}/purchase`);
      const statuses: number[] = [];
      for (let call = 0; call <= BURST; call += 1) statuses.push((await view(first.approval.id)).status);
      assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429]);
      assert.equal((await view(second.approval.id)).status, 200);
    });

    test('enrolls a passkey by a link', async () => {
      const link = await world.rest('POST', '/ap2/admin/enrollments', { agentDid: world.agent.did });
      const { pathname } = new URL(link.body.url);
      assert.equal((await ask('GET', pathname)).status, 200);
      assert.equal((await ask('GET', `${pathname}/link`)).status, 200);
      assert.equal((await ask('POST', `${pathname}/begin`, { deviceName: 'phone' })).status, 200);
    });

    test('accepts an invitation', async () => {
      const { body } = await world.rest('POST', '/ap2/admin/invitations', { role: 'VIEWER' });
      const given = { token: String(body.url.split('/welcome/')[1]), name: 'Grace' };
      assert.equal((await ask('POST', '/ap2/auth/invitations/view', { token: given.token })).status, 200);
      assert.equal((await ask('POST', '/ap2/auth/invitations/begin', given)).status, 200);
      assert.equal((await ask('POST', '/ap2/auth/invitations/view', { token: 'made up' })).status, 429);
    });

    test('opens the console, signs in by a passkey, and stays in; a touch that does not hold is refused', async () => {
      const grace = await signInUser(world, 'VIEWER', 'Grace');
      assert.notEqual((await ask('GET', '/console/')).status, 429);
      assert.equal((await ask('GET', '/ap2/auth/ways')).status, 200);
      const begun = await ask('POST', '/ap2/auth/passkey/begin', {});
      assert.equal(begun.status, 200, begun.text);
      const credential = grace.phone.get(begun.body.publicKey);
      const entered = await ask('POST', '/ap2/auth/passkey/complete', { credential });
      assert.equal(entered.status, 200, entered.text);
      const mine = { Authorization: `Bearer ${entered.body.accessToken}` };
      assert.equal((await ask('GET', '/ap2/agents', undefined, mine)).status, 200);
      assert.equal((await ask('POST', '/ap2/auth/refresh', undefined, { Cookie: grace.cookie })).status, 200);
      assert.equal(
        (await ask('POST', '/ap2/auth/passkey/complete', { credential })).status,
        429,
        'a touch serves once',
      );
    });

    test('has their login extended by no page of another site', async () => {
      const { cookie } = await signInUser(world, 'VIEWER', 'Ada');
      const refresh = (site: string) =>
        world.rest('POST', '/ap2/auth/refresh', undefined, { Cookie: cookie, 'Sec-Fetch-Site': site });
      for (const site of ['cross-site', 'same-site', 'made-up']) {
        const refused = await refresh(site);
        assert.equal(refused.status, 403, site);
        assert.match(refused.body.error.message, /Sec-Fetch-Site/);
        assert.equal(refused.headers.get('set-cookie'), null, 'and keeps its cookie');
      }
      assert.equal((await refresh('same-origin')).status, 200);
    });
  });
}
