/** What stands around the screens of the console: the way to each of them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { askForApproval } from '../support/person.ts';
import { everyEngine, makeWorld, type World } from '../support/world.ts';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('the shell of the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
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

  test('a phone has the most used screens below and the others behind "More", which says that one is shown', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    const below = page.getByRole('navigation', { name: 'Screens', exact: true });
    assert.deepEqual(await below.getByRole('link').allInnerTexts(), ['Today', 'Approvals', 'Payments', 'Agents']);
    const more = below.getByRole('button', { name: 'More' });
    await more.click();
    const sheet = page.getByRole('dialog', { name: 'More' });
    await assertAccessible(page, 'the other screens');
    await sheet.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await sheet.waitFor({ state: 'detached' });
    assert.match((await more.getAttribute('class')) ?? '', /here/);
    await page.context().close();
  });

  test('a desk has every screen at the side', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    const side = page.getByRole('navigation', { name: 'Screens', exact: true });
    await side.getByRole('link', { name: 'Evidence' }).click();
    await page.getByRole('heading', { level: 1, name: 'Evidence' }).waitFor();
    assert.deepEqual(await side.locator('[aria-current=page]').allInnerTexts(), ['Evidence']);
    assert.equal(await side.getByRole('button').count(), 0);
    await page.context().close();
  });

  test('how many purchases wait is told beside Approvals, and no more once they are decided', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    const { approval } = await askForApproval(world, 150);
    await page.getByRole('link', { name: 'Approvals 1 waiting' }).waitFor();
    await world.rest('POST', `/ap2/approvals/${approval.id}/deny`, {});
    await page.getByRole('link', { name: 'Approvals', exact: true }).waitFor();
    await page.context().close();
  });
});
