/** The touch in a real browser, asked for by agents of the ecosystem: a model's host over MCP, and a client of standard A2A. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium, openDevice } from '../support/chromium.ts';
import { everyEngine } from '../support/engines.ts';
import { artifactOf, resultOf, saidBy, sendTo } from '../support/standardPeer.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const PHONE = { viewport: { width: 375, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
/** Over what the sandbox's policy asks a person about, and below its cap for them. */
const WITH_PERSON = 150;

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('agents of the ecosystem, and a person with Chromium', { skip }, () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    browser = await openChromium();
    ({ page } = await openDevice(browser, PHONE));
    const link = await world.rest('POST', '/ap2/admin/enrollments', { agentDid: world.agent.did });
    await page.goto(link.body.url);
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Ready' }).waitFor();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const touch = async (url: string) => {
    await page.goto(url);
    await page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
  };

  test('a model’s host opens the page in the middle of a call, and the call ends with an approved cart', async () => {
    const opened: string[] = [];
    const client = new Client(
      { name: 'a host with a browser', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } },
    );
    client.setRequestHandler('elicitation/create', async ({ params }: Loose) => {
      opened.push(params.url);
      // Hosts answer once the page is open; the person decides meanwhile.
      void touch(params.url);
      return { action: 'accept' as never };
    });
    const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${world.node.address}/mcp`), {
      requestInit: { headers },
    });
    await client.connect(transport);
    const call = async (name: string, input: object): Promise<Loose> =>
      (await client.callTool({ name, arguments: input as never }, { timeout: 60_000 })).structuredContent;
    const { intentId } = await call('request_intent', {
      maxAmount: WITH_PERSON,
      currency: 'USD',
      merchantDomain: SHOP,
      agentDid: world.agent.did,
    });
    const cart = await call('validate_cart', { intentId, cartVc: world.cart(WITH_PERSON) });
    assert.equal(cart.allowed, true, JSON.stringify(cart));
    assert.equal(opened.length, 1);
    assert.match(String(opened[0]), /\/approve\/apr_/);
    const paid = await call('pay', { approvalToken: cart.approvalToken });
    assert.equal(paid.railResponse.status, 'requires_capture');
    await client.close();
  });

  test('a task of standard A2A gives the link, and is paid by itself after the touch', async () => {
    const asked = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(WITH_PERSON) } });
    const data = { 'countersign.purchase': { cartVc: world.cart(WITH_PERSON) } };
    const waits = await sendTo(world, data, { taskId: asked.id });
    assert.equal(waits.status.state, 'TASK_STATE_AUTH_REQUIRED');
    await touch(saidBy(waits)['countersign.approval'].url);
    const look = () => resultOf(world, 'GetTask', { id: asked.id });
    await until('the purchase being paid', async () => (await look()).status.state === 'TASK_STATE_COMPLETED');
    assert.equal(artifactOf(await look(), 'paymentResult').railResponse.status, 'requires_capture');
  });
});
