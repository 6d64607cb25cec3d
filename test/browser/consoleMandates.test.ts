/** Mandates in Chromium: who signs them is trusted, one is read in words before it is kept, shown where it counts, and revoked. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, takePictures } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { budget, MandateParties, PAYEE } from '../support/mandates.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const NARROW = { viewport: { width: 320, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const WEEK_S = 7 * 24 * 3600;
const LIMITS = [
  { type: 'payment.amount_range', currency: 'USD', max: 5000 },
  { type: 'payment.allowed_payees', allowed: [PAYEE] },
];
/** What these come to, by the least of each. */
const IN_WORDS =
  /Up to 50\.00 USD each, 100\.00 USD in all, at shop\.example, once a week, 4 times at most, until \d+ \w+/;

describe('mandates', { skip }, () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  const parties = new MandateParties(Date.now);
  const token = () => parties.open([...budget(100, 'USD', 'WEEKLY', { max_occurrences: 4 }), ...LIMITS], WEEK_S);

  before(async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    world = await makeWorld(engine);
    browser = await openChromium();
    ({ page } = await openConsole(browser, world, 'OWNER'));
  });
  after(async () => {
    await browser?.close();
    await world.close();
  });

  const open = (place: string, on: Page = page) => on.goto(`${world.node.baseUrl}/console/${place}`);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const fillIn = async (text: string) => {
    await button('Add a mandate').click();
    await page.getByLabel('Agent', { exact: true }).selectOption(world.agent.did);
    await page.getByLabel('Mandate', { exact: true }).fill(text);
  };

  test('one of a signer that is not trusted is refused before it is kept, in words, and what was typed stays', async () => {
    await open('#/settings/mandates');
    await page.getByText('No signer is trusted yet').waitFor();
    await assertAccessible(page, 'no mandates');
    await takePictures(page, 'mandates-none');
    const text = token();
    await fillIn(text);
    await button('Read it').click();
    await takePictures(page, 'mandates-refused');
    await page.getByText('No trusted key is known for its signer.').waitFor();
    assert.equal(await page.getByLabel('Mandate', { exact: true }).inputValue(), text);
    await button('Cancel').click();
  });

  test('a signer is trusted by the keyboard alone, and the form says what its signature counts for', async () => {
    await button('Trust a signer…').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('Shopping agent');
    await page.keyboard.press('Tab');
    await page.getByText('it vouches for its users').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('-----BEGIN CERTIFICATE-----');
    await page.getByText('It stands for no person').waitFor();
    await assertAccessible(page, 'a root alone');
    await takePictures(page, 'mandates-root');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify(parties.provider.jwk));
    await page.getByText('It stands for no person').waitFor({ state: 'detached' });
    for (let tabs = 0; tabs < 3; tabs++) await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Trust it');
    await page.keyboard.press('Enter');
    await page.getByText('An agent’s provider: it vouches').waitFor();
  });

  test('one is read from a file, its limits stand in words before it is kept, and then on its agent’s page', async () => {
    await fillIn('');
    await page.getByLabel('Mandate, as a file').setInputFiles({
      name: 'open.sdjwt',
      mimeType: 'text/plain',
      buffer: Buffer.from(`${token()}\n`),
    });
    await button('Read it').click();
    await page.getByRole('status').filter({ hasText: 'nothing is kept yet' }).getByText(IN_WORDS).waitFor();
    assert.deepEqual((await world.rest('GET', '/ap2/delegations')).body.data, []);
    await assertAccessible(page, 'limits in words');
    await takePictures(page, 'mandates-read');
    await button('Keep it').click();
    await page.getByText('Not used yet').waitFor();
    await takePictures(page, 'mandates');
    await open(`#/agents/${encodeURIComponent(world.agent.did)}`);
    await page.getByRole('heading', { name: 'test agent' }).waitFor();
    await page.getByText(IN_WORDS).waitFor();
    await assertAccessible(page, 'the mandates of an agent');
    assert.equal(await page.getByText('Nothing passes by it').count(), 0);
  });

  test('one for money that its agent may not spend says so to each role, until the agent is allowed', async () => {
    const [{ principalDid }] = (await world.rest('GET', '/ap2/delegations')).body.data;
    const principal = { did: principalDid, name: 'Household', agents: [] };
    assert.equal((await world.rest('POST', '/ap2/admin/principals', principal)).status, 201);
    const barred = page.getByText('Nothing passes by it: Household has not allowed this agent to spend its money.');
    await barred.waitFor();
    await page.getByRole('listitem').filter({ has: barred }).getByText('▲ Not allowed').waitFor();
    await assertAccessible(page, 'a mandate that nothing passes by');
    await takePictures(page, 'mandates-barred');
    const { page: viewer } = await openConsole(browser, world, 'VIEWER');
    await open('#/settings/mandates', viewer);
    const told =
      'Nothing passes by it: the person or company whose money it is has not allowed this agent to spend it.';
    await viewer.getByText(told).waitFor();
    await viewer.context().close();
    const path = `/ap2/admin/principals/${encodeURIComponent(principal.did)}`;
    assert.equal((await world.rest('PUT', path, { agents: [world.agent.did] })).status, 200);
    await barred.waitFor({ state: 'detached' });
  });

  test('another text has to be read again before it is kept', async () => {
    await open('#/settings/mandates');
    await fillIn(token());
    await button('Read it').click();
    await button('Keep it').waitFor();
    await page.getByLabel('Mandate', { exact: true }).fill('eyJ');
    await button('Read it').waitFor();
    await button('Cancel').click();
  });

  test('one is revoked after its consequences were read, and buys nothing more', async () => {
    await button(/^Revoke the mandate of/).click();
    await page.getByText('nothing more is bought by it').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Revoked', { exact: false }).first().waitFor();
    const [kept] = (await world.rest('GET', '/ap2/delegations')).body.data;
    assert.equal(kept.status, 'REVOKED');
    await button(/^Revoke the mandate of/).waitFor({ state: 'detached' });
  });

  test('a viewer on a narrow phone sees them without a button, and without the signers', async () => {
    const { page: theirs } = await openConsole(browser, world, 'VIEWER', NARROW);
    await open('#/settings/mandates', theirs);
    await theirs.getByText(IN_WORDS).waitFor();
    assert.equal(await theirs.getByText('Who signs mandates').count(), 0);
    assert.equal(
      await theirs
        .getByRole('main')
        .getByRole('button', { name: /Revoke|Add|Trust/ })
        .count(),
      0,
    );
    assert.equal(await theirs.evaluate(() => document.documentElement.scrollWidth), 320);
    const places = await theirs.locator('.places').boundingBox();
    const here = await theirs.locator('.places [aria-current]').boundingBox();
    assert.ok(places !== null && here !== null && places.height < 2 * here.height, 'the places are one line');
    assert.ok(here.x >= 0 && here.x + here.width <= 320, 'and the one that is shown is seen');
    await assertAccessible(theirs, 'mandates of a viewer');
  });
});
