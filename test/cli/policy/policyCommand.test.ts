/** `policy test` and `policy replay`: policies as code. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const RULES = {
  version: '2.0',
  spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' },
  merchant: { deny_list: ['scam.example'] },
  risk: { velocity_limit: { max_transactions: 3, time_window: '1h' } },
};

const CASES = [
  { name: 'small', request: { amount: 5, currency: 'USD' }, expect: { allowed: true, hpRequired: false } },
  { name: 'large', request: { amount: 150, currency: 'USD' }, expect: { allowed: true, hpRequired: true } },
  {
    name: 'too large, at a bad shop',
    request: { amount: 500, currency: 'USD', merchantDomain: 'scam.example' },
    expect: { allowed: false, reasonCodes: ['MERCHANT_DENIED', 'AMOUNT_OVER_CAP'] },
  },
  {
    name: 'the fourth in an hour',
    request: { amount: 5, currency: 'USD' },
    before: { transactions: 3 },
    expect: { allowed: false, reasonCodes: ['VELOCITY_EXCEEDED'] },
  },
];

describe('policies as code', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-policies-'));
    await keep('policy.json', { name: 'As code', rules: RULES });
    await keep('rules.json', RULES);
    await keep('cases.json', CASES);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const path = (name: string) => join(folder, name);
  const keep = (name: string, value: unknown) => writeFile(path(name), JSON.stringify(value));
  const judge = (policy: string, cases: string, ...more: string[]) =>
    runHere(['policy', 'test', path(policy), path(cases), ...more]);

  test('a case that lacks a member is told which', async () => {
    await keep('lacking.json', [{ name: 'x', request: { currency: 'USD' }, expect: { allowed: true } }]);
    const { code, stderr } = await judge('policy.json', 'lacking.json');
    assert.equal(code, 2);
    assert.match(stderr, /0\.request\.amount: is missing/);
  });

  test('cases that come out as expected pass, with a policy or with rules alone', async () => {
    for (const file of ['policy.json', 'rules.json']) {
      const { code, stdout, stderr } = await judge(file, 'cases.json');
      assert.equal(code, 0, stderr);
      assert.equal(
        stdout,
        '✓ small\n✓ large\n✓ too large, at a bad shop\n✓ the fourth in an hour\n4 of 4 cases came out as expected.\n',
      );
    }
  });

  test('a case’s domain, category and country are read as the node reads them', async () => {
    const denied = { allowed: false, reasonCodes: ['MERCHANT_DENIED'] };
    const request = { amount: 5, currency: 'USD' };
    await keep('spelled.json', [
      { name: 'capitals and a dot', request: { ...request, merchantDomain: 'SCAM.Example.' }, expect: denied },
      { name: 'a subdomain', request: { ...request, merchantDomain: 'www.Scam.example' }, expect: denied },
    ]);
    const { code, stdout } = await judge('policy.json', 'spelled.json');
    assert.equal(code, 0, stdout);
    await keep('unread.json', [
      { name: 'x', request: { ...request, merchantDomain: 'https://scam.example/' }, expect: denied },
      { name: 'y', request: { ...request, currency: 'usd', mcc: '54', country: 'us' }, expect: denied },
    ]);
    const unread = await judge('policy.json', 'unread.json');
    assert.equal(unread.code, 2);
    for (const member of [
      '0.request.merchantDomain: A domain is',
      '1.request.currency',
      '1.request.mcc',
      '1.request.country',
    ])
      assert.ok(unread.stderr.includes(member), unread.stderr);
  });

  test('a case that fails is shown with what was expected and what came', async () => {
    await keep('failing.json', [
      CASES[0],
      { name: 'allowed?', request: { amount: 500, currency: 'USD' }, expect: { allowed: true, hpRequired: true } },
      { name: 'alone?', request: { amount: 150, currency: 'USD' }, expect: { allowed: true, hpRequired: false } },
    ]);
    const { code, stdout } = await judge('policy.json', 'failing.json');
    assert.equal(code, 1);
    assert.match(
      stdout,
      /✗ allowed\?\n +expected +needs a person\n +came +refused: AMOUNT_OVER_CAP\n +500\.00 USD is 300\.00 over/,
    );
    assert.match(stdout, /✗ alone\?\n +expected +allowed, no person asked\n +came +needs a person\n/);
    assert.match(stdout, /1 of 3 cases/);
    const asJson = await judge('policy.json', 'failing.json', '--json');
    assert.equal(asJson.code, 1);
    const { passed, cases } = asJson.json();
    assert.deepEqual([passed, ...cases.map((each: Loose) => each.passed)], [false, true, false, false]);
  });

  test('an unreadable file is wrong use, and an invalid policy is refused with each member at fault', async () => {
    await writeFile(path('text.json'), 'rules: none');
    await keep('other.json', [{ name: 'x', request: { amount: 5 }, expect: {} }]);
    await keep('wrong.json', { version: '2.0', spend: { amount_cap: 50, presence_cap: 10 } });
    const [missing, text, other, wrong] = await Promise.all([
      judge('nothing.json', 'cases.json'),
      judge('text.json', 'cases.json'),
      judge('policy.json', 'other.json'),
      judge('wrong.json', 'cases.json'),
    ]);
    assert.deepEqual([missing.code, text.code, other.code, wrong.code], [2, 2, 2, 1]);
    assert.match(other.stderr, /0\.request\.currency: /);
    assert.match(wrong.stderr, /spend\.presence_cap: must not be below amount_cap, which is 50/);
  });

  describe('a draft against what a node recorded', () => {
    let world: World;
    before(async () => {
      world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], { DATA_DIR: path('node') });
      await purchase(world, 20);
      await purchase(world, 60, {});
      const ask = (amount: number, options = {}) =>
        world.rest('POST', '/ap2/intents', world.intentBody(amount, options));
      await ask(500);
      await ask(10, { domain: 'scam-store.example' });
      await keep('same.json', (await world.rest('GET', '/ap2/policies/current')).body.rules);
      await keep('draft.json', { version: '2.0', spend: { amount_cap: 50, currency: 'USD' } });
    });
    after(() => world.close());

    const atNode = (...args: string[]) =>
      runHere(['policy', 'replay', ...args], {
        COUNTERSIGN_URL: world.node.address,
        COUNTERSIGN_API_KEY: ADMIN_KEY,
      });

    test('the current policy flips nothing', async () => {
      const { code, stdout, stderr } = await atNode(path('same.json'), '--fail-on-flips');
      assert.equal(code, 0, stderr);
      assert.match(
        stdout,
        /^4 requests: 2 were allowed, 2 would be, of which 0 need a person\.\nNo decision would flip\.\n\nLIMIT /,
      );
      assert.equal(stderr, '', 'no progress bar outside a terminal');
    });

    test('another one flips decisions both ways, with reasons, alike at the node and in its data folder', async () => {
      const { code, stdout, stderr } = await atNode(path('draft.json'), '--days', '7');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /2 decisions would flip:\n\nWHEN +AMOUNT +MERCHANT +WAS +WOULD BE +WHY\n/);
      assert.match(
        stdout,
        /60\.00 USD +shop\.example +allowed +refused +60\.00 USD is 10\.00 over the cap of 50\.00\./,
      );
      assert.match(stdout, /10\.00 USD +scam-store\.example +refused +allowed +no MERCHANT_DENIED any more/);
      assert.equal((await atNode(path('draft.json'), '--fail-on-flips')).code, 1);
      const [online, offline] = await Promise.all([
        atNode(path('draft.json'), '--json'),
        runHere(['policy', 'replay', path('draft.json'), '--json'], { DATA_DIR: path('node') }),
      ]);
      assert.deepEqual(offline.json(), online.json());
    });

    test('each limit of a draft says what was asked of it, and what it would have stopped', async () => {
      const limits = [{ name: 'a week', max_amount: 70, window: '7d', action: 'presence' }];
      await keep('limits.json', { version: '2.0', spend: { currency: 'USD' }, risk: { limits } });
      const { stdout } = await atNode(path('limits.json'), '--days', '7');
      assert.match(stdout, /\nLIMIT +PERIOD +ASKED IN THE LAST ONE +WOULD BE REFUSED +WOULD NEED A PERSON\n/);
      assert.match(stdout, /\na week +7d +4: 590\.00 USD +0 +3: 570\.00 USD\n/);
    });

    test('one decision that flips is one', async () => {
      await keep('one.json', { version: '2.0', spend: { amount_cap: 60, currency: 'USD' } });
      const { stdout } = await atNode(path('one.json'), '--days', '7');
      assert.match(stdout, /\n1 decision would flip:\n/);
    });
  });
});
