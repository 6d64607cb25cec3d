/** A headless Chromium with an authenticator of its own, as the WebDriver protocol of WebAuthn describes one. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where Chromium is on this machine; undefined where there is none. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && existsSync(path));

export function openChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium here; set CHROMIUM_PATH.');
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

export interface Device {
  readonly page: Page;
  readonly authenticatorId: string;
  readonly cdp: CDPSession;
  /** Everything the page complained of: errors, and what its content policy refused. */
  readonly complaints: string[];
  /** Every address that was asked for. */
  readonly requests: string[];
}

/** A page in a context of its own, on a device whose owner touches the passkey at each request. */
export async function openDevice(browser: Browser, options: BrowserContextOptions = {}): Promise<Device> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('request', (request) => requests.push(request.url()));
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, authenticatorId, cdp, complaints, requests };
}
