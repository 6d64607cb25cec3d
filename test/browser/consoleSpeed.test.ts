/** How soon the console can be used, on a slow phone against a node with a long history, and how soon a change is seen. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpus } from 'node:os';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { hashEvent } from '../../protocol/evidence/chain.ts';
import { makeId } from '../../protocol/wire/id.ts';
import { makeCheckpoint } from '../../src/domain/checkpoints/makeCheckpoint.ts';
import { recordIn } from '../../src/domain/evidence/showEvidence.ts';
import { appendEvidence, type EvidenceRow, findChainHead } from '../../src/store/statements/evidence/events.ts';
import { all } from '../../src/store/store.ts';
import { CHROMIUM, type Device, openChromium } from '../support/chromium.ts';
import { DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { copyPayments } from '../support/copyPayments.ts';
import { everyEngine } from '../support/engines.ts';
import { noteFigure } from '../support/figures.ts';
import { purchase } from '../support/purchase.ts';
import { type ReplayingProxy, replayingProxy } from '../support/replayingProxy.ts';
import { rounds } from '../support/rounds.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const PAYMENTS = 100_000;
const AT_ONCE = 500;
/** What starts up counts for less in a longer one. */
const EVENTS = rounds(500_000, 100_000);
const VISITS = 5;
/** A busy machine is no fault of the console: what is measured is told, and only what is far off fails. */
const PATIENCE_MS = 10_000;
/** 3G as it is called fast: 1.6 Mbit/s down, 0.75 up, 150 ms there and back. */
const FAST_3G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

const [engine] = everyEngine();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('how soon the console can be used', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    await purchase(world, 12);
    await copyPayments(world, PAYMENTS);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  test('the first screen on a slow phone, on a first visit and on later ones', async () => {
    for (const [visit, isFirst] of [
      ['without anything kept', true],
      ['with what the browser keeps', false],
    ] as const) {
      const device = await openConsole(browser, world, 'OWNER', PHONE);
      await device.page.addInitScript(noteUsable);
      await slowDown(device);
      const times: number[] = [];
      for (let count = 0; count < VISITS; count++) {
        if (isFirst) await device.cdp.send('Network.clearBrowserCache');
        times.push(await visitToday(world, device.page));
      }
      const middle = times.sort((one, other) => one - other)[Math.floor(VISITS / 2)] as number;
      const measured = `${Math.round(middle)} ms (${times.map((time) => Math.round(time)).join(', ')})`;
      const what = `The first screen of the console, ${PAYMENTS.toLocaleString('en-US')} payments, 4 × slower CPU, fast 3G, ${visit}`;
      console.log(`${what}: ${measured}`);
      noteFigure(what, measured);
      assert.ok(middle < PATIENCE_MS, measured);
      await device.page.context().close();
    }
  });

  test('a change on one device is on another', async () => {
    const agent = await world.newAgent('Watched');
    const [one, other] = [
      await openConsole(browser, world, 'OWNER', PHONE),
      await openConsole(browser, world, 'VIEWER', DESKTOP),
    ];
    const hash = `#/agents/${encodeURIComponent(agent.did)}`;
    for (const { page } of [one, other]) {
      await page.goto(`${world.node.baseUrl}/console/${hash}`);
      await page.getByText('Active', { exact: false }).first().waitFor();
    }
    const seen = other.page.locator('.status', { hasText: 'Frozen' }).first().waitFor({ timeout: PATIENCE_MS });
    const from = performance.now();
    await one.page.getByRole('button', { name: 'Freeze' }).click();
    await seen;
    const measured = `${Math.round(performance.now() - from)} ms`;
    const what = 'From a click on one device until another shows what it changed';
    console.log(`${what}: ${measured}`);
    noteFigure(what, measured);
    for (const { page } of [one, other]) await page.context().close();
  });
});

/** What was recorded of a real purchase many times over, chained as events are. */
async function appendEvents({ node: { deps, tenantId } }: World, count: number): Promise<void> {
  const models = await deps.store.read(() =>
    all<EvidenceRow>(
      'SELECT * FROM evidence WHERE tenant_id = ? AND transaction_id IS NOT NULL ORDER BY seq',
      tenantId,
    ),
  );
  for (let from = 0; from < count; from += AT_ONCE) {
    await deps.store.write(tenantId, function* () {
      let head = yield* findChainHead(tenantId);
      for (let added = 0; added < AT_ONCE && head !== undefined; added += 1) {
        const model = models[(from + added) % models.length] as EvidenceRow;
        const now = Date.now();
        const event = { ...model, seq: head.seq + 1, id: makeId('evt_', now, randomBytes(10)), created_at: now };
        const hash_curr = hashEvent(deps.suite, recordIn({ ...event, hash_prev: head.hash_curr }));
        yield* appendEvidence(head, { ...event, hash_prev: head.hash_curr, hash_curr });
        head = yield* findChainHead(tenantId);
      }
    });
  }
  await makeCheckpoint(deps, tenantId);
}

describe('how fast evidence is verified in a browser', { skip }, () => {
  let world: World;
  let browser: Browser;
  let proxy: ReplayingProxy;
  before(async () => {
    assert.ok(engine);
    proxy = await replayingProxy((path) => path.startsWith('/ap2/evidence/export'));
    world = await makeWorld(engine, { BASE_URL: proxy.url });
    proxy.target = world.node.address;
    await purchase(world, 12);
    await appendEvents(world, EVENTS);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
    await proxy.close();
  });

  test('beside its node, and where the export comes as fast as the browser takes it', async () => {
    const { page } = await openConsole(browser, world, 'VIEWER', DESKTOP);
    const rates: number[] = [];
    for (let count = 0; count <= VISITS; count += 1) {
      await page.goto(`${proxy.url}/console/#/evidence`);
      await page.getByRole('button', { name: 'Verify the chain' }).click();
      const verdict = page.locator('.verdict').first();
      await verdict.waitFor({ timeout: 30 * PATIENCE_MS });
      const text = await verdict.innerText();
      assert.match(text, /Verified in this browser/);
      rates.push(rateIn(text));
      await page.reload();
    }
    const [first, ...again] = rates.map((rate) => rate.toLocaleString('en-US'));
    const what = `${EVENTS.toLocaleString('en-US')} events of evidence verified in a browser, ${cpus().length} cores`;
    for (const [how, rate] of [
      ['beside the node that exports them', String(first)],
      ['its node read from memory', again.join(' ')],
    ]) {
      console.log(`${what}, ${how}: ${rate} a second`);
      noteFigure(`${what}, ${how}`, `${rate} a second`);
    }
    await page.context().close();
  });
});

/** In events a second; what took less than a second is told without a rate. */
function rateIn(text: string): number {
  const numberIn = (pattern: RegExp) => Number(pattern.exec(text)?.[1]?.replaceAll(',', ''));
  const told = numberIn(/([\d,]+) events a second/);
  const rate = Number.isNaN(told) ? (numberIn(/All ([\d,]+) events/) / numberIn(/\(([\d,]+) ms\)/)) * 1000 : told;
  assert.ok(rate > 0, text);
  return Number(rate.toPrecision(2));
}

async function slowDown({ cdp }: Device): Promise<void> {
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', FAST_3G);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/** @returns milliseconds from the beginning of the visit until what needs a person and what happened last is there */
async function visitToday(world: World, page: Page): Promise<number> {
  await page.goto('about:blank');
  await page.goto(`${world.node.baseUrl}/console/#/`);
  await page.locator('.today .row').first().waitFor();
  await page.locator('.spans dd').first().waitFor();
  return page.evaluate(() => (globalThis as Loose).usableAt);
}

/** Runs in the page: notes when the first screen has what it is for. */
function noteUsable(): void {
  const look = () => {
    if (document.querySelector('.today .row') === null) return;
    Object.assign(globalThis, { usableAt: performance.now() });
    observer.disconnect();
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
}
