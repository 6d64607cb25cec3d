/** `countersign merchant`: the registry of merchants' keys, at a running node and on its data folder. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { makePeer } from '../../support/peer.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('countersign merchant', () => {
  let world: World;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-merchant-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], { DATA_DIR: folder });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const atNode = (...args: string[]) =>
    runHere(['merchant', ...args], { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const inFolder = (...args: string[]) => runHere(['merchant', ...args], { DATA_DIR: folder });

  test('binds a key with its category and country, lists it and removes it', async () => {
    const { did } = makePeer();
    const facts = ['--mcc', '5411', '--country', 'US', '--rail-account', 'acct_1', '--rail-profile', 'profile_1'];
    const bound = await atNode('bind', 'Tea.Example', did, ...facts, '--json');
    assert.equal(bound.code, 0, bound.stderr);
    const { id, createdAt, ...rest } = bound.json();
    assert.deepEqual(rest, {
      ...{ domain: 'tea.example', did, mcc: '5411', country: 'US' },
      ...{ railAccountId: 'acct_1', railProfileId: 'profile_1' },
    });
    const [table, listed, one] = await Promise.all([
      inFolder('list'),
      inFolder('list', '--json'),
      atNode('list', '--limit', '1'),
    ]);
    assert.match(table.stdout, /^MERCHANT +DOMAIN +MCC +COUNTRY +SINCE +KEY OR PAYEE\n/);
    assert.match(table.stdout, new RegExp(`\n${id} +tea\\.example +5411 +US +\\S+ \\S+ +${did}\n`));
    assert.deepEqual(
      listed.json().map((each: Loose) => each.domain),
      ['tea.example', 'shop.example'],
    );
    assert.equal(one.stdout.trim().split('\n').length, 2);
    const removed = await inFolder('remove', id);
    assert.deepEqual([removed.code, removed.stdout], [0, `${id} is removed.\n`]);
    const again = await atNode('remove', id);
    assert.deepEqual([again.code, /^NOT_FOUND: /.test(again.stderr)], [1, true], again.stderr);
  });

  test('shows what it bound, a member a line', async () => {
    const { did } = makePeer();
    const bound = await inFolder('bind', 'cake.example', did);
    assert.match(bound.stdout, new RegExp(`^Merchant +mch_\\w+\nDomain +cake\\.example\nDID +${did}\nSince +\\d`));
    const twice = await atNode('bind', 'cake.example', did);
    assert.deepEqual([twice.code, twice.stderr], [1, 'CONFLICT: This key is bound to this domain already.\n']);
  });

  test('binds a JSON Web Key from a file, or the address of a set of them, and never more than one of the three', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const file = join(folder, 'merchant.jwk');
    await writeFile(file, JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'spring' }));
    const secret = join(folder, 'private.jwk');
    await writeFile(secret, JSON.stringify(privateKey.export({ format: 'jwk' })));
    const byFile = await atNode('bind', 'shoes.example', '--jwk', file);
    assert.match(byFile.stdout, /\nKey +EC spring\n/, byFile.stderr);
    const url = 'https://keys.example/jwks.json';
    const byUrl = await atNode('bind', 'hats.example', '--jwks-url', url, '--json');
    assert.equal(byUrl.json().jwksUrl, url);
    const list = await inFolder('list');
    assert.match(list.stdout, / shoes\.example .* EC spring\n/);
    assert.match(list.stdout, / hats\.example .* https:\/\/keys\.example\/jwks\.json\n/);
    const [none, two, hidden, plain] = await Promise.all([
      atNode('bind', 'bags.example'),
      atNode('bind', 'bags.example', makePeer().did, '--jwk', file),
      atNode('bind', 'bags.example', '--jwk', secret),
      atNode('bind', 'bags.example', '--jwks-url', 'http://keys.example'),
    ]);
    for (const { code, stderr } of [none, two])
      assert.deepEqual([code, /one of the three/.test(stderr)], [2, true], stderr);
    for (const [{ code, stderr }, message] of [
      [hidden, /without its private part/],
      [plain, /begins with https/],
    ] as const) {
      assert.equal(code, 1, stderr);
      assert.match(stderr, message);
    }
  });

  test('says what is wrong with a domain, a DID or a country', async () => {
    const { did } = makePeer();
    const [domain, key, web, country, both] = await Promise.all([
      atNode('bind', 'https://cake.example', did),
      atNode('bind', 'cake.example', 'did:key:zzz'),
      atNode('bind', 'cake.example', 'did:web:other.example'),
      atNode('bind', 'cake.example', did, '--country', 'Narnia'),
      atNode('bind', 'https://cake.example', 'did:key:zzz'),
    ]);
    for (const [{ code, stderr }, message] of [
      // Of several, each has a line with its path.
      [both, /^ {2}domain: .*\n {2}did: must be/m],
      [domain, /^BAD_REQUEST: .*domain.*plain host name/s],
      [key, /^BAD_REQUEST: did: must be the did:key of the merchant’s key, or did:web of the same domain$/m],
      [web, /^BAD_REQUEST: .*did:web of the same domain/s],
      [country, /^BAD_REQUEST: .*country/s],
    ] as const) {
      assert.equal(code, 1, stderr);
      assert.match(stderr, message);
    }
  });
});
