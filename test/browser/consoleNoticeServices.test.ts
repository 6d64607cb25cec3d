/** Settings in a real browser: notifications by e-mail with its code, by a service, and what becomes of a service that ends. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium, openDevice } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { type MailServer, startMailServer, textsOf } from '../support/mailServer.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { signInUser } from '../support/signInUser.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
/** A folder for pictures; none are made without it. */
const PICTURES = process.env['PICTURES'];

for (const [form, options] of [
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const) {
  describe(`services for notifications on ${form}`, { skip }, () => {
    let world: World;
    let browser: Browser;
    let server: MailServer;
    let double: Receiver;
    let page: Page;
    before(async () => {
      const [engine] = everyEngine();
      assert.ok(engine);
      server = await startMailServer();
      double = await startReceiver();
      world = await makeWorld(engine, { SMTP_URL: server.url, SMTP_FROM: 'node@mail.example' });
      browser = await openChromium();
      ({ page } = await openConsole(browser, world, 'OWNER', options));
      await page.goto(`${world.node.baseUrl}/console/#/settings`);
      await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    });
    after(async () => {
      await browser?.close();
      await world.close();
      await double.close();
      await server.close();
    });

    const picture = async (name: string) => {
      if (PICTURES === undefined) return;
      mkdirSync(PICTURES, { recursive: true });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${PICTURES}/${name}-${options.viewport.width}.png` });
    };
    /** Once nothing moves any more, since what fades in is pale. */
    const isAccessible = async (what: string) => {
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
      await assertAccessible(page, what);
    };
    const add = async (service: string) => {
      await page.getByRole('button', { name: 'By e-mail or another service' }).click();
      await page.getByLabel('By', { exact: true }).selectOption({ label: service });
    };
    const save = () => page.getByRole('button', { name: 'Save' }).click();

    test('an e-mail address is added, confirmed by its code and tested', async () => {
      await add('E-mail');
      await page.getByLabel('Address').fill('ada@mail.example');
      await page.getByLabel(/^A week is over/).check();
      await page.getByLabel('Digest on').selectOption({ label: 'Friday' });
      await isAccessible('the sheet of a service');
      await picture('email');
      await save();
      await page.getByText('A code was sent to').waitFor();
      await picture('confirm');
      const [mail] = await server.wait(1);
      const code = /is ([0-9A-Z-]{9})\./.exec(mail === undefined ? '' : textsOf(mail).join())?.[1] ?? '';
      await page.getByLabel('Code').fill(code);
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await page.getByText('Confirmed: notifications go there').waitFor();
      await page.getByRole('button', { name: 'Test notifications to E-mail' }).click();
      await page.getByText('A test was sent.').waitFor();
      assert.equal((await server.wait(2))[1]?.headers.get('subject'), 'Notifications arrive here');
    });

    test('a webhook’s address is shown by its last characters, and what its service refuses is said beside it', async () => {
      await add('Slack');
      await page.getByLabel('Webhook URL').fill('https://slack.example/x');
      await save();
      await page.getByText(/must be a webhook of Slack/).waitFor();
      await picture('refused');
      await page.getByLabel('Webhook URL').fill(`${double.url}/services/T/B/slackSecretWXYZ`);
      await save();
      await page.getByText('Slack, …WXYZ').waitFor();
      assert.ok(!(await page.content()).includes('slackSecret'));
      double.answer = (response) => void response.writeHead(404).end();
      await page.getByRole('button', { name: 'Test notifications to Slack' }).click();
      await page.getByText(/takes nothing more/).waitFor();
      await isAccessible('a place that has ended');
      await page.getByRole('heading', { name: 'Notifications' }).scrollIntoViewIfNeeded();
      await picture('ended');
      double.answer = (response) => response.end('ok');
      await page.getByRole('button', { name: 'Test notifications to Slack' }).click();
      await page.getByText(/takes nothing more/).waitFor({ state: 'detached' });
    });

    test('a person who is told when an approval is not decided is added to the list, and removed', async () => {
      await signInUser(world, 'ADMIN', 'Ben');
      await page.goto(`${world.node.baseUrl}/console/#/settings/people`);
      await page.getByRole('heading', { name: 'If an approval is not decided' }).waitFor();
      await page.getByRole('button', { name: 'Add a person' }).click();
      await page.getByLabel('Tell next').selectOption({ label: 'Ben' });
      await page.getByLabel('After minutes').fill('10');
      await isAccessible('the sheet of the next person');
      await save();
      await page.getByText(/has no notifications yet/).waitFor();
      await page.getByText(/or after 10 minutes/).waitFor();
      await page.getByText(/or after 10 minutes/).scrollIntoViewIfNeeded();
      await picture('escalation');
      await page.getByRole('button', { name: 'Tell Ben with the others' }).click();
      await page.getByText(/told at once. A person you add/).waitFor();
      await page.goto(`${world.node.baseUrl}/console/#/settings`);
    });

    test('a person is invited by mail, whose link makes their passkey', async () => {
      await page.goto(`${world.node.baseUrl}/console/#/settings/people`);
      await page.getByRole('button', { name: 'Invite a person' }).click();
      const address = `grace-${options.viewport.width}@mail.example`;
      await page.getByLabel('E-mail').fill(address);
      await isAccessible('the sheet of an invitation');
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      await page.getByText(`Sent to ${address}.`).waitFor();
      const [mail] = await server.wait(1, ({ to }) => to.includes(address));
      const url = /http\S+welcome\/[\w-]+/.exec(mail === undefined ? '' : textsOf(mail).join('\n'))?.[0];
      const { page: theirs } = await openDevice(browser, options);
      await theirs.goto(String(url));
      await theirs.getByLabel('Your name').fill('Grace');
      await theirs.getByRole('button', { name: 'Create my passkey' }).click();
      await theirs.getByRole('navigation').waitFor();
      await theirs.context().close();
      await page.goto(`${world.node.baseUrl}/console/#/settings`);
      await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    });

    test('a Telegram bot is added by its token, which a password field hides', async () => {
      await add('Telegram');
      await page.getByLabel('Chat id').fill('-1001234567');
      const token = page.getByLabel('The bot’s token');
      assert.equal(await token.getAttribute('type'), 'password');
      await token.fill('123456:AAExampleExampleExampleExample0123');
      await picture('telegram');
      await save();
      await page.getByText('Telegram, …4567').waitFor();
      await picture('list');
    });
  });
}
