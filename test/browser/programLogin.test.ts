/** `countersign login` as a person does it: allowed in the browser by a passkey, used, extended, and ended. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { countersign, PROGRAM } from '../support/command.ts';
import { assertAccessible, openConsole } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { makeWorld, type World } from '../support/world.ts';

const [engine] = everyEngine();

describe('countersign login', () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  let home: string;
  let env: Record<string, string>;
  let file: string;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    browser = await openChromium();
    ({ page } = await openConsole(browser, world, 'OWNER'));
    home = await mkdtemp(join(tmpdir(), 'countersign-login-'));
    // No keyring is on this path.
    env = { XDG_CONFIG_HOME: home, PATH: '' };
    file = join(home, 'countersign', 'profiles.json');
  });
  after(async () => {
    await browser.close();
    await world.close();
    await rm(home, { recursive: true, force: true });
  });

  test('is allowed in the browser, and then commands act as that person', async () => {
    const { address, ended } = await begin(world.node.baseUrl, env);
    await page.goto(address);
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    await assertAccessible(page, 'the question');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'The command line is logged in' }).waitFor();
    const { code, stdout } = await ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /kept in .*profiles\.json, which you alone may read/);
    assert.equal(statSync(file).mode & 0o777, 0o600);

    const listed = await countersign(['user', 'list', '--profile', 'default', '--json'], env);
    assert.match(listed.stdout, /"An owner"/, listed.stderr);
    const own = await countersign(['notify', 'list', '--profile', 'default', '--json'], env);
    assert.equal(own.code, 0, `the notifications are that person's own: ${own.stderr}`);
    const named = await countersign(['spend', '--json'], { ...env, COUNTERSIGN_PROFILE: 'default' });
    assert.equal(named.code, 0, named.stderr);
  });

  test('is extended once by commands that run at the same time', async () => {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    const session = JSON.parse(kept.profiles.default.secret);
    kept.profiles.default.secret = JSON.stringify({ ...session, expiresAt: new Date(0).toISOString() });
    writeFileSync(file, JSON.stringify(kept));
    const asked = Array.from({ length: 4 }, () =>
      countersign(['agent', 'list', '--profile', 'default', '--json'], env),
    );
    for (const { code, stderr } of await Promise.all(asked)) assert.equal(code, 0, stderr);
    const next = JSON.parse(JSON.parse(readFileSync(file, 'utf8')).profiles.default.secret);
    assert.notEqual(next.refreshToken, session.refreshToken);
  });

  test('is no touch: what raises a risk is confirmed in the browser', async () => {
    const refused = await countersign(['user', 'invite', '--profile', 'default', '--role', 'VIEWER'], env);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /STEP_UP_REQUIRED/);
  });

  test('stands among the logins of its person, and ends with countersign logout', async () => {
    await page.goto(`${world.node.baseUrl}/console/#/settings`);
    await page.getByText('countersign command line').waitFor();
    const { accessToken } = JSON.parse(JSON.parse(readFileSync(file, 'utf8')).profiles.default.secret);
    const out = await countersign(['logout'], env);
    assert.equal(out.code, 0, out.stderr);
    const after = await world.rest('GET', '/ap2/auth/me', undefined, { Authorization: `Bearer ${accessToken}` });
    assert.equal(after.status, 401);
    const gone = await countersign(['agent', 'list', '--profile', 'default'], env);
    assert.match(gone.stderr, /There is no profile "default"; make it with countersign login --profile default/);
  });

  test('that names no port, or a challenge of another form, is not asked about', async () => {
    for (const query of ['', 'port=80&challenge=x&state=y', `port=8080&challenge=${'a'.repeat(43)}&state="><b>`]) {
      await page.goto(`${world.node.baseUrl}/console/#/allow?${query}`);
      await page.getByRole('heading', { name: 'This link is not complete' }).waitFor();
    }
  });
});

/** Starts the command @returns the address that it shows, and how it ends */
async function begin(url: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM, 'login', '--url', url, '--no-browser'], { env: { ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout: stdout + stderr }));
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      const shown = /(http\S+#\/allow\S+)\n/.exec(stderr)?.[1];
      if (shown !== undefined) resolve(shown);
    });
    child.once('close', () => reject(new Error(stderr)));
  });
  return { address, ended };
}
