/** The questions that people come to the console with, each answered in so many touches. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { askForApproval } from '../support/person.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const [engine] = everyEngine();

describe('what people ask the console', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    const spend = { amount_cap: 100, presence_cap: 200, currency: 'USD' };
    const rules = { version: '2.0', spend, context: {} };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'test', rules })).status, 201);
    const paid = mandateIdOf(await purchase(world, 42.5));
    assert.equal((await world.rest('POST', `/ap2/payments/${paid}/capture`, {})).status, 200);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  /** Plays a question from the address that its person opens. */
  async function ask(
    question: string,
    touches: number,
    options: typeof PHONE | typeof DESKTOP,
    hash: string,
    play: (page: Page, touch: (target: Locator) => Promise<void>) => Promise<Locator>,
  ): Promise<void> {
    const { page } = await openConsole(browser, world, 'OWNER', options);
    await page.goto(`${world.node.baseUrl}/console/${hash}`);
    let count = 0;
    const answer = await play(page, async (target) => {
      await target.click();
      count += 1;
    });
    await answer.waitFor();
    const box = await answer.boundingBox();
    const { height } = options.viewport;
    assert.ok(box !== null && box.y >= 0 && box.y < height, `${question}: the answer is not in sight at ${box?.y}`);
    assert.equal(count, touches, question);
    await page.context().close();
  }

  test('an agent is stopped in one touch from its notice', () =>
    ask('stop it', 1, PHONE, `#/agents/${encodeURIComponent(world.agent.did)}`, async (page, touch) => {
      await touch(page.getByRole('button', { name: 'Freeze' }));
      const answer = page.getByText('Frozen').first();
      await answer.waitFor();
      const state = `/ap2/admin/agents/${world.agent.did}/reactivate`;
      assert.equal((await world.rest('GET', `/ap2/agents/${world.agent.did}`)).body.status, 'SUSPENDED');
      assert.equal((await world.rest('POST', state, {})).status, 200);
      return page.getByRole('button', { name: 'Freeze' });
    }));

  test('a purchase is denied in one touch from its notice', async () => {
    const { approval } = await askForApproval(world, 150);
    await ask('may it buy', 1, PHONE, `#/approvals/${approval.id}`, async (page, touch) => {
      await touch(page.getByRole('button', { name: /^Deny/ }).first());
      return page.getByText(/denied/i).first();
    });
  });

  test('what agents spent is read without a touch', () =>
    ask('what was spent', 0, DESKTOP, '#/', async (page) =>
      page.locator('.figures', { hasText: '42.50 USD' }).first(),
    ));

  test('why a request was refused, and what would pass, is read two touches from the first screen', async () => {
    await world.rest('POST', '/ap2/intents', world.intentBody(900, { agent: world.agent }));
    await ask('why refused', 2, DESKTOP, '#/', async (page, touch) => {
      await touch(page.getByRole('link', { name: 'Decisions', exact: true }));
      await touch(page.getByRole('link', { name: /900\.00 USD/ }).first());
      return page.locator('.passes');
    });
  });

  test('what a draft would have done is read three touches from the policy', () =>
    ask('what would a draft do', 3, DESKTOP, '#/policy', async (page, touch) => {
      await touch(page.getByRole('link', { name: /draft/i }));
      const cap = page.getByLabel('The most for one purchase', { exact: true });
      await touch(cap);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('10');
      await touch(page.getByRole('button', { name: 'Judge them again' }));
      return page.getByText(/decisions? would be/).first();
    }));

  test('the evidence is proved two touches from the first screen', () =>
    ask('prove it', 2, DESKTOP, '#/', async (page, touch) => {
      await touch(page.getByRole('link', { name: 'Evidence', exact: true }));
      await touch(page.getByRole('button', { name: 'Verify the chain' }));
      return page.getByText('Verified in this browser').first();
    }));

  test('whether the node is healthy is read one touch from the first screen', () =>
    ask('is it healthy', 1, DESKTOP, '#/', async (page, touch) => {
      await touch(page.getByRole('link', { name: 'Health', exact: true }));
      return page.getByRole('heading', { name: /Health|checks/i }).first();
    }));
});
