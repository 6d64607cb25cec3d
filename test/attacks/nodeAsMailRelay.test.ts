/** A user who may only look tries to make the node write to strangers: many addresses, again and again, in words of their own. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { type MailServer, startMailServer, textsOf } from '../support/mailServer.ts';
import { type SignedInUser, signInUser } from '../support/signInUser.ts';
import { makeWorld, type World } from '../support/world.ts';

const NOTIFICATIONS = '/ap2/auth/notifications';
const ADVERTISEMENT = 'Cheap pills at https://pills.example';

describe('a user who wants the node to write to strangers', () => {
  let world: World;
  let server: MailServer;
  let vic: SignedInUser;
  before(async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    server = await startMailServer();
    world = await makeWorld(engine, { SMTP_URL: server.url, SMTP_FROM: 'node@mail.example' });
    vic = await signInUser(world, 'VIEWER', ADVERTISEMENT);
  });
  after(async () => {
    await world.close();
    await server.close();
  });

  const add = (address: string, who = vic) =>
    world.rest(
      'POST',
      NOTIFICATIONS,
      { kind: 'email', address, name: ADVERTISEMENT, about: ['payments'] },
      who.headers,
    );

  test('has five mails sent in a day, also where each place is removed again, and puts no word into them', async () => {
    for (let sent = 1; sent <= 5; sent += 1) {
      const added = await add(`stranger${sent}@mail.example`);
      assert.equal(added.status, 201, added.text);
      const removed = await world.rest('DELETE', `${NOTIFICATIONS}/${added.body.id}`, undefined, vic.headers);
      assert.equal(removed.status, 204);
    }
    for (const address of ['stranger6@mail.example', 'stranger1@mail.example']) {
      assert.equal((await add(address)).status, 409, address);
    }
    // One that was removed before its mail went out is not written to at all.
    for (const mail of server.received) {
      assert.equal(mail.headers.get('subject'), 'Confirm this address');
      assert.doesNotMatch(mail.raw + textsOf(mail).join(), /pills/);
    }
    assert.ok(server.received.length <= 5);
  });

  test('has the same address written to once more by no second place, nor by the names of others', async () => {
    const ben = await signInUser(world, 'VIEWER', 'Ben');
    for (const address of [
      'eve@mail.example, ada@mail.example',
      'eve@mail.example\nBcc: ada@mail.example',
      '"<ada>"@x',
    ]) {
      assert.equal((await add(address, ben)).status, 400, address);
    }
    const named = { kind: 'email', address: 'ada@mail.example', name: 'x', about: ['payments'], userId: ben.userId };
    assert.equal((await world.rest('POST', NOTIFICATIONS, named, vic.headers)).status, 403);
  });
});
