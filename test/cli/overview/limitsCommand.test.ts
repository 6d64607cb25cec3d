/** Limits over time on the command line: what is left of them, an agent's own, and which of several refuse. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();

const LIMITS = [
  { name: 'spree', max_amount: 100, max_transactions: 3, window: '7d' },
  { name: 'household', max_amount: 500, window: 'year', timezone: 'Asia/Tokyo', scope: 'policy', action: 'presence' },
  { name: 'the shop', max_amount: 90, window: 'year', scope: 'policy', merchant: SHOP },
  { name: 'family', max_transactions: 9, window: 'year', scope: 'principal' },
];

describe('limits on the command line', () => {
  let world: World;
  let folder: string;
  before(async () => {
    assert.ok(engine);
    folder = await mkdtemp(join(tmpdir(), 'countersign-limits-'));
    world = await makeWorld(engine);
    const rules = { version: '2.0', spend: { currency: 'USD' }, risk: { limits: LIMITS } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'limits', rules })).status, 201);
    await purchase(world, 60);
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (...words: string[]) =>
    runHere(words, { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const shown = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...words);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const rowsOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
  const fileOf = async (value: unknown): Promise<string> => {
    const file = join(folder, 'own.json');
    await writeFile(file, JSON.stringify(value));
    return file;
  };

  test('what all agents share is shown with what is used, left, until when, where, and what becomes of more', async () => {
    const [heads, ...rows] = rowsOf(await shown('limits'));
    assert.deepEqual(heads, ['LIMIT', 'USED', 'LEFT', 'PERIOD', 'COUNTS', 'WHERE', 'OVER IT']);
    assert.deepEqual(rows, [
      [
        'household',
        '60.00 of 500.00 USD',
        '440.00 USD',
        'this year (Asia/Tokyo), resets 1 Jan 00:00',
        'all agents',
        'anywhere',
        'a person is asked',
      ],
      [
        'the shop',
        '60.00 of 90.00 USD',
        '30.00 USD',
        'this year (UTC), resets 1 Jan 00:00',
        'all agents',
        `at ${SHOP}`,
        'denied',
      ],
    ]);
  });

  test('an agent’s are shown by its name, and those of a principal’s agents by the principal’s', async () => {
    const rows = rowsOf(await shown('limits', '--agent', 'test agent'));
    assert.deepEqual(
      rows.slice(1).map(([name, used, left]) => [name, used, left]),
      [
        ['spree', '1 of 3 purchases', '2'],
        ['spree', '60.00 of 100.00 USD', '40.00 USD'],
        ['household', '60.00 of 500.00 USD', '440.00 USD'],
        ['the shop', '60.00 of 90.00 USD', '30.00 USD'],
        ['family', '1 of 9 purchases', '8'],
      ],
    );
    await shown('principal', 'add', world.principal.did, '--name', 'Household');
    const family = rowsOf(await shown('limits', '--principal', 'Household')).find(([name]) => name === 'family');
    assert.equal(family?.[4], 'agents with the same money');
    const { limits } = JSON.parse(await shown('limits', '--json'));
    assert.deepEqual(
      limits.map(({ name }: Loose) => name),
      ['household', 'the shop'],
    );
    assert.match(
      await shown('agent', 'limits'),
      /spree: 1 of 3 purchases and 60\.00 of 100\.00 USD in 7 days; household: 60\.00 of 500\.00 USD this year \(Asia\/Tokyo\), all agents together; the shop: .* this year, at shop\.example, all agents together\n/,
    );
  });

  test('a simulation says what it leaves, or each limit that refuses where they are several', async () => {
    const simulate = (amount: string) =>
      run('policy', 'simulate', '--amount', amount, '--currency', 'USD', '--agent', 'test agent', '--merchant', SHOP);
    const allowed = await simulate('20');
    assert.match(
      allowed.stdout,
      /\nLeft after it: 10\.00 of 90\.00 USD; the shop, at shop\.example, this year \(UTC\), resets 1 Jan 00:00\.\n/,
    );
    const refused = await simulate('80');
    assert.equal(refused.code, 1);
    assert.match(
      refused.stdout,
      /^✗ SPENDING_LIMIT_EXCEEDED: [\s\S]*\n2 limits refuse it:\nLIMIT .*\nspree .*\nthe shop .*\n\nRULE/m,
    );
    assert.doesNotMatch((await simulate('35')).stdout, /limits refuse it/);
  });

  test('a decision shows each limit that refused it', async () => {
    const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(80));
    assert.equal(body.limits.length, 2, JSON.stringify(body));
    const [newest] = JSON.parse(await shown('decisions', 'list', '--outcome', 'refused', '--json', '--limit', '1'));
    assert.match(
      await shown('decisions', 'show', newest.transactionId),
      /\n2 limits refuse it:\nLIMIT .*\nspree .*\nthe shop /,
    );
  });

  test('an agent gets limits of its own from a file, each part stays until it is given anew, and [] is none', async () => {
    const agent = (await world.newAgent('Has its own')).did;
    const trips = { name: 'trips', maxAmount: 40, window: 'month', timezone: 'Europe/Berlin', action: 'presence' };
    const limit = (...words: string[]) => shown('agent', 'limit', agent, ...words);
    assert.match(
      await limit('--limits', await fileOf([trips])),
      /^Own limits +trips: 40\.00 USD this month \(Europe\/Berlin\), over it a person is asked$/m,
    );
    const both = await limit('--transactions', '9', '--window', '1h');
    assert.match(both, /^Own limit +9 purchases in 1h\nOwn limits +trips: /m);
    const none = await limit('--limits', await fileOf([]));
    assert.match(none, /^Own limit +9 purchases in 1h\nOwn limits +none, in place of the policy’s for each agent$/m);
    const { body } = await world.rest('GET', `/ap2/agents/${encodeURIComponent(agent)}`);
    assert.deepEqual(body.velocity, { maxTransactions: 9, timeWindow: '1h', limits: [] });
  });

  test('what is wrong in a file of limits is said with the member it is in, and nothing is changed', async () => {
    const { code, stderr } = await run(
      ...['agent', 'limit', 'test agent', '--limits', await fileOf([{ name: 'x', window: 'soon', maxAmount: -1 }])],
    );
    assert.equal(code, 1);
    assert.match(stderr, /^ {2}limits\.0\.window: must be day, week, month, quarter, year, or a duration/m);
    const { body } = await world.rest('GET', `/ap2/agents/${encodeURIComponent(world.agent.did)}`);
    assert.equal(body.velocity, null);
  });

  test('where no limit is shared or holds, that is said', async () => {
    const rules = { version: '2.0', spend: { currency: 'USD' } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'none', rules })).status, 201);
    assert.match(await shown('limits'), /^No limit is shared by all agents; --agent shows those of one/);
    assert.match(
      await shown('limits', '--principal', 'Household'),
      /^No limit is shared by the agents that spend this money/,
    );
    assert.equal(await shown('limits', '--agent', 'test agent'), 'No limit over time holds for this agent.\n');
    assert.match(await shown('agent', 'show', 'test agent'), /^Limits +none in time$/m);
  });
});
