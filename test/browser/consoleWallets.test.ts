/** Wallets in Chromium: added by a person who touches a passkey, shown without their keys, and removed once nothing waits for them. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { headerText } from '../../protocol/x402/paymentRequired.ts';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { mppChallenge } from '../support/mppChallenge.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';
import { BASE, WALLET_ADDRESS, WALLET_KEY, x402Offer, x402Required, x402Response } from '../support/x402Offer.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
/** A folder for pictures; none are made without it. */
const PICTURES = process.env['PICTURES'];

for (const [form, options] of [
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const) {
  describe(`wallets on ${form}`, { skip }, () => {
    let world: World;
    let browser: Browser;
    let page: Page;
    let purchases = 0;

    before(async () => {
      const [engine] = everyEngine();
      assert.ok(engine);
      world = await makeWorld(engine);
      browser = await openChromium();
      ({ page } = await openConsole(browser, world, 'OWNER', options));
    });
    after(async () => {
      await browser?.close();
      await world.close();
    });

    const open = (place: string) => page.goto(`${world.node.baseUrl}/console/${place}`);
    const picture = async (name: string) => {
      if (PICTURES === undefined) return;
      mkdirSync(PICTURES, { recursive: true });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(400);
        const path = `${PICTURES}/${name}-${options.viewport.width}-${colorScheme}.png`;
        await page.screenshot({ path, fullPage: true });
      }
      await page.emulateMedia({ colorScheme: 'light' });
    };
    /** Once nothing moves any more, since what fades in is pale. */
    const isAccessible = async (what: string) => {
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
      await assertAccessible(page, what);
    };
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const authorize = async (more: object = {}): Promise<Loose> => {
      purchases += 1;
      const offer = headerText(x402Required([x402Offer({ amount: '1234567' })]));
      const body = { agentDid: world.agent.did, url: `https://reports.example/${purchases}`, paymentRequired: offer };
      const reply = await world.rest('POST', '/ap2/http-payments/authorize', { ...body, ...more });
      assert.equal(reply.body.allowed, true, reply.text);
      return reply.body;
    };
    const settle = async (report: object) => {
      const { status, text } = await world.rest('POST', '/ap2/http-payments/settlements', report);
      assert.equal(status, 200, text);
    };

    test('one is added by its key, which is typed unseen and is nowhere afterwards', async () => {
      await open('#/settings/wallets');
      await page.getByText('No wallet is added yet').waitFor();
      await isAccessible('no wallets');
      await picture('none');
      await button('Add a wallet').click();
      const key = page.getByLabel('Private key');
      assert.equal(await key.getAttribute('type'), 'password');
      await key.fill('0x12');
      await button('Add wallet').click();
      await page.getByText('must be 0x and 64 hexadecimal digits').waitFor();
      await key.fill(WALLET_KEY);
      await page.getByLabel('Where the chain is asked').fill('https://rpc.example/v1/secret-of-the-provider');
      await isAccessible('the sheet of a wallet');
      await picture('add');
      await button('Add wallet').click();
      await page.getByText('Added. Send what agents may spend').waitFor();
      await page.getByTitle(WALLET_ADDRESS).waitFor();
      await page.getByText('rpc.example').waitFor();
      const kept = await page.evaluate(() => [
        document.documentElement.outerHTML,
        JSON.stringify({ ...localStorage, ...sessionStorage }),
        ...[...document.querySelectorAll('input')].map(({ value }) => value),
      ]);
      for (const text of kept) {
        assert.ok(!text.includes(WALLET_KEY.slice(2)) && !text.includes('secret-of-the-provider'));
      }
    });

    test('one of an agent on another chain is made by the node', async () => {
      await button('Add a wallet').click();
      await page.getByLabel('Chain', { exact: true }).selectOption({ label: 'Another chain…' });
      await page.getByLabel('Its name by CAIP-2').fill('eip155:31337');
      await page.getByLabel('Pays for').selectOption(world.agent.did);
      await picture('other');
      await button('Add wallet').click();
      await page.getByText('eip155:31337').first().waitFor();
      const { data } = (await world.rest('GET', '/ap2/admin/wallets')).body;
      assert.deepEqual(
        data.map(({ network, agentDid }: Loose) => [network, agentDid]),
        [
          ['eip155:31337', world.agent.did],
          [BASE, undefined],
        ],
      );
      await isAccessible('wallets');
      await picture('wallets');
    });

    test('one whose transfer may still be settled stays, and the console says what is waited for', async () => {
      const { mandateId } = await authorize();
      await button(/^Remove the wallet 0xf39Fd6/).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('Payments of this wallet may still be settled; remove it once they have ended.').waitFor();
      await isAccessible('a wallet that stays');
      await picture('stays');
      await settle({ mandateId, paymentResponse: x402Response(), status: 200 });
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('Removed, with its key.').waitFor();
      await page.getByTitle(WALLET_ADDRESS).waitFor({ state: 'detached' });
    });

    test('a payment by x402 shows its rail, what was offered, and whose word it is that it was paid', async () => {
      await world.rest('POST', '/ap2/admin/wallets', { network: BASE, privateKey: WALLET_KEY });
      const { mandateId } = await authorize();
      await settle({ mandateId, status: 500 });
      await settle({ mandateId, paymentResponse: x402Response(), status: 200 });
      await open(`#/payments/${mandateId}`);
      await page.getByText('x402 by a wallet').waitFor();
      await page.getByText('What the server asks was accepted').waitFor();
      await page.getByText('1.234567 USDC to 0x209693bc6a…12287c on Base, by x402 · reports.example').waitFor();
      await page.getByText('Word of the payment came').waitFor();
      await page.getByText('and without PAYMENT-RESPONSE. · by the agent’s word').waitFor();
      await page.getByText('1.24 USD · reports.example · by the merchant’s word').waitFor();
      await page.getByText('Checked in this browser').waitFor();
      assert.equal(await button('Refund…').count(), 0, 'the merchant alone gives it back');
      await isAccessible('a payment by x402');
      await picture('x402');
    });

    test('a payment by MPP shows its rail, and to which profile it was offered', async () => {
      const { mandateId } = await authorize({ paymentRequired: undefined, challenges: [mppChallenge({ id: 'c1' })] });
      await open(`#/payments/${mandateId}`);
      await page.getByText('MPP by a shared payment token').waitFor();
      await page.getByText('5.00 USD to profile_reports, by MPP · reports.example').waitFor();
      await button('Cancel…').waitFor();
      assert.equal(await button('Capture…').count(), 0);
      await picture('mpp');
    });
  });
}
