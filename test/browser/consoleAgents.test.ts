/** The screens of agents in Chromium: what limits leave, another limit, other words, and the end of an agent. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { leap } from '../support/person.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('agents in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    const velocity_limit = { max_transactions: 4, max_amount: 100, time_window: '24h' };
    const rules = { version: '2.0', spend: { amount_cap: 60, currency: 'USD' }, risk: { velocity_limit } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'test', rules })).status, 201);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const ask = (agent: Peer, amount: number) => world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent }));
  const show = async (page: Page, agent: Peer) => {
    await page.goto(`${world.node.baseUrl}/console/#/agents/${encodeURIComponent(agent.did)}`);
    await page.getByRole('button', { name: 'Freeze' }).waitFor();
  };
  const velocityOf = async (agent: Peer): Promise<Loose> =>
    (await world.rest('GET', `/ap2/agents/${encodeURIComponent(agent.did)}`)).body.velocity;

  test('the list says what is used of each agent’s limits, and when it was last seen', async () => {
    const agent = await world.newAgent('Nearly there');
    for (const amount of [40, 45]) await ask(agent, amount);
    const { page } = await openConsole(browser, world, 'VIEWER', PHONE);
    await page.goto(`${world.node.baseUrl}/console/#/agents`);
    const row = page.getByRole('link', { name: 'Nearly there' });
    await row.getByText('85.00 of 100.00 USD in 1 day').waitFor();
    assert.match(await row.innerText(), /seen just now[\s\S]*nearly used up/);
    await page.getByRole('link', { name: 'test agent' }).getByText('never seen').waitFor();
    await assertAccessible(page, 'the list of agents');
    await page.context().close();
  });

  test('another limit says what it would have done; a wider one takes a touch, and a tighter one holds at once', async () => {
    const agent = await world.newAgent('Is limited');
    for (const amount of [50, 30, 40, 90]) await ask(agent, amount);
    const { page, cdp, authenticatorId } = await openConsole(browser, world, 'OWNER', PHONE);
    await show(page, agent);
    await page.getByText('2 of 4 purchases').waitFor();
    await page.getByRole('button', { name: 'Set a limit of its own…' }).click();
    await page.getByText('2 would have passed, 1 refused.').waitFor();
    await page.getByText('1 more was refused by other rules').waitFor();
    const amount = page.getByLabel('Amount at most, in USD', { exact: true });
    await amount.fill('12O');
    await page.getByText('Enter a number').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Save the limit' }).isDisabled());
    await amount.fill('120');
    await page.getByText('All 3 would have passed.').waitFor();
    await page.getByRole('slider', { name: 'Purchases at most' }).press('Home');
    await page.getByText('0 would have passed, 3 refused.').waitFor();
    await page.getByRole('slider', { name: 'Purchases at most' }).press('End');
    await assertAccessible(page, 'setting a limit');
    const back = leap(world, 301);
    try {
      await page.getByRole('button', { name: 'Save the limit' }).click();
      await page.getByText('Saved. The limit applies from now on.').waitFor();
      assert.equal((await velocityOf(agent)).maxAmount, 120);
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
      const later = leap(world, 301);
      try {
        await page.getByRole('button', { name: 'Change its limit…' }).click();
        await page.getByLabel('Amount at most, in USD', { exact: true }).fill('110');
        await page.getByRole('button', { name: 'Save the limit' }).click();
        await page.locator('.limit', { hasText: 'of 110.00 USD' }).waitFor();
        assert.equal((await velocityOf(agent)).maxAmount, 110);
        assert.equal(await page.getByRole('dialog').count(), 0);
      } finally {
        later();
      }
    } finally {
      back();
    }
    await page.context().close();
  });

  test('an agent is renamed and given an owner, and a save that fails keeps what was typed', async () => {
    const agent = await world.newAgent('Before');
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    await show(page, agent);
    await page.getByRole('button', { name: 'Edit…' }).click();
    const sheet = page.getByRole('dialog', { name: 'Edit the agent' });
    await sheet.getByLabel('Name').fill('After');
    await sheet.getByLabel('What it is for').fill('Buys paper.');
    await sheet.getByLabel('Owner').selectOption({ label: 'An owner' });
    await assertAccessible(page, 'editing an agent');
    const error = { code: 'INTERNAL', message: 'Something is wrong.', requestId: 'req_1' };
    const refuse = (route: Loose) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 500, json: { error } }) : route.fallback();
    await page.route('**/ap2/agents/*', refuse);
    await sheet.getByRole('button', { name: 'Save' }).click();
    await sheet.getByRole('alert').waitFor();
    assert.equal(await sheet.getByLabel('What it is for').inputValue(), 'Buys paper.');
    await page.unroute('**/ap2/agents/*', refuse);
    await sheet.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'After' }).waitFor();
    const { body } = await world.rest('GET', `/ap2/agents/${encodeURIComponent(agent.did)}`);
    assert.deepEqual([body.displayName, body.description], ['After', 'Buys paper.']);
    assert.ok(body.ownerUserId);
    await page.context().close();
  });

  test('revoking says before what it voids, and takes a reason', async () => {
    const agent = await world.newAgent('Goes');
    for (const amount of [10, 20]) await ask(agent, amount);
    const { page } = await openConsole(browser, world, 'ADMIN');
    await show(page, agent);
    await page.getByRole('button', { name: 'Revoke…' }).click();
    const sheet = page.getByRole('dialog', { name: 'Revoke Goes?' });
    await sheet.getByText('2 intents that the agent has not used are void').waitFor();
    await assertAccessible(page, 'revoking an agent');
    const revoke = sheet.getByRole('button', { name: 'Revoke permanently' });
    assert.equal(await revoke.isDisabled(), true);
    await sheet.getByLabel('Why').fill('Sold');
    await revoke.click();
    await page.getByText('Revoked.').waitFor();
    await page.getByRole('button', { name: 'Edit…' }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('what an agent asked for stands on its screen with why it was refused, and the keys that are bound to it', async () => {
    const agent = await world.newAgent('Asks');
    await ask(agent, 75);
    const made = { name: 'Its key', permissions: ['read'], agents: [agent.did] };
    assert.equal((await world.rest('POST', '/ap2/admin/api-keys', made)).status, 201);
    const { page } = await openConsole(browser, world, 'OWNER');
    await show(page, agent);
    await page.getByText('75.00 USD is 15.00 over the cap of 60.00.').waitFor();
    await page.getByRole('button', { name: 'Connect and keys' }).click();
    await page.getByRole('button', { name: 'Revoke the key Its key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API key is bound to this agent').waitFor();
    await page.context().close();
  });
});
