/** Decisions and the policy in a real browser: why a request was refused and what passes, and a draft until it is in force. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CHROMIUM, type Device, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { leap } from '../support/person.ts';
import { approve } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['phone', PHONE],
  ['desk', DESKTOP],
];
const HOSTILE = `<img src=x onerror=alert(1)>\u202egnp ${'long '.repeat(20)}`.trim();
const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;

for (const engine of everyEngine()) {
  describe(`decisions and the policy in Chromium, ${engine.name}`, { skip }, () => {
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

    const ask = async (agent: Peer, amount: number): Promise<Loose> =>
      (await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent }))).body;
    const inForce = async (): Promise<Loose> => (await world.rest('GET', '/ap2/policies/current')).body;
    const put = async (rules: object): Promise<void> => {
      const { id } = await inForce();
      const reply = await world.rest('PUT', `/ap2/admin/policies/${id}`, { rules });
      assert.equal(reply.status, 200, reply.text);
    };
    const capOf = (cap: number) => ({ version: '2.0', spend: { amount_cap: cap, currency: 'USD' } });
    const show = async (page: Page, hash: string) => {
      await page.goto(`${world.node.baseUrl}/console/${hash}`);
      await page.locator('h1').first().waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    };
    const faultsOf = ({ complaints }: Device) => complaints.filter((text) => !/status of (401|404|409)/.test(text));

    const beginLimit = async (page: Page, merchant: string) => {
      await show(page, '#/policy/draft');
      await page.getByRole('button', { name: 'JSON', exact: true }).click();
      const limits = [{ name: 'a day', max_amount: 500, window: '24h', scope: 'policy', merchant }];
      const draft = { version: '2.0', spend: { currency: 'USD' }, risk: { limits } };
      await page.getByLabel('The draft as JSON').fill(JSON.stringify(draft));
      await page.getByRole('button', { name: 'Form', exact: true }).click();
      await page.getByRole('button', { name: 'Compare with what was asked' }).click();
    };

    test('a limit of a draft has nothing to be compared with where no agent has asked', async () => {
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await beginLimit(page, 'shop.example');
      await page.getByText(/^No agent has asked for anything since .*: there is nothing to compare with\.$/).waitFor();
      assert.equal(await page.getByText('The last day').count(), 0);
      await page.context().close();
    });

    for (const [look, options] of LOOKS) {
      test(`a limit of a draft shows what was asked for and what it stops, and follows a change (${look})`, async () => {
        const [agent, domain] = [await world.newAgent('Compared'), `${look}.example`];
        for (const amount of [100, 200, 60]) {
          await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent, domain }));
        }
        const device = await openConsole(browser, world, 'OWNER', options);
        const { page, requests } = device;
        const replays = () => requests.filter((url) => url.endsWith('/policies/replay')).length;
        const says = (when: RegExp, text: string) =>
          page.locator('.limit-row', { hasText: when }).getByText(text, { exact: true }).waitFor();
        await beginLimit(page, domain);
        const status = page.getByRole('status');
        await status.getByText(/^Compared with \d+ requests? since/).waitFor();
        await says(/^The last day/, '360.00 USD asked for');
        await says(/^Since/, 'Nothing is stopped.');
        await assertAccessible(page, 'limits that are compared');
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `wider than the screen by ${wide}`);
        await page.getByRole('button', { name: /^Edit the budget/ }).click();
        await page.getByLabel('How much', { exact: true }).focus();
        await page.keyboard.press('ControlOrMeta+A');
        await page.keyboard.type('250', { delay: 20 });
        await says(/^The last day/, '360.00 USD asked for, 110.00 USD over the limit');
        await says(/^Since/, '1 request refused, 200.00 USD');
        assert.equal(replays(), 2, 'no key asks for a replay');
        assert.deepEqual(faultsOf(device), []);
        await page.context().close();
      });

      test(`a developer who was refused reads what would pass, asks for exactly that, and is allowed (${look}, keyboard)`, async () => {
        const agent = await world.newAgent(`Refused on a ${look}`);
        const refused = await ask(agent, 90_000);
        assert.equal(refused.allowed, false);
        const device = await openConsole(browser, world, 'VIEWER', options);
        const { page } = device;
        await goByKeyboard(page, /^Decisions$/);
        await page.getByRole('heading', { level: 1, name: 'Decisions' }).waitFor();
        await tabTo(page, new RegExp(`Refused on a ${look}.*90,000\\.00 USD`));
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: /asked to spend 90,000\.00 USD/ }).waitFor();
        const passes = await page.locator('.passes').innerText();
        const [, text] = /An amount of ([\d,.]+) USD at most/.exec(passes) ?? [];
        const most = Number(text?.replaceAll(',', ''));
        assert.ok(most > 0, passes);
        await page.locator('.rules tr', { hasText: /The most for one purchase.*Failed/ }).waitFor();
        assert.equal(await page.getByRole('link', { name: /^Change this rule/ }).count(), 0, 'a viewer changes none');
        assert.equal((await ask(agent, most + 0.01)).allowed, false, 'one cent more is refused');
        assert.equal((await ask(agent, most)).allowed, true, 'what the page says passes');
        assert.deepEqual(faultsOf(device), []);
        await page.context().close();
      });

      test(`a draft is replayed, made tighter at once, and looser with a touch (${look}, keyboard)`, async () => {
        await put(capOf(500));
        const agent = await world.newAgent(`Replayed on a ${look}`);
        await ask(agent, 10);
        await ask(agent, 40);
        const device = await openConsole(browser, world, 'OWNER', options);
        const { page, requests } = device;
        const touches = () => requests.filter((url) => url.endsWith('/ap2/auth/step-up/complete')).length;
        // The touch that the person signed in with is too old by then.
        const back = leap(world, 301);
        try {
          await beginDraft(page, '25');
          await tabTo(page, /^Judge them again$/);
          await page.keyboard.press('Enter');
          await page.getByText(/\d+ of \d+ decisions would be others\./).waitFor();
          const flip = page.getByRole('link', { name: new RegExp(`Replayed on a ${look}.*40\\.00 USD`, 's') });
          await flip.getByText('40.00 USD is 15.00 over the cap of 25.00.').waitFor();
          assert.equal(
            await page.getByRole('link', { name: /10\.00 USD/ }).count(),
            0,
            'what passes as before is no flip',
          );
          await page.locator('del', { hasText: 'One purchase may cost 500.00 USD at most.' }).waitFor();
          await page.locator('ins', { hasText: 'One purchase may cost 25.00 USD at most.' }).waitFor();
          await tabTo(page, /^Publish$/, 'Shift+Tab');
          await page.keyboard.press('Enter');
          await page.getByText(/, version \d+, is in force\.$/).waitFor();
          await said(page, 'One purchase may cost 25.00 USD at most.');
          assert.equal(touches(), 0, 'what is tighter waits for no touch');
          assert.equal((await ask(agent, 40)).allowed, false);

          await beginDraft(page, '60');
          await page.getByText('One rule becomes looser').waitFor();
          await tabTo(page, /^Publish$/);
          await page.keyboard.press('Enter');
          await said(page, 'One purchase may cost 60.00 USD at most.');
          assert.equal(touches(), 1, 'what is looser asks for one');
          assert.equal((await ask(agent, 40)).allowed, true);
          await page.getByRole('button', { name: 'Undo' }).last().click();
          await said(page, 'One purchase may cost 25.00 USD at most.');
          assert.deepEqual((await inForce()).rules, capOf(25));
        } finally {
          back();
        }
        assert.deepEqual(faultsOf(device), []);
        await page.context().close();
      });
    }

    test('a refusal by a window says from when on there is room, to the second', async () => {
      const velocity_limit = { max_transactions: 1, time_window: '1h' };
      await put({ version: '2.0', risk: { velocity_limit } });
      const agent = await world.newAgent('Too often');
      await ask(agent, 5);
      await ask(agent, 6);
      const own = `/ap2/decisions?agentDid=${encodeURIComponent(agent.did)}`;
      const [second, first] = (await world.rest('GET', own)).body.data;
      const { page } = await openConsole(browser, world, 'MEMBER', PHONE);
      await show(page, `#/decisions/${second.transactionId}`);
      const from = await page.locator('.passes time').getAttribute('datetime');
      assert.equal(Date.parse(String(from)), Date.parse(first.createdAt) + 3_600_000);
      await page.getByText('on, if nothing else is bought until then.').waitFor();
      await page.getByText('This would be purchase 2 within 1 hour; the limit is 1.').first().waitFor();
      await page.context().close();
    });

    test('a draft is the same in the form and in the JSON, and nothing that is typed is lost', async () => {
      await put(capOf(100));
      const device = await openConsole(browser, world, 'OWNER', DESKTOP);
      const { page } = device;
      await show(page, '#/policy/draft?rule=spend.amount_cap');
      const cap = page.getByLabel('The most for one purchase', { exact: true });
      const json = page.getByLabel('The draft as JSON');
      const look = (view: 'Form' | 'JSON') => page.getByRole('button', { name: view, exact: true }).click();
      const publish = page.getByRole('button', { name: 'Publish' });
      await assertFocused(cap);
      await cap.fill('12.50');
      assert.equal(await cap.inputValue(), '12.50');
      await look('JSON');
      assert.match(await json.inputValue(), /"amount_cap": 12\.5,/);
      await look('Form');
      await cap.fill('a lot');
      await page.locator('.field .wrong', { hasText: 'must be a number' }).waitFor();
      await look('JSON');
      assert.match(await json.inputValue(), /"amount_cap": "a lot"/);
      await publish.click();
      await page.locator('.problems', { hasText: 'The most for one purchase: must be a number' }).waitFor();
      assert.deepEqual((await inForce()).rules, capOf(100), 'what is wrong is not published');
      await json.fill('{"version":"2.0","spend":{"amount_cap":30,"cap":1}}');
      await look('Form');
      assert.equal(await cap.inputValue(), '30');
      await page.locator('.problems', { hasText: 'spend.cap is not a known member; there are amount_cap' }).waitFor();
      await look('JSON');
      await json.fill('{"version":"2.0","spend":{"amount_cap":31}');
      await look('Form');
      await page.getByText('It cannot be read as JSON').waitFor();
      assert.equal(await cap.inputValue(), '30');
      assert.ok(await cap.isDisabled());
      await assertAccessible(page, 'a draft that cannot be read');
      await show(page, '#/');
      await show(page, '#/policy/draft');
      await look('JSON');
      assert.equal(await json.inputValue(), '{"version":"2.0","spend":{"amount_cap":31}');
      await page.reload();
      await look('JSON');
      assert.equal(await json.inputValue(), '{"version":"2.0","spend":{"amount_cap":31}');
      await json.fill('{"version":"2.0","spend":{"amount_cap":31}}');
      await page.route('**/ap2/admin/policies/*', (route) => route.abort());
      await publish.click();
      await page.getByText('it is unknown whether it was done').waitFor();
      assert.equal(await json.inputValue(), '{"version":"2.0","spend":{"amount_cap":31}}');
      await page.getByRole('button', { name: 'Discard the draft' }).click();
      await look('Form');
      assert.equal(await cap.inputValue(), '100');
      const refused = /ERR_FAILED/;
      assert.deepEqual(
        faultsOf(device).filter((text) => !refused.test(text)),
        [],
      );
      await page.context().close();
    });

    test('a rule is found by its words, gets its fields, and goes again; an example fills the draft, and is undone', async () => {
      await put(capOf(100));
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/policy/draft');
      await page.locator('.draft-rules label').first().waitFor();
      assert.deepEqual(await page.locator('.draft-rules label').allInnerTexts(), [
        'The most for one purchase',
        'Currency',
      ]);
      await page.getByRole('button', { name: 'Add a rule' }).click();
      await page.getByLabel('Add a rule').last().fill('weekend');
      await page.getByText('No rule has these words.').waitFor();
      await page.getByLabel('Add a rule').last().fill('countries');
      await assertAccessible(page, 'a search for a rule');
      await page.getByRole('button', { name: /^Countries/ }).click();
      await page.getByRole('button', { name: 'Countries that are denied' }).click();
      await page.getByLabel('Countries that are denied', { exact: true }).fill('FR');
      await page.locator('.publish', { hasText: 'Tighter' }).waitFor();
      assert.equal(await page.getByLabel('Countries that are allowed').count(), 0);
      await page.getByRole('button', { name: 'Remove Countries', exact: true }).click();
      await page.getByText('Nothing yet: it is what is in force.').waitFor();
      await page.getByText('Start from an example').click();
      await page.getByRole('button', { name: /^Groceries/ }).click();
      await page.locator('.limit-picture', { hasText: '0.00 of 400.00 USD' }).waitFor();
      await page
        .locator('.publish ins', { hasText: 'One purchase may cost 80.00 USD at most without a person.' })
        .waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Nothing yet: it is what is in force.').waitFor();
      await page.getByRole('button', { name: /^Travel desk/ }).click();
      await page.getByRole('button', { name: 'Close this notice' }).last().click();
      await assertAccessible(page, 'a draft from an example');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, 'wider than the phone');
      await page.context().close();
    });

    test('what another user publishes in between is not undone unseen', async () => {
      await put({ ...capOf(100), merchant: { deny_list: ['bad.example'] } });
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/policy/draft?rule=spend.amount_cap');
      await page.getByLabel('The most for one purchase', { exact: true }).fill('90');
      await put({ ...capOf(100), merchant: { deny_list: ['bad.example', 'other.example'] } });
      const looked = page.getByRole('button', { name: 'I have looked: go on' });
      await page.locator('del', { hasText: 'These merchants are denied: bad.example, other.example.' }).waitFor();
      await looked.click();
      let isFirst = true;
      // They publish while this request is on its way.
      await page.route('**/ap2/admin/policies/*', async (route) => {
        if (isFirst) await put({ ...capOf(100), merchant: { deny_list: ['bad.example', 'worse.example'] } });
        isFirst = false;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText(/version \d+, was published in between\./).waitFor();
      await page.locator('del', { hasText: 'These merchants are denied: bad.example, worse.example.' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Publish' }).count(), 0);
      assert.deepEqual((await inForce()).rules.merchant.deny_list, ['bad.example', 'worse.example']);
      await page.getByRole('button', { name: 'JSON', exact: true }).click();
      await page
        .getByLabel('The draft as JSON')
        .fill(JSON.stringify({ ...capOf(90), merchant: { deny_list: ['bad.example', 'worse.example'] } }));
      await looked.click();
      await page.getByRole('button', { name: 'Publish' }).click();
      await said(page, 'One purchase may cost 90.00 USD at most.');
      assert.deepEqual((await inForce()).rules.merchant.deny_list, ['bad.example', 'worse.example']);
      await page.context().close();
    });

    test('a user who does not touch their passkey publishes nothing looser, and keeps the draft', async () => {
      await put(capOf(40));
      const { page, cdp, authenticatorId } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/policy/draft?rule=spend.amount_cap');
      const cap = page.getByLabel('The most for one purchase', { exact: true });
      await cap.fill('45');
      const back = leap(world, 301);
      try {
        await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
        await page.getByRole('button', { name: 'Publish' }).click();
        const sheet = page.getByRole('dialog', { name: 'Confirm that it is you' });
        await sheet.getByRole('alert').waitFor();
        await sheet.getByRole('button', { name: 'Cancel' }).click();
        await sheet.waitFor({ state: 'detached' });
        assert.equal(await cap.inputValue(), '45');
        assert.deepEqual((await inForce()).rules, capOf(40));
        await cap.fill('39');
        await page.getByRole('button', { name: 'Publish' }).click();
        await said(page, 'One purchase may cost 39.00 USD at most.');
      } finally {
        back();
      }
      await page.context().close();
    });

    test('a refused request is tried against a draft, kept as a case, and the case says when a draft breaks it', async () => {
      await put(capOf(50));
      const agent = await world.newAgent('Tried');
      await ask(agent, 80);
      const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
      await show(page, '#/decisions?outcome=refused');
      await page.getByRole('row', { name: /Tried.*80\.00 USD/s }).click();
      await page.getByRole('link', { name: 'Change this rule: The most for one purchase' }).click();
      const cap = page.getByLabel('The most for one purchase', { exact: true });
      await assertFocused(cap);
      const tried = page.getByRole('button', { name: 'Try the request' });
      await tried.click();
      await page.locator('.outcome', { hasText: '80.00 USD is 30.00 over the cap of 50.00.' }).waitFor();
      await cap.fill('80');
      await page.getByText('The draft has changed since. Try it again.').waitFor();
      await page.getByLabel('History of').selectOption('');
      await tried.click();
      await page.locator('.outcome', { hasText: 'No person is asked.' }).waitFor();
      await page.getByRole('button', { name: 'Keep as a case' }).click();
      const run = page.getByRole('button', { name: 'Run the cases' });
      await run.click();
      await page.getByText('1 of 1 cases came out as expected.').waitFor();
      await cap.fill('79.99');
      await run.click();
      await page.getByText('0 of 1 cases came out as expected.').waitFor();
      await page
        .getByText('It came out: refused (Amount over the cap). 80.00 USD is 0.01 over the cap of 79.99.')
        .waitFor();
      await page.getByLabel('The cases as JSON').fill('[{"name":"x"}]');
      await run.click();
      await page.locator('.problems', { hasText: '0.request is missing' }).waitFor();
      await assertAccessible(page, 'a draft with all of its results');
      await page.context().close();
    });

    test('a replay that takes long says how far it is, and can be stopped', async () => {
      await ask(world.agent, 5);
      const { page } = await openConsole(browser, world, 'OWNER', PHONE);
      await show(page, '#/policy/draft');
      await page.route('**/ap2/admin/policies/replay', () => undefined);
      await page.getByRole('button', { name: 'Judge them again' }).click();
      await page.getByRole('progressbar').waitFor();
      await assertAccessible(page, 'a replay that is running');
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Judge them again' }).waitFor();
      assert.equal(await page.getByRole('progressbar').count(), 0);
      await page.context().close();
    });

    test('who may only read tries and replays, takes an old version as a draft, and is shown no way to publish', async () => {
      await put(capOf(70));
      await ask(await world.newAgent('Read only'), 60);
      const device = await openConsole(browser, world, 'VIEWER', PHONE);
      const { page } = device;
      const refused: string[] = [];
      page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
      await show(page, '#/policy');
      await page.getByRole('link', { name: 'Try a draft' }).waitFor();
      await page
        .getByRole('link', { name: /, version \d+/ })
        .nth(1)
        .click();
      await page.getByRole('heading', { name: 'Compared with the version in force' }).waitFor();
      await page.getByRole('button', { name: 'Use as a draft' }).click();
      await page.getByRole('heading', { level: 1, name: 'Draft' }).waitFor();
      await page.getByRole('button', { name: 'JSON', exact: true }).click();
      await page.getByLabel('The draft as JSON').fill(JSON.stringify(capOf(20)));
      await page.getByRole('button', { name: 'Judge them again' }).click();
      await page.getByText(/decisions would be others\./).waitFor();
      await page.getByText('An administrator publishes it.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Publish' }).count(), 0);
      assert.deepEqual(
        refused.filter((url) => !url.includes('/events/stream')),
        [],
      );
      assert.deepEqual(faultsOf(device), []);
      await page.context().close();
    });

    test('names of strangers are text, and an allowed purchase leads to its payment and back', async () => {
      const { id, version } = await inForce();
      const agent = await world.newAgent(HOSTILE);
      const ifCurrent = { id, version };
      await world.rest('PUT', `/ap2/admin/policies/${id}`, {
        name: HOSTILE.slice(0, 190),
        rules: capOf(500),
        ifCurrent,
      });
      const approvalToken = await approve(world, 30, { agent });
      await world.client.mandatePayment({ approvalToken });
      const device = await openConsole(browser, world, 'OWNER', PHONE);
      const { page } = device;
      for (const hash of ['#/decisions', '#/policy', `#/policy/versions/${id}/${version + 1}`]) {
        await show(page, hash);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${hash} is wider than the phone`);
      }
      await show(page, `#/agents/${encodeURIComponent(agent.did)}`);
      await page.getByRole('link', { name: 'All decisions' }).click();
      await page.getByRole('link', { name: /img src=x/ }).waitFor();
      await show(page, '#/decisions?outcome=allowed&currency=USD&min=30&max=30');
      await page.getByRole('link', { name: /img src=x/ }).click();
      await page.getByRole('link', { name: 'Open the payment' }).click();
      await page.getByRole('link', { name: 'What every rule said' }).click();
      await page.getByRole('heading', { level: 1, name: /sent a cart of 30\.00 USD/ }).waitFor();
      await page
        .getByRole('link', { name: `${HOSTILE.slice(0, 190)}, version ${version + 1}` })
        .first()
        .click();
      await said(page, 'One purchase may cost 500.00 USD at most.');
      assert.equal(await page.locator('main img').count(), 0);
      assert.deepEqual(faultsOf(device), []);
      await page.context().close();
    });
  });
}

/** Waits until a policy, and not the form of a draft, says so. */
const said = (page: Page, sentence: string) => page.locator('.rule-list', { hasText: sentence }).waitFor();

/** From the navigation to a draft with another cap, by the keyboard alone. */
async function beginDraft(page: Page, cap: string): Promise<void> {
  await goByKeyboard(page, /^Policy$/);
  await page.getByRole('heading', { level: 1, name: 'Policy' }).waitFor();
  await page.getByRole('heading', { name: 'Versions' }).waitFor();
  await tabTo(page, /^Write a draft$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Draft' }).waitFor();
  await page.getByRole('heading', { name: 'Rules' }).waitFor();
  await tabTo(page, /^The most for one purchase$/);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(cap);
}

async function assertFocused(locator: ReturnType<Page['getByLabel']>): Promise<void> {
  await locator.and(locator.page().locator(':focus')).waitFor();
}

/** Opens a screen of the navigation, which on a phone stands behind "More". */
async function goByKeyboard(page: Page, name: RegExp): Promise<void> {
  if (await page.getByRole('button', { name: 'More' }).isVisible()) {
    await tabTo(page, /^More$/);
    await page.keyboard.press('Enter');
  }
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** Moves the focus, as a user without a mouse does, until it is on what is called so. */
async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press(key);
    const called = await page.evaluate(() => {
      const element = document.activeElement as Loose;
      // The screen as a whole has the focus when it has just come.
      if (element?.matches('a, button, input, select, textarea, summary') !== true) return '';
      // What leads to a record of a table is called by all of its line.
      const line = element.hasAttribute('aria-labelledby') ? element.closest('tr') : null;
      return element.labels?.[0]?.textContent ?? (line ?? element).textContent;
    });
    if (name.test(called.replace(/\s+/g, ' ').trim())) return;
  }
  assert.fail(`No press of ${key} leads to ${name}.`);
}
