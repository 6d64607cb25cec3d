/** The pages of the documents in a browser: searched by keyboard, tried with a key, copied, on a phone, in either theme. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, PHONE } from '../support/consolePage.ts';
import { engines } from '../support/engines.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('the pages of the documents in a browser', { skip }, () => {
  let world: World;
  let browser: Browser;
  const failed: string[] = [];
  before(async () => {
    world = await makeWorld(engines()[0] as ReturnType<typeof engines>[number]);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const open = async (path: string, options: object = DESKTOP): Promise<Page> => {
    const context = await browser.newContext({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') failed.push(message.text());
    });
    await page.goto(`${world.node.baseUrl}${path}`);
    return page;
  };

  test('a page is searched by the keyboard, and what is chosen is opened at its paragraph', async () => {
    const page = await open('/docs/console');
    await page.keyboard.press('/');
    await page.keyboard.type('groceries by the month');
    await page.getByRole('option', { name: /Groceries by the month/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.getByRole('option').first().getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/limits#groceries-by-the-month$/);
    await page.context().close();
  });

  test('a block is copied by its button', async () => {
    const page = await open('/docs/same-purchase');
    const block = page.locator('.block').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await block.locator('code').textContent());
    await page.context().close();
  });

  test('an operation is found by its name, shown in three languages, and tried with a key that nothing stores', async () => {
    const page = await open('/docs/api#listAgents');
    await page.getByLabel('Find an operation').fill('list agents');
    await page.getByRole('link', { name: 'List agents', exact: true }).first().waitFor();
    const operation = page.locator('#listAgents');
    await operation.getByRole('button', { name: 'Python' }).click();
    await operation.getByText('node.list_agents(').waitFor();
    await operation.getByText('Try it').click();
    await operation.getByLabel(/API key/).fill(ADMIN_KEY);
    await operation.getByRole('button', { name: 'Send' }).click();
    const answer = operation.getByRole('status');
    await answer.getByText('200').waitFor();
    assert.match((await answer.textContent()) ?? '', /"displayName": "test agent"/);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    assert.ok(!kept.includes(ADMIN_KEY));
    await page.context().close();
  });

  test('the API is shown a resource at a time, from the list of them or the address of an operation', async () => {
    const page = await open('/docs/api');
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    await page.locator('#operations').getByRole('link', { name: 'Agents', exact: true }).click();
    await page.locator('#listAgents').waitFor();
    assert.equal(await page.locator('#listPayments').count(), 0);
    assert.ok((await height()) < 60_000, `${await height()} px`);
    await page.getByLabel('Find an operation').fill('list payments');
    await page.getByRole('link', { name: 'List payments', exact: true }).first().click();
    await page.locator('#listPayments').waitFor();
    await page.getByRole('link', { name: 'All resources' }).click();
    await page.locator('#listPayments').waitFor({ state: 'detached' });
    assert.ok((await height()) < 20_000, `${await height()} px`);
    await page.context().close();
  });

  test('the theme that a person has chosen holds before anything is painted', async () => {
    const page = await open('/docs');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.evaluate(() => localStorage.setItem('countersign.theme', 'dark'));
    await page.reload();
    assert.notEqual(await ground(), light);
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`nothing keeps a reader from a page, ${colorScheme}, on a desk or a phone, and none is wider than 320 px`, async () => {
      for (const path of ['/docs', '/docs/limits', '/docs/policies', '/docs/api']) {
        const desk = await open(path, { ...DESKTOP, colorScheme });
        await desk.locator('main h2').first().waitFor();
        await assertAccessible(desk, `${path} ${colorScheme}`);
        await desk.context().close();
        const phone = await open(path, { ...PHONE, viewport: { width: 320, height: 640 }, colorScheme });
        await phone.locator('main h2').first().waitFor();
        await assertAccessible(phone, `${path} ${colorScheme} on a phone`);
        const width = await phone.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 320, `${path} is ${width} px wide`);
        await phone.context().close();
      }
    });
  }

  test('no page has said that something failed', () => assert.deepEqual(failed, []));
});
