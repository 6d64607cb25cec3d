/** Notifications through Slack, Discord, Microsoft Teams and Telegram, each against a double of its service. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { askForApproval } from '../../support/person.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { type SignedInUser, signInUser } from '../../support/signInUser.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type Reply, SHOP, type World } from '../../support/world.ts';

const NOTIFICATIONS = '/ap2/auth/notifications';
const TOKEN = '123456:AAExampleExampleExampleExample0123';

interface Service {
  readonly kind: string;
  /** What a person gives. */
  readonly given: (url: string) => Loose;
  /** Where the double is asked. */
  readonly path: string;
  /** What of it is a secret. */
  readonly secret: string;
  /** What the owner is shown of the address, after its host. */
  readonly shown: string;
  /** The link of its button, and the texts that people read. */
  readonly read: (body: Loose) => { readonly link: string; readonly texts: readonly string[] };
  /** The answer by which it says that nothing more is taken. */
  readonly ended: number;
}

const SERVICES: readonly Service[] = [
  {
    kind: 'slack',
    given: (url) => ({ url: `${url}/services/T01/B02/slackSecretWXYZ` }),
    path: '/services/T01/B02/slackSecretWXYZ',
    secret: 'slackSecret',
    shown: '…WXYZ',
    read: ({ text, blocks: [header, section, actions] }) => {
      assert.deepEqual([header.type, section.type, actions.type], ['header', 'section', 'actions']);
      assert.deepEqual([header.text.type, section.text.type], ['plain_text', 'plain_text']);
      const [button] = actions.elements;
      assert.equal(button.type, 'button');
      return { link: button.url, texts: [header.text.text, section.text.text, text, button.text.text] };
    },
    ended: 404,
  },
  {
    kind: 'discord',
    given: (url) => ({ url: `${url}/api/webhooks/123/discordSecretWXYZ` }),
    path: '/api/webhooks/123/discordSecretWXYZ?wait=true&with_components=true',
    secret: 'discordSecret',
    shown: '…WXYZ',
    read: ({ embeds: [embed], components: [row], allowed_mentions: mentions }) => {
      assert.deepEqual(mentions, { parse: [] });
      const [button] = row.components;
      assert.deepEqual([row.type, button.type, button.style, button.url], [1, 2, 5, embed.url]);
      return { link: embed.url, texts: [embed.title, embed.description.replaceAll('\\', ''), '', button.label] };
    },
    ended: 404,
  },
  {
    kind: 'teams',
    given: (url) => ({
      url: `${url}/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke?sig=teamsSecretWXYZ`,
    }),
    path: '/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke?sig=teamsSecretWXYZ',
    secret: 'teamsSecret',
    shown: '…WXYZ',
    read: ({ type, attachments: [attachment] }) => {
      assert.deepEqual([type, attachment.contentType], ['message', 'application/vnd.microsoft.card.adaptive']);
      const { body, actions } = attachment.content;
      assert.deepEqual([attachment.content.type, actions[0].type], ['AdaptiveCard', 'Action.OpenUrl']);
      return { link: actions[0].url, texts: [body[0].text, body[1].inlines[0].text, '', actions[0].title] };
    },
    ended: 404,
  },
  {
    kind: 'telegram',
    given: (url) => ({ token: TOKEN, chatId: '-1001234567', apiUrl: url }),
    path: `/bot${TOKEN}/sendMessage`,
    secret: TOKEN,
    shown: '…4567',
    read: ({ chat_id: chat, text, parse_mode: mode, reply_markup: markup, link_preview_options: preview }) => {
      assert.deepEqual([chat, mode, preview], ['-1001234567', undefined, { is_disabled: true }]);
      const [title, body] = text.split('\n');
      const [[button]] = markup.inline_keyboard;
      return { link: button.url, texts: [title, body, '', button.text] };
    },
    ended: 403,
  },
];

for (const engine of everyEngine()) {
  describe(`notifications through services, ${engine.name}`, () => {
    let world: World;
    let double: Receiver;
    let ada: SignedInUser;
    before(async () => {
      world = await makeWorld(engine, {
        WEBHOOK_ALLOW_PRIVATE: 'true',
        WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0',
        BASE_URL: 'https://node.example',
      });
      double = await startReceiver();
      ada = await signInUser(world, 'OWNER', 'Ada');
    });
    after(async () => {
      await double.close();
      await world.close();
    });

    const ok = (reply: Reply, status = 200): Loose => {
      assert.equal(reply.status, status, reply.text);
      return reply.body;
    };
    /** Each time by another agent, since one alone may not buy so often. */
    const ask = async (amount: number) => askForApproval(world, amount, await world.newAgent('<@U1> *Ada* [x](y)'));
    const add = (kind: string, given: Loose, more: Loose = {}) =>
      world.rest('POST', NOTIFICATIONS, { kind, ...given, name: kind, about: ['approvals'], ...more }, ada.headers);
    const places = async (): Promise<Loose[]> =>
      ok(await world.rest('GET', NOTIFICATIONS, undefined, ada.headers)).places;
    const attempt = async (id: string) =>
      ok(await world.rest('POST', `${NOTIFICATIONS}/${id}/try`, undefined, ada.headers));
    const remove = async (id: string) =>
      assert.equal((await world.rest('DELETE', `${NOTIFICATIONS}/${id}`, undefined, ada.headers)).status, 204);
    /** Those that arrive from now on. */
    const arrivals = () => {
      const before = double.received.length;
      return async (count: number): Promise<Received[]> => (await double.wait(before + count)).slice(before);
    };

    for (const service of SERVICES) {
      const { kind } = service;

      test(`${kind}: a message opens the approval, and neither it nor any answer tells a secret`, async () => {
        const arrived = arrivals();
        const place = ok(await add(kind, service.given(double.url)), 201);
        assert.equal(place.url, `${double.url}/${service.shown}`);
        const { approval } = await ask(161.5);
        const [received] = await arrived(1);
        assert.equal(received?.path, service.path);
        assert.equal(received?.headers['content-type'], 'application/json');
        const { link, texts } = service.read(received?.event);
        assert.equal(link, `https://node.example/approve/${approval.id}`);
        const [title, body, , act] = texts;
        assert.deepEqual(
          [title, body, act],
          ['Approval needed', '<@U1> *Ada* [x](y) wants to buy and asks you.', 'Open the approval'],
        );
        assert.doesNotMatch(String(received?.raw), new RegExp(`161\\.5|USD|${SHOP.replace('.', '\\.')}`));
        const shown = [
          await world.rest('GET', NOTIFICATIONS, undefined, ada.headers),
          await world.rest('GET', '/ap2/evidence/search?limit=20'),
          await world.rest('GET', `/ap2/admin/webhooks/logs?webhookId=${place.id}`),
        ];
        for (const { text } of shown) assert.ok(!text.includes(service.secret), text);
        await remove(place.id);
      });

      test(`${kind}: amount and merchant are told to a person who asked for them`, async () => {
        const arrived = arrivals();
        const { id } = ok(await add(kind, service.given(double.url), { details: true }), 201);
        await ask(162.5);
        const { texts } = service.read((await arrived(1))[0]?.event);
        assert.match(String(texts[1]), /wants to buy for 162\.50 USD at shop\.example/);
        await remove(id);
      });

      test(`${kind}: a message that met an error is sent again, and the error is shown until one arrives`, async () => {
        const arrived = arrivals();
        const { id } = ok(await add(kind, service.given(double.url)), 201);
        double.answer = (response) => void response.writeHead(500).end(service.secret);
        await ask(163);
        await until('the failure', async () => (await places())[0]?.failingSince !== undefined);
        double.answer = (response) => response.end('ok');
        assert.equal((await attempt(id)).outcome, 'delivered');
        assert.ok((await arrived(2)).length >= 2);
        await until('the recovery', async () => (await places())[0]?.failingSince === undefined);
        await remove(id);
      });

      test(`${kind}: a service that takes nothing more is shown and asked no more, until a test arrives`, async () => {
        const { id } = ok(await add(kind, service.given(double.url)), 201);
        double.answer = (response) => void response.writeHead(service.ended).end('{}');
        const tried = await attempt(id);
        assert.deepEqual([tried.outcome, tried.status, tried.answer], ['failed', service.ended, undefined]);
        await until('the end', async () => (await places())[0]?.silent === 'ended');
        const [event] = ok(await world.rest('GET', '/ap2/evidence/search?limit=1')).data;
        assert.deepEqual([event.eventType, event.data.reason], ['NOTIFICATIONS_CHANGED', 'ended']);
        const { items } = ok(await world.rest('GET', '/ap2/admin/attention', undefined, ada.headers));
        assert.match(JSON.stringify(items), new RegExp(`No notifications reach you by ${kind}\\.`));
        const { checks } = ok(await world.rest('GET', '/ap2/admin/health', undefined, ada.headers));
        const found = checks.find(({ check }: Loose) => check === 'notifications');
        assert.deepEqual([found.level, found.remedy.includes(ada.userId)], ['warning', true]);
        const arrived = arrivals();
        await ask(164);
        double.answer = (response) => response.end('ok');
        assert.equal((await attempt(id)).outcome, 'delivered');
        const [first] = await arrived(1);
        assert.equal(
          service.read(first?.event).texts[0],
          'Notifications arrive here',
          'the trial came, and nothing before it',
        );
        assert.equal((await places())[0]?.silent, undefined);
        await remove(id);
      });
    }

    test('a service that asks to wait is asked again after that', async () => {
      const arrived = arrivals();
      const { id } = ok(await add('slack', SERVICES[0]?.given(double.url)), 201);
      double.answer = (response) => void response.writeHead(429, { 'retry-after': '2' }).end();
      await ask(165);
      await arrived(1);
      double.answer = (response) => response.end('ok');
      const [first, second] = await arrived(2);
      assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 1900, 'it waited as it was asked');
      await remove(id);
    });

    test('the same address again takes the place of the former', async () => {
      const given = SERVICES[0]?.given(double.url);
      const first = ok(await add('slack', given), 201);
      const other = ok(await add('slack', { url: `${double.url}/services/T01/B02/another` }), 201);
      const again = ok(await add('slack', given), 201);
      assert.deepEqual((await places()).map(({ id }) => id).toSorted(), [other.id, again.id].toSorted());
      assert.notEqual(first.id, again.id);
      await remove(other.id);
      await remove(again.id);
    });

    test('an address that is no webhook of its service is refused, and the refusal does not repeat it', async () => {
      for (const [kind, given] of [
        ['slack', { url: 'https://hooks.slack.com.evil.example/services/T/B/s3cret' }],
        ['slack', { url: 'https://hooks.slack.com/other/s3cret' }],
        ['slack', { url: 'http://hooks.slack.com/services/T/B/s3cret' }],
        ['slack', { url: 'https://u:s3cret@hooks.slack.com/services/T/B/s' }],
        ['slack', { url: 'http://10.0.0.1/services/T/B/s3cret' }],
        ['discord', { url: 'https://discord.example/api/webhooks/1/s3cret' }],
        ['discord', { url: 'https://discord.com/api/users/1/s3cret' }],
        ['teams', { url: 'https://logic.azure.com.evil.example/workflows/s3cret' }],
        ['teams', { url: 'https://evillogic.azure.com/workflows/s3cret' }],
        ['telegram', { token: 's3cret', chatId: '1' }],
        ['telegram', { token: `${TOKEN}/../s3cret`, chatId: '1' }],
        ['telegram', { token: TOKEN, chatId: 's3cret chat' }],
        ['telegram', { token: TOKEN, chatId: '1', apiUrl: 'https://s3cret.example/' }],
      ] as const) {
        const refused = await add(kind, given);
        assert.equal(refused.status, 400, `${JSON.stringify(given)}: ${refused.text}`);
        assert.ok(!refused.text.includes('s3cret'), refused.text);
      }
    });

    test('a key that the node made names the user, and another key may not', async () => {
      const given = SERVICES[0]?.given(double.url);
      const body = { kind: 'slack', ...given, name: 'ops', about: ['approvals'], userId: ada.userId };
      const { id, url } = ok(await world.rest('POST', NOTIFICATIONS, body), 201);
      assert.equal(url, double.url, 'a caller that is not the person is shown no address');
      assert.equal(ok(await world.rest('GET', `${NOTIFICATIONS}?userId=${ada.userId}`)).places.length, 1);
      const made = ok(await world.rest('POST', '/ap2/admin/api-keys', { name: 'other', permissions: ['admin'] }), 201);
      const other = { Authorization: `Bearer ${made.key}` };
      for (const [method, path, sent] of [
        ['GET', `${NOTIFICATIONS}?userId=${ada.userId}`, undefined],
        ['POST', NOTIFICATIONS, body],
        ['DELETE', `${NOTIFICATIONS}/${id}?userId=${ada.userId}`, undefined],
      ] as const) {
        assert.equal((await world.rest(method, path, sent, other)).status, 403, `${method} ${path}`);
      }
      const bob = await signInUser(world, 'ADMIN', 'Bob');
      assert.equal(
        (await world.rest('GET', `${NOTIFICATIONS}?userId=${ada.userId}`, undefined, bob.headers)).status,
        403,
      );
      assert.equal((await world.rest('DELETE', `${NOTIFICATIONS}/${id}?userId=${ada.userId}`)).status, 204);
    });
  });
}

test('a node in production sends to the services alone', async () => {
  const [engine] = everyEngine();
  assert.ok(engine);
  const world = await makeWorld(engine, { WEBHOOK_ALLOW_PRIVATE: 'false' });
  try {
    const ada = await signInUser(world, 'OWNER', 'Ada');
    for (const { kind, given } of SERVICES) {
      const body = { kind, ...given('http://127.0.0.1:9'), name: kind, about: ['approvals'] };
      assert.equal((await world.rest('POST', NOTIFICATIONS, body, ada.headers)).status, 400, kind);
    }
    for (const [kind, url] of [
      ['slack', 'https://hooks.slack.com/services/T01/B02/abcd'],
      ['discord', 'https://discord.com/api/webhooks/1/abcd'],
      [
        'teams',
        'https://default1.ab.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke?sig=abcd',
      ],
      ['teams', 'https://prod-01.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=abcd'],
    ] as const) {
      const added = await world.rest(
        'POST',
        NOTIFICATIONS,
        { kind, url, name: kind, about: ['disputes'] },
        ada.headers,
      );
      assert.equal(added.status, 201, added.text);
      assert.match(added.body.url, /…abcd$/);
    }
  } finally {
    await world.close();
  }
});
