/** An owner's first hour in the console: where it leads while there is nothing yet, and that it keeps its place. Saves screenshots. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium, openDevice } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

const SCREENSHOTS = 'dist/screenshots';
const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('the first hour in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    await mkdir(SCREENSHOTS, { recursive: true });
    world = await makeWorld(engine);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const shoot = async (page: Page, name: string) => {
    await assertAccessible(page, name);
    await page.screenshot({ path: `${SCREENSHOTS}/first-${name}.png`, fullPage: true });
  };
  const show = async (page: Page, hash: string, title: string) => {
    await page.goto(`${world.node.baseUrl}/console/${hash}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  };

  test('a node without people leads to becoming its owner, and offers no sign-in that cannot work', async () => {
    const { page } = await openDevice(browser, { serviceWorkers: 'block', ...PHONE });
    await page.goto(`${world.node.baseUrl}/console/`);
    await page.getByRole('heading', { level: 1, name: 'Become the owner' }).waitFor();
    await page.getByText('countersign user invite --role OWNER').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
    await shoot(page, 'owner-phone-light');
    const { page: wide } = await openDevice(browser, { serviceWorkers: 'block', ...DESKTOP, colorScheme: 'dark' });
    await wide.goto(`${world.node.baseUrl}/console/`);
    await wide.getByRole('heading', { level: 1, name: 'Become the owner' }).waitFor();
    await shoot(wide, 'owner-desktop-dark');
    await openConsole(browser, world, 'OWNER');
    await page.reload();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await Promise.all([page.context().close(), wide.context().close()]);
  });

  for (const [hash, title] of [
    ['#/', 'Today'],
    ['#/payments', 'Payments'],
    ['#/decisions', 'Decisions'],
    ['#/approvals', 'Approvals'],
  ] as const) {
    test(`${title} without a purchase leads to the playground in the sandbox, and in production does not`, async () => {
      const { page } = await openConsole(browser, world, 'OWNER');
      await show(page, hash, title);
      await page.locator('.empty').first().waitFor();
      await page.getByRole('link', { name: 'Open the playground' }).waitFor();
      assert.equal(await page.getByText('countersign demo').count(), 0, 'which plays on a node of its own');
      await shoot(page, `empty-${title.toLowerCase()}`);
      // The same page, as a node in production gives it.
      await page.route(/\/console\/$/, async (route) => {
        const answer = await route.fetch();
        const body = (await answer.text()).replace('data-environment="sandbox"', 'data-environment="production"');
        await route.fulfill({ response: answer, body });
      });
      await page.reload();
      await page.locator('.empty').first().waitFor();
      assert.equal(await page.getByRole('link', { name: 'Open the playground' }).count(), 0);
      await page.context().close();
    });
  }

  test('the places of an extension that the node runs without are not there', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    await page.route(/\/console\/$/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/data-extensions="[^"]*"/, 'data-extensions="stripe"');
      await route.fulfill({ response: answer, body });
    });
    await page.reload();
    await show(page, '#/build', 'Build');
    await page.getByText('A2A gateway').waitFor();
    for (const gone of ['Playground', 'MCP'])
      assert.equal(await page.getByText(gone, { exact: true }).count(), 0, gone);
    await page.context().close();
  });

  test('a notice goes with its page', async () => {
    const agent = await world.newAgent('Frozen for a moment');
    const { page } = await openConsole(browser, world, 'OWNER');
    await show(page, `#/agents/${encodeURIComponent(agent.did)}`, 'Frozen for a moment');
    await page.getByRole('button', { name: 'Freeze' }).click();
    const notice = page.getByText('Frozen. The agent buys nothing from now on.');
    await notice.waitFor();
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await notice.waitFor({ state: 'detached', timeout: 2000 });
    await page.context().close();
  });

  test('"back" leads to the place in a list that it was left at, with the pages that were shown', async () => {
    for (let index = 0; index < 60; index++) await world.newAgent(`Agent ${String(index).padStart(2, '0')}`);
    for (let index = 0; index < 45; index++) {
      const body = { name: `key ${String(index).padStart(2, '0')}`, permissions: ['read'] };
      assert.equal((await world.rest('POST', '/ap2/admin/api-keys', body)).status, 201);
    }
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    for (const [hash, title, row] of [
      ['#/agents', 'Agents', 'Agent 04'],
      ['#/build/keys', 'Build', 'key 03'],
    ] as const) {
      await show(page, hash, title);
      for (const _ of [1, 2]) {
        await page.getByRole('button', { name: 'Show more' }).click();
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      }
      const wanted = page.getByText(row, { exact: true });
      await wanted.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => scrollY);
      assert.ok(before > 500, `${before}`);
      if (title === 'Agents') {
        await wanted.click();
        await page.getByRole('heading', { level: 1, name: row }).waitFor();
        assert.equal(await page.evaluate(() => scrollY), 0);
        await page.locator('.back').click();
      } else {
        await page.evaluate(() => {
          location.hash = '#/settings';
        });
        await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
        await page.goBack();
      }
      await wanted.waitFor();
      await page.waitForFunction((top) => Math.abs(scrollY - top) < 3, before);
    }
    await page.context().close();
  });

  test('a payment names its agent and links to it', async () => {
    const agent = await world.newAgent('Buys once');
    const paid = await purchase(world, 12.5, { agent });
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    await show(page, `#/payments/${paid.pmVc.credentialSubject.mandateId}`, 'Buys once at shop.example');
    await page.locator('main').getByRole('link', { name: 'Buys once' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Buys once' }).waitFor();
    await page.context().close();
  });

  test('first steps stay after a purchase until they are dismissed, and tick nothing that the owner did not do', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    await show(page, '#/', 'Today');
    const steps = page.locator('.steps li');
    await steps.first().waitFor();
    const told = await steps.evaluateAll((all) => all.map((each) => each.textContent));
    const of = (name: string) => told.find((text) => text?.includes(name));
    assert.match(String(of('See a first purchase')), /Done:/);
    assert.match(String(of('Add an agent')), /Done:/);
    assert.match(String(of('Write the policy')), /To do:/, 'the first start wrote the one that holds');
    await shoot(page, 'steps-left');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Newest' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'First steps' }).count(), 0);
    await page.context().close();
  });

  test('a refusal by an agent’s own limit leads to the agent, whose limit it is', async () => {
    const agent = await world.newAgent('Limited by itself');
    await world.client.setAgentVelocity({ did: agent.did, maxTransactions: 0, timeWindow: '24h' });
    await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent }));
    const { page } = await openConsole(browser, world, 'OWNER');
    const { data } = await world.client.listDecisions({ agentDid: agent.did });
    await page.goto(`${world.node.baseUrl}/console/#/decisions/${data[0]?.transactionId}`);
    await page.getByRole('link', { name: /Change this rule/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Limited by itself' }).waitFor();
    await page.context().close();
  });
});
