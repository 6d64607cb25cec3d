/** A budget in Chromium: one sentence that is filled in, refused while a choice is open, and not published before it says whom it stops. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

const NARROW = { viewport: { width: 320, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const RULES = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' } };
const GROCERIES = {
  name: 'Groceries per month',
  max_amount: 400,
  window: 'month',
  scope: 'policy',
  category: 'groceries',
};
const HOSTILE = '<img src=x onerror=alert(1)> desk';

describe('a budget in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  let hostile: Peer;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    await publish(RULES);
    hostile = await world.newAgent(HOSTILE);
    for (const [agent, amount] of [
      [world.agent, 500],
      [hostile, 900],
      [await world.newAgent('Sparing'), 10],
    ] as const) {
      const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent }));
      assert.equal(body.allowed, true);
    }
    browser = await openChromium();
  });
  beforeEach(() => publish(RULES));
  after(async () => {
    await browser.close();
    await world.close();
  });

  const inForce = async (): Promise<Loose> => (await world.rest('GET', '/ap2/policies/current')).body;
  async function publish(rules: object): Promise<void> {
    const { id } = await inForce();
    assert.equal((await world.rest('PUT', `/ap2/admin/policies/${id}`, { rules })).status, 200);
  }
  const show = async (page: Page, hash: string) => {
    await page.goto(`${world.node.baseUrl}/console/${hash}`);
    await page.locator('h1').first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  };
  const isInForce = (page: Page) =>
    page
      .getByText(/, version \d+, is in force\.$/)
      .first()
      .waitFor();
  const widthBeyond = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  test('the monthly budget for groceries of all agents together takes four acts from the open draft', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await show(page, '#/policy/draft');
    let acts = 0;
    const act = async (done: Promise<unknown>) => {
      await done;
      acts += 1;
    };
    await act(page.getByRole('button', { name: 'Add a budget' }).click());
    await act(page.getByLabel('How much', { exact: true }).fill('400'));
    await act(page.getByLabel('What counts').selectOption({ label: 'Groceries (5411)' }));
    await act(page.getByLabel('Whose purchases').selectOption({ label: 'all agents together' }));
    assert.equal(acts, 4);
    await page
      .locator('.publish ins', {
        hasText: '400.00 USD per month on groceries for all agents together; above it a purchase is refused.',
      })
      .waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await isInForce(page);
    assert.deepEqual((await inForce()).rules.risk.limits, [GROCERIES]);
    const row = page.locator('.rule-list li', { hasText: '400.00 USD per month on groceries' });
    await row.getByText('0.00 of 400.00 USD').waitFor();
    await assertAccessible(page, 'the policy by groups');
    await row.getByRole('link', { name: /^Edit/ }).click();
    await page.waitForURL(/rule=risk\.limits&limit=Groceries/);
    await page.locator('fieldset[data-limit="Groceries per month"] input:focus').waitFor();
    await page.context().close();
  });

  test('the same is done by the keyboard alone', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await show(page, '#/policy/draft');
    const reach = async (target: Locator) => {
      for (let presses = 0; presses < 80; presses++) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`No press of Tab leads to ${target}.`);
    };
    await reach(page.getByRole('button', { name: 'Add a budget' }));
    await page.keyboard.press('Enter');
    await page.locator('fieldset.entry input:focus').waitFor();
    await page.keyboard.type('400');
    await reach(page.getByLabel('What counts'));
    await page.keyboard.type('Groc');
    await reach(page.getByLabel('Whose purchases'));
    await page.keyboard.type('all');
    await page.locator('.publish ins', { hasText: '400.00 USD per month on groceries' }).waitFor();
    await page.locator('.publish button:enabled', { hasText: 'Publish' }).waitFor();
    await reach(page.getByRole('button', { name: 'Publish' }));
    await page.keyboard.press('Enter');
    await isInForce(page);
    assert.deepEqual((await inForce()).rules.risk.limits, [GROCERIES]);
    await page.context().close();
  });

  test('its amount has the keyboard as soon as it stands in the draft, so that no key falls between', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await show(page, '#/policy/draft');
    const add = page.getByRole('button', { name: 'Add a budget' });
    await add.waitFor();
    await page.evaluate(() => {
      new MutationObserver((_changes, observer) => {
        const amount = document.querySelector('fieldset.entry input');
        if (amount === null) return;
        observer.disconnect();
        document.documentElement.dataset['focused'] = String(amount === document.activeElement);
      }).observe(document.body, { childList: true, subtree: true });
    });
    await add.press('Enter');
    await page.locator('html[data-focused]').waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset['focused']), 'true');
    await page.context().close();
  });

  test('a choice that is open is no error before its field was left, and keeps the budget from being published', async () => {
    const { page, requests } = await openConsole(browser, world, 'OWNER', NARROW);
    await show(page, '#/policy/draft');
    await page.getByRole('button', { name: 'Add a budget' }).click();
    const budget = page.locator('fieldset.entry');
    const said = page.locator('.publish .causes');
    await said.getByText('Choose whose purchases count.').waitFor();
    assert.equal(await budget.locator('.wrong').count(), 0);
    assert.equal(await page.locator('.problems').count(), 0);
    await budget.getByLabel('How much', { exact: true }).fill('400');
    await budget.getByLabel('What counts').focus();
    await budget.getByLabel('Whose purchases').focus();
    await budget.locator('.wrong', { hasText: 'Choose what counts: everything, a category or a merchant.' }).waitFor();
    assert.equal(await budget.locator('.wrong', { hasText: 'Choose whose' }).count(), 0, 'it has the focus');
    await budget.getByLabel('What counts').selectOption({ label: 'a merchant' });
    await page.getByRole('button', { name: 'Publish' }).click();
    await budget.locator('.wrong', { hasText: 'Name the merchant, such as shop.example.' }).waitFor();
    await budget.locator('.wrong', { hasText: 'Choose whose purchases count.' }).waitFor();
    const words = (await said.innerText()).replace(/\s+/g, ' ');
    assert.match(words, /“400\.00 USD per month”: Name the merchant/);
    assert.doesNotMatch(words, /risk\.|scope|max_amount/);
    assert.equal(requests.filter((url) => /admin\/policies/.test(url)).length, 0);
    assert.deepEqual((await inForce()).rules, RULES);
    assert.ok((await widthBeyond(page)) <= 0);
    await assertAccessible(page, 'a budget with something missing');
    await page.context().close();
  });

  test('400 on everything for each agent says whom it stops before it can be published', async () => {
    const { page, requests } = await openConsole(browser, world, 'OWNER', PHONE);
    await show(page, '#/policy/draft');
    await page.route('**/ap2/policies/compare', async (route) => {
      await asked;
      await route.continue();
    });
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.getByRole('button', { name: 'Add a budget' }).click();
    await page.getByLabel('How much', { exact: true }).fill('400');
    await page.getByLabel('What counts').selectOption({ label: 'everything' });
    await page.getByLabel('Whose purchases').selectOption({ label: 'each agent' });
    const publishing = page.getByRole('button', { name: 'Publish' });
    const changes = page.locator('.publish');
    await changes
      .getByText('400.00 USD per month on everything for each agent; above it a purchase is refused.')
      .waitFor();
    assert.equal(await publishing.isDisabled(), true, 'it is not known yet whom it stops');
    answer();
    await changes
      .getByText(
        `Stops 2 agents at once: ${HOSTILE} 900.00 of 400.00 USD, test agent 500.00 of 400.00 USD (“Spending per month, each agent”).`,
      )
      .waitFor();
    await page.locator('.limit-picture').getByText('900.00 of 400.00 USD').waitFor();
    assert.equal(await page.locator('main img').count(), 0, 'a name is text');
    await assertAccessible(page, 'a draft that stops agents');
    assert.equal(await publishing.isEnabled(), true);
    assert.equal(requests.filter((url) => /admin\/policies/.test(url)).length, 0);
    await page.context().close();
  });

  test('where it cannot be found out whom a budget stops, the draft says so and can be published', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await page.route('**/ap2/policies/compare', (route) => route.abort());
    await show(page, '#/policy/draft');
    await page.getByRole('button', { name: 'Add a budget' }).click();
    await page.getByLabel('How much', { exact: true }).fill('5');
    await page.getByLabel('What counts').selectOption({ label: 'everything' });
    await page.getByLabel('Whose purchases').selectOption({ label: 'each agent' });
    await page.getByText('It could not be found out whom the limits would stop now.').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await isInForce(page);
    await page.context().close();
  });

  test('the rarer members of a budget are in sight where they are set, and none is lost when its sentence changes', async () => {
    const whole = {
      ...GROCERIES,
      name: 'food',
      max_transactions: 30,
      currency: 'EUR',
      timezone: 'Asia/Tokyo',
      merchant: ['shop.example', '*.shop.example'],
      action: 'presence',
    };
    await publish({ version: '2.0', risk: { limits: [whole] } });
    const { page } = await openConsole(browser, world, 'OWNER', NARROW);
    await show(page, '#/policy/draft');
    const budget = page.locator('fieldset.entry');
    await budget.getByRole('button', { name: /^Edit the budget/ }).click();
    await budget.getByLabel('The most purchases').waitFor();
    assert.deepEqual(await budget.locator('input').evaluateAll((all) => all.map((each) => (each as Loose).value)), [
      '400',
      'EUR',
      'food',
      '30',
      'month',
      'Asia/Tokyo',
      'shop.example, *.shop.example',
    ]);
    assert.ok((await widthBeyond(page)) <= 0);
    await assertAccessible(page, 'a budget with all that it may have');
    await budget.getByLabel('The most purchases').fill('20');
    await budget.getByLabel('Only at the merchant').fill('other.example, *.other.example');
    await budget.getByLabel('How long').selectOption({ label: 'in 7 days' });
    await page.getByRole('button', { name: 'Publish' }).click();
    await isInForce(page);
    const { timezone: _timezone, ...rest } = whole;
    assert.deepEqual((await inForce()).rules.risk.limits, [
      { ...rest, max_transactions: 20, window: '7d', merchant: ['other.example', '*.other.example'] },
    ]);
    await page.context().close();
  });

  test('a draft has fields for the budget that is changed alone, and for one with something wrong until the next is changed', async () => {
    await publish({ ...RULES, risk: { limits: [GROCERIES, { ...GROCERIES, name: 'trips', category: 'travel' }] } });
    const { page } = await openConsole(browser, world, 'OWNER', NARROW);
    await show(page, '#/policy/draft');
    const amounts = page.getByLabel('How much', { exact: true });
    const edit = (what: string) => page.getByRole('button', { name: new RegExp(`^Edit the budget: .*${what}`) });
    await page.getByText('above it a purchase is refused (“trips”).').waitFor();
    assert.equal(await amounts.count(), 0);
    assert.ok((await widthBeyond(page)) <= 0);
    await assertAccessible(page, 'budgets that are read');
    await edit('groceries').focus();
    await page.keyboard.press('Enter');
    await page.locator('fieldset[data-limit="Groceries per month"] input:focus').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await edit('travel').press('Enter');
    await page.locator('fieldset[data-limit="trips"] input:focus').waitFor();
    assert.equal(await amounts.count(), 2, 'what is wrong stays in sight');
    await amounts.first().focus();
    await page.keyboard.type('250');
    await page.locator('.publish ins', { hasText: '250.00 USD per month on groceries' }).waitFor();
    assert.equal(await amounts.count(), 1);
    assert.equal(await amounts.evaluate((input) => input === document.activeElement), true, 'it is typed in still');
    await page.context().close();
  });

  test('a budget ends by its button or Enter where nothing is wrong, Escape has the former one, and the way back has the focus', async () => {
    await publish({ ...RULES, risk: { limits: [GROCERIES] } });
    const { page } = await openConsole(browser, world, 'OWNER', NARROW);
    await show(page, '#/policy/draft');
    const amount = page.getByLabel('How much', { exact: true });
    const edit = page.getByRole('button', { name: /^Edit the budget: / });
    const done = page.getByRole('button', { name: /^Done with the budget: / });
    const isBack = async (text: string) => {
      await page.locator('fieldset.entry .plain:focus').waitFor();
      assert.equal(await amount.count(), 0);
      assert.match(String(await edit.getAttribute('aria-label')), new RegExp(text));
    };
    await edit.press('Enter');
    await amount.fill('350');
    assert.ok((await widthBeyond(page)) <= 0);
    await assertAccessible(page, 'a budget that is changed');
    await done.press('Enter');
    await isBack('350.00 USD per month');
    await edit.press('Enter');
    await amount.fill('300');
    await amount.press('Enter');
    await isBack('300.00 USD per month');
    await edit.press('Enter');
    await amount.fill('1');
    await page.getByLabel('What counts').press('Escape');
    await isBack('300.00 USD per month');
    await edit.press('Enter');
    await amount.fill('');
    await page.getByLabel('What counts').focus();
    await done.press('Enter');
    await page.locator('fieldset.entry input[aria-invalid="true"]:focus').waitFor();
    await page.locator('fieldset.entry .wrong').first().waitFor();
    await amount.press('Escape');
    await isBack('300.00 USD per month');
    await page.getByRole('button', { name: 'Add a budget' }).press('Enter');
    await amount.fill('7');
    await amount.press('Escape');
    await page.locator('button:focus', { hasText: 'Add a budget' }).waitFor();
    assert.equal(await edit.count(), 1);
    await page.locator('.publish ins', { hasText: '300.00 USD per month on groceries' }).waitFor();
    assert.equal(await page.locator('.publish ins').count(), 1);
    await page.context().close();
  });

  test('a version says what it changed of the one that was in force before it', async () => {
    await publish({ ...RULES, risk: { limits: [GROCERIES] } });
    await publish({ ...RULES, risk: { limits: [{ ...GROCERIES, max_amount: 350 }] } });
    const { id, version } = await inForce();
    const { page } = await openConsole(browser, world, 'VIEWER', PHONE);
    await show(page, `#/policy/versions/${id}/${version}`);
    const changed = page.locator('.card', { hasText: 'What it changed' });
    await changed.getByText(`version ${version - 1}`).waitFor();
    await changed.locator('del', { hasText: '400.00 USD per month on groceries' }).waitFor();
    await changed.locator('ins', { hasText: '350.00 USD per month on groceries' }).waitFor();
    await changed.getByText('Tighter').waitFor();
    await page.getByText('In force since').waitFor();
    await assertAccessible(page, 'a version with what it changed');
    await show(page, '#/policy');
    assert.equal(await page.getByRole('link', { name: /^Edit/ }).count(), 0, 'who may read changes nothing');
    await page.context().close();
  });
});
