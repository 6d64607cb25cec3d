/** Notifications in a real browser: turned on in Settings, shown by the service worker, and three touches from there to a frozen agent. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, CDPSession, Page, Worker } from 'playwright-core';
import { servicesOf } from '../../src/extensions/notices/noticeServices.ts';
import { deletePlace } from '../../src/store/statements/webhooks/subscriptions.ts';
import { all } from '../../src/store/store.ts';
import { CHROMIUM, type Device, openChromium } from '../support/chromium.ts';
import { assertAccessible, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { askForApproval } from '../support/person.ts';
import { type PushBrowser, pushBrowser } from '../support/pushBrowser.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

for (const engine of everyEngine()) {
  describe(`notifications in Chromium, ${engine.name}`, { skip }, () => {
    let world: World;
    let browser: Browser;
    let receiver: Receiver;
    let device: Device;
    let push: PushBrowser;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_ALLOW_PRIVATE: 'true' });
      const spend = { amount_cap: 100, presence_cap: 200, currency: 'USD' };
      await world.rest('POST', '/ap2/admin/policies', { name: 'test', rules: { version: '2.0', spend, context: {} } });
      receiver = await startReceiver();
      push = pushBrowser();
      browser = await openChromium();
      device = await openConsole(browser, world, 'OWNER', { ...PHONE, serviceWorkers: 'allow' });
      await device.page.context().grantPermissions(['notifications'], { origin: new URL(world.node.baseUrl).origin });
      await subscribeAt(device.page, `${receiver.url}/browser`);
    });
    after(async () => {
      await browser?.close();
      await receiver.close();
      await world.close();
    });

    /** This browser has no push service to go to; what it would get from one is at the receiver. */
    async function subscribeAt(page: Page, endpoint: string): Promise<void> {
      await page.addInitScript(
        ([at, keys]: [string, PushBrowser['keys']]) => {
          const kept = 'test.subscription';
          const made = (key: string) => ({
            endpoint: at,
            options: {
              applicationServerKey: Uint8Array.from(
                atob(key.replaceAll('-', '+').replaceAll('_', '/')),
                (each) => each.codePointAt(0) as number,
              ).buffer,
            },
            toJSON: () => ({ endpoint: at, keys }),
            unsubscribe: async () => {
              localStorage.removeItem(kept);
              return true;
            },
          });
          Object.assign(PushManager.prototype, {
            async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
              localStorage.setItem(kept, applicationServerKey);
              return made(applicationServerKey);
            },
            async getSubscription() {
              const key = localStorage.getItem(kept);
              return key === null ? null : made(key);
            },
          });
        },
        [endpoint, push.keys] as [string, PushBrowser['keys']],
      );
      await page.reload();
      await page.getByRole('navigation').waitFor();
    }

    const settings = async () => {
      await device.page.goto(`${world.node.baseUrl}/console/#/settings`);
      await device.page.getByRole('heading', { name: 'Notifications' }).waitFor();
    };
    /** @returns what the node has sent to the browser since, in the clear */
    const messages = async (count: number): Promise<Loose[]> => {
      const found = await receiver.wait(count, ({ path }) => path === '/browser');
      const { publicKey } = servicesOf(world.node.deps).vapid;
      return found.map((each) => push.read(each, publicKey));
    };
    const workerOf = async (): Promise<Worker> => {
      const [worker] = device.page.context().serviceWorkers();
      return worker ?? device.page.context().waitForEvent('serviceworker');
    };
    const deliver = async (message: object): Promise<void> => {
      const session: CDPSession = await device.page.context().newCDPSession(device.page);
      const found = new Promise<string>((resolve) => {
        session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          const [registration] = registrations;
          if (registration !== undefined) resolve(registration.registrationId);
        });
      });
      await session.send('ServiceWorker.enable');
      const { origin } = new URL(world.node.baseUrl);
      await session.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId: await found,
        data: JSON.stringify(message),
      });
    };
    /** @returns the titles of the notifications that the browser shows */
    const shown = async (): Promise<string[]> => {
      const worker = await workerOf();
      return worker.evaluate(async () => {
        const scope = globalThis as unknown as { registration: ServiceWorkerRegistration };
        return (await scope.registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`);
      });
    };
    /** The browser may be about to stop the worker when a message comes, as no push service would have it. */
    const deliverUntilShown = (message: object) =>
      until(
        'the notice',
        async () => {
          if ((await shown()).length === 1) return true;
          await deliver(message);
          return (await shown()).length === 1;
        },
        20_000,
        500,
      );
    /** Touches the newest notice, or its button. */
    const touch = async (action: string): Promise<void> => {
      const worker = await workerOf();
      await worker.evaluate(async (button) => {
        const scope = globalThis as unknown as { registration: ServiceWorkerRegistration } & EventTarget;
        const notification = (await scope.registration.getNotifications()).at(-1);
        const { NotificationEvent: Touch } = globalThis as unknown as {
          NotificationEvent: new (type: string, init: object) => Event;
        };
        scope.dispatchEvent(new Touch('notificationclick', { notification, action: button }));
      }, action);
    };

    test('a person turns them on, sees them tried, and is told of an approval without its amount', async () => {
      const { page } = device;
      await settings();
      await page.getByRole('button', { name: 'In this browser' }).click();
      await assertAccessible(page, 'the notifications of this browser');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('this browser').waitFor();
      await page.getByRole('button', { name: /^Test notifications/ }).click();
      await page.getByText('A test is on its way.').waitFor();
      const [trial] = await messages(1);
      assert.equal(trial.title, 'Notifications arrive here');
      await askForApproval(world, 150);
      const [, asked] = await messages(2);
      assert.equal(asked.title, 'Approval needed');
      assert.doesNotMatch(JSON.stringify(asked), /150|USD|shop/);
      await deliverUntilShown(asked);
      assert.match(String((await shown())[0]), /^Approval needed: .* wants to buy and asks you\.$/);
    });

    test('a touch of it opens the approval, and its button the agent, which the next touch freezes', async () => {
      const { page } = device;
      await touch('');
      await page.getByRole('heading', { name: /wants to buy/ }).waitFor();
      const [, asked] = await messages(2);
      await deliverUntilShown(asked);
      await touch('agent');
      await page.getByRole('button', { name: 'Freeze', exact: true }).click();
      await page
        .getByText(/frozen/i)
        .first()
        .waitFor();
      const { body } = await world.rest('GET', `/ap2/agents/${world.agent.did}`);
      assert.equal(body.status, 'SUSPENDED');
    });

    test('a browser that the node has forgotten subscribes again by itself when the console is opened', async () => {
      const { store } = world.node.deps;
      const places = () =>
        store.read(() => all<{ tenant_id: string; id: string }>('SELECT * FROM webhooks WHERE user_id IS NOT NULL'));
      const [former] = await places();
      assert.ok(former !== undefined);
      await store.write(former.tenant_id, () => deletePlace(former.tenant_id, former.id));
      await device.page.reload();
      await until('the subscription', async () => (await places()).length === 1);
      assert.notEqual((await places())[0]?.id, former.id);
    });

    test('signing out ends them in this browser', async () => {
      const { page } = device;
      await settings();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: /Sign in/ }).waitFor();
      const left = await world.node.deps.store.read(() => all('SELECT id FROM webhooks WHERE user_id IS NOT NULL'));
      assert.deepEqual(left, []);
      assert.deepEqual(
        device.complaints.filter((text) => !/status of (401|403|404)/.test(text)),
        [],
      );
    });
  });
}
