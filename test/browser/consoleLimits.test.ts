/** Limits over time in Chromium: what is left of several, an agent's own, those of the policy as a form, and which ones refused. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

const HOSTILE = '<img src=x onerror=alert(1)> shop';
const LIMITS = [
  { name: 'household', max_amount: 900, window: 'year', scope: 'principal' },
  { name: HOSTILE, max_transactions: 5, max_amount: 180, window: 'quarter', merchant: SHOP, action: 'presence' },
  {
    name: 'groceries',
    max_amount: 400,
    window: 'month',
    timezone: 'Asia/Tokyo',
    scope: 'policy',
    category: 'groceries',
  },
  { name: 'week', max_amount: 200, window: '7d' },
];
const RULES = {
  version: '2.0',
  spend: { currency: 'USD' },
  risk: { velocity_limit: { max_transactions: 20, time_window: '24h' }, limits: LIMITS },
};

describe('limits in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'test', rules: RULES })).status, 201);
    const household = { did: world.principal.did, name: 'Household', agents: [world.agent.did] };
    assert.equal((await world.rest('POST', '/ap2/admin/principals', household)).status, 201);
    for (const amount of [90, 60]) assert.equal((await ask(amount)).allowed, true);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const ask = async (maxAmount: number, agent: Peer = world.agent): Promise<Loose> => {
    const request = { maxAmount, currency: 'USD', vendorHints: { domain: SHOP, mcc: '5411' } };
    const principalDid = agent === world.agent ? world.principal.did : agent.did;
    return (await world.rest('POST', '/ap2/intents', { agentDid: agent.did, principalDid, request })).body;
  };
  const show = async (page: Page, hash: string) => {
    await page.goto(`${world.node.baseUrl}/console/${hash}`);
    await page.locator('h1').first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  };
  const agentHash = (agent: Peer) => `#/agents/${encodeURIComponent(agent.did)}`;
  const velocityOf = async (agent: Peer): Promise<Loose> =>
    (await world.rest('GET', `/ap2/agents/${encodeURIComponent(agent.did)}`)).body.velocity;

  test('an agent’s card has every limit, the tightest first, with until when, where, whose it is and what is over it', async () => {
    const { page, complaints } = await openConsole(browser, world, 'VIEWER', PHONE);
    await show(page, agentHash(world.agent));
    await page.locator('.limits > li').first().waitFor();
    const items = await page.locator('.limits > li').allInnerTexts();
    assert.deepEqual(
      items.map((text) => text.split('\n')[0]),
      [HOSTILE, 'week', 'groceries', 'Limit over time'],
    );
    const [shop = '', week = '', groceries = '', velocity = ''] = items.map((text) => text.replace(/\s+/g, ' '));
    assert.match(shop, /2 of 5 purchases 150\.00 of 180\.00 USD nearly used up This quarter, until ./);
    assert.match(shop, /\. Only at shop\.example\. Counted for each agent\. Above it a person has to approve\.$/);
    assert.match(
      week,
      /150\.00 of 200\.00 USD Within 7 days\. Counted for each agent\. Above it a purchase is refused/,
    );
    assert.match(groceries, /This month \(Asia\/Tokyo\), until .*\. Only groceries\. Shared by all agents\./);
    assert.match(velocity, /2 of 20 purchases Within 1 day\./);
    await page.getByText('The agents that spend the same money also share: household.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Further limits of its own…' }).count(), 0);
    await assertAccessible(page, 'the limits of an agent');
    await show(page, '#/agents');
    const row = page.getByRole('link', { name: /test agent/ });
    await row.getByText(`${HOSTILE}: 150.00 of 180.00 USD this quarter, at ${SHOP}`).waitFor();
    assert.deepEqual(
      complaints.filter((text) => !/status of 401/.test(text)),
      [],
    );
    await page.context().close();
  });

  test('an agent gets limits of its own in place of the policy’s, what is wrong is said at its field, and the rest of its own stays', async () => {
    const agent = await world.newAgent('Has its own');
    const velocity = { maxTransactions: 7, timeWindow: '24h' };
    const set = `/ap2/admin/agents/${encodeURIComponent(agent.did)}/velocity`;
    assert.equal((await world.rest('PUT', set, velocity)).status, 200);
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    await show(page, agentHash(agent));
    await page.getByRole('button', { name: 'Further limits of its own…' }).click();
    const form = page.locator('.set-limit');
    await form.getByText('They begin with the policy’s limits.').waitFor();
    await form
      .getByText('The limit over time (7 purchases in 1 day) and limits that agents share still apply.')
      .waitFor();
    const entries = form.locator('fieldset.entry');
    assert.deepEqual(await entries.evaluateAll((all) => all.map((each) => each.getAttribute('data-limit'))), [
      HOSTILE,
      'week',
    ]);
    assert.deepEqual(
      await form.locator('details').evaluateAll((all) => all.map((each) => (each as Loose).open)),
      [true, false],
      'the number of purchases is in sight where one is set',
    );
    await form.getByRole('button', { name: /^Remove the budget: 180\.00 USD and 5 purchases per quarter/ }).click();
    await form.getByRole('button', { name: 'Add a limit' }).click();
    const entry = entries.nth(1);
    const save = form.getByRole('button', { name: 'Save limits' });
    assert.equal(await entry.locator('.wrong').count(), 0, 'nothing is wrong before a field is left');
    await entry.getByLabel('What counts').focus();
    await entry.getByText('Say how much money, or under More how many purchases.').waitFor();
    assert.equal(await entry.locator('.wrong').count(), 1);
    await save.click();
    await entry.getByText('Choose what counts: everything, a category or a merchant.').waitFor();
    await entry.getByLabel('How much', { exact: true }).fill('2so');
    await entry.getByText('Enter a number, such as 250 or 99.5.').waitFor();
    assert.deepEqual(await velocityOf(agent), velocity, 'nothing of it was sent');
    await assertAccessible(page, 'own limits with something wrong');
    await entry.getByLabel('How much', { exact: true }).fill('250.5');
    await entry.getByLabel('What counts').selectOption({ label: 'Travel (4411)' });
    await entry.getByText('More').click();
    await entry.getByLabel('Time zone').fill('Europe/Nowhere');
    await save.click();
    await entry.getByText('must be an IANA time zone such as Europe/Berlin').waitFor();
    assert.equal(await form.locator('.error, .trouble').count(), 0, 'it is said once, at its budget');
    await entry.getByLabel('Time zone').fill('Europe/Berlin');
    await entry.getByLabel('Name', { exact: true }).fill('trips');
    await entry.getByLabel('Above it').selectOption({ label: 'ask a person' });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.viewport.width);
    await save.click();
    await page.getByText('Saved. The limits apply from now on.').waitFor();
    const trips = { name: 'trips', maxAmount: 250.5, window: 'month', timezone: 'Europe/Berlin', category: 'travel' };
    const own = await velocityOf(agent);
    assert.deepEqual(own, {
      ...velocity,
      limits: [
        { name: 'week', maxAmount: 200, currency: 'USD', window: '7d' },
        { ...trips, action: 'presence' },
      ],
    });
    const item = page.locator('.limits > li', { hasText: 'trips' });
    await item
      .getByText(/Only travel\. Set for this agent, in place of the policy’s\. Above it a person has to approve\./)
      .waitFor();
    await page.getByRole('button', { name: 'Change its limit…' }).click();
    await page.getByText('The agent’s further limits stay unchanged: week, trips.').waitFor();
    await page.getByLabel('Purchases at most', { exact: true }).fill('6');
    await page.getByRole('button', { name: 'Save the limit' }).click();
    await page.getByText('0 of 6 purchases').waitFor();
    assert.deepEqual(await velocityOf(agent), { ...own, maxTransactions: 6, timeWindow: '1d' });
    await page.context().close();
  });

  test('without a limit in the list, none of the policy’s for each agent holds, and the card says so', async () => {
    const agent = await world.newAgent('Has none');
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await show(page, agentHash(agent));
    await page.getByRole('button', { name: 'Further limits of its own…' }).click();
    for (let left = 2; left > 0; left -= 1) {
      const entries = page.locator('.set-limit fieldset.entry');
      await entries.nth(left - 1).waitFor();
      await entries.nth(left).waitFor({ state: 'detached' });
      await page
        .getByRole('button', { name: /^Remove the budget/ })
        .first()
        .click();
    }
    await page.getByText('Without any, no limit of this kind applies to the agent.').waitFor();
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('own list of limits is empty').waitFor();
    assert.deepEqual(await velocityOf(agent), { limits: [] });
    assert.deepEqual(await page.locator('.limit-name').allInnerTexts(), ['groceries', 'Limit over time']);
    await page.context().close();
  });

  test('a refusal by several limits shows each, and leads to the rule that has them', async () => {
    const agent = await world.newAgent('Is refused');
    assert.equal((await ask(150, agent)).allowed, true);
    const { reasonCodes, limits } = await ask(290, agent);
    assert.deepEqual([reasonCodes, limits.length], [['SPENDING_LIMIT_EXCEEDED'], 2]);
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await show(page, '#/decisions?outcome=refused');
    await page.getByRole('row', { name: /Is refused.*290\.00 USD/s }).click();
    await page.getByText('2 limits refuse it; this was used of them before it:').waitFor();
    assert.deepEqual(await page.locator('.limit-name').allInnerTexts(), ['groceries', 'week']);
    await assertAccessible(page, 'a refusal by several limits');
    await page.getByRole('link', { name: 'Change this rule: Spending in a window' }).click();
    await page.waitForURL(/rule=risk\.limits/);
    await page.locator('[data-rule="risk.limits"]:focus').waitFor();
    await page.context().close();
  });

  test('a principal’s page shows the limits that its agents share', async () => {
    const { page } = await openConsole(browser, world, 'ADMIN', PHONE);
    await show(page, `#/principals/${encodeURIComponent(world.principal.did)}`);
    const card = page.locator('.card', { hasText: 'Shared limits' });
    const household = card.locator('.limits > li', { hasText: 'household' });
    await household.getByText('150.00 of 900.00 USD').waitFor();
    await household.getByText(/This year, until .*Shared by the agents that spend the same money\./).waitFor();
    assert.equal(await card.locator('.limits > li').count(), 2, 'and what all agents share');
    await assertAccessible(page, 'a principal with shared limits');
    await page.context().close();
  });

  test('the limits of a policy are added, changed and removed in its form, with what is wrong said at its place', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    await show(page, '#/policy/draft?rule=risk.limits');
    const budgets = page.locator('fieldset.entry');
    const look = (view: 'Form' | 'JSON') => page.getByRole('button', { name: view, exact: true }).click();
    const inDraft = async () => {
      await look('JSON');
      const text = await page.getByLabel('The draft as JSON').inputValue();
      await look('Form');
      return JSON.parse(text).risk?.limits as Loose[] | undefined;
    };
    await budgets.first().waitFor();
    assert.deepEqual(
      await budgets.evaluateAll((all) => all.map((each) => each.getAttribute('data-limit'))),
      LIMITS.map(({ name }) => name),
    );
    await page.getByRole('button', { name: 'Add a budget' }).click();
    const entry = budgets.last();
    await entry.getByText('More').click();
    const name = entry.getByLabel('Name', { exact: true });
    await name.fill('week');
    await entry.getByLabel('Duration, such as 12h').fill('fortnight');
    await entry.getByLabel('What counts').selectOption({ label: 'Restaurants (5811)' });
    await entry.getByLabel('Whose purchases').selectOption({ label: 'all agents together' });
    await entry.getByLabel('How much', { exact: true }).fill('12.345');
    await name.focus();
    await entry.getByText('must be day, week, month, quarter, year, or a duration such as 24h, at most 366d').waitFor();
    await entry.getByLabel('Duration, such as 12h').fill('day');
    await page.getByRole('button', { name: 'Publish' }).click();
    await entry.getByText('must be different from the names of other limits').waitFor();
    await assertAccessible(page, 'a limit of a draft with something wrong');
    await name.fill('lunch');
    await entry.getByLabel('How much', { exact: true }).fill('12.5');
    await entry.getByLabel('Above it').selectOption({ label: 'ask a person' });
    await page.locator('#draft-problems .causes').waitFor({ state: 'detached' });
    const lunch = { name: 'lunch', max_amount: 12.5, window: 'day', scope: 'policy', category: 'restaurants' };
    assert.deepEqual((await inDraft())?.at(-1), { ...lunch, action: 'presence' });
    await page
      .locator('.publish ins', {
        hasText: '12.50 USD per day on restaurants for all agents together; above it a person is asked (“lunch”).',
      })
      .waitFor();
    await budgets
      .nth(2)
      .getByRole('button', { name: /^Edit the budget: 400\.00 USD per month/ })
      .click();
    await budgets.nth(2).locator('input:focus').waitFor();
    assert.equal(await page.getByLabel('How much', { exact: true }).count(), 1, 'the others are read');
    await budgets
      .nth(2)
      .getByRole('button', { name: /^Remove the budget: 400\.00 USD per month/ })
      .click();
    assert.deepEqual(
      (await inDraft())?.map((each) => each.name),
      ['household', HOSTILE, 'week', 'lunch'],
    );
    await page.getByLabel('Amount', { exact: true }).fill('20');
    await page.getByRole('button', { name: 'Try the request' }).click();
    await page.locator('.remaining', { hasText: 'week: 20.00 of 200.00 USD in 7 days' }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText(/, version \d+, is in force\.$/).waitFor();
    const { body } = await world.rest('GET', '/ap2/policies/current');
    assert.deepEqual(
      body.rules.risk.limits.map(({ name }: Loose) => name),
      ['household', HOSTILE, 'week', 'lunch'],
    );
    await page.context().close();
  });
});
