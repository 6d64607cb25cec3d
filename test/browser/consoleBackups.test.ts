/** The schedule of backups in Chromium: an owner sets it, sees what is kept and tried, and what failed. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE, takePictures } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makeWorld, type World } from '../support/world.ts';

const noBrowser = CHROMIUM === undefined && process.env['CI'] === undefined;
const engine = everyEngine().find(({ name }) => name === 'sqlite');
const skip = noBrowser
  ? 'there is no Chromium on this machine'
  : engine === undefined
    ? 'PostgreSQL has its own tools'
    : false;

describe('backups on a schedule', { skip }, () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'countersign-console-backups-'));
    await mkdir(join(root, 'place'));
    world = await makeWorld(engine as NonNullable<typeof engine>);
    browser = await openChromium();
    ({ page } = await openConsole(browser, world, 'OWNER'));
    await page.goto(`${world.node.baseUrl}/console/#/settings/backups`);
  });
  after(async () => {
    await browser?.close();
    await world.close();
    await rm(root, { recursive: true, force: true });
  });

  test('are set by keyboard alone, after what was wrong was said at its field, and the first one is made at once', async () => {
    await page.getByText('The node does not back itself up yet').waitFor();
    await page.getByRole('button', { name: 'Set a schedule' }).press('Enter');
    await page.getByLabel('A backup each').selectOption('hour');
    await page.getByLabel('Folder').focus();
    await page.keyboard.type(join(root, 'nowhere'));
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/There is no folder/)
      .waitFor();
    await assertAccessible(page, 'a folder that is not there');
    await page.getByLabel('Folder').fill(join(root, 'place'));
    await page.keyboard.press('Enter');
    await page.getByText('Set. The first backup is made now.').waitFor();
    await page.getByText(/test restore .*: \d+ events verified/).waitFor();
    await page.getByText('This folder is on the node’s own disk').waitFor();
    await takePictures(page, 'backups');
    await assertAccessible(page, 'a schedule');
  });

  test('that fail are told there and on Today, each with what to do', async () => {
    await rename(join(root, 'place'), join(root, 'away'));
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText(/There is no folder .*mount its disk\. It is tried again/).waitFor();
    await page.goto(`${world.node.baseUrl}/console/#/`);
    await page.getByText('A backup that was due could not be made, kept or restored').waitFor();
    await rename(join(root, 'away'), join(root, 'place'));
    await page.goto(`${world.node.baseUrl}/console/#/settings/backups`);
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText('It is tried again').waitFor({ state: 'detached' });
  });

  test('go to a bucket whose fields fit a phone of 320 px', async () => {
    const phone = await openConsole(browser, world, 'OWNER', { ...PHONE, viewport: { width: 320, height: 640 } });
    await phone.page.goto(`${world.node.baseUrl}/console/#/settings/backups`);
    await phone.page.getByRole('button', { name: 'Change' }).click();
    await phone.page.getByLabel('Where to').selectOption('bucket');
    await phone.page.getByLabel('Secret of the access key').waitFor();
    await assertAccessible(phone.page, 'a bucket');
    assert.ok((await phone.page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
    await takePictures(phone.page, 'backups-bucket');
    await phone.page.context().close();
  });

  test('are an owner’s: an administrator is told so, and no place leads a viewer there', async () => {
    const admin = await openConsole(browser, world, 'ADMIN');
    await admin.page.goto(`${world.node.baseUrl}/console/#/settings/backups`);
    await admin.page.getByText('an owner alone decides where it goes').waitFor();
    assert.equal(await admin.page.getByRole('button', { name: 'Set a schedule' }).count(), 0);
    await admin.page.context().close();
  });

  test('end, once the owner confirms it', async () => {
    await page.getByRole('button', { name: 'End the schedule' }).click();
    await page.getByRole('button', { name: 'End', exact: true }).last().click();
    await page.getByText('The node does not back itself up yet').waitFor();
  });
});
