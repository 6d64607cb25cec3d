/** What a person reads in the console is words: no code outside of what is shown as code, and moments of one form. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { openConsole } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const [engine] = everyEngine();

describe('words in the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
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
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  };

  test('no screen shows a code, a role or a permission by its name in programs, nor a time of twelve hours', async () => {
    const agent = await world.newAgent('Shopper');
    const principal = makePeer();
    const named = { did: principal.did, name: 'Lovelace household', agents: [agent.did] };
    assert.equal((await world.rest('POST', '/ap2/admin/principals', named)).status, 201);
    const ask = (amount: number) => world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent, principal }));
    const { intentVc } = (await ask(160)).body;
    const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(150) });
    assert.deepEqual((await ask(900)).body.reasonCodes, ['AMOUNT_OVER_CAP']);
    const paid = await purchase(world, 20, { agent, principal });
    const { mandateId } = paid.pmVc.credentialSubject;
    const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const bound = { name: 'Bound', permissions: ['read', 'write'], agents: [agent.did] };
    assert.equal((await world.rest('POST', '/ap2/admin/api-keys', bound)).status, 201);
    assert.equal((await world.rest('POST', '/ap2/admin/invitations', { role: 'MEMBER' })).status, 201);
    const { page } = await openConsole(browser, world, 'OWNER');
    const agentPath = encodeURIComponent(agent.did);
    const places = [
      ...['today', 'approvals', 'payments', 'decisions?outcome=refused', 'agents', 'principals', 'policy', 'evidence'],
      ...['build', 'build/keys', 'build/webhooks', 'build/events', 'policy/draft', 'settings', 'settings/people'],
      ...['settings/health', 'settings/node', 'settings/merchants', 'settings/instruments', 'principals/new'],
      ...[`approvals/${cart.body.approval.id}`, `payments/${mandateId}`, `decisions/${transactionId}`],
      ...[`agents/${agentPath}`, `principals/${encodeURIComponent(principal.did)}`],
    ];
    const found: string[] = [];
    for (const place of places) {
      await show(page, `#/${place}`);
      const text = await page.evaluate(() => {
        const copy = document.body.cloneNode(true) as HTMLElement;
        // What is shown as code is for programs; what a person typed is theirs.
        for (const code of copy.querySelectorAll('code, pre, textarea, script, style, .sandbox')) code.remove();
        const texts: string[] = [];
        const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
        while (walker.nextNode() !== null) texts.push(walker.currentNode.nodeValue ?? '');
        return texts.join('\n');
      });
      const codes = text.match(
        /\b[A-Z]+_[A-Z_]+\b|\b(OWNER|ADMIN|MEMBER|VIEWER|ACTIVE)\b|^read, write|\d [AP]M\b|\d{4}-\d\d-\d\dT.*/gm,
      );
      for (const code of codes ?? []) found.push(`${place}: ${code}`);
    }
    assert.deepEqual(found, []);
    await page.context().close();
  });

  test('what the node finds wrong with a merchant’s category stands at its field, which is unfolded', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    await show(page, '#/settings/merchants');
    await page.getByRole('button', { name: 'Bind a merchant' }).click();
    await page.getByLabel('Domain').fill('shop.example');
    await page.getByLabel('DID', { exact: true }).fill('did:key:nonsense');
    await page.getByText('Rail account, category and country').click();
    await page.getByLabel('Category', { exact: true }).selectOption('Another, by its code');
    await page.getByLabel('Code of the category').fill('12');
    await page.getByLabel('Country').fill('G');
    await page.getByText('Rail account, category and country').click();
    await page.getByRole('button', { name: 'Bind merchant' }).click();
    for (const label of ['DID', 'Code of the category', 'Country']) {
      const field = page.locator('.field', { has: page.getByLabel(label, { exact: true }) });
      await field.locator('.wrong').waitFor();
    }
    assert.equal(await page.locator('form .trouble').count(), 0);
    await page.context().close();
  });
});
