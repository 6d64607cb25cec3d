/** The screens of payments in Chromium: found by amount, merchant and id, and what webhooks were told of one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeWorld, SHOP, type World } from '../support/world.ts';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('payments in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  let receiver: Receiver;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    receiver = await startReceiver();
    receiver.answer = (response) => response.end();
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await receiver.close();
    await world.close();
  });

  const amountsOn = async (page: Page, count: number): Promise<string[]> => {
    await page.locator('.rows li').nth(count).waitFor({ state: 'detached' });
    await page
      .locator('.rows li')
      .nth(count - 1)
      .waitFor();
    return page.locator('.rows .money').allInnerTexts();
  };

  test('payments are found by amount, by merchant and by the beginning of an id', async () => {
    const ids: string[] = [];
    for (const amount of [5, 20, 80]) ids.push(mandateIdOf(await purchase(world, amount)));
    const { page } = await openConsole(browser, world, 'VIEWER', PHONE);
    await page.goto(`${world.node.baseUrl}/console/#/payments`);
    await amountsOn(page, 3);
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('At least').fill('6');
    assert.deepEqual(await amountsOn(page, 2), ['80.00 USD', '20.00 USD']);
    assert.equal(await page.getByLabel('Currency').inputValue(), 'USD');
    await page.getByLabel('At most').fill('50.5');
    assert.deepEqual(await amountsOn(page, 1), ['20.00 USD']);
    assert.match(page.url(), /min=6&max=50\.5&currency=USD/);
    await assertAccessible(page, 'the filters of payments');
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByText('No payment is like that').waitFor();
    await page.getByRole('link', { name: 'Show all payments' }).click();
    await amountsOn(page, 3);
    await page.getByText('Filter', { exact: true }).click();
    const field = page.getByLabel('Merchant or id');
    await field.fill(SHOP.slice(0, 4));
    await page.locator(`datalist option[value="${SHOP}"]`).waitFor({ state: 'attached' });
    await field.fill(String(ids[2]));
    assert.deepEqual(await amountsOn(page, 1), ['80.00 USD']);
    await page.context().close();
  });

  test('one payment says what webhooks were told of it, to who may administer alone', async () => {
    const hook = { url: `${receiver.url}/told`, events: ['payment.authorized'] };
    assert.equal((await world.rest('POST', '/ap2/admin/webhooks', hook)).status, 201);
    const mandateId = mandateIdOf(await purchase(world, 7));
    await receiver.wait(1);
    const { page } = await openConsole(browser, world, 'ADMIN', PHONE);
    await page.goto(`${world.node.baseUrl}/console/#/payments/${mandateId}`);
    const row = page.getByRole('listitem').filter({ hasText: `${receiver.url}/told` });
    await row.getByText('An amount is reserved').waitFor();
    await row.getByText('Delivered').waitFor();
    await assertAccessible(page, 'one payment');
    await page.context().close();
    const viewer = await openConsole(browser, world, 'VIEWER');
    await viewer.page.goto(`${world.node.baseUrl}/console/#/payments/${mandateId}`);
    await viewer.page.getByText('Checked in this browser').waitFor();
    assert.equal(await viewer.page.getByText('Webhook deliveries').count(), 0);
    await viewer.page.context().close();
  });
});
