/** No key governs people: one that a key made may not invite, and no key at all makes a link for who is a user already. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PERMISSIONS } from '../../src/access/caller.ts';
import { folderClient } from '../../src/cli/target/folderClient.ts';
import { everyEngine } from '../support/engines.ts';
import { startReceiver } from '../support/receiver.ts';
import { type SignedInUser, signInUser } from '../support/signInUser.ts';
import { ADMIN_KEY, type Loose, makeWorld, type Reply, type World } from '../support/world.ts';

const sqlite = everyEngine()[0] as ReturnType<typeof everyEngine>[0];
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const refused = (reply: Reply): void => assert.equal(reply.status, 403, reply.text);

describe('a key that would be a person', () => {
  let world: World;
  let ada: SignedInUser;
  before(async () => {
    world = await makeWorld(sqlite, { WEBHOOK_ALLOW_PRIVATE: 'true' });
    ada = await signInUser(world, 'OWNER', 'Ada');
  });
  after(() => world.close());

  const ok = (reply: Reply, status = 200): Loose => {
    assert.equal(reply.status, status, reply.text);
    return reply.body;
  };
  const madeBy = async (headers: Record<string, string>): Promise<Record<string, string>> =>
    bearer(
      ok(await world.rest('POST', '/ap2/admin/api-keys', { name: 'made', permissions: PERMISSIONS }, headers), 201).key,
    );
  const invite = (body: object, headers?: Record<string, string>) =>
    world.rest('POST', '/ap2/admin/invitations', body, headers);

  test('may not invite where a key or a person made it, in any generation', async () => {
    const child = await madeBy(bearer(ADMIN_KEY));
    for (const headers of [child, await madeBy(child), await madeBy(ada.headers)]) {
      refused(await invite({ role: 'VIEWER' }, headers));
      refused(await invite({ userId: ada.userId }, headers));
    }
  });

  test('makes no link for a user, though the node itself made it, and withdraws none of theirs by trying', async () => {
    const link = ok(await invite({ userId: ada.userId }, ada.headers), 201);
    const answer = await invite({ userId: ada.userId });
    refused(answer);
    assert.match(answer.body.error.message, /OWNER.*console|countersign user invite/);
    const token = String(link.url.split('/welcome/')[1]);
    assert.equal((await world.rest('POST', '/ap2/auth/invitations/view', { token }, {})).status, 200);
  });

  test('still invites a new person where the node itself made it', async () => {
    const { userId } = ok(await invite({ role: 'VIEWER' }), 201);
    assert.notEqual(userId, ada.userId);
  });

  test('changes no role, removes no person and no passkey, ends no login, and backs nothing up', async () => {
    const passkeys = `/ap2/admin/users/${ada.userId}/passkeys`;
    const [passkey] = ok(await world.rest('GET', passkeys)).data;
    for (const headers of [bearer(ADMIN_KEY), await madeBy(bearer(ADMIN_KEY))]) {
      refused(await world.rest('PUT', `/ap2/admin/users/${ada.userId}`, { role: 'VIEWER' }, headers));
      refused(await world.rest('DELETE', `/ap2/admin/users/${ada.userId}`, undefined, headers));
      refused(await world.rest('DELETE', `${passkeys}/${passkey.id}`, undefined, headers));
      refused(await world.rest('POST', `/ap2/admin/users/${ada.userId}/sessions/end`, {}, headers));
      for (const path of ['begin', 'complete']) {
        const body = path === 'begin' ? { name: 'mine' } : { credential: ada.phone.create({ challenge: 'AAAA' }) };
        refused(await world.rest('POST', `/ap2/auth/passkeys/${path}`, body, headers));
      }
    }
    const child = await madeBy(bearer(ADMIN_KEY));
    refused(await world.rest('POST', '/ap2/admin/backups', {}, child));
    refused(await world.rest('GET', '/ap2/admin/backups/latest/file', undefined, child));
  });

  test('an OWNER’s link for a user is told to that user, and so is one from the data folder', async () => {
    const bob = await signInUser(world, 'MEMBER', 'Bob');
    const phone = await startReceiver();
    try {
      const place = { kind: 'plain', url: phone.url, name: 'phone', about: ['disputes'] };
      ok(await world.rest('POST', '/ap2/auth/notifications', place, bob.headers), 201);
      const link = ok(await invite({ userId: bob.userId }, ada.headers), 201);
      const [told] = await phone.wait(1);
      assert.match(String(told?.headers['title']), /passkey/);
      assert.ok(!told?.raw.includes(link.url), 'the link itself is told to its maker alone');

      const { deps, tenantId } = world.node;
      const commandLine = { id: 'command line', kind: 'node' as const, tenantId, permissions: new Set(PERMISSIONS) };
      await folderClient(deps, commandLine).createInvitation({ userId: bob.userId });
      await phone.wait(2);
      const { data } = ok(await world.rest('GET', '/ap2/evidence/search?eventType=INVITATION_CREATED'));
      assert.deepEqual(
        data.slice(0, 2).map((event: Loose) => [event.data.userId, event.data.by.kind]),
        [
          [bob.userId, 'node'],
          [bob.userId, 'user'],
        ],
      );
    } finally {
      await phone.close();
    }
  });
});
