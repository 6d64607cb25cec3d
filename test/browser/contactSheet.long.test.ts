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
import { makeCart, type Peer } from '../support/peer.ts';
import { makePerson } from '../support/person.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const FOLDER = 'dist/sheet';
const DAY_MS = 24 * 3600 * 1000;
const PAYMENTS = 130;
const AGENTS = [
  'Grocery agent',
  'Travel desk',
  'Research bot',
  'Müller Bürobedarf',
  '買い物エージェント',
  'API credits',
  'Ada’s shopper',
  'Night buyer',
  '<b>Bold</b> & "quoted"',
  'A name that is rather longer than any name of an agent should ever be, and goes on',
  'Bob’s agent',
  'Spare',
];
const SHOPS = [
  'shop.example',
  'groceries.example',
  'rail.example',
  'xn--mller-kva.example',
  'xn--u9jv56p.example',
  'api.example',
];

/** Where each screen is, from the console's address on; `:payment` and the like are filled in. */
const SCREENS: Readonly<Record<string, string>> = {
  today: '#/',
  approvals: '#/approvals',
  payments: '#/payments',
  payment: '#/payments/:payment',
  decisions: '#/decisions',
  decision: '#/decisions/:transaction',
  agents: '#/agents',
  agent: '#/agents/:agent',
  policy: '#/policy',
  draft: '#/policy/draft',
  principals: '#/principals',
  evidence: '#/evidence',
  build: '#/build',
  keys: '#/build/keys',
  webhooks: '#/build/webhooks',
  playground: '#/build/playground',
  settings: '#/settings',
  health: '#/settings/health',
};
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
        const places = fill === 'empty' ? {} : await fillUp(world);
        if (fill === 'many') await addMany(world);
        const devices = fill === 'many' ? { narrow: NARROW, enlarged: ENLARGED } : { desk: DESKTOP, phone: PHONE };
        for (const [device, options] of Object.entries(devices)) {
          for (const theme of fill === 'many' ? (['light'] as const) : (['light', 'dark'] as const)) {
            const { page } = await openConsole(browser, world, 'OWNER', { ...options, colorScheme: theme });
            for (const [screen, place] of [...Object.entries(SCREENS), ...Object.entries(PAGES)]) {
              const filled = place.replace(/:([a-z]+)/, (_, name: string) => places[name as never] ?? '');
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

/** A month of a dozen agents. @returns what screens of one thing show */
async function fillUp(world: World): Promise<Record<string, string>> {
  const person = makePerson(world);
  const agents: Peer[] = [];
  for (const name of AGENTS) agents.push(await world.newAgent(name));
  for (const domain of SHOPS.slice(1)) {
    await world.rest('POST', '/ap2/admin/merchants', { domain, did: world.merchant.did, mcc: '5411' });
  }
  const limits = [
    {
      name: 'groceries',
      max_amount: 2000,
      window: 'month',
      timezone: 'Europe/Berlin',
      scope: 'policy',
      category: 'groceries',
    },
    { name: 'each agent', max_amount: 900, max_transactions: 60, window: 'month' },
    { name: 'quarter', max_amount: 9000, window: 'quarter', scope: 'policy', action: 'presence' },
  ];
  const rules = {
    version: '2.0',
    spend: { amount_cap: 100, presence_cap: 500, currency: 'USD' },
    merchant: { deny_list: ['bad.example'] },
    risk: { limits, velocity_limit: { max_transactions: 50, time_window: '24h' } },
  };
  const made = await world.rest('POST', '/ap2/admin/policies', { name: 'Household', rules });
  assert.equal(made.status, 201, made.text);
  await person.enroll(agents[0] as Peer);
  let last: Loose;
  for (let number = 0; number < PAYMENTS; number += 1) {
    world.clock.aheadMs = -Math.floor(((PAYMENTS - number) * 30 * DAY_MS) / PAYMENTS);
    const agent = agents[(number * 5) % agents.length] as Peer;
    const domain = SHOPS[(number * 7) % SHOPS.length] as string;
    const amount = 4 + ((number * 37) % 80) + 0.5;
    const bought = await buy(world, agent, domain, amount);
    if (bought === undefined) continue;
    last = bought;
    const { mandateId } = bought.pmVc.credentialSubject;
    if (number % 4 !== 0) await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {});
    if (number % 13 === 0) await world.rest('POST', `/ap2/payments/${mandateId}/refund`, { amount: 1 });
    if (number % 11 === 0)
      await world.rest('POST', '/ap2/intents', world.intentBody(5000, { agent, domain: 'bad.example' }));
  }
  world.clock.aheadMs = 0;
  let approval: Loose;
  for (const [at, amount] of [180, 240, 320].entries()) {
    const agent = agents[at] as Peer;
    const intent = await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent }));
    const body = { intentVc: intent.body.intentVc, cartVc: world.cart(amount) };
    const cart = await world.rest('POST', '/ap2/carts/validate', body);
    approval ??= cart.body.approval;
  }
  const { mandateId, intentId } = last.pmVc.credentialSubject;
  const { body } = await world.rest('GET', `/ap2/intents/${intentId}`);
  return {
    payment: String(mandateId),
    transaction: String(body.transactionId),
    agent: encodeURIComponent((agents[0] as Peer).did),
    approval: String(approval.url),
  };
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

async function buy(world: World, agent: Peer, domain: string, amount: number): Promise<Loose | undefined> {
  const intent = await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent, domain }));
  if (intent.body.allowed !== true) return undefined;
  const items = [
    { name: 'Oat milk', price: 2.5, quantity: 1 },
    { name: 'コーヒー豆', price: amount - 2.5, quantity: 1 },
  ];
  const at = new Date(Date.now() + world.clock.aheadMs);
  const cartVc = makeCart(world.merchant, { domain, items, total: amount, currency: 'USD' }, at);
  const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc: intent.body.intentVc, cartVc });
  if (cart.body.allowed !== true) return undefined;
  return (await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken })).body;
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
