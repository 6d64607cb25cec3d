/** One grid for all screens of the console: the same edges, and the main button at the same place. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { askForApproval } from '../support/person.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const [engine] = everyEngine();

/** Every screen with its main button; those without one have none in their heading. */
const MAIN_BUTTONS: Readonly<Record<string, string>> = {
  '/': '',
  '/approvals': '',
  '/approvals/:id': 'Approve',
  '/payments': '',
  '/payments/:id': '',
  '/decisions': '',
  '/decisions/:id': '',
  '/agents': 'Add an agent',
  '/agents/new': '',
  '/agents/:did': 'Freeze',
  '/principals': 'Add a person or company',
  '/principals/new': '',
  '/principals/:did': 'Rename…',
  '/policy': 'Write a draft',
  '/policy/draft': '',
  '/policy/versions/:id/:version': 'Use as a draft',
  '/evidence': 'Verify the chain',
  '/build': 'Open the playground',
  '/build/keys': 'Create a key',
  '/build/webhooks': 'Add a webhook',
  '/build/webhooks/new': '',
  '/build/webhooks/:id': 'Send a sample',
  '/build/events': 'Pause',
  '/build/playground': '',
  '/settings': '',
  '/settings/people': 'Invite a person',
  '/settings/merchants': 'Bind a merchant',
  '/settings/instruments': 'Add a payment method',
  '/settings/wallets': 'Add a wallet',
  '/settings/mandates': 'Add a mandate',
  '/settings/guards': '',
  '/settings/guards/:id': '',
  '/settings/tokens': '',
  '/settings/backups': '',
  '/settings/health': '',
  '/settings/export': '',
  '/settings/node': '',
  '/allow': '',
};

describe('the grid of the console', { skip }, () => {
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

  /** @returns the address of every screen, filled with a record where it shows one */
  async function placesOf(): Promise<ReadonlyMap<string, string>> {
    const principal = makePeer().did;
    const named = { did: principal, name: 'Lovelace household', agents: [world.agent.did] };
    assert.equal((await world.rest('POST', '/ap2/admin/principals', named)).status, 201);
    const hook = { url: 'http://127.0.0.1:9/closed', events: ['payment.captured'] };
    const webhook = (await world.rest('POST', '/ap2/admin/webhooks', hook)).body;
    const mandateId = mandateIdOf(await purchase(world, 20));
    const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const policy = (await world.rest('GET', '/ap2/policies/current')).body;
    const { approval } = await askForApproval(world, 150);
    const [owner] = (await world.rest('GET', '/ap2/admin/users')).body.data;
    await world.rest('PUT', `/ap2/agents/${encodeURIComponent(world.agent.did)}`, { ownerUserId: owner.id });
    const guard = await world.client.tellGuard({ name: 'laptop', agentDid: world.agent.did, servers: [] });
    const filled: Readonly<Record<string, string>> = {
      '/approvals/:id': `/approvals/${approval.id}`,
      '/payments/:id': `/payments/${mandateId}`,
      '/decisions/:id': `/decisions/${transactionId}`,
      '/agents/:did': `/agents/${encodeURIComponent(world.agent.did)}`,
      '/principals/:did': `/principals/${encodeURIComponent(principal)}`,
      '/policy/versions/:id/:version': `/policy/versions/${policy.id}/${policy.version}`,
      '/settings/guards/:id': `/settings/guards/${guard.id}`,
      '/build/webhooks/:id': `/build/webhooks/${webhook.id}`,
    };
    return new Map(Object.keys(MAIN_BUTTONS).map((pattern) => [pattern, filled[pattern] ?? pattern]));
  }

  const show = async (page: Page, path: string) => {
    // So that nothing of the screen before is measured.
    await page.goto('about:blank');
    await page.goto(`${world.node.baseUrl}/console/#${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('main .card').first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  };

  /** What is measured in the page, in pixels; undefined where the heading has no button. */
  const measure = (page: Page) =>
    page.evaluate(() => {
      const boxes = [...document.querySelectorAll('main .card')].map((card) => card.getBoundingClientRect());
      const head = document.querySelector('main > .head');
      const buttons = [...(head?.querySelectorAll<HTMLElement>('.button') ?? [])];
      const rightmost = buttons
        .sort((one, other) => one.getBoundingClientRect().right - other.getBoundingClientRect().right)
        .at(-1);
      const box = rightmost?.getBoundingClientRect();
      return {
        left: Math.min(...boxes.map(({ left }) => left)),
        right: Math.max(...boxes.map(({ right }) => right)),
        button: box && rightmost && { name: rightmost.innerText.trim(), right: box.right, top: box.top },
      };
    });

  test('every screen has the same left and right edge, and its main button at the top right', async () => {
    const { page } = await openConsole(browser, world, 'OWNER');
    const places = await placesOf();
    const own = readdirSync('src/extensions', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('Screens.ts'))
      .map((file) => `src/extensions/${file}`);
    const sources = ['console/shell/screens.ts', ...own].map((file) => readFileSync(file, 'utf8')).join('\n');
    const patterns = [...sources.matchAll(/pattern: '([^']+)'/g)];
    assert.deepEqual(patterns.map(([, pattern]) => pattern).sort(), [...places.keys()].sort());
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      await show(page, '/agents');
      const first = await measure(page);
      assert.ok(first.right - first.left > 0.7 * width && first.button?.right === first.right, JSON.stringify(first));
      for (const [pattern, path] of places) {
        await show(page, path);
        const name = MAIN_BUTTONS[pattern];
        const button: unknown = name === '' ? undefined : { ...first.button, name };
        assert.deepEqual(await measure(page), { ...first, button }, `${pattern} at ${width}`);
      }
    }
    await page.context().close();
  });

  test('on a phone an agent is frozen, and a purchase denied, without scrolling', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', PHONE);
    await show(page, `/agents/${encodeURIComponent(world.agent.did)}`);
    const { approval } = await askForApproval(world, 160);
    const { height } = PHONE.viewport;
    const bottomOf = async (name: RegExp) => {
      const box = await page.getByRole('button', { name }).boundingBox();
      return (box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0);
    };
    assert.ok((await bottomOf(/^Freeze/)) < height / 4);
    await show(page, `/approvals/${approval.id}`);
    assert.ok((await bottomOf(/^Deny/)) < height / 4);
    await page.context().close();
  });
});
