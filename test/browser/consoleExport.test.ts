/** A month for accounting, in Chromium: the journal and the lists behind it are saved, by keyboard, at 320 px. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('a month for accounting', { skip }, () => {
  let world: World;
  let browser: Browser;
  let page: Page;

  before(async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    world = await makeWorld(engine);
    const mandateId = mandateIdOf(await purchase(world, 12));
    const captured = await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {});
    assert.equal(captured.status, 200, captured.text);
    browser = await openChromium();
    ({ page } = await openConsole(browser, world, 'VIEWER', { ...PHONE, viewport: { width: 320, height: 700 } }));
    await page.goto(`${world.node.baseUrl}/console/#/settings/export`);
    await page.getByLabel('Month').fill(new Date().toISOString().slice(0, 7));
  });
  after(async () => {
    await browser?.close();
    await world.close();
  });

  /** By the keyboard alone. */
  const saved = async (name: string) => {
    await page.getByRole('button', { name }).focus();
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
  };

  test('is a journal that Beancount or a table takes', async () => {
    const csv = await saved('Download the journal');
    assert.match(csv.name, /^journal-\d{4}-\d\d\.csv$/);
    assert.match(csv.text, /,Expenses:Agents:\w+,12\.00,,USD,shop\.example,/);
    await page.getByLabel('Journal as').selectOption('beancount');
    const text = await saved('Download the journal');
    assert.match(text.name, /\.beancount$/);
    assert.match(text.text, / {2}Expenses:Agents:\w+ {2}12\.00 USD\n/);
  });

  test('has its payments and its spend beside it, and a month that is none downloads nothing', async () => {
    assert.match((await saved('Payments begun in it')).text, /,shop\.example,/);
    assert.match((await saved('Spend by agent')).text, /,USD,1,12\.00,/);
    await page.getByLabel('Month').fill('');
    assert.ok(await page.getByRole('button', { name: 'Download the journal' }).isDisabled());
  });

  test('is shown without a fault of accessibility, and fits 320 px', async () => {
    await assertAccessible(page, 'the export');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 320, `${width} px`);
  });
});
