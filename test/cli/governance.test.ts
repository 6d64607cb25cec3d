/** Agents, policies and payments on the command line: at a running node, and on its data folder. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Ended } from '../support/command.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { signInUser } from '../support/signInUser.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';
import { runHere } from './runHere.ts';

const RULES = { version: '2.0', spend: { amount_cap: 60, currency: 'USD' } };

describe('the command line of an owner', () => {
  let world: World;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-cli-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], { DATA_DIR: folder });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const path = (name: string) => join(folder, name);
  const keep = (name: string, value: unknown) => writeFile(path(name), JSON.stringify(value));
  const atNode = (...args: string[]): Promise<Ended> =>
    runHere(args, { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const inFolder = (...args: string[]): Promise<Ended> => runHere(args, { DATA_DIR: folder });
  const json = async (run: Promise<Ended>, code = 0): Promise<Loose> => {
    const ended = await run;
    assert.equal(ended.code, code, ended.stderr + ended.stdout);
    return ended.json();
  };

  test('a person is removed on the data folder, with the agents that the person owns named, or suspended', async () => {
    await signInUser(world, 'OWNER', 'Ada');
    const grace = await signInUser(world, 'ADMIN', 'Grace');
    const body = { name: 'Errands', publicKey: makePeer().publicKey };
    const { did } = (await world.rest('POST', '/ap2/agents', body, grace.headers)).body;
    const out = await inFolder('user', 'remove', grace.userId);
    assert.equal(out.code, 0, out.stderr);
    assert.match(
      out.stdout,
      /is out, .*\nThe agent of this person can still buy; .*\n {2}did:key:z6Mk\w+ {2}Errands\n/,
    );
    const next = await signInUser(world, 'ADMIN', 'Next');
    await world.rest('PUT', `/ap2/agents/${did}`, { ownerUserId: next.userId });
    const ended = await json(inFolder('user', 'remove', next.userId, '--suspend-agents', '--json'));
    assert.deepEqual(ended, { id: next.userId, removed: true, agents: [did], suspended: true });
    assert.equal((await world.rest('GET', `/ap2/agents/${did}`)).body.status, 'SUSPENDED');
    assert.equal((await inFolder('user', 'remove', 'usr_unknown')).code, 1);
  });

  test('an agent is made, registered, limited, suspended, reactivated and revoked', async () => {
    const made = await json(inFolder('agent', 'keygen', '--out', path('agent.seed'), '--json'));
    assert.equal((await stat(path('agent.seed'))).mode & 0o777, 0o600);
    assert.equal((await readFile(path('agent.seed'))).length, 32);
    const twice = await inFolder('agent', 'keygen', '--out', path('agent.seed'));
    assert.equal(twice.code, 2);
    assert.match(twice.stderr, /never overwritten/);

    const added = await json(atNode('agent', 'add', '--name', 'Shopper', '--key-file', path('agent.seed'), '--json'));
    assert.equal(added.did, made.did);
    const again = await atNode('agent', 'add', '--name', 'Shopper', '--public-key', made.publicKey);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /^CONFLICT: This key is registered already\./);

    const [limit, shown, none] = await Promise.all([
      json(atNode('agent', 'limit', made.did, '--transactions', '3', '--amount', '90.5', '--window', '1h', '--json')),
      inFolder('agent', 'show', world.agent.did),
      atNode('agent', 'limit', made.did, '--window', '1h'),
    ]);
    assert.deepEqual(limit.velocity, { maxTransactions: 3, maxAmount: 90.5, timeWindow: '1h' });
    assert.match(shown.stdout, /^DID +did:key:z6Mk\w+\nStatus +ACTIVE\nName +test agent\n/);
    assert.equal(none.code, 2, none.stderr);

    assert.equal((await json(atNode('agent', 'suspend', made.did, '--reason', 'lost', '--json'))).status, 'SUSPENDED');
    assert.equal((await json(inFolder('agent', 'reactivate', made.did, '--json'))).status, 'ACTIVE');
    const revoked = await json(atNode('agent', 'revoke', made.did, '--reason', 'sold', '--json'));
    assert.deepEqual([revoked.status, revoked.reason], ['REVOKED', 'sold']);
    const listed = await json(atNode('agent', 'list', '--status', 'REVOKED', '--json'));
    assert.deepEqual(
      listed.map(({ did }: Loose) => did),
      [made.did],
    );
    const table = await inFolder('agent', 'list');
    assert.match(table.stdout, /^DID +STATUS +SINCE +NAME\n/);
    assert.match(table.stdout, /REVOKED +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Shopper/);
    assert.ok(!table.stdout.includes('\u001b'), 'no colours outside a terminal');
  });

  test('a policy in a file is compared, applied once, tried, and shown again', async () => {
    await keep('policy.json', { name: 'Frugal', rules: RULES });
    const differs = await json(inFolder('policy', 'diff', path('policy.json'), '--json'), 1);
    assert.deepEqual(
      differs.changes.find(({ path }: Loose) => path === 'spend.amount_cap'),
      { path: 'spend.amount_cap', former: 100, next: 60, direction: 'tighter', sentence: 'cap 100 → 60 USD' },
    );
    const table = await atNode('policy', 'diff', path('policy.json'));
    assert.match(table.stdout, /^RULE +CHANGE\nspend\.amount_cap +tighter +cap 100 → 60 USD\n/);
    const applied = await json(atNode('policy', 'apply', path('policy.json'), '--json'));
    assert.deepEqual([applied.version, applied.isActive, applied.name, applied.changed], [2, true, 'Frugal', true]);
    const unchanged = await atNode('policy', 'apply', path('policy.json'));
    assert.equal(unchanged.stdout, 'Nothing changed: version 2 of "Frugal" is in force already.\n');
    const [again, same, shown, old, list] = await Promise.all([
      json(atNode('policy', 'apply', path('policy.json'), '--json')),
      atNode('policy', 'diff', path('policy.json')),
      inFolder('policy', 'show', '--rules'),
      json(atNode('policy', 'show', '--version', '1', '--json')),
      atNode('policy', 'list'),
    ]);
    assert.deepEqual([again.changed, again.version], [false, 2]);
    assert.deepEqual([same.code, same.stdout], [0, 'The rules are the same.\n']);
    assert.deepEqual(shown.json(), RULES);
    assert.equal(old.rules.spend.amount_cap, 100);
    assert.match(list.stdout, /pol_\w+ +2 +current +\S+ \S+ {2}Frugal\n/);

    const tried = await atNode('policy', 'simulate', '--amount', '70', '--currency', 'USD');
    assert.equal(tried.code, 1);
    assert.match(tried.stdout, /^✗ AMOUNT_OVER_CAP: 70\.00 USD is 10\.00 over the cap of 60\.00\./);
    assert.equal(
      (await json(inFolder('policy', 'simulate', '--amount', '60', '--currency', 'USD', '--json'))).allowed,
      true,
    );

    const onDraft = ['policy', 'simulate', '--amount', '61', '--currency', 'USD', '--draft', path('policy.json')];
    const drafted = await atNode(...onDraft, '--at', '2026-11-23T10:00:00Z');
    assert.match(
      drafted.stdout,
      /^✗ AMOUNT_OVER_CAP: .*\nIt would pass with at most 60\.00 USD\.\n\n.*\nAMOUNT_OVER_CAP +failed +61\.00 USD +60\.00 USD +-1\.00 USD\nCURR/,
    );

    await keep('wrong.json', { version: '2.0', spend: { amount_kap: 60, presence_cap: -1 } });
    const wrong = await atNode('policy', 'apply', path('wrong.json'));
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /spend\.presence_cap: .*\n.*spend\.amount_kap: is not a known member/);
    await keep('policy.json', { name: 'Generous', rules: { version: '2.0' } });
    const other = await json(inFolder('policy', 'apply', path('policy.json'), '--new', '--json'));
    assert.equal(other.version, 1);
    assert.equal((await json(atNode('policy', 'show', '--json'))).id, other.id, 'the node takes it up');
  });

  test('payments are listed, captured, refunded in part and canceled, at a running node only', async () => {
    const ids = [mandateIdOf(await purchase(world, 20)), mandateIdOf(await purchase(world, 30.5))] as [string, string];
    const listed = await json(inFolder('payment', 'list', '--status', 'AUTHORIZED', '--json'));
    assert.deepEqual(listed.map(({ mandateId }: Loose) => mandateId).sort(), [...ids].sort());
    const captured = await json(atNode('payment', 'capture', ids[0], '--amount', '15', '--json'));
    assert.deepEqual([captured.status, captured.captured], ['CAPTURED', 15]);
    const refunded = await atNode('payment', 'refund', ids[0], '--amount', '5');
    assert.match(
      refunded.stdout,
      /Status +PARTIALLY_REFUNDED\nAmount +20\.00 USD\nCaptured +15\.00 USD\nRefunded +5\.00 USD/,
    );
    const [canceled, twice, offline, wrong, table] = await Promise.all([
      json(atNode('payment', 'cancel', ids[1], '--json')),
      atNode('payment', 'capture', ids[0]),
      inFolder('payment', 'capture', ids[0]),
      atNode('payment', 'refund', ids[0], '--amount', 'all'),
      inFolder('payment', 'list'),
    ]);
    assert.equal(canceled.status, 'CANCELED');
    assert.equal(twice.code, 1);
    assert.match(twice.stderr, /^CONFLICT: A payment that is PARTIALLY_REFUNDED cannot/);
    assert.deepEqual([offline.code, wrong.code], [2, 2]);
    assert.match(offline.stderr, /running node/);
    assert.match(table.stdout, /^PAYMENT +STATUS +WHEN +AMOUNT +MERCHANT +AGENT\n/);
    const shown = await json(inFolder('payment', 'show', ids[0], '--json'));
    assert.equal(shown.pmVc.credentialSubject.mandateId, ids[0]);
  });

  test('what cannot be reached, is not allowed or makes no sense ends with a sentence and its own code', async () => {
    const [gone, keyless, stranger, unknown, strange, fresh] = await Promise.all([
      runHere(['agent', 'list'], { COUNTERSIGN_URL: 'http://127.0.0.1:1', COUNTERSIGN_API_KEY: ADMIN_KEY }),
      runHere(['agent', 'list', '--url', world.node.address]),
      runHere(['agent', 'list', '--url', world.node.address, '--key', `ak_test_${'B'.repeat(32)}`]),
      atNode('agent', 'show', world.merchant.did),
      runHere(['agent', 'list', '--url', 'nowhere', '--key', ADMIN_KEY]),
      runHere(['agent', 'list'], { DATA_DIR: path('fresh') }),
    ]);
    assert.equal(gone.code, 3);
    assert.match(gone.stderr, /^No node answers at http:\/\/127\.0\.0\.1:1; start it, or name another one with --url/);
    assert.equal(keyless.code, 2);
    assert.deepEqual([stranger.code, /^INVALID_API_KEY: .+\n$/.test(stranger.stderr)], [1, true], stranger.stderr);
    assert.deepEqual([unknown.code, /^NOT_FOUND: .+\n$/.test(unknown.stderr)], [1, true], unknown.stderr);
    assert.equal(strange.code, 2);
    assert.deepEqual([fresh.code, /No node was started/.test(fresh.stderr)], [1, true]);
  });

  test('a policy that contradicts itself is told where by diff and apply', async () => {
    const before = await json(atNode('policy', 'show', '--json'));
    await keep('odd.json', {
      version: '2.0',
      spend: { amount_cap: 60, currency: 'USD' },
      context: { presence_threshold: 100 },
    });
    await keep('before.json', before.rules);
    for (const command of ['diff', 'apply']) {
      const { stdout } = await atNode('policy', command, path('odd.json'));
      assert.match(stdout, /! context\.presence_threshold: It never applies: no purchase above amount_cap, 60, passes/);
    }
    assert.equal((await atNode('policy', 'apply', path('before.json'))).code, 0);
  });
});
