/** Enrollment and approval in a real browser, up to the agent's payment. Saves screenshots. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { CHROMIUM, openChromium, openDevice } from '../support/chromium.ts';
import { everyEngine } from '../support/engines.ts';
import { makeCart, makePeer, type Peer } from '../support/peer.ts';
import { askForApproval, leap, makePerson } from '../support/person.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const SCREENSHOTS = 'test/output';
const PHONE = { viewport: { width: 375, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const LOOKS: [string, BrowserContextOptions][] = [
  ['phone-light', { ...PHONE, colorScheme: 'light' }],
  ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
  ['desktop-light', { ...DESKTOP, colorScheme: 'light' }],
  ['desktop-dark', { ...DESKTOP, colorScheme: 'dark' }],
];

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
    await policy({});
    browser = await openChromium();
    mkdirSync(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  /** The sandbox's limits, without one on how often. */
  async function policy(context: Loose) {
    const spend = { amount_cap: 100, presence_cap: 200, currency: 'USD' };
    const rules = { version: '2.0', spend, context };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'test', rules })).status, 201);
  }

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
    assert.match(
      (await page.locator('#outcome-text').textContent()) ?? '',
      /^You approved 150\.00 USD to shop\.example, \d\d:\d\d\. test agent pays by itself\. You can close this page\.$/,
    );
    const receipt = await page.locator('main').innerText();
    assert.doesNotMatch(receipt, /wants to buy|did:key|Left after it/);
    const empty = await page
      .locator('.facts > div:visible')
      .evaluateAll((facts) =>
        facts.filter((fact) => fact.lastElementChild?.textContent?.trim() === '').map((fact) => fact.textContent),
      );
    assert.deepEqual(empty, [], 'no line is without its fact');
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

  test('one of two people sees that their approval is recorded, and that another person is still to come', async () => {
    const { page, complaints } = await openDevice(browser, PHONE);
    const agent = await world.newAgent();
    await page.goto(await linkFor(agent.did));
    await page.getByLabel('Name of this device').fill('phone');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Ready' }).waitFor();
    await policy({ approval: { people: 2 } });
    try {
      const { approval } = await askForApproval(world, 150, agent);
      await page.goto(approval.url);
      await page.getByText('0 of 2 people have approved').waitFor();
      await page.getByRole('button', { name: 'Approve with passkey' }).click();
      await page.getByText('Your approval is recorded, 1 of 2. Another person is still to approve').waitFor();
      assert.match(String(await page.locator('#people').textContent()), /^1 of 2 people have approved: /);
      await page.screenshot({ path: `${SCREENSHOTS}/approve-one-of-two.png` });
      assert.equal(await page.getByRole('button', { name: 'Approve with passkey' }).isVisible(), false);
      await page.reload();
      await page.getByRole('button', { name: 'Approve with passkey' }).click();
      await page.getByText('has approved this purchase already, and counts once').waitFor();
      assert.deepEqual(
        complaints.filter((each) => !each.includes('409')),
        [],
      );
    } finally {
      await policy({});
    }
  });

  test('a cart mandate of AP2 is shown with the shop’s own name, and with what the agent says it was to buy', async () => {
    const { page, complaints } = await openDevice(browser, PHONE);
    const shopping = { description: 'Red basketball shoes', skus: ['red-42'], refundable: true, confirmCart: true };
    const request = { maxAmount: 50, currency: 'USD', vendorHints: { merchants: [SHOP, 'Hat Shop'] }, shopping };
    const { intentVc } = (await world.rest('POST', '/ap2/intents', { ...world.intentBody(50), request })).body;
    const { mandateId: intentId } = intentVc.credentialSubject;
    const items = [{ name: 'Shoes', price: 40, quantity: 1 }];
    const offer = { domain: SHOP, amount: 40, currency: 'USD', items };
    const { cartMandate } = (await world.rest('POST', '/ap2/demo/cart/ap2', offer)).body;
    const { approval } = (await world.rest('POST', '/ap2/carts/validate/ap2', { intentId, cartMandate })).body;
    await page.goto(approval.url);
    await page.getByText('The shop calls itself Demo shop at shop.example').waitFor();
    await page.getByRole('heading', { name: 'The agent says' }).waitFor();
    for (const text of ['Red basketball shoes', 'shop.example, Hat Shop', 'red-42', 'It must be possible', '30']) {
      await page.getByText(text, { exact: true }).first().waitFor();
    }
    await page.getByText('The agent asked for a person to confirm the cart.').waitFor();
    assert.equal(await page.getByText('null').count(), 0);
    await page.screenshot({ path: `${SCREENSHOTS}/approval-ap2-phone-light.png`, fullPage: true });
    assert.deepEqual(complaints, []);
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
    assert.match(
      (await page.locator('#outcome-text').textContent()) ?? '',
      /^You denied 150\.00 USD to shop\.example, /,
    );
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
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Technical details');
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
    for (const [name, options] of LOOKS) {
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

  test('an unknown link says that it does not work, and what to do', async () => {
    for (const [name, options] of LOOKS) {
      const { page } = await openDevice(browser, options);
      await page.goto(`${world.node.baseUrl}/enroll/${'A'.repeat(43)}`);
      await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
      await page.screenshot({ path: `${SCREENSHOTS}/gone-enroll-${name}.png` });
      await page.goto(`${world.node.baseUrl}/approve/apr_${'0'.repeat(26)}`);
      await page.getByRole('heading', { name: 'Nothing to approve here' }).waitFor();
      await page.getByText('ask the agent for its link').waitFor();
      await page.screenshot({ path: `${SCREENSHOTS}/gone-approve-${name}.png` });
      await page.context().close();
    }
  });

  test('an open page follows what is decided elsewhere, and says how', async () => {
    const { page, complaints } = await openDevice(browser, PHONE);
    await page.goto(await linkFor(world.agent.did));
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Ready' }).waitFor();
    const outcome = page.locator('#outcome-text');

    const one = await askForApproval(world);
    await page.goto(one.approval.url);
    await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(one.approval.url);
    await world.rest('POST', `/ap2/approvals/${one.approval.id}/deny`, {});
    for (const open of [page, tab]) {
      await open.getByRole('heading', { name: 'Denied' }).waitFor({ timeout: 10_000 });
      assert.equal(await open.getByRole('button', { name: 'Approve with passkey' }).count(), 0);
    }
    assert.match((await outcome.textContent()) ?? '', /denied by the operator of this node at /);
    await page.screenshot({ path: `${SCREENSHOTS}/denied-elsewhere-phone-light.png` });

    const person = makePerson(world);
    await person.enroll();
    const two = await askForApproval(world);
    await page.goto(two.approval.url);
    await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
    await person.decide(two.approval.id);
    await page.getByRole('heading', { name: 'Approved' }).waitFor({ timeout: 10_000 });
    assert.match((await outcome.textContent()) ?? '', /approved by the passkey holder of test agent at /);

    const three = await askForApproval(world);
    await page.goto(three.approval.url);
    await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
    const back = leap(world, 901);
    try {
      await page.getByRole('heading', { name: 'Too late' }).waitFor({ timeout: 10_000 });
    } finally {
      back();
    }
    assert.deepEqual(complaints, []);
  });

  test('a node that goes away and comes back is told of, and so is a request that is gone', async () => {
    const { page } = await openDevice(browser, PHONE);
    const { approval } = await askForApproval(world);
    const lost = page.getByText('The node cannot be reached at the moment');
    await page.route('**/purchase?wait=*', (route) => route.abort());
    await page.goto(approval.url);
    await lost.waitFor();
    await page.unroute('**/purchase?wait=*');
    await lost.waitFor({ state: 'hidden' });
    await page.route('**/purchase?wait=*', (route) => route.fulfill({ status: 404, json: { error: { message: '' } } }));
    await page.goto(approval.url);
    await page.getByRole('heading', { name: 'Nothing to approve here' }).waitFor();
  });

  test('an agent that was suspended meanwhile cannot be approved, and the page says so; it can be denied', async () => {
    const agent = await world.newAgent('Soon suspended');
    const { page } = await openDevice(browser, PHONE);
    await page.goto(await linkFor(agent.did));
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Ready' }).waitFor();
    const { approval } = await askForApproval(world, 150, agent);
    await page.goto(approval.url);
    await page.getByRole('button', { name: 'Approve with passkey' }).waitFor();
    await world.rest('POST', `/ap2/admin/agents/${agent.did}/suspend`, {});
    await page.getByText('The agent may not buy any more').waitFor({ timeout: 10_000 });
    assert.equal(await page.getByRole('button', { name: 'Approve with passkey' }).count(), 0);
    await page.screenshot({ path: `${SCREENSHOTS}/blocked-phone-light.png` });
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Denied' }).waitFor();
  });

  test('a decision made elsewhere ends the question that the browser has open', async () => {
    const { page, cdp, authenticatorId } = await openDevice(browser, PHONE);
    await page.goto(await linkFor(world.agent.did));
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Ready' }).waitFor();
    const { approval } = await askForApproval(world);
    await page.goto(approval.url);
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByText('Confirm with your passkey.').waitFor({ state: 'attached' });
    await world.rest('POST', `/ap2/approvals/${approval.id}/deny`, {});
    await page.getByRole('heading', { name: 'Denied' }).waitFor({ timeout: 10_000 });
    assert.equal(await page.locator('#trouble').textContent(), '');
  });

  test('a device without the passkey is told so, and what to do', async () => {
    const enrolled = await openDevice(browser, PHONE);
    await enrolled.page.goto(await linkFor(world.agent.did));
    await enrolled.page.getByRole('button', { name: 'Create passkey' }).click();
    await enrolled.page.getByRole('heading', { name: 'Ready' }).waitFor();
    const { page } = await openDevice(browser, PHONE);
    const { approval } = await askForApproval(world);
    await page.goto(approval.url);
    await page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'open this link on the device where you made yours' }).waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}/no-passkey-here-phone-light.png` });
    await enrolled.page.goto(approval.url);
    await enrolled.page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByRole('heading', { name: 'Approved' }).waitFor({ timeout: 10_000 });
  });

  test('without any passkey the page says how to enroll one, and goes on once there is one', async () => {
    const lonely = await world.newAgent('$(touch /tmp/owned)');
    const { approval } = await askForApproval(world, 150, lonely);
    for (const [name, options] of LOOKS) {
      const { page } = await openDevice(browser, options);
      await page.goto(approval.url);
      await page.getByRole('heading', { name: 'No passkey is enrolled for this yet' }).waitFor();
      assert.equal(await page.locator('#command').textContent(), `countersign agent enroll-link ${lonely.did}`);
      assert.equal(await page.getByRole('button', { name: 'Deny' }).count(), 0, 'a no takes a passkey too');
      await page.screenshot({ path: `${SCREENSHOTS}/no-passkey-${name}.png` });
      await page.getByRole('link', { name: 'what to do' }).click();
      await page.screenshot({ path: `${SCREENSHOTS}/enroll-how-${name}.png` });
      await page.context().close();
    }
    const { page } = await openDevice(browser, PHONE);
    await page.goto(approval.url);
    await page.getByRole('heading', { name: 'No passkey is enrolled for this yet' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(await linkFor(lonely.did));
    await makePerson(world).enroll(lonely);
    await page.getByRole('heading', { name: 'No passkey is enrolled for this yet' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Approve with passkey', disabled: false }).waitFor();
  });

  test('where the policy lets the link deny, a person without a passkey does, after being asked once more', async () => {
    await policy({ deny_by_link: true });
    try {
      const lonely = await world.newAgent('lonely');
      const { approval } = await askForApproval(world, 150, lonely);
      const { page, complaints } = await openDevice(browser, PHONE);
      await page.goto(approval.url);
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByRole('heading', { name: 'Deny this purchase?' }).waitFor();
      await page.screenshot({ path: `${SCREENSHOTS}/sure-phone-light.png` });
      await page.getByRole('button', { name: 'Back' }).click();
      assert.equal((await world.rest('GET', `/ap2/approvals/${approval.id}`)).body.status, 'pending');
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
      await page.getByRole('heading', { name: 'Denied' }).waitFor();
      assert.equal((await world.rest('GET', `/ap2/approvals/${approval.id}`)).body.status, 'denied');
      assert.deepEqual(complaints, []);
    } finally {
      await policy({});
    }
  });

  test('a link opened at 127.0.0.1 leads to localhost with all it carries, for approvals and enrollments', async () => {
    const { page } = await openDevice(browser, DESKTOP);
    const { approval } = await askForApproval(world);
    const links = [`${approval.url}?from=mail#now`, await linkFor(world.agent.did), approval.url.replace(/.$/, 'u')];
    for (const link of links) {
      await page.goto(link.replace('localhost', '127.0.0.1'));
      await page.waitForURL(link);
    }
  });

  test('under another name than its own a page decides nothing, and links to where it does', async () => {
    const { page } = await openDevice(browser, PHONE);
    await makePerson(world).enroll();
    const { approval } = await askForApproval(world);
    for (const [link, button] of [
      [approval.url, 'Approve with passkey'],
      [await linkFor(world.agent.did), 'Create passkey'],
    ]) {
      await page.goto(link.replace('localhost', 'other.localhost'));
      await page.getByText('Passkeys work under the name').waitFor();
      assert.ok(await page.getByRole('button', { name: button }).isDisabled());
      await page.screenshot({ path: `${SCREENSHOTS}/elsewhere-${button.slice(0, 6)}-phone-light.png` });
      await page.getByRole('link', { name: `at ${new URL(approval.url).host}` }).click();
      await page.waitForURL(link);
      await page.getByRole('button', { name: button, disabled: false }).waitFor();
    }
  });

  test('long names are shortened, and shown in full when asked for; a domain is never shortened', async () => {
    const domain = `${'paypal.com.'.repeat(9)}evil.example`;
    const bound = await world.rest('POST', '/ap2/admin/merchants', { domain, did: world.merchant.did });
    assert.equal(bound.status, 201, bound.text);
    const agent = await world.newAgent('A shopping agent with a name that does not end '.repeat(4).slice(0, 100));
    const approval = await requestOf(domain, [{ name: 'Long '.repeat(80), price: 150, quantity: 1 }], agent);
    const { page, complaints } = await openDevice(browser, PHONE);
    await page.goto(approval.url);
    const item = page.locator('#items bdi');
    await item.waitFor();
    const heightOf = async () => (await item.boundingBox())?.height ?? 0;
    const short = await heightOf();
    await page.screenshot({ path: `${SCREENSHOTS}/long-phone-light.png`, fullPage: true });
    await page.locator('#items').getByRole('button', { name: 'Show all of it' }).click();
    assert.ok((await heightOf()) > 2 * short, 'all of it is shown');
    assert.equal(await page.locator('#merchant').textContent(), domain);
    assert.equal(await page.locator('.merchant').getByRole('button').count(), 0);
    assert.equal(await page.locator('#sum').textContent(), '150.00 USD');
    assert.deepEqual(complaints, []);
  });

  test('the header names the node, and says that it is the sandbox', async () => {
    const { page } = await openDevice(browser, PHONE);
    const { approval } = await askForApproval(world);
    for (const link of [approval.url, await linkFor(world.agent.did), approval.url.replace(/.$/, 'u')]) {
      await page.goto(link);
      assert.equal(await page.locator('.node').textContent(), new URL(world.node.baseUrl).host);
      assert.equal(await page.locator('.sandbox').textContent(), 'Sandbox: no money moves');
    }
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
