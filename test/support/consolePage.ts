/** The console in Chromium: somebody signs in at a real identity provider, and axe looks at what they see. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { freePort } from './child.ts';
import { type Device, openDevice } from './chromium.ts';
import type { Engine } from './engines.ts';
import { type IdentityProvider, startIdentityProvider } from './identityProvider.ts';
import { type Loose, makeWorld, type World } from './world.ts';

export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };

export interface ConsoleWorld {
  readonly world: World;
  readonly provider: IdentityProvider;
  close(): Promise<void>;
}

/** A node that knows an identity provider. */
export async function makeConsoleWorld(engine: Engine): Promise<ConsoleWorld> {
  const port = String(await freePort());
  const provider = await startIdentityProvider(`http://localhost:${port}/ap2/auth/callback`);
  const world = await makeWorld(engine, { ...provider.env, PORT: port });
  return {
    world,
    provider,
    async close() {
      await world.close();
      await provider.stop();
    },
  };
}

/** The console on a device of somebody who has signed in. The first person of a node is its OWNER. */
export async function openConsole(
  browser: Browser,
  { world, provider }: ConsoleWorld,
  person: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<Device> {
  const device = await openDevice(browser, options);
  provider.person = person;
  await device.page.goto(`${world.node.baseUrl}/ap2/auth/login`);
  // The page that the login ends on renews its token: left before, the browser would lose its cookie.
  await device.page.getByRole('heading', { name: 'You are logged in' }).waitFor();
  await device.page.goto(`${world.node.baseUrl}/console/`);
  await device.page.getByRole('navigation').waitFor();
  return device;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Whatever keeps somebody from using the page, by the rules that axe knows. */
export async function assertAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { violations: found } = await (globalThis as Loose).axe.run(document);
    return found.map(({ id, nodes }: Loose) => `${id}: ${nodes.map(({ html }: Loose) => html).join(' | ')}`);
  });
  assert.deepEqual(violations, [], where);
}
