/** Notifications by e-mail: from the address that a person gives, over its confirmation, to a mail that opens an approval. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { type MailServer, type ReceivedMail, startMailServer, textsOf } from '../../support/mailServer.ts';
import { askForApproval, makePerson } from '../../support/person.ts';
import { type SignedInUser, signInUser } from '../../support/signInUser.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type Reply, SHOP, type World } from '../../support/world.ts';

const NOTIFICATIONS = '/ap2/auth/notifications';
const LOGIN = { user: 'node', password: 'pa55word-of-smtp' };

for (const engine of everyEngine()) {
  describe(`notifications by e-mail, ${engine.name}`, () => {
    let world: World;
    let server: MailServer;
    let ada: SignedInUser;
    let addresses = 0;
    before(async () => {
      server = await startMailServer(LOGIN);
      world = await makeWorld(engine, {
        SMTP_HOST: '127.0.0.1',
        SMTP_PORT: String(server.port),
        SMTP_USER: LOGIN.user,
        SMTP_PASSWORD: LOGIN.password,
        SMTP_FROM: 'countersign@node.example',
        WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0',
      });
      await makePerson(world).enroll();
    });
    after(async () => {
      await world.close();
      await server.close();
    });

    const ok = (reply: Reply, status = 200): Loose => {
      assert.equal(reply.status, status, reply.text);
      return reply.body;
    };
    const newAddress = () => {
      addresses += 1;
      return `ada+${addresses}@mail.example`;
    };
    /** Each test has a user of its own, since a user is sent few codes. */
    const enter = async () => {
      ada = await signInUser(world, 'OWNER', 'Ada');
    };
    const add = (address: string, more: object = {}, who = ada) =>
      world.rest(
        'POST',
        NOTIFICATIONS,
        { kind: 'email', address, name: 'mail', about: ['approvals'], ...more },
        who.headers,
      );
    const mailsTo = (address: string, count: number) => server.wait(count, ({ to }) => to.includes(address));
    const codeOf = (mail: ReceivedMail) => /code that confirms it is ([0-9A-Z]{4}-[0-9A-Z]{4})/.exec(textOf(mail))?.[1];
    const textOf = (mail: ReceivedMail) => textsOf(mail).join('\n');
    const confirm = (id: string, code: string | undefined) =>
      world.rest('POST', `${NOTIFICATIONS}/${id}/confirm`, { code }, ada.headers);
    /** A confirmed place. */
    const confirmed = async (more: object = {}): Promise<{ id: string; address: string }> => {
      const address = newAddress();
      const { id } = ok(await add(address, more), 201);
      const [asked] = await mailsTo(address, 1);
      ok(await confirm(id, codeOf(asked as ReceivedMail)));
      return { id, address };
    };
    const remove = async (id: string) =>
      assert.equal((await world.rest('DELETE', `${NOTIFICATIONS}/${id}`, undefined, ada.headers)).status, 204);

    test('an address is told nothing but a code until the code is given back, in either case of letters', async () => {
      await enter();
      const address = newAddress();
      const added = ok(await add(address), 201);
      assert.deepEqual(
        [added.kind, added.url, added.silent, added.about],
        ['email', address, 'unconfirmed', ['approvals']],
      );
      const [asked] = await mailsTo(address, 1);
      const code = String(codeOf(asked as ReceivedMail));
      await askForApproval(world, 151);
      const early = await world.rest('POST', `${NOTIFICATIONS}/${added.id}/try`, undefined, ada.headers);
      assert.equal(early.status, 409, early.text);
      const wrong = await confirm(added.id, '0000-0000');
      assert.equal(wrong.status, 400, wrong.text);
      assert.ok(!wrong.text.includes(code), 'what is wrong does not tell what is right');
      assert.equal(ok(await confirm(added.id, code.toLowerCase().replace('-', ' '))).silent, undefined);
      assert.equal(
        ok(await world.rest('POST', `${NOTIFICATIONS}/${added.id}/try`, undefined, ada.headers)).status,
        250,
      );
      const all = await mailsTo(address, 2);
      assert.deepEqual(
        all.map(({ headers }) => headers.get('subject')),
        ['Confirm this address', 'Notifications arrive here'],
      );
      const evidence = await world.rest('GET', '/ap2/evidence/search?limit=5');
      assert.ok(!evidence.text.includes(address) && !evidence.text.includes(code), evidence.text);
      await remove(added.id);
    });

    test('a mail opens the approval, names the agent alone, and carries nothing of the purchase or of the node’s login', async () => {
      await enter();
      const { id, address } = await confirmed();
      const { approval } = await askForApproval(world, 152.25);
      const mail = (await mailsTo(address, 2))[1] as ReceivedMail;
      assert.equal(mail.headers.get('subject'), 'Approval needed');
      assert.equal(mail.headers.get('from'), 'Countersign <countersign@node.example>');
      assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
      assert.match(String(mail.headers.get('message-id')), new RegExp(`^<evt_\\w+\\.${id}@[\\w.]+>$`));
      assert.equal(mail.login, LOGIN.user);
      const [, text = '', html = ''] = textsOf(mail);
      const link = `${world.node.baseUrl}/approve/${approval.id}`;
      assert.ok(text.includes(`Open the approval:\n${link}\n`), text);
      assert.ok(html.includes(`href="${link}"`), html);
      assert.match(text, /Nothing is decided by an answer to this mail/);
      for (const secret of ['152.25', 'USD', SHOP, LOGIN.password]) {
        assert.ok(!(mail.raw + text + html).includes(secret), `the mail has ${secret}`);
      }
      await remove(id);
    });

    test('an agent’s name is neither a header nor an element of the mail', async () => {
      await enter();
      const { id, address } = await confirmed();
      const { did } = world.agent;
      const name = '<b>Bcc: eve@mail.example</b>';
      ok(await world.rest('PUT', `/ap2/agents/${did}`, { name }, ada.headers));
      await askForApproval(world, 153);
      const mail = (await mailsTo(address, 2))[1] as ReceivedMail;
      assert.deepEqual([mail.to, mail.headers.get('bcc')], [[address], undefined]);
      assert.ok(
        textsOf(mail)[2]?.includes('&lt;b&gt;Bcc: eve@ mail. example&lt;/b&gt; wants to buy'),
        'the name is text',
      );
      await remove(id);
      for (const address of [
        'a@b.example\r\nBcc: eve@mail.example',
        'a@b.example, eve@mail.example',
        '<a@b.example>',
        'a',
      ]) {
        assert.equal((await add(address)).status, 400, address);
      }
    });

    test('a mail that its server did not take is sent again, under the same id', async () => {
      await enter();
      const { id, address } = await confirmed();
      server.mailCode = 451;
      await askForApproval(world, 154);
      await until('the failure', async () => {
        const { places } = ok(await world.rest('GET', NOTIFICATIONS, undefined, ada.headers));
        return places.find((place: Loose) => place.id === id).failingSince !== undefined;
      });
      server.mailCode = 250;
      assert.equal((await mailsTo(address, 2))[1]?.headers.get('subject'), 'Approval needed');
      await until('its recovery', async () => {
        const { places } = ok(await world.rest('GET', NOTIFICATIONS, undefined, ada.headers));
        return places.find((place: Loose) => place.id === id).failingSince === undefined;
      });
      await remove(id);
    });

    test('a mailbox that is not there is kept and shown, and written to no more until a test arrives', async () => {
      await enter();
      const { id, address } = await confirmed();
      server.recipientCode = 550;
      const tried = ok(await world.rest('POST', `${NOTIFICATIONS}/${id}/try`, undefined, ada.headers));
      assert.deepEqual([tried.outcome, tried.status, tried.error], ['failed', 550, 'status']);
      const place = async () => ok(await world.rest('GET', NOTIFICATIONS, undefined, ada.headers)).places[0];
      await until('its end', async () => (await place()).silent === 'ended');
      server.recipientCode = 250;
      await askForApproval(world, 155);
      ok(await world.rest('POST', `${NOTIFICATIONS}/${id}/try`, undefined, ada.headers));
      assert.deepEqual(
        (await mailsTo(address, 2)).map(({ headers }) => headers.get('subject')),
        ['Confirm this address', 'Notifications arrive here'],
        'what was asked meanwhile is not sent later',
      );
      assert.deepEqual([(await place()).silent, (await place()).failingSince], [undefined, undefined]);
      await remove(id);
    });

    test('a user is sent five codes a day, and an address that was confirmed needs none again', async () => {
      await enter();
      const { address } = await confirmed();
      assert.equal(ok(await add(address), 201).silent, undefined);
      for (let sent = 1; sent < 5; sent += 1) ok(await add(newAddress()), 201);
      const more = await add(newAddress());
      assert.equal(more.status, 409, more.text);
      assert.match(more.text, /a user 5 e-mail addresses/);
    });
  });
}

test('a node without a mail server says which setting is missing', async () => {
  const [engine] = everyEngine();
  assert.ok(engine);
  const world = await makeWorld(engine);
  try {
    const ada = await signInUser(world, 'OWNER', 'Ada');
    const body = { kind: 'email', address: 'ada@mail.example', name: 'mail', about: ['approvals'] };
    const refused = await world.rest('POST', NOTIFICATIONS, body, ada.headers);
    assert.equal(refused.status, 409, refused.text);
    assert.match(refused.text, /SMTP_URL/);
    assert.equal((await world.rest('GET', NOTIFICATIONS, undefined, ada.headers)).body.sendsMail, false);
  } finally {
    await world.close();
  }
});
