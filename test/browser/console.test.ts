/** The console in a real browser: a person looks, approves, freezes, refunds, and checks the evidence. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CHROMIUM, type Device, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { askForApproval, leap } from '../support/person.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['phone, light', { ...PHONE, colorScheme: 'light' }],
  ['desktop, dark', { ...DESKTOP, colorScheme: 'dark' }],
];
/** What a stranger may call an agent: markup, a way to turn text around, and no end. */
const HOSTILE = `<img src=x onerror=alert(1)>\u202egnp ${'long '.repeat(30)}`.trim();

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

for (const engine of everyEngine()) {
  describe(`the console in Chromium on ${engine.name}`, { skip }, () => {
    let world: World;
    let browser: Browser;
    let hostile: Peer;
    before(async () => {
      world = await makeWorld(engine);
      const spend = { amount_cap: 100, presence_cap: 200, currency: 'USD' };
      const rules = { version: '2.0', spend, context: {} };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'test', rules })).status, 201);
      hostile = await world.newAgent(HOSTILE);
      browser = await openChromium();
    });
    after(async () => {
      await browser.close();
      await world.close();
    });

    /** A whole purchase. @returns the id of its payment */
    async function buy(amount: number, agent: Peer = world.agent): Promise<string> {
      const named = { agentDid: agent.did, principalDid: agent.did };
      const purchase = { ...named, amount, currency: 'USD', merchantDomain: SHOP };
      const { body, text } = await world.rest('POST', '/ap2/demo/payment', purchase);
      const mandateId = body.payment?.capture?.mandateId ?? body.payment?.pmVc?.credentialSubject?.mandateId;
      assert.ok(mandateId, text);
      return mandateId;
    }

    const show = async (page: Page, hash: string, heading: string | RegExp) => {
      await page.goto(`${world.node.baseUrl}/console/${hash}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    };

    /** Of what a browser complains of, what the page is to blame for; a missing route says so in the console, too. */
    const faultsOf = ({ complaints }: Device) => complaints.filter((text) => !/status of (401|403|404)/.test(text));

    test('a visitor without a login is asked to sign in, and loads nothing from elsewhere', async () => {
      // Before there is an owner, the page leads to becoming it.
      await openConsole(browser, world, 'OWNER').then(({ page: first }) => first.context().close());
      const context = await browser.newContext(PHONE);
      const page = await context.newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`${world.node.baseUrl}/`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/console/');
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
      assert.deepEqual(
        requests.filter((url) => !url.startsWith(`${world.node.baseUrl}/`)),
        [],
      );
      await assertAccessible(page, 'signing in');
      await context.close();
    });

    test('every screen can be used by everybody, on a phone and on a desk, in light and dark, and nothing moves', async () => {
      const mandateId = await buy(42.5, hostile);
      const { approval } = await askForApproval(world, 150);
      const { transactionId } = (await world.rest('GET', '/ap2/decisions?outcome=approval')).body.data[0];
      const policy = (await world.rest('GET', '/ap2/policies/current')).body;
      const screens: readonly [hash: string, heading: string | RegExp][] = [
        ['#/', 'Today'],
        ['#/approvals', 'Approvals'],
        [`#/approvals/${approval.id}`, /wants to buy/],
        ['#/payments?status=CAPTURED', 'Payments'],
        [`#/payments/${mandateId}`, /at shop\.example/],
        ['#/decisions', 'Decisions'],
        [`#/decisions/${transactionId}`, /sent a cart of 150\.00 USD/],
        ['#/policy', 'Policy'],
        ['#/policy/draft?rule=context.time_windows', 'Draft'],
        [`#/policy/versions/${policy.id}/${policy.version}`, /, version \d+$/],
        ['#/agents', 'Agents'],
        [`#/agents/${encodeURIComponent(hostile.did)}`, /img src=x/],
        ['#/agents/new', 'Add an agent'],
        ['#/settings', 'Settings'],
        ['#/nothing', 'There is nothing here'],
      ];
      for (const [name, options] of LOOKS) {
        const device = await openConsole(browser, world, 'OWNER', options);
        const { page } = device;
        for (const [hash, heading] of screens) {
          await show(page, hash, heading);
          await assertAccessible(page, `${hash}, ${name}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${hash} is wider than the ${name}`);
        }
        assert.deepEqual(faultsOf(device), [], name);
        await page.addInitScript(noteMoves);
        for (const [hash, heading] of screens) {
          await page.goto('about:blank');
          await show(page, hash, heading);
          if (hash === '#/') await page.locator('.chart-bar').first().waitFor();
          const moved: number[] = await page.evaluate(() => (globalThis as Loose).moved);
          assert.ok(moved.reduce((sum, value) => sum + value, 0) < 0.05, `${hash} on the ${name} moved by ${moved}`);
        }
        await page.context().close();
      }
    });

    test('names that come after the records move nothing', async () => {
      await buy(43.5, hostile);
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await page.addInitScript(noteMoves);
      await page.route(/\/ap2\/agents\?/, async (route) => {
        await records;
        await route.continue();
      });
      const records = page.waitForResponse((response) => response.url().endsWith('/ap2/payments?limit=8'));
      await page.reload();
      await page.locator('.row', { hasText: 'img src=x' }).first().waitFor();
      await page.locator('.chart-bar').first().waitFor();
      const moved: number[] = await page.evaluate(() => (globalThis as Loose).moved);
      assert.ok(moved.reduce((sum, value) => sum + value, 0) < 0.05, `moved by ${moved}`);
      await page.context().close();
    });

    test('a purchase is approved with one touch, on the list and without leaving it', async () => {
      const agent = await world.newAgent('Asks for much');
      const { page, ...device } = await openConsole(browser, world, 'OWNER', PHONE);
      const owner = (await world.rest('GET', '/ap2/admin/users')).body.data[0].id;
      await world.rest('PUT', `/ap2/agents/${agent.did}`, { ownerUserId: owner });
      const { approval } = await askForApproval(world, 151, agent);
      await show(page, '#/approvals', 'Approvals');
      await page.getByRole('button', { name: 'Approve with passkey: Asks for much, 151.00 USD' }).click();
      await page.getByText('The agent pays by itself.').waitFor();
      const { body } = await world.rest('GET', `/ap2/approvals/${approval.id}`);
      assert.equal(body.status, 'approved');
      await page.locator(`a[href="#/approvals/${approval.id}"]`, { hasText: 'Approved' }).waitFor();
      await show(page, `#/approvals/${approval.id}`, /wanted to buy/);
      await page.getByText('approved exactly this purchase.').waitFor();
      assert.equal(await page.locator('.decision-checks > li', { hasText: '✓' }).count(), 9);
      await assertAccessible(page, 'the checks of a decision');
      assert.deepEqual(faultsOf({ page, ...device }), []);
      await page.context().close();
    });

    test('denying waits for no touch, and what waits is decided one after the other', async () => {
      const { approval } = await askForApproval(world, 152);
      const { approval: later } = await askForApproval(world, 153);
      const { page } = await openConsole(browser, world, 'OWNER');
      await show(page, `#/approvals/${approval.id}`, /wants to buy/);
      await page.getByRole('term').filter({ hasText: 'Whose money' }).first().waitFor();
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('Denied. Nothing is bought.').waitFor();
      assert.equal((await world.rest('GET', `/ap2/approvals/${approval.id}`)).body.status, 'denied');
      await page.getByRole('link', { name: 'What every rule said' }).waitFor();
      const next = page.getByRole('link', { name: /^Next:/ });
      while (!page.url().endsWith(later.id)) {
        const before = page.url();
        await next.click();
        await page.waitForURL((url) => url.href !== before);
        await page.getByRole('button', { name: 'Deny' }).click();
        await page.getByRole('heading', { name: /wanted to buy/ }).waitFor();
      }
      assert.equal((await world.rest('GET', `/ap2/approvals/${later.id}`)).body.status, 'denied');
      await page.context().close();
    });

    test('the events of a payment are checked in the browser, and one that was changed on its way is found', async () => {
      const mandateId = await buy(12);
      const { page } = await openConsole(browser, world, 'OWNER');
      await show(page, `#/payments/${mandateId}`, /at shop\.example/);
      await page.getByText('Checked in this browser').waitFor();
      await page.getByText('The money was taken').click();
      await page.getByText('PAYMENT_CAPTURED').first().waitFor();
      await page.route('**/ap2/evidence/bundle/*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replaceAll('"amount":12', '"amount":11') });
      });
      await page.reload();
      await page.getByText('The evidence does not hold').waitFor();
      await page.context().close();
    });

    test('a refund whose answer was lost is asked for again, and paid once', async () => {
      const mandateId = await buy(30);
      const { page } = await openConsole(browser, world, 'OWNER');
      await show(page, `#/payments/${mandateId}`, /at shop\.example/);
      await page.getByRole('button', { name: 'Refund…' }).click();
      await page.getByLabel('Amount in USD').fill('10');
      let lost = 0;
      await page.route('**/refund', async (route) => {
        await route.fetch();
        lost += 1;
        await route.abort();
      });
      const refund = page.getByRole('button', { name: 'Refund 10.00 USD' });
      await refund.click();
      await page.getByText('it is unknown whether it was done').waitFor();
      assert.ok(lost >= 1);
      await page.unroute('**/refund');
      // A user who thinks of another amount and comes back to this one means the same refund.
      await page.getByLabel('Amount in USD').fill('12');
      await page.getByLabel('Amount in USD').fill('10');
      await refund.click();
      await page.getByText('Refunded.').waitFor();
      assert.equal((await world.rest('GET', `/ap2/payments/${mandateId}`)).body.refunded, 10);
      await page.context().close();
    });

    test('an agent is frozen at once, and the notice takes it back', async () => {
      const agent = await world.newAgent('Odd agent');
      const statusOf = async () =>
        (await world.rest('GET', `/ap2/agents/${encodeURIComponent(agent.did)}`)).body.status;
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/agents', 'Agents');
      await page.getByRole('link', { name: 'Odd agent' }).click();
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByText('Frozen. The agent buys nothing from now on.').waitFor();
      assert.equal(await statusOf(), 'SUSPENDED');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Reactivated. The agent can buy again.').waitFor();
      assert.equal(await statusOf(), 'ACTIVE');
      await page.context().close();
    });

    test('an agent is added with a key that is made here and sent nowhere', async () => {
      const { page, ...device } = await openConsole(browser, world, 'OWNER');
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.postData() ?? ''));
      await show(page, '#/agents/new', 'Add an agent');
      await page.getByLabel('Name').fill('Made here');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('heading', { name: 'Save the secret key now' }).waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save agent.seed' }).click(),
      ]);
      const seed = await streamed(await saved.createReadStream());
      assert.equal(seed.length, 32);
      const texts = [seed.toString('hex'), seed.toString('base64'), seed.toString('base64url')];
      assert.ok(sent.every((body) => texts.every((text) => !body.includes(text))));
      const { data } = (await world.rest('GET', '/ap2/agents')).body;
      const { did } = data.find(({ displayName }: Loose) => displayName === 'Made here');
      await page.getByText(did).first().waitFor();
      assert.deepEqual(faultsOf({ page, ...device }), []);
      await page.context().close();
    });

    test('a viewer is shown nothing that would be refused', async () => {
      const mandateId = await buy(21);
      const { page } = await openConsole(browser, world, 'VIEWER');
      const refused: string[] = [];
      page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
      const agent = `#/agents/${encodeURIComponent(world.agent.did)}`;
      for (const [hash, heading] of [
        ['#/', 'Today'],
        [`#/payments/${mandateId}`, /at shop\.example/],
        [agent, 'test agent'],
        ['#/decisions', 'Decisions'],
        ['#/policy', 'Policy'],
        ['#/policy/draft', 'Draft'],
        ['#/settings', 'Settings'],
      ] as const) {
        await show(page, hash, heading);
        for (const name of [/^Refund/, 'Freeze', /^Revoke/, 'Add an agent', /^Invite/, /^Approve/, 'Publish']) {
          assert.equal(await page.getByRole('button', { name }).count(), 0, `${name} at ${hash}`);
        }
      }
      await show(page, '#/agents/new', 'There is nothing here');
      assert.deepEqual(
        refused.filter((url) => !url.includes('/events/stream')),
        [],
      );
      await page.context().close();
    });

    test('a node that goes away is told of, what was shown stays, and it comes back by itself', async () => {
      const { page } = await openConsole(browser, world, 'OWNER');
      await show(page, '#/payments', 'Payments');
      const lines = page.locator('.table td:first-of-type');
      await lines.first().waitFor();
      const count = await lines.count();
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Add a filter' }).click();
      await page.getByLabel('Filter by').selectOption('State');
      await page.getByLabel('State').selectOption('CAPTURED');
      await page.getByText('The node cannot be reached, first noticed').waitFor();
      await page.context().setOffline(false);
      await page.getByText('The node cannot be reached, first noticed').waitFor({ state: 'detached' });
      await page.getByLabel('State').selectOption('');
      await lines.nth(count - 1).waitFor();
      await page.context().close();
    });

    test('what happens is shown on every device long before it would look by itself', async () => {
      const devices = await Promise.all([
        openConsole(browser, world, 'OWNER'),
        openConsole(browser, world, 'VIEWER', PHONE),
      ]);
      for (const { page } of devices) await show(page, '#/', 'Today');
      const agent = await world.newAgent('Seen at once');
      await askForApproval(world, 153, agent);
      const told = devices.map(({ page }) => page.getByText('Seen at once').waitFor({ timeout: 10_000 }));
      await Promise.all(told);
      for (const { page } of devices) await page.context().close();
    });

    test('what raises risk asks for a touch when the last one is old, and is then done', async () => {
      const agent = await world.newAgent('Was frozen');
      await world.rest('POST', `/ap2/admin/agents/${encodeURIComponent(agent.did)}/suspend`, {});
      const { page, cdp, authenticatorId } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, `#/agents/${encodeURIComponent(agent.did)}`, 'Was frozen');
      const back = leap(world, 301);
      try {
        await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
        await page.getByRole('button', { name: 'Reactivate' }).click();
        const sheet = page.getByRole('dialog', { name: 'Confirm that it is you' });
        await sheet.getByRole('alert').waitFor();
        await assertAccessible(page, 'confirming');
        await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
        await sheet.getByRole('button', { name: 'Use passkey' }).click();
        await page.getByText('Reactivated. The agent can buy again.').waitFor();
      } finally {
        back();
      }
      await page.context().close();
    });

    test('a user with a passkey signs in again by one touch, and an invitation that was used says so', async () => {
      const { page } = await openConsole(browser, world, 'ADMIN', PHONE);
      await show(page, '#/settings', 'Settings');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      const { body } = await world.rest('POST', '/ap2/admin/invitations', { role: 'VIEWER' });
      await page.goto(`${body.url}x`);
      await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
      await assertAccessible(page, 'an invitation that is over');
      await page.context().close();
    });

    test('without a network the console opens all the same, and no answer of the node is kept', async () => {
      const options: BrowserContextOptions = { ...PHONE, serviceWorkers: 'allow' };
      const { page, ...device } = await openConsole(browser, world, 'OWNER', options);
      await show(page, '#/payments', 'Payments');
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      // A page that was there before the worker is its own from the next load on.
      await page.reload();
      await page.getByRole('heading', { name: 'Payments' }).waitFor();
      const kept: string[] = await page.evaluate(async () => {
        const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
        const requests = await Promise.all(caches_.map((cache) => cache.keys()));
        return requests.flat().map(({ url }) => url);
      });
      assert.ok(kept.length >= 3);
      for (const url of kept) assert.match(new URL(url).pathname, /^\/console\/([\w.-]+-[0-9A-Z]{8}\.\w+)?$/);
      await page.context().setOffline(true);
      await page.reload();
      await page.getByText('The node cannot be reached, first noticed').waitFor();
      await page.context().setOffline(false);
      await page.getByRole('heading', { name: 'Payments' }).waitFor();
      const refused = /ERR_INTERNET_DISCONNECTED/;
      assert.deepEqual(
        faultsOf({ page, ...device }).filter((text) => !refused.test(text)),
        [],
      );
      await page.context().close();
    });

    test('two tabs stay signed in when the token of both has ended, and log out together', async () => {
      const { page } = await openConsole(browser, world, 'OWNER');
      const other = await page.context().newPage();
      await show(other, '#/agents', 'Agents');
      await Promise.all([page.reload(), other.reload()]);
      for (const tab of [page, other]) await tab.getByRole('navigation').waitFor();
      await show(page, '#/settings', 'Settings');
      await page.getByRole('button', { name: 'Sign out' }).click();
      for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.context().close();
    });
  });
}

async function streamed(pieces: AsyncIterable<unknown>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece as Buffer);
  return Buffer.concat(all);
}

/** Runs in the page: notes by how much of the screen what is shown moves by itself. */
function noteMoves(): void {
  const moved: number[] = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) moved.push((entry as Loose).value);
  }).observe({ type: 'layout-shift', buffered: true });
  Object.assign(globalThis, { moved });
}
