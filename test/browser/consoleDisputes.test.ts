/** Disputes in Chromium: until when one is answered, with what, and who may give the bank the node's evidence. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, takePictures } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type StripeDouble, startStripe } from '../support/stripe/double.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const NARROW = { viewport: { width: 320, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

describe('the disputes of a payment', { skip }, () => {
  let world: World;
  let stripe: StripeDouble;
  let browser: Browser;
  let page: Page;

  before(async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    stripe = await startStripe();
    world = await makeWorld(engine, stripe.env());
    stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
    browser = await openChromium();
    ({ page } = await openConsole(browser, world, 'OWNER'));
  });
  after(async () => {
    await browser?.close();
    await stripe.close();
    await world.close();
  });

  const disputed = async () => {
    const dueBy = Math.floor(Date.now() / 1000) + 5.5 * 86_400;
    const mandateId = mandateIdOf(await purchase(world, 20, { agent: await world.newAgent() }));
    await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
    await stripe.webhooks.settled();
    const { railTransactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const { id: railDisputeId } = stripe.dispute(String(railTransactionId), 'fraudulent', 'needs_response', { dueBy });
    await stripe.webhooks.settled();
    return { mandateId, given: () => stripe.disputes.given.get(railDisputeId) };
  };
  const show = (mandateId: string, on: Page = page) => on.goto(`${world.node.baseUrl}/console/#/payments/${mandateId}`);
  const button = (name: string | RegExp, on: Page = page) => on.getByRole('button', { name });

  test('one that waits says by which day, is in Today, and its pack is a zip archive', async () => {
    const { mandateId } = await disputed();
    await page.goto(`${world.node.baseUrl}/console/#/`);
    await page.getByText('A dispute of 20.00 USD').first().click();
    await page.getByText(/Answer by \w{3} \d+ \w+, \d+ days left/).waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), button('Download the dispute pack').click()]);
    assert.equal(saved.suggestedFilename(), `dispute-${mandateId}.zip`);
    assert.equal(
      readFileSync(await saved.path())
        .subarray(0, 2)
        .toString(),
      'PK',
    );
    assert.equal(await page.locator('.context h2').first().innerText(), 'Dispute', 'on a desk it is beside the story');
    await assertAccessible(page, 'a dispute');
    await takePictures(page, 'dispute');
  });

  test('an owner stages the evidence, looks at it, and submits it once', async () => {
    const { mandateId, given } = await disputed();
    await show(mandateId);
    await button('Stage the evidence').click();
    await page.getByText('Staged. Look at it at the rail').waitFor();
    assert.equal(given()?.isSubmitted, false);
    await button('Submit to the bank').click();
    await page.getByText('That can be done once').waitFor();
    await takePictures(page, 'dispute-submit');
    await assertAccessible(page, 'the question before the bank has it');
    await page.getByRole('dialog').getByRole('button', { name: 'Submit to the bank' }).click();
    await page.getByText(/^Answered just now: Submitted by the node to/).waitFor();
    assert.equal(given()?.isSubmitted, true);
    await page.getByText('The dispute was answered', { exact: true }).waitFor();
  });

  test('one that was answered elsewhere is recorded by the keyboard alone, and what was typed outlives a refusal', async () => {
    const { mandateId } = await disputed();
    await show(mandateId);
    await button('It was answered…').focus();
    await page.keyboard.press('Enter');
    const field = page.getByLabel('What was sent, and where');
    await field.focus();
    await page.keyboard.type('Sent by the dashboard, with the tracking number.');
    await page.route('**/submitted', (route) => route.abort());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    assert.equal(await field.inputValue(), 'Sent by the dashboard, with the tracking number.');
    await page.unroute('**/submitted');
    await page.keyboard.press('Enter');
    await page.getByText('Answered just now: Sent by the dashboard, with the tracking number.').waitFor();
  });

  test('an admin stages and does not submit, a viewer has the pack alone, and a narrow phone is wide enough and has it above the story', async () => {
    const { mandateId } = await disputed();
    for (const [role, shown] of [
      ['ADMIN', ['Stage the evidence', 'It was answered…', 'Download the dispute pack']],
      ['VIEWER', ['Download the dispute pack']],
    ] as const) {
      const { page: theirs } = await openConsole(browser, world, role, NARROW);
      await show(mandateId, theirs);
      for (const name of shown) await button(name, theirs).waitFor();
      const titles = await theirs.locator('.split .card h2').allInnerTexts();
      assert.deepEqual(titles.slice(0, 2), ['Dispute', 'What happened']);
      const names = ['Stage the evidence', 'Submit to the bank', 'It was answered…', 'Download the dispute pack'];
      const found = [];
      for (const name of names) if ((await button(name, theirs).count()) > 0) found.push(name);
      assert.deepEqual(found, shown, role);
      assert.equal(await theirs.evaluate(() => document.documentElement.scrollWidth), 320);
      await assertAccessible(theirs, role);
    }
  });
});
