/** An invitation by mail: the link is in the mailbox and nowhere else, and one that reached no mailbox is withdrawn. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { type MailServer, startMailServer, textsOf } from '../../support/mailServer.ts';
import { signInUser } from '../../support/signInUser.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const PATH = '/ap2/admin/invitations/mail';

for (const engine of everyEngine()) {
  describe(`an invitation by mail, ${engine.name}`, () => {
    let world: World;
    let server: MailServer;
    before(async () => {
      server = await startMailServer();
      const settings = { SMTP_URL: server.url, SMTP_FROM: 'countersign@node.example' };
      world = await makeWorld(engine, settings);
    });
    after(async () => {
      await world.close();
      await server.close();
    });
    const mailTo = async (address: string) => {
      const [mail] = await server.wait(1, ({ to }) => to.includes(address));
      assert.ok(mail);
      return textsOf(mail).join('\n');
    };
    const open = async (): Promise<Loose[]> => (await world.rest('GET', '/ap2/admin/invitations')).body.data;

    test('is in the mailbox alone, and what the invitee is called is text there', async () => {
      const sent = { mail: 'grace@mail.example', role: 'MEMBER', name: '<b>Grace</b>' };
      const { status, body, text } = await world.rest('POST', PATH, sent);
      assert.equal(status, 201, text);
      const mail = await mailTo(sent.mail);
      const url = /https?:\/\/\S+\/console\/#\/welcome\/[\w-]+/.exec(mail)?.[0] as string;
      assert.ok(url.startsWith(`${world.node.baseUrl}/`), mail);
      assert.ok(!text.includes('welcome'), text);
      assert.match(mail, /you are to help there as member/);
      assert.ok(mail.includes('&lt;b&gt;Grace&lt;/b&gt;') && mail.includes('<b>Grace</b>, you'), mail);
      assert.ok((await open()).some(({ id }) => id === body.id));
      const { data } = (await world.rest('GET', '/ap2/evidence/search?eventType=INVITATION_CREATED&limit=1')).body;
      assert.ok(!JSON.stringify(data).includes(url.split('/').at(-1) as string));
    });

    test('is withdrawn where the server does not take it', async () => {
      server.recipientCode = 550;
      const { status, text } = await world.rest('POST', PATH, { mail: 'missing@mail.example' });
      server.recipientCode = 250;
      assert.equal(status, 409, text);
      assert.match(text, /the server said 550\), and the invitation is withdrawn/);
      assert.ok(!(await open()).some(({ role }) => role === 'VIEWER'));
    });

    test('is made by an OWNER alone, and goes to an address', async () => {
      const admin = await signInUser(world, 'ADMIN', 'Alan');
      const refused = await world.rest('POST', PATH, { mail: 'eve@mail.example' }, admin.headers);
      assert.equal(refused.status, 403, refused.text);
      const wrong = await world.rest('POST', PATH, { mail: 'eve' });
      assert.equal(wrong.status, 400);
      assert.match(wrong.text, /must be an e-mail address/);
    });
  });
}
