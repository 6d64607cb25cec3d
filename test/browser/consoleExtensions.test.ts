/** Screens of extensions in Chromium: a node without them shows no way to one, loads nothing of it, and says so at its address. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { openConsole } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

/** Each address with the name that leads there, the screen that is above it, and the file of its code. */
const PLACES = [
  ['guard', '#/settings/guards', 'Guards', 'Settings', 'guardPlaces-'],
  ['mandates', '#/settings/mandates', 'Mandates', 'Settings', 'mandatesPlaces-'],
  ['stripe', '#/settings/tokens', 'Tokens', 'Settings', 'PaymentTokens-'],
  ['x402', '#/settings/wallets', 'Wallets', 'Settings', 'Wallets-'],
  ['backups', '#/settings/backups', 'Backups', 'Settings', 'BackupSchedule-'],
  ['playground', '#/build/playground', 'Playground', 'Build', 'Playground-'],
] as const;

for (const [setting, isOn] of [
  ['sandbox-rail', false],
  ['sandbox-rail,guard,mandates,stripe,x402,playground,backups', true],
] as const) {
  describe(`the console of a node with EXTENSIONS=${setting}`, { skip }, () => {
    let world: World;
    let browser: Browser;
    let page: Page;
    const loaded: string[] = [];

    before(async () => {
      const [engine] = everyEngine();
      assert.ok(engine);
      world = await makeWorld(engine, { EXTENSIONS: setting });
      browser = await openChromium();
      ({ page } = await openConsole(browser, world, 'OWNER'));
      page.on('request', (request) => loaded.push(request.url()));
    });
    after(async () => {
      await browser?.close();
      await world.close();
    });

    test('the places of Settings stand on one line of 1,280 pixels', async () => {
      await page.goto(`${world.node.baseUrl}/console/#/settings`);
      const places = page.getByRole('list', { name: 'Places in Settings' }).getByRole('listitem');
      await places.first().waitFor();
      const tops = await places.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
      assert.equal(new Set(tops).size, 1, String(tops));
    });

    for (const [extension, place, name, above, file] of PLACES) {
      test(`${isOn ? 'shows' : 'says that it has no'} ${extension} at ${place}`, async () => {
        await page.goto(`${world.node.baseUrl}/console/#/${above.toLowerCase()}`);
        const places = page.getByRole('list', { name: `Places in ${above}` });
        await places.waitFor();
        assert.equal(await places.getByText(name).count(), isOn ? 1 : 0);
        await page.goto(`${world.node.baseUrl}/console/${place}`);
        if (isOn) await page.getByRole('heading', { name }).first().waitFor();
        else await page.getByText(`This node runs without ${extension}.`).waitFor();
        assert.equal(
          loaded.some((url) => url.includes(file)),
          isOn,
          loaded.join('\n'),
        );
      });
    }
  });
}
