/** The chain verified in a real browser: as it is, changed by hand, and begun anew by its owner. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { run } from '../../src/store/store.ts';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

for (const engine of everyEngine()) {
  describe(`evidence in Chromium, ${engine.name}`, { skip }, () => {
    let world: World;
    let browser: Browser;
    before(async () => {
      world = await makeWorld(engine);
      browser = await openChromium();
    });
    after(async () => {
      await browser.close();
      await world.close();
    });

    const verify = async (page: Page, expected: string | RegExp): Promise<string> => {
      await page.goto(`${world.node.baseUrl}/console/#/evidence`);
      await page.getByRole('button', { name: 'Verify the chain' }).click();
      const verdict = page.locator('.verdict').filter({ hasText: expected }).first();
      await verdict.waitFor();
      return verdict.innerText();
    };

    test('on a desk events are a table by type, each opens to its JSON by the keyboard, and all of a type are saved as CSV', async () => {
      await purchase(world, 5);
      const { page } = await openConsole(browser, world, 'VIEWER');
      await page.goto(`${world.node.baseUrl}/console/#/evidence`);
      await page.getByRole('button', { name: 'Add a filter' }).click();
      await page.getByLabel('Type').selectOption('INTENT_ISSUED');
      const event = page.getByRole('table').getByRole('button', { name: /The agent was given permission/ });
      await page.getByRole('table').getByText('A login began').first().waitFor({ state: 'detached' });
      await event.first().focus();
      await page.keyboard.press('Enter');
      await page.locator('.opened-row').getByText('"maxAmount": 5').waitFor();
      await assertAccessible(page, 'an open event');
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download as CSV' }).click(),
      ]);
      const lines = (await readFile(await saved.path(), 'utf8')).trim().split(/\r?\n/);
      assert.ok(lines.length > 1 && lines.slice(1).every((line) => line.includes('INTENT_ISSUED')), lines.join('\n'));
      await page.context().close();
    });

    test('an answer about a type of event changes nothing once another type was chosen', async () => {
      await purchase(world, 5);
      const { page } = await openConsole(browser, world, 'VIEWER');
      await page.goto(`${world.node.baseUrl}/console/#/evidence`);
      let release = () => {};
      const chosen = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/eventType=INTENT_ISSUED/, async (route) => {
        await chosen;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Add a filter' }).click();
      await page.getByLabel('Type').selectOption('INTENT_ISSUED');
      await page.getByLabel('Type').selectOption('PM_ISSUED');
      const table = page.getByRole('table');
      await table.getByText('A login began').first().waitFor({ state: 'detached' });
      const late = page.waitForResponse(/eventType=INTENT_ISSUED/);
      release();
      await (await late).finished();
      // What came is shown with the next picture at the latest.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await table.getByText('The payment mandate was signed').first().waitFor();
      assert.equal(await table.getByText('The agent was given permission').count(), 0);
      await page.context().close();
    });

    test('holds, is remembered, and is noticed when its owner begins another', async () => {
      await purchase(world, 5);
      const device = await openConsole(browser, world, 'VIEWER', PHONE);
      const { page } = device;
      await verify(page, 'Verified in this browser');
      await assertAccessible(page, 'the evidence');
      await purchase(world, 5);
      await verify(page, /It continues what this browser saw before/);
      const lengthNow = async (): Promise<number> =>
        (await world.rest('GET', '/ap2/evidence/search?limit=1')).body.data[0].seq;
      const lengthBefore = await lengthNow();
      const reset = await world.rest('POST', '/ap2/admin/reset-test-data');
      assert.equal(reset.status, 204, reset.text);
      await verify(page, /not the chain that was here before.*cut short/s);
      const another = await world.newAgent('Buys until the chain is longer');
      do await purchase(world, 1, { agent: another });
      while ((await lengthNow()) <= lengthBefore);
      await verify(page, /not the chain that was here before.*rewritten/s);
      await page.getByRole('button', { name: 'Forget what this browser saw' }).click();
      await verify(page, 'Verified in this browser');
      assert.deepEqual(
        device.complaints.filter((text) => !/status of 401/.test(text)),
        [],
      );
    });

    test('names the event that was changed in the database by hand', async () => {
      await purchase(world, 5);
      const device = await openConsole(browser, world, 'VIEWER');
      const { deps, tenantId } = world.node;
      const { data } = (await world.rest('GET', '/ap2/evidence/search?eventType=PM_ISSUED&limit=1')).body;
      const { seq } = data[0] as Loose;
      const before = JSON.stringify(data[0].data);
      const changed = canonicalOf({ ...data[0].data, amount: 1 });
      const put = (text: string) =>
        deps.store.write(tenantId, () =>
          run('UPDATE evidence SET data = ? WHERE tenant_id = ? AND seq = ?', text, tenantId, seq),
        );
      await put(changed);
      await verify(device.page, new RegExp(`content of event ${seq} does not match its hash`));
      await put(canonicalOf(JSON.parse(before)));
      await verify(device.page, 'Verified in this browser');
    });

    test('compares a checkpoint that the person has kept elsewhere', async () => {
      await purchase(world, 5);
      const { page } = await openConsole(browser, world, 'VIEWER');
      const { checkpoint } = (await world.rest('GET', '/ap2/evidence/verify')).body;
      await page.goto(`${world.node.baseUrl}/console/#/evidence`);
      await page.getByText('Compare with a checkpoint that you have').click();
      await page.getByLabel('The signed note').fill(checkpoint);
      await page.getByRole('button', { name: 'Verify the chain' }).click();
      await page.getByText('It continues the checkpoint that you gave.').waitFor();
      await page.getByLabel('The signed note').fill(checkpoint.replace(/\n\d+\n/, '\n1\n'));
      await page.getByRole('button', { name: 'Verify the chain' }).click();
      await page.getByText('The checkpoint does not hold').waitFor();
    });
  });
}

function canonicalOf(value: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))));
}
