/** The console in Chromium: a user is invited and makes a passkey, and axe looks at what they see. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Device, openDevice } from './chromium.ts';
import type { Loose, World } from './world.ts';

export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };

/** The console on a new device of a new person, who was invited to a role. */
export async function openConsole(
  browser: Browser,
  world: World,
  role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER',
  options: BrowserContextOptions = DESKTOP,
): Promise<Device> {
  // What a worker keeps is no matter of most tests; one that asks for it has its own device.
  const device = await openDevice(browser, { serviceWorkers: 'block', ...options });
  const { page } = device;
  const invited = await world.rest('POST', '/ap2/admin/invitations', { role });
  await page.goto(invited.body.url);
  await page.getByLabel('Your name').fill(`An ${role.toLowerCase()}`);
  await page.getByRole('button', { name: 'Create my passkey' }).click();
  await page.getByRole('navigation').waitFor();
  return device;
}

/** Pictures of what is shown, on a desk, a phone and in the dark; none are made without a folder for them in PICTURES. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder === undefined) return;
  const before = page.viewportSize();
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'light'],
    [1280, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.waitForTimeout(400);
    const suffix = colorScheme === 'dark' ? '-dark' : '';
    await page.screenshot({ path: `${folder}/${name}-${width}${suffix}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Asserts that nothing keeps a user from using the page, by the rules of axe. */
export async function assertAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { violations: found } = await (globalThis as Loose).axe.run(document);
    return found.map(({ id, nodes }: Loose) => `${id}: ${nodes.map(({ html }: Loose) => html).join(' | ')}`);
  });
  assert.deepEqual(violations, [], where);
}
