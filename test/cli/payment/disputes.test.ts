/** `countersign payment disputes`: each dispute with its own amount, of all payments, of one, and as CSV. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { everyEngine } from '../../support/engines.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, makeWorld } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();

test('the disputes of a payment are listed with their amounts, their states and until when they wait', async (t) => {
  assert.ok(engine);
  const world = await makeWorld(engine);
  t.after(() => world.close());
  const say = async (...words: string[]): Promise<string> => {
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    const { code, stdout, stderr } = await runHere(['payment', ...words], env);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const mandateId = mandateIdOf(await purchase(world, 100));
  await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
  assert.match(await say('disputes'), /There are none/);
  for (const amount of [20, 30]) await world.rest('POST', '/ap2/demo/dispute', { mandateId, amount });
  await world.rest('POST', '/ap2/demo/dispute/end', { mandateId, outcome: 'won' });
  const open = await say('disputes', '--status', 'needs_response');
  assert.match(open, new RegExp(`needs_response +30\\.00 USD +fraudulent .* ${mandateId}`));
  assert.doesNotMatch(open, / won /);
  assert.match(await say('disputes', '--csv'), /,won,20\.00,USD,fraudulent,/);
  assert.match(
    await say('show', mandateId),
    /Disputed +30\.00 USD\nDisputes +dp_\S+ won 20\.00 USD.*; dp_\S+ needs_response 30\.00 USD \(due by /,
  );
  assert.match(
    await say('list', '--csv'),
    /,30\.00,dp_\S+ won 20\.00 USD; dp_\S+ needs_response 30\.00 USD,test agent,/,
  );
});

test('what answers a dispute is saved from a node and from its data folder, and recorded once it was submitted', async (t) => {
  assert.ok(engine);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-dispute-'));
  const world = await makeWorld(engine, { DATA_DIR: join(folder, 'node') });
  t.after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });
  const atNode = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
  const mandateId = mandateIdOf(await purchase(world, 100));
  const save = (file: string, env: Record<string, string>) =>
    runHere(['payment', 'dispute-pack', mandateId, join(folder, file)], env);
  await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
  const none = await save('none.zip', atNode);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /has no dispute/);
  await world.rest('POST', '/ap2/demo/dispute', { mandateId });
  const { disputes } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
  const told = await runHere(['payment', 'dispute-submitted', disputes[0].id, '--note', 'Sent by mail.'], atNode);
  assert.equal(told.code, 0, told.stderr);
  const refused = await runHere(['payment', 'dispute-evidence', disputes[0].id, '--submit'], atNode);
  assert.match(refused.stderr, /CARD_RAIL takes no evidence from a node/);
  for (const [file, env] of [
    ['node.zip', atNode],
    ['folder.zip', { DATA_DIR: join(folder, 'node') }],
  ] as const) {
    const saved = await save(file, env);
    assert.equal(saved.code, 0, saved.stderr);
    const { 'pack.html': page } = unzipSync(await readFile(join(folder, file)));
    assert.match(strFromU8(page as Uint8Array), /Sent by mail\./);
  }
});
