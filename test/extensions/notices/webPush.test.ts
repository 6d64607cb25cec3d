/** What a browser is pushed: short enough for a push service and with nothing that is for other services. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealer } from '../../../src/crypto/seal.ts';
import { vapidKeys } from '../../../src/extensions/notices/channels/vapidKeys.ts';
import { webPush } from '../../../src/extensions/notices/channels/webPush.ts';
import { pushBrowser } from '../../support/pushBrowser.ts';
import type { Received } from '../../support/receiver.ts';

test('a long text is cut, so that a push service takes it', async () => {
  const browser = pushBrowser();
  const vapid = vapidKeys(sealer(new Uint8Array(32).fill(7)));
  const deps = { vapid, settings: { baseUrl: 'https://node.example' } } as unknown as Parameters<
    typeof webPush.compose
  >[0];
  const place = {
    kind: 'webPush',
    name: 'phone',
    details: true,
    keys: browser.keys,
    url: 'http://push.example/x',
  } as const;
  const notice = {
    title: 'What your agents bought this week',
    body: '界'.repeat(5000),
    path: '/',
    tag: 'notice.digest',
    id: 'evt_1.ntc_1',
    link: 'https://node.example/',
    act: 'Open the console',
    attachment: { fileName: 'week.csv', mediaType: 'text/csv', content: 'x'.repeat(10_000) },
  };
  const { url, headers, body } = await webPush.compose(deps, place, notice, 0);
  assert.equal(url.href, place.url);
  assert.ok(body.length <= 4096, `${body.length} bytes`);
  const bytes = Buffer.from(body);
  const at = Date.now();
  const read = browser.read(
    { headers: { ...headers, host: url.host }, bytes, at } as unknown as Received,
    vapid.publicKey,
  );
  assert.deepEqual(
    [read.title, read.body.length, read.attachment, read.link],
    [notice.title, 801, undefined, undefined],
  );
});
