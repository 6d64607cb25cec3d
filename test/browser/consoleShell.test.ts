/** What stands around the screens of the console: the way to each of them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { askForApproval } from '../support/person.ts';
import { purchase } from '../support/purchase.ts';
import { makeWorld, SHOP, type World } from '../support/world.ts';

const HOSTILE = 'Named <b>&amp;"\u202eevil';

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
    await world.newAgent(HOSTILE);
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

  test('the account says who is signed in, and the theme that is chosen there holds before anything is painted', async () => {
    for (const options of [DESKTOP, { ...PHONE, viewport: { width: 320, height: 640 } }]) {
      const { page } = await openConsole(browser, world, 'OWNER', { ...options, colorScheme: 'light' });
      const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ground();
      await page.getByRole('button', { name: 'Account of An owner' }).click();
      const sheet = page.getByRole('dialog', { name: 'Your account' });
      await sheet.getByText('Owner', { exact: true }).waitFor();
      await sheet.getByRole('button', { name: 'Dark' }).click();
      assert.equal(await theme(), 'dark');
      await assertAccessible(page, 'the account, dark');
      assert.notEqual(await ground(), light);
      await page.route('**/main-*.js', (route) => route.abort());
      await page.reload();
      assert.equal(await theme(), 'dark', 'without any other script');
      await page.unroute('**/main-*.js');
      await page.reload();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, 'nothing is wider than the screen');
      await page.getByRole('button', { name: 'Account of An owner' }).click();
      await sheet.getByRole('button', { name: 'System' }).click();
      assert.equal(await theme(), undefined);
      assert.equal(await ground(), light);
      await sheet.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
      await page.context().close();
    }
  });

  const openSearch = async (page: Page) => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.waitFor();
    return field;
  };

  test('the search finds records, screens and actions by the keyboard alone, and tells how many', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    const field = await openSearch(page);
    await assertAccessible(page, 'the search');
    await page.keyboard.type('sett');
    await page.getByRole('option', { name: 'Settings', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await openSearch(page);
    await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Settings' }).waitFor();
    await page.keyboard.type('Named <b>');
    const found = page.getByRole('option', { name: `${HOSTILE} Active`, exact: true });
    await found.waitFor();
    await page.getByRole('status').getByText('2 results').waitFor();
    assert.equal(await field.getAttribute('aria-activedescendant'), await found.getAttribute('id'));
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: `Freeze ${HOSTILE}`, selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: `${HOSTILE} Active`, selected: true }).waitFor();
    await assertAccessible(page, 'what was found');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
    await openSearch(page);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('what an owner means is found by other words: sub-screens, acts, and then the documents', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    for (const [typed, option] of [
      ['budget', 'Set a budget, or publish a policy…'],
      ['invite', 'Invite a person…'],
      ['backup', 'Backups'],
      ['backup', 'Back up the node on a schedule…'],
      ['slack', 'Be told by mail, Slack or on this device…'],
      ['export', 'Export a month for accounting…'],
      ['theme', 'Settings'],
      ['accounting', 'Export'],
    ] as const) {
      const field = await openSearch(page);
      await page.keyboard.type(typed);
      await page.getByRole('option', { name: option }).first().waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
    }
    await openSearch(page);
    await page.keyboard.type('accounting');
    const documents = page.getByRole('group', { name: 'Documents' }).getByRole('option', { name: 'Accounting' });
    const [opened] = await Promise.all([page.context().waitForEvent('page'), documents.first().click()]);
    await opened.getByRole('heading', { level: 1, name: 'Accounting' }).waitFor();
    await page.context().close();
  });

  test('keys lead to screens and show themselves, and what is typed before the search has come is kept', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    await page.keyboard.type('gp');
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    await page.keyboard.type('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await assertAccessible(page, 'the keys');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    // The code of the search comes once all of this was typed.
    let release = () => {};
    const typed = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/SearchSheet-.*\.js$/, async (route) => {
      await typed;
      await route.continue();
    });
    await page.keyboard.type('/settx');
    await page.keyboard.press('Backspace');
    release();
    await page.getByRole('option', { name: 'Settings', selected: true }).waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Search' }).inputValue(), 'sett');
    await page.context().close();
  });

  test('the search has the keyboard as soon as it stands on the page, so that no key falls between', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    await page.evaluate(() => {
      new MutationObserver((_changes, observer) => {
        const field = document.querySelector('dialog [role=combobox]');
        if (field === null) return;
        observer.disconnect();
        document.documentElement.dataset['focused'] = String(field === document.activeElement);
      }).observe(document.body, { childList: true, subtree: true });
    });
    await page.keyboard.press('/');
    await page.locator('html[data-focused]').waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset['focused']), 'true');
    await page.context().close();
  });

  test('what was typed for a search that was closed before it came is not in the next one', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    let release = () => {};
    const closed = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/SearchSheet-.*\.js$/, async (route) => {
      await closed;
      await route.continue();
    });
    await page.keyboard.type('/x');
    await page.keyboard.press('Escape');
    release();
    await page.getByRole('button', { name: 'Search' }).click();
    assert.equal(await page.getByRole('combobox', { name: 'Search' }).inputValue(), '');
    await page.context().close();
  });

  test('the search has the evidence verified at once, as often as it is chosen', async () => {
    await purchase(world, 5, { agent: await world.newAgent('Buys once') });
    const { page } = await openConsole(browser, world, 'VIEWER', PHONE);
    for (let round = 0; round < 2; round++) {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('combobox', { name: 'Search' }).fill('verify');
      await page.getByRole('option', { name: 'Verify the evidence here' }).click();
      await page.getByText('Verified in this browser').waitFor();
      assert.match(page.url(), /#\/evidence$/);
    }
    await page.getByText(/It continues what this browser saw before/).waitFor();
    await page.context().close();
  });

  test('the search freezes an agent by its name, and a viewer is offered nothing that would be refused', async () => {
    const agent = await world.newAgent('Runs wild');
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox').fill('freeze runs');
    await page.getByRole('option', { name: 'Freeze Runs wild' }).click();
    await page.getByText('Frozen. The agent buys nothing from now on.').waitFor();
    const { body } = await world.rest('GET', `/ap2/agents/${encodeURIComponent(agent.did)}`);
    assert.equal(body.status, 'SUSPENDED');
    await page.context().close();
    const viewer = await openConsole(browser, world, 'VIEWER');
    await openSearch(viewer.page);
    await viewer.page.getByRole('option', { name: 'Sign out' }).waitFor();
    for (const [text, hidden] of [
      ['freeze', /^Freeze/],
      ['add', 'Add an agent'],
      ['test agent', /^Freeze/],
    ] as const) {
      await viewer.page.getByRole('combobox').fill(text);
      await viewer.page
        .getByRole('listbox')
        .and(viewer.page.locator('[aria-busy=false]'))
        .waitFor({ state: 'attached' });
      assert.equal(await viewer.page.getByRole('option', { name: hidden }).count(), 0, text);
    }
    await viewer.page.context().close();
  });

  test('an answer of the search that comes late does not replace a newer one', async () => {
    const { page } = await openConsole(browser, world, 'VIEWER');
    await openSearch(page);
    const held: (() => void)[] = [];
    await page.route('**/ap2/admin/search?q=test*', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    await page.keyboard.type('test');
    await page.waitForRequest('**/ap2/admin/search?q=test');
    await page.getByRole('combobox').fill(SHOP);
    const shop = page.getByRole('option', { name: SHOP });
    await shop.waitFor();
    for (const go of held) go();
    await page.getByRole('combobox').fill(`${SHOP} `);
    await shop.waitFor();
    assert.equal(await page.getByRole('option', { name: 'test agent' }).count(), 0);
    await page.context().close();
  });

  test('where changes come faster than a screen gathers them, it is loaded again all the same', async () => {
    const { page } = await openConsole(browser, world, 'VIEWER');
    await page.goto(`${world.node.baseUrl}/console/#/agents`);
    await page.getByRole('link', { name: 'test agent' }).waitFor();
    const until = Date.now() + 20_000;
    let loaded = 0;
    page.on('response', (response) => {
      if (response.url().includes('/ap2/agents/limits')) loaded += 1;
    });
    // They go on coming until the screen was loaded twice between them.
    const change = async () => {
      while (loaded < 2 && Date.now() < until) await world.rest('POST', '/ap2/intents', world.intentBody(1));
    };
    await Promise.all([change(), change(), change()]);
    assert.ok(loaded >= 2, `${loaded} times`);
    await page.context().close();
  });

  test('how many purchases wait is told beside Approvals, and no more once they are decided', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    const { approval } = await askForApproval(world, 150);
    await page.getByRole('link', { name: 'Approvals 1 waiting for you' }).click();
    // No touch would do.
    await page.getByText('No passkey is enrolled for this agent yet').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0);
    await world.rest('POST', `/ap2/approvals/${approval.id}/deny`, {});
    await page.getByRole('link', { name: 'Approvals', exact: true }).waitFor();
    await page.context().close();
  });
});
