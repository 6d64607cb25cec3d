/** A user who was removed, or may do less than before, keeps nothing that they had under way or had prepared. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Caller } from '../../src/access/caller.ts';
import { callerOf } from '../../src/core/callerOf.ts';
import { openChallenge } from '../../src/domain/passkeys/presenceChallenge.ts';
import { recordAssertion, verifyAssertion } from '../../src/domain/passkeys/verifyPresence.ts';
import { allOperations, type OperationName } from '../../src/extensions/nodeOperations.ts';
import { call, parseInput, type UseCase } from '../../src/usecase/useCase.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { type SignedInUser, signInUser } from '../support/signInUser.ts';
import { type Loose, makeWorld, type Reply, type World } from '../support/world.ts';

const KEY = { name: 'laid by', permissions: ['read', 'write', 'admin'] };
const PLACE = { kind: 'plain', url: 'http://127.0.0.1:9/topic', name: 'topic', about: ['approvals'] };
const OUT = { code: 'UNAUTHORIZED' };

for (const engine of everyEngine()) {
  describe(`a person who was let out, ${engine.name}`, () => {
    let world: World;
    let ada: SignedInUser;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_ALLOW_PRIVATE: 'true' });
      ada = await signInUser(world, 'OWNER', 'Ada');
    });
    after(() => world.close());

    const ok = (reply: Reply, status = 200): Loose => {
      assert.equal(reply.status, status, reply.text);
      return reply.body;
    };
    const open = (path: string, body: object) => world.rest('POST', `/ap2/auth/${path}`, body, {});
    const remove = async (who: SignedInUser) =>
      ok(await world.rest('DELETE', `/ap2/admin/users/${who.userId}`, undefined, ada.headers), 204);
    const demote = async (who: SignedInUser, role: string) =>
      ok(await world.rest('PUT', `/ap2/admin/users/${who.userId}`, { role }, ada.headers));
    /** The caller as a request knows them that is past its gate, and has not been committed. */
    const underWay = ({ headers }: Pick<SignedInUser, 'headers'>): Promise<Caller> => {
      const token = String(headers.Authorization).slice('Bearer '.length);
      const credential = token.startsWith('ak_')
        ? { kind: 'apiKey' as const, hash: world.node.deps.hashToken(token) }
        : { kind: 'token' as const, token };
      return callerOf(world.node.deps, credential);
    };
    const go = (name: OperationName, caller: Caller, input: object): Promise<unknown> => {
      const useCase = allOperations[name] as UseCase;
      return call(useCase.run, world.node.deps, caller, parseInput(useCase.input, input));
    };

    test('gets no key, no notifications, no invitation and no user removed by requests that were under way', async () => {
      const bob = await signInUser(world, 'OWNER', 'Bob');
      const caller = await underWay(bob);
      await remove(bob);
      await assert.rejects(go('createApiKey', caller, KEY), OUT);
      await assert.rejects(go('addNotifications', caller, PLACE), OUT);
      await assert.rejects(go('createInvitation', caller, { role: 'OWNER' }), OUT);
      await assert.rejects(go('removeUser', caller, { id: ada.userId }), OUT);
      await assert.rejects(go('startBackup', caller, {}), { code: /FORBIDDEN|UNAUTHORIZED/ });
    });

    test('nor does one whose logins an OWNER ended, or who may do less since', async () => {
      const bob = await signInUser(world, 'MEMBER', 'Bob');
      const member = await underWay(bob);
      ok(await world.rest('POST', `/ap2/admin/users/${bob.userId}/sessions/end`, {}, ada.headers), 204);
      await assert.rejects(go('addNotifications', member, PLACE), OUT);
      const eve = await signInUser(world, 'ADMIN', 'Eve');
      const admin = await underWay(eve);
      await demote(eve, 'VIEWER');
      await assert.rejects(go('createApiKey', admin, KEY), OUT);
    });

    test('makes no key by one of theirs that was revoked with them, or may do less since', async () => {
      const [bob, eve] = [await signInUser(world, 'ADMIN', 'Bob'), await signInUser(world, 'ADMIN', 'Eve')];
      const keyOf = async ({ headers }: SignedInUser) => {
        const { key } = ok(await world.rest('POST', '/ap2/admin/api-keys', KEY, headers), 201);
        return underWay({ headers: { Authorization: `Bearer ${key}` } });
      };
      const [bobs, eves] = [await keyOf(bob), await keyOf(eve)];
      await remove(bob);
      await demote(eve, 'MEMBER');
      await assert.rejects(go('createApiKey', bobs, KEY), OUT);
      await assert.rejects(go('createApiKey', eves, KEY), OUT);
    });

    test('adds no passkey by a login that was opened with one that was removed since', async () => {
      const bob = await signInUser(world, 'MEMBER', 'Bob');
      const [lost] = ok(await world.rest('GET', '/ap2/auth/passkeys', undefined, bob.headers)).data;
      const path = `/ap2/admin/users/${bob.userId}/passkeys/${lost.id}`;
      ok(await world.rest('DELETE', path, undefined, ada.headers), 204);
      const begun = await world.rest('POST', '/ap2/auth/passkeys/begin', { name: 'thief' }, bob.headers);
      assert.equal(begun.status, 401, begun.text);
      assert.equal(begun.body.error.code, 'STEP_UP_REQUIRED');
    });

    test('does not come back by an invitation, nor approve by an enrollment, that they had made', async () => {
      const [bob, eve] = [await signInUser(world, 'OWNER', 'Bob'), await signInUser(world, 'OWNER', 'Eve')];
      const enrollment = { agentDid: world.agent.did, ttlSeconds: 3600 };
      const laidBy = async ({ headers }: SignedInUser) => {
        const invited = ok(await world.rest('POST', '/ap2/admin/invitations', { role: 'OWNER' }, headers), 201);
        const link = ok(await world.rest('POST', '/ap2/admin/enrollments', enrollment, headers), 201);
        return { token: String(invited.url.split('/welcome/')[1]), path: new URL(link.url).pathname };
      };
      const [bobs, eves, adas] = [await laidBy(bob), await laidBy(eve), await laidBy(ada)];
      await remove(bob);
      await demote(eve, 'MEMBER');
      const statuses = async ({ token, path }: { token: string; path: string }) => [
        (await open('invitations/view', { token })).status,
        (await open('invitations/begin', { token, name: 'Back' })).status,
        (await world.rest('GET', `${path}/link`, undefined, {})).status,
      ];
      assert.deepEqual(await statuses(bobs), [404, 404, 404], 'of who was removed');
      assert.deepEqual(await statuses(eves), [404, 404, 404], 'of who may do less');
      assert.deepEqual(await statuses(adas), [200, 200, 200], 'of another user');
    });

    test('keeps, as an ADMIN who was OWNER, the enrollments that an ADMIN may make, and no invitation', async () => {
      const bob = await signInUser(world, 'OWNER', 'Bob');
      const invited = ok(await world.rest('POST', '/ap2/admin/invitations', { role: 'OWNER' }, bob.headers), 201);
      const made = { agentDid: world.agent.did };
      const link = ok(await world.rest('POST', '/ap2/admin/enrollments', made, bob.headers), 201);
      await demote(bob, 'ADMIN');
      const token = String(invited.url.split('/welcome/')[1]);
      assert.equal((await open('invitations/view', { token })).status, 404);
      assert.equal((await world.rest('GET', `${new URL(link.url).pathname}/link`, undefined, {})).status, 200);
    });

    test('approves nothing by a touch that was checked before they were removed, and counted after it', async () => {
      const { deps } = world.node;
      const bob = await signInUser(world, 'MEMBER', 'Bob');
      const { tenantId, userId } = await underWay(bob);
      const { did, publicKey } = makePeer();
      ok(await world.rest('POST', '/ap2/agents', { name: 'Bobs', publicKey, ownerUserId: userId }), 201);
      const holder = { kind: 'agent', did } as const;
      const facts = { tenantId, purpose: 'prove', holder, binding: { agentDid: did } } as const;
      const challenge = await deps.store.write(tenantId, (now) => openChallenge(deps, facts, now));
      const options = { challenge: challenge.challenge, rpId: 'localhost', allowCredentials: [] };
      const assertion = await verifyAssertion(deps, challenge, bob.phone.get(options));
      await remove(bob);
      const counted = deps.store.write(tenantId, (now) => recordAssertion(assertion, now));
      await assert.rejects(counted, /enrolled for this agent no more/);
    });

    test('is recorded as let out where a refresh cookie that was used before comes again', async () => {
      const bob = await signInUser(world, 'VIEWER', 'Bob');
      const { loginId } = await underWay(bob);
      const Cookie = bob.cookie;
      ok(await world.rest('POST', '/ap2/auth/refresh', undefined, { Cookie }));
      for (const time of ['again', 'and again']) {
        assert.equal((await world.rest('POST', '/ap2/auth/refresh', undefined, { Cookie })).status, 401, time);
      }
      const { data } = ok(await world.rest('GET', '/ap2/evidence/search?eventType=LOGIN_ENDED&limit=5'));
      const ofThem = data.filter((event: Loose) => event.data.loginId === loginId);
      assert.deepEqual(
        ofThem.map((event: Loose) => [event.data.userId, event.data.reason]),
        [[bob.userId, 'cookie used twice']],
      );
    });
  });
}
