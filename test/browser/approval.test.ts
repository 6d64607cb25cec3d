/** Enrollment and approval in a real browser, up to the agent's payment. Saves screenshots. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { CHROMIUM, openChromium, openDevice } from '../support/chromium.ts';
import { makeCart, makePeer, type Peer } from '../support/peer.ts';
import { askForApproval, makePerson } from '../support/person.ts';
import { everyEngine, type Loose, makeWorld, type World } from '../support/world.ts';

const SCREENSHOTS = 'test/output';
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1280, height: 900 } };

interface Item {
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
}

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env.CI === undefined ? 'there is no Chromium on this machine' : false;

describe('approval in Chromium', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    browser = await openChromium();
    mkdirSync(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const linkFor = async (agentDid: string): Promise<string> =>
    (await world.rest('POST', '/ap2/admin/enrollments', { agentDid })).body.url;

  test('a passkey enrolled by link approves a purchase: the long poll has the proof, and the payment goes through', async () => {
    const { page, complaints, requests, cdp, authenticatorId } = await openDevice(browser, PHONE);
    await page.goto(await linkFor(world.agent.did));
    await page.getByLabel('Name of this device').fill('Ada’s phone');
    await page.screenshot({ path: `${SCREENSHOTS}/enroll-phone-light.png` });
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Ready' }).waitFor();
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    assert.equal(credentials.length, 1);

    const { intentVc, cartVc, approval } = await askForApproval(world);
    const waiting = world.rest('GET', `/ap2/approvals/${approval.id}?wait=30`);
    await page.goto(approval.url);
    await page.getByText('150.00 USD', { exact: true }).first().waitFor();
    assert.equal(await page.locator('#merchant').textContent(), 'shop.example');
    await page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}/approved-phone-light.png` });
    const state = await waiting;
    assert.equal(state.body.status, 'approved');

    const validation = { intentVc, cartVc, hpProof: state.body.hpProof };
    const cart = await world.rest('POST', '/ap2/carts/validate', validation);
    assert.equal(cart.body.allowed, true, cart.text);
    const payment = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken });
    assert.equal(payment.body.railResponse.status, 'requires_capture');

    await page.reload();
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    assert.deepEqual(complaints, []);
    const outside = requests.filter((url) => !url.startsWith(`${world.node.baseUrl}/`));
    assert.deepEqual(outside, [], 'the pages load nothing from other addresses');
  });

  test('denying needs the passkey too, and the page says that nothing is bought', async () => {
    const { page } = await openDevice(browser, DESKTOP);
    await page.goto(await linkFor(world.agent.did));
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Ready' }).waitFor();
    const { approval } = await askForApproval(world);
    await page.goto(approval.url);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Denied' }).waitFor();
    const state = await world.rest('GET', `/ap2/approvals/${approval.id}`);
    assert.equal(state.body.status, 'denied');
  });

  test('a person whom the device does not verify approves nothing, and may try again', async () => {
    const { page, cdp, authenticatorId } = await openDevice(browser, PHONE);
    await page.goto(await linkFor(world.agent.did));
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Ready' }).waitFor();
    const { approval } = await askForApproval(world);
    await page.goto(approval.url);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
    assert.equal((await world.rest('GET', `/ap2/approvals/${approval.id}`)).body.status, 'pending');
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
  });

  test('with the keyboard alone: tab to the button, enter, and the outcome has the focus', async () => {
    const { page } = await openDevice(browser, DESKTOP);
    await page.goto(await linkFor(world.agent.did));
    await page.getByLabel('Name of this device').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ready' }).waitFor();
    const { approval } = await askForApproval(world);
    await page.goto(approval.url);
    await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'deny');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'approve');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'outcome-title');
  });

  test('names from merchants stay text, a look-alike domain is shown encoded, and every screen shows all of it', async () => {
    const domain = 'xn--pple-43d.example';
    const bound = await world.rest('POST', '/ap2/admin/merchants', { domain, did: world.merchant.did });
    assert.equal(bound.status, 201, bound.text);
    const approval = await requestOf(domain, [
      { name: '<img src=x onerror="document.title=1">', price: 120, quantity: 1 },
      { name: 'Long'.repeat(60), price: 10, quantity: 2 },
    ]);
    const shopper = await world.newAgent('Ada’s shopping agent');
    await makePerson(world).enroll(shopper);
    const basket = [
      { name: 'Headphones', price: 119.5, quantity: 1 },
      { name: 'Carrying case', price: 10.25, quantity: 2 },
      { name: 'Shipping', price: 10, quantity: 1 },
    ];
    const household = makePeer();
    const named = { did: household.did, name: 'Lovelace household', agents: [shopper.did] };
    assert.equal((await world.rest('POST', '/ap2/admin/principals', named)).status, 201);
    const card = { principalDid: household.did, paymentMethod: 'pm_card_visa' };
    assert.equal((await world.rest('POST', '/ap2/admin/instruments', card)).status, 201);
    await makePerson(world).enroll({ principalDid: household.did });
    const plain = await requestOf('shop.example', basket, shopper, household);
    const looks: [string, BrowserContextOptions][] = [
      ['phone-light', { ...PHONE, colorScheme: 'light' }],
      ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
      ['desktop-light', { ...DESKTOP, colorScheme: 'light' }],
      ['desktop-dark', { ...DESKTOP, colorScheme: 'dark' }],
    ];
    for (const [name, options] of looks) {
      const { page, complaints } = await openDevice(browser, options);
      await page.goto(approval.url);
      await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
      assert.equal(await page.locator('#merchant').textContent(), domain);
      assert.ok(await page.locator('#encoded').isVisible());
      assert.equal(await page.locator('#items img').count(), 0);
      const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(width <= 0, 'nothing makes the page wider than the screen');
      assert.deepEqual(complaints, []);
      await page.screenshot({ path: `${SCREENSHOTS}/strange-${name}.png` });
      await page.goto(plain.url);
      await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
      await page.screenshot({ path: `${SCREENSHOTS}/approve-${name}.png` });
      await page.context().close();
    }
  });

  test('an unknown link says that it does not work', async () => {
    const { page } = await openDevice(browser, PHONE);
    await page.goto(`${world.node.baseUrl}/enroll/${'A'.repeat(43)}`);
    await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
    await page.goto(`${world.node.baseUrl}/approve/apr_${'0'.repeat(26)}`);
    await page.getByRole('heading', { name: 'Nothing to approve here' }).waitFor();
  });

  async function requestOf(
    domain: string,
    items: Item[],
    agent: Peer = world.agent,
    principal = world.principal,
  ): Promise<Loose> {
    const total = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
    const intent = await world.rest('POST', '/ap2/intents', world.intentBody(total, { domain, agent, principal }));
    assert.equal(intent.body.allowed, true, intent.text);
    const offer = { domain, items: [...items], total, currency: 'USD', shipTo: '12 St James’s Square, London' };
    const cartVc = makeCart(world.merchant, offer);
    const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc: intent.body.intentVc, cartVc });
    assert.deepEqual(cart.body.reasonCodes, ['HP_REQUIRED'], cart.text);
    return cart.body.approval;
  }
});
