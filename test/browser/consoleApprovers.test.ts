/** Purchases that the person who looks cannot approve: the console names those who can, reminds them, and counts what is for this person. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { askForApproval, makePerson } from '../support/person.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const SCREENSHOTS = 'dist/screenshots';
const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('who can approve, in the console', { skip }, () => {
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

  test('Approve is shown to whom it can work; for the others it says who can, and reminds them once', async () => {
    const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } };
    await world.rest('POST', '/ap2/admin/policies', { name: 'touch', rules });
    const { did } = makePeer();
    const principal = { did, name: 'Chiara Moretti', agents: [world.agent.did] };
    assert.equal((await world.rest('POST', '/ap2/admin/principals', principal)).status, 201);
    await makePerson(world).enroll({ principalDid: did });
    const { page } = await openConsole(browser, world, 'OWNER');
    const body = { ...world.intentBody(60), principalDid: did };
    const { intentVc } = (await world.rest('POST', '/ap2/intents', body)).body;
    const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(50) });
    const { id } = cart.body.approval;
    const owner = (await world.rest('GET', '/ap2/admin/users')).body.data.at(-1).id;
    const own = await world.newAgent('Own agent');
    await world.rest('PUT', `/ap2/agents/${own.did}`, { ownerUserId: owner });
    const mine: Loose = await askForApproval(world, 40, own);

    await page.goto(`${world.node.baseUrl}/console/#/approvals`);
    await page.getByText('Only Chiara Moretti can approve this.').waitFor();
    const approve = page.getByRole('button', { name: /^Approve with passkey/ });
    await approve.waitFor();
    assert.equal(await approve.count(), 1, 'one of the two is for the person who looks');
    assert.match(String(await approve.getAttribute('aria-label')), /Own agent/);
    await assertAccessible(page, 'approvals of others');
    await page.screenshot({ path: `${SCREENSHOTS}/approvers-list.png`, fullPage: true });
    const badge = page
      .getByRole('navigation', { name: 'Screens', exact: true })
      .getByRole('link', { name: /Approvals/ });
    await badge.filter({ hasText: '1' }).waitFor();
    await page.getByText('1 waits for you, 1 for others.').waitFor();

    await page.goto(`${world.node.baseUrl}/console/#/approvals/${id}`);
    await page.getByText('Only Chiara Moretti can approve this.').waitFor();
    assert.equal(await approve.count(), 0);
    await page.screenshot({ path: `${SCREENSHOTS}/approvers-one.png`, fullPage: true });
    await page.getByRole('button', { name: /^Remind/ }).click();
    await page.getByText('They were told once more.').waitFor();
    await page.getByRole('button', { name: /^Remind/ }).waitFor({ state: 'detached' });
    const reminded = await world.rest('POST', `/ap2/approvals/${id}/remind`, {});
    assert.equal(reminded.status, 409, reminded.text);
    await page.getByRole('button', { name: /^Deny/ }).click();
    await page.getByText('Denied. Nothing is bought.').waitFor();
    assert.equal((await world.rest('GET', `/ap2/approvals/${mine.approval.id}`)).body.status, 'pending');
  });
});
