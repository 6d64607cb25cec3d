/** An owner governs whose money is spent, from a fresh node to an approved purchase, by the console alone. Saves screenshots. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer, type Peer } from '../support/peer.ts';
import { purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const SCREENSHOTS = 'dist/screenshots';
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

for (const engine of everyEngine()) {
  describe(`principals in the console on ${engine.name}`, { skip }, () => {
    let world: World;
    let browser: Browser;
    before(async () => {
      await mkdir(SCREENSHOTS, { recursive: true });
      world = await makeWorld(engine);
      const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'test', rules })).status, 201);
      browser = await openChromium();
    });
    after(async () => {
      await browser.close();
      await world.close();
    });

    const show = async (page: Page, hash: string) => {
      await page.goto(`${world.node.baseUrl}/console/${hash}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    };
    const shoot = async (page: Page, name: string) => {
      await assertAccessible(page, name);
      await page.screenshot({ path: `${SCREENSHOTS}/principals-${name}.png`, fullPage: true });
    };
    /** A purchase for a principal that only a person is missing for. */
    const askFor = async (agent: Peer, principal: Peer): Promise<Loose> => {
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(160, { agent, principal }));
      assert.equal(intent.body.allowed, true, intent.text);
      const body = { intentVc: intent.body.intentVc, cartVc: world.cart(150) };
      const cart = await world.rest('POST', '/ap2/carts/validate', body);
      assert.deepEqual(cart.body.reasonCodes, ['HP_REQUIRED'], cart.text);
      return cart.body.approval;
    };

    test('an owner registers a principal, delegates to an agent, enrolls the principal’s passkey by link, and approves', async () => {
      const principal = makePeer();
      const agent = await world.newAgent('Shopper');
      const { page, complaints } = await openConsole(browser, world, 'OWNER', DESKTOP);
      await page.getByRole('link', { name: 'Whose money' }).click();
      await page.getByText('No person or company is registered yet').waitFor();
      await shoot(page, 'empty-desktop-light');
      await page.getByRole('link', { name: 'Add a person or company' }).click();
      await page.getByLabel('Who it is').selectOption('Another person or company');
      await page.getByText('Technical details').click();
      await page.getByLabel('DID').fill('did:key:nonsense');
      await page.getByLabel('Name').fill('Lovelace household');
      await page.getByRole('button', { name: 'Register' }).click();
      await page
        .locator('.field', { has: page.getByLabel('DID') })
        .getByRole('alert')
        .waitFor();
      await shoot(page, 'wrong-did-desktop-light');
      await page.getByLabel('DID').fill(principal.did);
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('heading', { level: 1, name: 'Lovelace household' }).waitFor();
      await page.getByText('No passkey yet').waitFor();
      await page.getByLabel('Another agent').selectOption({ label: 'Shopper' });
      await page.getByRole('button', { name: 'Allow this agent' }).click();
      await page.getByRole('link', { name: 'Shopper' }).waitFor();

      const approval = await askFor(agent, principal);
      await show(page, `#/approvals/${approval.id}`);
      await page.getByText('Lovelace household has no passkey yet.').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0);
      await shoot(page, 'approval-desktop-light');
      const sheet = page.getByRole('dialog', { name: 'Enroll a passkey' });
      const link = { url: 'https://pay.example/enroll#enr_x', expiresAt: new Date(Date.now() + 600_000).toISOString() };
      await page.route('**/ap2/admin/enrollments', (route) => route.fulfill({ status: 201, json: link }));
      await page.getByRole('button', { name: 'Enroll a passkey…' }).click();
      await sheet.getByRole('img', { name: 'QR code of the link' }).waitFor();
      await shoot(page, 'enroll-desktop-light');
      await sheet.getByRole('button', { name: 'Done' }).click();
      await page.unroute('**/ap2/admin/enrollments');
      await page.getByRole('button', { name: 'Enroll a passkey…' }).click();
      await sheet.getByText('A phone cannot open this address').waitFor();
      assert.equal(await sheet.getByRole('img').count(), 0);
      const url = await sheet.locator('pre').textContent();
      await sheet.getByRole('button', { name: 'Done' }).click();
      await page.goto(String(url));
      await page.getByText('what agents want to buy with the money of Lovelace household').waitFor();
      await page.getByRole('button', { name: 'Create passkey' }).click();
      await page.getByRole('heading', { name: 'Ready' }).waitFor();
      await show(page, `#/approvals/${approval.id}`);
      await page.getByRole('button', { name: /^Approve with passkey/ }).click();
      await page.getByText('The agent pays by itself.').waitFor();
      assert.equal((await world.rest('GET', `/ap2/approvals/${approval.id}`)).body.status, 'approved');
      assert.deepEqual(
        complaints.filter((text) => !/40[01]/.test(text)),
        [],
      );
      await page.context().close();
    });

    test('a person registers their own money without typing, once, and another’s by a name alone', async () => {
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/principals/new');
      assert.equal(await page.getByLabel('Name').inputValue(), 'An owner');
      assert.equal(await page.getByLabel('DID').count(), 0);
      await shoot(page, 'new-phone-light');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('heading', { level: 1, name: 'An owner' }).waitFor();
      const did = decodeURIComponent(String(page.url().split('/principals/')[1]));
      const { data: users } = (await world.rest('GET', '/ap2/admin/users')).body;
      assert.ok(users.some((user: Loose) => user.did === did && user.name === 'An owner'));
      await show(page, '#/principals/new');
      await page.getByText('Technical details').waitFor();
      assert.equal(await page.getByLabel('Name').inputValue(), '', 'it is another one');
      await page.getByLabel('Name').fill('Byron household');
      await page.route('**/ap2/admin/principals', (route) => route.abort());
      await page.getByRole('button', { name: 'Register' }).click();
      await page.locator('form .trouble').waitFor();
      await page.unroute('**/ap2/admin/principals');
      const [asked] = await Promise.all([
        page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/principals')),
        page.getByRole('button', { name: 'Register' }).click(),
      ]);
      await page.getByRole('heading', { level: 1, name: 'Byron household' }).waitFor();
      assert.match(asked.postDataJSON().did, /^did:key:z6Mk/);
      await page.context().close();
    });

    test('an approval whose principal has not delegated is mended in place', async () => {
      const principal = makePeer();
      const agent = await world.newAgent('Left out');
      const approval = await askFor(agent, principal);
      const named = { did: principal.did, name: 'Careful Ltd' };
      assert.equal((await world.rest('POST', '/ap2/admin/principals', named)).status, 201);
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/approvals');
      const card = page.locator('.card', { hasText: 'Left out wants to buy' });
      await card.getByText('has not allowed this agent to spend its money').waitFor();
      await card.getByRole('button', { name: 'Allow this agent…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Allow this agent', exact: true }).click();
      await card.getByText('has no passkey yet').waitFor();
      await shoot(page, 'approvals-phone-light');
      assert.equal((await world.rest('POST', `/ap2/approvals/${approval.id}/deny`, {})).status, 200);
      await page.context().close();
    });

    test('one principal shows its agents with their limits, what was spent, its passkeys and payment methods', async () => {
      const principal = makePeer();
      const agents = [await world.newAgent('Buys books'), await world.newAgent('Buys tea')];
      const named = { did: principal.did, name: 'Lovelace & Daughters', agents: agents.map(({ did }) => did) };
      assert.equal((await world.rest('POST', '/ap2/admin/principals', named)).status, 201);
      const limit = { maxTransactions: 5, maxAmount: 100, timeWindow: '1d' };
      for (const [index, agent] of agents.entries()) {
        const velocity = await world.rest('PUT', `/ap2/admin/agents/${agent.did}/velocity`, limit);
        assert.equal(velocity.status, 200, velocity.text);
        const paid = await purchase(world, 20 + index, { agent, principal });
        const id = String(paid.pmVc.credentialSubject.mandateId);
        assert.equal((await world.rest('POST', `/ap2/payments/${id}/capture`, {})).status, 200);
      }
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, `#/principals/${encodeURIComponent(principal.did)}`);
      await page.locator('.total', { hasText: '41.00 USD' }).waitFor();
      await page.getByRole('button', { name: 'Add a payment method…' }).click();
      await page.getByLabel('Payment method', { exact: true }).fill('pm_household');
      await page.getByRole('button', { name: 'Add payment method' }).click();
      await page.getByText('pm_household').waitFor();
      await shoot(page, 'one-phone-light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await shoot(page, 'one-phone-dark');
      await page.setViewportSize(DESKTOP.viewport);
      await shoot(page, 'one-desktop-dark');
      await page.emulateMedia({ colorScheme: 'light' });
      await shoot(page, 'one-desktop-light');
      await show(page, '#/principals');
      await shoot(page, 'list-desktop-light');
      await page.setViewportSize(PHONE.viewport);
      await shoot(page, 'list-phone-light');
      await page.context().close();
    });
  });
}
