/**
 * The contact sheet: every screen of the console and every page, on a phone and a desk, light and dark, empty and full, as pictures
 * side by side in dist/sheet/index.html; and with very much in it, on a narrow phone and on a desk that is enlarged twice.
 * `npm run sheet` makes it.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { copyPayments } from '../support/copyPayments.ts';
import { everyEngine } from '../support/engines.ts';
import { fillMonth, placeOf, SCREENS } from '../support/filledConsole.ts';
import type { Peer } from '../support/peer.ts';
import { makeWorld, type World } from '../support/world.ts';

const FOLDER = 'dist/sheet';
const PAGES: Readonly<Record<string, string>> = {
  docs: '/docs',
  guide: '/docs/limits',
  api: '/docs/api',
  approve: ':approval',
};

/** A phone of 320 pixels, and a desk of 1,280 at 200 %. */
const NARROW = { viewport: { width: 320, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const ENLARGED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
const MANY = { payments: 100_000, agents: 200, approvals: 40 };

const [engine] = everyEngine();

describe('the contact sheet', () => {
  let browser: Browser;
  const made: { screen: string; fill: string; device: string; theme: string; file: string }[] = [];
  before(async () => {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    writeFileSync(`${FOLDER}/index.html`, sheet(made));
  });

  for (const fill of ['empty', 'full', 'many'] as const) {
    test(`shows every screen, ${fill}`, async () => {
      assert.ok(engine);
      const world = await makeWorld(engine);
      try {
        const places = fill === 'empty' ? {} : await fillMonth(world);
        if (fill === 'many') await addMany(world);
        const devices = fill === 'many' ? { narrow: NARROW, enlarged: ENLARGED } : { desk: DESKTOP, phone: PHONE };
        for (const [device, options] of Object.entries(devices)) {
          for (const theme of fill === 'many' ? (['light'] as const) : (['light', 'dark'] as const)) {
            const { page } = await openConsole(browser, world, 'OWNER', { ...options, colorScheme: theme });
            for (const [screen, place] of [...Object.entries(SCREENS), ...Object.entries(PAGES)]) {
              const filled = placeOf(place, places);
              if (place.includes(':') && fill === 'empty') continue;
              const file = `${screen}-${fill}-${device}-${theme}.png`;
              await show(page, world, filled);
              // A page of the documents is longer than a picture may be.
              await page.screenshot({
                path: `${FOLDER}/${file}`,
                fullPage: fill !== 'many' && device === 'phone' && place.startsWith('#'),
              });
              made.push({ screen, fill, device, theme, file });
            }
            await page.context().close();
          }
        }
      } finally {
        await world.close();
      }
    });
  }
});

async function show(page: Page, world: World, place: string): Promise<void> {
  const base = world.node.baseUrl;
  const address = place.startsWith('#') ? `${base}/console/${place}` : place.startsWith('/') ? base + place : place;
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page
    .locator('[aria-busy="true"]')
    .first()
    .waitFor({ state: 'detached', timeout: 5000 })
    .catch(() => {});
  await page.waitForTimeout(300);
}

/** More than an owner has: payments, agents, and purchases that wait. */
async function addMany(world: World): Promise<void> {
  await copyPayments(world, MANY.payments);
  const agents: Peer[] = [];
  for (let number = 0; number < MANY.agents; number += 1) agents.push(await world.newAgent(`Agent ${number}`));
  for (const agent of agents.slice(0, MANY.approvals)) {
    const intent = await world.rest('POST', '/ap2/intents', world.intentBody(150, { agent }));
    const cart = await world.rest('POST', '/ap2/carts/validate', {
      intentVc: intent.body.intentVc,
      cartVc: world.cart(150),
    });
    assert.equal(cart.body.allowed, false, cart.text);
  }
}

/** The pictures by screen. */
function sheet(made: readonly { screen: string; fill: string; device: string; theme: string; file: string }[]): string {
  const screens = [...new Set(made.map(({ screen }) => screen))];
  const sections = screens.map((screen) => {
    const pictures = made
      .filter((each) => each.screen === screen)
      .map(({ fill, device, theme, file }) => {
        const says = `${fill}, ${device}, ${theme}`;
        return `<figure><a href="${file}"><img src="${file}" alt="${screen}, ${says}" loading="lazy"></a><figcaption>${says}</figcaption></figure>`;
      });
    return `<h2>${screen}</h2><div>${pictures.join('')}</div>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Contact sheet</title>
<style>body{font:14px system-ui;margin:1rem}div{display:flex;flex-wrap:wrap;gap:1rem;align-items:start}img{width:20rem;border:1px solid #ccc}figure{margin:0}</style>
${sections.join('\n')}</html>`;
}
