/** One record on a phone, agents with whose money they spend, and the screens of that: in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { CHROMIUM, openChromium, openDevice } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer, type Peer } from '../support/peer.ts';
import { askForApproval } from '../support/person.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const NARROW = { ...PHONE, viewport: { width: 320, height: 640 } };
const HOSTILE = '`; rm -rf ~ # </code>';

describe('records in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  let household: Peer;
  let mandateId: string;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 500, currency: 'USD' } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'records', rules })).status, 201);
    mandateId = mandateIdOf(await purchase(world, 30));
    assert.equal((await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {})).status, 200);
    household = makePeer();
    for (const [did, name] of [
      [household.did, 'Lovelace household'],
      [makePeer().did, HOSTILE],
    ]) {
      const registered = await world.rest('POST', '/ap2/admin/principals', { did, name, agents: [world.agent.did] });
      assert.equal(registered.status, 201, registered.text);
    }
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  test('one record on a phone is its facts, then its story or limits, then what can be done; on a desk that stands beside', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', NARROW);
    const headings = async () => (await page.locator('main :is(h1, h2)').allInnerTexts()).map((text) => text.trim());
    await page.goto(`${world.node.baseUrl}/console/#/payments/${mandateId}`);
    await page.getByText('Checked in this browser').waitFor();
    assert.deepEqual((await headings()).slice(0, 4), [
      'test agent at shop.example',
      'What happened',
      'Actions',
      'Belongs to',
    ]);
    await assertAccessible(page, 'a payment on a phone');
    await page.goto(`${world.node.baseUrl}/console/#/agents/${encodeURIComponent(world.agent.did)}`);
    await page.getByRole('heading', { name: 'Limits over time' }).waitFor();
    const ofAgent = await headings();
    assert.ok(ofAgent.indexOf('Limits over time') < ofAgent.indexOf('Actions'), ofAgent.join(', '));
    await page.context().close();

    const desk = await openConsole(browser, world, 'OWNER', DESKTOP);
    await desk.page.goto(`${world.node.baseUrl}/console/#/payments/${mandateId}`);
    await desk.page.getByRole('heading', { name: 'Actions' }).waitFor();
    // Both at one moment: the screen may load anew meanwhile.
    const isBeside = await desk.page.evaluate(() => {
      const facts = document.querySelector('.split > .card')?.getBoundingClientRect();
      const acts = [...document.querySelectorAll('h2')].find(({ textContent }) => textContent === 'Actions');
      const { x = 0, y = 0 } = acts?.getBoundingClientRect() ?? {};
      return facts !== undefined && x > facts.right && y < facts.bottom;
    });
    assert.ok(isBeside);
    await desk.page.context().close();
  });

  test('a domain breaks after its dots, in the console and on the page of the link, and fits 320 pixels', async () => {
    const { approval } = await askForApproval(world, 150);
    const { page } = await openConsole(browser, world, 'OWNER', NARROW);
    await page.goto(`${world.node.baseUrl}/console/#/approvals/${approval.id}`);
    const { page: link } = await openDevice(browser, NARROW);
    await link.goto(approval.url);
    for (const [shown, place] of [
      [page, 'main strong > bdi'],
      [link, '#merchant'],
    ] as const) {
      await shown.locator(`${place} wbr`).first().waitFor({ state: 'attached' });
      assert.equal(await shown.locator(place).innerHTML(), 'shop.<wbr>example');
      assert.ok(await shown.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    }
    await page.context().close();
  });

  test('the list of agents says for whom each spends and how much, and the example of one spends that money', async () => {
    const { page, complaints } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await page.goto(`${world.node.baseUrl}/console/#/agents`);
    const row = page.getByRole('row', { name: /test agent/ });
    assert.match(await row.innerText(), /Lovelace household.*30\.00 USD/s);
    assert.equal(await page.getByRole('columnheader', { name: 'Owner' }).count(), 0);
    await assertAccessible(page, 'the list of agents');
    await row.click();
    await page.getByText('Connect and keys').click();
    const whose = page.getByLabel('Whose money the example spends');
    await whose.selectOption({ label: 'Lovelace household' });
    const example = page.locator('.copy code, .copy pre').first();
    assert.match(await example.innerText(), new RegExp(`principalDid: '${household.did}'`));
    await whose.selectOption({ label: HOSTILE });
    assert.doesNotMatch(await example.innerText(), /rm -rf/, 'a name is no part of what is pasted');
    const copy = page.getByRole('button', { name: `Copy ${household.did}` });
    assert.equal(await copy.isVisible(), false, 'a DID is a technical detail');
    await page.getByText('Technical details').click();
    await copy.waitFor();
    await assertAccessible(page, 'how an agent is connected');
    assert.deepEqual(
      complaints.filter((text) => !/status of 401/.test(text)),
      [],
    );
    const viewer = await openConsole(browser, world, 'VIEWER', NARROW);
    await viewer.page.goto(`${world.node.baseUrl}/console/#/agents`);
    await viewer.page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    await viewer.page.getByRole('link', { name: /test agent/ }).waitFor();
    assert.equal(
      await viewer.page.getByText('Lovelace household').count(),
      0,
      'a viewer may not know whose money it is',
    );
    await viewer.page.getByText('30.00 USD').waitFor();
    assert.ok(await viewer.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    await viewer.page.context().close();
    await page.context().close();
  });

  test('whose money agents spend is registered by its name first, by the keyboard alone', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await page.getByRole('link', { name: 'Whose money' }).click();
    await page.getByRole('heading', { level: 1, name: 'Whose money' }).waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'DID' }).count(), 0);
    await page.getByRole('link', { name: 'Add a person or company' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Add a person or company' }).waitFor();
    assert.equal(await page.locator('form label').first().innerText(), 'Name');
    await page.getByLabel('Who it is').focus();
    await page.keyboard.type('Another');
    await page.getByText('Technical details').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('Ada');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    await assertAccessible(page, 'one whose money agents spend');
    await page.context().close();
  });
});
