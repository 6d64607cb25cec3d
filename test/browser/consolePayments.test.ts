/** The screens of payments in Chromium: found by amount, merchant and id, and what webhooks were told of one. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, type Paid, purchase } from '../support/purchase.ts';
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
    assert.equal(await page.getByLabel('At least').count(), 0, 'an empty field is not shown until it is asked for');
    await page.getByRole('button', { name: 'Add a filter' }).click();
    assert.equal(await page.getByLabel('At least').count(), 0, 'one filter is set at a time');
    await page.getByLabel('Filter by').selectOption('Amount');
    await page.getByLabel('At least').fill('6');
    assert.deepEqual(await amountsOn(page, 2), ['80.00 USD', '20.00 USD']);
    assert.equal(await page.getByLabel('Currency').inputValue(), 'USD');
    await page.getByLabel('At most').fill('50.5');
    assert.deepEqual(await amountsOn(page, 1), ['20.00 USD']);
    assert.match(page.url(), /min=6&max=50\.5&currency=USD/);
    await assertAccessible(page, 'the filters of payments');
    await page.getByRole('button', { name: 'At most: 50.5 Remove' }).click();
    await amountsOn(page, 2);
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByText('No payment matches').waitFor();
    await page.getByRole('link', { name: 'Show all payments' }).click();
    await amountsOn(page, 3);
    await page.getByLabel('Filter by').selectOption('Merchant or id');
    await page.getByLabel('Filter by').selectOption('Order');
    await page.getByLabel('Order').selectOption('Smallest first');
    await page.locator('.rows li').first().filter({ hasText: '5.00 USD' }).waitFor();
    assert.deepEqual(await amountsOn(page, 3), ['5.00 USD', '20.00 USD', '80.00 USD']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.locator('.rows li').first().filter({ hasText: '80.00 USD' }).waitFor();
    await page.getByLabel('Filter by').selectOption('Merchant or id');
    const field = page.getByLabel('Merchant or id');
    await field.fill(SHOP.slice(0, 4));
    await page.locator(`datalist option[value="${SHOP}"]`).waitFor({ state: 'attached' });
    await field.fill(String(ids[2]));
    assert.deepEqual(await amountsOn(page, 1), ['80.00 USD']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await amountsOn(page, 3);
    await page.getByLabel('Filter by').selectOption('State');
    await page.getByLabel('State').selectOption('Reserved');
    await page.getByRole('button', { name: 'State: Reserved Remove' }).waitFor();
    await page.locator('.rows .status', { hasText: 'Reserved' }).nth(2).waitFor();
    await page.context().close();
  });

  test('on a desk payments are a table with days and a sum, walked by arrows, left and come back to, and saved as CSV', async () => {
    const others: Paid[] = [];
    const agents = [await world.newAgent('One'), await world.newAgent('Other')];
    for (let amount = 1; amount <= 13; amount += 1) {
      const agent = agents[amount % 2];
      others.push(await purchase(world, amount, agent === undefined ? {} : { agent }));
    }
    const canceled = `/ap2/payments/${mandateIdOf(others[0] as Paid)}/cancel`;
    assert.equal((await world.rest('POST', canceled, {})).status, 200);
    const device = await openConsole(browser, world, 'VIEWER');
    const { page } = device;
    await page.goto(`${world.node.baseUrl}/console/#/payments?currency=USD`);
    const table = page.getByRole('table');
    await table.getByText('16 payments, reserved 195.00 USD, 1 failed or canceled').waitFor();
    assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), [
      'When ↓',
      'Agent',
      'Merchant',
      'Bought',
      'Amount',
      'State',
    ]);
    const lines = page.locator('.table td:first-of-type');
    const seen = await lines.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().bottom));
    assert.ok(seen.filter((bottom) => bottom <= 800).length >= 14, `${seen}`);
    await assertAccessible(page, 'the table of payments');
    const amounts = () => table.locator('td .money').allInnerTexts();
    for (const [order, first, sort] of [
      ['descending', '80.00 USD', 'largest'],
      ['ascending', '1.00 USD', 'smallest'],
    ] as const) {
      await table.getByRole('button', { name: 'Amount' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`currency=USD&sort=${sort}`));
      await page.locator(`th[aria-sort="${order}"]`, { hasText: 'Amount' }).waitFor();
      await table.locator('tr[data-key] .money').first().filter({ hasText: first }).waitFor();
      const sorted = (await amounts()).map((text) => Number.parseFloat(text));
      const expected = sorted.toSorted((one, other) => (sort === 'largest' ? other - one : one - other));
      assert.deepEqual(sorted, expected);
    }
    assert.equal(await table.locator('.day').count(), 0, 'days head what stands by time alone');
    await assertAccessible(page, 'payments by amount');
    await page.getByRole('button', { name: 'Order: Smallest first Remove' }).click();
    await table.locator('.day').first().waitFor();
    await table.getByRole('link').first().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    assert.equal(await lines.nth(1).evaluate((cell) => cell.parentElement?.contains(document.activeElement)), true);
    await page.keyboard.press('Enter');
    await page.getByText('Belongs to').waitFor();
    await page.goBack();
    await table.getByText('16 payments').waitFor();
    // Beside the words, too.
    await lines.first().click();
    await page.getByText('Belongs to').waitFor();
    await page.goBack();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    assert.equal(saved.suggestedFilename(), 'payments.csv');
    const text = await readFile(await saved.path(), 'utf8');
    assert.match(text, /^createdAt,status,merchant,description,amount,currency/);
    assert.equal(text.trim().split('\r\n').length, 17);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Clear' }).waitFor({ state: 'detached' });
    assert.deepEqual(
      device.complaints.filter((said) => !/status of 401/.test(said)),
      [],
    );
    await page.context().close();
  });

  test('Today saves what was spent on the days that it shows as CSV', async () => {
    const mandateId = mandateIdOf(await purchase(world, 9));
    assert.equal((await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {})).status, 200);
    const { page } = await openConsole(browser, world, 'VIEWER');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.spend').getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    assert.equal(saved.suggestedFilename(), 'spend.csv');
    const [head = '', ...days] = (await readFile(await saved.path(), 'utf8')).trim().split('\r\n');
    assert.match(head, /^day,agentDid,merchant,currency,payments,paid/);
    const today = new Date().toISOString().slice(0, 10);
    assert.ok(
      days.some((line) => line.startsWith(`${today},,,USD,`) && line.includes('9.00')),
      days.join('\n'),
    );
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

  test('an owner says what became of a payment that was made elsewhere', async () => {
    const asked = {
      agentDid: world.agent.did,
      merchant: 'tea.example',
      amount: 24.5,
      currency: 'USD',
      channel: 'card',
    };
    const reserve = async (idempotencyKey: string): Promise<string> =>
      (await world.rest('POST', '/ap2/external/reservations', { ...asked, idempotencyKey })).body.mandateId;
    const [paid, dropped] = [await reserve('paid'), await reserve('dropped')];
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    await page.goto(`${world.node.baseUrl}/console/#/payments/${paid}`);
    await page.getByText('elsewhere').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Capture' }).count(), 0);
    await page.getByRole('button', { name: 'It was paid' }).click();
    await page.getByLabel('Amount in USD').fill('20');
    await assertAccessible(page, 'what became of a payment elsewhere');
    await page.getByRole('button', { name: 'Paid 20.00 USD' }).click();
    await page.getByText('It counts as paid.').waitFor();
    await page.getByText('by the owner’s word').waitFor();
    await page.goto(`${world.node.baseUrl}/console/#/payments/${dropped}`);
    await page.getByRole('button', { name: 'It was not paid' }).click();
    await page.getByRole('button', { name: 'Release the amount' }).click();
    await page.getByText('Released.').waitFor();
    // It was paid all the same, by more than was reserved.
    const path = `/ap2/external/reservations/${paid}/commit`;
    const more = { amount: 30, evidence: { kind: 'order', reference: 'o-30' } };
    assert.equal((await world.rest('POST', path, more)).status, 409);
    await page.goto(`${world.node.baseUrl}/console/#/payments/${paid}`);
    await page.getByText('30.00 USD was paid').first().waitFor();
    await page
      .locator('.step', { hasText: 'More was paid than was reserved' })
      .getByText('30.00 USD · tea.example')
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'Ask the rail again' }).count(), 0, 'no rail knows of it');
    await page.getByRole('button', { name: 'It is as it stands here' }).click();
    await page.getByText('It counts as 20.00 USD paid').waitFor();
    await page.getByRole('button', { name: 'Keep it so' }).click();
    await page.getByText('It is settled.').waitFor();
    await page.getByText('30.00 USD was paid').waitFor({ state: 'detached' });
    await page.context().close();
  });
});
