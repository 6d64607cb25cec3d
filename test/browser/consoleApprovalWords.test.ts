/** What is left after a purchase, in the same words in the console and on the page of the link. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium, openDevice } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { askForApproval, makePerson } from '../support/person.ts';
import { makeWorld, type World } from '../support/world.ts';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const NARROW = { ...PHONE, viewport: { width: 320, height: 640 } };

describe('the words of an approval', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  test('what is left before a limit refuses is said alike in the console and on the link’s page, and warns at nothing', async () => {
    const limits = [
      { name: 'asking', max_amount: 100, window: 'month', action: 'presence' },
      { name: 'month', max_amount: 150, window: 'month' },
      { name: 'year', max_amount: 5000, window: 'year' },
    ];
    const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 500, currency: 'USD' }, risk: { limits } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'left', rules })).status, 201);
    await makePerson(world).enroll();
    const { approval } = await askForApproval(world, 140);
    const { page: link } = await openDevice(browser, NARROW);
    await link.goto(approval.url);
    const { page } = await openConsole(browser, world, 'OWNER', NARROW);
    await page.goto(`${world.node.baseUrl}/console/#/approvals/${approval.id}`);
    const left = '10.00 USD of 150.00 USD this month';
    const facts = [
      ['Whose money', 'A person who is not registered here'],
      ['Paid with', 'The usual payment method'],
      ['Left after it', left],
    ];
    await page.getByText(left).waitFor();
    assert.deepEqual((await factsOf(page)).slice(0, 3), facts);
    await link.getByText(left).waitFor();
    assert.deepEqual(await factsOf(link), facts);
    assert.doesNotMatch(await page.locator('main').innerText(), /did:key/);
    for (const [shown, where] of [
      [page, 'an approval in the console'],
      [link, 'the page of the link'],
    ] as const) {
      await assertAccessible(shown, where);
      const over = await shown.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(over <= 0, `${where} is not wider than the screen`);
    }

    const { approval: last } = await askForApproval(world, 140, await world.newAgent('Another'));
    const filling = { ...rules, risk: { limits: [{ ...limits[1], max_amount: 140 }] } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'used up', rules: filling })).status, 201);
    const warning = '0.00 USD of 140.00 USD this month. The next purchase that counts is refused.';
    await page.goto(`${world.node.baseUrl}/console/#/approvals/${last.id}`);
    await link.goto(last.url);
    for (const shown of [page, link]) await shown.locator('.used-up', { hasText: warning }).waitFor();
    await assertAccessible(link, 'a page that warns');
  });
});

/** The facts that are seen, by name and value. */
async function factsOf(page: Page): Promise<readonly (readonly string[])[]> {
  const seen = await page.locator('.facts > div:visible').allInnerTexts();
  return seen.map((text) => text.split('\n').map((line) => line.trim()));
}
