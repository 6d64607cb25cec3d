/** How a visit begins: what the first screen needs is asked for before the console's files have come, once, and as no other user. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { FIRST_ASKED } from '../../console/node/firstAsked.ts';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { openConsole } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { leap } from '../support/person.ts';
import { purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

const RENEWAL = '/ap2/auth/refresh';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

/** Keeps requests for an address from leaving the page. @returns lets them go */
async function holdBack(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

describe('a visit to the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    await purchase(world, 12);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  /** The paths that a page asks the node's API for from now on, in their order. */
  const followed = (page: Page): string[] => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/ap2/')) asked.push(pathname + search);
    });
    return asked;
  };
  const times = (asked: readonly string[], path: string) => asked.filter((each) => each === path).length;
  const first = (page: Page) => page.locator('.today .row').first().waitFor();

  test('asks for the login and for what the first screen shows once each, before the console itself has come', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    await first(page);
    const address = page.url();
    // What the visit before has asked for is not of this one.
    await page.goto('about:blank');
    const release = await holdBack(page, /\/console\/main-/);
    // As it opens everything is asked for once more.
    await page.route(/\/events\/stream/, () => {});
    const asked = followed(page);
    const last = page.waitForResponse((response) => response.url().endsWith(FIRST_ASKED.at(-1) as string));
    const reloaded = page.goto(address);
    await last;
    assert.deepEqual([...asked].sort(), [RENEWAL, ...FIRST_ASKED].sort());
    release();
    await reloaded;
    await first(page);
    const lists = FIRST_ASKED.filter((path) => path.includes('?'));
    for (const path of [RENEWAL, ...lists]) assert.equal(times(asked, path), 1, path);
    await page.context().close();
  });

  test('shows what happened between its first answers and the stream of changes', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    await first(page);
    const release = await holdBack(page, /\/events\/stream/);
    await page.reload();
    await first(page);
    await purchase(world, 77.25);
    release();
    await page.getByText('$77.25').or(page.getByText('77.25 USD')).first().waitFor();
    await page.context().close();
  });

  test('begins anew where another user has signed in meanwhile', async () => {
    const [former, other] = await Promise.all([
      openConsole(browser, world, 'OWNER'),
      openConsole(browser, world, 'OWNER'),
    ]);
    await first(former.page);
    const cookies = await other.page.context().cookies();
    await other.page.context().close();
    await former.page.context().addCookies(cookies);
    const back = leap(world, 901);
    try {
      const reloaded = former.page.waitForEvent('load');
      await former.page
        .getByRole('navigation', { name: 'Screens', exact: true })
        .getByRole('link', { name: 'Agents' })
        .click();
      await reloaded;
      await former.page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    } finally {
      back();
    }
    await former.page.context().close();
  });

  test('at another screen asks for nothing of the first one', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    await page.goto(`${world.node.baseUrl}/console/#/agents`);
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    const asked = followed(page);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    assert.equal(times(asked, RENEWAL), 1);
    assert.equal(times(asked, '/ap2/payments?limit=8'), 0);
    await page.context().close();
  });

  test('stays signed in where many tabs begin at once', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    const tabs = await Promise.all([1, 2, 3, 4].map(() => page.context().newPage()));
    await Promise.all(tabs.map((tab) => tab.goto(`${world.node.baseUrl}/console/`)));
    for (const tab of [page, ...tabs]) await first(tab);
    await page.reload();
    await first(page);
    await page.context().close();
  });

  test('without a login shows how to sign in, and asks for no record', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const asked = followed(page);
    await page.goto(`${world.node.baseUrl}/console/`);
    await page
      .getByRole('button', { name: /Sign in/ })
      .first()
      .waitFor();
    assert.deepEqual(
      asked.filter((path) => FIRST_ASKED.includes(path)),
      [],
    );
    await context.close();
  });
});
