/** Everything that is touched on a phone is large enough for a finger, on every screen of a node that is in use. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { fillMonth, placeOf, SCREENS } from '../support/filledConsole.ts';
import { makeWorld, type World } from '../support/world.ts';

/** Pixels of CSS in each direction. */
const LEAST = 44;
/** More screens than a picture is made of. */
const MORE = {
  approval: '#/approvals/:approvalId',
  addAgent: '#/agents/new',
  principal: '#/principals/:principal',
  addPrincipal: '#/principals/new',
  version: '#/policy/versions/:version',
  events: '#/build/events',
  people: '#/settings/people',
  merchants: '#/settings/merchants',
  instruments: '#/settings/instruments',
  node: '#/settings/node',
};
/** What opens above a screen. */
const OPENED: readonly (readonly [place: string, opener: string])[] = [
  ['#/', 'More'],
  ['#/', 'Account of An owner'],
  ['#/', 'Search'],
  ['#/payments', 'Add a filter'],
  ['#/policy/draft', 'Add a rule'],
  ['#/agents/:agent', 'Edit…'],
  ['#/agents/:agent', 'Revoke…'],
];
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const [engine] = everyEngine();

describe('touch in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  let places: Record<string, string>;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    places = await fillMonth(world);
    const principal = { did: world.principal.did, name: 'Ada' };
    assert.equal((await world.rest('POST', '/ap2/admin/principals', principal)).status, 201);
    const webhook = { url: 'https://hooks.example/in', events: ['payment.authorized'] };
    assert.equal((await world.rest('POST', '/ap2/admin/webhooks', webhook)).status, 201);
    const { id, version } = (await world.rest('GET', '/ap2/policies/current')).body;
    const [approval] = (await world.rest('GET', '/ap2/approvals?limit=1')).body.data;
    places = {
      ...places,
      principal: encodeURIComponent(principal.did),
      version: `${id}/${version}`,
      approvalId: approval.id,
    };
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  test('each link, button and field has at least 44 × 44 pixels that touch it', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    const small = new Map<string, string[]>();
    let measured = 0;
    const measure = async (where: string) => {
      const found = await page.evaluate(measureTargets, LEAST);
      measured += found.measured;
      for (const target of found.small) small.set(target, [...(small.get(target) ?? []), where]);
    };
    for (const place of Object.values({ ...SCREENS, ...MORE })) {
      await show(page, world, placeOf(place, places));
      await measure(place);
    }
    for (const [place, opener] of OPENED) {
      await show(page, world, placeOf(place, places));
      await page.getByRole('button', { name: opener }).first().click();
      await measure(`${place} after ${opener}`);
      await page.reload();
    }
    assert.deepEqual(
      [...small].map(([target, at]) => `${target} at ${at[0]} and ${at.length - 1} more`),
      [],
    );
    assert.ok(measured > 300, `only ${measured} targets were measured`);
    await page.context().close();
  });

  test('no screen scrolls sideways at 320 pixels, nor on a desk that is enlarged four times (WCAG 1.4.10)', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', { ...PHONE, viewport: { width: 320, height: 640 } });
    const wide: string[] = [];
    for (const place of Object.values({ ...SCREENS, ...MORE })) {
      await show(page, world, placeOf(place, places));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 320) wide.push(`${place}: ${width}`);
    }
    assert.deepEqual(wide, []);
    await page.context().close();
  });

  test('a touch anywhere on the chart tells the nearest day, and a link leads to what was paid then', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    const slider = page.getByRole('slider', { name: 'Day' });
    const told = page.locator('.chart-chosen');
    await slider.waitFor();
    const newest = await told.innerText();
    await slider.scrollIntoViewIfNeeded();
    const { x, y, width } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    // Of 30 days the seventh, above its bar.
    await page.touchscreen.tap(x + (6.5 * width) / 30, y + 3);
    const bar = await page.locator('.chart-day.chosen').boundingBox();
    assert.ok(bar !== null && bar.x <= x + (6.5 * width) / 30 && x + (6.5 * width) / 30 <= bar.x + bar.width);
    const chosen = await told.innerText();
    assert.notEqual(chosen, newest);
    assert.equal(`${await slider.getAttribute('aria-valuetext')} ›`, chosen);
    await slider.press('ArrowRight');
    const next = await told.innerText();
    assert.notEqual(next, chosen);
    await assertAccessible(page, 'a day of the chart');
    await told.getByRole('link').tap();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    const [, day = ''] = /from=([\d-]+)&to=\1&currency=USD$/.exec(page.url()) ?? [];
    assert.equal(Number(day.slice(-2)), Number.parseInt(next, 10), page.url());
    await page.context().close();
  });
});

async function show(page: Page, world: World, place: string): Promise<void> {
  await page.goto(`${world.node.baseUrl}/console/${place}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/**
 * Runs in the page: how far from the middle of each target a touch still reaches it.
 * @returns those that are too small; links within a sentence are left out, as WCAG 2.5.8 does
 */
function measureTargets(least: number): { readonly measured: number; readonly small: string[] } {
  const small: string[] = [];
  let measured = 0;
  const all = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary');
  for (const target of all) {
    if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (target.matches(':disabled') || isInSentence(target)) continue;
    target.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { x, y, width, height } = target.getBoundingClientRect();
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    // It is for a reader of the screen alone, or below something that is fixed.
    if (width <= 1 || !reaches(target, middleX, middleY)) continue;
    measured += 1;
    const across = extent((by) => reaches(target, middleX + by, middleY));
    const down = extent((by) => reaches(target, middleX, middleY + by));
    if (across >= least && down >= least) continue;
    const name = (target.getAttribute('aria-label') ?? target.innerText ?? '').replace(/\s+/g, ' ').trim().slice(0, 40);
    small.push(
      `${target.tagName.toLowerCase()}.${target.className} in .${target.parentElement?.className} “${name}”: ${across} × ${down}`,
    );
  }
  return { measured, small };

  function extent(isReached: (by: number) => boolean): number {
    let [before, beyond] = [0, 0];
    while (before < least && isReached(-before - 1)) before += 1;
    while (beyond < least && isReached(beyond + 1)) beyond += 1;
    return before + beyond + 1;
  }

  function reaches(target: Element, x: number, y: number): boolean {
    // A label touches what it is the label of.
    const at = document.elementFromPoint(x, y);
    return at !== null && (target.contains(at) || at.closest('label')?.control === target);
  }

  function isInSentence(target: Element): boolean {
    if (getComputedStyle(target).display !== 'inline' && !target.matches('.when')) return false;
    const said = (target.parentElement?.textContent ?? '').replace(target.textContent ?? '', '');
    return /\p{L}{2}/u.test(said);
  }
}
