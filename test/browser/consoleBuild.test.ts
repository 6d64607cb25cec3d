/** Build and the places of Settings in Chromium: an operator looks after a node, a developer connects a program. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { run } from '../../src/store/store.ts';
import { CHROMIUM, type Device, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { attempts, subscribe } from '../support/hooks.ts';
import { makePeer } from '../support/peer.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['phone, light', { ...PHONE, colorScheme: 'light' }],
  ['desk, dark', { ...DESKTOP, colorScheme: 'dark' }],
];
const DAY_MS = 24 * 3600 * 1000;
/** What a stranger may call something: markup, a way to turn text around, and no end. */
const HOSTILE = `<img src=x onerror=alert(1)>\u202egnp ${'long '.repeat(12)}`.trim();

for (const engine of everyEngine()) {
  describe(`Build and Settings in Chromium, ${engine.name}`, { skip }, () => {
    let world: World;
    let receiver: Receiver;
    let browser: Browser;
    before(async () => {
      // The node is not to ask the rail, nor the endpoint, again by itself before the user does.
      const env = { RAIL_RETRY_SECONDS: '3600', WEBHOOK_RETRY_SECONDS: '0,3600,3600,3600,3600,3600' };
      world = await makeWorld(engine, env);
      receiver = await startReceiver();
      browser = await openChromium();
    });
    after(async () => {
      await browser.close();
      await receiver.close();
      await world.close();
    });

    const show = async (page: Page, hash: string, heading: string | RegExp) => {
      await page.goto(`${world.node.baseUrl}/console/${hash}`);
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    };
    // PostgreSQL has no backups here: its node says so by a conflict, which the page shows in words.
    const answers = engine.name === 'sqlite' ? /status of (401|404)/ : /status of (401|404|409 .*backups\/schedule$)/;
    const faultsOf = ({ complaints }: Device) => complaints.filter((text) => !answers.test(text));

    /** A payment that its rail gives no answer to. @returns what has the rail answer again */
    async function makeStuck(t: TestContext): Promise<{ mandateId: string; mend(): void }> {
      const rail = world.node.deps.rails.get('CARD_RAIL') as Loose;
      const { authorize } = rail;
      rail.authorize = async () => ({ kind: 'unknown', reason: 'No answer.' });
      const mend = () => {
        rail.authorize = authorize;
      };
      t.after(mend);
      return { mandateId: mandateIdOf(await purchase(world, 12)), mend };
    }

    /** An endpoint that has answered with errors for six days. */
    async function makeFailing(t: TestContext, path: string): Promise<Loose> {
      receiver.answer = (response) => {
        response.statusCode = 500;
        response.end('<h1>It broke</h1>');
      };
      const hook = await subscribe(world, receiver.url + path, ['agent.created']);
      t.after(() => world.rest('DELETE', `/ap2/admin/webhooks/${hook.id}`));
      await world.newAgent('Told of');
      await attempts(world, hook.id, 1);
      const { deps, tenantId } = world.node;
      const since = Date.now() - 6 * DAY_MS;
      await deps.store.write(tenantId, () => run('UPDATE webhooks SET failing_since = ? WHERE id = ?', since, hook.id));
      return hook;
    }

    const mendEndpoint = () => {
      receiver.answer = (response) => response.end('thanks');
    };

    for (const [look, options] of LOOKS) {
      test(`an operator sees on ${look} what is stuck and what fails, and sees to both`, async (t) => {
        const { mandateId, mend } = await makeStuck(t);
        const hook = await makeFailing(t, `/${look.slice(0, 4)}`);
        const device = await openConsole(browser, world, 'OWNER', options);
        const { page } = device;
        await show(page, '#/', 'Today');
        await page.getByText(`Nothing has reached ${hook.url}`).waitFor();
        await page.getByRole('link', { name: 'Health' }).click();
        await page.getByRole('heading', { name: /found something|need/ }).waitFor();
        await page.getByText('1 endpoint is not reached for five days').waitFor();
        await page.getByText('What to do: see why: countersign webhook logs').waitFor();
        await assertAccessible(page, `health, ${look}`);
        const stuck = page.locator('li', { hasText: 'has no answer of its rail yet' });
        const ask = stuck.getByRole('button', { name: 'Ask the rail again' });
        await ask.click();
        await page.getByText('The rail still gives no answer.').waitFor();
        mend();
        await ask.click();
        await page.getByText('The rail has answered.').waitFor();
        await stuck.waitFor({ state: 'detached' });
        assert.equal((await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status, 'AUTHORIZED');
        await page.getByRole('link', { name: hook.url }).click();
        await page.getByText('Deliveries have failed since').waitFor();
        await page.locator('details.event summary, .table [aria-expanded]').first().click();
        await page.getByText('<h1>It broke</h1>').waitFor();
        await page.getByText('"displayName": "Told of"').waitFor();
        mendEndpoint();
        await page.getByRole('button', { name: 'Send again' }).click();
        await page.getByText('Delivered: 200').waitFor();
        await page.getByText('● Active').waitFor();
        await show(page, '#/settings/health', 'The node is well');
        await page.getByText(/^\d+ checks passed$/).click();
        await page.locator('.row.check').first().waitFor();
        assert.deepEqual(faultsOf(device), []);
        await page.context().close();
      });
    }

    test('a payment without an outcome is asked about where it is shown, by the keyboard alone', async (t) => {
      const { mandateId, mend } = await makeStuck(t);
      mend();
      const { page } = await openConsole(browser, world, 'MEMBER');
      await show(page, '#/', 'Today');
      await press(page, page.getByRole('link', { name: /has no answer of its rail yet/ }));
      await press(page, page.getByRole('button', { name: 'Ask the rail again' }));
      await page.getByText('The rail has answered.').waitFor();
      assert.equal((await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status, 'AUTHORIZED');
      await page.context().close();
    });

    test('a webhook is made, tried, paused, resumed, given another secret and deleted, by the keyboard alone', async () => {
      mendEndpoint();
      const device = await openConsole(browser, world, 'ADMIN');
      const { page } = device;
      await show(page, '#/build/webhooks', 'Build');
      await page.getByText('No webhooks yet').waitFor();
      await press(page, page.getByRole('link', { name: 'Add' }));
      await page.getByLabel('Address').focus();
      await page.keyboard.type(`${receiver.url}/keys`);
      await press(page, page.getByRole('button', { name: 'None' }));
      await page.getByRole('checkbox', { name: 'An agent is added' }).focus();
      await page.keyboard.press('Space');
      await press(page, page.getByRole('button', { name: 'Add webhook' }));
      const secret = await page.locator('.copy pre').first().innerText();
      assert.match(secret, /^whsec_/);
      await press(page, page.getByRole('link', { name: 'Open the webhook' }));
      await press(page, page.getByRole('button', { name: 'Send a sample' }));
      await page.getByText('The sample arrived: 200').waitFor();
      await press(page, page.getByRole('button', { name: 'Pause' }));
      await page.getByText('○ Paused').waitFor();
      await world.newAgent('While it was paused');
      await page.getByText('1 delivery held').waitFor();
      await press(page, page.getByRole('button', { name: 'Resume' }));
      await receiver.wait(1, ({ path, event }) => path === '/keys' && event.data.displayName === 'While it was paused');
      await press(page, page.getByRole('button', { name: 'Rotate secret…' }));
      await press(page, page.getByRole('button', { name: 'Rotate secret', exact: true }));
      const next = await page.locator('.sheet .copy pre').innerText();
      assert.ok(/^whsec_/.test(next) && next !== secret);
      await page.keyboard.press('Escape');
      await page.getByText('signs too until').waitFor();
      await press(page, page.getByRole('button', { name: 'Delete…' }));
      await press(page, page.getByRole('button', { name: 'Delete', exact: true }));
      await page.getByText('No webhooks yet').waitFor();
      assert.deepEqual(faultsOf(device), []);
      await page.context().close();
    });

    test('a webhook whose address is refused keeps what was typed, and a lost answer makes no second one', async () => {
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/build/webhooks/new', 'Add a webhook');
      await page.getByLabel('Address').fill('ftp://nowhere.example/');
      await page.getByRole('button', { name: 'Add webhook' }).click();
      // What the node finds wrong stands at the field.
      await page
        .locator('.field', { has: page.getByLabel('Address') })
        .locator('.wrong')
        .waitFor();
      assert.equal(await page.getByLabel('Address').inputValue(), 'ftp://nowhere.example/');
      await page.getByLabel('Address').fill(`${receiver.url}/once`);
      let lost = 0;
      await page.route('**/ap2/admin/webhooks', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        await route.fetch();
        lost += 1;
        await route.abort();
      });
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await page.locator('form .trouble').filter({ hasText: 'it is unknown whether it was done' }).waitFor();
      assert.ok(lost >= 1);
      await page.unroute('**/ap2/admin/webhooks');
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await page.getByText('Save this secret now').waitFor();
      const { data } = (await world.rest('GET', '/ap2/admin/webhooks')).body;
      assert.equal(data.length, 1);
      await world.rest('DELETE', `/ap2/admin/webhooks/${data[0].id}`);
      await page.context().close();
    });

    test('an API key is made and used, replaced, and the former one revoked', async () => {
      const device = await openConsole(browser, world, 'OWNER', PHONE);
      const { page } = device;
      await show(page, '#/build/keys', 'Keys');
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill(HOSTILE.slice(0, 100));
      await page.getByLabel('Permissions').selectOption('write');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Save this key now').waitFor();
      const key = await page.locator('.copy pre').first().innerText();
      const ask = (secret: string) =>
        world.rest('GET', '/ap2/payments', undefined, { Authorization: `Bearer ${secret}` });
      assert.equal((await ask(key)).status, 200);
      const command = await page.locator('.copy pre').nth(1).innerText();
      assert.ok(command.includes(key) && command.includes(world.node.baseUrl));
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByText('Reads and writes · used').waitFor();
      assert.ok(!(await page.content()).includes(key), 'a key is shown once');
      await page.getByRole('button', { name: /^Replace <img/ }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
      const next = await page.locator('.copy pre').first().innerText();
      assert.equal((await ask(key)).status, 200, 'the former one works until it is revoked');
      await page.getByRole('button', { name: 'Revoke the former key' }).click();
      await page.getByText('The former key is refused from now on.').waitFor();
      assert.equal((await ask(key)).status, 401);
      assert.equal((await ask(next)).status, 200);
      assert.deepEqual(faultsOf(device), []);
      await page.context().close();
    });

    test('every story of the playground is played, and what it leaves is said and tidied up', async () => {
      const device = await openConsole(browser, world, 'OWNER');
      const { page } = device;
      await show(page, '#/build/playground', 'Playground');
      const card = (title: string) => page.locator('.card').filter({ has: page.getByRole('heading', { name: title }) });
      const ends: readonly [title: string, end: RegExp][] = [
        ['Allowed', /Paid: 42\.50 USD\./],
        ['Refused', /Refused\. .*500\.00 USD/],
        ['Declined card', /Not paid\. The card was declined\./],
        ['3-D Secure', /Not paid\. The card asks for 3-D Secure/],
        ['Dispute', /Disputed\. It needs you/],
      ];
      for (const [title, end] of ends) {
        await card(title)
          .getByRole('button', { name: `Play: ${title}` })
          .click();
        await card(title).getByText(end).waitFor();
      }
      await card('Refused').locator('.step summary').first().click();
      await card('Refused').getByText('"method": "a2a/message"').waitFor();
      await card('Refused').getByText('"proof"').first().waitFor();
      const link = card('Refused').getByRole('link', { name: 'To the decision' }).first();
      const transaction = String(await link.getAttribute('href'))
        .split('/')
        .at(-1);
      assert.equal((await world.rest('GET', `/ap2/decisions/${transaction}`)).status, 200);
      await card('Needs you').getByRole('button', { name: 'Play: Needs you' }).click();
      await card('Needs you').getByRole('link', { name: 'Decide' }).click();
      await page.getByRole('button', { name: /^Approve/ }).click();
      await page.getByText('The agent pays by itself.').first().waitFor();
      await page.goBack();
      await card('Needs you')
        .getByText(/Paid: 150\.00 USD\./)
        .waitFor();
      await card('Needs you').getByRole('link', { name: 'To the payment' }).last().click();
      await page.getByText('● Paid').waitFor();
      await page.goBack();
      await card('Clean up').getByRole('button', { name: 'Revoke it' }).click();
      await card('Clean up').getByText('No agent of the playground is active.').waitFor();
      const { data } = (await world.rest('GET', '/ap2/agents?status=ACTIVE&limit=200')).body;
      assert.ok(data.every(({ displayName }: Loose) => displayName !== 'Playground'));
      assert.deepEqual(faultsOf(device), []);
      await page.context().close();
    });

    test('what the playground leaves is tidied up where no change is told', async () => {
      const { page } = await openConsole(browser, world, 'OWNER');
      await page.route(/\/events\/stream/, () => {});
      await page.addInitScript(() => Object.assign(globalThis, { setInterval: () => 0 }));
      await page.reload();
      await show(page, '#/build/playground', 'Playground');
      await page.getByRole('button', { name: 'Play: Allowed' }).click();
      await page.getByText(/Paid: 42\.50 USD\./).waitFor();
      await page.getByRole('button', { name: 'Revoke it' }).click();
      await page.getByText('No agent of the playground is active.').waitFor();
      await page.context().close();
    });

    test('another policy ends a story otherwise, and that is said', async () => {
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      const rules = { version: '2.0', spend: { amount_cap: 5, currency: 'USD' } };
      const { body } = await world.rest('POST', '/ap2/admin/policies', { name: 'Tight', rules });
      await show(page, '#/build/playground', 'Playground');
      await page.getByRole('button', { name: 'Play: Allowed' }).click();
      await page.getByText('That is not how the story goes').waitFor();
      const wide = { version: '2.0', spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } };
      await world.rest('POST', '/ap2/admin/policies', { name: 'Wide', rules: wide });
      assert.ok(body.id);
      // The story's own agent may be listed only after those before it were revoked, and the button goes with the last of them.
      const revoke = page.getByRole('button', { name: /^Revoke (it|them)$/ });
      const none = page.getByText('No agent of the playground is active.');
      await revoke.waitFor();
      await until('the end of the playground’s last agent', async () => {
        if (await revoke.isVisible()) await revoke.click({ timeout: 1000 }).catch(() => undefined);
        return none.isVisible();
      });
      await page.context().close();
    });

    test('a merchant is bound and removed, and a payment method too, by the keyboard alone', async () => {
      const device = await openConsole(browser, world, 'OWNER');
      const { page } = device;
      const { did } = makePeer();
      await show(page, '#/settings/merchants', 'Merchants');
      await press(page, page.getByRole('button', { name: 'Bind a merchant' }));
      await page.getByLabel('Domain').focus();
      await page.keyboard.type('tea.example');
      await page.getByLabel('Key as').selectOption('jwk');
      await page.getByLabel('JSON Web Key').focus();
      await page.keyboard.type('{not json');
      await press(page, page.getByRole('button', { name: 'Bind merchant' }));
      await page.getByText('The key is no JSON.').waitFor();
      assert.equal(await page.getByLabel('Domain').inputValue(), 'tea.example');
      await page.getByLabel('Key as').selectOption('did');
      await page.getByLabel('DID', { exact: true }).fill(did);
      await press(page, page.getByRole('button', { name: 'Bind merchant' }));
      await page.getByText('Carts of tea.example that this key signs are trusted.').waitFor();
      const body = { domain: 'food.example', did, mcc: '5411' };
      assert.equal((await world.rest('POST', '/ap2/admin/merchants', body)).status, 201);
      await page.setViewportSize(PHONE.viewport);
      await page.locator('.row', { hasText: 'food.example' }).getByText('Groceries (5411)').waitFor();
      await page.setViewportSize(DESKTOP.viewport);
      await press(page, page.getByRole('button', { name: 'Remove this key of tea.example' }));
      await press(page, page.getByRole('button', { name: 'Remove', exact: true }));
      await page.getByText('tea.example', { exact: true }).waitFor({ state: 'detached' });
      await show(page, '#/settings/instruments', 'Payment methods');
      await press(page, page.getByRole('button', { name: 'Add a payment method' }));
      await page.getByLabel('Holder').selectOption({ label: 'test agent' });
      await page.getByLabel('Payment method', { exact: true }).fill('4242 4242 4242 4242');
      await press(page, page.getByRole('button', { name: 'Add payment method' }));
      await page.getByText('looks like a card number').waitFor();
      await page.getByLabel('Payment method', { exact: true }).fill('pm_1Qtest');
      await press(page, page.getByRole('button', { name: 'Add payment method' }));
      await press(page, page.getByRole('button', { name: 'Remove pm_1Qtest' }));
      await press(page, page.getByRole('button', { name: 'Remove', exact: true }));
      await page.getByText('No payment method is registered yet').waitFor();
      assert.deepEqual(
        faultsOf(device).filter((text) => !/status of 400/.test(text)),
        [],
      );
      await page.context().close();
    });

    test('the sandbox is reset by a user who types the word, and by no other', async () => {
      await purchase(world, 3);
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/settings/node', 'Reset the sandbox');
      await page.getByText('None: this is the first key.').waitFor();
      await page.getByText('moves no money', { exact: false }).first().waitFor();
      await page.getByRole('button', { name: 'Reset…' }).click();
      const reset = page.getByRole('button', { name: 'Reset the sandbox' });
      assert.ok(await reset.isDisabled());
      await page.getByLabel('Type “reset” to confirm').fill('reset');
      await reset.click();
      await page.getByText('A new chain of evidence has begun.').waitFor();
      assert.deepEqual((await world.rest('GET', '/ap2/payments')).body.data, []);
      await page.context().close();
    });

    test('a backup is made and downloaded by an owner, on SQLite, and is shown to no other role', async () => {
      const { page } = await openConsole(browser, world, 'OWNER');
      await show(page, '#/settings/health', 'Checks');
      const make = page.getByRole('button', { name: 'Create a backup' });
      if (engine.name !== 'sqlite') {
        assert.equal(await make.count(), 0);
        return page.context().close();
      }
      await make.click();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download' }).click(),
      ]);
      await page.getByText('Downloaded, and its checksum is right.').waitFor();
      const { archive } = (await world.rest('GET', '/ap2/admin/backups/latest')).body;
      const file = createHash('sha256').update(readFileSync(await saved.path()));
      assert.equal(file.digest('hex'), archive.sha256);
      assert.equal(saved.suggestedFilename(), archive.fileName);
      const other = await openConsole(browser, world, 'ADMIN');
      await show(other.page, '#/settings/health', 'Checks');
      assert.equal(await other.page.getByRole('button', { name: 'Create a backup' }).count(), 0);
      await other.page.context().close();
      return page.context().close();
    });

    test('no user is shown a place or a button that their role would be refused', async () => {
      const hook = await subscribe(world, `${receiver.url}/roles`, ['payment.captured']);
      const everywhere = ['You', 'Export', 'Mandates', 'Guards', 'This node', 'Start', 'Events'];
      const forAdmins = [
        'People',
        'Merchants',
        'Payment methods',
        'Wallets',
        'Tokens',
        'Backups',
        'Health',
        'API keys',
        'Webhooks',
        'Playground',
      ];
      const closed = [
        ...['people', 'merchants', 'instruments', 'wallets', 'tokens', 'backups', 'health'].map(
          (place) => `#/settings/${place}`,
        ),
        ...['keys', 'webhooks', 'webhooks/new', `webhooks/${hook.id}`, 'playground'].map((place) => `#/build/${place}`),
      ];
      for (const role of ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const) {
        const isAdmin = role === 'OWNER' || role === 'ADMIN';
        const { page } = await openConsole(browser, world, role);
        const refused: string[] = [];
        page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
        const seen: string[] = [];
        for (const screen of ['Settings', 'Build']) {
          await page.getByRole('navigation').getByRole('link', { name: screen }).click();
          await page.getByRole('heading', { level: 1, name: screen }).waitFor();
          const names = await page.locator('.places a').allInnerTexts();
          seen.push(...names);
          for (const name of names) {
            await page.locator('.places a', { hasText: name }).first().click();
            await page.locator(`.places a[aria-current]`, { hasText: name }).waitFor();
            await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
          }
        }
        assert.deepEqual(seen.sort(), [...everywhere, ...(isAdmin ? forAdmins : [])].sort(), role);
        for (const hash of isAdmin ? [] : closed) await show(page, hash, 'There is nothing here');
        await show(page, '#/settings/people', isAdmin ? 'People' : 'There is nothing here');
        assert.equal(
          await page.getByRole('button', { name: 'Invite a person' }).count(),
          role === 'OWNER' ? 1 : 0,
          role,
        );
        assert.deepEqual(refused, [], role);
        await page.context().close();
      }
      await world.rest('DELETE', `/ap2/admin/webhooks/${hook.id}`);
    });

    test('a user without a role sees the notice alone, wherever they go', async () => {
      const { page } = await openConsole(browser, world, 'VIEWER');
      const { data } = (await world.rest('GET', '/ap2/admin/users?limit=1')).body;
      const { deps, tenantId } = world.node;
      await deps.store.write(tenantId, () => run("UPDATE users SET role = 'PENDING' WHERE id = ?", data[0].id));
      const asked: string[] = [];
      for (const hash of ['#/build/keys', '#/settings/health', '#/build/events']) {
        await page.goto('about:blank');
        page.on('request', (request) => asked.push(new URL(request.url()).pathname));
        await page.goto(`${world.node.baseUrl}/console/${hash}`);
        await page.getByRole('heading', { name: 'Your access is pending' }).waitFor();
        assert.equal(await page.locator('.places').count(), 0);
      }
      assert.ok(
        asked.every((path) => !path.startsWith('/ap2/admin/') || path.endsWith('/events/stream')),
        asked.join(),
      );
      await page.context().close();
    });

    test('every place can be used by everybody, on a phone and on a desk, and nothing moves while it loads', async (t) => {
      await world.newAgent(HOSTILE);
      const hook = await makeFailing(t, `/${encodeURIComponent(HOSTILE)}`);
      const places: readonly [hash: string, heading: string][] = [
        ['#/build', 'Build'],
        ['#/build/keys', 'Build'],
        ['#/build/webhooks', 'Build'],
        ['#/build/webhooks/new', 'Add a webhook'],
        [`#/build/webhooks/${hook.id}`, 'Attempts'],
        ['#/build/events', 'Live events'],
        ['#/build/playground', 'Playground'],
        ['#/settings', 'Your passkeys'],
        ['#/settings/people', 'People'],
        ['#/settings/merchants', 'Merchants'],
        ['#/settings/instruments', 'Payment methods'],
        ['#/settings/wallets', 'Wallets'],
        ['#/settings/backups', 'Backups'],
        ['#/settings/export', 'Export for accounting'],
        ['#/settings/health', 'Checks'],
        ['#/settings/node', 'Rails'],
      ];
      for (const [look, options] of LOOKS) {
        const device = await openConsole(browser, world, 'OWNER', options);
        const { page } = device;
        await page.addInitScript(noteMoves);
        for (const [hash, heading] of places) {
          await page.goto('about:blank');
          await show(page, hash, heading);
          await assertAccessible(page, `${hash}, ${look}`);
          const wide: number = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= (options.viewport?.width ?? 0), `${hash} is ${wide} wide on the ${look}`);
          const moved: number[] = await page.evaluate(() => (globalThis as Loose).moved);
          assert.ok(moved.reduce((sum, value) => sum + value, 0) < 0.05, `${hash} on the ${look} moved by ${moved}`);
        }
        assert.deepEqual(faultsOf(device), [], look);
        await page.context().close();
      }
    });

    test('events come as they happen, by type, paused, and on over a restart of the node', async () => {
      const device = await openConsole(browser, world, 'OWNER');
      const { page } = device;
      await show(page, '#/build/events', 'Live events');
      await page.getByText('● Live').waitFor();
      await world.newAgent(HOSTILE);
      await page.getByText('An agent is added: <img src=x').waitFor();
      await purchase(world, 7);
      await page.getByText(`An amount is reserved: test agent, 7.00 USD, ${SHOP}`).waitFor();
      await page.getByRole('button', { name: 'Add a filter' }).click();
      await page.getByLabel('Type').selectOption('agent.created');
      await page.getByText(`An amount is reserved: test agent, 7.00 USD, ${SHOP}`).waitFor({ state: 'detached' });
      await page.getByText('An agent is added: <img src=x').click();
      await page.getByText('"type": "agent.created"').waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await world.newAgent('Came while paused');
      await page.getByRole('button', { name: 'Resume (1 new)' }).click();
      await page.getByText('An agent is added: Came while paused').waitFor();
      await world.restart();
      await world.newAgent('Came after the restart');
      await page.getByText('An agent is added: Came after the restart').waitFor();
      await page.context().close();
    });

    test('who may only read is told what kinds of things happen, and nothing of them', async () => {
      const { page } = await openConsole(browser, world, 'VIEWER', PHONE);
      await show(page, '#/build/events', 'Live events');
      await page.getByText('● Live').waitFor();
      await world.newAgent('Not told of');
      await page.locator('.rows code', { hasText: 'AGENT_CREATED' }).first().waitFor();
      assert.equal(await page.getByText('Not told of').count(), 0);
      await page.context().close();
    });

    test('a key takes a touch of the passkey that is not old', async () => {
      const { page, requests } = await openConsole(browser, world, 'OWNER');
      const touches = () => requests.filter((url) => url.endsWith('/ap2/auth/step-up/complete')).length;
      await show(page, '#/build/keys', 'Keys');
      await page.getByRole('button', { name: 'Create a key' }).click();
      // The invitation was accepted by a touch, which serves for five minutes.
      world.clock.aheadMs += 6 * 60_000;
      await page.getByLabel('Name').fill('Touched for');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Save this key now').waitFor();
      assert.equal(touches(), 1);
      await page.context().close();
    });
  });
}

/** Presses what a keyboard has reached. */
async function press(page: Page, what: Locator): Promise<void> {
  await what.waitFor();
  await what.focus();
  await page.keyboard.press('Enter');
}

/** Runs in the page: notes by how much of the screen what is shown moves by itself. */
function noteMoves(): void {
  const moved: number[] = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) moved.push((entry as Loose).value);
  }).observe({ type: 'layout-shift', buffered: true });
  Object.assign(globalThis, { moved });
}
