/** What an owner does for colleagues and for the node in Chromium: passkeys, logins, payment tokens, and how a merchant reads signed requests. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, takePictures } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import type { Loose } from '../support/world.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

describe('an owner', { skip }, () => {
  let world: World;
  let browser: Browser;
  let page: Page;

  before(async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    world = await makeWorld(engine);
    browser = await openChromium();
    await openConsole(browser, world, 'ADMIN');
    ({ page } = await openConsole(browser, world, 'OWNER'));
  });
  after(async () => {
    await browser?.close();
    await world.close();
  });

  const open = (place: string) => page.goto(`${world.node.baseUrl}/console/${place}`);
  const button = (name: string | RegExp) => page.getByRole('button', { name });

  test('removes a colleague’s passkey and ends their logins, by the keyboard alone', async () => {
    await open('#/settings/people');
    await button('Access').focus();
    await page.keyboard.press('Enter');
    const remove = page.getByRole('dialog').getByRole('button', { name: /^Remove / });
    await remove.waitFor();
    await assertAccessible(page, 'how a colleague signs in');
    await button(/^End the login on /).focus();
    await page.keyboard.press('Enter');
    await page.getByText('An admin is not signed in').waitFor();
    await button(/^Sign out everywhere/).focus();
    await page.keyboard.press('Enter');
    await page.getByText('ends at once').waitFor();
    const asked = page.getByRole('dialog').last();
    await asked.getByRole('button', { name: 'Sign out everywhere', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('is signed out everywhere.').first().waitFor();
    await remove.focus();
    await page.keyboard.press('Enter');
    await asked.getByRole('button', { name: 'Remove', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('An admin has no passkey.').waitFor();
  });

  test('calls an own passkey something else', async () => {
    await open('#/settings');
    await button('Rename').click();
    await page.getByLabel('Name of the device').fill('The blue key');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByText('The blue key').first().waitFor();
    await assertAccessible(page, 'own passkeys');
    await takePictures(page, 'own-passkeys');
  });

  test('reads what a new issuer key means before the node is stopped for it', async () => {
    await open('#/settings/node');
    await page.getByText('Replace the key').click();
    await page.getByText('What the old key signed stays valid.').waitFor();
    await takePictures(page, 'issuer');
  });

  test('revokes a shared payment token', async () => {
    const input = { merchantDomain: 'shop.example', amount: 20, currency: 'USD' };
    const made = await world.rest('POST', '/admin/spt', input);
    assert.equal(made.status, 201, made.text);
    await open('#/settings/tokens');
    await page.getByText('Up to 20.00 USD at shop.example').waitFor();
    await assertAccessible(page, 'payment tokens');
    await takePictures(page, 'tokens');
    await button('Revoke the token for shop.example').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The merchant can take nothing with it.').first().waitFor();
    assert.equal((await world.rest('GET', `/admin/spt/${made.body.id}`)).body.status, 'REVOKED');
  });

  test('says how a merchant reads Signature-Agent of signed requests', async () => {
    await open('#/settings/merchants');
    await button('Bind a merchant').click();
    await page.getByLabel('Domain').fill('signed.example');
    await page.getByLabel('DID', { exact: true }).fill(world.merchant.did);
    await page.getByText('Rail account, category and country').click();
    await page.getByLabel('It reads Signature-Agent').selectOption('dictionary');
    await assertAccessible(page, 'how a merchant reads it');
    await button('Bind merchant').click();
    await page.getByText('signed.example').first().waitFor();
    const { data } = (await world.rest('GET', '/ap2/admin/merchants')).body;
    const bound = data.find(({ domain }: Loose) => domain === 'signed.example');
    assert.equal(bound.signatureAgentForm, 'dictionary');
  });

  test('finds each of these screens no wider than a narrow phone', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const place of ['', '/people', '/tokens', '/mandates', '/node']) {
      await open(`#/settings${place}`);
      await page.getByRole('list', { name: 'Places in Settings' }).waitFor();
      // Once it is laid out as on a phone.
      await page.waitForFunction(() => document.documentElement.scrollWidth === 320);
    }
  });
});
