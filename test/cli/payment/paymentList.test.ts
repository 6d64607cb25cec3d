/** `payment list` and `approvals list` by merchant and by time, and a payment that is reconciled, with a node running. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { askForApproval, makePerson } from '../../support/person.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, makeWorld, SHOP, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();

describe('lists by the command line', () => {
  let world: World;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
  });
  after(() => world.close());

  const list = async (...words: string[]): Promise<string> => {
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    const { code, stdout, stderr } = await runHere(words, env);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  test('show payments of a merchant and of a part of time', async () => {
    const id = mandateIdOf(await purchase(world, 12));
    const hour = 3_600_000;
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    assert.match(
      await list('payment', 'list', '--merchant', SHOP, '--from', at(-hour), '--to', at(hour)),
      new RegExp(id),
    );
    assert.match(await list('payment', 'list', '--merchant', 'other.example'), /There are none/);
    assert.match(await list('payment', 'list', '--from', at(hour)), /There are none/);
    assert.match(await list('payment', 'list', '--to', '2026-01-01'), /There are none/);
    const amounts = (...words: string[]) => list('payment', 'list', '--currency', 'USD', ...words);
    assert.match(await amounts('--min', '12', '--max', '12'), new RegExp(id));
    assert.match(await amounts('--min', '12.01'), /There are none/);
  });

  test('show a payment as the rail says it stands', async () => {
    const id = mandateIdOf(await purchase(world, 13));
    assert.match(await list('payment', 'reconcile', id), /AUTHORIZED/);
  });

  test('show approvals of a merchant and of a part of time', async () => {
    await makePerson(world).enroll();
    const { approval } = await askForApproval(world);
    assert.match(await list('approvals', 'list', '--merchant', SHOP, '--from', '2026-01-01'), new RegExp(approval.id));
    assert.match(await list('approvals', 'list', '--merchant', 'other.example'), /There are none/);
    assert.match(await list('approvals', 'list', '--to', '2026-01-01'), /There are none/);
  });

  test('are written as CSV, whole, from a node as from its folder', async () => {
    const id = mandateIdOf(await purchase(world, 14));
    const text = await list('payment', 'list', '--csv', '--limit', '1', '--merchant', SHOP);
    assert.match(text, /^createdAt,status,merchant,/);
    assert.match(text, new RegExp(`,14\\.00,USD,.*${id}`));
    assert.ok(text.split('\r\n').length > 3, text);
    assert.match(await list('decisions', 'list', '--csv'), /^createdAt,kind,outcome,/);
    assert.match(await list('spend', '--by', 'merchant', '--csv'), /^day,agentDid,merchant,[\s\S]*,shop\.example,USD,/);
  });

  test('say what is wrong with their bounds', async () => {
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    for (const noun of ['payment', 'approvals']) {
      const late = await runHere([noun, 'list', '--from', '2026-03-02', '--to', '2026-03-01'], env);
      assert.notEqual(late.code, 0);
      assert.match(late.stderr, /from.*must not lie after "to"/);
      const odd = await runHere([noun, 'list', '--from', 'yesterday'], env);
      assert.match(odd.stderr, /must be a moment such as/);
    }
  });
});
