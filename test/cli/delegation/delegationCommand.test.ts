/** `countersign delegation`: open mandates from files, at a running node and on its data folder. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { budget, MandateParties } from '../../support/mandates.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('countersign delegation', () => {
  let world: World;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-delegations-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], { DATA_DIR: folder });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const atNode = (...args: string[]) =>
    runHere(args, { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const inFolder = (...args: string[]) => runHere(args, { DATA_DIR: folder });

  test('registers a mandate from a file, shows what it allows, and revokes it', async () => {
    const parties = new MandateParties(Date.now);
    const [key, file] = [join(folder, 'provider.jwk'), join(folder, 'open.sdjwt')];
    await writeFile(key, JSON.stringify(parties.provider.jwk));
    await writeFile(file, `${parties.open(budget(100, 'USD', 'WEEKLY', { max_occurrences: 4 }))}\n`);
    const { did } = await world.newAgent();
    const early = await atNode('delegation', 'add', file, '--agent', did);
    assert.deepEqual([early.code, /^MANDATE_INVALID: .*trusted/.test(early.stderr)], [1, true], early.stderr);
    await atNode('mandate-issuer', 'add', 'Shopper', '--kind', 'agent-provider', '--jwk', key);
    const preview = await atNode('delegation', 'add', file, '--agent', did, '--preview');
    assert.match(preview.stdout, /^Agent +did:key:.*\n(.*\n)+In all +100.00 USD at most\n/);
    assert.deepEqual((await atNode('delegation', 'list', '--json')).json(), []);
    const added = await atNode('delegation', 'add', file, '--agent', did);
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /^Delegation +dlg_\w+\nStatus +ACTIVE\nAgent +did:key:/);
    assert.match(
      added.stdout,
      /\nHow often +WEEKLY \(calendar, UTC\), 4 times at most\nUntil .*\nOpen hash .*\nUsed +0 times, 0.00 USD of 100.00 USD\n/,
    );
    const [{ id }] = (await inFolder('delegation', 'list', '--agent', did, '--json')).json();
    assert.equal((await inFolder('delegation', 'show', id)).stdout, added.stdout);
    const table = await atNode('delegation', 'list');
    assert.match(table.stdout, new RegExp(`^DELEGATION +STATUS.*\n${id} +ACTIVE `));
    await atNode('principal', 'add', did, '--name', 'Household');
    assert.match((await atNode('delegation', 'list')).stdout, new RegExp(`\n${id} +NOT ALLOWED `));
    assert.match((await inFolder('delegation', 'show', id)).stdout, /\nNote +Nothing passes by it/);
    assert.equal((await atNode('delegation', 'revoke', id)).stdout, `${id} is revoked.\n`);
    assert.equal((await inFolder('delegation', 'show', id, '--json')).json().status, 'REVOKED');
  });
});
