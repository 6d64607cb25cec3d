/** `countersign guard list`, `show` and `accept`: the guards of a running node, and of its data folder. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const DEFINITION = '{"description":"Pays.\u202e","name":"pay"}';
const ACCEPTED = '{"description":"Looks.","name":"pay"}';
const HASH = createHash('sha256').update(DEFINITION).digest('hex');

describe('countersign guard', () => {
  let world: World;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-guard-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], { DATA_DIR: folder });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const atNode = (...args: string[]) =>
    runHere(['guard', ...args], { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const inFolder = (...args: string[]) => runHere(['guard', ...args], { DATA_DIR: folder });

  test('lists and shows guards, and accepts a tool as it was shown, in the data folder', async () => {
    const pay = { name: 'pay', readOnly: false, action: 'reserve', rules: 'guarded: 5\u001b[2J' } as const;
    const tools = [{ ...pay, hash: HASH, change: 'changed', definition: DEFINITION, accepted: ACCEPTED }] as const;
    const told = { name: 'laptop', agentDid: world.agent.did, servers: [{ name: 'shop', tools }] };
    const { id } = await world.client.tellGuard(told);
    const listed = await atNode('list', '--agent', world.agent.did);
    assert.match(listed.stdout, new RegExp(`\n${id} +laptop +shop +1 `), listed.stderr);
    const shown = await atNode('show', id);
    assert.match(
      shown.stdout,
      /shop: 1 tools\n {2}pay: guarded: 5\\u\{1b\}\[2J; CHANGED\n {6}name: "pay"\n {6}description\n/,
    );
    assert.ok(
      shown.stdout.includes('\n    -   Looks.\n    +   Pays.\\u{202e}\n'),
      'what changed, and what hides, is shown',
    );
    const name = `pay@${HASH.slice(0, 12)}`;
    assert.ok(shown.stdout.includes(name));
    const byKey = await atNode('accept', id, '--server', 'shop', '--tools', name);
    assert.match(byKey.stderr, /Only an OWNER who has logged in, or the data folder, accepts tools/);
    const other = await inFolder('accept', id, '--server', 'shop', '--tools', 'pay@00000000');
    assert.match(other.stderr, /pay is not there as 00000000: look at it again/);
    const accepted = await inFolder('accept', id, '--server', 'shop', '--tools', name);
    assert.match(accepted.stdout, /CHANGED; accepted, and not taken up by the guard yet/, accepted.stderr);
    const removed = await atNode('remove', id);
    assert.equal(removed.stdout, `${id} is removed. One that still runs is told so.\n`, removed.stderr);
    assert.match((await atNode('show', id)).stderr, /There is no guard grd_/);
  });
});
