/** What people come to the console for, by the keyboard alone; and names that an attacker chose. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { run } from '../../src/store/store.ts';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makeCart, makePeer, type Peer } from '../support/peer.ts';
import { askForApproval } from '../support/person.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
/** More keys than any screen has stops. */
const MOST_STOPS = 120;
/** As much as a name may be: markup, a way to turn text around, marks upon marks, signs of two units, and no place to break. */
const WORST = `<b onclick=alert(1)>\u202e\u2066${'Z\u0351\u0352\u0353'.repeat(12)}👩‍👩‍👧‍👦&quot;\u200f${'W'.repeat(200)}`;

for (const engine of everyEngine()) {
  describe(`journeys through the console on ${engine.name}`, { skip }, () => {
    let world: World;
    let browser: Browser;
    before(async () => {
      world = await makeWorld(engine);
      const spend = { amount_cap: 100, presence_cap: 200, currency: 'USD' };
      const rules = { version: '2.0', spend, context: {} };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'test', rules })).status, 201);
      browser = await openChromium();
    });
    after(async () => {
      await browser.close();
      await world.close();
    });

    const show = async (page: Page, hash: string) => {
      await page.goto(`${world.node.baseUrl}/console/${hash}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    };
    const open = async (hash: string) => {
      const device = await openConsole(browser, world, 'OWNER', DESKTOP);
      await show(device.page, hash);
      return device;
    };

    test('a purchase is approved by the keyboard alone', async () => {
      const agent = await world.newAgent('Waits for keys');
      const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
      const owner = (await world.rest('GET', '/ap2/admin/users')).body.data[0].id;
      await world.rest('PUT', `/ap2/agents/${agent.did}`, { ownerUserId: owner });
      await askForApproval(world, 150, agent);
      await show(page, '#/approvals');
      await press(page, page.getByRole('button', { name: /^Approve with passkey: Waits for keys/ }));
      await page.getByText('The agent pays by itself.').waitFor();
      await page.context().close();
    });

    test('an agent is frozen in one step from a link to it, by the keyboard alone', async () => {
      const agent = await world.newAgent('Odd');
      const { page } = await open(`#/agents/${encodeURIComponent(agent.did)}`);
      await press(page, page.getByRole('button', { name: 'Freeze' }));
      await page.getByText('Frozen. The agent buys nothing from now on.').waitFor();
      await press(page, page.getByRole('button', { name: 'Undo' }));
      await page.getByText('Reactivated. The agent can buy again.').waitFor();
      await page.context().close();
    });

    test('a link to an agent, as a notification has it, leads to Freeze with one touch, also for who must sign in first', async () => {
      const agent = await world.newAgent('Odd at night');
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/settings');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
      await page.goto('about:blank');
      await page.goto(`${world.node.baseUrl}/console/#/agents/${encodeURIComponent(agent.did)}`);
      await page.getByRole('button', { name: 'Sign in with a passkey' }).tap();
      const freeze = page.getByRole('button', { name: 'Freeze' });
      await freeze.waitFor();
      const { y = 0, height = 0 } = (await freeze.boundingBox()) ?? {};
      assert.ok(y + height < PHONE.viewport.height, 'without scrolling');
      await freeze.tap();
      await page.getByText('Frozen. The agent buys nothing from now on.').waitFor();
      await page.context().close();
    });

    test('a payment is refunded by the keyboard alone', async () => {
      const mandateId = mandateIdOf(await purchase(world, 30));
      assert.equal((await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {})).status, 200);
      const { page } = await open(`#/payments/${mandateId}`);
      await press(page, page.getByRole('button', { name: 'Refund…' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Amount in USD').waitFor();
      await reach(page, dialog.getByLabel('Amount in USD'));
      await page.keyboard.press('Control+a');
      await page.keyboard.type('12');
      await press(page, dialog.getByRole('button', { name: 'Refund 12.00 USD' }));
      await page.getByText('Refunded.').waitFor();
      await page.context().close();
    });

    test('an agent is added by the keyboard alone', async () => {
      const { page } = await open('#/agents');
      await press(page, page.getByRole('link', { name: 'Add an agent' }));
      await page.getByRole('heading', { name: 'Add an agent' }).waitFor();
      await reach(page, page.getByLabel('Name'));
      await page.keyboard.type('Typed');
      await press(page, page.getByRole('button', { name: 'Add' }));
      await page.getByRole('heading', { name: 'Save the secret key now' }).waitFor();
      await page.context().close();
    });

    test('the evidence is verified by the keyboard alone', async () => {
      await purchase(world, 5);
      const { page } = await open('#/evidence');
      await press(page, page.getByRole('button', { name: 'Verify the chain' }));
      await page.getByText('Verified in this browser').waitFor();
      await page.context().close();
    });

    test('a rule is added to a draft and published by the keyboard alone', async () => {
      const { page } = await open('#/policy');
      await press(page, page.getByRole('link', { name: 'Write a draft' }));
      await press(page, page.getByRole('button', { name: 'Add a rule' }));
      await reach(page, page.getByLabel('Add a rule').last());
      await page.keyboard.type('countries');
      await press(page, page.getByRole('button', { name: /^Countries/ }));
      await press(page, page.getByRole('button', { name: 'Countries that are denied' }));
      await reach(page, page.getByLabel('Countries that are denied', { exact: true }));
      await page.keyboard.type('FR');
      await page.locator('.publish', { hasText: 'Tighter' }).waitFor();
      await press(page, page.getByRole('button', { name: 'Publish' }));
      await page.getByText(/, version \d+, is in force\.$/).waitFor();
      const { rules } = (await world.rest('GET', '/ap2/policies/current')).body;
      assert.deepEqual(rules.context.geo, { deny: ['FR'] });
      await page.context().close();
    });

    test('what was searched for is opened, and a list is saved, by the keyboard alone', async () => {
      await world.newAgent('Found by keys');
      const { page } = await open('#/');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
      await page.keyboard.type('Found by keys');
      await page
        .getByRole('option', { name: /Found by keys/ })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Found by keys' }).waitFor();
      await purchase(world, 5);
      await show(page, '#/payments');
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        press(page, page.getByRole('button', { name: 'Download as CSV' })),
      ]);
      assert.equal(saved.suggestedFilename(), 'payments.csv');
      await page.context().close();
    });

    test('a user without a role is told so, and whom to ask', async () => {
      const { page } = await openConsole(browser, world, 'VIEWER', PHONE);
      const { deps, tenantId } = world.node;
      await deps.store.write(tenantId, () =>
        run("UPDATE users SET role = 'PENDING' WHERE tenant_id = ? AND name = 'An viewer'", tenantId),
      );
      await page.reload();
      await page
        .getByText(/access is pending|Sign in/)
        .first()
        .waitFor();
      assert.equal(await page.getByRole('navigation').count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Search' }).count(), 0);
      await page.keyboard.press('Control+k');
      assert.equal(await page.getByRole('dialog').count(), 0);
      await assertAccessible(page, 'without a role');
      await page.context().close();
    });

    test('names that an attacker chose are text, in their place, and no wider than the screen', async () => {
      const peer = makePeer();
      const named = await longest(async (name) => {
        const { publicKey } = makePeer();
        return (
          await world.rest('POST', '/ap2/agents', { name, publicKey, description: name.repeat(8).slice(0, 2000) })
        ).status;
      });
      const made = await world.rest('POST', '/ap2/agents', {
        name: named,
        publicKey: peer.publicKey,
        description: named,
      });
      assert.equal(made.status, 201, made.text);
      await world.rest('POST', '/ap2/admin/api-keys', {
        name: named.slice(0, 60),
        permissions: ['read'],
        agents: [peer.did],
      });
      await askForApproval(world, 151, peer);
      const mandateId = mandateIdOf(await purchase(world, 9, { agent: peer }));
      const device = await openConsole(browser, world, 'OWNER', PHONE);
      const { page } = device;
      for (const hash of [
        '#/',
        '#/approvals',
        '#/payments',
        `#/payments/${mandateId}`,
        '#/agents',
        `#/agents/${encodeURIComponent(peer.did)}`,
        '#/evidence',
        '#/settings',
      ]) {
        await show(page, hash);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${hash} is ${wide} wider than the phone`);
        assert.equal(await page.locator('b[onclick]').count(), 0, hash);
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('<b onclick');
      await page.getByRole('option').first().waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, 'the search');
      const faults = device.complaints.filter((text: string) => !/status of (401|403|404)/.test(text));
      assert.deepEqual(faults, []);
      await page.context().close();
    });

    test('the names of a shop and of what it sells are text, in their place, and no wider than the screen', async () => {
      const { page, complaints } = await openConsole(browser, world, 'OWNER', PHONE);
      const shop = makePeer();
      const domain = `${[63, 63, 60].map((length) => 'w'.repeat(length)).join('.')}.xn--pple-43d.example`;
      assert.equal((await world.rest('POST', '/ap2/admin/merchants', { domain, did: shop.did })).status, 201);
      const sold = await longest(async (name) => (await sell(world, shop, domain, name)).status);
      const { body } = await sell(world, shop, domain, sold);
      assert.deepEqual(body.reasonCodes, ['HP_REQUIRED'], JSON.stringify(body));
      for (const hash of [
        '#/',
        '#/approvals',
        `#/approvals/${body.approval.id}`,
        '#/decisions',
        '#/settings/merchants',
      ]) {
        await show(page, hash);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${hash} is ${wide} wider than the phone`);
        assert.equal(await page.locator('b[onclick]').count(), 0, hash);
      }
      await show(page, `#/approvals/${body.approval.id}`);
      await page.getByText('Look closely at this address.').waitFor();
      await page.getByText('Further details from the shop').waitFor();
      const decide = page.getByRole('button', { name: /^Deny/ });
      await decide.scrollIntoViewIfNeeded();
      const head = await decide.boundingBox();
      assert.ok((head?.y ?? Infinity) < 2 * PHONE_HEIGHT, 'what is written at length does not push the answer away');
      assert.deepEqual(
        complaints.filter((text: string) => !/status of (401|403|404)/.test(text)),
        [],
      );
      await page.context().close();
    });
  });
}

const PHONE_HEIGHT = 844;

/** A cart of something that is called so, with 10,000 characters besides. @returns the node's answer to it */
async function sell(world: World, shop: Peer, domain: string, name: string): Promise<Loose> {
  const asked = world.intentBody(160, { domain });
  const { intentVc } = (await world.rest('POST', '/ap2/intents', asked)).body;
  const note = WORST.repeat(40).slice(0, 10_000);
  const offer = {
    domain,
    items: [{ name, price: 150, quantity: 1 }],
    total: 150,
    currency: 'USD',
    merchantName: name,
    note,
  };
  const reply = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: makeCart(shop, offer) });
  return { status: reply.status === 200 ? 201 : reply.status, body: reply.body };
}

/** The most of the worst name that the node takes. */
async function longest(tryName: (name: string) => Promise<number>): Promise<string> {
  for (let length = WORST.length; length > 0; length -= 8) {
    const name = [...WORST].join('').slice(0, length);
    if ((await tryName(name)) === 201) return name;
  }
  throw new Error('The node takes none of it.');
}

/** Goes from stop to stop until the one that is meant has the focus. */
async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await target.evaluate((element: Loose) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`no key leads to ${target}`);
}

async function press(page: Page, target: Locator): Promise<void> {
  await reach(page, target);
  await page.keyboard.press('Enter');
}
