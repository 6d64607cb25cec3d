/** The first screen in Chromium: a purchase is decided in its row, sums say what they are made of, and nothing is told twice. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE, takePictures } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makeCart } from '../support/peer.ts';
import { askForApproval } from '../support/person.ts';
import { makeWorld, SHOP, type World } from '../support/world.ts';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const NARROW = { ...PHONE, viewport: { width: 320, height: 640 } };
const DAY_MS = 24 * 3600 * 1000;
const MOST_STOPS = 40;

describe('Today in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 500, currency: 'USD' } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'today', rules })).status, 201);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const pay = async (amount: number, daysAgo = 0): Promise<void> => {
    world.clock.aheadMs = -daysAgo * DAY_MS;
    const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(amount))).body;
    const items = [{ name: 'Thing', price: amount, quantity: 1 }];
    const offer = { domain: SHOP, items, total: amount, currency: 'USD' };
    const cartVc = makeCart(world.merchant, offer, new Date(Date.now() + world.clock.aheadMs));
    const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc });
    const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken });
    const { mandateId } = paid.body.pmVc.credentialSubject;
    assert.equal((await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {})).status, 200);
    world.clock.aheadMs = 0;
  };

  test('its owner approves and denies a purchase in its row by the keyboard alone, and each is told once', async () => {
    await pay(20);
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    const owner = (await world.rest('GET', '/ap2/admin/users')).body.data.at(-1).id;
    const agent = await world.newAgent('Own agent');
    assert.equal((await world.rest('PUT', `/ap2/agents/${agent.did}`, { ownerUserId: owner })).status, 200);
    const [one, other] = [await askForApproval(world, 150, agent), await askForApproval(world, 160, agent)];
    for (const [act, amount] of [
      ['Approve with passkey', '150.00'],
      ['Deny', '160.00'],
    ] as const) {
      const button = page.getByRole('button', { name: `${act}: Own agent, ${amount} USD, shop.example` });
      await button.waitFor();
      for (let stops = 0; stops < MOST_STOPS; stops += 1) {
        if (await button.evaluate((element) => element === document.activeElement)) break;
        await page.keyboard.press('Tab');
      }
      await assertAccessible(page, `Today with a purchase to ${act}`);
      await page.keyboard.press('Enter');
      await button.waitFor({ state: 'detached' });
    }
    const statusOf = async (id: string) => (await world.rest('GET', `/ap2/approvals/${id}`)).body.status;
    assert.deepEqual([await statusOf(one.approval.id), await statusOf(other.approval.id)], ['approved', 'denied']);
    const { hpProof } = (await world.rest('GET', `/ap2/approvals/${one.approval.id}`)).body;
    const cart = await world.rest('POST', '/ap2/carts/validate', {
      intentVc: one.intentVc,
      cartVc: one.cartVc,
      hpProof,
    });
    assert.equal(
      (await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken })).status,
      200,
    );
    const newest = page.locator('.card', { has: page.getByRole('heading', { name: 'Newest' }) });
    await newest.getByText('reserved 150.00 USD for shop.example').waitFor();
    assert.equal(await newest.getByText('150.00 USD').count(), 1, 'what was approved and paid is one line');
    await page.context().close();
  });

  test('Approve and Deny stand beside each other on a phone and a narrow one, and what cannot be approved yet leads to why', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    const { id: ownerUserId } = (await world.rest('GET', '/ap2/admin/users')).body.data[0];
    const agent = await world.newAgent('Phone agent');
    await world.rest('PUT', `/ap2/agents/${agent.did}`, { ownerUserId });
    const [own] = [
      await askForApproval(world, 170, agent),
      await askForApproval(world, 180, await world.newAgent('Without money')),
    ];
    for (const { viewport } of [PHONE, NARROW]) {
      await page.setViewportSize(viewport);
      for (const about of ['Phone agent, 170.00', 'Without money, 180.00']) {
        const approve = page.getByRole('button', { name: `Approve with passkey: ${about}` });
        const mend = page.getByRole('link', { name: `See what is missing: ${about}` });
        const buttons = [approve.or(mend), page.getByRole('button', { name: `Deny: ${about}` })];
        const handles = await Promise.all(buttons.map((button) => button.elementHandle()));
        // Both at one moment: the screen may load anew meanwhile.
        const [yes, no] = await page.evaluate(
          (found) => found.map((each) => each?.getBoundingClientRect().toJSON() as DOMRect | undefined),
          handles,
        );
        assert.ok(yes !== undefined && no !== undefined && yes.height >= 44 && no.height >= 44);
        assert.equal(yes.y, no.y, `${about} at ${viewport.width}`);
        assert.ok(yes.x + yes.width <= no.x && no.x + no.width <= viewport.width, `${about} at ${viewport.width}`);
      }
    }
    await page.getByRole('link', { name: /^See what is missing/ }).click();
    await page.getByText('No passkey is enrolled for this agent yet').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: /^Approve with passkey: Phone agent/ }).click();
    await page.getByRole('button', { name: /^Approve with passkey: Phone agent/ }).waitFor({ state: 'detached' });
    assert.equal((await world.rest('GET', `/ap2/approvals/${own.approval.id}`)).body.status, 'approved');
    await page.context().close();
  });

  test('what was refused in a week is one line, by its most frequent reason, and leads to those decisions', async () => {
    for (const amount of [600, 700]) await world.rest('POST', '/ap2/intents', world.intentBody(amount));
    const { page } = await openConsole(browser, world, 'VIEWER', PHONE);
    await page.getByText('2 purchases were refused in 7 days').waitFor();
    await assertAccessible(page, 'Today with refusals');
    const agent = page.locator('.bar-row .agent', { hasText: 'Own agent' });
    assert.ok(
      await agent.evaluate((name) => name.scrollWidth <= name.clientWidth),
      'beside a long sum its name is whole',
    );
    await takePictures(page, 'today-refused');
    await page.getByRole('link', { name: '2 purchases were refused in 7 days mostly: Amount over the cap' }).click();
    await page.getByText('700.00 USD').waitFor();
    assert.equal(await page.locator('.rows li').count(), 2);
    await page.context().close();
  });

  test('sums say what they are made of and what was before; a day of the chart is told to the keyboard, and frozen is one word', async () => {
    await pay(70, 40);
    await world.rest('POST', `/ap2/admin/agents/${(await world.newAgent('Cold one')).did}/suspend`, {});
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await page.getByText('0.00 USD paid + 150.00 USD reserved').waitFor();
    assert.equal(await page.locator('.chart-sum').innerText(), '20.00 USD\n70.00 USD in the 30 days before');
    await page.getByRole('heading', { name: 'By agent, in 30 days' }).waitFor();
    await page.getByText('Cold one is frozen.').waitFor();
    assert.equal(await page.getByText(/suspended/i).count(), 0);
    const told = page.locator('.chart-chosen');
    await page.locator('a.chart-day').first().focus();
    assert.match(await told.innerText(), /^\d+ \w+: \d+\.00 USD$/);
    await assertAccessible(page, 'Today with a chosen day');
    const narrow = await openConsole(browser, world, 'OWNER', NARROW);
    await narrow.page.locator('.chart-sum').waitFor();
    assert.ok(await narrow.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    await narrow.page.context().close();
    await page.context().close();
  });
});
