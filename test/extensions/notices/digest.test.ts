/** Digests: a week of purchases in one message, sent once though two nodes run, and a file for who asked for amounts. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { type MailServer, startMailServer, textsOf } from '../../support/mailServer.ts';
import { purchase } from '../../support/purchase.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type SignedInUser, signInUser } from '../../support/signInUser.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';

const DAY_SECONDS = 86_400;
const NOTIFICATIONS = '/ap2/auth/notifications';
const TITLE = 'What your agents bought this week';

for (const engine of everyEngine()) {
  describe(`digests on ${engine.name}`, () => {
    let world: World;
    let mail: MailServer;
    let double: Receiver;
    let ada: SignedInUser;
    before(async () => {
      mail = await startMailServer();
      double = await startReceiver();
      world = await makeWorld(engine, {
        SMTP_URL: mail.url,
        SMTP_FROM: 'node@mail.example',
        WEBHOOK_ALLOW_PRIVATE: 'true',
      });
      ada = await signInUser(world, 'OWNER', 'Ada');
    });
    after(async () => {
      await world.close();
      await mail.close();
      await double.close();
    });

    const add = async (body: Loose): Promise<Loose> => {
      const added = await world.rest('POST', NOTIFICATIONS, { about: ['digest'], ...body }, ada.headers);
      assert.equal(added.status, 201, added.text);
      return added.body;
    };
    const digests = () => mail.received.filter(({ headers }) => headers.get('subject') === TITLE);

    test('a place whose digest is no topic any more is sent none, and a time zone that is none is refused', async () => {
      const wrong = {
        kind: 'plain',
        url: `${double.url}/x`,
        name: 'x',
        about: ['digest'],
        digest: { timezone: 'Mars/Base' },
      };
      assert.equal((await world.rest('POST', NOTIFICATIONS, wrong, ada.headers)).status, 400);
      const { id, digest } = await add({ kind: 'plain', url: `${double.url}/x`, name: 'x' });
      assert.deepEqual(digest, { weekday: 1, hour: 8, timezone: 'UTC' });
      const changed = await world.rest(
        'PUT',
        `${NOTIFICATIONS}/${id}`,
        { name: 'x', about: ['disputes'] },
        ada.headers,
      );
      assert.equal(changed.body.digest, undefined, changed.text);
    });

    test('a week is told once by each place, with amounts and a file only where they were asked for', async () => {
      const formula = await world.newAgent('=HYPERLINK("https://evil.example")');
      const limits = [{ name: 'a month', max_amount: 45, window: '30d' }];
      const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' }, risk: { limits } };
      const policy = await world.rest('POST', '/ap2/admin/policies', { name: 'limits', rules });
      assert.equal(policy.status, 201, policy.text);
      await purchase(world, 42.5);
      await purchase(world, 7.5, { agent: formula });
      const refused = await world.rest('POST', '/ap2/intents', world.intentBody(1_000_000));
      assert.equal(refused.body.allowed, false);
      // The digest of the weekday after tomorrow has today in its week.
      const weekday = ((new Date(Date.now() + 2 * DAY_SECONDS * 1000).getUTCDay() + 6) % 7) + 1;
      const digest = { weekday, hour: 6, timezone: 'UTC' };
      const place = await add({ kind: 'email', address: 'ada@mail.example', name: 'mail', details: true, digest });
      assert.deepEqual(place.digest, digest);
      const [asked] = await mail.wait(1);
      const code = /is ([0-9A-Z-]{9})\./.exec(asked === undefined ? '' : textsOf(asked).join())?.[1];
      const confirmed = await world.rest('POST', `${NOTIFICATIONS}/${place.id}/confirm`, { code }, ada.headers);
      assert.equal(confirmed.status, 200, confirmed.text);
      await add({ kind: 'slack', url: `${double.url}/services/T/B/x`, name: 'slack', digest });
      const other = await world.another();
      try {
        world.clock.aheadMs += 3 * DAY_SECONDS * 1000;
        await until('the digests', async () => digests().length > 0 && double.received.length > 0, 40_000);
        const [sent] = digests();
        assert.ok(sent);
        const [, text = '', , file = ''] = textsOf(sent);
        assert.match(text, /2 payments by 2 agents at 1 merchant, 1 refusal, /);
        assert.match(text, /1 limit nearly used up\./);
        assert.match(text, /Limits\ntest agent: 42\.5 of 45 USD in 30d\n/);
        assert.match(text, /Spent\n50\.00 USD/);
        assert.match(text, new RegExp(`By merchant\\n${SHOP}: 50\\.00 USD`));
        assert.match(sent.raw, /Content-Disposition: attachment;\s+filename="?countersign-[\d-]+\.csv/);
        assert.match(file, /^by,name,currency,payments,paid,refunded,held,spent$/m);
        assert.match(file, /^agent,"'=HYPERLINK\(""https: \/\/evil\. example""\)",USD,1,0\.00,0\.00,7\.50,7\.50$/m);
        assert.match(file, /^merchant,shop\.example,USD,2,0\.00,0\.00,50\.00,50\.00$/m);
        const told = JSON.stringify(double.received[0]?.event);
        assert.match(told, /2 payments by 2 agents at 1 merchant, 1 refusal/);
        assert.doesNotMatch(told, /50\.00|USD|shop\.example|HYPERLINK/);
        // A week later there is one more, from either node: none was sent twice.
        world.clock.aheadMs += 7 * DAY_SECONDS * 1000;
        await until('the next ones', async () => digests().length > 1 && double.received.length > 1, 40_000);
        assert.deepEqual([digests().length, double.received.length], [2, 2]);
        assert.match(textsOf(digests()[1] as (typeof mail.received)[0]).join(), /no payments/);
      } finally {
        await other.stop();
      }
    });
  });
}
