/** A decision in Chromium: what refused stands first and leads to where it lives, and what passed is one line. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer, type Peer } from '../support/peer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const NARROW = { ...PHONE, viewport: { width: 320, height: 640 } };
const MOST_STOPS = 40;

describe('a decision in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    const limits = [{ name: 'month', max_amount: 300, window: 'month' }];
    const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 500, currency: 'USD' }, risk: { limits } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'limits', rules })).status, 201);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const refuse = async (agent: Peer, code: string, more: Loose = {}): Promise<void> => {
    const { body, text } = await world.rest('POST', '/ap2/intents', { ...world.intentBody(80, { agent }), ...more });
    assert.deepEqual(body.reasonCodes, [code], text);
  };
  const open = async (page: Page, agent: Peer): Promise<void> => {
    const { body } = await world.rest('GET', `/ap2/decisions?agentDid=${encodeURIComponent(agent.did)}`);
    await page.goto(`${world.node.baseUrl}/console/#/decisions/${body.data[0].transactionId}`);
    await page.getByText('It was refused:').waitFor();
  };

  test('the failed rule is first and open, the others are a line that the keyboard opens, and it fits 320 pixels', async () => {
    const agent = await world.newAgent('Over its month');
    for (let bought = 0; bought < 3; bought += 1)
      await world.rest('POST', '/ap2/intents', world.intentBody(80, { agent }));
    await refuse(agent, 'SPENDING_LIMIT_EXCEEDED');
    const { page } = await openConsole(browser, world, 'OWNER', NARROW);
    await open(page, agent);
    const seen = page.locator('.rules tbody tr:visible');
    assert.equal(await seen.count(), 1);
    assert.match(await seen.innerText(), /^Spending in a window\s+✕ Failed/);
    const passed = page.locator('summary', { hasText: /^\d+ rules passed$/ });
    const [count] = (await passed.innerText()).split(' ');
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      if (await passed.evaluate((summary) => summary === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await seen.nth(1).waitFor();
    assert.equal(await page.locator('.rules tr.passed:visible').count(), Number(count));
    await assertAccessible(page, 'a refusal with its passed rules open');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    await page.getByRole('link', { name: 'Change this rule: Spending in a window' }).click();
    await page.waitForURL(/policy\/draft\?rule=risk\.limits/);
    await page.context().close();
  });

  test('what refused leads to the agent of whose own limits it is one, to whose money it is, or to the agent that is frozen', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    const own = await world.newAgent('Has its own limit');
    const velocity = { maxAmount: 50, timeWindow: '24h' };
    assert.equal((await world.rest('PUT', `/ap2/admin/agents/${own.did}/velocity`, velocity)).status, 200);
    await refuse(own, 'SPENDING_LIMIT_EXCEEDED');
    await open(page, own);
    await page.getByRole('link', { name: 'Change this rule: Spending in a window' }).click();
    await page.getByRole('heading', { level: 1, name: 'Has its own limit' }).waitFor();

    const stranger = await world.newAgent('Not allowed');
    const household = makePeer();
    const registered = { did: household.did, name: 'The household', agents: [own.did] };
    assert.equal((await world.rest('POST', '/ap2/admin/principals', registered)).status, 201);
    await refuse(stranger, 'AGENT_NOT_DELEGATED', { principalDid: household.did });
    await open(page, stranger);
    await page.getByRole('link', { name: 'Open whose money it is' }).click();
    await page.getByRole('heading', { level: 1, name: 'The household' }).waitFor();

    const frozen = await world.newAgent('Frozen');
    assert.equal((await world.rest('POST', `/ap2/admin/agents/${frozen.did}/suspend`, {})).status, 200);
    await refuse(frozen, 'AGENT_SUSPENDED');
    await open(page, frozen);
    await page.getByRole('link', { name: 'Open the agent' }).click();
    await page.getByRole('heading', { level: 1, name: 'Frozen' }).waitFor();
    await page.context().close();
  });
});
